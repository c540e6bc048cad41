/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/hello.h"

#include "guest/agent/clock.h"
#include "guest/agent/sysfs.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

static size_t pad(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

void hello_build_id(const unsigned char *notes, size_t size,
		    char ret_id[RESULT_STRING_SIZE])
{
	Elf64_Nhdr note;
	size_t at = 0, name, value;

	ret_id[0] = '\0';
	while (size - at >= sizeof(note)) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		if (note.n_namesz > size || note.n_descsz > size)
			return;
		value = name + pad(note.n_namesz);
		at = value + pad(note.n_descsz);
		if (at > size)
			return;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4) ||
		    2 * note.n_descsz >= RESULT_STRING_SIZE)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			snprintf(ret_id + 2 * i, 3, "%02x", notes[value + i]);
		return;
	}
}

static void read_build_id(char ret_id[RESULT_STRING_SIZE])
{
	unsigned char notes[8192];
	FILE *file = fopen("/sys/kernel/notes", "re");

	if (!file)
		return;
	hello_build_id(notes, fread(notes, 1, sizeof(notes), file), ret_id);
	fclose(file);
}

void hello_fill(struct result_hello *hello)
{
	struct utsname name;
	struct sysinfo info;

	if (!uname(&name)) {
		snprintf(hello->release, sizeof(hello->release), "%s", name.release);
		snprintf(hello->version, sizeof(hello->version), "%s", name.version);
		snprintf(hello->machine, sizeof(hello->machine), "%s", name.machine);
	}
	if (!sysinfo(&info))
		hello->memory = (uint64_t)info.totalram * info.mem_unit;
	read_build_id(hello->build_id);
	hello->processors = (uint64_t)get_nprocs();
	hello->uptime = clock_uptime();
	sysfs_read("/proc/cmdline", hello->command_line, sizeof(hello->command_line));
}
