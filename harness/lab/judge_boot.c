/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/judge_boot.h"

#include <string.h>

static int is_idle(const struct boot_facts *facts)
{
	return facts->idle_seconds > BOOT_IDLE_SECONDS;
}

static int too_long(const struct boot_facts *facts)
{
	return facts->seconds > (double)facts->scenario->timeout_seconds;
}

static int too_silent(const struct boot_facts *facts)
{
	return facts->collected.hello &&
	       (facts->silent_seconds > (double)facts->scenario->silence_seconds ||
		is_idle(facts));
}

static int never_spoke(const struct boot_facts *facts)
{
	return !facts->collected.hello &&
	       (facts->seconds > BOOT_HELLO_SECONDS || is_idle(facts));
}

static int floods(const struct boot_facts *facts)
{
	return facts->status.console_bytes > BOOT_CONSOLE_MAX ||
	       facts->status.result_bytes > BOOT_RESULTS_MAX;
}

int boot_must_end(const struct boot_facts *facts)
{
	return too_long(facts) || too_silent(facts) || never_spoke(facts) ||
	       floods(facts);
}

enum run_end boot_run_end(const struct boot_facts *facts)
{
	if (facts->status.state != VM_RUNNING || facts->collected.done ||
	    facts->status.panicked)
		return RUN_BROKEN;
	if (too_silent(facts))
		return RUN_SILENT;
	return too_long(facts) ? RUN_TIMED_OUT : RUN_BROKEN;
}

static void drop_samples(struct evidence *evidence)
{
	struct evidence empty = {.outcome = evidence->outcome,
				 .started = evidence->started};

	empty.detail = evidence->detail;
	empty.console_path = evidence->console_path;
	empty.release = evidence->release;
	empty.build_id = evidence->build_id;
	empty.banner = evidence->banner;
	empty.command_line = evidence->command_line;
	evidence->detail = evidence->console_path = evidence->release = NULL;
	evidence->build_id = evidence->banner = evidence->command_line = NULL;
	evidence_finish(evidence);
	*evidence = empty;
}

/* An old kernel without notes has no build id; the release alone must do then. */
static int is_wrong_kernel(const struct kernel *kernel, const struct evidence *evidence)
{
	if (!evidence->release)
		return 0;
	if (kernel->build_id && *kernel->build_id && *evidence->build_id)
		return strcmp(kernel->build_id, evidence->build_id) != 0;
	return kernel->release && *kernel->release &&
	       strcmp(kernel->release, evidence->release) != 0;
}

static void judge_running(const struct boot_facts *facts, struct evidence *evidence)
{
	const char *last = facts->status.last_line;

	if (floods(facts))
		evidence_fail(
			evidence,
			facts->collected.hello ? OUTCOME_WORKLOAD_FAILED
					       : OUTCOME_BOOT_FAILED,
			"the guest wrote without end (%llu bytes of console, %llu of "
			"results); last console line: %s",
			(unsigned long long)facts->status.console_bytes,
			(unsigned long long)facts->status.result_bytes,
			*last ? last : "(none)");
	if (never_spoke(facts))
		evidence_fail(
			evidence, OUTCOME_BOOT_FAILED,
			"the guest did not come up within %d s%s; last console line: %s",
			is_idle(facts) ? (int)facts->idle_seconds : BOOT_HELLO_SECONDS,
			is_idle(facts) ? ", and waits for nothing" : "",
			*last ? last : "(none)");
	if (too_silent(facts))
		evidence_fail(evidence, OUTCOME_HUNG,
			      "nothing came from the guest for %.0f s, after %llu "
			      "operations of "
			      "the run",
			      is_idle(facts) ? facts->idle_seconds
					     : facts->silent_seconds,
			      (unsigned long long)facts->collected.operations);
	if (too_long(facts))
		evidence_fail(evidence, OUTCOME_TIMED_OUT,
			      "not finished after %.0f s (%llu operations of the run "
			      "were done)",
			      facts->seconds,
			      (unsigned long long)facts->collected.operations);
}

static void judge_ended(const struct boot_facts *facts, struct evidence *evidence)
{
	if (facts->status.state == VM_LOST)
		evidence_fail(evidence, OUTCOME_INFRASTRUCTURE,
			      "QEMU ended by itself (exit status %d, signal %d)",
			      facts->status.qemu_exit, facts->status.qemu_signal);
	if (!facts->collected.hello)
		evidence_fail(
			evidence, OUTCOME_BOOT_FAILED,
			"the guest was %s before the agent spoke; last console line: %s",
			vm_state_name(facts->status.state), facts->status.last_line);
	evidence_fail(evidence, OUTCOME_INFRASTRUCTURE,
		      "the guest was %s without the end of its results",
		      vm_state_name(facts->status.state));
}

/* A record that was lost on its way must not pass as a number that nobody asked for. */
static void judge_done(const struct collector_state *collected, struct evidence *evidence)
{
	if (collected->runs_missing)
		evidence_fail(evidence, OUTCOME_INFRASTRUCTURE,
			      "the guest was through, but the numbers of %llu runs did "
			      "not come (%llu records made no sense)",
			      (unsigned long long)collected->runs_missing,
			      (unsigned long long)collected->refused);
}

/* Everything else is well: what was left out is the whole blemish. */
static void judge_left_out(const struct collector_state *collected,
			   struct evidence *evidence)
{
	if (!collected->left_out)
		return;
	if (collected->left_out_cases > 1)
		evidence_fail(evidence, OUTCOME_PARTIAL, "%s; and of %zu further case%s",
			      collected->left_out, collected->left_out_cases - 1,
			      collected->left_out_cases == 2 ? "" : "s");
	else
		evidence_fail(evidence, OUTCOME_PARTIAL, "%s", collected->left_out);
}

static const char *or_none(const char *text)
{
	return text && *text ? text : "none";
}

void judge_boot(const struct boot_facts *facts, struct evidence *evidence)
{
	if (is_wrong_kernel(facts->kernel, evidence)) {
		evidence_fail(evidence, OUTCOME_INFRASTRUCTURE,
			      "another kernel was running: %s (build id %s), not %s (%s)",
			      evidence->release, or_none(evidence->build_id),
			      or_none(facts->kernel->release),
			      or_none(facts->kernel->build_id));
		drop_samples(evidence);
		return;
	}
	if (facts->status.panicked)
		evidence_fail(evidence, OUTCOME_PANIC, "%s", facts->status.trouble);
	if (facts->collected.failed_cases)
		evidence_fail(evidence, OUTCOME_WORKLOAD_FAILED, "%s",
			      facts->collected.guest_says);
	if (facts->collected.done) {
		judge_done(&facts->collected, evidence);
		judge_left_out(&facts->collected, evidence);
	} else if (facts->status.state == VM_RUNNING)
		judge_running(facts, evidence);
	else
		judge_ended(facts, evidence);
}
