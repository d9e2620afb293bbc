/* jm-power-split.c: who has taken a node's power between two snapshots
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/jm-power-split.h"

#include "core/jm-figure-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-snapshot-private.h"

/* What one of those who take power took of one domain. */
typedef struct
{
  JmFigure watts;
  gboolean has_gap; /* there is an account, but not of all the time */
} Share;

typedef struct
{
  char *domain;
  gboolean is_estimated;
  Share shares[JM_N_SUBJECT_KINDS]; /* by who took it */
} Row;

struct _JmPowerSplit
{
  GArray *rows; /* of Row */
};

G_DEFINE_BOXED_TYPE (JmPowerSplit,
                     jm_power_split,
                     g_atomic_rc_box_acquire,
                     jm_power_split_unref)

static const JmSubjectKind takers[] = {
  JM_SUBJECT_KIND_JOB,
  JM_SUBJECT_KIND_SYSTEM,
  JM_SUBJECT_KIND_IDLE,
};

static void
row_clear (gpointer data)
{
  Row *self = data;

  g_free (self->domain);
}

static void
share_add (Share *self, const Share *other)
{
  self->watts = jm_figure_add (self->watts, other->watts);
  self->has_gap |= other->has_gap;
}

/* A sum of which a part is missing would look like a small one. */
static JmFigure
share_get_figure (const Share *self)
{
  return self->has_gap ? (JmFigure){ 0 } : self->watts;
}

/* Whoever took it, and however many they are. */
static void
row_sum (const Row *self, JmSubjectKind kind, Share *sum)
{
  if (kind != JM_SUBJECT_KIND_NODE)
    {
      share_add (sum, &self->shares[kind]);
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (takers); i++)
    share_add (sum, &self->shares[takers[i]]);
}

static const Row *
get_row (JmPowerSplit *self, guint row)
{
  return &g_array_index (self->rows, Row, row);
}

/* The row of a domain, which is made where it is missing. */
static Row *
take_row (JmPowerSplit *self, JmMetric metric, JmLabels *labels)
{
  const char *domain = jm_metric_find_label (metric, labels, "domain");
  gboolean is_estimated = jm_metric_is_estimated (metric, labels);
  Row fresh = { .is_estimated = is_estimated };

  for (guint i = 0; i < self->rows->len; i++)
    {
      Row *row = &g_array_index (self->rows, Row, i);

      if (row->is_estimated == is_estimated && g_str_equal (row->domain, domain))
        return row;
    }

  fresh.domain = g_strdup (domain);
  g_array_append_val (self->rows, fresh);

  return &g_array_index (self->rows, Row, self->rows->len - 1);
}

/* What was counted before @before belongs to an earlier time; an account that is new
 * began at 0. */
static JmFigure
get_joules_before (JmSnapshot *before, JmSubjectKind kind, JmLabels *labels)
{
  JmFigure joules = { 0 };
  guint subject;

  if (jm_snapshot_find_subject (before, kind, &subject))
    joules = jm_figure_of_metric_label (before, subject, JM_METRIC_ENERGY, labels);

  return joules.is_known ? joules : jm_figure_known (0);
}

/* The system, or what is idle. */
static void
add_part (JmPowerSplit *self, JmSnapshot *before, JmSnapshot *now, JmSubjectKind kind)
{
  const JmMetric metric = JM_METRIC_ENERGY;
  double seconds =
    (double) (jm_snapshot_get_time (now) - jm_snapshot_get_time (before)) /
    G_USEC_PER_SEC;
  g_autoptr (GPtrArray) all = NULL;
  guint subject;

  if (!jm_snapshot_find_subject (now, kind, &subject))
    return;

  all = jm_snapshot_list_metric_labels (now, subject, metric);
  for (guint i = 0; i < all->len; i++)
    {
      JmLabels *labels = all->pdata[i];
      Share share = { 0 };

      share.watts =
        jm_figure_get_rate (jm_figure_of_metric_label (now, subject, metric, labels),
                            get_joules_before (before, kind, labels), seconds);
      share.has_gap = !share.watts.is_known;
      share_add (&take_row (self, metric, labels)->shares[kind], &share);
    }
}

static void
add_job (JmPowerSplit *self, JmSnapshot *now, guint job)
{
  const JmMetric metric = JM_METRIC_POWER;
  g_autoptr (GPtrArray) all = jm_snapshot_list_metric_labels (now, job, metric);

  for (guint i = 0; i < all->len; i++)
    {
      JmLabels *labels = all->pdata[i];
      const Share share = { .watts =
                              jm_figure_of_metric_label (now, job, metric, labels) };

      share_add (&take_row (self, metric, labels)->shares[JM_SUBJECT_KIND_JOB], &share);
    }
}

/**
 * jm_power_split_new:
 * @before: a snapshot of a node
 * @now: the one after it, of the same #JmNode
 *
 * Divides what a node took between two snapshots by who took it. Jobs' power is what
 * @now has of them; the system's and idle power is what their energy grew by, divided
 * by the time between.
 *
 * Returns: (transfer full): the split; without rows where the node has no meter
 * Since: 0.1
 */
