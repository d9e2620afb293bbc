/* jme-query.h: what a request's query says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keys with their values, in their order. */
typedef struct _JmeQuery JmeQuery;

/* @text is what follows the question mark, NULL where nothing does. NULL where it is no
 * query of a form, or has more than 256 keys. */
JmeQuery *jme_query_parse (const char *text);

void jme_query_free (JmeQuery *self);

/* The values of a key such as `collect[]`; empty where it is not there. */
GStrv jme_query_get_values (const JmeQuery *self, const char *name);

/* All keys and values by turns, in their order. */
GStrv jme_query_list_pairs (const JmeQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeQuery, jme_query_free)

G_END_DECLS
