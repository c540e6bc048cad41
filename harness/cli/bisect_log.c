/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/bisect_log.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_LOG = 1 << 22 };

static const char *const words[] = {[SEARCH_MARK_GOOD] = "good",
				    [SEARCH_MARK_BAD] = "bad",
				    [SEARCH_MARK_SKIP] = "skip"};

void bisect_log_finish(struct bisect_log *log)
{
	free(log->good);
	free(log->bad);
	text_list_finish(&log->marks);
	*log = (struct bisect_log){0};
}

/* "'word'" as git quotes it, in place. */
static char *unquote(char *word)
{
	size_t length = strlen(word);

	if (length < 2 || word[0] != '\'' || word[length - 1] != '\'')
		return word;
	word[length - 1] = '\0';
	return word + 1;
}

static void add_mark(struct bisect_log *log, enum search_mark mark, const char *name)
{
	char **end = mark == SEARCH_MARK_GOOD  ? &log->good
		     : mark == SEARCH_MARK_BAD ? &log->bad
					       : NULL;

	if (end && !*end)
		*end = memory_copy_string(name);
	else
		text_list_format(&log->marks, "%s %s", words[mark], name);
}

/* "git bisect start [--] BAD GOOD..." */
static void read_start(struct bisect_log *log, char *rest)
{
	enum search_mark mark = SEARCH_MARK_BAD;
	char *word;

	while ((word = strsep(&rest, " "))) {
		word = unquote(word);
		if (!strcmp(word, "--"))
			return; /* paths follow */
		if (!*word || word[0] == '-')
			continue;
		add_mark(log, mark, word);
		mark = SEARCH_MARK_GOOD;
	}
}

static int read_line(struct bisect_log *log, char *line)
{
	static const char prefix[] = "git bisect ";
	char *verb;

	if (!*line || line[0] == '#')
		return 0;
	if (strncmp(line, prefix, sizeof(prefix) - 1))
		return -1;
	line += sizeof(prefix) - 1;
	verb = strsep(&line, " ");
	if (!line)
		return strcmp(verb, "start") ? -1 : 0;
	if (!strcmp(verb, "start")) {
		read_start(log, line);
		return 0;
	}
	for (int mark = 0; mark < 3; mark++) {
		char *name;

		if (strcmp(verb, words[mark]))
			continue;
		while ((name = strsep(&line, " ")))
			add_mark(log, (enum search_mark)mark, unquote(name));
		return 0;
	}
	return -1;
}

int bisect_log_read(const char *path, struct bisect_log *ret_log, struct error *err)
{
	CLEANUP(bisect_log_finish) struct bisect_log log = {0};
	CLEANUP(text_finish) struct text text = {0};
	char *rest, *line;
	int number = 0;

	if (file_read(path, LARGEST_LOG, &text, err))
		return error_change_kind(err, ERROR_USAGE);
	rest = text.data;
	while (rest && (line = strsep(&rest, "\n"))) {
		number++;
		if (read_line(&log, line))
			return error_set(err, ERROR_USAGE,
					 "%s:%d: not a line of git bisect log", path,
					 number);
	}
	*ret_log = log;
	log = (struct bisect_log){0};
	return 0;
}

int bisect_log_marks(const struct bisect_log *log, struct repository *repository,
		     struct search_marks *ret_marks, struct error *err)
{
	for (size_t i = 0; i < log->marks.count; i++) {
		const char *item = log->marks.items[i];
		const char *name = strchr(item, ' ') + 1;
		struct commit_id id;
		int mark = 0;

		while (strncmp(item, words[mark], strlen(words[mark])))
			mark++;
		if (repository_resolve(repository, name, &id, err))
			return error_prefix(err, "mark '%s'", item);
		search_marks_add(ret_marks, &id, (enum search_mark)mark);
	}
	return 0;
}

static void write_mark(struct text *text, const struct search_run *run, uint32_t node,
		       int bad)
{
	const char *hex = run->graph.ids[node].hex;
	double odds = search_log_odds(run->search, node);

	if (!search_values(run->search, node)) {
		if (!bad && search_skipped(run->search, node))
			text_format(text, "git bisect skip %s\n", hex);
	} else if ((odds > 0) == bad) {
		text_format(text, "# log odds of bad: %.1f\ngit bisect %s %s\n", odds,
			    bad ? "bad" : "good", hex);
	}
}

void bisect_log_text(const struct search_run *run, struct text *text)
{
	const struct graph *graph = &run->graph;

	text_format(text, "git bisect start\ngit bisect bad %s\ngit bisect good %s\n",
		    graph->ids[graph->bad].hex, graph->ids[graph->good].hex);
	for (uint32_t i = 0; i < graph->bad; i++)
		write_mark(text, run, i, 0);
	/* git keeps the last bad mark alone: the oldest commit has to be the last. */
	for (uint32_t i = graph->bad; i-- > 0;)
		write_mark(text, run, i, 1);
}

int bisect_log_write(const char *path, const struct search_run *run, struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};

	bisect_log_text(run, &text);
	return file_write(path, text_string(&text), text.size, err);
}
