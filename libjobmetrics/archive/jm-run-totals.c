/* jm-run-totals.c: sums of the runs of an archive, run by run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-archive.h"

#include <math.h>

#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-carbon-private.h"
#include "archive/jm-run-filter-private.h"
#include "archive/jm-run-goodput-private.h"
#include "archive/jm-run-reader-private.h"
#include "base/jm-error.h"
#include "core/jm-figure-private.h"
#include "core/jm-figures-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-nodes-private.h"
#include "core/jm-run-private.h"
#include "core/jm-usage-private.h"
#include "judge/jm-price-list-private.h"

#define DAY_SECONDS 86400
#define COST_PARTS 1e6

static const JmQuantityId quantities[] = {
  JM_QUANTITY_USAGE_RUNS,
  JM_QUANTITY_USAGE_CPUS,
  JM_QUANTITY_CPU_UNUSED,
  JM_QUANTITY_CPU_EFFICIENCY,
  JM_QUANTITY_USAGE_MEMORY,
  JM_QUANTITY_MEMORY_UNUSED_TIME,
  JM_QUANTITY_MEMORY_SHARE,
  JM_QUANTITY_USAGE_GPUS,
  JM_QUANTITY_GPU_UNUSED,
  JM_QUANTITY_ENERGY,
  JM_QUANTITY_USAGE_STORAGE,
  JM_QUANTITY_COST,
  JM_QUANTITY_STORAGE_COST,
  JM_QUANTITY_UNPRICED_RUNS,
  JM_QUANTITY_BUDGET,
  JM_QUANTITY_BUDGET_USED,
  JM_QUANTITY_BUDGET_ELAPSED,
  JM_QUANTITY_BUDGET_FORECAST,
  JM_QUANTITY_BUDGET_START_TIME,
  JM_QUANTITY_BUDGET_END_TIME,
  JM_QUANTITY_ENERGY_KNOWN,
  JM_QUANTITY_ENERGY_MEASURED,
  JM_QUANTITY_ENERGY_ESTIMATED,
  JM_QUANTITY_ENERGY_MEASURED_SHARE,
  JM_QUANTITY_PUE,
  JM_QUANTITY_FACILITY_ENERGY,
  JM_QUANTITY_EMISSIONS_DIRECT,
  JM_QUANTITY_EMISSIONS_LIFECYCLE,
  JM_QUANTITY_EMISSIONS_UNSCOPED,
  JM_QUANTITY_EMISSIONS_KNOWN,
  JM_QUANTITY_DIRECT_ENERGY,
  JM_QUANTITY_LIFECYCLE_ENERGY,
  JM_QUANTITY_EMISSIONS_MARKET,
  JM_QUANTITY_EMBODIED,
  JM_QUANTITY_UNEMBODIED_RUNS,
  JM_QUANTITY_SCI_DIRECT_HOUR,
  JM_QUANTITY_SCI_LIFECYCLE_HOUR,
  JM_QUANTITY_SCI_DIRECT_RUN,
  JM_QUANTITY_SCI_LIFECYCLE_RUN,
  JM_QUANTITY_CPUS,
  JM_QUANTITY_IDLE_CPUS,
  JM_QUANTITY_MEMORY_ALLOCATED,
  JM_QUANTITY_MEMORY_UNUSED,
  JM_QUANTITY_GPUS_ALLOCATED,
  JM_QUANTITY_MEDIAN_ELAPSED,
  JM_QUANTITY_MEDIAN_CPU_EFFICIENCY,
  JM_QUANTITY_MEDIAN_MEMORY_SHARE,
};

/**
 * jm_run_totals_list_quantities:
 *
 * Lists what is added up. Medians are of jm_archive_list_groups() alone; `cpus`,
 * `idle_cpus`, `memory_allocated_bytes`, `memory_unused_bytes` and `gpus_allocated` are
 * of runs that run now; efficiencies are of the runs whose use is known. Productive,
 * idle, lost and unobserved CPU time and that in prolog or epilog add up to
 * `allocated_cpu_seconds`, and those of GPUs to `allocated_gpu_seconds`.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_run_totals_list_quantities (void)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    g_ptr_array_add (list, (gpointer) jm_quantity_get (quantities[i]));
  for (guint i = 0; i < jm_run_goodput_n_quantities; i++)
    g_ptr_array_add (list, (gpointer) jm_quantity_get (jm_run_goodput_quantities[i]));

  return list;
}

/* --- adding up --- */

