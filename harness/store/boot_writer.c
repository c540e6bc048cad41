/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/memory.h"
#include "store/boots.h"
#include "store/numbers_private.h"
#include "store/statement_private.h"

#include <math.h>
#include <string.h>

/* Ids of labels that this boot has used so far: most samples repeat them. */
struct known_metric {
	const struct sample_record *sample;
	int64_t id;
};

struct writer {
	struct store *store;
	int64_t boot;
	const char *case_label; /* of the last sample */
	int64_t case_id;
	struct known_metric *metrics;
	size_t count, capacity;
};

static void writer_finish(struct writer *writer)
{
	free(writer->metrics);
}

static int find_case(struct writer *writer, const char *label, struct error *err)
{
	if (writer->case_label && !strcmp(writer->case_label, label))
		return 0;
	if (statement_intern(writer->store, "SELECT id FROM cases WHERE label = ?",
			     VALUES(value_text(label)),
			     "INSERT INTO cases(label) VALUES(?)",
			     VALUES(value_text(label)), &writer->case_id, err) < 0)
		return -1;
	writer->case_label = label;
	return 0;
}

static int same_metric(const struct sample_record *a, const struct sample_record *b)
{
	return !strcmp(a->metric, b->metric) && !strcmp(a->unit, b->unit) &&
	       !strcmp(a->better, b->better);
}

static int find_metric(struct writer *writer, const struct sample_record *sample,
		       int64_t *ret_id, struct error *err)
{
	for (size_t i = 0; i < writer->count; i++)
		if (same_metric(writer->metrics[i].sample, sample)) {
			*ret_id = writer->metrics[i].id;
			return 0;
		}
	if (statement_intern(
		    writer->store,
		    "SELECT id FROM metrics WHERE name = ? AND unit = ? AND better = ?",
		    VALUES(value_text(sample->metric), value_text(sample->unit),
			   value_text(sample->better)),
		    "INSERT INTO metrics(name, unit, better) VALUES(?, ?, ?)",
		    VALUES(value_text(sample->metric), value_text(sample->unit),
			   value_text(sample->better)),
		    ret_id, err) < 0)
		return -1;
	writer->metrics = memory_grow(writer->metrics, writer->count, &writer->capacity,
				      sizeof(*writer->metrics));
	writer->metrics[writer->count++] = (struct known_metric){sample, *ret_id};
	return 0;
}

static int add_sample(struct writer *writer, const struct sample_record *sample,
		      struct statement *insert, struct error *err)
{
	int64_t metric;

	if (!isfinite(sample->value))
		return error_set(err, ERROR_MEASUREMENT, "%s %s: not a finite number",
				 sample->case_label, sample->metric);
	if (find_case(writer, sample->case_label, err) < 0 ||
	    find_metric(writer, sample, &metric, err) < 0)
		return -1;
	return statement_repeat(
		insert,
		VALUES(value_integer(writer->boot), value_integer(writer->case_id),
		       value_integer(metric), value_double(sample->value)),
		err);
}

static int add_samples(struct writer *writer, const struct boot_record *boot,
		       struct error *err)
{
	CLEANUP(statement_finish) struct statement insert = {0};

	if (statement_prepare(&insert, writer->store,
			      "INSERT INTO samples(boot, case_id, metric, value)"
			      " VALUES(?, ?, ?, ?)",
			      NO_VALUES, err) < 0)
		return -1;
	for (size_t i = 0; i < boot->sample_count; i++)
		if (add_sample(writer, &boot->samples[i], &insert, err) < 0)
			return -1;
	return 0;
}

static int add_one_series(struct writer *writer, const struct series_record *series,
			  struct error *err)
{
	CLEANUP(text_finish) struct text points = {0};

