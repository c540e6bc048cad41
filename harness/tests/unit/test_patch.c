/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bisect/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FILE_HEAD(name)                                                                  \
	"diff --git a/" name " b/" name "\n--- a/" name "\n+++ b/" name "\n"
#define HUNK "@@ -1,3 +1,3 @@ int f(void)\n"

static void comments_are_told_from_code(void **state)
{
	static const struct {
		const char *patch;
		int comment;
	} cases[] = {
		{FILE_HEAD("fs/a.c") HUNK " int a;\n-\t/* old */\n+\t/* new */\n", 1},
		{FILE_HEAD("fs/a.c") HUNK "- * old words\n+ * new words, more\n+ */\n",
		 1},
		{FILE_HEAD("fs/a.h") HUNK "+// word\n+\n", 1},
		{FILE_HEAD("fs/a.c") HUNK "+int a; /* new */\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+/* a */ int b;\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+/* a */ int b; /* c */\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+\t*p = 3;\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+\t* count = 3;\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+ */ return 0;\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+#define A 1\n", 0},
		{FILE_HEAD("fs/Makefile") HUNK "+// no\n", 0},
		{FILE_HEAD("fs/a.c") HUNK "+// word\n" FILE_HEAD("fs/Kconfig") HUNK
		 "+config A\n",
		 0},
		{FILE_HEAD("fs/a.c") HUNK " int a;\n", 0},
		{"diff --git a/x b/x\nBinary files a/x and b/x differ\n", 0},
		{"", 0},
		{"garbage", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (patch_is_comment(cases[i].patch) != cases[i].comment)
			fail_msg("case %zu:\n%s", i, cases[i].patch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_are_told_from_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
