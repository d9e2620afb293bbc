/* jm-trace-record-private.h: what a wrapper reports of the processes that it watches
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The longest body that is one. */
#define JM_TRACE_BODY_MAX (64 * 1024)

/* JmTraceRecord:
 * @job_id: the scheduler's number of the job; never 0
 * @pid: of the command, on @host
 * @cpus: CPU time over time, in percent of one CPU
 * @threads: of all its processes
 * @memory: their resident sets, bytes
 * @read_bytes: what they have read so far
 * @write_bytes: what they have written so far
 * @cluster: whose job it is; empty where that is not known
 * @step: of the job, in the scheduler's words; empty where that is not known
 * @host: on which they run
 * @user: whose they are
 * @told_us: when it came, on the clock of the store that has it
 *
 * Sums over the command that was wrapped and all that came of it, as its wrapper says.
 */
typedef struct
{
  guint64 job_id;
  guint64 pid;
  double cpus;
  guint64 threads;
  guint64 memory;
  guint64 read_bytes;
  guint64 write_bytes;
  char *cluster;
  char *step;
  char *host;
  char *user;
  gint64 told_us;
} JmTraceRecord;

/* Reads the JSON object of one record; keys that are none of ours are passed over.
 * Errors: `MALFORMED`, with the key and the reason. */
JmTraceRecord *jm_trace_record_parse (const char *text, gsize length, GError **error);

/* The same as JSON, which jm_trace_record_parse() reads; without what is not known. */
void jm_trace_record_append_json (const JmTraceRecord *self, GString *out);

void jm_trace_record_free (JmTraceRecord *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmTraceRecord, jm_trace_record_free)

G_END_DECLS
