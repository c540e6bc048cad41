/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kregress.yaml: what a user would not like to type at each call. Every key is optional;
 * keys, defaults and what they mean stand in the table of config.c, printed by
 * config_help(). Relative names in the file are meant from the file's folder; use
 * config_path().
 */
#ifndef SCENARIO_CONFIG_H
#define SCENARIO_CONFIG_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

#define CONFIG_FILE "kregress.yaml"

enum config_lab { CONFIG_VIRTUAL, CONFIG_DISK };
enum config_attach { CONFIG_ATTACH_BLOCK, CONFIG_ATTACH_FILE, CONFIG_ATTACH_PCI };
enum config_bus {
	CONFIG_BUS_VIRTIO,
	CONFIG_BUS_SCSI,
	CONFIG_BUS_SATA,
	CONFIG_BUS_IDE,
	CONFIG_BUS_NVME,
};
enum config_cache {
	CONFIG_CACHE_NONE,
	CONFIG_CACHE_DIRECTSYNC,
	CONFIG_CACHE_WRITETHROUGH,
	CONFIG_CACHE_WRITEBACK,
	CONFIG_CACHE_UNSAFE,
};
enum config_io { CONFIG_IO_NATIVE, CONFIG_IO_URING, CONFIG_IO_THREADS };

/* As libvirt spells them; each ends with NULL and is indexed by its enum. */
extern const char *const config_lab_names[];
extern const char *const config_attach_names[];
extern const char *const config_bus_names[];
extern const char *const config_cache_names[];
extern const char *const config_io_names[];

/* A disk of the disk lab; scenarios name it or its class as `device`. */
struct config_disk {
	char *name;
	char *device;    /* a stable path, a file, or a PCI address, by attach */
	int attach;      /* enum config_attach */
	char *serial;    /* how the guest finds it; at most 20 characters */
	char *class;     /* NULL: none */
	int bus;         /* enum config_bus */
	int cache;       /* enum config_cache */
	int io;          /* enum config_io */
	uint64_t queues; /* 0: left to QEMU */
	int iothread;
	char *allow_destroy; /* equal to serial, or NULL */
};

/* A stretch of the history that is broken, and its cure. */
struct config_fixup {
	char *name;
	char *from, *to;           /* the first that needs it; the first that does not */
	char *patch, *cherry_pick; /* one or both, applied in this order */
};

/* Start from {0} or config_defaults(). */
struct config {
	char *path;   /* NULL: no file was read */
	char *folder; /* of the file, else "." */
	char *tree;   /* NULL: not given */
	struct text_list kernel_config;
	char *results;
	char *cache; /* NULL: the user's cache folder */
	struct text_list scenarios;
	struct text_list scenario_folders;
	int lab;         /* enum config_lab */
	char *baseline;  /* NULL: none */
	char *reference; /* NULL: the first version of a session */
	struct {
		struct config_disk *items;
		size_t count;
	} disks;
	struct {
		struct config_fixup *items;
		size_t count;
	} fixups;
	struct {
		uint64_t parallel; /* 0: one a processor */
		uint64_t memory;   /* bytes */
	} virtual_lab;
	struct {
		uint64_t memory; /* bytes */
		uint64_t vcpus;
		char *machine;
		struct text_list vcpu_pins;          /* one a vcpu, or none */
		char *emulator_pins, *iothread_pins; /* NULL: none */
		int huge_pages;
	} disk_lab;
	struct {
		uint64_t jobs; /* 0: one a processor */
		uint64_t timeout_minutes;
	} build;
	struct {
		struct text_list fetch; /* remotes */
		uint64_t fetch_minutes;
		struct text_list branches, tags; /* revisions; patterns of names */
		struct text_list scenarios;      /* none: the general ones */
		struct text_list labs;
		uint64_t minutes, boots; /* budget; 0: none */
		uint64_t window;         /* versions judged together */
	} nightly;
	uint64_t wait_minutes; /* for another command that measures on this host */
};

void config_defaults(struct config *config);
/*
 * path is what -c names; it must exist then. NULL: kregress.yaml of the working folder
 * where it exists, else the defaults.
 */
int config_load(const char *path, struct config *ret_config, struct error *err);
void config_finish(struct config *config);

/* A name of the file as a path from the working folder; the caller frees. */
char *config_path(const struct config *config, const char *name);

/* The lab: one of config_lab_names, or NULL for what the configuration says. */
enum config_lab config_choose_lab(const struct config *config, const char *name);

/* NULL where there is none of that name. */
const struct config_disk *config_find_disk(const struct config *config, const char *name);

/* Every key with its default, commented out: a kregress.yaml to begin with. */
void config_help(struct text *out);
/* The same with some keys set. */
struct schema_setting;
void config_print_set(const struct schema_setting *settings, size_t count,
		      struct text *out);

#endif
