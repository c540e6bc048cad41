/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON form keeps what report.schema.json promises. The validator knows the words of
 * JSON Schema that the file uses, and refuses a schema with others.
 */
#include "report_story.h"

#include <jansson.h>

#define SCHEMA "harness/report/report.schema.json"

struct place {
	const json_t *schema; /* the whole one, for references */
	char path[400];
	char problem[600]; /* the first; "" while there is none */
};

static int accepts(struct place *place, const json_t *rule, const json_t *value);

static int refuse(struct place *place, const char *why)
{
	if (!*place->problem)
		snprintf(place->problem, sizeof(place->problem), "%s: %s", place->path,
			 why);
	return 0;
}

static int has_type(const json_t *value, const char *type)
{
	static const struct {
		const char *name;
		json_type type;
	} types[] = {
		{"object", JSON_OBJECT}, {"array", JSON_ARRAY},
		{"string", JSON_STRING}, {"integer", JSON_INTEGER},
		{"number", JSON_REAL},   {"number", JSON_INTEGER},
		{"null", JSON_NULL},     {"boolean", JSON_TRUE},
		{"boolean", JSON_FALSE},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(types[i].name, type) && types[i].type == json_typeof(value))
			return 1;
	return 0;
}

static int check_type(struct place *place, const json_t *types, const json_t *value)
{
	size_t i;
	json_t *type;

	if (json_is_string(types))
		return has_type(value, json_string_value(types)) ||
		       refuse(place, json_string_value(types));
	json_array_foreach(types, i,
			   type) if (has_type(value, json_string_value(type))) return 1;
	return refuse(place, "none of its types");
}

static int check_enum(struct place *place, const json_t *list, const json_t *value)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item) if (json_equal(item, value)) return 1;
	return refuse(place, json_string_value(value));
}

static int check_required(struct place *place, const json_t *list, const json_t *value)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item) if (
		!json_object_get(
			value,
			json_string_value(item))) return refuse(place,
								json_string_value(item));
	return 1;
}

static int check_reference(struct place *place, const json_t *name, const json_t *value)
{
	const char *target = strrchr(json_string_value(name), '/') + 1;
	const json_t *rule =
		json_object_get(json_object_get(place->schema, "$defs"), target);

	assert_non_null(rule);
	return accepts(place, rule, value);
}

static int check_any(struct place *place, const json_t *rules, const json_t *value)
{
	size_t i;
	json_t *rule;

	json_array_foreach(rules, i, rule)
	{
		struct place trial = *place;

		if (accepts(&trial, rule, value))
			return 1;
		if (!json_is_null(value))
			memcpy(place->problem, trial.problem, sizeof(trial.problem));
		if (!json_is_null(value))
			return 0;
	}
	return refuse(place, "none of the alternatives");
}

static int check_items(struct place *place, const json_t *rule, const json_t *value)
{
	size_t length = strlen(place->path), i;
	json_t *item;

	json_array_foreach(value, i, item)
	{
		snprintf(place->path + length, sizeof(place->path) - length, "/%zu", i);
		if (!accepts(place, rule, item))
			return 0;
	}
	place->path[length] = '\0';
	return 1;
}

static int check_count(struct place *place, const json_t *limit, const json_t *value,
		       int sign)
{
	json_int_t count = (json_int_t)json_array_size(value);

	return sign * (count - json_integer_value(limit)) >= 0 ||
	       refuse(place, "number of items");
}

/* Members that properties names, and the others by additionalProperties. */
static int check_members(struct place *place, const json_t *rule, const json_t *value)
{
	const json_t *known = json_object_get(rule, "properties");
	const json_t *others = json_object_get(rule, "additionalProperties");
	size_t length = strlen(place->path);
	const char *name;
	json_t *member;

	json_object_foreach((json_t *)value, name, member)
	{
		const json_t *inner = json_object_get(known, name);

		snprintf(place->path + length, sizeof(place->path) - length, "/%s", name);
		if (!inner && json_is_false(others))
			return refuse(place, "not in the schema");
		if (!accepts(place, inner ? inner : others, member))
			return 0;
	}
	place->path[length] = '\0';
	return 1;
}

