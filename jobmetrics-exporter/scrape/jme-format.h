/* jme-format.h: the formats in which scrapers are told figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  JME_FORMAT_PROMETHEUS,
  JME_FORMAT_OPENMETRICS,
  JME_FORMAT_PROTOBUF,
} JmeFormat;

#define JME_N_FORMATS (JME_FORMAT_PROTOBUF + 1)

/* The one that a client likes best; @accept is its `Accept` header, or NULL. */
JmeFormat jme_format_negotiate (const char *accept);

const char *jme_format_get_content_type (JmeFormat self);

G_END_DECLS
