/* jme-json.h: JSON that is written member by member
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Members of the object that was begun last; elements of an array where @name is NULL.
 * What is NULL is left out. */
void jme_json_begin (GString *json, const char *name, char bracket);
void jme_json_end (GString *json, char bracket);

/* Ends an object that was begun where @json had @length, which is as if it had not been
 * begun if nothing is in it. */
void jme_json_end_filled (GString *json, gsize length);

void jme_json_add_text (GString *json, const char *name, const char *text);
void jme_json_add_number (GString *json, const char *name, gint64 number);
void jme_json_add_amount (GString *json, const char *name, double amount);

G_END_DECLS
