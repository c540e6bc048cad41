/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the numbers of a case say of its device, by the classes that come along. */
#include "lab/judge_device.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *what, *device, *cache;
	double time, flushes;
	const char *sync;
	const char *word, *text; /* NULL: nothing is said */
} rows[] = {
	{"a volatile cache that is flushed", "ssd", "write back", 2.2e5, 1, "fdatasync",
	 "flushes", "device ssd has a volatile cache, and each sync flushes it"},
	{"none", "plp", "write through", 6e4, 0, "fsync", "no-cache",
	 "device plp says that it has no volatile cache"},
	{"one that is hidden", "lying", "write through", 7.4e4, 0, "fsync", "too-fast",
	 "device lying acknowledges a sync in 74 us, but nothing is durable before 4.2 "
	 "ms"},
	{"flushes that are dropped", "disk", "write back", 7.4e4, 1, "fsync", "too-fast",
	 "it drops flushes"},
	{"a kernel that sends none", "ssd", "write back", 2.2e5, 0.01, "fsync",
	 "no-flush", "0.01 flushes a sync"},
	{"syncs by the open flags may do without", "ssd", "write back", 2.2e5, 0,
	 "o_dsync", NULL, NULL},
	{"no sync at all", "lying", "write through", 1e3, 0, "none", NULL, NULL},
	{"a disk of the user's own", "mine", "write back", 1e3, 1, "fsync", "flushes",
	 "device mine has"},
};

static void devices_are_told_apart(void **state)
{
	CLEANUP(device_classes_finish) struct device_classes classes = {0};
	struct error err;

	(void)state;
	if (device_classes_load("vm-images/devices.yaml", &classes, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		CLEANUP(evidence_finish) struct evidence evidence = {0};
		struct parameter_value sync = {.name = "sync"};
		struct scenario_case item = {.label = (char[]){"size=1"},
					     .parameters = &sync,
					     .parameter_count = 1};
		struct scenario scenario = {.workload = workload_kind_find("sync-loop"),
					    .runs = 3,
					    .cases = {&item, 1}};

		strcpy(sync.value, rows[i].sync);
		item.device = (char *)rows[i].device;
		evidence_add_setting(&evidence, "size=1", "disk0", "write_cache",
				     rows[i].cache);
		evidence_add_sample(&evidence, "size=1,run=later", "latency_p50", "ns",
				    "lower", rows[i].time);
		evidence_add_sample(&evidence, "size=1,run=later", "flushes_per_op", "",
				    "lower", rows[i].flushes);
		judge_devices(&scenario, &classes, &evidence);
		if (evidence.remarks.count != (rows[i].word != NULL))
			fail_msg("%s: %zu remarks", rows[i].what, evidence.remarks.count);
		if (!rows[i].word)
			continue;
		if (strcmp(evidence.remarks.items[0].word, rows[i].word) ||
		    !strstr(evidence.remarks.items[0].text, rows[i].text))
			fail_msg("%s: %s: %s", rows[i].what,
				 evidence.remarks.items[0].word,
				 evidence.remarks.items[0].text);
	}
}

/* Kernels before 5.5 count no flushes: nothing is said of them. */
static void what_is_not_counted_is_not_judged(void **state)
{
	CLEANUP(evidence_finish) struct evidence evidence = {0};
	struct scenario_case item = {.label = (char[]){""}, .device = (char[]){"mine"}};
	struct scenario scenario = {.workload = workload_kind_find("sync-loop"),
				    .runs = 1,
				    .cases = {&item, 1}};
	struct device_classes none = {0};

	(void)state;
	judge_devices(&scenario, &none, &evidence);
	evidence_add_setting(&evidence, "", "disk0", "write_cache", "write back");
	evidence_add_sample(&evidence, "", "latency_p50", "ns", "lower", 1);
	judge_devices(&scenario, &none, &evidence);
	assert_int_equal(evidence.remarks.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_are_told_apart),
		cmocka_unit_test(what_is_not_counted_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
