/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/explanation.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "report/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_CAUSES = 3 };

/* Less than this of a request or call an operation is not worth a word. */
#define LEAST_PER_OPERATION 0.05
/* Nor is less of the whole: of the time, or of a function's calls. */
#define LEAST_PART 0.001

/* Functions of which a call has a name that people know. */
static const struct {
	const char *function, *calls;
} known_calls[] = {
	{"jbd2_journal_commit_transaction", "commits of the journal"},
	{"page_cache_ra_unbounded", "readaheads"},
	{"ondemand_readahead", "readaheads"},
	{"blk_mq_submit_bio", "block I/Os submitted"},
	{"__schedule", "switches of the task"},
};

/* --- loading */

static int load_profile(struct store *store, int64_t id, struct profile *profile,
			double *ret_nanoseconds, struct error *err)
{
	CLEANUP(profile_list_finish) struct profile_list list = {0};
	const struct profile_record *record;

	if (store_load_profile(store, id, &list, err))
		return -1;
	record = &list.items[0];
	for (size_t i = 0; i < record->line_count; i++)
		profile_add_row(profile, record->lines[i].name, record->lines[i].file,
				(uint64_t)record->lines[i].instructions,
				(uint64_t)record->lines[i].calls);
	profile_settle(profile);
	profile->runs = (uint64_t)record->runs;
	profile->outside = (uint64_t)record->outside;
	profile->facts = (struct profile_facts){
		.operations = record->operations,
		.elapsed = record->elapsed,
		.read_requests = record->read_requests,
		.write_requests = record->write_requests,
		.flush_requests = record->flush_requests,
	};
	*ret_nanoseconds = record->nanoseconds;
	return 0;
}

static int has_code(const struct explanation_record *record,
		    const struct difference_row *row)
{
	for (size_t i = 0; i < record->changed_code_count; i++)
		if (!strcmp(record->changed_code[i].name, row->name) &&
		    !strcmp(record->changed_code[i].file, row->file))
			return 1;
	return 0;
}

static void mark_code(struct difference *difference,
		      const struct explanation_record *record)
{
	for (size_t i = 0; i < difference->count; i++)
		difference->rows[i].code_differs = has_code(record, &difference->rows[i]);
}

void explanation_put_causes_first(struct explanation *explanation)
{
	difference_put_causes_first(&explanation->functions);
}

int explanation_load(struct store *store, const struct explanation_record *record,
		     enum difference_fold fold, struct explanation *ret_explanation,
		     struct error *err)
{
	struct explanation loaded = {
		.scenario = memory_copy_string(record->scenario),
		.case_label = memory_copy_string(record->case_label),
		.a = memory_copy_string(record->a_text),
		.b = memory_copy_string(record->b_text),
		.fold = fold,
	};
	double nanoseconds;

	if (load_profile(store, record->a, &loaded.a_profile, &nanoseconds, err) ||
	    load_profile(store, record->b, &loaded.b_profile, &nanoseconds, err)) {
		explanation_finish(&loaded);
		return -1;
	}
	difference_make(&loaded.a_profile, &loaded.b_profile, FOLD_FUNCTION, nanoseconds,
			&loaded.functions);
	mark_code(&loaded.functions, record);
	explanation_put_causes_first(&loaded);
	if (fold != FOLD_FUNCTION)
		difference_make(&loaded.a_profile, &loaded.b_profile, fold, nanoseconds,
				&loaded.folded);
	*ret_explanation = loaded;
	return 0;
}

void explanation_finish(struct explanation *explanation)
{
	difference_finish(&explanation->functions);
	difference_finish(&explanation->folded);
	profile_finish(&explanation->a_profile);
	profile_finish(&explanation->b_profile);
	free(explanation->scenario);
	free(explanation->case_label);
	free(explanation->a);
	free(explanation->b);
	*explanation = (struct explanation){0};
}

const struct difference *explanation_shown(const struct explanation *explanation)
{
	return explanation->fold == FOLD_FUNCTION ? &explanation->functions
						  : &explanation->folded;
}

/* --- words */

static void add_grouped(struct text *out, double value)
{
	CLEANUP(text_finish) struct text digits = {0};

	text_format(&digits, "%.0f", value);
	for (size_t i = 0; i < digits.size; i++) {
		if (i && (digits.size - i) % 3 == 0)
			text_add_char(out, ',');
		text_add_char(out, digits.data[i]);
	}
}

void explanation_amount(double value, int with_sign, struct text *out)
{
	double size = fabs(value);

	if (isnan(value)) {
		text_add(out, "n/a");
		return;
	}
	if (size < 0.005) {
		text_add(out, "0");
		return;
	}
	if (value < 0)
		text_add_char(out, '-');
	else if (with_sign)
		text_add_char(out, '+');
	if (size < 100)
		text_format(out, "%.*f", size < 10 ? 2 : 1, size);
	else
		add_grouped(out, size);
}

