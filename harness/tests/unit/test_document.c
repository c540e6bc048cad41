/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/cleanup.h"
#include "base/text.h"
#include "scenario/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct refusal {
	const char *yaml;
	size_t length; /* 0: strlen() */
	const char *message;
};

static void assert_refused(const char *yaml, size_t length, const char *message)
{
	CLEANUP(document_finish) struct document document = {0};
	struct error err = {0};

	if (!document_parse("f", yaml, length, &document, &err))
		fail_msg("taken: %s", yaml);
	assert_int_equal(err.kind, ERROR_USAGE);
	if (!strstr(err.text, message))
		fail_msg("'%s' is not in '%s'", message, err.text);
}

static void bad_yaml_is_refused_with_its_place(void **state)
{
	static const struct refusal refusals[] = {
		{"a: 1\nb: [1,\n", 0, "f:3:1: no valid YAML"},
		{"a: 1\n\tb: 2\n", 0, "f:2:1: no valid YAML"},
		{"a: 'x\n", 0, "f:2:1: no valid YAML"},
		{"a: 1\nb: 2\na: 3\n", 0, "f:3:1: 'a' is there twice; first in line 1"},
		{"a: &x 1\n", 0, "f:1:4: anchors (&x)"},
		{"a: 1\nb: *a\n", 0, "f:2:4: aliases (*a)"},
		{"a: !!int 1\n", 0, "f:1:4: tags ("},
		{"a: !evil [1]\n", 0, "f:1:4: tags (!evil)"},
		{"a: &x {b: 1}\n", 0, "f:1:4: anchors"},
		{"--- 1\n--- 2\n", 0, "f:2:1: a second document"},
		{"a:\n  ? [b]\n  : 1\n", 0, "f:2:5: a key must be a plain word"},
		{"'': 1\n", 0, "f:1:1: a key is empty"},
		{"a: \"x\\0y\"\n", 0, "f:1:4: text must not hold a NUL"},
		{"a: 1\nb: x\0y\n", 12, "f:2:5: control characters are not allowed"},
		{"a: \x01\n", 0, "f:1:4: control characters"},
		{"\xc3\xa9: 1\nb\xc3\xa9: \xff\n", 0, "f:2:5: invalid leading UTF-8"},
		{"a: \xc3\n", 0, "f:1:5: invalid trailing UTF-8"},
		{"a: \xed\xa0\x80\n", 0, "f:1:4: "},
		{"a\0:\0 \0001\0", 8, "f:1:2: "},
		{"<<: *base\n", 0, "f:1:5: aliases"},
		{"%YAML 3.0\n---\na: 1\n", 0, "f:1:1: no valid YAML"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		assert_refused(refusals[i].yaml,
			       refusals[i].length ? refusals[i].length
						  : strlen(refusals[i].yaml),
			       refusals[i].message);
}

static void repeat(struct text *text, const char *string, int times)
{
	for (int i = 0; i < times; i++)
		text_add(text, string);
}

static void bombs_are_refused(void **state)
{
	static const char laughs[] = "a: &a [x,x]\nb: &b [*a,*a]\n";
	CLEANUP(text_finish) struct text deep = {0};
	CLEANUP(text_finish) struct text wide = {0};
	CLEANUP(text_finish) struct text many = {0};
	CLEANUP(text_finish) struct text long_key = {0};

	(void)state;
	repeat(&deep, "[", 100000);
	assert_refused(deep.data, deep.size, "f:1:13: nested deeper than 12 levels");
	text_clear(&deep);
	repeat(&deep, "- ", 50000);
	assert_refused(deep.data, deep.size, "nested deeper than 12 levels");
	repeat(&wide, "- 1\n", 3000);
	assert_refused(wide.data, wide.size, "f:1:1: more than 2000 items");
	for (int i = 0; i < 50; i++) {
		text_format(&many, "k%d: [", i);
		repeat(&many, "1,", 1900);
		text_add(&many, "]\n");
	}
	assert_refused(many.data, many.size, "more than 20000 values in one file");
	repeat(&long_key, "k", 200);
	text_add(&long_key, ": 1\n");
	assert_refused(long_key.data, long_key.size, "f:1:1: a key is longer than 128");
	assert_refused(laughs, strlen(laughs), "f:1:4: anchors");
}

static void the_tree_knows_places(void **state)
{
	static const char yaml[] =
		"\xef\xbb\xbf# first\nname: 'x y'\n"
		"list: [1, two]\nmap:\n  empty:\n  \xc3\xa9t\xc3\xa9: v\n";
	CLEANUP(document_finish) struct document document = {0};
	const struct node *node;
	struct error err = {0};

	(void)state;
	assert_int_equal(document_parse("f", yaml, sizeof(yaml) - 1, &document, &err), 0);
	node = node_find(&document.root, "name");
	assert_string_equal(node->text, "x y");
	assert_int_equal(node->line, 2);
	assert_int_equal(node->column, 7);
	assert_int_equal(node->quoted, 1);
	node = &node_find(&document.root, "list")->items[1];
	assert_string_equal(node->text, "two");
	assert_int_equal(node->column, 11);
	node = node_find(&document.root, "map");
	assert_true(node_is_empty(&node->items[0]));
	assert_int_equal(node->items[1].column, 8);
	assert_int_equal(node->items[1].key_column, 3);
	assert_null(node_find(node, "name"));
}

static void empty_files_are_empty(void **state)
{
	static const char *const empty[] = {"", "# only a comment\n", "---\n", "\n\n"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		CLEANUP(document_finish) struct document document = {0};
		struct error err = {0};

		assert_int_equal(
			document_parse("f", empty[i], strlen(empty[i]), &document, &err),
			0);
		assert_true(node_is_empty(&document.root));
	}
}

static void files_that_cannot_be_read_are_named(void **state)
{
	CLEANUP(document_finish) struct document document = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(document_load("/nonexistent/x.yaml", &document, &err), -1);
	assert_non_null(strstr(err.text, "/nonexistent/x.yaml"));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_int_equal(document_load("/", &document, &err), -1);
	assert_int_equal(document_load("/dev/zero", &document, &err), -1);
	assert_non_null(strstr(err.text, "larger than"));
}

static void foreign_text_is_shown_safely(void **state)
{
	CLEANUP(text_finish) struct text text = {0};

	(void)state;
	assert_string_equal(shown("a\nb\x1b[31m").text, "a?b?[31m");
	assert_string_equal(shown("a\xc2\x9b"
				  "31m\xc3\xa9")
				    .text,
			    "a??31m\xc3\xa9");
	repeat(&text, "\xc3\xa9", 100);
	assert_true(strlen(shown(text.data).text) < sizeof(struct shown));
	assert_string_equal(shown(text.data).text + 76, "...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_yaml_is_refused_with_its_place),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(the_tree_knows_places),
		cmocka_unit_test(empty_files_are_empty),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
		cmocka_unit_test(foreign_text_is_shown_safely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
