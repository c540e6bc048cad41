/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/make.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "build/ccache.h"

#include <unistd.h>

/* Variables of the user's (or of a make above us) that would change the result. */
static const char *const dropped[] = {"MAKEFLAGS",
				      "MAKELEVEL",
				      "MFLAGS",
				      "MAKEOVERRIDES",
				      "GNUMAKEFLAGS",
				      "ARCH",
				      "SUBARCH",
				      "SRCARCH",
				      "CROSS_COMPILE",
				      "KBUILD_OUTPUT",
				      "KCONFIG_CONFIG",
				      "KCONFIG_ALLCONFIG",
				      "KCFLAGS",
				      "KCPPFLAGS",
				      "KAFLAGS",
				      "CFLAGS",
				      "CPPFLAGS",
				      "LDFLAGS",
				      "HOSTCFLAGS",
				      "HOSTLDFLAGS",
				      "CC",
				      "HOSTCC",
				      "LD",
				      "LLVM",
				      "LLVM_IAS",
				      "KBUILD_VERBOSE",
				      "W",
				      "C",
				      "V",
				      "DEV",
				      "LOCALVERSION",
				      "INSTALL_MOD_PATH",
				      "SOURCE_DATE_EPOCH",
				      "CCACHE_PREFIX",
				      "CCACHE_COMPILER",
				      "DESTDIR",
				      NULL};

static const char *const pinned[] = {"LC_ALL=C",
				     "TZ=UTC",
				     "KBUILD_BUILD_TIMESTAMP=1970-01-01 00:00:00 +0000",
				     "KBUILD_BUILD_USER=kregress",
				     "KBUILD_BUILD_HOST=kregress",
				     "KBUILD_BUILD_VERSION=1",
				     NULL};

static unsigned core_count(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (unsigned)count : 1;
}

int make_start(const struct make_call *call, const char *const *words,
	       struct process *ret_process, struct error *err)
{
	CLEANUP(text_list_finish) struct text_list argv = {0};
	CLEANUP(text_list_finish) struct text_list environment = {0};
	struct process_options options = {.folder = call->source,
					  .log_path = call->log_path,
					  .keep_fd = call->lock_fd,
					  .guarded = 1};

	text_list_add(&argv, "env");
	for (const char *const *name = dropped; *name; name++) {
		text_list_add(&argv, "-u");
		text_list_add(&argv, *name);
	}
	for (const char *const *setting = pinned; *setting; setting++)
		text_list_add(&environment, *setting);
	if (call->ccache && call->toolchain->ccache &&
	    ccache_use(call->ccache, call->toolchain->ccache, call->toolchain->compiler,
		       &environment, err))
		return -1;
	text_list_add(&argv, "make");
	text_list_format(&argv, "-j%u", call->jobs ? call->jobs : core_count());
	text_list_add(&argv, "O=" MAKE_OUTPUT);
	text_list_add(&argv, "ARCH=x86_64");
	text_list_add(&argv, "LOCALVERSION=");
	text_list_format(&argv, "CC=%s", call->toolchain->compiler);
	for (; *words; words++)
		text_list_add(&argv, *words);
	options.argv = (const char *const *)argv.items;
	options.environment = (const char *const *)environment.items;
	return process_start(&options, ret_process, err);
}