/* A run has a part for each of its months, or days, and nodes. */
#define MAX_PARTS 1000000

typedef struct
{
  JmUsageGroups groups;
  guint n_parts;
  guint max_parts; /* 0 for all; there are more once they are reached */
  gint64 since;    /* 0 for open */
  gint64 until;
  JmPriceList *prices; /* NULL for none */
  gboolean has_carbon;
  JmSiteCarbon *site; /* NULL for none */
  GHashTable *sums;   /* set of Sum */
} Summing;

/* Sum:
 * @cpus_seen: what was given to the runs whose use is known, by time
 * @memory_seen: the same of memory
 * @carbon: what a statement of emissions rests on */
typedef struct
{
  JmRunTotals *totals;
  JmFigure cpus_seen;
  JmFigure memory_seen;
  JmRunCarbon carbon;
} Sum;

static void
sum_free (gpointer data)
{
  Sum *self = data;

  jm_run_totals_unref (self->totals);
  g_free (self);
}

/* Part:
 * @time, @until: of what is added
 * @node: empty where it is not known; NULL where nodes are not kept apart
 * @node_share: of what the run had on all nodes
 * @share: of all that the run had
 * @wall: how long it ran in all, seconds
 * @is_first: whether no part of the run came before on this node */
typedef struct
{
  JmRun *run;
  gint64 time;
  gint64 until;
  const char *node;
  double node_share;
  double share;
  double wall;
  gboolean is_first;
} Part;

static JmFigure
get (const Part *self, JmRunField field)
{
  return jm_run_derived_get_figure (self->run, field);
}

/* What is left of @given, and never less than nothing. */
static JmFigure
subtract (JmFigure given, JmFigure used)
{
  if (!given.is_known || !used.is_known)
    return (JmFigure){ 0 };

  return jm_figure_known (MAX (given.value - used.value, 0));
}

static JmFigure
add_seen (JmFigure sum, JmFigure amount, double factor)
{
  return jm_figure_add (sum, jm_figures_multiply (amount, jm_figure_known (factor)));
}

static void
add (Sum *self, JmQuantityId quantity, JmFigure amount, double factor)
{
  jm_figures_set (self->totals->figures, quantity,
                  add_seen (jm_figures_get (self->totals->figures, quantity), amount,
                            factor));
}

static void
add_cpus (Sum *self, const Part *part)
{
  const JmFigure given =
    jm_figures_multiply (get (part, JM_RUN_FIELD_CPUS), jm_figure_known (part->wall));
  const JmFigure unused = subtract (given, get (part, JM_RUN_FIELD_CPU_TOTAL));

  add (self, JM_QUANTITY_USAGE_CPUS, given, part->share);
  add (self, JM_QUANTITY_CPU_UNUSED, unused, part->share);
  if (unused.is_known)
    self->cpus_seen = add_seen (self->cpus_seen, given, part->share);
}

/* A peak is that of the fullest node. */
static JmFigure
get_unused_memory (const Part *part)
{
  return subtract (get (part, JM_RUN_FIELD_MEMORY_ALLOCATED),
                   jm_figures_multiply (get (part, JM_RUN_FIELD_MEMORY_PEAK),
                                        get (part, JM_RUN_FIELD_NODES)));
}

