/* jmc-sort-keys.h: what --sort says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint column;
  gboolean is_descending;
} JmcSortKey;

/* Finds a column by what people call it. */
typedef gboolean (*JmcColumnLookup) (const char *name, guint *column);

GArray *jmc_sort_keys_parse (const char *text, JmcColumnLookup lookup, GError **error);

G_END_DECLS
