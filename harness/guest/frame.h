/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames: how records travel from the guest to the host over a byte channel that may
 * lose its head, its tail, or carry foreign text in between.
 *
 *	magic     4 bytes  "KRF\1"
 *	length    4 bytes  of the payload, little-endian, at most FRAME_PAYLOAD_MAX
 *	type      2 bytes  enum result_type
 *	sequence  2 bytes  counts the frames, so that a gap is seen
 *	crc       4 bytes  CRC-32 (IEEE 802.3) of length, type, sequence and payload
 *	payload
 *
 * The decoder skips what is no frame, byte by byte, and never reads beyond its own
 * fixed buffer, whatever comes.
 */
#ifndef GUEST_FRAME_H
#define GUEST_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_HEADER_SIZE = 16,
	FRAME_PAYLOAD_MAX = 8192,
	FRAME_SIZE_MAX = FRAME_HEADER_SIZE + FRAME_PAYLOAD_MAX,
};

struct frame {
	uint16_t type;
	uint16_t sequence;
	uint32_t length;
	const char *payload; /* in the decoder's buffer, until the next call */
};

/* The IEEE CRC-32 of some bytes, going on from an earlier one (0 at first). */
uint32_t frame_crc32(uint32_t crc, const void *bytes, size_t length);

/*
 * Writes one frame and returns its size; 0 where the payload is longer than
 * FRAME_PAYLOAD_MAX. The payload may already stand at its place (out plus header).
 */
size_t frame_encode(char out[FRAME_SIZE_MAX], uint16_t type, uint16_t sequence,
		    const char *payload, size_t length);

/* Start from {0}. */
struct frame_decoder {
	uint64_t skipped; /* bytes that belonged to no frame */
	uint64_t frames;
	uint64_t lost; /* frames that the sequence numbers say are missing */
	uint16_t next_sequence;
	int ended;
	size_t start, end; /* what of the buffer is not decoded yet */
	char buffer[2 * FRAME_SIZE_MAX];
};

/*
 * Takes bytes in and returns how many it took; fewer than given means that frames must
 * be taken out first.
 */
size_t frame_decoder_feed(struct frame_decoder *decoder, const void *bytes,
			  size_t length);

/* 1 and a frame, or 0 where more bytes are needed. */
int frame_decoder_next(struct frame_decoder *decoder, struct frame *ret_frame);

/* No more bytes will come: a frame that is cut no longer holds back what follows it. */
void frame_decoder_end(struct frame_decoder *decoder);

#endif
