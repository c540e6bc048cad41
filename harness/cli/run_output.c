/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/run_output.h"

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "report/remarks.h"
#include "report/report.h"

int run_add_tables(struct store *store, int64_t session, struct text *out,
		   struct error *err)
{
	CLEANUP(report_model_finish) struct report_model model = {0};
	const struct report_options options = {.session = session};

	if (report_collect(store, &options, &model, err))
		return -1;
	report_print_tables(&model, out);
	return 0;
}

int run_add_remarks(struct store *store, int64_t session, struct text *out,
		    struct error *err)
{
	CLEANUP(remark_list_finish) struct remark_list remarks = {0};
	CLEANUP(text_list_finish) struct text_list lines = {0};

	if (store_load_remarks(store, session, &remarks, err))
		return -1;
	remarks_add_lines(&remarks, &lines);
	if (lines.count)
		text_add(out, "within the runs:\n");
	for (size_t i = 0; i < lines.count; i++) {
		text_add(out, "    ");
		utf8_add_plain_string(out, lines.items[i]);
		text_add_char(out, '\n');
	}
	return 0;
}

int run_put_remarks(struct store *store, int64_t session, struct text *json,
		    struct error *err)
{
	CLEANUP(remark_list_finish) struct remark_list remarks = {0};

	if (store_load_remarks(store, session, &remarks, err))
		return -1;
	json_put_key(json, "remarks");
	remarks_put_json(json, &remarks);
	return 0;
}