JmPowerSplit *
jm_power_split_new (JmSnapshot *before, JmSnapshot *now)
{
  JmPowerSplit *self;

  g_return_val_if_fail (before != NULL, NULL);
  g_return_val_if_fail (now != NULL, NULL);

  self = g_atomic_rc_box_new0 (JmPowerSplit);
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_array_set_clear_func (self->rows, row_clear);

  add_part (self, before, now, JM_SUBJECT_KIND_SYSTEM);
  add_part (self, before, now, JM_SUBJECT_KIND_IDLE);
  for (guint i = 0; i < jm_snapshot_get_n_subjects (now); i++)
    if (jm_snapshot_get_kind (now, i) == JM_SUBJECT_KIND_JOB)
      add_job (self, now, i);

  return self;
}

static void
power_split_clear (gpointer data)
{
  JmPowerSplit *self = data;

  g_array_unref (self->rows);
}

/**
 * jm_power_split_unref:
 * @self: (transfer full): a split
 *
 * Gives up a reference.
 *
 * Since: 0.1
 */
void
jm_power_split_unref (JmPowerSplit *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, power_split_clear);
}

/**
 * jm_power_split_get_n_rows:
 * @self: a split
 *
 * Counts the rows.
 *
 * Returns: how many there are
 * Since: 0.1
 */
guint
jm_power_split_get_n_rows (JmPowerSplit *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->rows->len;
}

/**
 * jm_power_split_get_domain:
 * @self: a split
 * @row: a row, from 0 on
 *
 * Gets the domain of a row, as the label `domain` of jobs' power has it.
 *
 * Returns: its name, such as `package`
 * Since: 0.1
 */
const char *
jm_power_split_get_domain (JmPowerSplit *self, guint row)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (row < self->rows->len, NULL);

  return get_row (self, row)->domain;
}

/**
 * jm_power_split_is_estimated:
 * @self: a split
 * @row: a row, from 0 on
 *
 * Asks whether a row was estimated and not measured.
 *
 * Returns: whether it was
 * Since: 0.1
 */
gboolean
jm_power_split_is_estimated (JmPowerSplit *self, guint row)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (row < self->rows->len, FALSE);

  return get_row (self, row)->is_estimated;
}

/**
 * jm_power_split_get_figure: (skip)
 * @self: a split
 * @row: a row, from 0 on
 * @kind: who took it
 *
 * Gets what was taken of a domain.
 *
 * Returns: watts; absent where no account is kept, where no time has gone by, or where
 *   an account fell: it is another one under the same name then
 * Since: 0.1
 */
JmFigure
jm_power_split_get_figure (JmPowerSplit *self, guint row, JmSubjectKind kind)
{
  Share sum = { 0 };

  g_return_val_if_fail (self != NULL, sum.watts);
  g_return_val_if_fail (row < self->rows->len, sum.watts);
  g_return_val_if_fail (kind < JM_N_SUBJECT_KINDS, sum.watts);

  row_sum (get_row (self, row), kind, &sum);

  return share_get_figure (&sum);
}

/**
 * jm_power_split_get_watts:
 * @self: a split
 * @row: a row, from 0 on
 * @kind: who took it
 * @watts: (out): place for the power, 0 where it is not known
 *
 * Gets what was taken of a domain, as jm_power_split_get_figure() does.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_power_split_get_watts (JmPowerSplit *self,
                          guint row,
                          JmSubjectKind kind,
                          double *watts)
{
  JmFigure figure = jm_power_split_get_figure (self, row, kind);

  *watts = figure.value;

  return figure.is_known;
}

/**
 * jm_power_split_sum_figures: (skip)
 * @self: a split
 * @kind: who took it
 *
 * Adds up what was taken of all domains.
 *
 * Returns: watts; absent where nothing is known, or where any account has a gap that
 *   makes its own figure absent
 * Since: 0.1
 */
JmFigure
jm_power_split_sum_figures (JmPowerSplit *self, JmSubjectKind kind)
{
  Share sum = { 0 };

  g_return_val_if_fail (self != NULL, sum.watts);
  g_return_val_if_fail (kind < JM_N_SUBJECT_KINDS, sum.watts);

  for (guint i = 0; i < self->rows->len; i++)
    row_sum (get_row (self, i), kind, &sum);

  return share_get_figure (&sum);
}

/**
 * jm_power_split_sum_watts:
 * @self: a split
 * @kind: who took it
 * @watts: (out): place for the power, 0 where it is not known
 *
 * Adds up what was taken of all domains, as jm_power_split_sum_figures() does.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_power_split_sum_watts (JmPowerSplit *self, JmSubjectKind kind, double *watts)
{
  JmFigure figure = jm_power_split_sum_figures (self, kind);

  *watts = figure.value;

  return figure.is_known;
}
