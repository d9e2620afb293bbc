/* jmc-order.c: in which order jobs are listed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-order.h"

#include "jmc-sort-keys.h"

struct _JmcOrder
{
  GArray *keys; /* of JmcSortKey */
};

typedef struct
{
  const JmcOrder *order;
  JmSnapshot *snapshot;
} Comparison;

/* Reads what --sort says. */
JmcOrder *
jmc_order_parse (const char *text, GError **error)
{
  GArray *keys = jmc_sort_keys_parse (text, jmc_field_from_name, error);
  JmcOrder *self;

  if (keys == NULL)
    return NULL;

  self = g_new0 (JmcOrder, 1);
  self->keys = keys;

  return self;
}

void
jmc_order_free (JmcOrder *self)
{
  g_array_unref (self->keys);
  g_free (self);
}

guint
jmc_order_get_collectors (const JmcOrder *self)
{
  guint collectors = 0;

  for (guint i = 0; i < self->keys->len; i++)
    collectors |=
      jmc_field_get_collectors (g_array_index (self->keys, JmcSortKey, i).column);

  return collectors;
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Comparison *comparison = data;
  GArray *keys = comparison->order->keys;
  guint job_a = *(const guint *) a;
  guint job_b = *(const guint *) b;

  for (guint i = 0; i < keys->len; i++)
    {
      const JmcSortKey *key = &g_array_index (keys, JmcSortKey, i);
      int order = jmc_field_compare (key->column, comparison->snapshot, job_a, job_b,
                                     key->is_descending);

      if (order != 0)
        return order;
    }

  return jmc_field_compare (JM_JOB_FIELD_ID, comparison->snapshot, job_a, job_b, FALSE);
}

/* Sorts subjects (guint); those that are alike, by job id. */
void
jmc_order_sort (const JmcOrder *self, JmSnapshot *snapshot, GArray *jobs)
{
  Comparison comparison = { self, snapshot };

  g_array_sort_with_data (jobs, compare, &comparison);
}
