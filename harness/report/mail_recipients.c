/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/mail_private.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <string.h>

enum { MOST_RECIPIENTS = 60, LONGEST_ADDRESS = 200, LONGEST_NAME = 200 };

/* The list that watches over regressions of the kernel. */
#define REGRESSIONS "regressions@lists.linux.dev"

/* Who stands behind a commit, by the lines at its end. */
static const char *const trailers[] = {
	"Signed-off-by:",
	"Co-developed-by:",
	"Reviewed-by:",
	"Acked-by:",
	"Tested-by:",
	"Reported-by:",
	"Suggested-by:",
	"Reported-and-tested-by:",
	"Cc:",
};

void mail_recipients_finish(struct mail_recipients *recipients)
{
	text_list_finish(&recipients->to);
	text_list_finish(&recipients->cc);
}

/* Of the length of an address that begins here, or 0. */
static size_t address_length(const char *string)
{
	static const char local[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789.!#$%&'*+/=?^_`{|}~-";
	static const char host[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789.-";
	size_t before = strspn(string, local), after;

	if (!before || string[before] != '@')
		return 0;
	after = strspn(string + before + 1, host);
	return after && before + after < LONGEST_ADDRESS ? before + 1 + after : 0;
}

static int has_address(const struct text_list *list, const char *address)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcasestr(list->items[i], address))
			return 1;
	return 0;
}

/* A name in a header: quoted where it has characters that mean something there. */
static void add_name(const char *name, struct text *out)
{
	static const char special[] = "()<>[]:;@\\,.\"";

	if (!mail_is_plain(name)) {
		mail_encode(name, out);
		return;
	}
	if (!strpbrk(name, special)) {
		text_add(out, name);
		return;
	}
	text_add_char(out, '"');
	for (; *name; name++) {
		text_add(out, *name == '"' || *name == '\\' ? "\\" : "");
		text_add_char(out, *name);
	}
	text_add_char(out, '"');
}

/* "Name <address>" or "address", whatever follows; nothing where it is neither. */
static void add_recipient(struct mail_recipients *recipients, struct text_list *list,
			  const char *line, size_t length)
{
	CLEANUP(text_finish) struct text plain = {0};
	CLEANUP(text_finish) struct text name = {0};
	CLEANUP(text_finish) struct text whole = {0};
	CLEANUP(text_finish) struct text address = {0};
	const char *open, *start;
	size_t size;

	utf8_add_plain(&plain, line, length);
	line = text_string(&plain);
	line += strspn(line, " \t\"");
	open = strchr(line, '<');
	start = open ? open + 1 : line;
	size = address_length(start);
	if (!size || (open && start[size] != '>') ||
	    recipients->to.count + recipients->cc.count >= MOST_RECIPIENTS)
		return;
	text_add_bytes(&address, start, size);
	if (has_address(&recipients->to, address.data) ||
	    has_address(&recipients->cc, address.data))
		return;
	text_add_bytes(&name, line, open ? (size_t)(open - line) : 0);
	while (name.size && strchr(" \t\"", name.data[name.size - 1]))
		name.data[--name.size] = '\0';
	if (name.size && name.size < LONGEST_NAME) {
		add_name(name.data, &whole);
		text_format(&whole, " <%s>", address.data);
	}
	text_list_add(list, whole.size ? whole.data : address.data);
}

static void add_trailer(struct mail_recipients *recipients, const char *line,
			size_t length)
{
	for (size_t i = 0; i < sizeof(trailers) / sizeof(*trailers); i++) {
		size_t prefix = strlen(trailers[i]);

		if (length > prefix && !strncasecmp(line, trailers[i], prefix))
			add_recipient(recipients, &recipients->cc, line + prefix,
				      length - prefix);
	}
}

void mail_choose_recipients(const struct commit_record *commit, const char *maintainers,
			    struct mail_recipients *ret_recipients)
{
	const char *message = commit ? commit->message : "";
	size_t length;

	if (commit)
		add_recipient(ret_recipients, &ret_recipients->to, commit->author,
			      strlen(commit->author));
	for (; *message; message += length + (message[length] == '\n')) {
		length = strcspn(message, "\n");
		add_trailer(ret_recipients, message, length);
	}
	for (; maintainers && *maintainers;
	     maintainers += length + (maintainers[length] == '\n')) {
		length = strcspn(maintainers, "\n");
		add_recipient(ret_recipients, &ret_recipients->cc, maintainers, length);
	}
	add_recipient(ret_recipients, &ret_recipients->cc, REGRESSIONS,
		      strlen(REGRESSIONS));
}
