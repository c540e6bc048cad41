/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/owner.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BOOT_ID_PATH "/proc/sys/kernel/random/boot_id"

/* Behind the name, which may hold spaces and brackets, field 22 is the 20th. */
enum { FIELDS_TO_START = 20 };

static int read_start(pid_t pid, uint64_t *ret_start, struct error *err)
{
	CLEANUP(text_finish) struct text stat = {0};
	char path[64];
	char *rest, *field = NULL;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (file_read(path, 1 << 16, &stat, err))
		return -1;
	rest = strrchr(text_string(&stat), ')');
	rest = rest ? rest + 2 : NULL;
	for (int i = 0; rest && i < FIELDS_TO_START; i++)
		field = strsep(&rest, " ");
	if (!field || number_parse_unsigned(field, ret_start))
		return error_set(err, ERROR_HOST, "%s: no start time", path);
	return 0;
}

static int read_boot_id(char *boot_id, struct error *err)
{
	CLEANUP(text_finish) struct text text = {0};
	size_t length;

	if (file_read(BOOT_ID_PATH, 4096, &text, err))
		return -1;
	length = strcspn(text_string(&text), "\n");
	if (length == 0 || length >= VM_BOOT_ID_SIZE)
		return error_set(err, ERROR_HOST, "%s: no boot id", BOOT_ID_PATH);
	memcpy(boot_id, text.data, length);
	boot_id[length] = '\0';
	return 0;
}

int vm_owner_self(struct vm_owner *ret_owner, struct error *err)
{
	struct vm_owner owner = {.pid = getpid()};

	if (read_boot_id(owner.boot_id, err) || read_start(owner.pid, &owner.start, err))
		return -1;
	*ret_owner = owner;
	return 0;
}

int vm_owner_alive(const struct vm_owner *owner)
{
	char boot_id[VM_BOOT_ID_SIZE];
	struct error unused;
	uint64_t start;

	if (read_boot_id(boot_id, &unused) || strcmp(boot_id, owner->boot_id))
		return 0;
	return read_start(owner->pid, &start, &unused) == 0 && start == owner->start;
}

/* The value of NAME='...' or NAME="..." before the tag's end; -1 where it is not. */
static int find_attribute(const char *tag, const char *name, char *value, size_t size)
{
	size_t tag_length = strcspn(tag, ">"), name_length = strlen(name), length;
	const char *found = memmem(tag, tag_length, name, name_length);
	const char *end;
	char quote;

	if (!found || found == tag || found[-1] != ' ' || found[name_length] != '=')
		return -1;
	quote = found[name_length + 1];
	if (quote != '\'' && quote != '"')
		return -1;
	found += name_length + 2;
	end = memchr(found, quote, (size_t)(tag + tag_length - found));
	length = end ? (size_t)(end - found) : size;
	if (length >= size)
		return -1;
	memcpy(value, found, length);
	value[length] = '\0';
	return 0;
}

int vm_owner_find(const char *xml, struct vm_owner *ret_owner)
{
	const char *tag = strstr(xml, VM_OWNER_NAMESPACE);
	struct vm_owner owner = {0};
	char pid[24], start[24];
	uint64_t number;

	if (!tag || find_attribute(tag, "pid", pid, sizeof(pid)) ||
	    find_attribute(tag, "start", start, sizeof(start)) ||
	    find_attribute(tag, "boot", owner.boot_id, sizeof(owner.boot_id)) ||
	    number_parse_unsigned(pid, &number) || number == 0 || number > INT32_MAX ||
	    number_parse_unsigned(start, &owner.start))
		return -1;
	owner.pid = (pid_t)number;
	*ret_owner = owner;
	return 0;
}
