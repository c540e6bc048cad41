/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/label_private.h"

#include "base/memory.h"

#include <string.h>

size_t label_split(const char *label, struct label_parameter parameters[LABEL_PARAMETERS])
{
	size_t count = 0;

	while (*label && count < LABEL_PARAMETERS) {
		size_t length = strcspn(label, ",");
		size_t name = strcspn(label, "=");
		int has_value = name < length;

		name = has_value ? name : length;
		parameters[count++] = (struct label_parameter){
			.name = label,
			.name_length = name,
			.value = label + name + has_value,
			.value_length = length - name - (size_t)has_value,
		};
		label += length + (label[length] == ',');
	}
	return count;
}

int label_is_named(const struct label_parameter *parameter, const char *name)
{
	return parameter->name_length == strlen(name) &&
	       !memcmp(parameter->name, name, parameter->name_length);
}

const struct label_parameter *label_find(const struct label_parameter *list, size_t count,
					 const struct label_parameter *like)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].name_length == like->name_length &&
		    !memcmp(list[i].name, like->name, like->name_length))
			return &list[i];
	return NULL;
}

char *label_without_run(const char *label)
{
	const char *run = strstr(label, "run=");

	if (!run || strchr(run, ',') || (run != label && run[-1] != ','))
		return memory_copy_string(label);
	return memory_copy_bytes(label, run == label ? 0 : (size_t)(run - label - 1));
}

void label_take_out(const char *label, const char *name, struct text *rest,
		    struct text *value)
{
	struct label_parameter parameters[LABEL_PARAMETERS];
	size_t count = label_split(label, parameters);

	for (size_t i = 0; i < count; i++) {
		const struct label_parameter *item = &parameters[i];

		if (label_is_named(item, name)) {
			text_add_bytes(value, item->value, item->value_length);
			continue;
		}
		text_add(rest, rest->size ? "," : "");
		text_add_bytes(rest, item->name, item->name_length);
		text_add_char(rest, '=');
		text_add_bytes(rest, item->value, item->value_length);
	}
}
