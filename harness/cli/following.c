/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of filing.h that looks how open findings fare. */
#include "cli/filing.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "store/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How the cases of a finding stand in a later version, against its good end. */
struct fate {
	size_t bad, good, undecided;
	char sentence[COMPARISON_SENTENCE_SIZE]; /* of the worst case that is bad */
	double worst;
};

struct follower {
	struct workbench *workbench;
	const struct judge_options *options;
	const struct judgement *judgement;
};

static int is_case_of(const struct finding_record *finding,
		      const struct series_name *name)
{
	return finding_has_case(finding, name->scenario, name->case_label, name->metric);
}

static void count(const struct comparison *comparison, struct fate *fate)
{
	double change = fabs(comparison->change_percent);

	switch (comparison->verdict) {
	case VERDICT_REGRESSION:
		if (!fate->bad++ || change > fate->worst) {
			fate->worst = change;
			comparison_sentence(comparison, fate->sentence);
		}
		break;
	case VERDICT_SAME:
	case VERDICT_IMPROVEMENT:
		fate->good++;
		break;
	default:
		fate->undecided++;
	}
}

/* Cases without numbers in that version are undecided. */
static struct fate look(const struct follower *follower,
			const struct finding_record *finding, long place)
{
	const struct dataset *data = &follower->judgement->data;
	long good = dataset_find_version(data, finding->good);
	long version = dataset_find_version(data, follower->options->names[place]);
	CLEANUP(comparisons_finish) struct comparisons list = {0};
	struct fate fate = {0};

	if (good >= 0 && version >= 0)
		compare_pair(&data->measurements, (size_t)good, (size_t)version,
			     &follower->judgement->policy, &list);
	comparisons_settle(&list);
	for (size_t i = 0; i < list.count; i++)
		if (is_case_of(finding, &list.items[i].name))
			count(&list.items[i], &fate);
	if (fate.bad + fate.good + fate.undecided < finding->case_count)
		fate.undecided = finding->case_count - fate.bad - fate.good;
	return fate;
}

static int tell(const struct follower *follower, const struct finding_record *finding,
		const char *kind, long place, const char *text, struct error *err)
{
	const struct judge_options *options = follower->options;
	struct finding_event event = {
		.session = follower->workbench->session,
		.kind = kind,
		.version = options->names[place],
		.commit = options->commits ? options->commits[place] : "",
		.text = text,
	};

	/* Told in this session already: a night judges more than once. */
	for (size_t i = 0; i < finding->event_count; i++)
		if (finding->events[i].session == event.session &&
		    !strcmp(finding->events[i].kind, kind) &&
		    !strcmp(finding->events[i].version, event.version))
			return 0;
	return store_add_finding_event(follower->workbench->store, finding->id, &event,
				       err);
}

static int tell_open(const struct follower *follower,
		     const struct finding_record *finding, long place,
		     const struct fate *fate, struct error *err)
{
	CLEANUP(cleanup_free)
	char *text = memory_format("%zu of %zu: %s", fate->bad, finding->case_count,
				   fate->sentence);

	return tell(follower, finding, "still-open", place, text, err);
}

/* The first version from which on all cases are as before, back from the newest. */
static long find_recovery(const struct follower *follower,
			  const struct finding_record *finding, long bad, long newest)
{
	long recovered = newest;

	for (long place = newest - 1; place > bad; place--) {
		struct fate fate = look(follower, finding, place);

		if (fate.bad)
			break;
		if (!fate.undecided)
			recovered = place;
	}
	return recovered;
}

static int follow(const struct follower *follower, const struct finding_record *finding,
		  struct error *err)
{
	long newest = (long)follower->options->version_count - 1;
	long good = judge_place(follower->options, finding->good_version, NULL);
	long bad = judge_place(follower->options, finding->bad_version, NULL);
	struct fate fate;

	if (good < 0 || bad < 0 || newest <= bad)
		return 0;
	fate = look(follower, finding, newest);
	if (fate.bad)
		return tell_open(follower, finding, newest, &fate, err);
	if (fate.undecided)
		return 0;
	return tell(follower, finding, "recovered",
		    find_recovery(follower, finding, bad, newest), NULL, err);
}

int filing_follow(struct workbench *workbench, const struct judge_options *options,
		  const struct judgement *judgement, struct error *err)
{
	const struct follower follower = {workbench, options, judgement};
	CLEANUP(finding_list_finish) struct finding_list list = {0};

	if (store_load_findings(workbench->store, &list, err))
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (finding_standing(&list.items[i]) == FINDING_OPEN &&
		    !strcmp(list.items[i].lab, config_lab_names[workbench->lab_kind]) &&
		    follow(&follower, &list.items[i], err))
			return -1;
	return 0;
}
