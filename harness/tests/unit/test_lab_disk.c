/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which disks a scenario gets in the disk lab, and what is refused before any boot. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "fixture.h"
#include "lab/disk_check.h"
#include "lab/disk_choice.h"
#include "lab/disk_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SCENARIO                                                                         \
	"name: s\nworkload: parallel-writers\n"                                          \
	"parameters: {size: 1M, device: rest, disks: 2}\n"

static const char configuration[] =
	"disks:\n"
	"  one: {device: a.img, attach: file, serial: A, class: rest}\n"
	"  two: {device: b.img, attach: file, serial: B, class: rest, bus: scsi}\n"
	"  ide1: {device: c.img, attach: file, serial: C, class: old, bus: ide}\n"
	"  ide2: {device: d.img, attach: file, serial: D, class: old, bus: ide}\n"
	"  ide3: {device: e.img, attach: file, serial: E, class: old, bus: ide}\n"
	"  ide4: {device: f.img, attach: file, serial: F, class: old, bus: ide}\n"
	"  ide5: {device: g.img, attach: file, serial: G, class: old, bus: ide}\n"
	"  again: {device: a.img, attach: file, serial: H, class: view}\n"
	"  again2: {device: a.img, attach: file, serial: I, class: view, bus: nvme}\n"
	"  gone: {device: no-such.img, attach: file, serial: J}\n"
	"  cached: {device: b.img, attach: file, serial: K, cache: writeback, io: "
	"threads}\n"
	"  unsafe: {device: b.img, attach: file, serial: L, cache: unsafe, io: threads}\n"
	"  full: {device: full.img, attach: file, serial: M}\n"
	"  pci: {device: '0000:ff:1f.7', attach: pci, serial: N}\n"
	"  bad: {device: nvme0, attach: pci, serial: O}\n";

struct world {
	struct fixture *fixture;
	struct config config;
};

static void put(const struct world *world, const char *name, const char *text)
{
	CLEANUP(cleanup_free) char *path = file_join(world->fixture->folder, name);
	struct error err = {0};

	if (file_write(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

static int set_up(void **state)
{
	struct world *world = memory_new(1, sizeof(*world));
	CLEANUP(cleanup_free) char *path = NULL;
	struct error err = {0};

	world->fixture = fixture_create();
	fixture_shell(
		world->fixture,
		"for name in a b c d e f g full; do truncate -s 96M $name.img; done\n"
		"printf SWAPSPACE2 | dd of=full.img bs=1 seek=4086 conv=notrunc\n"
		"printf '\\1' | dd of=full.img bs=1 seek=1024 conv=notrunc\n"
		"printf '\\377' | dd of=full.img bs=1 seek=1028 conv=notrunc");
	put(world, "kregress.yaml", configuration);
	path = file_join(world->fixture->folder, "kregress.yaml");
	if (config_load(path, &world->config, &err))
		fail_msg("%s", err.text);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	config_finish(&world->config);
	fixture_destroy(world->fixture);
	free(world);
	return 0;
}

static void load(const struct world *world, const char *yaml, const char *override,
		 struct scenario *scenario)
{
	CLEANUP(cleanup_free) char *path = file_join(world->fixture->folder, "s.yaml");
	CLEANUP(text_list_finish) struct text_list overrides = {0};
	struct scenario_options options = {.lab = CONFIG_DISK, .overrides = &overrides};
	struct error err = {0};

	put(world, "s.yaml", yaml);
	if (override)
		text_list_add(&overrides, override);
	if (scenario_load(path, &options, scenario, &err))
		fail_msg("%s", err.text);
}

static void is_refused(const struct world *world, const char *device, const char *words)
{
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	CLEANUP(cleanup_free) char *override = memory_format("device=%s", device);
	const char *yaml = "name: s\nworkload: sync-loop\nparameters: {count: 10}\n";
	struct error err = {0};

	load(world, yaml, override, &scenario);
	if (!disk_check_scenario(&world->config, &scenario, &err))
		fail_msg("taken: %s", device);
	if (!strstr(err.text, words))
		fail_msg("'%s' is not in '%s'", words, err.text);
}

static void a_class_gives_as_many_as_are_wanted(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};
	struct error err = {0};

	load(world, SCENARIO, NULL, &scenario);
	assert_int_equal(
		disk_choice_of_scenario(&world->config, &scenario, &choice, &err), 0);
	assert_int_equal(choice.count, 2);
	assert_string_equal(choice.items[0]->name, "one");
	assert_string_equal(choice.items[1]->name, "two");
	if (disk_check_scenario(&world->config, &scenario, &err))
		fail_msg("%s", err.text);
}

static void a_name_gives_that_disk(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};
	struct error err = {0};

	load(world,
	     "name: s\nworkload: sync-loop\nparameters: {device: [two, rest, one]}\n",
	     NULL, &scenario);
	assert_int_equal(
		disk_choice_of_scenario(&world->config, &scenario, &choice, &err), 0);
	assert_int_equal(choice.count, 2);
	assert_string_equal(choice.items[0]->name, "two");
	assert_string_equal(choice.items[1]->name, "one");
}

static void what_is_not_there_is_named(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	is_refused(world, "ssd", "device ssd: no disk of ");
	is_refused(world, "ssd", "there are: one (class rest), two (class rest)");
	is_refused(world, "gone", "no-such.img: No such file");
	load(world, SCENARIO, "disks=3", &scenario);
	assert_int_equal(disk_check_scenario(&world->config, &scenario, &err), -1);
	assert_non_null(strstr(err.text, "device rest: 3 disks are wanted, but there are "
					 "2; give \"class: rest\""));
}

static void caches_that_lie_are_refused(void **state)
{
	is_refused(*state, "cached", "the host's page cache would take the writes");
	is_refused(*state, "unsafe", "flushes of the guest would be ignored");
}

static void unfit_disks_are_refused(void **state)
{
	is_refused(*state, "full", "carries swap");
	is_refused(*state, "bad", "nvme0 is no PCI address");
	is_refused(*state, "pci", "there is no PCI device 0000:ff:1f.7");
}

/* One call names all of them. */
static void all_that_is_wrong_is_told(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	load(world,
	     "name: s\nworkload: read\nparameters: {size: 1M, device: [gone, full]}\n",
	     NULL, &scenario);
	assert_int_equal(disk_check_scenario(&world->config, &scenario, &err), -1);
	assert_non_null(strstr(err.text, "disk gone: "));
	assert_non_null(strstr(err.text, "\ndisk full: "));
}

static void one_guest_has_a_device_once(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	struct error err = {0};

	load(world, SCENARIO, "device=view", &scenario);
	assert_int_equal(disk_check_scenario(&world->config, &scenario, &err), -1);
	assert_non_null(strstr(err.text, "disks again and again2 are the same device"));
}

static void a_bus_has_so_many_places(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	CLEANUP(scenario_finish) struct scenario fewer = {0};
	struct error err = {0};

	load(world,
	     "name: s\nworkload: parallel-writers\n"
	     "parameters: {size: 1M, device: old, disks: 5}\n",
	     NULL, &scenario);
	assert_int_equal(disk_check_scenario(&world->config, &scenario, &err), -1);
	assert_non_null(strstr(err.text, "5 disks are wanted on bus ide, which has room "
					 "for 4"));
	load(world,
	     "name: s\nworkload: parallel-writers\n"
	     "parameters: {size: 1M, device: old, disks: 4}\n",
	     NULL, &fewer);
	assert_int_equal(disk_check_scenario(&world->config, &fewer, &err), 0);
}

static void what_does_not_fit_is_refused(void **state)
{
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario large = {0};
	CLEANUP(scenario_finish) struct scenario raw = {0};
	struct error err = {0};

	load(world,
	     "name: s\nworkload: sync-loop\nparameters: {device: one}\n"
	     "disk: {parameters: {count: 20000}}\n",
	     NULL, &large);
	assert_int_equal(disk_check_scenario(&world->config, &large, &err), -1);
	assert_non_null(strstr(err.text, "disk one: its 96 MiB are too small for case "
					 "(only one), which needs 256 MiB"));
	/* Without a file system the data alone must fit. */
	load(world,
	     "name: s\nworkload: sync-loop\n"
	     "parameters: {device: one, target: device}\n"
	     "disk: {parameters: {count: 20000}}\n",
	     NULL, &raw);
	assert_int_equal(disk_check_scenario(&world->config, &raw, &err), 0);
}

static const char *field(const struct lab_fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->names.count; i++)
		if (!strcmp(fields->names.items[i], name))
			return fields->values.items[i];
	return NULL;
}

