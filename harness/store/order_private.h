/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For versions.c alone. */
#ifndef STORE_ORDER_PRIVATE_H
#define STORE_ORDER_PRIVATE_H

#include "store/order.h"

/* Puts ancestors before descendants; what the pairs do not say stays as it is. */
int order_versions(struct store *store, struct version_list *list, struct error *err);

#endif
