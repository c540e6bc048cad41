/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/memory.h"
#include "vm/domain.h"
#include "vm/owner.h"
#include "vm/tail.h"
#include "vm/xml.h"

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define EMULATOR "/usr/bin/qemu-system-x86_64"

static const struct vm_spec plain = {
	.name = "kregress-1",
	.kernel = "/k/bzImage",
	.initrd = "/k/initrd",
	.cmdline = "console=ttyS0 panic=-1",
	.console_path = "/r/console.log",
	.results_path = "/r/results",
};

static const struct vm_owner owner = {
	.pid = 42, .start = 12345, .boot_id = "8795a740-70b0-4836-bd63-724b1fe4208d"};

static char *make_xml(const struct vm_spec *spec)
{
	CLEANUP(text_finish) struct text xml = {0};
	struct error err = {0};

	if (vm_domain_xml(spec, EMULATOR, &owner, &xml, &err))
		print_error("%s\n", err.text);
	return text_take(&xml);
}

static void quiet(void *opaque, virErrorPtr error)
{
	(void)opaque;
	(void)error;
}

/* What libvirt makes of the domain, by its driver that runs nothing. */
static char *through_libvirt(const char *xml)
{
	virConnectPtr connection;
	virDomainPtr domain;
	char *result = NULL;

	virSetErrorFunc(NULL, quiet);
	connection = virConnectOpen("test:///default");
	assert_non_null(connection);
	domain = virDomainCreateXML(connection, xml, 0);
	if (domain) {
		result = virDomainGetXMLDesc(domain, 0);
		virDomainDestroy(domain);
		virDomainFree(domain);
	}
	virConnectClose(connection);
	return result;
}

static void count_is(const char *text, const char *part, int wanted)
{
	int count = 0;

	for (const char *at = text; (at = strstr(at, part)); at++)
		count++;
	if (count != wanted)
		fail_msg("%d times %s instead of %d in %s", count, part, wanted, text);
}

static void a_bare_guest_has_no_default_devices(void **state)
{
	CLEANUP(cleanup_free) char *xml = make_xml(&plain);

	(void)state;
	count_is(xml, "<serial ", 2);
	count_is(xml, "<graphics", 0);
	count_is(xml, "<memballoon model='none'/>", 1);
	count_is(xml, "<controller type='usb' model='none'/>", 1);
	count_is(xml, "<disk", 0);
	count_is(xml, "<channel", 0);
	count_is(xml, "-icount", 0);
}

/* The test driver knows no QEMU arguments; what is before them must survive it. */
static void libvirt_takes_the_domain(void **state)
{
	static const struct vm_disk disks[] = {
		{.source = "/dev/loop1", .kind = VM_DISK_BLOCK, .serial = "A"},
		{.source = "/d/b",
		 .bus = VM_BUS_SCSI,
		 .serial = "B",
		 .read_only = 1,
		 .queues = 3,
		 .iothread = 2,
		 .logical_block = 4096,
		 .physical_block = 4096},
		{.source = "/d/b2", .bus = VM_BUS_SCSI, .serial = "B2"},
		{.source = "/d/c", .bus = VM_BUS_IDE, .cache = "directsync"},
		{.source = "/d/d", .bus = VM_BUS_SATA, .io = "native"},
		{.source = "/d/e", .queues = 2, .iothread = 1},
	};
	struct vm_spec spec = plain;
	CLEANUP(cleanup_free) char *xml = NULL;
	CLEANUP(cleanup_free) char *back = NULL;

	(void)state;
	spec.disks = disks;
	spec.disk_count = sizeof(disks) / sizeof(*disks);
	spec.iothreads = 2;
	spec.channel = VM_CHANNEL_VIRTIO;
	xml = make_xml(&spec);
	back = through_libvirt(xml);
	assert_non_null(back);
	count_is(back, "<disk ", 6);
	/* A controller each, with its own queues and thread. */
	count_is(back, "model='virtio-scsi'", 2);
	count_is(back, "queues='3' iothread='2'", 1);
	count_is(back, "<address type='drive' controller='1' bus='0' target='0'", 1);
	count_is(back, "logical_block_size='4096'", 1);
	count_is(back, "type='block'", 1);
	count_is(back, "dev='sda' bus='scsi'", 1);
	count_is(back, "dev='sdb' bus='scsi'", 1);
	count_is(back, "dev='sdc' bus='sata'", 1);
	count_is(back, "dev='vdb' bus='virtio'", 1);
	count_is(back, "cache='directsync'", 1);
	count_is(back, "cache='none'", 5);
	count_is(back, "<readonly/>", 1);
	count_is(back, VM_RESULTS_PORT, 1);
	count_is(back, VM_OWNER_NAMESPACE, 1);
}

