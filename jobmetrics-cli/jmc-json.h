/* jmc-json.h: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-snapshot.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

void jmc_json_append (GString *text,
                      JmSnapshot *snapshot,
                      GArray *jobs,
                      JmMetricSelection *selection,
                      gboolean pretty);
void
jmc_json_append_job (GString *text, JmSnapshot *snapshot, guint job, gboolean pretty);
void jmc_json_append_gpus (GString *text, JmSnapshot *snapshot, gboolean pretty);
void jmc_json_append_jobs (GString *text,
                           JmSnapshot *snapshot,
                           GArray *jobs,
                           gboolean pretty);

G_END_DECLS
