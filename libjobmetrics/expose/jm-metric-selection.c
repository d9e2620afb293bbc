/* jm-metric-selection.c: which metrics are shown, by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-metric-selection-private.h"

#include "base/jm-error.h"
#include "core/jm-metric-private.h"
#include "core/jm-quantity-private.h"
#include "core/jm-subject-private.h"
#include "expose/jm-family-private.h"

G_DEFINE_BOXED_TYPE (JmMetricSelection,
                     jm_metric_selection,
                     jm_metric_selection_ref,
                     jm_metric_selection_unref)

/* The figures of the node and of jobs share names, so each stays with its own kind. */
static char *
make_name (guint bucket)
{
  JmSubjectKind kind = bucket / JM_N_METRICS;
  JmMetric metric = bucket % JM_N_METRICS;

  if (!jm_metric_is_about (metric, kind))
    return NULL;

  return g_strconcat (jm_subject_kind_get_prefix (kind), jm_metric_get_name (metric),
                      NULL);
}

static void
select_names (JmMetricSelection *self)
{
  for (guint i = 0; i < JM_N_BUCKETS; i++)
    {
      g_autofree char *name = make_name (i);

      if (name != NULL && jm_metric_selection_has_name (self, name))
        self->names[i] = g_steal_pointer (&name);
    }
}

static GPtrArray *
compile (const char *const *patterns)
{
  GPtrArray *specs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);

  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    g_ptr_array_add (specs, g_pattern_spec_new (patterns[i]));

  return specs;
}

static gboolean
any_matches (GPtrArray *specs, const char *name)
{
  for (guint i = 0; i < specs->len; i++)
    if (g_pattern_spec_match_string (g_ptr_array_index (specs, i), name))
      return TRUE;

  return FALSE;
}

/**
 * jm_metric_selection_new:
 * @include: (nullable) (array zero-terminated=1): names of metrics, or patterns with
 *   `*` and `?`; none for all
 * @exclude: (nullable) (array zero-terminated=1): likewise those that are left out
 *
 * Makes a selection. Whether a pattern means anything is asked with
 * jm_metric_selection_check_pattern(): one that does not is no error here.
 *
 * Returns: (transfer full): the selection
 * Since: 0.1
 */
JmMetricSelection *
jm_metric_selection_new (const char *const *include, const char *const *exclude)
{
  JmMetricSelection *self = g_atomic_rc_box_new0 (JmMetricSelection);

  self->include = compile (include);
  self->exclude = compile (exclude);
  select_names (self);

  return self;
}

JmMetricSelection *
jm_metric_selection_ref (JmMetricSelection *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
metric_selection_clear (gpointer data)
{
  JmMetricSelection *self = data;

  g_ptr_array_unref (self->include);
  g_ptr_array_unref (self->exclude);
  for (guint i = 0; i < JM_N_BUCKETS; i++)
    g_free (self->names[i]);
}

/**
 * jm_metric_selection_unref:
 * @self: (transfer full): a selection
 *
 * Gives up a reference.
 *
 * Since: 0.1
 */
void
jm_metric_selection_unref (JmMetricSelection *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, metric_selection_clear);
}

gboolean
jm_metric_selection_has_metric (JmMetricSelection *self,
                                JmSubjectKind kind,
                                JmMetric metric)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (kind < JM_N_SUBJECT_KINDS, FALSE);
  g_return_val_if_fail (metric < JM_N_METRICS, FALSE);

  return self->names[JM_BUCKET (kind, metric)] != NULL;
}

/**
 * jm_metric_selection_has:
 * @self: a selection
 * @kind: what the figures are about
 * @quantity: a quantity: see jm_quantity_of_subject()
 *
 * Asks whether the metric of a quantity is selected.
 *
 * Returns: whether it is; not where it cannot be about @kind
 * Since: 0.1
 */
gboolean
jm_metric_selection_has (JmMetricSelection *self,
                         JmSubjectKind kind,
                         const JmQuantity *quantity)
{
  JmMetric metric;

  g_return_val_if_fail (quantity != NULL, FALSE);

  metric = jm_quantity_get_metric (quantity);

  return metric < JM_N_METRICS && jm_metric_selection_has_metric (self, kind, metric);
}

/**
 * jm_metric_selection_has_name:
 * @self: a selection
 * @name: whole name of a metric, one of a front end's own perhaps
 *
 * Asks whether the patterns let a name pass.
 *
 * Returns: whether they do
 * Since: 0.1
 */
gboolean
jm_metric_selection_has_name (JmMetricSelection *self, const char *name)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  if (self->include->len > 0 && !any_matches (self->include, name))
    return FALSE;

  return !any_matches (self->exclude, name);
}

static gboolean
matches_any_name (GPatternSpec *spec)
{
  for (JmFamily i = 0; i < JM_N_FAMILIES; i++)
    if (g_pattern_spec_match_string (spec, jm_family_get_info (i)->name))
      return TRUE;

  for (guint i = 0; i < JM_N_BUCKETS; i++)
    {
      g_autofree char *name = make_name (i);

      if (name != NULL && g_pattern_spec_match_string (spec, name))
        return TRUE;
    }

  return FALSE;
}

/**
 * jm_metric_selection_check_pattern:
 * @pattern: name of a metric, or a pattern with `*` and `?`
 * @error: return location for an error
 *
 * Checks that a pattern matches the name of some metric, which one that was mistyped
 * does not.
 *
 * - Errors: `INVALID`, with the pattern.
 *
 * Returns: whether it matches
 * Since: 0.1
 */
gboolean
jm_metric_selection_check_pattern (const char *pattern, GError **error)
{
  g_autoptr (GPatternSpec) spec = NULL;

  g_return_val_if_fail (pattern != NULL, FALSE);

  spec = g_pattern_spec_new (pattern);
  if (matches_any_name (spec))
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no metric is called so: %s",
               pattern);

  return FALSE;
}
