/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lab/judge_boot.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char build_id[] = "abc123", release[] = "6.1.0";
static const struct kernel kernel = {.build_id = build_id, .release = release};
static const struct scenario scenario = {.timeout_seconds = 100, .silence_seconds = 20};

/* A guest that spoke, is that kernel, and was cut in the middle. */
static struct boot_facts usual_facts(void)
{
	struct boot_facts facts = {.kernel = &kernel, .scenario = &scenario};

	facts.status.state = VM_POWERED_OFF;
	facts.seconds = 5;
	facts.collected.hello = 1;
	facts.collected.done = 1;
	return facts;
}

static struct evidence usual_evidence(void)
{
	struct evidence evidence = {
		.release = memory_copy_string("6.1.0"),
		.build_id = memory_copy_string("abc123"),
	};

	evidence_add_sample(&evidence, "", "elapsed", "ns", "lower", 1);
	return evidence;
}

static void expect(const struct boot_facts *facts, enum outcome outcome, const char *word)
{
	CLEANUP(evidence_finish) struct evidence evidence = usual_evidence();

	if (!facts->collected.hello) {
		cleanup_free(&evidence.release);
		cleanup_free(&evidence.build_id);
		evidence.release = evidence.build_id = NULL;
	}
	judge_boot(facts, &evidence);
	assert_string_equal(outcome_name(evidence.outcome), outcome_name(outcome));
	if (word) {
		assert_non_null(evidence.detail);
		assert_non_null(strstr(evidence.detail, word));
	}
	/* Whatever the end, what was measured stays. */
	assert_int_equal(evidence.samples.count, 1);
}

static void a_good_boot_is_ok(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	expect(&facts, OUTCOME_OK, NULL);
}

static void what_was_left_out_makes_it_partial(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.collected.left_out = "left out of case a: disk D3 (why)";
	facts.collected.left_out_cases = 1;
	expect(&facts, OUTCOME_PARTIAL, "disk D3 (why)");
	facts.collected.left_out_cases = 3;
	expect(&facts, OUTCOME_PARTIAL, "and of 2 further cases");
	facts.collected.failed_cases = 1;
	facts.collected.guest_says = "fsync: Input/output error";
	expect(&facts, OUTCOME_WORKLOAD_FAILED, "Input/output");
	assert_true(outcome_is_good(OUTCOME_PARTIAL));
	assert_true(outcome_is_good(OUTCOME_OK));
	assert_false(outcome_is_good(OUTCOME_HUNG));
}

static void deaths_are_told_apart(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.collected.done = 0;
	expect(&facts, OUTCOME_INFRASTRUCTURE, "without the end");
	facts.status.state = VM_LOST;
	expect(&facts, OUTCOME_INFRASTRUCTURE, "QEMU ended");
	facts.status.state = VM_RESET;
	facts.status.panicked = 1;
	strcpy(facts.status.trouble, "Kernel panic - not syncing: test");
	expect(&facts, OUTCOME_PANIC, "not syncing");
	facts.collected.hello = 0;
	expect(&facts, OUTCOME_PANIC, "not syncing");
	facts.status.panicked = 0;
	strcpy(facts.status.last_line, "Decompressing Linux");
	expect(&facts, OUTCOME_BOOT_FAILED, "Decompressing");
}

static void limits_end_a_guest(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.status.state = VM_RUNNING;
	facts.collected.done = 0;
	assert_false(boot_must_end(&facts));
	facts.silent_seconds = 21;
	facts.collected.operations = 77;
	assert_true(boot_must_end(&facts));
	expect(&facts, OUTCOME_HUNG, "77 operations");
	facts.silent_seconds = 1;
	facts.seconds = 101;
	assert_true(boot_must_end(&facts));
	expect(&facts, OUTCOME_TIMED_OUT, "101 s");
	facts = usual_facts();
	facts.status.state = VM_RUNNING;
	facts.collected.done = facts.collected.hello = 0;
	facts.silent_seconds = facts.seconds = BOOT_HELLO_SECONDS - 30;
	assert_false(boot_must_end(&facts));
	facts.seconds = BOOT_HELLO_SECONDS + 1;
	assert_true(boot_must_end(&facts));
	expect(&facts, OUTCOME_BOOT_FAILED, "did not come up");
	/* An hour on a busy host is nothing; a guest that waits for nothing is dead. */
	facts.seconds = 1;
	facts.status.seconds = 3600;
	assert_false(boot_must_end(&facts));
	facts.idle_seconds = BOOT_IDLE_SECONDS + 1;
	assert_true(boot_must_end(&facts));
	expect(&facts, OUTCOME_BOOT_FAILED, "61 s");
	facts.collected.hello = 1;
	expect(&facts, OUTCOME_HUNG, "61 s");
}

static void a_flood_is_stopped(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.status.state = VM_RUNNING;
	facts.collected.done = 0;
	facts.status.console_bytes = BOOT_CONSOLE_MAX;
	assert_false(boot_must_end(&facts));
	facts.status.console_bytes++;
	assert_true(boot_must_end(&facts));
	expect(&facts, OUTCOME_WORKLOAD_FAILED, "without end");
	facts.collected.hello = 0;
	expect(&facts, OUTCOME_BOOT_FAILED, "without end");
}

static void lost_numbers_are_no_good_boot(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.collected.runs_missing = 2;
	expect(&facts, OUTCOME_INFRASTRUCTURE, "2 runs");
	facts.collected.failed_cases = 1;
	facts.collected.guest_says = "write: No space left on device";
	expect(&facts, OUTCOME_WORKLOAD_FAILED, "No space");
}

static void a_failed_workload_is_named(void **state)
{
	struct boot_facts facts = usual_facts();

	(void)state;
	facts.collected.failed_cases = 1;
	facts.collected.guest_says = "fsync: Input/output error";
	expect(&facts, OUTCOME_WORKLOAD_FAILED, "Input/output");
}

static void another_kernel_proves_nothing(void **state)
{
	CLEANUP(evidence_finish) struct evidence evidence = usual_evidence();
	struct boot_facts facts = usual_facts();

	(void)state;
	evidence.build_id[0] = 'x';
	judge_boot(&facts, &evidence);
	assert_int_equal(evidence.outcome, OUTCOME_INFRASTRUCTURE);
	assert_int_equal(evidence.samples.count, 0);
	assert_non_null(strstr(evidence.detail, "xbc123"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_boot_is_ok),
		cmocka_unit_test(what_was_left_out_makes_it_partial),
		cmocka_unit_test(deaths_are_told_apart),
		cmocka_unit_test(limits_end_a_guest),
		cmocka_unit_test(a_flood_is_stopped),
		cmocka_unit_test(lost_numbers_are_no_good_boot),
		cmocka_unit_test(a_failed_workload_is_named),
		cmocka_unit_test(another_kernel_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
