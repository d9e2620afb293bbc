/* jm-json-private.h: JSON that a stranger wrote
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define JM_JSON_DEPTH_MAX 64

/* Parses any bytes; NULL if they are no JSON, or nest deeper than JM_JSON_DEPTH_MAX. */
JsonNode *jm_json_parse (const char *text, gsize length);

/* Whether text that jm_json_parse() takes is JSON to any other reader, and steers no
 * terminal, so that it may be passed on as it is. */
gboolean jm_json_may_be_passed_on (const char *text, gsize length);

/* Cuts out the elements of an array that is a member of the outermost object.
 *
 * @elements: is filled with JmSlice: the elements as they are written
 * @rest: is filled with the text without them
 *
 * Returns: whether there is such an array. Neither the elements nor the rest need be
 * JSON: that is for whoever parses them */
gboolean jm_json_cut_array (const char *text,
                            gsize length,
                            const char *name,
                            GArray *elements,
                            GString *rest);

/* The start of a text, fit to print on one line. */
char *jm_json_quote (const char *text, gsize length);

/* These look into what may be anything, and NULL itself: NULL or FALSE if there is no
 * such member, or not of that kind. */
JsonNode *jm_json_get (JsonNode *object, const char *name);
JsonNode *jm_json_get_element (JsonNode *array, guint i);
guint jm_json_get_length (JsonNode *array);
const char *jm_json_get_string (JsonNode *object, const char *name);
gboolean jm_json_get_number (JsonNode *object, const char *name, double *value);
gboolean jm_json_get_boolean (JsonNode *object, const char *name, gboolean *value);

/* Adds text that somebody else named a thing by, which may be no UTF-8. */
void jm_json_add_text (JsonObject *object, const char *name, const char *text);

/* What a member holds, as a message quotes it: `none` if there is no such member. */
char *jm_json_quote_member (JsonNode *object, const char *name);

G_END_DECLS