static int check_word(struct place *place, const json_t *rule, const char *word,
		      const json_t *operand, const json_t *value)
{
	if (!strcmp(word, "type"))
		return check_type(place, operand, value);
	if (!strcmp(word, "enum"))
		return check_enum(place, operand, value);
	if (!strcmp(word, "required"))
		return check_required(place, operand, value);
	if (!strcmp(word, "$ref"))
		return check_reference(place, operand, value);
	if (!strcmp(word, "anyOf"))
		return check_any(place, operand, value);
	if (!strcmp(word, "items"))
		return check_items(place, operand, value);
	if (!strcmp(word, "minItems"))
		return check_count(place, operand, value, 1);
	if (!strcmp(word, "maxItems"))
		return check_count(place, operand, value, -1);
	if (!strcmp(word, "additionalProperties"))
		return check_members(place, rule, value);
	if (!strcmp(word, "properties") || !strcmp(word, "description") ||
	    !strcmp(word, "title") || !strcmp(word, "$schema") || !strcmp(word, "$defs"))
		return 1;
	fail_msg("the validator does not know \"%s\"", word);
	return 0;
}

static int accepts(struct place *place, const json_t *rule, const json_t *value)
{
	const char *word;
	json_t *operand;

	assert_non_null(rule);
	json_object_foreach(
		(json_t *)rule, word,
		operand) if (!check_word(place, rule, word, operand, value)) return 0;
	return 1;
}

static json_t *load_schema(void)
{
	json_error_t error;
	json_t *schema = json_load_file(SCHEMA, JSON_REJECT_DUPLICATES, &error);

	if (!schema)
		fail_msg(SCHEMA ":%d: %s", error.line, error.text);
	return schema;
}

static void assert_valid(const struct text *page)
{
	json_t *schema = load_schema();
	json_t *document = json_loads(page->data, JSON_REJECT_DUPLICATES, NULL);
	struct place place = {.schema = schema};

	assert_non_null(document);
	if (!accepts(&place, schema, document))
		fail_msg("%s", place.problem);
	json_decref(document);
	json_decref(schema);
}

static void a_report_is_valid(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story;

	(void)state;
	story_init(&story);
	tell_finding(&story);
	write_form(&story, "json", &page);
	assert_valid(&page);
	world_finish(&story.world);
}

static void an_empty_report_is_valid(void **state)
{
	CLEANUP(text_finish) struct text page = {0};
	struct story story = {0};

	(void)state;
	world_init(&story.world);
	write_form(&story, "json", &page);
	assert_valid(&page);
	world_finish(&story.world);
}

/* A validator that takes everything would prove nothing. */
static void the_validator_refuses(void **state)
{
	static const char *const wrong[] = {
		"[]",
		"{}",
		"{\"made\":1,\"database\":\"\",\"headline\":\"\",\"sections\":[],"
		"\"searches\":[],\"sessions\":[]}",
		"{\"made\":null,\"database\":\"\",\"headline\":\"\",\"sections\":[],"
		"\"searches\":[],\"sessions\":[],\"more\":1}",
		"{\"made\":null,\"database\":\"\",\"headline\":\"\",\"sections\":[1],"
		"\"searches\":[],\"sessions\":[]}",
	};
	json_t *schema = load_schema();

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		json_t *document = json_loads(wrong[i], 0, NULL);
		struct place place = {.schema = schema};

		assert_non_null(document);
		assert_false(accepts(&place, schema, document));
		json_decref(document);
	}
	json_decref(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_valid),
		cmocka_unit_test(an_empty_report_is_valid),
		cmocka_unit_test(the_validator_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
