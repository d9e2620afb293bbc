/* jm-run-record-private.h: who a job is, as a file tells it to other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* Lines `NAME=VALUE`: `run`, `uuid`, `weak` and `decided` (0 or 1), and for each field
 * that is known `FIELD=ORIGIN VALUE`; a line feed in a value is `\n`, a tab `\t`, a
 * backslash `\\`.
 * The job must have a run key. */
char *jm_run_record_format (JmJob *job);

/* The job of such a text; NULL where it breaks the format in any place, or is about
 * another run than @run_key. Fields of other names are passed over. */
JmJob *jm_run_record_parse (const char *text, gsize length, const char *run_key);

/* A value stays on its line, and one with a tab in its column. */
void jm_run_record_append_escaped (GString *text, const char *value);

/* Returns: (nullable): what was escaped; NULL where that cannot have been */
char *jm_run_record_unescape (const char *text, const char *end);

G_END_DECLS
