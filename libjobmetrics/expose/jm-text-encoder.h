/* jm-text-encoder.h: snapshots to what Prometheus reads, and to JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>
#include <json-glib/json-glib.h>

#include "base/jm-version-macros.h"
#include "core/jm-collector-set.h"
#include "core/jm-snapshot.h"
#include "expose/jm-dialect.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/**
 * JmTextFormat:
 * @JM_TEXT_FORMAT_PROMETHEUS: Prometheus' text format, version 0.0.4
 * @JM_TEXT_FORMAT_OPENMETRICS: OpenMetrics, version 1.0.0
 *
 * The text formats in which figures are given to scrapers.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_TEXT_FORMAT_PROMETHEUS,
  JM_TEXT_FORMAT_OPENMETRICS,
} JmTextFormat;

#define JM_TYPE_TEXT_FORMAT (jm_text_format_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_text_format_get_type (void);

JM_AVAILABLE_IN_ALL
const char *jm_text_format_get_content_type (JmTextFormat format);

JM_AVAILABLE_IN_ALL
JmTextFormat jm_negotiate_text_format (const char *accept);

#define JM_TYPE_TEXT_ENCODER (jm_text_encoder_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmTextEncoder, jm_text_encoder, JM, TEXT_ENCODER, GObject)

JM_AVAILABLE_IN_ALL
JmTextEncoder *jm_text_encoder_new (void);

JM_AVAILABLE_IN_ALL
gboolean jm_text_encoder_check_info_field (const char *name, GError **error);

JM_AVAILABLE_IN_ALL
void jm_text_encoder_set_selection (JmTextEncoder *self, JmMetricSelection *selection);

JM_AVAILABLE_IN_ALL
JmMetricSelection *jm_text_encoder_get_selection (JmTextEncoder *self);

JM_AVAILABLE_IN_ALL
gboolean jm_text_encoder_check_job_field (const char *name, GError **error);

JM_AVAILABLE_IN_ALL
void jm_text_encoder_set_job_fields (JmTextEncoder *self, const char *const *names);

JM_AVAILABLE_IN_ALL
void jm_text_encoder_set_info_fields (JmTextEncoder *self, const char *const *names);

JM_AVAILABLE_IN_ALL
gboolean
jm_text_encoder_add_dialect (JmTextEncoder *self, JmDialect *dialect, GError **error);

JM_AVAILABLE_IN_ALL
void jm_text_encoder_encode (JmTextEncoder *self,
                             JmSnapshot *snapshot,
                             JmTextFormat format,
                             const JmCollectorSet *collectors,
                             GString *out);

JM_AVAILABLE_IN_ALL
void jm_text_encoder_encode_job (JmTextEncoder *self,
                                 JmSnapshot *snapshot,
                                 guint subject,
                                 GString *out);

JM_AVAILABLE_IN_ALL
char *jm_text_encoder_to_string (JmTextEncoder *self,
                                 JmSnapshot *snapshot,
                                 JmTextFormat format);

JM_AVAILABLE_IN_ALL
JsonNode *jm_json_encode_snapshot (JmSnapshot *snapshot, JmMetricSelection *selection);

JM_AVAILABLE_IN_ALL
JsonNode *
jm_json_encode_job (JmSnapshot *snapshot, guint subject, JmMetricSelection *selection);

JM_AVAILABLE_IN_ALL
char *jm_json_to_string (JsonNode *node, gboolean pretty);

G_END_DECLS
