/* jm-snapshot-collectors.c: how the collectors of a sweep fared
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-snapshot-private.h"

/**
 * jm_snapshot_is_collected:
 * @self: a snapshot
 * @collector: a collector
 *
 * Whether a collector was at work in this sweep.
 *
 * Returns: %FALSE where it is turned off
 * Since: 0.1
 */
gboolean
jm_snapshot_is_collected (JmSnapshot *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, FALSE);

  return jm_collector_set_has (jm_snapshot_get_collectors (self), collector);
}

/**
 * jm_snapshot_get_n_errors:
 * @self: a snapshot
 * @collector: a collector
 *
 * Gets how many reads of a collector failed in this sweep, for whatever reason.
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_snapshot_get_n_errors (JmSnapshot *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, 0);

  return jm_snapshot_get_status (self, collector)->n_errors;
}

/**
 * jm_snapshot_get_n_denied:
 * @self: a snapshot
 * @collector: a collector
 *
 * Gets how many of the errors that jm_snapshot_get_n_errors() counts are but a right
 * that this process lacks (%JM_ERROR_DENIED).
 *
 * Returns: the number
 * Since: 0.1
 */
guint
jm_snapshot_get_n_denied (JmSnapshot *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, 0);

  return jm_snapshot_get_status (self, collector)->n_denied;
}

/**
 * jm_snapshot_has_failed:
 * @self: a snapshot
 * @collector: a collector
 *
 * Whether a collector could not read something that it had the right to. A process that
 * lacks a right lacks it for good, and whoever gave it none knows what is missing: that
 * is no failure.
 *
 * Returns: %TRUE if it could not
 * Since: 0.1
 */
gboolean
jm_snapshot_has_failed (JmSnapshot *self, JmCollector collector)
{
  return jm_snapshot_get_n_errors (self, collector) >
         jm_snapshot_get_n_denied (self, collector);
}

/**
 * jm_snapshot_get_error:
 * @self: a snapshot
 * @collector: a collector
 *
 * Gets the first error of a collector in this sweep; one that is but a lacking right
 * only where there is no other.
 *
 * Returns: (transfer none) (nullable): the error; %NULL when all went well
 * Since: 0.1
 */
const GError *
jm_snapshot_get_error (JmSnapshot *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, NULL);

  return jm_snapshot_get_status (self, collector)->first_error;
}

/**
 * jm_snapshot_get_collector_duration:
 * @self: a snapshot
 * @collector: a collector
 *
 * Gets how long a collector worked in this sweep.
 *
 * Returns: nanoseconds
 * Since: 0.1
 */
gint64
jm_snapshot_get_collector_duration (JmSnapshot *self, JmCollector collector)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail ((guint) collector < JM_N_COLLECTORS, 0);

  return (gint64) jm_snapshot_get_status (self, collector)->duration_ns;
}
