/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XML text made of hostile strings: what cannot be carried is refused beforehand, the
 * rest is escaped.
 */
#ifndef VM_XML_H
#define VM_XML_H

#include "base/error.h"
#include "base/text.h"

/*
 * ERROR_USAGE, naming what, for control characters (tabs and line ends too: they
 * do not survive in attributes) and for what is no UTF-8.
 */
int xml_check(const char *what, const char *value, struct error *err);

void xml_escape(struct text *xml, const char *value);
void xml_attribute(struct text *xml, const char *name, const char *value);
void xml_element(struct text *xml, const char *name, const char *value);

#endif
