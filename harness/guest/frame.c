/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/frame.h"

#include <string.h>

static const char magic[4] = {'K', 'R', 'F', 1};

/* Half a byte at a time: no table to build, and quick enough for results. */
uint32_t frame_crc32(uint32_t crc, const void *bytes, size_t length)
{
	static const uint32_t nibbles[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const unsigned char *byte = bytes;

	crc = ~crc;
	for (size_t i = 0; i < length; i++) {
		crc ^= byte[i];
		crc = crc >> 4 ^ nibbles[crc & 15];
		crc = crc >> 4 ^ nibbles[crc & 15];
	}
	return ~crc;
}

static void put(char *out, uint32_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		out[i] = (char)(value >> (8 * i));
}

static uint32_t get(const char *in, int bytes)
{
	uint32_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint32_t)(unsigned char)in[i] << (8 * i);
	return value;
}

static uint32_t checksum(const char *frame, size_t length)
{
	return frame_crc32(frame_crc32(0, frame + 4, 8), frame + FRAME_HEADER_SIZE,
			   length);
}

size_t frame_encode(char out[FRAME_SIZE_MAX], uint16_t type, uint16_t sequence,
		    const char *payload, size_t length)
{
	if (length > FRAME_PAYLOAD_MAX)
		return 0;
	memmove(out + FRAME_HEADER_SIZE, payload, length);
	memcpy(out, magic, sizeof(magic));
	put(out + 4, (uint32_t)length, 4);
	put(out + 8, type, 2);
	put(out + 10, sequence, 2);
	put(out + 12, checksum(out, length), 4);
	return FRAME_HEADER_SIZE + length;
}

size_t frame_decoder_feed(struct frame_decoder *decoder, const void *bytes, size_t length)
{
	size_t room;

	if (decoder->start) {
		memmove(decoder->buffer, decoder->buffer + decoder->start,
			decoder->end - decoder->start);
		decoder->end -= decoder->start;
		decoder->start = 0;
	}
	room = sizeof(decoder->buffer) - decoder->end;
	if (length > room)
		length = room;
	if (length)
		memcpy(decoder->buffer + decoder->end, bytes, length);
	decoder->end += length;
	return length;
}

enum look { LOOK_FRAME, LOOK_NONE, LOOK_CUT };

/* What stands at the start of the undecoded bytes. */
static enum look look(const struct frame_decoder *decoder, struct frame *ret_frame)
{
	const char *at = decoder->buffer + decoder->start;
	size_t available = decoder->end - decoder->start;
	uint32_t length;

	if (memcmp(at, magic, available < 4 ? available : 4))
		return LOOK_NONE;
	if (available < FRAME_HEADER_SIZE)
		return LOOK_CUT;
	length = get(at + 4, 4);
	if (length > FRAME_PAYLOAD_MAX)
		return LOOK_NONE;
	if (available < FRAME_HEADER_SIZE + length)
		return LOOK_CUT;
	if (get(at + 12, 4) != checksum(at, length))
		return LOOK_NONE;
	ret_frame->type = (uint16_t)get(at + 8, 2);
	ret_frame->sequence = (uint16_t)get(at + 10, 2);
	ret_frame->length = length;
	ret_frame->payload = at + FRAME_HEADER_SIZE;
	return LOOK_FRAME;
}

static void count_frame(struct frame_decoder *decoder, const struct frame *frame)
{
	decoder->lost += (uint16_t)(frame->sequence - decoder->next_sequence);
	decoder->next_sequence = (uint16_t)(frame->sequence + 1);
	decoder->frames++;
	decoder->start += FRAME_HEADER_SIZE + frame->length;
}

int frame_decoder_next(struct frame_decoder *decoder, struct frame *ret_frame)
{
	while (decoder->start < decoder->end) {
		switch (look(decoder, ret_frame)) {
		case LOOK_FRAME:
			count_frame(decoder, ret_frame);
			return 1;
		case LOOK_CUT:
			if (!decoder->ended)
				return 0;
			/* fall through */
		case LOOK_NONE:
			decoder->start++;
			decoder->skipped++;
			break;
		}
	}
	return 0;
}

void frame_decoder_end(struct frame_decoder *decoder)
{
	decoder->ended = 1;
}
