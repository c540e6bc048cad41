/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/findings.h"
#include "base/cleanup.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/finding_print.h"
#include "cli/results.h"
#include "cli/setup.h"
#include "store/sessions.h"

#include <stdio.h>
#include <string.h>

enum { KEY_ALL = 0x2000 };

struct arguments {
	struct context *context;
	const char *words[3]; /* verb, number, reason */
	int count, all;
	int argc;
	char **argv;
};

static const struct argp_option options[] = {
	{"all", KEY_ALL, NULL, 0, "List those that are over, too", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case KEY_ALL:
		arguments->all = 1;
		return 0;
	case ARGP_KEY_ARG:
		if (arguments->count == 3)
			argp_error(state, "one argument too many: '%s'", arg);
		arguments->words[arguments->count++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"[list]\nshow N\nack N REASON\nsuppress N REASON\nreopen N [REASON]",
	"The regressions that were found, and what became of them."
	"\vack accepts a change: the new level is the baseline from there on. suppress "
	"says that it was expected: it is not followed, and what is seen of it again is "
	"no alarm. reopen takes either back. Exit code 0, whatever is open.",
};

struct work {
	const struct arguments *arguments;
	struct store *store;
	struct finding_list list;
	const struct finding_record *finding; /* the one named; NULL: none was */
};

static int list(struct work *work, struct error *err)
{
	CLEANUP(text_finish) struct text out = {0};
	int json = work->arguments->context->json;
	size_t over = 0;

	(void)err;
	text_add(&out, json ? "{\"findings\":[" : "");
	for (size_t i = 0; i < work->list.count; i++) {
		const struct finding_record *finding = &work->list.items[i];

		if (finding_standing(finding) != FINDING_OPEN && !work->arguments->all) {
			over++;
			continue;
		}
		if (json)
			finding_add_json(finding, &out);
		else
			finding_add_line(finding, &out);
	}
	if (json) {
		text_add(&out, "]}");
		puts(text_string(&out));
		return 0;
	}
	fputs(text_string(&out), stdout);
	if (over == work->list.count)
		puts("no regression is open");
	if (over)
		printf("%zu more %s over (--all)\n", over, over == 1 ? "is" : "are");
	return 0;
}

static int show(struct work *work, struct error *err)
{
	CLEANUP(text_finish) struct text out = {0};

	(void)err;
	if (work->arguments->context->json) {
		finding_add_json(work->finding, &out);
		puts(text_string(&out));
		return 0;
	}
	finding_add_all(work->store, work->finding, &out);
	fputs(text_string(&out), stdout);
	return 0;
}

static int store_event(struct work *work, const char *kind, struct error *err)
{
	const struct arguments *arguments = work->arguments;
	CLEANUP(cleanup_free)
	char *command = setup_command_line(arguments->argc, arguments->argv);
	struct session_record session = {
		.command = command, .lab = "", .program = KREGRESS_VERSION};
	struct finding_event event = {.kind = kind, .text = arguments->words[2]};

	if (store_begin(work->store, err))
		return -1;
	if (store_add_session(work->store, &session, &event.session, err) ||
	    store_add_finding_event(work->store, work->finding->id, &event, err) ||
	    store_end_session(work->store, event.session, 0, NULL, err)) {
		store_rollback(work->store);
		return -1;
	}
	return store_commit(work->store, err);
}

/* Says what has become of it. */
static int decide(struct work *work, const char *kind, struct error *err)
{
	int64_t id = work->finding->id;

	if (store_event(work, kind, err))
		return -1;
	finding_list_finish(&work->list);
	if (store_load_findings(work->store, &work->list, err))
		return -1;
	for (size_t i = 0; i < work->list.count; i++)
		if (work->list.items[i].id == id)
			work->finding = &work->list.items[i];
	return show(work, err);
}

static int acknowledge(struct work *work, struct error *err)
{
	return decide(work, "acknowledged", err);
}

static int suppress(struct work *work, struct error *err)
{
	return decide(work, "suppressed", err);
}

static int reopen(struct work *work, struct error *err)
{
	if (finding_standing(work->finding) == FINDING_OPEN)
		return error_set(err, ERROR_USAGE, "finding %lld is open already",
				 (long long)work->finding->id);
	return decide(work, "reopened", err);
}

static const struct verb {
	const char *name;
	int (*run)(struct work *work, struct error *err);
	int least, most; /* words behind the verb */
	enum store_mode mode;
} verbs[] = {
	{"list", list, 0, 0, STORE_READ_ONLY},
	{"show", show, 1, 1, STORE_READ_ONLY},
	{"ack", acknowledge, 2, 2, STORE_READ_WRITE},
	{"suppress", suppress, 2, 2, STORE_READ_WRITE},
	{"reopen", reopen, 1, 2, STORE_READ_WRITE},
};

static const struct verb *choose(const struct arguments *arguments, struct error *err)
{
	const char *name = arguments->count ? arguments->words[0] : "list";
	int given = arguments->count ? arguments->count - 1 : 0;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, name) != 0)
			continue;
		if (given >= verbs[i].least && given <= verbs[i].most)
			return &verbs[i];
		error_set(err, ERROR_USAGE, "findings %s%s%s", name,
			  verbs[i].most ? " needs the number of a finding"
					: " takes nothing",
			  verbs[i].least > 1 ? " and a reason in one word or in quotes"
					     : "");
		return NULL;
	}
	error_set(err, ERROR_USAGE,
		  "findings '%s'? one of list, show, ack, suppress, reopen", name);
	return NULL;
}

static int find_finding(struct work *work, struct error *err)
{
	const char *word = work->arguments->words[1];
	int64_t id;

	if (!word)
		return 0;
	if (number_parse_signed(word, &id))
		return error_set(err, ERROR_USAGE, "'%s' is no number of a finding",
				 word);
	for (size_t i = 0; i < work->list.count; i++)
		if (work->list.items[i].id == id)
			work->finding = &work->list.items[i];
	return work->finding ? 0
			     : error_set(err, ERROR_USAGE,
					 "there is no finding %s; \"kregress findings "
					 "--all\" lists them",
					 word);
}

static void finish_work(struct work *work)
{
	finding_list_finish(&work->list);
	store_close(work->store);
}

static int run(struct context *context, int argc, char **argv, struct error *err)
{
	struct arguments arguments = {.context = context, .argc = argc, .argv = argv};
	CLEANUP(finish_work) struct work work = {.arguments = &arguments};
	CLEANUP(cleanup_free) char *folder = NULL;
	const struct verb *verb;

	command_parse(&argp, argc, argv, &arguments);
	verb = choose(&arguments, err);
	if (!verb || results_folder(context, &folder, err) ||
	    results_open_mode(folder, verb->mode, &work.store, err) ||
	    store_load_findings(work.store, &work.list, err) || find_finding(&work, err))
		return -1;
	return verb->run(&work, err);
}

const struct command findings_command = {
	.name = "findings",
	.summary = "List, show, acknowledge or suppress the regressions that were found",
	.run = run,
};