static void
add_memory (Sum *self, const Part *part)
{
  const JmFigure given = get (part, JM_RUN_FIELD_MEMORY_ALLOCATED);
  const JmFigure unused = get_unused_memory (part);

  add (self, JM_QUANTITY_USAGE_MEMORY, given, part->wall * part->share);
  add (self, JM_QUANTITY_MEMORY_UNUSED_TIME, unused, part->wall * part->share);
  if (unused.is_known)
    self->memory_seen = add_seen (self->memory_seen, given, part->wall * part->share);
}

/* Schedulers such as Grid Engine list what a running job asked for alone. */
static JmFigure
get_held_gpus (const Part *part)
{
  const JmFigure given = get (part, JM_RUN_FIELD_GPUS_ALLOCATED);

  return given.is_known ? given : get (part, JM_RUN_FIELD_GPUS_REQUESTED);
}

/* What it holds, by what it has used until the last records of its nodes. */
static void
add_running (Sum *self, const Part *part)
{
  const char *state = jm_run_peek_text (part->run, JM_RUN_FIELD_STATE);
  const JmFigure busy = jm_figures_divide (get (part, JM_RUN_FIELD_CPU_TOTAL),
                                           jm_figure_known (part->wall));

  if (g_strcmp0 (state, "RUNNING") != 0)
    return;

  add (self, JM_QUANTITY_CPUS, get (part, JM_RUN_FIELD_CPUS), part->node_share);
  add (self, JM_QUANTITY_IDLE_CPUS, subtract (get (part, JM_RUN_FIELD_CPUS), busy),
       part->node_share);
  add (self, JM_QUANTITY_MEMORY_ALLOCATED, get (part, JM_RUN_FIELD_MEMORY_ALLOCATED),
       part->node_share);
  add (self, JM_QUANTITY_MEMORY_UNUSED, get_unused_memory (part), part->node_share);
  add (self, JM_QUANTITY_GPUS_ALLOCATED, get_held_gpus (part), part->node_share);
}

static void
add_cost (Sum *self, const Part *part, JmPriceList *prices)
{
  const JmBill bill = jm_price_list_bill (prices, part->run, part->time, part->until);

  add (self, JM_QUANTITY_COST, bill.cost, part->node_share);
  add (self, JM_QUANTITY_USAGE_STORAGE, bill.storage, part->node_share);
  add (self, JM_QUANTITY_STORAGE_COST, bill.storage_cost, part->node_share);
  add (self, JM_QUANTITY_UNPRICED_RUNS, jm_figure_known (bill.is_whole ? 0 : 1), 1);
}

static void
add_carbon (Sum *self, const Part *part, JmSiteCarbon *site)
{
  const JmRunCarbonPart carbon = { .run = part->run,
                                   .since = part->time,
                                   .until = part->until,
                                   .share = part->share,
                                   .wall = part->wall,
                                   .is_first = part->is_first };

  jm_run_carbon_add (&self->carbon, &carbon, site);
}

static void
add_part (Sum *self, const Part *part, const Summing *summing)
{
  add (self, JM_QUANTITY_USAGE_RUNS, jm_figure_known (part->is_first ? 1 : 0), 1);
  add_cpus (self, part);
  add_memory (self, part);
  add (self, JM_QUANTITY_USAGE_GPUS, get (part, JM_RUN_FIELD_GPUS_ALLOCATED),
       part->wall * part->share);
  add (self, JM_QUANTITY_GPU_UNUSED,
       jm_run_derived_get (part->run, JM_QUANTITY_GPU_UNUSED), part->share);
  add (self, JM_QUANTITY_ENERGY, get (part, JM_RUN_FIELD_ENERGY), part->share);
  jm_run_goodput_add (self->totals->figures, part->run, part->wall, part->share);
  if (part->is_first)
    add_running (self, part);
  if (summing->prices != NULL)
    add_cost (self, part, summing->prices);
  if (summing->has_carbon)
    add_carbon (self, part, summing->site);
}

