/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the queries of this folder. */
#ifndef STORE_SESSIONS_PRIVATE_H
#define STORE_SESSIONS_PRIVATE_H

#include "store/sessions.h"

/* "[3,7]", for json_each(); nothing is added for an empty set or NULL. */
void session_set_write(const struct session_set *set, struct text *out);

#endif
