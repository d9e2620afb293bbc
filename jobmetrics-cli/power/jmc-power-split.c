/* jmc-power-split.c: who has taken a node's power between two looks
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "power/jmc-power-split.h"

static void
shares_free (gpointer data)
{
  JmcPowerShares *self = data;

  g_free (self->domain);
  g_free (self);
}

static JmcPowerShares *
get_shares (GPtrArray *split, JmMetric metric, JmLabels *labels)
{
  const char *domain = jm_metric_find_label (metric, labels, "domain");
  gboolean is_estimated = jm_metric_is_estimated (metric, labels);
  JmcPowerShares *shares;

  for (guint i = 0; i < split->len; i++)
    {
      shares = split->pdata[i];
      if (shares->is_estimated == is_estimated && g_str_equal (shares->domain, domain))
        return shares;
    }

  shares = g_new0 (JmcPowerShares, 1);
  shares->domain = g_strdup (domain);
  shares->is_estimated = is_estimated;
  g_ptr_array_add (split, shares);

  return shares;
}

static void
add (JmFigure *sum, double value)
{
  *sum = jm_figure_known (sum->value + value);
}

static double
get_joules (JmSnapshot *snapshot, JmSubjectKind kind, JmLabels *labels)
{
  guint subject;

  if (!jm_snapshot_find_subject (snapshot, kind, &subject))
    return 0;

  return jm_figure_of_label (snapshot, subject, JM_METRIC_ENERGY, labels).value;
}

/* What was counted before belongs to an earlier time; an account that is new began at
 * 0. */
static double
get_watts (JmSnapshot *before, JmSnapshot *now, JmSubjectKind kind, JmLabels *labels)
{
  double seconds =
    (double) (jm_snapshot_get_time (now) - jm_snapshot_get_time (before)) /
    G_USEC_PER_SEC;
  double joules = get_joules (now, kind, labels) - get_joules (before, kind, labels);

  return seconds > 0 && joules > 0 ? joules / seconds : 0;
}

/* The system or what is idle. */
static void
add_part (GPtrArray *split, JmSnapshot *before, JmSnapshot *now, JmSubjectKind kind)
{
  g_autoptr (GPtrArray) all = NULL;
  guint subject;

  if (!jm_snapshot_find_subject (now, kind, &subject))
    return;

  all = jm_snapshot_list_labels (now, subject, JM_METRIC_ENERGY);
  for (guint i = 0; i < all->len; i++)
    {
      JmcPowerShares *shares = get_shares (split, JM_METRIC_ENERGY, all->pdata[i]);

      add (kind == JM_SUBJECT_KIND_SYSTEM ? &shares->system : &shares->idle,
           get_watts (before, now, kind, all->pdata[i]));
    }
}

static void
add_job (GPtrArray *split, JmSnapshot *now, guint job)
{
  const JmMetric metric = JM_METRIC_POWER;
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (now, job, metric);

  for (guint i = 0; i < all->len; i++)
    add (&get_shares (split, metric, all->pdata[i])->jobs,
         jm_figure_of_label (now, job, metric, all->pdata[i]).value);
}

/* For each domain what it took from one look to the other, of JmcPowerShares. */
GPtrArray *
jmc_power_split_make (JmSnapshot *before, JmSnapshot *now)
{
  GPtrArray *split = g_ptr_array_new_with_free_func (shares_free);

  add_part (split, before, now, JM_SUBJECT_KIND_SYSTEM);
  add_part (split, before, now, JM_SUBJECT_KIND_IDLE);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (now); i++)
    if (jm_snapshot_get_kind (now, i) == JM_SUBJECT_KIND_JOB)
      add_job (split, now, i);

  return split;
}

static void
add_known (JmFigure *sum, JmFigure figure)
{
  if (figure.is_known)
    add (sum, figure.value);
}

/* Domains do not overlap. The sum has no name. */
JmcPowerShares
jmc_power_split_sum (GPtrArray *split)
{
  JmcPowerShares sum = { 0 };

  for (guint i = 0; i < split->len; i++)
    {
      const JmcPowerShares *shares = split->pdata[i];

      add_known (&sum.jobs, shares->jobs);
      add_known (&sum.system, shares->system);
      add_known (&sum.idle, shares->idle);
    }

  return sum;
}

JmFigure
jmc_power_shares_get_all (const JmcPowerShares *self)
{
  JmFigure sum = { 0 };

  add_known (&sum, self->jobs);
  add_known (&sum, self->system);
  add_known (&sum, self->idle);

  return sum;
}

gboolean
jmc_power_split_is_estimated (GPtrArray *split)
{
  for (guint i = 0; i < split->len; i++)
    {
      const JmcPowerShares *shares = split->pdata[i];

      if (shares->is_estimated)
        return TRUE;
    }

  return FALSE;
}
