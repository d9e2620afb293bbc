/* jme-ceems-sums.c: sums of days that are asked for in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-ceems-sums.h"

#include <string.h>

#define GROUPS                                                                         \
 (JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_ACCOUNT)
/* Of one answer. */
#define MAX_SUMS 100000
#define DAY_SECONDS 86400

static int
compare (gconstpointer a, gconstpointer b)
{
  JmUsage *one = *(JmUsage *const *) a;
  JmUsage *other = *(JmUsage *const *) b;
  int order = g_strcmp0 (jm_usage_get_cluster (one), jm_usage_get_cluster (other));

  if (order == 0)
    order = g_strcmp0 (jm_usage_get_user (one), jm_usage_get_user (other));

  return order != 0
           ? order
           : g_strcmp0 (jm_usage_get_account (one), jm_usage_get_account (other));
}

static void
drop_others (GPtrArray *usages, GStrv clusters)
{
  for (guint i = usages->len; i > 0; i--)
    if (!jme_ceems_query_wants (clusters, jm_usage_get_cluster (usages->pdata[i - 1])))
      g_ptr_array_remove_index_fast (usages, i - 1);
}

static GPtrArray *
list_parts_of_day (JmeCeemsAnswer *self, JmRunFilter *filter, GError **error)
{
  gboolean is_whole = TRUE;
  GPtrArray *usages =
    jm_archive_database_list_usage_between (self->answer.store, filter,
                                            self->answer.viewer, self->query.from,
                                            self->query.to, &is_whole, error);

  if (!is_whole)
    jme_ceems_answer_warn (self, "not all jobs were read, ask for less time");

  return usages;
}

GPtrArray *
jme_ceems_list_sums (JmeCeemsAnswer *self,
                     JmRunFilter *filter,
                     gboolean is_of_window,
                     GError **error)
{
  const JmeCeemsQuery *query = &self->query;
  GPtrArray *usages;

  if (is_of_window)
    jm_run_filter_set_period (filter, query->from, query->to + 1);
  if (is_of_window && query->to - query->from < DAY_SECONDS)
    usages = list_parts_of_day (self, filter, error);
  else
    usages = jm_archive_database_list_usage (self->answer.store, filter, GROUPS,
                                             self->answer.viewer, error);
  if (usages == NULL)
    return NULL;

  drop_others (usages, query->clusters);
  g_ptr_array_sort (usages, compare);
  if (usages->len > MAX_SUMS)
    {
      g_ptr_array_set_size (usages, MAX_SUMS);
      jme_ceems_answer_warn (self, "not all: the first %u alone, ask for one cluster",
                             MAX_SUMS);
    }

  return usages;
}
