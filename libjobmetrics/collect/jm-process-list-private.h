/* jm-process-list-private.h: the processes of one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "collect/jm-job-tracker-private.h"

G_BEGIN_DECLS

/* Lists the processes of @job (JmProcess), which @reader's cgroups hold. */
GPtrArray *jm_process_list_read (JmTrackedJob *job,
                                 JmCgroupReader *reader,
                                 JmProcessSource *table,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
