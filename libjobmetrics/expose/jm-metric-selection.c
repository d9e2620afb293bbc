/* jm-metric-selection.c: which metrics are exported, by name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-metric-selection-private.h"

#include "expose/jm-family-private.h"

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

      g_clear_pointer (&self->names[i], g_free);
      if (name != NULL && jm_metric_selection_has_name (self, name))
        self->names[i] = g_steal_pointer (&name);
    }
}

static void
compile (GPtrArray *specs, const char *const *patterns)
{
  g_ptr_array_set_size (specs, 0);
  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    g_ptr_array_add (specs, g_pattern_spec_new (patterns[i]));
}

static gboolean
any_matches (GPtrArray *specs, const char *name)
{
  for (guint i = 0; i < specs->len; i++)
    if (g_pattern_spec_match_string (g_ptr_array_index (specs, i), name))
      return TRUE;

  return FALSE;
}

void
jm_metric_selection_init (JmMetricSelection *self)
{
  *self = (JmMetricSelection){ 0 };
  self->include = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  self->exclude = g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);
  select_names (self);
}

void
jm_metric_selection_clear (JmMetricSelection *self)
{
  g_clear_pointer (&self->include, g_ptr_array_unref);
  g_clear_pointer (&self->exclude, g_ptr_array_unref);
  for (guint i = 0; i < JM_N_BUCKETS; i++)
    g_clear_pointer (&self->names[i], g_free);
}

void
jm_metric_selection_set_include (JmMetricSelection *self, const char *const *patterns)
{
  compile (self->include, patterns);
  select_names (self);
}

void
jm_metric_selection_set_exclude (JmMetricSelection *self, const char *const *patterns)
{
  compile (self->exclude, patterns);
  select_names (self);
}

gboolean
jm_metric_selection_has_name (const JmMetricSelection *self, const char *name)
{
  if (self->include->len > 0 && !any_matches (self->include, name))
    return FALSE;

  return !any_matches (self->exclude, name);
}

gboolean
jm_metric_pattern_is_of_use (const char *pattern)
{
  g_autoptr (GPatternSpec) spec = g_pattern_spec_new (pattern);

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
