/* jm-run-record-private.h: who a job is, as a file tells it to other programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

/* What a record of the job would have of its identity, as JSON. The job must have a run
 * key. */
char *jm_run_record_format (JmJob *job);

/* The job of such a text; NULL where it breaks the format in any place, or is about
 * another run than @run_key. Fields of other names are passed over. */
JmJob *jm_run_record_parse (const char *text, gsize length, const char *run_key);

G_END_DECLS
