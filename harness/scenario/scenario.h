/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario file: workload, parameters, repeats, metrics; and the cases it expands to.
 *
 *	name: fsync-loop
 *	workload: sync-loop
 *	parameters:
 *	  device: [ssd, disk]
 *	  block_size: [4096, 20]
 *	  count: 2000
 *	runs: 3
 *	metrics: [elapsed, {name: flushes_per_op, min_effect: 1}]
 *	virtual:
 *	  parameters: {count: 100}
 *
 * Parameters are those of the workload (guest/parameters.h) and of the set-up (device,
 * filesystem, mount_options, disks, disk_size). Any may be a list; the product of the
 * lists, the first one slowest, is the list of cases. What was written as a list appears
 * in the case's label, in the order of the file, also when a lab or --param leaves one
 * value of it: labels stay the same. The blocks "virtual" and "disk" replace values for
 * that lab; both are checked whichever is asked for.
 *
 * Values are kept in one form (4k is 4096, 1024k is 1M, true is yes), so labels do not
 * depend on spelling.
 */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "guest/job.h"
#include "guest/metrics.h"
#include "guest/parameters.h"
#include "scenario/config.h"
#include "scenario/device_class.h"

#include <stddef.h>
#include <stdint.h>

enum { SCENARIO_CASES_MAX = 1024 };

struct scenario_parameter {
	char *name;
	struct text_list values; /* at least one */
	int listed;              /* written as a list: part of the label */
};

struct scenario_metric {
	char *name;
	char *unit;
	int better;        /* enum metric_better; never neither */
	double min_effect; /* percent; negative: what the lab takes */
	double min_change; /* in the unit; a smaller change counts as none; 0: any does */
};

struct scenario_case {
	char *label; /* "" where nothing is a list */
	char *device;
	enum job_filesystem filesystem;
	char *mount_options; /* "" for none */
	uint64_t disks;
	uint64_t disk_size;
	/* Of the workload, as far as the file gives them: for job_case_set_parameter().
	 */
	struct parameter_value *parameters;
	size_t parameter_count;
};

/* Start from {0}. */
struct scenario {
	char *path;
	char *text; /* the file, for the database */
	char *name, *description;
	const struct workload_kind *workload;
	uint64_t runs;            /* of each case in one boot */
	uint64_t boots;           /* of each version; 0: 1 */
	uint64_t settle_seconds;  /* of guest time before the first case */
	uint64_t timeout_seconds; /* of a boot; see lab/judge_boot.h for the clock */
	uint64_t silence_seconds; /* without a sign of the guest, likewise */
	struct text_list files;   /* exec: what to pack; see scenario_file_source() */
	struct {
		struct scenario_metric *items;
		size_t count;
	} metrics; /* those that are judged */
	struct {
		struct scenario_parameter *items;
		size_t count;
	} parameters;
	struct {
		struct scenario_case *items;
		size_t count;
	} cases;
};

struct scenario_options {
	enum config_lab lab;
	const struct text_list *overrides; /* "name=value[,value...]"; NULL: none */
	const struct device_classes
		*classes; /* virtual: devices must be there; or NULL */
	int check_files;  /* files must be there, and each command among them */
};

int scenario_load(const char *path, const struct scenario_options *options,
		  struct scenario *ret_scenario, struct error *err);
void scenario_finish(struct scenario *scenario);

/*
 * The file of a scenario: NAME.yaml in the first folder that has it, or the argument
 * itself where it holds a slash or ends with ".yaml". Unknown: the error names the
 * nearest. The caller frees.
 */
int scenario_find(const char *name, const struct text_list *folders, char **ret_path,
		  struct error *err);
/* Paths of all scenarios of the folders, by name; of two alike the first counts. */
int scenario_list(const struct text_list *folders, struct text_list *paths,
		  struct error *err);

/*
 * Key of everything in the file that could move a number: workload, cases in their order
 * with all values (defaults too), runs, settling, files by name; with classes also what
 * the devices are. Not the name, comments, description, metrics, boots, limits, the
 * order of keys, or spelling.
 */
void scenario_digest(const struct scenario *scenario,
		     const struct device_classes *classes, char hex[HASH_HEX_SIZE]);

/* The effective value of a case's parameter, set-up or workload, given or default. */
char *scenario_case_value(const struct scenario *scenario,
			  const struct scenario_case *scenario_case, const char *name);

/* Whether the case works on the disks themselves (target device), past file systems. */
int scenario_case_is_raw(const struct scenario *scenario,
			 const struct scenario_case *scenario_case);

/* Bytes that the workload puts on (or reads from) each disk; 0: not known. */
uint64_t scenario_case_bytes(const struct scenario *scenario,
			     const struct scenario_case *scenario_case);

/*
 * Where a file of the list is on the host, and where it stands in the guest: an absolute
 * path keeps its place, a relative one is looked for beside the scenario's file and goes
 * to EXEC_FILES. The caller frees.
 */
char *scenario_file_source(const struct scenario *scenario, size_t index);
char *scenario_file_target(const struct scenario *scenario, size_t index);

/* NULL where it is not judged. */
const struct scenario_metric *scenario_find_metric(const struct scenario *scenario,
						   const char *name);

/*
 * Whether the scenario may run on a disk of kregress.yaml: one that syncs must not have
 * a host cache that answers before the data is durable.
 */
int scenario_check_disk(const struct scenario *scenario, const struct config_disk *disk,
			struct error *err);

/* Keys, workloads and parameters with their documentation. */
void scenario_help(struct text *out);

#endif
