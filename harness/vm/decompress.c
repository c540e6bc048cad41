/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/decompress.h"

#include <lzma.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { CHUNK = 1 << 16, GZIP_WINDOW = 15 + 16 };

/* Whether so many more bytes are too many. */
static int is_too_large(const struct text *plain, size_t more)
{
	return more > DECOMPRESS_LIMIT - plain->size;
}

static int unpack_xz(const struct text *packed, struct text *plain)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED);
	uint8_t chunk[CHUNK];

	stream.next_in = (const uint8_t *)packed->data;
	stream.avail_in = packed->size;
	while (result == LZMA_OK) {
		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		result = lzma_code(&stream, LZMA_FINISH);
		if (is_too_large(plain, sizeof(chunk) - stream.avail_out))
			result = LZMA_MEM_ERROR;
		else
			text_add_bytes(plain, chunk, sizeof(chunk) - stream.avail_out);
	}
	lzma_end(&stream);
	return result == LZMA_STREAM_END ? 0 : -1;
}

static int unpack_zstd(const struct text *packed, struct text *plain)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	ZSTD_inBuffer in = {.src = packed->data, .size = packed->size};
	char chunk[CHUNK];
	size_t left = 1; /* of the frame; 0 at its end */
	int failed = !stream;

	while (!failed && (in.pos < in.size || left)) {
		ZSTD_outBuffer out = {.dst = chunk, .size = sizeof(chunk)};
		size_t before = in.pos;

		left = ZSTD_decompressStream(stream, &out, &in);
		/* No progress with a frame open: the input was cut. */
		failed = ZSTD_isError(left) || is_too_large(plain, out.pos) ||
			 (in.pos == before && out.pos == 0 && left);
		if (!failed)
			text_add_bytes(plain, chunk, out.pos);
	}
	ZSTD_freeDStream(stream);
	return failed ? -1 : 0;
}

static int unpack_gzip(const struct text *packed, struct text *plain)
{
	z_stream stream = {.next_in = (Bytef *)packed->data,
			   .avail_in = (uInt)packed->size};
	Bytef chunk[CHUNK];
	int result = packed->size > UINT32_MAX ? Z_MEM_ERROR
					       : inflateInit2(&stream, GZIP_WINDOW);

	if (result != Z_OK)
		return -1;
	while (result == Z_OK) {
		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		result = inflate(&stream, Z_NO_FLUSH);
		if (is_too_large(plain, sizeof(chunk) - stream.avail_out))
			result = Z_MEM_ERROR;
		else
			text_add_bytes(plain, chunk, sizeof(chunk) - stream.avail_out);
	}
	inflateEnd(&stream);
	return result == Z_STREAM_END ? 0 : -1;
}

static const struct {
	const char *magic;
	size_t length;
	const char *name;
	int (*unpack)(const struct text *packed, struct text *plain);
} forms[] = {
	{"\xfd"
	 "7zXZ\0",
	 6, "xz", unpack_xz},
	{"\x28\xb5\x2f\xfd", 4, "zstd", unpack_zstd},
	{"\x1f\x8b", 2, "gzip", unpack_gzip},
};

int decompress(const struct text *packed, const char *name, struct text *ret_plain,
	       struct error *err)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (packed->size < forms[i].length ||
		    memcmp(packed->data, forms[i].magic, forms[i].length))
			continue;
		if (forms[i].unpack(packed, ret_plain))
			return error_set(err, ERROR_HOST, "%s: damaged %s data", name,
					 forms[i].name);
		return 0;
	}
	text_add_bytes(ret_plain, packed->data, packed->size);
	return 0;
}