/* What was used of what was given, of the runs of which both are known. */
static void
settle (Sum *self, JmQuantityId efficiency, JmQuantityId unused, JmFigure seen)
{
  jm_figures_set (self->totals->figures, efficiency,
                  jm_figure_get_share (subtract (seen,
                                                 jm_figures_get (self->totals->figures,
                                                                 unused)),
                                       seen));
}

/* --- whose sum --- */

static guint
hash_sum (gconstpointer data)
{
  return jm_run_totals_hash (((const Sum *) data)->totals);
}

static gboolean
are_of_same (gconstpointer a, gconstpointer b)
{
  return jm_run_totals_compare (((const Sum *) a)->totals, ((const Sum *) b)->totals) ==
         0;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  return jm_run_totals_compare (*(const JmRunTotals *const *) a,
                                *(const JmRunTotals *const *) b);
}

static Sum *
find_sum (Summing *self, const Part *part, gint64 month)
{
  JmRunTotals totals = { .month = month };
  const Sum key = { .totals = &totals };
  Sum *sum;

  jm_run_totals_get_names (part->run, self->groups, part->node, totals.names);
  sum = g_hash_table_lookup (self->sums, &key);
  if (sum == NULL)
    {
      sum = g_new0 (Sum, 1);
      sum->totals = jm_run_totals_new (totals.names, month,
                                       self->prices != NULL
                                         ? jm_price_list_get_currency (self->prices)
                                         : NULL);
      g_hash_table_add (self->sums, sum);
    }

  return sum;
}

/* The day or month that @time is in, and the one behind it. */
static void
find_span (const Summing *self, gint64 time, gint64 *begin, gint64 *end)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (time);
  const gboolean is_day = (self->groups & JM_USAGE_GROUPS_DAY) != 0;
  g_autoptr (GDateTime) first =
    g_date_time_new_utc (g_date_time_get_year (moment), g_date_time_get_month (moment),
                         is_day ? g_date_time_get_day_of_month (moment) : 1, 0, 0, 0);
  g_autoptr (GDateTime) next =
    is_day ? g_date_time_add_days (first, 1) : g_date_time_add_months (first, 1);

  *begin = g_date_time_to_unix (first);
  *end = next != NULL ? g_date_time_to_unix (next) : G_MAXINT64;
}

static gboolean
is_full (const Summing *self)
{
  return self->max_parts > 0 && self->n_parts >= self->max_parts;
}

static void
add_parts (Summing *self, Part *part, gint64 end, gint64 length)
{
  do
    {
      gint64 month = -1;
      gint64 next = G_MAXINT64;

      if ((self->groups & (JM_USAGE_GROUPS_MONTH | JM_USAGE_GROUPS_DAY)) != 0)
        find_span (self, part->time, &month, &next);
      part->until = MIN (end, next);
      part->share =
        length > 0 ? (double) (part->until - part->time) / (double) length : 1;
      part->share *= part->node_share;
      add_part (find_sum (self, part, month), part, self);
      self->n_parts++;
      part->is_first = FALSE;
      part->time = part->until;
    }
  while (part->time < end);
}

/* It had as much on each of its nodes. */
static void
add_nodes (Summing *self, const Part *part, gint64 end, gint64 length)
{
  g_autoptr (GHashTable) nodes = jm_run_nodes_list (part->run);
  GHashTableIter iter;
  gpointer name;
  Part of_node = *part;

  of_node.node = "";
  if (nodes == NULL || g_hash_table_size (nodes) == 0)
    {
      add_parts (self, &of_node, end, length);
      return;
    }

  g_hash_table_iter_init (&iter, nodes);
  while (!is_full (self) && g_hash_table_iter_next (&iter, &name, NULL))
    {
      of_node = *part;
      of_node.node = name;
      of_node.node_share = 1.0 / g_hash_table_size (nodes);
      add_parts (self, &of_node, end, length);
    }
}

