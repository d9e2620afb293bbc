/* jm-record-json.h: a record of a job as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_record_json_format (JmJobRecord *record);

JM_AVAILABLE_IN_ALL
JmJobRecord *
jm_record_json_parse (const char *text, gsize length, const char *name, GError **error);

G_END_DECLS
