/* jm-text-format.h: which text format a scraper is given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

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

G_END_DECLS