static void
add_run (JmRun *run, gpointer data)
{
  Summing *self = data;
  const gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  const gint64 length = jm_run_get_until (run) - start;
  const JmFigure elapsed = jm_run_derived_get_figure (run, JM_RUN_FIELD_ELAPSED);
  const gint64 end =
    self->until > 0 ? MIN (start + length, self->until) : start + length;
  Part part = { .run = run,
                .time = MAX (start, self->since),
                .node_share = 1,
                .wall = elapsed.is_known ? elapsed.value : (double) length,
                .is_first = TRUE };

  if (start <= 0 || length < 0 || length > JM_RUN_LENGTH_MAX || end < part.time ||
      is_full (self))
    return;

  if ((self->groups & JM_USAGE_GROUPS_NODE) != 0)
    add_nodes (self, &part, end, length);
  else
    add_parts (self, &part, end, length);
}

/* Sums of fractions of a cent. */
static void
round_cost (JmFigures *figures, JmQuantityId quantity)
{
  JmFigure cost = jm_figures_get (figures, quantity);

  cost.value = round (cost.value * COST_PARTS) / COST_PARTS;
  jm_figures_set (figures, quantity, cost);
}

static GPtrArray *
list_totals (const Summing *self)
{
  GPtrArray *list =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_totals_unref);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->sums);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      Sum *sum = key;

      settle (sum, JM_QUANTITY_CPU_EFFICIENCY, JM_QUANTITY_CPU_UNUSED, sum->cpus_seen);
      settle (sum, JM_QUANTITY_MEMORY_SHARE, JM_QUANTITY_MEMORY_UNUSED_TIME,
              sum->memory_seen);
      jm_run_goodput_settle (sum->totals->figures);
      round_cost (sum->totals->figures, JM_QUANTITY_COST);
      round_cost (sum->totals->figures, JM_QUANTITY_STORAGE_COST);
      if (self->has_carbon)
        jm_run_carbon_settle (&sum->carbon, sum->totals->figures);
      g_ptr_array_add (list, jm_run_totals_ref (sum->totals));
    }
  g_ptr_array_sort (list, compare_places);

  return list;
}

static Summing
begin (JmRunFilter *filter, JmUsageGroups groups, JmPriceList *prices)
{
  Summing self = { .groups = groups, .prices = prices };

  self.sums = g_hash_table_new_full (hash_sum, are_of_same, sum_free, NULL);
  jm_run_filter_get_period (filter, &self.since, &self.until);

  return self;
}

/* NULL where not all could be read. */
static GPtrArray *
end (Summing *self, gboolean is_read)
{
  GPtrArray *list = is_read ? list_totals (self) : NULL;

  g_hash_table_unref (self->sums);

  return list;
}

/* Page by page, as a list of runs is read. */
static gboolean
read_pages (JmArchiveDatabase *self,
            Summing *summing,
            JmRunFilter *filter,
            guint max,
            JmViewer *viewer,
            gboolean *has_more,
            GError **error)
{
  g_autoptr (JmRunFilter) page = jm_run_filter_copy (filter);
  g_autofree char *next = NULL;
  guint n_read = 0;

  jm_run_filter_set_sort (page, "start", NULL);
  do
    {
      g_autoptr (GPtrArray) runs = NULL;
      const gboolean is_set = jm_run_filter_set_cursor (page, next, error);

      g_clear_pointer (&next, g_free);
      jm_run_filter_set_limit (page, MIN (max - n_read, JM_RUN_FILTER_MAX_LIMIT));
      if (is_set)
        runs = jm_archive_database_list_runs (self, page, viewer, &next, error);
      if (runs == NULL)
        return FALSE;
      for (guint i = 0; i < runs->len; i++)
        add_run (runs->pdata[i], summing);
      n_read += runs->len;
    }
  while (next != NULL && n_read < max);
  *has_more = next != NULL;

  return TRUE;
}

/* By one statement where that gives row by row. PostgreSQL's client holds all of an
 * answer; and what is more than a row of runs is read for a page of them. */
