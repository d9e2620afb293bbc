/* jm-record-json-private.h: a record of a job as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/jm-ledger-page-private.h"
#include "core/jm-job-record.h"

G_BEGIN_DECLS

#define JM_RECORD_JSON_VERSION 1

/* How text begins that has a position: a number and a comma follow. */
#define JM_RECORD_JSON_POSITION "{\"position\":"

/* Whether another jobmetrics wrote it in a format that is later than what this one
 * reads. */
gboolean jm_record_json_is_later (const char *text, gsize length);

/* As jm_record_json_format(), without the position, which is of one ledger alone. */
char *jm_record_json_format_bare (JmJobRecord *record);

/* What jm_record_json_parse() does, of a value of other JSON. The record is formatted
 * anew where it is passed on. */
JmJobRecord *jm_record_json_read (JsonNode *node, const char *name, GError **error);

G_END_DECLS
