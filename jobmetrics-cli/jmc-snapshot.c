/* jmc-snapshot.c: what list and show have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-snapshot.h"

#include "base/jm-error.h"
#include "core/jm-field.h"

/* Reads the node once, or where power sources are named twice. Returns NULL, and has
 * said why and set the exit @status, where that failed. */
JmSnapshot *
jmc_snapshot_take (const JmcOptions *options,
                   JmSubjectKind level,
                   const JmCollectorSet *collectors,
                   int *status)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmNode) node = jmc_options_make_node (options, level, collectors, &error);
  g_autoptr (JmSnapshot) before = NULL;
  JmSnapshot *snapshot = NULL;

  if (node != NULL)
    {
      jmc_metering_wait_for_gpus (node, collectors);
      before = jmc_metering_begin (&options->metering, node);
      snapshot = jm_node_sample (node, NULL, &error);
    }
  if (snapshot == NULL)
    *status = jmc_options_refuse_node (error);

  return snapshot;
}

/* What a collector could not read: NULL when all went well. */
char *
jmc_snapshot_describe_error (JmSnapshot *snapshot, JmCollector collector)
{
  const GError *error = jm_snapshot_get_error (snapshot, collector);
  guint n_errors = jm_snapshot_get_n_errors (snapshot, collector);
  const char *name = jm_collector_get_name (collector);

  if (error == NULL)
    return NULL;

  if (n_errors <= 1)
    return g_strdup_printf ("%s: %s", name, error->message);

  return g_strdup_printf ("%s: %s (and %u more)", name, error->message, n_errors - 1);
}

static gboolean
lacks (JmSnapshot *snapshot, JmCollector collector, const JmField *field)
{
  if (field->source != JM_FIELD_SOURCE_METRIC ||
      jm_quantity_get_metric_info (field->quantity)->collector != collector)
    return FALSE;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB &&
        !jm_field_get_figure (field, snapshot, i).is_known)
      return TRUE;

  return FALSE;
}

/* The same where it costs whoever asked for @fields (const JmField; NULL for none) any
 * of these: a collector reads more than that, and not every user may read
 * everything. */
char *
jmc_snapshot_describe_loss (JmSnapshot *snapshot,
                            JmCollector collector,
                            const GPtrArray *fields)
{
  const GError *error = jm_snapshot_get_error (snapshot, collector);

  if (!g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    return jmc_snapshot_describe_error (snapshot, collector);

  for (guint i = 0; fields != NULL && i < fields->len; i++)
    if (lacks (snapshot, collector, fields->pdata[i]))
      return jmc_snapshot_describe_error (snapshot, collector);

  return NULL;
}
