/* jmc-sort-keys.c: what --sort says
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-sort-keys.h"

#include "core/jm-error.h"

/* Reads names of columns with commas between them, the most important first; one with a
 * minus before it is for descending order. Returns JmcSortKeys. */
GArray *
jmc_sort_keys_parse (const char *text, JmcColumnLookup lookup, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (JmcSortKey));

  for (char **name = names; *name != NULL; name++)
    {
      JmcSortKey key = { .is_descending = **name == '-' };

      if (!lookup (*name + (key.is_descending ? 1 : 0), &key.column))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such column: '%s'",
                       *name);
          return NULL;
        }
      g_array_append_val (keys, key);
    }
  if (keys->len == 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "no column is named");
      return NULL;
    }

  return g_steal_pointer (&keys);
}
