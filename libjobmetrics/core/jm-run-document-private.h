/* jm-run-document-private.h: a site's runs as documents and tables
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "base/jm-json-writer-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-tsdb-series.h"
#include "core/jm-usage.h"

G_BEGIN_DECLS

/* Amounts are in base units and have them in their names, such as `cpu_seconds`; what
 * is not known is left out of an object, and is an empty cell. */

/* Of an object: its energy and emissions were estimated, in part or as a whole. */
#define JM_RUN_DOCUMENT_ESTIMATED "energy_estimated"

/* An object; where each figure comes from is in its member `sources`. */
void jm_run_document_append (GString *text, JmRun *run);

/* The same with a member `energy`: the parts of that kind. */
void jm_run_document_append_with_energy (GString *text, JmRun *run);

/* The members of that object, in an object that the caller begins and ends. */
void jm_run_document_add (JmJsonWriter *json, JmRun *run);

/* An object. */
void jm_run_document_append_part (GString *text, JmRunPart *part);

/* A member: the parts of a kind. */
void jm_run_document_add_list (JmJsonWriter *json,
                               JmRunPartKind kind,
                               const GPtrArray *parts);

/* The members `steps`, `nodes`, `devices` and `energy` of an object that the caller
 * begins and ends: the parts of a run that were read with it, but for its records. */
void jm_run_document_add_parts (JmJsonWriter *json, JmRun *run);

/* An element of an array: the record that such a part holds.
 *
 * - Errors: those of jm_run_part_get_record (). */
gboolean
jm_run_document_add_record (JmJsonWriter *json, JmRunPart *part, GError **error);

/* An object: what @groups keeps apart, and the sums. */
void jm_run_document_append_usage (GString *text, JmUsage *usage, JmUsageGroups groups);

/* Lines of a table; NULL for its head. */
void jm_run_document_append_csv (GString *csv, JmRun *run);
void
jm_run_document_append_usage_csv (GString *csv, JmUsage *usage, JmUsageGroups groups);

#define JM_RUN_DOCUMENT_NAME_SIZE 64

/* Writes to @name what a column of the database is called. Returns: how many decimals
 * its values have */
guint jm_run_document_make_name (const char *column, char *name);

/* A field as it stands in a table; NULL where it is not known. */
char *jm_run_document_format (JmRun *run, JmRunField field);

/* The same from what somebody else has written: members that nobody knows are passed
 * over, and so is a number that a field cannot have.
 *
 * - Errors: `MALFORMED`, with @about before it, such as the name of a server. */
JmRun *jm_run_document_read (JsonNode *json, const char *about, GError **error);
JmRun *
jm_run_document_read_with_energy (JsonNode *json, const char *about, GError **error);
JmRunPart *jm_run_document_read_part (JsonNode *json,
                                      JmRunPartKind kind,
                                      const char *about,
                                      GError **error);

/* A run with its parts: that object is its member `job`, and they are beside it. */
JmRun *jm_run_document_read_whole (JsonNode *json, const char *about, GError **error);
JmUsage *jm_run_document_read_usage (JsonNode *json,
                                     JmUsageGroups groups,
                                     const char *about,
                                     GError **error);
JmTsdbSeries *
jm_run_document_read_series (JsonNode *json, const char *about, GError **error);

G_END_DECLS