static gboolean
read_runs (JmArchiveDatabase *self,
           Summing *summing,
           JmRunFilter *filter,
           guint max,
           JmViewer *viewer,
           gboolean *has_more,
           GError **error)
{
  JmSql *sql = jm_archive_database_get_sql (self, error);

  if (sql == NULL)
    return FALSE;

  return summing->has_carbon || jm_run_filter_get_node (filter) != NULL ||
             jm_sql_is_postgresql (sql)
           ? read_pages (self, summing, filter, max, viewer, has_more, error)
           : jm_run_reader_read (sql, filter, max, viewer, add_run, summing, has_more,
                                 error);
}

GPtrArray *
jm_archive_database_list_totals (JmArchiveDatabase *self,
                                 JmRunFilter *filter,
                                 JmUsageGroups groups,
                                 guint max,
                                 JmViewer *viewer,
                                 gboolean *has_more,
                                 GError **error)
{
  Summing summing = begin (filter, groups, NULL);
  gboolean is_read;

  summing.has_carbon = jm_run_filter_get_has_energy (filter);
  summing.max_parts = MAX_PARTS;
  is_read = read_runs (self, &summing, filter, max, viewer, has_more, error);
  *has_more = is_read && (*has_more || is_full (&summing));

  return end (&summing, is_read);
}

/**
 * jm_archive_list_totals:
 * @self: an archive
 * @filter: of which runs; of one that goes beyond the period, the part in it counts
 * @groups: what the sums are kept apart by
 * @prices: (nullable): what runs cost; %NULL for no costs
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Adds up what runs were given, what they left unused, and what they cost. All of these
 * runs are read: jm_archive_list_usage() is faster where its sums are enough.
 *
 * - Shape: in the order of cluster, user, account, partition, job name, node, and month
 *   or day. What a run had and used is spread evenly over its time and its nodes, each
 * of which counts the run; the node is empty where the scheduler does not list all of
 * them.
 * - Errors: %JM_ERROR_INVALID for groups by state; those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRunTotals): the sums
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_totals (JmArchive *self,
                        JmRunFilter *filter,
                        JmUsageGroups groups,
                        JmPriceList *prices,
                        GCancellable *cancellable,
                        GError **error)
{
  Summing summing;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if ((groups & JM_USAGE_GROUPS_STATE) != 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "sums of runs are not by state");
      return NULL;
    }
  summing = begin (filter, groups, prices);

  return end (&summing, jm_archive_read_runs (self, filter, 0, add_run, &summing,
                                              cancellable, error));
}

/* --- budgets --- */

static void
set (JmRunTotals *self, JmQuantityId quantity, double value)
{
  jm_figures_set (self->figures, quantity, jm_figure_known (value));
}

/* The mean of less than a day says nothing of others. */
static void
set_forecast (JmRunTotals *self, const JmBudget *budget, gint64 elapsed)
{
  const JmFigure cost = jm_figures_get (self->figures, JM_QUANTITY_COST);
  const JmFigure length = jm_figure_known ((double) (budget->to - budget->from));

  if (budget->amount > 0)
    jm_figures_set (self->figures, JM_QUANTITY_BUDGET_USED,
                    jm_figure_get_share (cost, jm_figure_known (budget->amount)));
  if (elapsed >= MIN (DAY_SECONDS, budget->to - budget->from))
    jm_figures_set (self->figures, JM_QUANTITY_BUDGET_FORECAST,
                    jm_figures_divide (jm_figures_multiply (cost, length),
                                       jm_figure_known ((double) elapsed)));
}

