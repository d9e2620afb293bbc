/* jm-quantity.c: what can be known of a subject
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-quantity-private.h"

static const JmQuantity quantities[JM_N_QUANTITIES] = {
#include "core/jm-quantities.inc"
};

static const JmRunQuantity of_runs[] = {
#include "core/jm-run-quantities.inc"
};

/* There is one of each, for good. */
static JmQuantity *
share (JmQuantity *self)
{
  return self;
}

static void
leave (JmQuantity *self)
{
}

G_DEFINE_BOXED_TYPE (JmQuantity, jm_quantity, share, leave)

const JmQuantity *
jm_quantity_get (JmQuantityId id)
{
  return &quantities[id];
}

JmQuantityId
jm_quantity_get_id (const JmQuantity *self)
{
  return (JmQuantityId) (self - quantities);
}

const JmRunQuantity *
jm_quantity_get_run_quantities (guint *n_quantities)
{
  *n_quantities = G_N_ELEMENTS (of_runs);

  return of_runs;
}

const JmQuantity *
jm_quantity_of_metric (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return &quantities[metric];
}

JmMetric
jm_quantity_get_metric (const JmQuantity *self)
{
  if (self < quantities || self >= quantities + JM_N_METRICS)
    return JM_N_METRICS;

  return (JmMetric) (self - quantities);
}

/**
 * jm_quantity_of_subject:
 * @kind: what the quantity is about: those of nodes and of jobs share names
 * @name: its name, such as `cpu_seconds`, or that on /metrics without the prefix of the
 *   subject's kind, such as `cpu_seconds_total`
 *
 * Looks up what snapshots may have of a kind of subject. Programs do this once, and
 * pass the quantity to jm_snapshot_get_value(), jm_readings_add_value() and the like.
 *
 * Returns: (transfer none) (nullable): the quantity; %NULL where subjects of that kind
 *   have none of this name
 * Since: 0.1
 */
const JmQuantity *
jm_quantity_of_subject (JmSubjectKind kind, const char *name)
{
  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, kind) && (g_str_equal (quantities[i].name, name) ||
                                         g_str_equal (jm_metric_get_name (i), name)))
      return &quantities[i];

  return NULL;
}

/**
 * jm_quantity_list_of_subject:
 * @kind: a kind of subject
 *
 * Lists what snapshots may have of a kind of subject.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_quantity_list_of_subject (JmSubjectKind kind)
{
  GPtrArray *list = g_ptr_array_new ();

  g_return_val_if_fail ((guint) kind < JM_N_SUBJECT_KINDS, list);

  for (JmMetric i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, kind))
      g_ptr_array_add (list, (gpointer) &quantities[i]);

  return list;
}

/**
 * jm_quantity_get_metric_info:
 * @self: a quantity
 *
 * Gets how the quantity stands on /metrics: its unit, labels and collector.
 *
 * Returns: (transfer none) (nullable): the entry, which is static; %NULL of a quantity
 *   that no sweep measures
 * Since: 0.1
 */
const JmMetricInfo *
jm_quantity_get_metric_info (const JmQuantity *self)
{
  JmMetric metric = jm_quantity_get_metric (self);

  return metric < JM_N_METRICS ? jm_metric_get_info (metric) : NULL;
}

/**
 * jm_quantity_find_label:
 * @self: a quantity that is measured
 * @labels: labels of one of its figures
 * @name: name of a label, such as `domain`
 *
 * Finds the value of a label by its name.
 *
 * Returns: (nullable): the value; %NULL if the quantity has no label of that name
 * Since: 0.1
 */
const char *
jm_quantity_find_label (const JmQuantity *self, JmLabels *labels, const char *name)
{
  JmMetric metric = jm_quantity_get_metric (self);

  g_return_val_if_fail (metric < JM_N_METRICS, NULL);

  return jm_metric_find_label (metric, labels, name);
}

/**
 * jm_quantity_of_run:
 * @name: a name, such as `cpu_efficiency_percent`
 *
 * Looks up what a report of a run may have: see jm_run_report_get_value().
 *
 * Returns: (transfer none) (nullable): the quantity; %NULL where runs have none of this
 *   name
 * Since: 0.1
 */
const JmQuantity *
jm_quantity_of_run (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (of_runs); i++)
    if (g_str_equal (quantities[of_runs[i].id].name, name))
      return &quantities[of_runs[i].id];

  return NULL;
}

/**
 * jm_quantity_list_of_runs:
 *
 * Lists what a report of a run may have.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_quantity_list_of_runs (void)
{
  GPtrArray *list = g_ptr_array_sized_new (G_N_ELEMENTS (of_runs));

  for (guint i = 0; i < G_N_ELEMENTS (of_runs); i++)
    g_ptr_array_add (list, (gpointer) &quantities[of_runs[i].id]);

  return list;
}

/* In capitals or not, as above a column, and as on /metrics. */
static gboolean
is_same_name (const char *name, const char *typed, JmFormat format)
{
  for (; *name != '\0' && *typed != '\0'; name++, typed++)
    if (*name != (*typed == '-' ? '_' : g_ascii_tolower (*typed)))
      return FALSE;

  return *name == '\0' && (*typed == '\0' || g_str_equal (typed, "_total") ||
                           (format == JM_FORMAT_PERCENT && g_str_equal (typed, "%")));
}

/**
 * jm_quantity_is_called:
 * @self: a quantity
 * @typed: a name as people type it
 *
 * Finds out whether the name is the quantity's, be it the short one or the heading, in
 * capitals or not.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_quantity_is_called (const JmQuantity *self, const char *typed)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (typed != NULL, FALSE);

  return g_ascii_strcasecmp (self->heading, typed) == 0 ||
         is_same_name (self->name, typed, self->format) ||
         (self->short_name != NULL &&
          is_same_name (self->short_name, typed, self->format));
}
