/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From addresses to functions, and from two profiles to what differs. */
#include "base/cleanup.h"
#include "profile/count_format.h"
#include "profile/difference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BASE 0xffffffff81000000u

/* --- symbols */

static const char system_map[] = "0000000000000000 A fixed_percpu_data\n"
				 "ffffffff81000000 T _stext\n"
				 "ffffffff81000000 T _text\n"
				 "ffffffff81000000 T startup_64\n"
				 "ffffffff81000100 t init_once\n"
				 "ffffffff81000180 t __pfx_ext4_sync_file\n"
				 "ffffffff81000200 T ext4_sync_file\n"
				 "ffffffff81000300 t ext4_fsync_journal.isra.0\n"
				 "ffffffff81000380 t ext4_fsync_journal.isra.0.cold\n"
				 "ffffffff81000400 T __memcpy\n"
				 "ffffffff81000400 W memcpy\n"
				 "ffffffff81000500 t init_once\n"
				 "ffffffff81000580 T shmem_fill\n"
				 "ffffffff82000000 D jiffies\n"
				 "rubbish\n"
				 "ffffffff81000600\n"
				 "ffffffff81000600 T \n"
				 "ffffffff81000600 Tx name\n"
				 "ffffffff81000600 T bad\x01name\n"
				 "ffffffff81000600 T name with more\n";

static const char modules[] = "ffffffffc0000000 t xfs_fsync\t[xfs]\n"
			      "ffffffffc0000100 d xfs_data\t[xfs]";

static const char files[] =
	" before any file\n"
	"fs/ext4/inode.c\n init_once\n"
	"fs/ext4/fsync.c\n ext4_sync_file\n"
	" ext4_fsync_journal.isra.0\n ext4_fsync_journal.isra.0.cold\n"
	"arch/x86/lib/memcpy_64.S\n memcpy\n __memcpy\n"
	"mm/shmem.c\n init_once\n shmem_fill\n";

static void make_symbols(struct symbols *symbols)
{
	symbols_add(symbols, system_map, sizeof(system_map) - 1);
	symbols_add(symbols, modules, sizeof(modules) - 1);
	symbols_settle(symbols, files, sizeof(files) - 1);
}

static void is_at(const struct symbols *symbols, uint64_t address, const char *name,
		  const char *file)
{
	const struct symbol *symbol = symbols_find(symbols, address);

	if (!name) {
		assert_null(symbol);
		return;
	}
	assert_non_null(symbol);
	assert_string_equal(symbol->name, name);
	assert_string_equal(symbol->file, file);
}

static void addresses_have_functions(void **state)
{
	CLEANUP(symbols_finish) struct symbols symbols = {0};

	(void)state;
	make_symbols(&symbols);
	assert_int_equal(symbols.count, 9);
	is_at(&symbols, BASE - 1, NULL, NULL);
	is_at(&symbols, BASE, "startup_64", "");
	is_at(&symbols, BASE + 0x200, "ext4_sync_file", "fs/ext4/fsync.c");
	is_at(&symbols, BASE + 0x2ff, "ext4_sync_file", "fs/ext4/fsync.c");
	is_at(&symbols, BASE + 0x300, "ext4_fsync_journal", "fs/ext4/fsync.c");
	is_at(&symbols, BASE + 0x380, "ext4_fsync_journal", "fs/ext4/fsync.c");
	assert_false(symbols_find(&symbols, BASE + 0x300)->is_part);
	assert_true(symbols_find(&symbols, BASE + 0x380)->is_part);
	is_at(&symbols, BASE + 0x400, "memcpy", "arch/x86/lib/memcpy_64.S");
	is_at(&symbols, 0xffffffffc0000010, "xfs_fsync", "[xfs]");
	is_at(&symbols, 0xffffffffc0000000 - 1, NULL, NULL);
	is_at(&symbols, UINT64_MAX, NULL, NULL);
}

/* Two files have an init_once: the neighbour in the image tells which is which. */
static void equal_names_are_told_apart(void **state)
{
	CLEANUP(symbols_finish) struct symbols symbols = {0};

	(void)state;
	make_symbols(&symbols);
	is_at(&symbols, BASE + 0x500, "init_once", "mm/shmem.c");
	is_at(&symbols, BASE + 0x100, "init_once", "");
}

