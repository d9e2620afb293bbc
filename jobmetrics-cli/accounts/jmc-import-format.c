/* jmc-import-format.c: what an archive of accounts is written in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-import-format.h"

#include <string.h>

#include "accounts/jmc-import-lines.h"
#include "core/jm-error.h"
#include "jmc-output.h"
#include "sources/scheduler/jm-gridengine-row-private.h"
#include "sources/scheduler/jm-history.h"
#include "sources/scheduler/jm-htcondor-ad-private.h"
#include "sources/scheduler/jm-log-follower-private.h"
#include "sources/scheduler/jm-pbs-record-private.h"
#include "sources/scheduler/jm-sacct-rows-private.h"
#include "store/jm-ledger.h"
#include "store/jm-run-batch-private.h"

/* Of more lines that cannot be read there is only a number. */
#define MAX_COMPLAINTS 10
#define PAGE_RECORDS 1000

/* A batch is stored whole, or not at all. */
static gboolean
merge (JmcImport *self, JmRunBatch *batch, GError **error)
{
  g_auto (GStrv) refused = NULL;
  guint n;

  if (!jm_job_store_merge (self->store, batch, error))
    return FALSE;

  refused = jm_run_batch_list_refused (batch);
  n = g_strv_length (refused);
  for (guint i = 0; i < n && self->n_refused + i < MAX_COMPLAINTS; i++)
    jmc_output_complain ("%s: a run is not stored: %s", self->path, refused[i]);
  self->n_refused += n;
  self->n_runs += batch->items->len;

  return TRUE;
}

/* --- files of a line for each run --- */

typedef struct
{
  JmcImport *import;
  JmLogParse parse;
  JmRunBatch *batch;
  guint n_runs; /* in the batch */
} Log;

static gboolean
flush_log (Log *self, GError **error)
{
  g_autoptr (JmRunBatch) batch = g_steal_pointer (&self->batch);

  self->batch = jm_run_batch_new ();
  self->n_runs = 0;

  return merge (self->import, batch, error);
}

static void
count_bad (JmcImport *self, guint64 number, const char *bad)
{
  if (self->n_bad++ < MAX_COMPLAINTS)
    jmc_output_complain ("%s: line %" G_GUINT64_FORMAT ": cannot read %s", self->path,
                         number, bad);
}

static gboolean
on_log_line (JmSlice line,
             guint64 number,
             gboolean is_whole,
             gpointer data,
             GError **error)
{
  Log *self = data;
  g_autoptr (JmStoredRun) run = NULL;
  const char *bad = NULL;

  if (!is_whole || memchr (line.text, '\0', line.length) != NULL ||
      self->parse (jm_slice_trim (line), self->import->cluster, &run, &bad) ==
        JM_LOG_ROW_BAD)
    count_bad (self->import, number, "the record");
  else if (bad != NULL)
    count_bad (self->import, number, bad);
  if (run != NULL)
    {
      jm_run_batch_add_run (self->batch, run, JM_RUN_SOURCE_ACCOUNTING);
      self->n_runs++;
    }
  jmc_import_progress_add (&self->import->progress, line.length + 1, run != NULL);

  return self->n_runs < JM_HISTORY_BATCH_RUNS || flush_log (self, error);
}

static gboolean
read_log (JmcImport *import, JmLogParse parse, GError **error)
{
  Log self = { import, parse, jm_run_batch_new (), 0 };
  gboolean is_read = jmc_import_lines_read (import->path, on_log_line, &self, error) &&
                     flush_log (&self, error);

  jm_run_batch_unref (self.batch);

  return is_read;
}

static gboolean
read_pbs_log (JmcImport *import, GError **error)
{
  return read_log (import, jm_pbs_parse_record, error);
}

static gboolean
read_gridengine_log (JmcImport *import, GError **error)
{
  return read_log (import, jm_gridengine_parse_row, error);
}

static gboolean
read_condor_history (JmcImport *import, GError **error)
{
  return read_log (import, jm_htcondor_parse_ad, error);
}

/* --- sacct --- */

#define SACCT_HEAD "JobIDRaw|"

typedef struct
{
  JmcImport *import;
  JmSacctRows *rows;
} Sacct;

static gboolean
on_sacct_line (JmSlice line,
               guint64 number,
               gboolean is_whole,
               gpointer data,
               GError **error)
{
  Sacct *self = data;
  const gboolean is_head = number == 1 && line.length >= strlen (SACCT_HEAD) &&
                           memcmp (line.text, SACCT_HEAD, strlen (SACCT_HEAD)) == 0;

  if (!is_head)
    jm_sacct_rows_take (line.text, line.length, is_whole, self->rows);
  jmc_import_progress_add (&self->import->progress, line.length + 1, 1);

  return TRUE;
}

static gboolean
finish_sacct (Sacct *self, GError **error)
{
  g_autoptr (GPtrArray) batches = jm_sacct_rows_finish (self->rows, error);

  if (batches == NULL)
    return FALSE;
  self->import->n_bad = jm_sacct_rows_get_n_bad (self->rows);
  if (self->import->n_bad > 0)
    jmc_output_complain ("%s: the first of %" G_GUINT64_FORMAT
                         " bad rows or values: %s",
                         self->import->path, self->import->n_bad,
                         jm_sacct_rows_get_complaint (self->rows));
  for (guint i = 0; i < batches->len; i++)
    if (!merge (self->import, batches->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_sacct (JmcImport *import, GError **error)
{
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new (import->cluster, "|", g_get_real_time () / G_USEC_PER_SEC,
                       JM_HISTORY_BATCH_RUNS);
  Sacct self = { import, rows };

  return jmc_import_lines_read (import->path, on_sacct_line, &self, error) &&
         finish_sacct (&self, error);
}

/* --- a node's ledger --- */

static gboolean
read_page (JmcImport *self,
           JmLedger *ledger,
           guint64 *after,
           gboolean *has_more,
           GError **error)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (GPtrArray) records = NULL;

  jm_ledger_filter_set_after (filter, *after);
  jm_ledger_filter_set_limit (filter, PAGE_RECORDS);
  records = jm_ledger_list (ledger, filter, NULL, error);
  if (records == NULL)
    return FALSE;

  for (guint i = 0; i < records->len; i++)
    {
      jm_run_batch_add_record (batch, records->pdata[i], self->cluster);
      *after = MAX (*after, jm_job_record_get_position (records->pdata[i]));
    }
  *has_more = records->len > 0;
  jmc_import_progress_add (&self->progress, 0, records->len);

  return merge (self, batch, error);
}

static gboolean
read_ledger (JmcImport *import, GError **error)
{
  g_autoptr (JmLedger) ledger = jm_ledger_open (import->path, error);
  gboolean has_more = TRUE;
  guint64 after = 0;

  if (ledger == NULL)
    return FALSE;
  while (has_more)
    if (!read_page (import, ledger, &after, &has_more, error))
      return FALSE;

  return TRUE;
}

/* --- the formats --- */

static const JmcImportFormat formats[] = {
  { "sacct", TRUE, read_sacct },
  { "pbs-log", TRUE, read_pbs_log },
  { "gridengine-log", TRUE, read_gridengine_log },
  { "condor-history", TRUE, read_condor_history },
  { "ledger", FALSE, read_ledger },
};

const JmcImportFormat *
jmc_import_format_find (const char *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].name, name) == 0)
      return &formats[i];

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "--format=%s: not one of sacct, pbs-log, gridengine-log, condor-history "
               "and ledger",
               name != NULL ? name : "");

  return NULL;
}
