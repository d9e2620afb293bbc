/* jm-snapshot-json.h: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/jm-version-macros.h"
#include "core/jm-json-text.h"
#include "core/jm-snapshot.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
JsonNode *jm_json_encode_snapshot (JmSnapshot *snapshot, JmMetricSelection *selection);

JM_AVAILABLE_IN_ALL
JsonNode *
jm_json_encode_job (JmSnapshot *snapshot, guint subject, JmMetricSelection *selection);

G_END_DECLS
