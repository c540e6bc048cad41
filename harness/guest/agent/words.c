/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/agent/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct splitter {
	const struct disk *disks;
	size_t disk_count;
	struct words *words;
	size_t used;
	int in_word;
};

static int add_bytes(struct splitter *splitter, const char *bytes, size_t length,
		     struct failure *failure)
{
	struct words *words = splitter->words;

	if (length >= sizeof(words->bytes) - splitter->used)
		return failure_set(failure, "", "the command is too long");
	if (!splitter->in_word) {
		if (words->count == WORDS_MAX)
			return failure_set(failure, "", "the command has too many words");
		words->word[words->count++] = words->bytes + splitter->used;
		splitter->in_word = 1;
	}
	memcpy(words->bytes + splitter->used, bytes, length);
	splitter->used += length;
	words->bytes[splitter->used] = '\0';
	return 0;
}

static void end_word(struct splitter *splitter)
{
	if (splitter->in_word)
		splitter->used++;
	splitter->in_word = 0;
}

/* "{disk0}" or "{mount0}" at `at`: its end, or NULL where it is neither. */
static const char *find_variable(const char *at, const char *name, size_t *ret_index)
{
	size_t length = strlen(name);
	char *end;

	if (strncmp(at, name, length) || at[length] < '0' || at[length] > '9')
		return NULL;
	*ret_index = strtoul(at + length, &end, 10);
	return *end == '}' ? end + 1 : NULL;
}

/* Takes one variable or one character and moves behind it. */
static int take(struct splitter *splitter, const char **at, struct failure *failure)
{
	const char *end, *value;
	size_t index;
	int mount;

	end = find_variable(*at, "{disk", &index);
	mount = !end;
	if (!end)
		end = find_variable(*at, "{mount", &index);
	if (!end)
		return add_bytes(splitter, (*at)++, 1, failure);
	if (index >= splitter->disk_count)
		return failure_set(failure, "", "the case has no disk %zu", index);
	value = mount ? splitter->disks[index].mount : splitter->disks[index].path;
	*at = end;
	return add_bytes(splitter, value, strlen(value), failure);
}

static int take_quoted(struct splitter *splitter, const char **at,
		       struct failure *failure)
{
	char quote = *(*at)++;

	if (add_bytes(splitter, "", 0, failure))
		return -1;
	while (**at && **at != quote)
		if (take(splitter, at, failure))
			return -1;
	if (!**at)
		return failure_set(failure, "", "a quote of the command is not closed");
	(*at)++;
	return 0;
}

int words_split(const char *command, const struct disk *disks, size_t disk_count,
		struct words *ret_words, struct failure *failure)
{
	struct splitter splitter = {disks, disk_count, ret_words, 0, 0};
	int result = 0;

	memset(ret_words, 0, sizeof(*ret_words));
	while (*command && !result) {
		if (*command == ' ') {
			end_word(&splitter);
			command++;
		} else if (*command == '\'' || *command == '"') {
			result = take_quoted(&splitter, &command, failure);
		} else {
			result = take(&splitter, &command, failure);
		}
	}
	if (!result && !ret_words->count)
		return failure_set(failure, "", "the command is empty");
	return result;
}
