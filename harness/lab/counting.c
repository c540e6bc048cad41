/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin that counts blocks, before QEMU sees it; declared in lab.h. */
#include "base/cleanup.h"
#include "lab/kind.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_header(const char *path, Elf64_Ehdr *header, struct error *err)
{
	CLEANUP(cleanup_file) FILE *file = fopen(path, "re");

	if (!file && errno == ENOENT)
		return error_set(err, ERROR_HOST, "%s is not there; run \"make\"", path);
	if (!file)
		return error_system(err, "cannot read %s", path);
	if (fread(header, sizeof(*header), 1, file) != 1 ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG))
		return error_set(err, ERROR_HOST,
				 "%s is no shared object; run \"make\" again", path);
	return 0;
}

/* QEMU runs on the processor that we run on. */
int lab_check_counting(const struct lab *lab, struct error *err)
{
	const char *path = lab->options.blocks;
	Elf64_Ehdr plugin, own;

	if (!lab->kind->instruction_time)
		return error_set(err, ERROR_USAGE,
				 "blocks can be counted in the virtual lab only");
	if (!path)
		return error_set(err, ERROR_HOST, "there is no plugin to count blocks");
	if (read_header(path, &plugin, err) || read_header("/proc/self/exe", &own, err))
		return -1;
	if (plugin.e_machine != own.e_machine ||
	    plugin.e_ident[EI_CLASS] != own.e_ident[EI_CLASS])
		return error_set(err, ERROR_HOST,
				 "%s is made for another processor (ELF machine %d) than "
				 "this program (%d); run \"make\" here",
				 path, plugin.e_machine, own.e_machine);
	return 0;
}

int lab_counting_field(const struct lab *lab, struct lab_fields *fields,
		       struct error *err)
{
	char hex[HASH_HEX_SIZE];
	struct hash hash;

	hash_init(&hash);
	if (lab_check_counting(lab, err) ||
	    hash_field_file(&hash, "plugin", lab->options.blocks, err))
		return -1;
	hash_hex(&hash, hex);
	lab_fields_add(fields, "blocks_counted_by", hex);
	return 0;
}

double lab_instruction_time(const struct lab *lab)
{
	return lab->kind->instruction_time;
}
