/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/tail.h"

#include "base/memory.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tail_init(struct tail *tail, const char *path)
{
	*tail = (struct tail){.path = memory_copy_string(path), .fd = -1};
}

void tail_finish(struct tail *tail)
{
	if (tail->fd >= 0)
		close(tail->fd);
	free(tail->path);
	*tail = (struct tail){.fd = -1};
}

static int open_late(struct tail *tail, struct error *err)
{
	tail->fd = open(tail->path, O_RDONLY | O_CLOEXEC);
	if (tail->fd < 0 && errno != ENOENT)
		return error_system(err, "cannot read %s", tail->path);
	return 0;
}

int tail_read(struct tail *tail, size_t limit, struct text *bytes, int *ret_more,
	      struct error *err)
{
	char buffer[16384];

	*ret_more = 0;
	if (!tail->path || (tail->fd < 0 && open_late(tail, err)))
		return tail->path ? -1 : 0;
	while (tail->fd >= 0) {
		size_t want = limit < sizeof(buffer) ? limit : sizeof(buffer);
		ssize_t got = pread(tail->fd, buffer, want, (off_t)tail->offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_system(err, "cannot read %s", tail->path);
		if (got == 0)
			break;
		text_add_bytes(bytes, buffer, (size_t)got);
		tail->offset += (uint64_t)got;
		tail->last = process_now();
		limit -= (size_t)got;
		if (limit == 0) {
			*ret_more = 1;
			break;
		}
	}
	return 0;
}

static const struct {
	const char *words;
	int panic; /* the kernel is dead, not only hurt */
} signs[] = {
	{"Kernel panic - not syncing", 1},
	{"BUG: ", 0},
	{"kernel BUG at ", 0},
	{"Oops: ", 0},
	{"general protection fault", 0},
	{"blocked for more than", 0},
	{"rcu_sched self-detected stall", 0},
	{"rcu_preempt self-detected stall", 0},
	{"detected stalls on CPUs/tasks", 0},
};

static void look_for_trouble(struct console *console, const char *line)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (!strstr(line, signs[i].words))
			continue;
		/* A panic says most: it takes the place of the oops before it. */
		if (!console->trouble[0] || (signs[i].panic && !console->panicked))
			strcpy(console->trouble, line);
		console->panicked |= signs[i].panic;
		return;
	}
}

static void end_line(struct console *console)
{
	console->line[console->length] = '\0';
	if (console->length > 0) {
		strcpy(console->last, console->line);
		look_for_trouble(console, console->line);
	}
	console->length = 0;
	console->line[0] = '\0';
}

/* A guest may write anything: only printable ASCII goes on to people. */
static char printable(char byte)
{
	return byte >= ' ' && byte <= '~' ? byte : '.';
}

void console_add(struct console *console, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n' || console->length == sizeof(console->line) - 1)
			end_line(console);
		if (bytes[i] == '\n' || bytes[i] == '\r')
			continue;
		console->line[console->length++] = printable(bytes[i]);
		console->line[console->length] = '\0';
	}
}

const char *console_last_line(const struct console *console)
{
	return console->length ? console->line : console->last;
}