/* What was spent until @now. */
static JmRunTotals *
make_budget (JmArchive *self,
             JmPriceList *prices,
             const JmBudget *budget,
             gint64 now,
             GCancellable *cancellable,
             GError **error)
{
  const char *const accounts[] = { budget->account, NULL };
  const gint64 until = CLAMP (now, budget->from, budget->to);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) all = NULL;
  JmRunTotals *totals;

  jm_run_filter_set_accounts (filter, accounts);
  jm_run_filter_set_period (filter, budget->from, until);
  if (until > budget->from)
    all = jm_archive_list_totals (self, filter, JM_USAGE_GROUPS_ACCOUNT, prices,
                                  cancellable, error);
  if (until > budget->from && all == NULL)
    return NULL;

  if (all != NULL && all->len > 0)
    totals = jm_run_totals_ref (all->pdata[0]);
  else
    {
      char *names[JM_N_USAGE_NAMES] = { NULL, NULL, budget->account };

      totals = jm_run_totals_new (names, -1, jm_price_list_get_currency (prices));
      set (totals, JM_QUANTITY_USAGE_RUNS, 0);
      set (totals, JM_QUANTITY_COST, 0);
      set (totals, JM_QUANTITY_UNPRICED_RUNS, 0);
    }
  set (totals, JM_QUANTITY_BUDGET, budget->amount);
  set (totals, JM_QUANTITY_BUDGET_START_TIME, (double) budget->from);
  set (totals, JM_QUANTITY_BUDGET_END_TIME, (double) budget->to);
  set (totals, JM_QUANTITY_BUDGET_ELAPSED, (double) (until - budget->from));
  set_forecast (totals, budget, until - budget->from);

  return totals;
}

/**
 * jm_archive_list_budgets:
 * @self: an archive
 * @prices: what runs cost, and the budgets of accounts
 * @now: seconds since 1970; what came behind it does not count
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Adds up for each budget what the account's runs cost in its period so far, and what
 * they cost at its end if each day is as the mean of the days so far. All of these runs
 * are read: of others than one may see nothing counts.
 *
 * - Shape: in the order of the file. There is no forecast in the first day of a period.
 * - Errors: those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRunTotals): the sums, by account
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_budgets (JmArchive *self,
                         JmPriceList *prices,
                         gint64 now,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autoptr (GPtrArray) list =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_totals_unref);
  const JmBudget *budgets;
  guint n_budgets;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (prices != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  budgets = jm_price_list_get_budgets (prices, &n_budgets);
  for (guint i = 0; i < n_budgets; i++)
    {
      JmRunTotals *totals =
        make_budget (self, prices, &budgets[i], now, cancellable, error);

      if (totals == NULL)
        return NULL;
      g_ptr_array_add (list, totals);
    }

  return g_steal_pointer (&list);
}

/* --- emissions --- */

/**
 * jm_archive_list_carbon:
 * @self: an archive
 * @filter: of which runs; of one that goes beyond the period, the part in it counts
 * @groups: what the sums are kept apart by, but not by node
 * @site: (nullable): what the site knows of its carbon; %NULL for nothing
 * @cancellable: (nullable): ends it
 * @error: return location for an error
 *
 * Adds up the energy and the emissions of runs, with the shares that are known and
 * measured: emissions by the average factors that the archive kept, direct ones and
 * those of the life cycle apart, and each run's share of making its machines. All of
 * these runs are read.
 *
 * - Shape: that of jm_archive_list_totals().
 * - Errors: those of jm_archive_read_runs().
 *
 * Returns: (transfer container) (element-type JmRunTotals): the sums
 * Since: 0.1
 */
GPtrArray *
jm_archive_list_carbon (JmArchive *self,
                        JmRunFilter *filter,
                        JmUsageGroups groups,
                        JmSiteCarbon *site,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (JmRunFilter) detailed = NULL;
  Summing summing;

  g_return_val_if_fail (JM_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (filter != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  detailed = jm_run_filter_copy (filter);
  jm_run_filter_set_has_energy (detailed, TRUE);
  summing = begin (detailed, groups & ~(guint) JM_USAGE_GROUPS_NODE, NULL);
  summing.has_carbon = TRUE;
  summing.site = site;

  return end (&summing, jm_archive_read_runs (self, detailed, 0, add_run, &summing,
                                              cancellable, error));
}
