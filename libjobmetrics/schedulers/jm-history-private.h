/* jm-history-private.h: who knows the runs of a cluster that were
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch-private.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

/* How many runs a history hands on at once, at most. */
#define JM_HISTORY_BATCH_RUNS 5000

/* @batch: some of what was read, with the position behind it where there is one
 * @user_data: as given to jm_history_read()
 * @error: return location for an error
 *
 * Takes what was read: once this returns it is safe.
 *
 * Returns whether to go on; else @error is set. */
typedef gboolean (*JmHistoryTake) (JmRunBatch *batch,
                                   gpointer user_data,
                                   GError **error);

#define JM_TYPE_HISTORY (jm_history_get_type ())

G_DECLARE_INTERFACE (JmHistory, jm_history, JM, HISTORY, JmSource)

/* @parent_iface: the parent interface
 * @read: see jm_history_read(); called in a thread of its own
 * @get_position_name: see jm_history_get_position_name()
 *
 * Who knows the runs of a cluster that were. */
struct _JmHistoryInterface
{
  GTypeInterface parent_iface;

  gboolean (*read) (JmHistory *self,
                    const char *position,
                    JmHistoryTake take,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error);
  const char *(*get_position_name) (JmHistory *self);

  gpointer padding[6];
};

gboolean jm_history_read (JmHistory *self,
                          const char *position,
                          JmHistoryTake take,
                          gpointer user_data,
                          GCancellable *cancellable,
                          GError **error);

const char *jm_history_get_position_name (JmHistory *self);

G_END_DECLS
