/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/report_mail.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/process.h"
#include "report/mail.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAINTAINERS "scripts/get_maintainer.pl"

enum { SECONDS = 60, MOST_FILES = 100 };

/* " fs/ext4/fsync.c | +1 -1": what the commit touched and the tree still has. */
static void add_files(const char *tree, const char *changes, struct text_list *argv)
{
	size_t files = 0;

	for (size_t length; *changes && files < MOST_FILES;
	     changes += length + (changes[length] == '\n')) {
		const char *bar;
		CLEANUP(cleanup_free) char *name = NULL;
		CLEANUP(cleanup_free) char *path = NULL;

		length = strcspn(changes, "\n");
		bar = memmem(changes, length, " | ", 3);
		if (!bar || bar <= changes + 1 || !isalnum((unsigned char)changes[1]))
			continue;
		name = memory_copy_bytes(changes + 1, (size_t)(bar - changes - 1));
		path = file_join(tree, name);
		if (strstr(name, "..") || !file_exists(path))
			continue;
		text_list_add(argv, name);
		files++;
	}
}

/* Asks the tree's own script; a draft without its answer is still a draft. */
static void ask_maintainers(const char *tree, const struct commit_record *commit,
			    struct text *answer)
{
	CLEANUP(text_list_finish) struct text_list argv = {0};
	CLEANUP(cleanup_free) char *script = NULL;
	struct process_options options = {
		.folder = tree, .output = answer, .timeout_seconds = SECONDS};
	struct process_result result;
	struct error err = {0};
	size_t words;

	if (!tree || !commit)
		return;
	script = file_join(tree, MAINTAINERS);
	if (!file_exists(script))
		return;
	text_list_add(&argv, "perl");
	text_list_add(&argv, MAINTAINERS);
	text_list_add(&argv, "--no-git");
	text_list_add(&argv, "--no-git-fallback");
	text_list_add(&argv, "--no-rolestats");
	text_list_add(&argv, "-f");
	words = argv.count;
	add_files(tree, commit->changes, &argv);
	if (argv.count == words)
		return;
	options.argv = (const char *const *)argv.items;
	if (process_run(&options, &result, &err) < 0)
		log_warning("%s: %s", script, err.text);
	else if (result.end != PROCESS_EXITED || result.code)
		log_warning("%s failed; its recipients are missing", script);
	else
		return;
	text_clear(answer);
}

static int print_draft(const struct text *text, struct error *err)
{
	if (fwrite(text_string(text), 1, text->size, stdout) != text->size ||
	    fflush(stdout))
		return error_system(err, "standard output");
	return 0;
}

static int write_draft(const struct report_mail *mail, const struct mail_draft *draft,
		       struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};
	CLEANUP(cleanup_free) char *folder = file_join(mail->results, "mail");
	CLEANUP(cleanup_free)
	char *name = memory_format("finding-%lld.eml", (long long)draft->finding->id);
	CLEANUP(cleanup_free)
	char *path =
		mail->output ? memory_copy_string(mail->output) : file_join(folder, name);

	mail_write(draft, &text);
	if (mail->output && !strcmp(mail->output, "-"))
		return print_draft(&text, err);
	if ((!mail->output && file_make_folders(folder, err) < 0) ||
	    file_write(path, text.data, text.size, err) < 0)
		return -1;
	return printf("%s\n", path) < 0 ? error_system(err, "standard output") : 0;
}

static int is_wanted(const struct report_mail *mail, const struct report_finding *finding)
{
	if (mail->finding)
		return finding->id == mail->finding;
	return finding->id && finding->stage != REPORT_RECOVERED &&
	       finding->stage != REPORT_OVER;
}

static int write_one(const struct report_mail *mail, const struct report_section *section,
		     const struct report_finding *finding, struct error *err)
{
	CLEANUP(text_finish) struct text answer = {0};
	const struct report_search *search = finding->search;
	struct mail_draft draft = {.section = section, .finding = finding};

	ask_maintainers(mail->tree,
			search && search->culprit.count ? search->culprit.items : NULL,
			&answer);
	draft.maintainers = answer.size ? answer.data : NULL;
	return write_draft(mail, &draft, err);
}

static size_t count_wanted(const struct report_mail *mail)
{
	size_t count = 0;

	for (size_t i = 0; i < mail->model->section_count; i++)
		for (size_t j = 0; j < mail->model->sections[i].finding_count; j++)
			count += is_wanted(mail, &mail->model->sections[i].findings[j]) !=
				 0;
	return count;
}

static int check_wanted(const struct report_mail *mail, struct error *err)
{
	size_t count = count_wanted(mail);

	if (mail->finding && !count)
		return error_set(err, ERROR_USAGE,
				 "the report has no finding %lld to write about",
				 (long long)mail->finding);
	if (mail->output && count > 1)
		return error_set(err, ERROR_USAGE,
				 "%zu findings are open: --finding N says which one "
				 "goes to %s",
				 count, mail->output);
	if (!count)
		log_info("no finding is open: there is nothing to write");
	return 0;
}

int report_mail_write(const struct report_mail *mail, struct error *err)
{
	if (check_wanted(mail, err) < 0)
		return -1;
	for (size_t i = 0; i < mail->model->section_count; i++) {
		const struct report_section *section = &mail->model->sections[i];

		for (size_t j = 0; j < section->finding_count; j++)
			if (is_wanted(mail, &section->findings[j]) &&
			    write_one(mail, section, &section->findings[j], err) < 0)
				return -1;
	}
	return 0;
}
