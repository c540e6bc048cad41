/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What boots show within themselves (store/boots.h), as lines for people and as JSON.
 */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include "base/text.h"
#include "store/boots.h"

/*
 * "v6.1, raw-sync, target=device: drifts: each operation takes ...". Faults are told of
 * each version; what is none (a warm-up, what kind of cache a device has) once for each
 * scenario. Of those alike the first few are shown and the rest counted.
 */
void remarks_add_lines(const struct remark_list *remarks, struct text_list *lines);

/* A list of objects in the form of base/json.h. */
void remarks_put_json(struct text *text, const struct remark_list *remarks);

#endif