static void the_environment_names_host_and_disks(void **state)
{
	static const struct {
		const char *name, *value;
	} wanted[] = {
		{"disk.B.bus", "scsi"},    {"disk.B.cache", "none"},
		{"disk.B.io", "native"},   {"disk.B.size", "100663296"},
		{"disk.A.bus", "virtio"},  {"disk.A.logical_block", "512"},
		{"disk.A.attach", "file"}, {"disk.A.iothread", "yes"},
	};
	const struct world *world = *state;
	CLEANUP(scenario_finish) struct scenario scenario = {0};
	CLEANUP(disk_choice_finish) struct disk_choice choice = {0};
	CLEANUP(lab_fields_finish) struct lab_fields fields = {0};
	struct error err = {0};

	load(world, SCENARIO, NULL, &scenario);
	assert_int_equal(
		disk_choice_of_scenario(&world->config, &scenario, &choice, &err), 0);
	disk_fields_add_host(&fields);
	assert_int_equal(disk_fields_add_disks(&choice, &fields, &err), 0);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		const char *value = field(&fields, wanted[i].name);

		if (!value || strcmp(value, wanted[i].value))
			fail_msg("%s is %s", wanted[i].name, value ? value : "missing");
	}
	assert_non_null(field(&fields, "host.kernel"));
	assert_non_null(field(&fields, "host.cpu"));
	assert_non_null(field(&fields, "host.processors"));
	assert_null(field(&fields, "disk.C.bus"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_class_gives_as_many_as_are_wanted),
		TEST(a_name_gives_that_disk),
		TEST(what_is_not_there_is_named),
		TEST(caches_that_lie_are_refused),
		TEST(unfit_disks_are_refused),
		TEST(all_that_is_wrong_is_told),
		TEST(one_guest_has_a_device_once),
		TEST(a_bus_has_so_many_places),
		TEST(what_does_not_fit_is_refused),
		TEST(the_environment_names_host_and_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