static void without_symbols_nothing_is_known(void **state)
{
	CLEANUP(symbols_finish) struct symbols symbols = {0};

	(void)state;
	symbols_add(&symbols, NULL, 0);
	symbols_add(&symbols, "0000000000000000 T hidden\n", 26);
	symbols_settle(&symbols, NULL, 0);
	assert_int_equal(symbols.count, 0);
	is_at(&symbols, BASE, NULL, NULL);
}

static void random_texts_do_no_harm(void **state)
{
	static const char letters[] = "ffff8 81T tw\n\t[].\xff\x01"
				      "0aZ";
	uint32_t random = 7;
	char text[400];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		CLEANUP(symbols_finish) struct symbols symbols = {0};

		for (size_t at = 0; at < sizeof(text); at++) {
			random = random * 1664525 + 1013904223;
			text[at] = letters[(random >> 16) % (sizeof(letters) - 1)];
		}
		symbols_add(&symbols, text, sizeof(text));
		symbols_settle(&symbols, text, random % sizeof(text));
		symbols_find(&symbols, BASE);
	}
}

/* --- profiles */

static void blocks_become_functions(void **state)
{
	struct counted_block blocks[] = {
		{BASE - 0x10, 5, 1},        {BASE + 0x200, 10, 3}, {BASE + 0x200, 4, 1},
		{BASE + 0x220, 7, 6},       {BASE + 0x300, 1, 2},  {BASE + 0x380, 9, 2},
		{0xffffffffc0000000, 2, 8},
	};
	struct counted_run run = {.outside = 77,
				  .user = 40,
				  .kernel = 5 + 34 + 42 + 2 + 18 + 16,
				  .blocks = blocks,
				  .count = sizeof(blocks) / sizeof(*blocks)};
	CLEANUP(symbols_finish) struct symbols symbols = {0};
	CLEANUP(profile_finish) struct profile profile = {0};

	(void)state;
	make_symbols(&symbols);
	profile_add_run(&profile, &run, &symbols);
	profile_add_run(&profile, &run, &symbols);
	profile_settle(&profile);
	assert_int_equal(profile.count, 5);
	assert_string_equal(profile.rows[0].name, "[unknown]");
	assert_int_equal(profile.rows[0].instructions, 10);
	assert_string_equal(profile.rows[1].name, "[user]");
	assert_int_equal(profile.rows[1].instructions, 80);
	assert_string_equal(profile.rows[2].name, "ext4_fsync_journal");
	assert_int_equal(profile.rows[2].instructions, 40);
	assert_int_equal(profile.rows[2].calls, 4);
	assert_string_equal(profile.rows[3].name, "ext4_sync_file");
	assert_int_equal(profile.rows[3].instructions, 152);
	assert_int_equal(profile.rows[3].calls, 8);
	assert_string_equal(profile.rows[4].file, "[xfs]");
	assert_int_equal(profile.runs, 2);
	assert_int_equal(profile.outside, 154);
	assert_int_equal(profile_executed(&profile), 2 * (run.kernel + run.user));
}

static void the_idle_loop_is_one_row(void **state)
{
	static const char map[] = "ffffffff81000000 t do_idle\n"
				  "ffffffff81000100 t tick_nohz_idle_enter\n"
				  "ffffffff81000200 T schedule\n";
	struct counted_block blocks[] = {
		{BASE, 1, 10}, {BASE + 0x100, 1, 20}, {BASE + 0x200, 1, 30}};
	struct counted_run run = {.kernel = 60, .blocks = blocks, .count = 3};
	CLEANUP(symbols_finish) struct symbols symbols = {0};
	CLEANUP(profile_finish) struct profile profile = {0};

	(void)state;
	symbols_add(&symbols, map, sizeof(map) - 1);
	symbols_settle(&symbols, NULL, 0);
	profile_add_run(&profile, &run, &symbols);
	profile_settle(&profile);
	assert_int_equal(profile.count, 2);
	assert_string_equal(profile.rows[0].name, "[idle]");
	assert_int_equal(profile_executed_by(&profile, PROFILE_IDLE), 30);
	assert_int_equal(profile_executed_by(&profile, PROFILE_FUNCTION), 30);
}

