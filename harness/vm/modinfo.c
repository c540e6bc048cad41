/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/modinfo.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* Whether [offset, offset + size) lies in the file. */
static int inside(const struct text *object, uint64_t offset, uint64_t size)
{
	return offset <= object->size && size <= object->size - offset;
}

/* Copied out: nothing in a file needs to be aligned. */
static int get_header(const struct text *object, Elf64_Ehdr *header)
{
	if (object->size < sizeof(*header))
		return -1;
	memcpy(header, object->data, sizeof(*header));
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_shentsize != sizeof(Elf64_Shdr))
		return -1;
	return inside(object, header->e_shoff,
		      (uint64_t)header->e_shnum * sizeof(Elf64_Shdr))
		       ? 0
		       : -1;
}

static int get_section(const struct text *object, const Elf64_Ehdr *header,
		       unsigned index, Elf64_Shdr *section)
{
	if (index >= header->e_shnum)
		return -1;
	memcpy(section, object->data + header->e_shoff + index * sizeof(*section),
	       sizeof(*section));
	if (section->sh_type == SHT_NOBITS)
		section->sh_size = 0;
	return inside(object, section->sh_offset, section->sh_size) ? 0 : -1;
}

/* 0 found, 1 not there, -1 no module. */
static int find_modinfo(const struct text *object, Elf64_Shdr *section)
{
	static const char wanted[] = ".modinfo";
	Elf64_Ehdr header;
	Elf64_Shdr names;

	if (get_header(object, &header) ||
	    get_section(object, &header, header.e_shstrndx, &names))
		return -1;
	for (unsigned i = 0; i < header.e_shnum; i++) {
		if (get_section(object, &header, i, section))
			return -1;
		if (section->sh_name < names.sh_size &&
		    names.sh_size - section->sh_name >= sizeof(wanted) &&
		    !memcmp(object->data + names.sh_offset + section->sh_name, wanted,
			    sizeof(wanted)))
			return 0;
	}
	return 1;
}

static void collect(const char *text, size_t size, const char *key,
		    struct text_list *values)
{
	size_t key_length = strlen(key);

	while (size > 0) {
		size_t length = strnlen(text, size);

		if (length > key_length && !memcmp(text, key, key_length) &&
		    text[key_length] == '=') {
			CLEANUP(cleanup_free)
			char *value = memory_copy_bytes(text + key_length + 1,
							length - key_length - 1);

			text_list_add(values, value);
		}
		length += length < size; /* the terminator */
		text += length;
		size -= length;
	}
}

int modinfo_values(const struct text *object, const char *name, const char *key,
		   struct text_list *ret_values, struct error *err)
{
	Elf64_Shdr section;
	int found = find_modinfo(object, &section);

	if (found < 0)
		return error_set(err, ERROR_HOST, "%s: not a 64-bit kernel module", name);
	if (found == 0)
		collect(object->data + section.sh_offset, section.sh_size, key,
			ret_values);
	return 0;
}
