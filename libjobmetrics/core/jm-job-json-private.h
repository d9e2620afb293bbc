/* jm-job-json-private.h: a job of a snapshot as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* Which metrics are told. */
typedef struct
{
  gboolean (*has) (gconstpointer data, JmSubjectKind kind, JmMetric metric);
  gconstpointer data;
} JmMetricChoice;

/* Adds who a job is, and when it ended, as members of @object; 0 while it runs. */
void jm_job_json_add_identity (JsonObject *object, JmJob *job, gint64 end_us);

/* Adds the figures of a job, its steps, tasks and accelerators; all metrics where
 * @choice is NULL.
 *
 * Returns: the number of the subject behind it */
guint jm_job_json_add_figures (JsonObject *object,
                               JmSnapshot *snapshot,
                               guint subject,
                               const JmMetricChoice *choice);

/* Adds both. */
guint jm_job_json_add (JsonObject *object,
                       JmSnapshot *snapshot,
                       guint subject,
                       const JmMetricChoice *choice);

JsonObject *jm_job_json_encode_metrics (JmSnapshot *snapshot,
                                        guint subject,
                                        const JmMetricChoice *choice);

/* In the base unit; whole numbers stay whole. */
JsonNode *jm_job_json_encode_value (JmUnit unit, guint64 value);

/* The same back, exactly up to 2^53, and beyond so that it is told as the same number.
 *
 * Returns: whether it can be one */
gboolean jm_job_json_decode_value (JmUnit unit, JsonNode *node, guint64 *value);

/* Adds text that may be no UTF-8. */
void jm_job_json_add_text (JsonObject *object, const char *name, const char *text);

/* Whether a field is told as a number where it is one. */
gboolean jm_job_json_is_number (JmJobField field);

G_END_DECLS