/* --- differences */

struct row {
	const char *name, *file;
	uint64_t instructions, calls;
};

static void fill(struct profile *profile, double operations, const struct row *rows)
{
	for (; rows->name; rows++)
		profile_add_row(profile, rows->name, rows->file, rows->instructions,
				rows->calls);
	profile->runs = 1;
	profile->facts = (struct profile_facts){operations, 1e6, 0, operations, NAN};
	profile_settle(profile);
}

static const struct row *const sides[][2] = {
	{
		(const struct row[]){
			{"sync", "a.c", 1000, 10}, {"[user]", "", 50, 0}, {0}},
		(const struct row[]){
			{"sync", "a.c", 1000, 10}, {"[user]", "", 50, 0}, {0}},
	},
	{
		(const struct row[]){{"sync", "a.c", 1000, 10},
				     {"old", "a.c", 300, 10},
				     {"moved", "a.c", 70, 1},
				     {"inlined", "b.c", 500, 20},
				     {"outer", "b.c", 100, 10},
				     {"init", "x.c", 1, 1},
				     {"init", "y.c", 2, 1},
				     {0}},
		(const struct row[]){{"sync", "a.c", 3000, 20},
				     {"new", "a.c", 300, 10},
				     {"moved", "c.c", 70, 1},
				     {"outer", "b.c", 580, 10},
				     {"init", "y.c", 2, 1},
				     {"init", "z.c", 1, 1},
				     {"fresh", "d.c", 40, 5},
				     {0}},
	},
};

static const struct difference_row *row_of(const struct difference *difference,
					   const char *name, double change,
					   enum difference_state wanted)
{
	const struct difference_row *row = difference_find(difference, name);

	assert_non_null(row);
	if (fabs(row->change - change) > 1e-12 || row->state != wanted)
		fail_msg("%s: %g, %s", name, row->change,
			 difference_state_name(row->state));
	return row;
}

static void equal_profiles_do_not_differ(void **state)
{
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};

	(void)state;
	fill(&a, 10, sides[0][0]);
	fill(&b, 10, sides[0][1]);
	difference_make(&a, &b, FOLD_FUNCTION, 1, &difference);
	assert_int_equal(difference.changed, 0);
	assert_int_equal(difference.count, 2);
	assert_int_equal(difference.move_count, 0);
	assert_true(difference.a.executed == 105);
	assert_true(difference.a.user == 5);
	assert_true(difference.a.elapsed == 1e5);
	assert_true(difference.a.waiting == 1e5 - 105);
	assert_true(difference.a.write_requests == 1);
	assert_true(isnan(difference.a.flush_requests));
}

static void functions_are_matched(void **state)
{
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};
	const struct difference_row *row;

	(void)state;
	fill(&a, 10, sides[1][0]);
	fill(&b, 10, sides[1][1]);
	difference_make(&a, &b, FOLD_FUNCTION, 1, &difference);
	row = row_of(&difference, "sync", 200, DIFFERENCE_CHANGED);
	assert_ptr_equal(row, &difference.rows[0]);
	assert_true(row->a_calls == 1 && row->b_calls == 2);
	row = row_of(&difference, "new", 0, DIFFERENCE_SAME);
	assert_string_equal(row->before, "old");
	assert_null(difference_find(&difference, "old"));
	row = row_of(&difference, "moved", 0, DIFFERENCE_SAME);
	assert_string_equal(row->file, "c.c");
	assert_null(row->before);
	row_of(&difference, "inlined", -50, DIFFERENCE_GONE);
	row_of(&difference, "outer", 48, DIFFERENCE_CHANGED);
	row_of(&difference, "fresh", 4, DIFFERENCE_NEW);
	assert_int_equal(difference.changed, 4);
	/* The two init(): y.c stays, x.c was renamed z.c. */
	row_of(&difference, "init", 0, DIFFERENCE_SAME);
	assert_int_equal(difference.count, 8);
	assert_int_equal(difference.move_count, 2);
	assert_string_equal(difference.moves[0].file, "d.c");
	assert_string_equal(difference.moves[1].file, "b.c");
	assert_int_equal(difference.moves[1].gone, 1);
	assert_true(fabs(difference.moves[1].change + 2) < 1e-12);
}

