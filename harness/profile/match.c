/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/match_private.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN_FILE "(file not known)"

void matches_finish(struct matches *matches)
{
	free(matches->items);
	*matches = (struct matches){0};
}

/* --- folding */

static const char *folder_of(const char *file, struct text_list *strings)
{
	const char *slash = strrchr(file, '/');
	CLEANUP(cleanup_free) char *folder = NULL;

	if (!slash)
		return file;
	folder = memory_copy_bytes(file, (size_t)(slash - file) + 1);
	return text_list_keep(strings, folder);
}

static int knows_files(const struct profile *profile)
{
	for (size_t i = 0; i < profile->count; i++)
		if (*profile->rows[i].file)
			return 1;
	return 0;
}

/* Where one side knows no files, names are all there is to compare by. */
static void forget_files(const struct profile *profile, struct profile *ret_plain)
{
	for (size_t i = 0; i < profile->count; i++)
		profile_add_row(ret_plain, profile->rows[i].name, "",
				profile->rows[i].instructions, profile->rows[i].calls);
	profile_settle(ret_plain);
	ret_plain->facts = profile->facts;
	ret_plain->runs = profile->runs;
}

/* The profile with each function under its file or folder. */
static void fold_profile(const struct profile *profile, enum difference_fold fold,
			 struct text_list *strings, struct profile *ret_folded)
{
	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_row *row = &profile->rows[i];
		const char *file = *row->file ? row->file : UNKNOWN_FILE;

		if (profile_kind_of(row->name) != PROFILE_FUNCTION)
			file = row->name;
		else if (fold == FOLD_FOLDER && *row->file)
			file = folder_of(row->file, strings);
		/* Calls of a file are nobody's. */
		profile_add_row(ret_folded, file, "", row->instructions, 0);
	}
	profile_settle(ret_folded);
}

/* --- matching */

static struct match *add(struct matches *matches)
{
	matches->items = memory_grow(matches->items, matches->count, &matches->capacity,
				     sizeof(*matches->items));
	matches->items[matches->count] = (struct match){0};
	return &matches->items[matches->count++];
}

static void take_a(struct match *match, const struct profile_row *row)
{
	if (!match->in_b) {
		match->name = row->name;
		match->file = row->file;
	}
	match->in_a = 1;
	match->a_instructions = row->instructions;
	match->a_calls = row->calls;
}

static void take_b(struct match *match, const struct profile_row *row)
{
	match->name = row->name;
	match->file = row->file;
	match->in_b = 1;
	match->b_instructions = row->instructions;
	match->b_calls = row->calls;
}

static int compare(const struct profile_row *a, const struct profile_row *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->file, b->file);
}

/* Both are sorted. */
static void match_equal(const struct profile *a, const struct profile *b,
			struct matches *matches)
{
	size_t i = 0, j = 0;

	while (i < a->count || j < b->count) {
		int order = i == a->count   ? 1
			    : j == b->count ? -1
					    : compare(&a->rows[i], &b->rows[j]);
		struct match *match = add(matches);

		if (order <= 0)
			take_a(match, &a->rows[i++]);
		if (order >= 0)
			take_b(match, &b->rows[j++]);
	}
}

/* gone is only in A, new only in B: one row. */
static void join(struct match *gone, struct match *new)
{
	if (strcmp(gone->name, new->name) != 0)
		new->before = gone->name;
	new->in_a = 1;
	new->a_instructions = gone->a_instructions;
	new->a_calls = gone->a_calls;
	gone->in_a = 0;
}

static int is_gone(const struct match *match)
{
	return match->in_a && !match->in_b;
}

static int is_new(const struct match *match)
{
	return match->in_b && !match->in_a;
}

/* Rows of one name follow each other. */
static void match_names(struct matches *matches)
{
	for (size_t i = 0; i < matches->count;) {
		const char *name = matches->items[i].name;
		struct match *gone = NULL, *new = NULL;
		int many = 0;

		for (; i < matches->count && !strcmp(matches->items[i].name, name); i++) {
			struct match *match = &matches->items[i];

			many |= (is_gone(match) && gone) || (is_new(match) && new);
			gone = is_gone(match) ? match : gone;
			new = is_new(match) ? match : new;
		}
		if (gone && new && !many)
			join(gone, new);
	}
}

struct rename {
	double a_operations, b_operations;
};

static int is_as_much(uint64_t a, uint64_t b, const struct rename *rename)
{
	return (double)a * rename->b_operations == (double)b * rename->a_operations;
}

/*
 * The same code under another name does exactly as much; what merely runs on one side
 * only hardly ever does.
 */
static struct match *find_new_name(struct matches *matches, const struct match *gone,
				   const struct rename *rename)
{
	for (size_t i = 0; gone->a_calls && i < matches->count; i++) {
		struct match *new = &matches->items[i];

		if (is_new(new) && !strcmp(new->file, gone->file) &&
		    is_as_much(gone->a_calls, new->b_calls, rename) &&
		    is_as_much(gone->a_instructions, new->b_instructions, rename))
			return new;
	}
	return NULL;
}

static void match_renamed(struct matches *matches, const struct rename *rename)
{
	for (size_t i = 0; i < matches->count; i++) {
		struct match *gone = &matches->items[i], *new;

		if (!is_gone(gone) || !*gone->file)
			continue;
		new = find_new_name(matches, gone, rename);
		if (new)
			join(gone, new);
	}
}

static void drop_joined(struct matches *matches)
{
	size_t kept = 0;

	for (size_t i = 0; i < matches->count; i++)
		if (matches->items[i].in_a || matches->items[i].in_b)
			matches->items[kept++] = matches->items[i];
	matches->count = kept;
}

static void match_functions(const struct profile *a, const struct profile *b,
			    struct matches *matches)
{
	const struct rename rename = {profile_operations(a), profile_operations(b)};

	match_equal(a, b, matches);
	match_names(matches);
	drop_joined(matches);
	match_renamed(matches, &rename);
	drop_joined(matches);
}

/* The folded profiles are ours and go. */
static void keep_names(struct matches *matches, struct text_list *strings)
{
	for (size_t i = 0; i < matches->count; i++) {
		matches->items[i].name = text_list_keep(strings, matches->items[i].name);
		matches->items[i].file = "";
	}
}

void matches_make(const struct profile *a, const struct profile *b,
		  enum difference_fold fold, struct text_list *strings,
		  struct matches *ret_matches)
{
	CLEANUP(profile_finish) struct profile a_folded = {0};
	CLEANUP(profile_finish) struct profile b_folded = {0};

	*ret_matches = (struct matches){0};
	if (fold == FOLD_FUNCTION && knows_files(a) && knows_files(b)) {
		match_functions(a, b, ret_matches);
		return;
	}
	if (fold == FOLD_FUNCTION) {
		forget_files(a, &a_folded);
		forget_files(b, &b_folded);
	} else {
		fold_profile(a, fold, strings, &a_folded);
		fold_profile(b, fold, strings, &b_folded);
	}
	match_functions(&a_folded, &b_folded, ret_matches);
	keep_names(ret_matches, strings);
}
