/* jm-history.h: who knows the runs of a cluster that were
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-batch.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

/**
 * JM_HISTORY_BATCH_RUNS:
 *
 * How many runs a history hands on at once, at most.
 *
 * Since: 0.1
 */
#define JM_HISTORY_BATCH_RUNS 5000

/**
 * JmHistoryTake:
 * @batch: some of what was read, with the position behind it where there is one
 * @user_data: as given to jm_history_read()
 * @error: return location for an error
 *
 * Takes what was read: once this returns it is safe.
 *
 * Returns: whether to go on; else @error is set
 * Since: 0.1
 */
typedef gboolean (*JmHistoryTake) (JmRunBatch *batch,
                                   gpointer user_data,
                                   GError **error);

#define JM_TYPE_HISTORY (jm_history_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmHistory, jm_history, JM, HISTORY, JmSource)

/**
 * JmHistoryInterface:
 * @parent_iface: the parent interface
 * @read: see jm_history_read(); called in a thread of its own
 * @get_position_name: see jm_history_get_position_name()
 *
 * Who knows the runs of a cluster that were.
 *
 * Since: 0.1
 */
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

JM_AVAILABLE_IN_ALL
gboolean jm_history_read (JmHistory *self,
                          const char *position,
                          JmHistoryTake take,
                          gpointer user_data,
                          GCancellable *cancellable,
                          GError **error);

JM_AVAILABLE_IN_ALL
const char *jm_history_get_position_name (JmHistory *self);

G_END_DECLS
