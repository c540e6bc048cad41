/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measurement end to end: a kernel and a scenario become one boot, and the boot
 * becomes evidence. Nothing is stored here and nothing is compared.
 *
 *	lab_start(lab, &request, &boot, err);
 *	while (!lab_poll(boot))
 *		lab_wait(lab);
 *	use(lab_boot_evidence(boot));
 *	lab_boot_destroy(boot);
 *
 * One thread drives any number of boots. What a guest does never makes these calls fail:
 * it is an outcome. A lab that cannot work (no QEMU, full disk) is an error.
 */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "base/error.h"
#include "base/text.h"
#include "build/kernel.h"
#include "lab/evidence.h"
#include "scenario/config.h"
#include "scenario/device_class.h"
#include "scenario/scenario.h"

#include <stddef.h>

struct lab;
struct lab_boot;

struct lab_options {
	enum config_lab kind;
	const char *
		state; /* folder kept between runs: libvirt's state, file-system images */
	const char *boots;  /* folder for the files of each boot (console logs stay) */
	const char *agent;  /* path of the guest agent */
	const char *blocks; /* path of the plugin that counts blocks; NULL: none */
	const char *uri;    /* of libvirt; NULL: inside this process */
	const struct config *config;
	const struct device_classes *classes;
};

/* Strings are borrowed and must live as long as the lab. */
int lab_open(const struct lab_options *options, struct lab **ret_lab, struct error *err);
/* Every boot must be destroyed before. Takes NULL. */
void lab_close(struct lab *lab);

static inline void cleanup_lab(struct lab **lab)
{
	lab_close(*lab);
}

/* "virtual" or "disk". */
const char *lab_name(const struct lab *lab);

/* How many boots may run side by side without disturbing each other. */
unsigned lab_parallel(const struct lab *lab);

/*
 * Whether the scenario can be measured here at all: its disks are there, may be used, are
 * large enough. Nothing is opened for writing.
 */
int lab_check(const struct lab *lab, const struct scenario *scenario, struct error *err);

/* Plain sentences for people (what became of /dev/kvm ...); "" for none. */
const char *lab_notes(const struct lab *lab);

/* Names and values, in pairs, of all that could move a number but kernel and scenario. */
struct lab_fields {
	struct text_list names, values;
};

void lab_fields_finish(struct lab_fields *fields);
void lab_fields_add(struct lab_fields *fields, const char *name, const char *value);
int lab_environment(struct lab *lab, const struct kernel *kernel,
		    const struct scenario *scenario, struct lab_fields *fields,
		    struct error *err);

/* The field that a boot has besides where its blocks are counted: by which plugin. */
int lab_counting_field(const struct lab *lab, struct lab_fields *fields,
		       struct error *err);

/* Nanoseconds of guest time that one instruction takes; 0 where that is not fixed. */
double lab_instruction_time(const struct lab *lab);

struct lab_request {
	const char
		*name; /* of the boot's files and domain; unique in the results folder */
	const struct kernel *kernel;
	const struct scenario *scenario;
	/*
	 * Count every block of code that each run executes. Takes about twice the time
	 * and, in the virtual lab, changes no number.
	 */
	int count_blocks;
};

/*
 * Whether blocks can be counted here at all. ERROR_HOST where the plugin is missing or
 * made for another processor, ERROR_USAGE in a lab that does not emulate. What only QEMU
 * can tell comes from lab_start().
 */
int lab_check_counting(const struct lab *lab, struct error *err);

/* kernel and scenario must outlive the boot. */
int lab_start(struct lab *lab, const struct lab_request *request,
	      struct lab_boot **ret_boot, struct error *err);

/* Looks at the guest without waiting; 1 once the boot is over. */
int lab_poll(struct lab_boot *boot);

/* Complete once lab_poll() said so. */
const struct evidence *lab_boot_evidence(const struct lab_boot *boot);

/*
 * What was counted: the bytes of a count file (profile/count_format.h), untrusted, once
 * the boot is over. Only of a boot that was to count.
 */
int lab_boot_counts(const struct lab_boot *boot, struct text *counts, struct error *err);

/* Ends the guest where it runs. Takes NULL. */
void lab_boot_destroy(struct lab_boot *boot);

/* Sleeps until something may have happened, 10 ms at most. */
void lab_wait(struct lab *lab);

#endif