static void hostile_text_stays_text(void **state)
{
	struct vm_spec spec = plain;
	CLEANUP(cleanup_free) char *xml = NULL;
	CLEANUP(cleanup_free) char *back = NULL;

	(void)state;
	spec.cmdline = "a='1' b=\"2\" </cmdline><evil/> &amp; \xc3\xa9";
	spec.kernel = "/k/<&'\">/bzImage";
	spec.results_path = "/r/'/><evil/>";
	xml = make_xml(&spec);
	count_is(xml, "<evil/>", 0);
	back = through_libvirt(xml);
	assert_non_null(back);
	count_is(back, "<evil/>", 0);
	count_is(back, "&lt;/cmdline&gt;&lt;evil/&gt; &amp;amp; \xc3\xa9", 1);
}

static void what_cannot_be_carried_is_refused(void **state)
{
	static const char *const bad[] = {
		"a\nb",     "a\tb",         "\x01",     "\xff", "\xed\xa0\x80",
		"\xc0\x80", "\xef\xbf\xbf", "\xe2\x82", "\x7f", NULL};
	struct error err = {0};

	(void)state;
	for (size_t i = 0; bad[i]; i++) {
		err.kind = ERROR_NONE;
		assert_int_equal(xml_check("field", bad[i], &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
	assert_int_equal(xml_check("field", "\xf0\x9f\x90\xa7 ok", &err), 0);
}

struct wrong {
	struct vm_spec spec;
	const char *word; /* that the message names */
};

static void a_wrong_spec_is_named(void **state)
{
	static const struct vm_disk comma[] = {{.source = "/d",
						.bus = VM_BUS_NVME,
						.serial = "a",
						.cache = "none,file=x"}};
	static const struct vm_disk serial[] = {{.source = "/d", .serial = "a b"}};
	static const struct vm_disk relative[] = {{.source = "d"}};
	static const struct vm_disk ide[5] = {{.source = "/1", .bus = VM_BUS_IDE},
					      {.source = "/2", .bus = VM_BUS_IDE},
					      {.source = "/3", .bus = VM_BUS_IDE},
					      {.source = "/4", .bus = VM_BUS_IDE},
					      {.source = "/5", .bus = VM_BUS_IDE}};
	struct wrong wrongs[] = {
		{plain, "name"},          {plain, "name"},  {plain, "kernel"},
		{plain, "results"},       {plain, "cache"}, {plain, "serial"},
		{plain, "'d'"},           {plain, "ide"},   {plain, "vcpu"},
		{plain, "QEMU argument"},
	};
	static const char *const arguments[] = {"-x", "a\nb", NULL};

	(void)state;
	wrongs[0].spec.name = "a/b";
	wrongs[1].spec.name = "";
	wrongs[2].spec.kernel = "bzImage";
	wrongs[3].spec.results_path = NULL;
	wrongs[4].spec.disks = comma, wrongs[4].spec.disk_count = 1;
	wrongs[5].spec.disks = serial, wrongs[5].spec.disk_count = 1;
	wrongs[6].spec.disks = relative, wrongs[6].spec.disk_count = 1;
	wrongs[7].spec.disks = ide, wrongs[7].spec.disk_count = 5;
	wrongs[8].spec.icount.enabled = 1, wrongs[8].spec.vcpus = 2;
	wrongs[9].spec.qemu_arguments = arguments;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		CLEANUP(text_finish) struct text xml = {0};
		struct error err = {0};

		assert_int_equal(
			vm_domain_xml(&wrongs[i].spec, EMULATOR, &owner, &xml, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (!strstr(err.text, wrongs[i].word))
			fail_msg("%zu: '%s' does not name %s", i, err.text,
				 wrongs[i].word);
	}
}

static void an_exact_guest_is_pinned(void **state)
{
	struct vm_spec spec = plain;
	CLEANUP(cleanup_free) char *xml = NULL;

	(void)state;
	spec.icount = (struct vm_icount){
		.enabled = 1, .shift = 3, .seed = 99, .rtc_seconds = 1577836800};
	xml = make_xml(&spec);
	count_is(xml, "value='shift=3,sleep=off'", 1);
	count_is(xml, "value='99'", 1);
	count_is(xml, "start='1577836800'", 1);
	count_is(xml, "track='guest'", 1);
	count_is(xml, "value='-uuid'", 1);
}

static void nvme_goes_to_qemu_itself(void **state)
{
	static const struct vm_disk disk = {
		.source = "/d/a,b", .bus = VM_BUS_NVME, .serial = "N1"};
	struct vm_spec spec = plain;
	CLEANUP(cleanup_free) char *xml = NULL;

	(void)state;
	spec.disks = &disk;
	spec.disk_count = 1;
	xml = make_xml(&spec);
	count_is(xml, "<disk", 0);
	count_is(xml, "file=/d/a,,b", 1);
	count_is(xml, "serial=N1", 1);
}

static void a_plugin_is_loaded_by_qemu(void **state)
{
	static const struct vm_plugin plugin = {.file = "/p/a,b.so",
						.output = "/r/x,y.counts"};
	static const struct vm_plugin relative = {.file = "/p/a.so", .output = "counts"};
	struct vm_spec spec = plain;
	CLEANUP(cleanup_free) char *xml = NULL;
	CLEANUP(text_finish) struct text refused = {0};
	struct error err;

	(void)state;
	spec.plugin = &plugin;
	xml = make_xml(&spec);
	count_is(xml, "value='-plugin'", 1);
	count_is(xml, "value='/p/a,,b.so,out=/r/x,,y.counts'", 1);
	spec.accelerator = VM_KVM;
	assert_int_equal(vm_domain_xml(&spec, EMULATOR, &owner, &refused, &err), -1);
	assert_non_null(strstr(err.text, "TCG"));
	spec.accelerator = VM_TCG;
	spec.plugin = &relative;
	assert_int_equal(vm_domain_xml(&spec, EMULATOR, &owner, &refused, &err), -1);
	assert_non_null(strstr(err.text, "counts"));
}

static void the_owner_is_found_again(void **state)
{
	static const char *const bad[] = {
		"<domain/>",
		"<o xmlns='" VM_OWNER_NAMESPACE "'/> pid='1' start='2' boot='x'",
		"<o xmlns='" VM_OWNER_NAMESPACE "' pid='0' start='2' boot='x'/>",
		"<o xmlns='" VM_OWNER_NAMESPACE "' pid='-4' start='2' boot='x'/>",
		"<o xmlns='" VM_OWNER_NAMESPACE "' pid='4' start='x' boot='x'/>",
		"<o xmlns='" VM_OWNER_NAMESPACE "' pid='4' start='2' boot='x",
		"<o xmlns='" VM_OWNER_NAMESPACE "' pid='4'",
		NULL,
	};
	CLEANUP(cleanup_free) char *xml = make_xml(&plain);
	struct vm_owner found;

	(void)state;
	assert_int_equal(vm_owner_find(xml, &found), 0);
	assert_int_equal(found.pid, owner.pid);
	assert_int_equal(found.start, owner.start);
	assert_string_equal(found.boot_id, owner.boot_id);
	for (size_t i = 0; bad[i]; i++)
		assert_int_equal(vm_owner_find(bad[i], &found), -1);
}

static void the_dead_are_told_from_the_living(void **state)
{
	struct vm_owner self;
	struct error err = {0};

	(void)state;
	assert_int_equal(vm_owner_self(&self, &err), 0);
	assert_int_equal(self.pid, getpid());
	assert_true(vm_owner_alive(&self));
	self.start++;
	assert_false(vm_owner_alive(&self)); /* the pid was given again */
	self.start--;
	self.boot_id[0] = 'x';
	assert_false(vm_owner_alive(&self)); /* another boot of the host */
}

static void feed(struct console *console, const char *text, size_t step)
{
	size_t length = strlen(text);

	for (size_t at = 0; at < length; at += step)
		console_add(console, text + at, length - at < step ? length - at : step);
}

static void the_console_tells_of_trouble(void **state)
{
	static const char log[] = "[    0.1] Linux\r\n[    1.0] BUG: unable to handle\r\n"
				  "\x1b[31mred\x80\n"
				  "[    2.0] Kernel panic - not syncing: Oops\r\n\r\n"
				  "Rebooting";

	(void)state;
	for (size_t step = 1; step < 60; step++) {
		struct console console = {0};

		feed(&console, log, step);
		assert_true(console.panicked);
		assert_non_null(strstr(console.trouble, "Kernel panic"));
		assert_string_equal(console_last_line(&console), "Rebooting");
	}
}

static void a_hostile_console_stays_in_its_lines(void **state)
{
	struct console console = {0};
	char bytes[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7);
	for (int i = 0; i < 50; i++)
		console_add(&console, bytes, sizeof(bytes));
	memset(bytes, 'x', sizeof(bytes));
	console_add(&console, bytes, sizeof(bytes));
	for (const char *at = console_last_line(&console); *at; at++)
		assert_true(*at >= ' ' && *at <= '~');
	assert_true(strlen(console_last_line(&console)) < CONSOLE_LINE_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bare_guest_has_no_default_devices),
		cmocka_unit_test(libvirt_takes_the_domain),
		cmocka_unit_test(hostile_text_stays_text),
		cmocka_unit_test(what_cannot_be_carried_is_refused),
		cmocka_unit_test(a_wrong_spec_is_named),
		cmocka_unit_test(an_exact_guest_is_pinned),
		cmocka_unit_test(nvme_goes_to_qemu_itself),
		cmocka_unit_test(a_plugin_is_loaded_by_qemu),
		cmocka_unit_test(the_owner_is_found_again),
		cmocka_unit_test(the_dead_are_told_from_the_living),
		cmocka_unit_test(the_console_tells_of_trouble),
		cmocka_unit_test(a_hostile_console_stays_in_its_lines),
	};

	return cmocka_run_group_tests_name("vm domain", tests, NULL, NULL);
}