/* Puts the parts of a sentence apart. */
static void next_part(const struct text *start, struct text *out)
{
	if (out->size > start->size)
		text_add(out, ", ");
}

static const char *name_of(const struct difference_row *row)
{
	static const char *const names[PROFILE_KINDS] = {
		[PROFILE_USER] = "user code",
		[PROFILE_IDLE] = "the idle loop",
		[PROFILE_UNKNOWN] = "kernel code without symbols",
	};

	return names[row->kind] ? names[row->kind] : row->name;
}

/* Whether a call that has a name is made more or less often; its line of the table. */
static int find_known_call(const struct difference *difference, size_t *ret_index,
			   double *ret_change)
{
	for (size_t i = 0; i < sizeof(known_calls) / sizeof(*known_calls); i++) {
		const struct difference_row *row =
			difference_find(difference, known_calls[i].function);
		double change = row ? row->b_calls - row->a_calls : 0;

		if (!row || fabs(change) < LEAST_PER_OPERATION ||
		    fabs(change) < 0.05 * fmax(row->a_calls, row->b_calls))
			continue;
		*ret_index = i;
		*ret_change = change;
		return 1;
	}
	return 0;
}

static void add_requests(double a, double b, const char *noun, const struct text *start,
			 struct text *out)
{
	double change = b - a;

	if (isnan(change) || fabs(change) < LEAST_PER_OPERATION)
		return;
	next_part(start, out);
	text_format(out, "%.1f %s %s", fabs(change), change > 0 ? "more" : "fewer", noun);
}

static void add_waiting(const struct difference *difference, const struct text *start,
			struct text *out)
{
	double change = difference->b.waiting - difference->a.waiting;

	if (isnan(change) || fabs(change) < LEAST_PART * difference->a.elapsed)
		return;
	next_part(start, out);
	format_value(out, fabs(change), "ns");
	text_add(out, change > 0 ? " more waiting" : " less waiting");
}

static void add_total(const struct difference *difference, const struct text *start,
		      struct text *out)
{
	double change = difference->b.executed - difference->a.executed;

	next_part(start, out);
	explanation_amount(change, 1, out);
	text_add(out, " instructions in all (");
	format_change(out, 100 * change / difference->a.executed);
	text_add_char(out, ')');
}

static void add_same(const struct difference *difference, struct text *out)
{
	text_add(out, "no function executed more or less: ");
	explanation_amount(difference->a.executed, 0, out);
	text_add(out, " instructions per operation on both sides");
}

/* Whatever the order of the rows. */
static const struct difference_row *find_largest(const struct difference *difference)
{
	const struct difference_row *largest = &difference->rows[0];

	for (size_t i = 1; i < difference->changed; i++)
		if (fabs(difference->rows[i].change) > fabs(largest->change))
			largest = &difference->rows[i];
	return largest;
}

/* What was changed comes before what that did. */
static void add_causes(const struct difference *difference, struct text *out)
{
	for (size_t i = 0; i < difference->causes && i < NAMED_CAUSES; i++)
		text_format(out, "%s%s", i ? ", " : "code of ", difference->rows[i].name);
	if (difference->causes > NAMED_CAUSES)
		text_format(out, " and %zu more", difference->causes - NAMED_CAUSES);
	if (difference->causes)
		text_add(out, " changed; ");
}

/* Neither path nor time moved so much that anybody would look for a reason. */
static int is_hardly_any(const struct difference *difference)
{
	const struct difference_side *a = &difference->a, *b = &difference->b;

	return fabs(b->executed - a->executed) < LEAST_PART * a->executed &&
	       !(fabs(b->elapsed - a->elapsed) >= LEAST_PART * a->elapsed);
}

void explanation_sentence(const struct explanation *explanation, struct text *out)
{
	const struct difference *difference = &explanation->functions;
	const struct difference_side *a = &difference->a, *b = &difference->b;
	struct text start; /* only its size counts */
	const struct difference_row *largest;
	double calls;
	size_t known;

	if (!difference->changed) {
		add_same(difference, out);
		return;
	}
	if (is_hardly_any(difference))
		text_add(out, "hardly any difference: ");
	add_causes(difference, out);
	if (find_known_call(difference, &known, &calls)) {
		explanation_amount(calls, 1, out);
		text_format(out, " %s per operation: ", known_calls[known].calls);
	} else {
		text_add(out, "per operation: ");
	}
	start = *out;
	largest = find_largest(difference);
	text_format(out, "%s ", name_of(largest));
	explanation_amount(largest->change, 1, out);
	text_add(out, " instructions");
	add_requests(a->read_requests, b->read_requests, "reads", &start, out);
	add_requests(a->write_requests, b->write_requests, "writes", &start, out);
	add_requests(a->flush_requests, b->flush_requests, "flushes", &start, out);
	add_waiting(difference, &start, out);
	add_total(difference, &start, out);
}
