/* jme-goodput.c: productive and lost hours of runs, for Prometheus
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-goodput.h"

#include "core/jm-quantity-private.h"

#define DELAY_SECONDS 3600
#define DAY_SECONDS 86400
/* How often they are added up, which takes some 15 us for each run. */
#define PAUSE_SECONDS 900
#define MAX_RUNS 200000
/* Not accounts: whoever may scrape sees these figures. */
#define GROUPS (JM_USAGE_GROUPS_CLUSTER | JM_USAGE_GROUPS_PARTITION)

struct _JmeGoodput
{
  GMutex lock;
  GPtrArray *totals; /* of JmRunTotals; NULL before the first */
  gint64 until;      /* of the last try; 0 before the first */
};

#define N_CLASSES 7

static const char *const classes[N_CLASSES] = {
  "productive",         "idle",
  "prolog_epilog",      "lost_to_failure",
  "lost_to_preemption", "lost_to_time_limit",
  "unobserved"
};

static const struct
{
  const char *name;
  const char *help;
  JmQuantityId quantities[N_CLASSES];
} families[] = {
  { "jobmetrics_server_goodput_cpu_seconds",
    "CPU time allocated to runs in the 24 hours that ended an hour ago, by class.",
    { JM_QUANTITY_CPU_PRODUCTIVE, JM_QUANTITY_CPU_IDLE, JM_QUANTITY_CPU_PROLOG_EPILOG,
      JM_QUANTITY_CPU_LOST_TO_FAILURE, JM_QUANTITY_CPU_LOST_TO_PREEMPTION,
      JM_QUANTITY_CPU_LOST_TO_TIME_LIMIT, JM_QUANTITY_CPU_UNOBSERVED } },
  { "jobmetrics_server_goodput_gpu_seconds",
    "GPU time allocated to runs in the 24 hours that ended an hour ago, by class.",
    { JM_QUANTITY_GPU_PRODUCTIVE, JM_QUANTITY_GPU_IDLE, JM_QUANTITY_GPU_PROLOG_EPILOG,
      JM_QUANTITY_GPU_LOST_TO_FAILURE, JM_QUANTITY_GPU_LOST_TO_PREEMPTION,
      JM_QUANTITY_GPU_LOST_TO_TIME_LIMIT, JM_QUANTITY_GPU_UNOBSERVED } },
};

JmeGoodput *
jme_goodput_new (void)
{
  JmeGoodput *self = g_new0 (JmeGoodput, 1);

  g_mutex_init (&self->lock);

  return self;
}

void
jme_goodput_free (JmeGoodput *self)
{
  g_clear_pointer (&self->totals, g_ptr_array_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
jme_goodput_measure (JmeGoodput *self, JmArchiveDatabase *store, GError **error)
{
  const gint64 until = g_get_real_time () / G_USEC_PER_SEC - DELAY_SECONDS;
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  GPtrArray *totals;
  gboolean has_more;

  /* a clock that was set back counts anew */
  if (until >= self->until && until < self->until + PAUSE_SECONDS)
    return TRUE;
  self->until = until;
  jm_run_filter_set_period (filter, until - DAY_SECONDS, until);
  totals = jm_archive_database_list_totals (store, filter, GROUPS, MAX_RUNS, all,
                                            &has_more, error);
  if (totals == NULL)
    return FALSE;

  /* a part of them would be no answer */
  if (has_more)
    g_ptr_array_set_size (totals, 0);
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->totals, g_ptr_array_unref);
  self->totals = totals;
  g_mutex_unlock (&self->lock);

  return TRUE;
}

/* --- figures --- */

static void
append_totals (JmRunTotals *totals, guint family, JmTextWriter *writer)
{
  for (guint i = 0; i < N_CLASSES; i++)
    {
      double value;

      if (!jm_run_totals_get_value (totals,
                                    jm_quantity_get (families[family].quantities[i]),
                                    &value))
        continue;
      jm_text_writer_begin_sample (writer);
      jm_text_writer_add_label (writer, "cluster",
                                jm_run_totals_get_name (totals,
                                                        JM_USAGE_GROUPS_CLUSTER));
      jm_text_writer_add_label (writer, "partition",
                                jm_run_totals_get_name (totals,
                                                        JM_USAGE_GROUPS_PARTITION));
      jm_text_writer_add_label (writer, "class", classes[i]);
      jm_text_writer_end_with_double (writer, value);
    }
}

void
jme_goodput_append_figures (JmeGoodput *self,
                            JmMetricSelection *selection,
                            JmTextWriter *writer)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; self->totals != NULL && i < G_N_ELEMENTS (families); i++)
    if (jm_metric_selection_has_name (selection, families[i].name))
      {
        jm_text_writer_begin_family (writer, JM_FAMILY_KIND_GAUGE, families[i].name,
                                     families[i].help);
        for (guint k = 0; k < self->totals->len; k++)
          append_totals (self->totals->pdata[k], i, writer);
      }
  g_mutex_unlock (&self->lock);
}

gboolean
jme_goodput_match_figures (const char *pattern)
{
  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_pattern_match_simple (pattern, families[i].name))
      return TRUE;

  return FALSE;
}
