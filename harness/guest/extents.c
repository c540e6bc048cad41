/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/extents.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = {'K', 'R', 'E', 'X', 'T', 0, 0, 1};
static const char cannot_write[] = "the image file cannot be written";

static int put(FILE *out, uint64_t value)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(value >> (8 * i));
	return fwrite(bytes, sizeof(bytes), 1, out) == 1 ? 0 : -1;
}

static int get(FILE *in, uint64_t *ret_value)
{
	unsigned char bytes[8];

	if (fread(bytes, sizeof(bytes), 1, in) != 1)
		return -1;
	*ret_value = 0;
	for (int i = 0; i < 8; i++)
		*ret_value |= (uint64_t)bytes[i] << (8 * i);
	return 0;
}

static int is_zero(const char *bytes, size_t length)
{
	return !length || (!bytes[0] && !memcmp(bytes, bytes + 1, length - 1));
}

/* The bytes of a chunk up to the next block that is all zero, or not, as `zero` says. */
static size_t span(const char *bytes, size_t length, int zero)
{
	size_t at = 0, block;

	while (at < length) {
		block = length - at < EXTENTS_BLOCK ? length - at : EXTENTS_BLOCK;
		if (is_zero(bytes + at, block) != zero)
			break;
		at += block;
	}
	return at;
}

static int write_chunk(const char *bytes, size_t length, uint64_t offset, FILE *out)
{
	size_t piece;

	for (size_t at = 0; at < length; at += piece) {
		at += span(bytes + at, length - at, 1);
		piece = span(bytes + at, length - at, 0);
		if (piece && (put(out, offset + at) || put(out, piece) ||
			      fwrite(bytes + at, piece, 1, out) != 1))
			return -1;
	}
	return 0;
}

/*
 * The next offset that may hold something; size where none does. A file system without
 * SEEK_DATA makes every byte count as data.
 */
static uint64_t next_data(int image, uint64_t offset, uint64_t size)
{
	off_t data = lseek(image, (off_t)offset, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? size : offset;
	return (uint64_t)data / EXTENTS_BLOCK * EXTENTS_BLOCK;
}

static int write_pieces(int image, uint64_t size, FILE *out, struct problem *problem)
{
	char chunk[64 * EXTENTS_BLOCK];
	size_t length;
	ssize_t done;

	for (uint64_t offset = next_data(image, 0, size); offset < size;
	     offset = next_data(image, offset + length, size)) {
		length = size - offset < sizeof(chunk) ? size - offset : sizeof(chunk);
		done = pread(image, chunk, length, (off_t)offset);
		if (done < 0 || (size_t)done != length)
			return problem_set(problem, "the disk image cannot be read");
		if (write_chunk(chunk, length, offset, out))
			return problem_set(problem, "%s", cannot_write);
	}
	return 0;
}

int extents_write(FILE *image, uint64_t size, FILE *out, struct problem *problem)
{
	struct stat status;

	if (fstat(fileno(image), &status) ||
	    (S_ISREG(status.st_mode) && (uint64_t)status.st_size < size))
		return problem_set(problem, "the disk image is shorter than %llu",
				   (unsigned long long)size);
	if (fwrite(magic, sizeof(magic), 1, out) != 1 || put(out, size))
		return problem_set(problem, "%s", cannot_write);
	if (write_pieces(fileno(image), size, out, problem))
		return -1;
	if (put(out, size) || put(out, 0) || fflush(out))
		return problem_set(problem, "%s", cannot_write);
	return 0;
}

int extents_size(FILE *in, uint64_t *ret_size, struct problem *problem)
{
	char found[sizeof(magic)];

	if (fseek(in, 0, SEEK_SET) || fread(found, sizeof(found), 1, in) != 1 ||
	    memcmp(found, magic, sizeof(magic)) || get(in, ret_size))
		return problem_set(problem, "no disk image in extents format");
	return 0;
}

static int write_all(int disk, const char *bytes, size_t length, uint64_t offset,
		     struct problem *problem)
{
	ssize_t done;

	for (; length; bytes += done, length -= (size_t)done, offset += (uint64_t)done) {
		done = pwrite(disk, bytes, length, (off_t)offset);
		if (done < 0)
			return problem_set(problem, "writing the image at %llu: %s",
					   (unsigned long long)offset, strerror(errno));
	}
	return 0;
}

static int write_zeroes(int disk, uint64_t offset, uint64_t end, struct problem *problem)
{
	static const char zeroes[64 * EXTENTS_BLOCK];
	uint64_t range[2] = {offset, end - offset};
	size_t length;

	if (offset == end || !ioctl(disk, BLKZEROOUT, range))
		return 0;
	for (; offset < end; offset += length) {
		length = end - offset < sizeof(zeroes) ? end - offset : sizeof(zeroes);
		if (write_all(disk, zeroes, length, offset, problem))
			return -1;
	}
	return 0;
}

static int apply_piece(FILE *in, int disk, uint64_t offset, uint64_t length,
		       struct problem *problem)
{
	char chunk[16 * EXTENTS_BLOCK];
	size_t part;

	for (; length; length -= part, offset += part) {
		part = length < sizeof(chunk) ? length : sizeof(chunk);
		if (fread(chunk, part, 1, in) != 1)
			return problem_set(problem, "the disk image is cut");
		if (write_all(disk, chunk, part, offset, problem))
			return -1;
	}
	return 0;
}

int extents_apply(FILE *in, int disk, int zero_rest, struct problem *problem)
{
	uint64_t size, offset, length, end = 0;

	if (extents_size(in, &size, problem))
		return -1;
	do {
		if (get(in, &offset) || get(in, &length))
			return problem_set(problem, "the disk image is cut");
		if (offset < end || offset > size || length > size - offset)
			return problem_set(problem, "the disk image has a bad piece");
		if (zero_rest && write_zeroes(disk, end, offset, problem))
			return -1;
		if (apply_piece(in, disk, offset, length, problem))
			return -1;
		end = offset + length;
	} while (length);
	return end == size ? 0 : problem_set(problem, "the disk image has no end");
}
