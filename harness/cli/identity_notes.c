/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/identity_notes.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/memory.h"
#include "measure/identity.h"
#include "measure/rows.h"
#include "store/sessions.h"

/* An odd boot, or no two that agree, is worth a line in every report. */
static int note_identity(struct workbench *bench, const struct measurement *measurement,
			 struct error *err)
{
	int holds = identity_holds(&measurement->found);
	CLEANUP(cleanup_free) char *first = NULL;
	CLEANUP(cleanup_free) char *text = NULL;
	struct note_record note = {
		.session = bench->session,
		.kind = holds ? "odd-boot" : "identity-failed",
		.version = measurement->subject->name,
		.scenario = measurement->scenario->name,
	};
	size_t odd, other;

	identity_agreeing(&measurement->found, &odd);
	if (odd == measurement->found.count)
		return 0;
	other = odd ? 0 : 1;
	rows_same_samples(&measurement->found.items[other],
			  &measurement->found.items[odd], &first);
	text = memory_format(
		holds ? "boot %lld differs from the others in %s; they agree to the last "
			"bit and count, it does not"
		      : "boots of one kernel do not agree (boot %lld, %s): judged by "
			"statistics, not exactly",
		(long long)measurement->found.items[odd].id,
		first ? first : "its samples");
	note.text = text;
	log_warning("%s, %s: %s", note.version, note.scenario, text);
	return store_add_note(bench->store, &note, err);
}

int identity_notes_add(struct workbench *bench, const struct measurement *list,
		       size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (bench->lab_kind == CONFIG_VIRTUAL && list[i].found.count > 1 &&
		    note_identity(bench, &list[i], err))
			return -1;
	return 0;
}
