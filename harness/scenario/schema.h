/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a YAML map to a C struct by a table: one row a key, with type, range,
 * choices, default and a line of documentation. Everything that the program reads
 * from YAML goes through such a table.
 *
 *	static const struct field fields[] = {
 *		{"jobs", FIELD_WHOLE, offsetof(struct build, jobs), .least = 1,
 *		 .most = 4096, .fallback = "0", .doc = "Parallel compilers"},
 *		{0},
 *	};
 *	static const struct schema schema = {"build", sizeof(struct build), fields};
 *
 * Messages name file, line and column; an unknown key comes with the nearest one.
 * The struct starts zeroed; schema_finish() frees what the table's rows own.
 */
#ifndef SCENARIO_SCHEMA_H
#define SCENARIO_SCHEMA_H

#include "base/error.h"
#include "base/text.h"
#include "scenario/document.h"

#include <stddef.h>

enum field_type {
	FIELD_STRING,  /* char *, owned; NULL where absent and without default */
	FIELD_STRINGS, /* struct text_list; a scalar counts as a list of one */
	FIELD_WHOLE,   /* uint64_t, digits only */
	FIELD_NUMBER,  /* double */
	FIELD_SIZE,    /* uint64_t bytes; "64k", "4M", "1G" are powers of 1024 */
	FIELD_SWITCH,  /* int: true or false */
	FIELD_CHOICE,  /* int: index into choices */
	FIELD_RECORD,  /* a struct inside the struct, by .record */
	FIELD_RECORDS, /* struct schema_list of .record, from a list of maps */
	/* The same from a map of maps; the record begins with "char *name", the key. */
	FIELD_NAMED,
	FIELD_CUSTOM, /* .read does it and owns what it makes */
};

/* How FIELD_RECORDS and FIELD_NAMED lie in a struct, with items of the real type. */
struct schema_list {
	void *items;
	size_t count;
};

struct schema;

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	int required;
	double least, most;         /* of numbers and sizes; most 0: no upper bound */
	const char *const *choices; /* ends with NULL */
	const struct schema *record;
	/* structure is the struct that the schema describes, not the field. */
	int (*read)(const struct document *document, const struct node *node,
		    void *structure, struct error *err);
	const char *fallback; /* the default, as one would write it; NULL: none */
	const char *example;  /* for schema_print() where there is no default */
	const char *doc;      /* one line */
};

struct schema {
	const char *noun;           /* "scenario", "disk", for messages */
	size_t size;                /* of the struct */
	const struct field *fields; /* ends with a row without name */
};

/* Zeroes the struct and gives each field its default. */
void schema_defaults(const struct schema *schema, void *structure);

/*
 * Defaults, then what the map says. On failure the struct is finished and zeroed.
 * An empty node counts as an empty map.
 */
int schema_read(const struct document *document, const struct node *node,
		const struct schema *schema, void *structure, struct error *err);

/*
 * Only what the map says, over what the struct holds already; required is not looked
 * at. On failure the struct holds a mixture and is still the caller's to finish.
 */
int schema_read_over(const struct document *document, const struct node *node,
		     const struct schema *schema, void *structure, struct error *err);

void schema_finish(const struct schema *schema, void *structure);

/* The table as commented YAML: every key with its default or example, commented out. */
void schema_print(const struct schema *schema, struct text *out);

/* A value for a key, "virtual.parallel" for one of a record. */
struct schema_setting {
	const char *path, *value;
	const char *why; /* a comment line, or NULL */
};

/* The same with some of the keys set instead of commented out. */
void schema_print_set(const struct schema *schema, const struct schema_setting *settings,
		      size_t count, struct text *out);

/* Reads one scalar by a row's type, range and choices into the struct. */
int schema_read_scalar(const struct document *document, const struct node *node,
		       const struct field *field, void *structure, struct error *err);

#endif
