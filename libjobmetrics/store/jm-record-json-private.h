/* jm-record-json-private.h: a record of a job as JSON, and back
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-job-record.h"

G_BEGIN_DECLS

#define JM_RECORD_JSON_VERSION 1

/* More than any record can need: a job of many steps has some hundred KiB. */
#define JM_RECORD_JSON_MAX_BYTES (16 * 1024 * 1024)

/* An object; figures are in base units under their names, as in the JSON of a snapshot.
 * It is what a ledger keeps and hands on. */
void jm_record_json_write (JmJobRecord *record, JsonBuilder *builder);
char *jm_record_json_format (JmJobRecord *record);

/* NULL where it breaks the format in any place; metrics and members that are not known
 * are passed over.
 *
 * - Errors: `MALFORMED`, with @name and the member. */
JmJobRecord *
jm_record_json_parse (const char *text, gsize length, const char *name, GError **error);
JmJobRecord *jm_record_json_read (JsonNode *node, const char *name, GError **error);

G_END_DECLS
