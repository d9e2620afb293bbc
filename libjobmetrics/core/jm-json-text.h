/* jm-json-text.h: JSON as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_json_to_string (JsonNode *node, gboolean pretty);

G_END_DECLS
