/* jm-grouped-runs.c: runs by user, account, name, partition or cluster
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive-private.h"

#include "base/jm-error.h"
#include "core/jm-figure-private.h"
#include "core/jm-figures-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-usage-private.h"
#include "judge/jm-run-report-private.h"

/* A few pages more than these runs fill, where a filter by node leaves out many. */
#define PAGES_OF_RUNS(max) (3 * ((max) / JM_RUN_FILTER_MAX_LIMIT) + 1)
#define USUAL_SORT "-cpu_unused_seconds"
#define ALL_GROUPS                                                                     \
 (JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_USER | JM_USAGE_GROUPS_ACCOUNT |           \
  JM_USAGE_GROUPS_PARTITION | JM_USAGE_GROUPS_NAME)

/* How a figure of a group is made of those of its runs. */
typedef enum
{
  KIND_SUM,
  KIND_SUM_BY_TIME, /* of figures by the time that the runs took */
  KIND_MEDIAN,
} Kind;

static const struct
{
  JmQuantityId quantity;
  Kind kind;
  JmQuantityId of_run;
} figures[] = {
  { JM_QUANTITY_MEDIAN_ELAPSED, KIND_MEDIAN, JM_QUANTITY_ELAPSED },
  { JM_QUANTITY_USAGE_CPUS, KIND_SUM_BY_TIME, JM_QUANTITY_CPUS },
  { JM_QUANTITY_CPU_UNUSED, KIND_SUM, JM_QUANTITY_CPU_UNUSED },
  { JM_QUANTITY_MEDIAN_CPU_EFFICIENCY, KIND_MEDIAN, JM_QUANTITY_CPU_EFFICIENCY },
  { JM_QUANTITY_USAGE_MEMORY, KIND_SUM_BY_TIME, JM_QUANTITY_MEMORY_ALLOCATED },
  { JM_QUANTITY_MEMORY_UNUSED_TIME, KIND_SUM, JM_QUANTITY_MEMORY_UNUSED_TIME },
  { JM_QUANTITY_MEDIAN_MEMORY_SHARE, KIND_MEDIAN, JM_QUANTITY_MEMORY_SHARE },
  { JM_QUANTITY_USAGE_GPUS, KIND_SUM_BY_TIME, JM_QUANTITY_GPUS_ALLOCATED },
  { JM_QUANTITY_GPU_UNUSED, KIND_SUM, JM_QUANTITY_GPU_UNUSED },
  { JM_QUANTITY_ENERGY, KIND_SUM, JM_QUANTITY_ENERGY },
};

typedef struct
{
  JmRunTotals *totals;
  GArray *known[G_N_ELEMENTS (figures)]; /* of JmFigure, of medians alone */
} Group;

typedef struct
{
  JmUsageGroups groups;
  GPtrArray *list;     /* of Group */
  GHashTable *by_name; /* the same by their JmRunTotals */
} Grouping;

static void
group_free (gpointer data)
{
  Group *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    g_clear_pointer (&self->known[i], g_array_unref);
  jm_run_totals_unref (self->totals);
  g_free (self);
}

static guint
hash_totals (gconstpointer totals)
{
  return jm_run_totals_hash (totals);
}

static gboolean
are_equal (gconstpointer a, gconstpointer b)
{
  return jm_run_totals_compare (a, b) == 0;
}

static Group *
add_group (Grouping *self, char *const *names)
{
  Group *group = g_new0 (Group, 1);

  group->totals = jm_run_totals_new (names, -1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (figures[i].kind == KIND_MEDIAN)
      group->known[i] = g_array_new (FALSE, FALSE, sizeof (JmFigure));
  g_ptr_array_add (self->list, group);
  g_hash_table_insert (self->by_name, group->totals, group);

  return group;
}

static Group *
find_group (Grouping *self, JmRun *run)
{
  JmRunTotals key = { .month = -1 };
  Group *group;

  jm_run_totals_get_names (run, self->groups, NULL, key.names);
  group = g_hash_table_lookup (self->by_name, &key);

  return group != NULL ? group : add_group (self, key.names);
}

static void
add (Group *self, JmQuantityId quantity, JmFigure figure)
{
  JmFigures *sums = self->totals->figures;

  jm_figures_set (sums, quantity,
                  jm_figure_add (jm_figures_get (sums, quantity), figure));
}

static void
add_run (JmRun *run, gpointer data)
{
  Group *group = find_group (data, run);
  const JmFigure elapsed = jm_run_derived_get (run, JM_QUANTITY_ELAPSED);

  add (group, JM_QUANTITY_USAGE_RUNS, jm_figure_known (1));
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      const JmFigure figure = jm_run_derived_get (run, figures[i].of_run);

      if (figures[i].kind != KIND_MEDIAN)
        add (group, figures[i].quantity,
             figures[i].kind == KIND_SUM ? figure
                                         : jm_figures_multiply (figure, elapsed));
      else if (figure.is_known)
        g_array_append_val (group->known[i], figure);
    }
}

