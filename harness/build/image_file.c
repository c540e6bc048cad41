/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/image_file.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	SIGNATURE_AT = 0x1fe, /* boot protocol of x86, Documentation/arch/x86/boot.rst */
	HEADER_MAGIC_AT = 0x202,
	VERSION_POINTER_AT = 0x20e,
	NOTE_PVH_ENTRY = 18, /* owner "Xen" */
	MOST_RELEASE = 64,   /* of struct utsname */
};

static int refuse(const char *path, const char *why, struct error *err)
{
	return error_set(err, ERROR_USAGE, "%s: %s", path, why);
}

void image_identity_finish(struct image_identity *identity)
{
	free(identity->release);
	free(identity->banner);
	free(identity->build_id);
	*identity = (struct image_identity){0};
}

/* The release names folders and goes to depmod: an image must not choose others. */
static int is_release(const char *text, size_t length)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_~";

	return length > 0 && length <= MOST_RELEASE && isdigit((unsigned char)*text) &&
	       strspn(text, letters) >= length;
}

/*
 * "6.1.0 (user@host) (compiler) #1 SMP date": the first word is uname -r, uname -v
 * starts at the first " #".
 */
static int split_banner(const char *text, size_t size, struct image_identity *identity)
{
	const char *end = memchr(text, '\n', size);
	const char *zero = memchr(text, '\0', size);
	const char *space, *number;

	if (!end || (zero && zero < end))
		end = zero;
	if (!end)
		return -1;
	space = memchr(text, ' ', (size_t)(end - text));
	if (!space || !is_release(text, (size_t)(space - text)))
		return -1;
	number = memmem(space, (size_t)(end - space), ") #", 3);
	identity->release = memory_copy_bytes(text, (size_t)(space - text));
	identity->banner =
		number ? memory_copy_bytes(number + 2, (size_t)(end - number) - 2)
		       : memory_copy_string("");
	return 0;
}

static int identify_boot_image(const struct text *file, struct image_identity *identity)
{
	size_t at;

	at = (size_t)(unsigned char)file->data[VERSION_POINTER_AT] |
	     (size_t)(unsigned char)file->data[VERSION_POINTER_AT + 1] << 8;
	at += 0x200;
	if (at >= file->size)
		return -1;
	identity->format = KERNEL_BZIMAGE;
	identity->build_id = memory_copy_string("");
	return split_banner(file->data + at, file->size - at, identity);
}

struct notes {
	int has_entry;
	char *build_id;
};

static void take_note(const Elf64_Nhdr *note, const char *owner, const char *content,
		      struct notes *notes)
{
	static const char digits[] = "0123456789abcdef";
	struct text hex = {0};

	if (note->n_type == NOTE_PVH_ENTRY && note->n_namesz == 4 &&
	    !memcmp(owner, "Xen", 4))
		notes->has_entry = 1;
	if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 ||
	    memcmp(owner, "GNU", 4) || notes->build_id)
		return;
	for (Elf64_Word i = 0; i < note->n_descsz; i++) {
		text_add_char(&hex, digits[(unsigned char)content[i] >> 4]);
		text_add_char(&hex, digits[(unsigned char)content[i] & 15]);
	}
	notes->build_id = text_take(&hex);
}

static void read_notes(const char *data, size_t size, struct notes *notes)
{
	size_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= size) {
		Elf64_Nhdr note;
		size_t name_size, content_size;

		memcpy(&note, data + at, sizeof(note));
		name_size = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		content_size = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		at += sizeof(note);
		if (name_size > size - at || content_size > size - at - name_size)
			return;
		take_note(&note, data + at, data + at + name_size, notes);
		at += name_size + content_size;
	}
}

static void read_all_notes(const struct text *file, const Elf64_Ehdr *header,
			   struct notes *notes)
{
	for (size_t i = 0; i < header->e_phnum; i++) {
		size_t at = header->e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (at > file->size || sizeof(segment) > file->size - at)
			return;
		memcpy(&segment, file->data + at, sizeof(segment));
		if (segment.p_type == PT_NOTE && segment.p_offset <= file->size &&
		    segment.p_filesz <= file->size - segment.p_offset)
			read_notes(file->data + segment.p_offset, segment.p_filesz,
				   notes);
	}
}

static int find_banner(const struct text *file, struct image_identity *identity)
{
	static const char mark[] = "Linux version ";
	const size_t length = sizeof(mark) - 1;
	const char *at = file->data, *end = file->data + file->size;

	while ((at = memmem(at, (size_t)(end - at), mark, length))) {
		at += length;
		if (at < end && isdigit((unsigned char)*at))
			return split_banner(at, (size_t)(end - at), identity);
	}
	return -1;
}

static int identify_elf(const char *path, const struct text *file,
			struct image_identity *identity, struct error *err)
{
	struct notes notes = {0};
	Elf64_Ehdr header;

	if (file->size < sizeof(header) || file->data[EI_CLASS] != ELFCLASS64)
		return refuse(path, "is no 64-bit ELF file", err);
	memcpy(&header, file->data, sizeof(header));
	if (header.e_machine != EM_X86_64 || header.e_phentsize != sizeof(Elf64_Phdr))
		return refuse(path, "is no x86-64 kernel", err);
	read_all_notes(file, &header, &notes);
	identity->format = KERNEL_ELF;
	identity->build_id = notes.build_id ? notes.build_id : memory_copy_string("");
	if (!notes.has_entry)
		return refuse(path,
			      "has no PVH entry (CONFIG_PVH) and cannot be started; "
			      "give the bzImage",
			      err);
	if (find_banner(file, identity))
		return refuse(path, "holds no \"Linux version\"", err);
	return 0;
}

static int identify(const char *path, const struct text *file,
		    struct image_identity *identity, struct error *err)
{
	if (file->size >= SELFMAG && !memcmp(file->data, ELFMAG, SELFMAG))
		return identify_elf(path, file, identity, err);
	if (file->size < 0x400 || memcmp(file->data + SIGNATURE_AT, "\x55\xaa", 2) ||
	    memcmp(file->data + HEADER_MAGIC_AT, "HdrS", 4))
		return refuse(path, "is neither a bzImage nor a vmlinux", err);
	if (identify_boot_image(file, identity))
		return refuse(path, "does not tell its version", err);
	return 0;
}

/* The bytes of a file, mapped: images are large and each byte is looked at once. */
static int map_file(const char *path, struct text *ret_file, struct error *err)
{
	CLEANUP(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status)) {
		error_system(err, "cannot read %s", path);
		return error_change_kind(err, ERROR_USAGE);
	}
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return refuse(path, "is no kernel image", err);
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return error_system(err, "cannot read %s", path);
	*ret_file = (struct text){.data = bytes, .size = (size_t)status.st_size};
	return 0;
}

int image_identify(const char *path, struct image_identity *ret_identity,
		   struct error *err)
{
	CLEANUP(image_identity_finish) struct image_identity identity = {0};
	struct text file = {0};
	struct hash hash;
	int result;

	if (map_file(path, &file, err))
		return -1;
	result = identify(path, &file, &identity, err);
	hash_init(&hash);
	hash_field(&hash, "image", file.data, file.size);
	hash_hex(&hash, identity.digest);
	munmap(file.data, file.size);
	if (result)
		return -1;
	*ret_identity = identity;
	identity = (struct image_identity){0};
	return 0;
}