static void files_fold_moves_away(void **state)
{
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};

	(void)state;
	fill(&a, 10, sides[1][0]);
	fill(&b, 10, sides[1][1]);
	difference_make(&a, &b, FOLD_FILE, 1, &difference);
	row_of(&difference, "b.c", -2, DIFFERENCE_CHANGED);
	row_of(&difference, "a.c", 193, DIFFERENCE_CHANGED);
	row_of(&difference, "d.c", 4, DIFFERENCE_NEW);
}

static void folders_fold_files(void **state)
{
	static const struct row before[] = {{"f", "fs/ext4/a.c", 10, 1},
					    {"g", "fs/ext4/b.c", 20, 1},
					    {"h", "", 5, 1},
					    {"[user]", "", 9, 0},
					    {0}};
	static const struct row after[] = {{"f", "fs/ext4/a.c", 20, 1},
					   {"g", "fs/ext4/b.c", 10, 1},
					   {"h", "", 6, 1},
					   {"[user]", "", 9, 0},
					   {0}};
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};

	(void)state;
	fill(&a, 1, before);
	fill(&b, 1, after);
	difference_make(&a, &b, FOLD_FOLDER, 1, &difference);
	assert_int_equal(difference.count, 3);
	row_of(&difference, "fs/ext4/", 0, DIFFERENCE_SAME);
	row_of(&difference, "(file not known)", 1, DIFFERENCE_CHANGED);
	assert_int_equal(row_of(&difference, "[user]", 0, DIFFERENCE_SAME)->kind,
			 PROFILE_USER);
}

/* One kernel with a list of files, one without: names must do. */
static void a_side_without_files(void **state)
{
	static const struct row with[] = {
		{"init", "x.c", 1, 1}, {"init", "y.c", 2, 1}, {"f", "f.c", 7, 1}, {0}};
	static const struct row without[] = {{"init", "", 3, 2}, {"f", "", 8, 1}, {0}};
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};

	(void)state;
	fill(&a, 1, with);
	fill(&b, 1, without);
	difference_make(&a, &b, FOLD_FUNCTION, 1, &difference);
	assert_int_equal(difference.count, 2);
	row_of(&difference, "f", 1, DIFFERENCE_CHANGED);
	row_of(&difference, "init", 0, DIFFERENCE_SAME);
}

static void different_numbers_of_operations(void **state)
{
	static const struct row thrice[] = {
		{"f", "f.c", 300, 3}, {"g", "g.c", 1, 1}, {0}};
	static const struct row once[] = {{"f", "f.c", 100, 1}, {"g", "g.c", 1, 1}, {0}};
	CLEANUP(profile_finish) struct profile a = {0};
	CLEANUP(profile_finish) struct profile b = {0};
	CLEANUP(difference_finish) struct difference difference = {0};

	(void)state;
	fill(&a, 3, thrice);
	fill(&b, 1, once);
	difference_make(&a, &b, FOLD_FUNCTION, 1, &difference);
	row_of(&difference, "f", 0, DIFFERENCE_SAME);
	assert_true(difference.rows[0].change > 0.66);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_have_functions),
		cmocka_unit_test(equal_names_are_told_apart),
		cmocka_unit_test(without_symbols_nothing_is_known),
		cmocka_unit_test(random_texts_do_no_harm),
		cmocka_unit_test(blocks_become_functions),
		cmocka_unit_test(the_idle_loop_is_one_row),
		cmocka_unit_test(equal_profiles_do_not_differ),
		cmocka_unit_test(functions_are_matched),
		cmocka_unit_test(files_fold_moves_away),
		cmocka_unit_test(folders_fold_files),
		cmocka_unit_test(a_side_without_files),
		cmocka_unit_test(different_numbers_of_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
