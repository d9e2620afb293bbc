/* rounds.c: rounds over a process table, and what they report
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "rounds.h"
#include "host/jm-host-private.h"

Rounds *
rounds_new (const char *root)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmHost) host = jm_host_new (root);
  JmProcessSource *table = JM_PROCESS_SOURCE (
    g_initable_new (JM_TYPE_PROCFS_SOURCE, NULL, &error, "host", host, NULL));

  g_assert_no_error (error);

  return rounds_new_of (table);
}

/* Takes @table over. */
Rounds *
rounds_new_of (JmProcessSource *table)
{
  static const char *const helpers[] = { "slurmstepd", "sleep 100000000", NULL };
  Rounds *self = g_new0 (Rounds, 1);

  self->host = g_object_ref (jm_source_get_host (JM_SOURCE (table)));
  self->table = table;
  jm_process_source_set_helpers (self->table, helpers);
  self->readings = jm_readings_new ();
  self->group = jm_process_source_add_group (self->table, 0);
  g_assert_cmpuint (self->group, !=, 0);

  return self;
}

void
rounds_free (Rounds *self)
{
  g_assert_finalize_object (self->table);
  g_assert_cmpuint (jm_host_get_open_files (self->host), ==, 0);
  g_assert_finalize_object (self->host);
  jm_readings_unref (self->readings);
  g_free (self);
}

void
rounds_begin (Rounds *self)
{
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_process_source_begin_round (self->table, self->readings);
}

void
rounds_end (Rounds *self)
{
  jm_process_source_end_round (self->table);
}

void
rounds_run (Rounds *self, guint group, const guint *pids, guint n_pids)
{
  rounds_begin (self);
  for (guint i = 0; i < n_pids; i++)
    jm_process_source_add_process (self->table, group, pids[i]);
  rounds_end (self);
}

/* With @label NULL any will do. */
gboolean
rounds_find (Rounds *self,
             guint group,
             JmMetric metric,
             const char *label,
             guint64 *value)
{
  g_autoptr (JmLabels) labels = label != NULL ? jm_labels_of (label, NULL) : NULL;
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const JmReading *values;
  guint n_values;

  jm_process_source_read_group (self->table, group, readings);
  values = jm_readings_get_values (readings, &n_values);
  for (guint i = 0; i < n_values; i++)
    if (values[i].metric == metric && (label == NULL || values[i].labels == labels))
      {
        if (value != NULL)
          *value = values[i].value;
        return TRUE;
      }

  return FALSE;
}

guint64
rounds_get (Rounds *self, guint group, JmMetric metric, const char *label)
{
  guint64 value = 0;

  if (!rounds_find (self, group, metric, label, &value))
    g_error ("no figure of %s{%s}", jm_metric_get_name (metric), label);

  return value;
}

guint
rounds_get_n_errors (Rounds *self, JmCollector collector)
{
  return jm_readings_get_status (self->readings, collector)->n_errors;
}

const GError *
rounds_get_error (Rounds *self, JmCollector collector)
{
  return jm_readings_get_status (self->readings, collector)->first_error;
}