/* --- their order --- */

typedef struct
{
  const JmQuantity *quantity;
  gboolean descends;
} Order;

/* A figure of groups, or the one of runs that it is made of. */
static gboolean
read_order (const char *sort, Order *order, GError **error)
{
  const char *name = sort != NULL ? sort : USUAL_SORT;

  order->descends = *name == '-';
  name += order->descends;
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      order->quantity = jm_quantity_get (figures[i].quantity);
      if (jm_quantity_is_called (order->quantity, name) ||
          jm_quantity_is_called (jm_quantity_get (figures[i].of_run), name))
        return TRUE;
    }
  order->quantity = jm_quantity_get (JM_QUANTITY_USAGE_RUNS);
  if (jm_quantity_is_called (order->quantity, name))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "sort: '%s' is no figure of groups of runs", name);

  return FALSE;
}

static int
compare_groups (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;

  return jm_figure_compare (jm_run_totals_get_figure (*(JmRunTotals *const *) a,
                                                      order->quantity),
                            jm_run_totals_get_figure (*(JmRunTotals *const *) b,
                                                      order->quantity),
                            order->descends);
}

static GPtrArray *
list_totals (const Grouping *self)
{
  GPtrArray *all =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_totals_unref);

  for (guint n = 0; n < self->list->len; n++)
    {
      const Group *group = self->list->pdata[n];
      JmFigure spread[3];

      for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
        if (figures[i].kind == KIND_MEDIAN &&
            jm_run_members_find_spread (group->known[i], spread))
          jm_figures_set (group->totals->figures, figures[i].quantity, spread[1]);
      g_ptr_array_add (all, jm_run_totals_ref (group->totals));
    }

  return all;
}

/**
 * jm_archive_list_groups:
 * @self: an archive
 * @filter: which runs; its order and its cursor do not count
 * @groups: what the runs are grouped by: cluster, user, account, partition, name
 * @max: how many runs are read at most, those that began last, such as 100000; of a
 *   filter by node fewer where few of many runs had the node
 * @sort: (nullable): the name of one of these figures, with a `-` before it for the greatest
 *   first; %NULL for `-cpu_unused_seconds`
 * @has_more: (out): whether there are more, which are in no group
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Groups runs, with sums and medians, those of %JM_ARCHIVE_GROUP_COLUMNS; a median is
 * the lower of two in the middle. A run counts as a whole, also where it goes beyond
 * the period; a figure that is not known of it counts for nothing.
 *
 * ```python
 * by = JobMetrics.UsageGroups.NAME
 * groups, has_more = archive.list_groups(week, by, 100000, None, None)
 * columns = "name," + JobMetrics.ARCHIVE_GROUP_COLUMNS
 * table = JobMetrics.Table.new_of_sums(columns)
 * for group in groups:
 *     table.add_totals(group)
 * ```
 *
 * - Shape: in the order of @sort, those without the figure last; else in that of the
 *   last run of each, the latest first.
 * - Errors: %JM_ERROR_INVALID for another @sort, and for other @groups; those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRunTotals): the groups
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_groups (JmArchive *self,
                        JmRunFilter *filter,
                        JmUsageGroups groups,
                        guint max,
                        const char *sort,
                        gboolean *has_more,
                        GCancellable *cancellable,
                        GError **error)
{
  const JmRunBounds bounds = { max, PAGES_OF_RUNS (max) };
  g_autoptr (JmRunFilter) last = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GHashTable) by_name = NULL;
  Grouping grouping;
  GPtrArray *all;
  Order order;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (max > 0, NULL);
  g_return_val_if_fail (has_more != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  last = jm_run_filter_copy (filter);
  if ((groups & ~(guint) ALL_GROUPS) != 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "runs are not grouped by day, month and node");
      return NULL;
    }
  list = g_ptr_array_new_with_free_func (group_free);
  by_name = g_hash_table_new (hash_totals, are_equal);
  grouping = (Grouping){ groups, list, by_name };
  if (!read_order (sort, &order, error) ||
      !jm_run_filter_set_cursor (last, NULL, error) ||
      !jm_run_filter_set_sort (last, "-start", error) ||
      !jm_archive_read_first_runs (self, last, &bounds, add_run, &grouping, has_more,
                                   cancellable, error))
    return NULL;

  all = list_totals (&grouping);
  g_ptr_array_sort_with_data (all, compare_groups, &order);

  return all;
}
