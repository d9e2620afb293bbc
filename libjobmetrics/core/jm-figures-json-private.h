/* jm-figures-json-private.h: the figures of a job as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-metric-private.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* Which metrics are written. */
typedef struct
{
  gboolean (*has) (gconstpointer data, JmSubjectKind kind, JmMetric metric);
  gconstpointer data;
} JmMetricChoice;

/* Adds the figures of a job, its steps, tasks and accelerators, as members of @object;
 * all metrics where @choice is NULL.
 *
 * Returns: the number of the subject behind it */
guint jm_figures_json_add (JsonObject *object,
                           JmSnapshot *snapshot,
                           guint subject,
                           const JmMetricChoice *choice);

JsonObject *jm_figures_json_encode_metrics (JmSnapshot *snapshot,
                                            guint subject,
                                            const JmMetricChoice *choice);

/* In the base unit; whole numbers stay whole. */
JsonNode *jm_figures_json_encode_value (JmUnit unit, guint64 value);

/* The same back, exactly up to 2^53; beyond, it is written as the same number again.
 *
 * Returns: whether it can be one */
gboolean jm_figures_json_decode_value (JmUnit unit, JsonNode *node, guint64 *value);

/* Microseconds as seconds; FALSE where there is no such member, or it is none. */
void jm_figures_json_set_time (JsonObject *object, const char *name, gint64 time_us);
gboolean jm_figures_json_get_time (JsonNode *object, const char *name, gint64 *time_us);

G_END_DECLS
