/* jm-history.c: who knows the runs of a cluster that were
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-history-private.h"

/* Knows the runs of one cluster that were, as its scheduler's accounting has them. What
 * it sent before it may send again: whoever keeps it takes it once. */
G_DEFINE_INTERFACE (JmHistory, jm_history, JM_TYPE_SOURCE)

static void
jm_history_default_init (JmHistoryInterface *iface)
{
}

/* Reads on from @position up to now, and waits for it.
 *
 * - Shape: batches of JM_HISTORY_BATCH_RUNS at most, in the order in which they are to
 *   be kept. A batch has a position once all that stands before it was handed on:
 *   whoever dies in between loses nothing, and reads some again.
 * - Errors: `UNAVAILABLE` when there is no answer now; `DENIED` when the accounting
 *   refuses; `INVALID` for a position that is none; what @take sets. A row that cannot
 *   be read is no error: it is passed over and logged.
 *
 * Returns whether all was read; what was taken before an error stays. */
gboolean
jm_history_read (JmHistory *self,
                 const char *position,
                 JmHistoryTake take,
                 gpointer user_data,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GError) unwanted = NULL;

  g_return_val_if_fail (JM_IS_HISTORY (self), FALSE);
  g_return_val_if_fail (take != NULL, FALSE);

  return JM_HISTORY_GET_IFACE (self)->read (self, position, take, user_data,
                                            cancellable,
                                            error != NULL ? error : &unwanted);
}

/* What its position is kept under, such as `sacct/CLUSTER`: no two histories that are
 * read into one store have the same.
 *
 * Returns the name. */
const char *
jm_history_get_position_name (JmHistory *self)
{
  g_return_val_if_fail (JM_IS_HISTORY (self), NULL);

  return JM_HISTORY_GET_IFACE (self)->get_position_name (self);
}
