/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks: how the agent shows the plugin in QEMU where a run begins and ends. A mark is a
 * long no-operation with a magic number in its unused operand, at the head of a block of
 * its own. It is always there, costs three instructions, and nothing but the plugin
 * takes notice of it.
 */
#ifndef GUEST_MARK_H
#define GUEST_MARK_H

enum {
	MARK_BEGIN = 'B',    /* of a run */
	MARK_PAUSE = 'P',    /* the run's clock stands ... */
	MARK_CONTINUE = 'C', /* ... and goes on */
	MARK_END = 'E',      /* of a run */
};

/* nopl 0xKK4d524b(%rax), where KK is the kind. */
enum { MARK_SIZE = 7, MARK_KIND = 6 };
#define MARK_BYTES 0x0f, 0x1f, 0x80, 0x4b, 0x52, 0x4d

#ifdef __x86_64__
#define MARK(kind)                                                                       \
	__asm__ volatile("jmp 1f\n"                                                      \
			 "1:\t.byte 0x0f, 0x1f, 0x80, 0x4b, 0x52, 0x4d, %c0\n"           \
			 "\tjmp 2f\n"                                                    \
			 "2:"                                                            \
			 :                                                               \
			 : "i"(kind)                                                     \
			 : "memory")
#else
#define MARK(kind) ((void)0)
#endif

#endif