	for (size_t i = 0; i < series->count; i++)
		if (!isfinite(series->values[i]))
			return error_set(err, ERROR_MEASUREMENT,
					 "%s %s[%zu]: not a finite number",
					 series->case_label, series->name, i);
	if (find_case(writer, series->case_label, err) < 0)
		return -1;
	numbers_write(&points, series->values, series->count);
	return statement_execute(
		writer->store,
		"INSERT INTO series(boot, case_id, name, run, unit, points)"
		" VALUES(?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(writer->boot), value_integer(writer->case_id),
		       value_text(series->name), value_integer(series->run),
		       value_string(series->unit), value_text(text_string(&points))),
		NULL, err);
}

static int add_remark(struct writer *writer, const struct remark_record *remark,
		      struct error *err)
{
	if (find_case(writer, remark->case_label, err) < 0)
		return -1;
	return statement_execute(
		writer->store,
		"INSERT INTO remarks(boot, case_id, run, word, start, length, size, text)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(writer->boot), value_integer(writer->case_id),
		       value_integer(remark->run), value_string(remark->word),
		       value_double(remark->start), value_double(remark->length),
		       value_double(remark->size), value_string(remark->text)),
		NULL, err);
}

static int add_setting(struct writer *writer, const struct setting_record *setting,
		       struct error *err)
{
	int64_t id;

	if (find_case(writer, setting->case_label, err) < 0 ||
	    statement_intern(
		    writer->store,
		    "SELECT id FROM disk_settings WHERE disk = ? AND name = ? AND "
		    "value = ?",
		    VALUES(value_text(setting->disk), value_text(setting->name),
			   value_text(setting->value)),
		    "INSERT INTO disk_settings(disk, name, value) VALUES(?, ?, ?)",
		    VALUES(value_text(setting->disk), value_text(setting->name),
			   value_text(setting->value)),
		    &id, err) < 0)
		return -1;
	/* What a guest says twice is said once. */
	return statement_execute(writer->store,
				 "INSERT OR IGNORE INTO boot_settings(boot, case_id, "
				 "setting) VALUES(?, ?, ?)",
				 VALUES(value_integer(writer->boot),
					value_integer(writer->case_id),
					value_integer(id)),
				 NULL, err);
}

static int add_evidence(struct writer *writer, const struct boot_record *boot,
			struct error *err)
{
	if (add_samples(writer, boot, err) < 0)
		return -1;
	for (size_t i = 0; i < boot->series_count; i++)
		if (add_one_series(writer, &boot->series[i], err) < 0)
			return -1;
	for (size_t i = 0; i < boot->remark_count; i++)
		if (add_remark(writer, &boot->remarks[i], err) < 0)
			return -1;
	for (size_t i = 0; i < boot->setting_count; i++)
		if (add_setting(writer, &boot->settings[i], err) < 0)
			return -1;
	return 0;
}

static int add_row(struct store *store, const struct boot_record *boot, int64_t *ret_id,
		   struct error *err)
{
	return statement_execute(
		store,
		"INSERT INTO boots(session, kernel, scenario, environment, version,"
		" purpose, label, outcome, detail, guest_release, build_id, console_path,"
		" seconds, started) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		VALUES(value_integer(boot->session), value_integer(boot->kernel),
		       value_integer(boot->scenario), value_integer(boot->environment),
		       value_id(boot->version),
		       value_string(boot->purpose ? boot->purpose : "measure"),
		       value_string(boot->label), value_string(boot->outcome),
		       value_string(boot->detail), value_string(boot->guest_release),
		       value_string(boot->build_id), value_string(boot->console_path),
		       value_double(boot->seconds), value_time(boot->started)),
		ret_id, err);
}

int store_add_boot(struct store *store, const struct boot_record *boot, int64_t *ret_id,
		   struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	CLEANUP(writer_finish) struct writer writer = {.store = store};

	if (transaction_begin(&transaction, store, err) < 0 ||
	    add_row(store, boot, &writer.boot, err) < 0 ||
	    add_evidence(&writer, boot, err) < 0 ||
	    transaction_commit(&transaction, err) < 0)
		return -1;
	*ret_id = writer.boot;
	return 0;
}
