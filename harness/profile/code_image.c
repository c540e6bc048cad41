/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/code.h"

#include <elf.h>
#include <string.h>

/* Below are only offsets, those of the variables of a processor. */
#define KERNEL_BASE 0xffffffff80000000u

static int refuse(const char *problem, struct error *err)
{
	return error_set(err, ERROR_USAGE, "kernel image: %s", problem);
}

static int read_header(const void *bytes, size_t length, Elf64_Ehdr *header,
		       struct error *err)
{
	if (length < sizeof(*header))
		return refuse("no ELF file", err);
	memcpy(header, bytes, sizeof(*header));
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB)
		return refuse("no ELF file of 64 bits", err);
	if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff > length ||
	    header->e_phnum > (length - header->e_phoff) / sizeof(Elf64_Phdr))
		return refuse("its program headers are damaged", err);
	return 0;
}

static int add_segment(struct code_image *image, const Elf64_Phdr *segment, size_t length,
		       struct error *err)
{
	if (segment->p_type != PT_LOAD)
		return 0;
	if (segment->p_offset > length ||
	    segment->p_filesz > length - segment->p_offset ||
	    segment->p_filesz > UINT64_MAX - segment->p_vaddr)
		return refuse("a segment is cut", err);
	if (image->count == CODE_SEGMENTS)
		return refuse("too many segments", err);
	image->segments[image->count++] = (struct code_segment){
		segment->p_vaddr, segment->p_filesz, segment->p_offset};
	if (segment->p_vaddr < KERNEL_BASE ||
	    segment->p_memsz > UINT64_MAX - segment->p_vaddr)
		return 0;
	if (!image->low || segment->p_vaddr < image->low)
		image->low = segment->p_vaddr;
	if (segment->p_vaddr + segment->p_memsz > image->high)
		image->high = segment->p_vaddr + segment->p_memsz;
	return 0;
}

int code_image_read(const void *bytes, size_t length, struct code_image *ret_image,
		    struct error *err)
{
	struct code_image image = {.bytes = bytes};
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	if (read_header(bytes, length, &header, err))
		return -1;
	for (size_t i = 0; i < header.e_phnum; i++) {
		memcpy(&segment, image.bytes + header.e_phoff + i * sizeof(segment),
		       sizeof(segment));
		if (add_segment(&image, &segment, length, err))
			return -1;
	}
	*ret_image = image;
	return 0;
}

const unsigned char *code_image_at(const struct code_image *image, uint64_t address,
				   uint64_t size)
{
	for (size_t i = 0; i < image->count; i++) {
		const struct code_segment *segment = &image->segments[i];

		if (address >= segment->address &&
		    address - segment->address <= segment->size &&
		    size <= segment->size - (address - segment->address))
			return image->bytes + segment->offset +
			       (address - segment->address);
	}
	return NULL;
}
