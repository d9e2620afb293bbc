/* jmc-import.c: jobmetrics-cli import: files of accounting into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-parse-private.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-error.h"
#include "core/jm-format.h"
#include "core/jm-run-batch-private.h"
#include "jmc-options.h"
#include "jmc-output.h"
#include "node/ledger/jm-ledger.h"
#include "report/jmc-report-rules.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/jm-log-follower-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

/* Progress:
 * @total: bytes that there are; 0 where nobody knows */
typedef struct
{
  const char *name;
  guint64 total;
  guint64 n_bytes;
  guint64 n_rows;
  gint64 begin_us;
  gint64 shown_us;
  gboolean is_shown;
} Progress;

/* One archive that is read into a store.
 *
 * @n_runs: how many were told of, whether they were there or not
 * @n_bad: lines that could not be read
 * @n_refused: runs that the store does not take */
typedef struct
{
  JmArchiveDatabase *store;
  const char *path; /* - for the standard input */
  const char *cluster;
  Progress progress;
  guint64 n_runs;
  guint64 n_bad;
  guint64 n_refused;
} Archive;

typedef struct
{
  const char *name;
  gboolean needs_cluster;
  gboolean (*read) (Archive *archive, GError **error);
} Format;

#define SHOW_EVERY_US (G_USEC_PER_SEC / 5)
/* Begins the line anew, and empties it. */
#define ANEW "\r\033[K"

/* @is_whole is FALSE where more than a mebibyte has no end; of it nothing more comes. */
typedef gboolean (*LineFunc) (JmSlice line,
                              guint64 number,
                              gboolean is_whole,
                              gpointer data,
                              GError **error);

#define CHUNK_BYTES (64 * 1024)
#define MAX_LINE_BYTES (1024 * 1024)

typedef struct
{
  LineFunc func;
  gpointer data;
  GByteArray *buffer;
  guint64 number;       /* of the line that is read */
  gboolean is_too_long; /* its begin was told already */
} Reader;

/* Of more lines that cannot be read there is only a number. */
#define MAX_COMPLAINTS 10
#define PAGE_RECORDS 1000
/* What is imported is judged for so long. */
#define JUDGING_US (30 * G_USEC_PER_SEC)

typedef struct
{
  JmcOptions options;
  char *format_text;
  const Format *format;
  const char *cluster;
} Import;

/* --- progress --- */

/* Nothing is shown where the standard error is no terminal. */
static void
progress_begin (Progress *self, const char *name, guint64 total)
{
  *self = (Progress){ .name = name,
                      .total = total,
                      .begin_us = g_get_monotonic_time (),
                      .is_shown = isatty (STDERR_FILENO) };
}

static void
show (Progress *self, gint64 now_us)
{
  const double seconds = (double) (now_us - self->begin_us) / G_USEC_PER_SEC;
  g_autofree char *name = jm_safe_text_make (self->name);
  g_autofree char *done = jm_format_to_string (JM_FORMAT_BYTES, (double) self->n_bytes);
  g_autofree char *total = jm_format_to_string (JM_FORMAT_BYTES, (double) self->total);
  g_autoptr (GString) line = g_string_new (ANEW);

  g_string_append_printf (line, "%s: %s", name, done);
  if (self->total > 0)
    g_string_append_printf (line, " of %s", total);
  if (seconds > 0)
    g_string_append_printf (line, ", %.0f rows/s", (double) self->n_rows / seconds);
  if (self->n_bytes > 0 && self->total > self->n_bytes)
    {
      g_autofree char *rest =
        jm_format_to_string (JM_FORMAT_DURATION,
                             seconds *
                               ((double) self->total / (double) self->n_bytes - 1));

      g_string_append_printf (line, ", %s left", rest);
    }
  fputs (line->str, stderr);
  fflush (stderr);
}

static void
progress_add (Progress *self, guint64 n_bytes, guint64 n_rows)
{
  const gint64 now_us = g_get_monotonic_time ();

  self->n_bytes += n_bytes;
  self->n_rows += n_rows;
  if (!self->is_shown || now_us - self->shown_us < SHOW_EVERY_US)
    return;

  self->shown_us = now_us;
  show (self, now_us);
}

static void
progress_end (Progress *self)
{
  if (self->is_shown && self->shown_us > 0)
    fputs (ANEW, stderr);
}

/* --- lines --- */

static GInputStream *
open_stream (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_str_equal (path, "-"))
    return g_unix_input_stream_new (STDIN_FILENO, FALSE);

  return G_INPUT_STREAM (g_file_read (file, NULL, error));
}

static gboolean
take (Reader *self, gsize from, gsize length, gboolean is_whole, GError **error)
{
  const JmSlice line = { (const char *) self->buffer->data + from, length };

  return self->func (line, self->number, is_whole, self->data, error);
}

/* What is behind the last line's end stays, unless it is too much. */
static gboolean
take_lines (Reader *self, GError **error)
{
  const guint8 *end;
  gsize done = 0;

  while ((end = memchr (self->buffer->data + done, '\n', self->buffer->len - done)) !=
         NULL)
    {
      const gsize length = (gsize) (end - self->buffer->data) - done;

      if (!self->is_too_long && !take (self, done, length, TRUE, error))
        return FALSE;
      self->is_too_long = FALSE;
      self->number++;
      done += length + 1;
      if (done == self->buffer->len)
        break;
    }
  if (self->buffer->len - done > MAX_LINE_BYTES)
    {
      if (!self->is_too_long &&
          !take (self, done, self->buffer->len - done, FALSE, error))
        return FALSE;
      self->is_too_long = TRUE;
      done = self->buffer->len;
    }
  g_byte_array_remove_range (self->buffer, 0, (guint) done);

  return TRUE;
}

static gboolean
read_stream (Reader *self, GInputStream *stream, GError **error)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, chunk, CHUNK_BYTES, NULL, error)) > 0)
    {
      g_byte_array_append (self->buffer, chunk, (guint) n);
      if (!take_lines (self, error))
        return FALSE;
    }
  if (n < 0)
    return FALSE;

  /* the last line may have no end */
  return self->buffer->len == 0 || self->is_too_long ||
         take (self, 0, self->buffer->len, TRUE, error);
}

/* @path is - for the standard input. */
static gboolean
read_lines (const char *path, LineFunc func, gpointer data, GError **error)
{
  g_autoptr (GInputStream) stream = open_stream (path, error);
  Reader self = { .func = func, .data = data, .number = 1 };
  gboolean is_read;

  if (stream == NULL)
    return FALSE;

  self.buffer = g_byte_array_new ();
  is_read = read_stream (&self, stream, error);
  g_byte_array_unref (self.buffer);

  return is_read;
}

/* --- the store --- */

/* A batch is stored whole, or not at all. */
static gboolean
merge (Archive *self, JmRunBatch *batch, GError **error)
{
  g_auto (GStrv) refused = NULL;
  guint n;

  if (!jm_archive_database_merge (self->store, batch, error))
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
  Archive *archive;
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

  return merge (self->archive, batch, error);
}

static void
count_bad (Archive *self, guint64 number, const char *bad)
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
  g_autoptr (JmRun) run = NULL;
  const char *bad = NULL;

  if (!is_whole || memchr (line.text, '\0', line.length) != NULL ||
      self->parse (jm_slice_trim (line), self->archive->cluster, &run, &bad) ==
        JM_LOG_ROW_BAD)
    count_bad (self->archive, number, "the record");
  else if (bad != NULL)
    count_bad (self->archive, number, bad);
  if (run != NULL)
    {
      jm_run_batch_add_run (self->batch, run, JM_RUN_SOURCE_ACCOUNTING);
      self->n_runs++;
    }
  progress_add (&self->archive->progress, line.length + 1, run != NULL);

  return self->n_runs < JM_HISTORY_BATCH_RUNS || flush_log (self, error);
}

static gboolean
read_log (Archive *archive, JmLogParse parse, GError **error)
{
  Log self = { archive, parse, jm_run_batch_new (), 0 };
  gboolean is_read =
    read_lines (archive->path, on_log_line, &self, error) && flush_log (&self, error);

  jm_run_batch_unref (self.batch);

  return is_read;
}

static gboolean
read_pbs_log (Archive *archive, GError **error)
{
  return read_log (archive, jm_pbs_parse_record, error);
}

static gboolean
read_gridengine_log (Archive *archive, GError **error)
{
  return read_log (archive, jm_gridengine_parse_row, error);
}

static gboolean
read_condor_history (Archive *archive, GError **error)
{
  return read_log (archive, jm_htcondor_parse_ad, error);
}

/* --- sacct --- */

#define SACCT_HEAD "JobIDRaw|"

typedef struct
{
  Archive *archive;
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
  progress_add (&self->archive->progress, line.length + 1, 1);

  return TRUE;
}

static gboolean
finish_sacct (Sacct *self, GError **error)
{
  g_autoptr (GPtrArray) batches = jm_sacct_rows_finish (self->rows, error);

  if (batches == NULL)
    return FALSE;
  self->archive->n_bad = jm_sacct_rows_get_n_bad (self->rows);
  if (self->archive->n_bad > 0)
    jmc_output_complain ("%s: the first of %" G_GUINT64_FORMAT
                         " bad rows or values: %s",
                         self->archive->path, self->archive->n_bad,
                         jm_sacct_rows_get_complaint (self->rows));
  for (guint i = 0; i < batches->len; i++)
    if (!merge (self->archive, batches->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_sacct (Archive *archive, GError **error)
{
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new (archive->cluster, "|", g_get_real_time () / G_USEC_PER_SEC,
                       JM_HISTORY_BATCH_RUNS);
  Sacct self = { archive, rows };

  return read_lines (archive->path, on_sacct_line, &self, error) &&
         finish_sacct (&self, error);
}

/* --- a node's ledger --- */

static gboolean
read_page (Archive *self,
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
  progress_add (&self->progress, 0, records->len);

  return merge (self, batch, error);
}

static gboolean
read_ledger (Archive *archive, GError **error)
{
  g_autoptr (JmLedger) ledger = jm_ledger_open (archive->path, error);
  gboolean has_more = TRUE;
  guint64 after = 0;

  if (ledger == NULL)
    return FALSE;
  while (has_more)
    if (!read_page (archive, ledger, &after, &has_more, error))
      return FALSE;

  return TRUE;
}

/* --- the formats --- */

static const Format formats[] = {
  { "sacct", TRUE, read_sacct },
  { "pbs-log", TRUE, read_pbs_log },
  { "gridengine-log", TRUE, read_gridengine_log },
  { "condor-history", TRUE, read_condor_history },
  { "ledger", FALSE, read_ledger },
};

/* NULL, with an error that names them all, where there is none of that name. */
static const Format *
find_format (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (formats[i].name, name) == 0)
      return &formats[i];

  return NULL;
}

/* --- the command --- */

static void
import_clear (Import *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->format_text, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

static const JmSetting settings[] = {
  { .name = "store",
    .group = "archive",
    .kind = JM_SETTING_TEXT,
    .argument = "URI",
    .help =
      "Where to: a file, which is made where there is none, or postgresql://..." },
  { .name = "cluster",
    .group = "archive",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "The cluster whose accounting it is" },
};

static GOptionGroup *
make_group (Import *self)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format_text,
      "sacct, pbs-log, gridengine-log, condor-history or ledger", "FORMAT" },
    { NULL },
  };
  GOptionGroup *group = jmc_options_make_group (&self->options, "color", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);
  jmc_options_add_entries (group, entries);

  return group;
}

static gboolean
check (Import *self, char **files)
{
  self->format = find_format (self->format_text);
  self->cluster = jmc_options_get_text (&self->options, "cluster");
  if (self->format == NULL)
    jmc_output_complain ("--format=%s: not one of sacct, pbs-log, gridengine-log, "
                         "condor-history and ledger",
                         self->format_text != NULL ? self->format_text : "");
  else if (jmc_options_get_text (&self->options, "store") == NULL)
    jmc_output_complain ("--store=URI is missing");
  else if (self->format->needs_cluster &&
           (self->cluster == NULL || *self->cluster == '\0'))
    jmc_output_complain ("--cluster=NAME is missing: the file does not say it");
  else if (files[0] == NULL)
    jmc_output_complain ("a FILE is missing; - is the standard input");
  else
    return TRUE;

  return FALSE;
}

static guint64
get_size (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? (guint64) status.st_size : 0;
}

static gboolean
import_file (Import *self, JmArchiveDatabase *store, const char *path)
{
  Archive archive = { .store = store, .path = path, .cluster = self->cluster };
  g_autoptr (GError) error = NULL;
  gboolean is_read;

  progress_begin (&archive.progress, path, get_size (path));
  is_read = self->format->read (&archive, &error);
  progress_end (&archive.progress);
  if (!is_read)
    jmc_output_complain ("%s%s%s", path, ": ", error->message);

  g_printerr ("%s: %" G_GUINT64_FORMAT " runs%s, %" G_GUINT64_FORMAT
              " bad lines, %" G_GUINT64_FORMAT " not stored\n",
              path, archive.n_runs, is_read ? "" : " before it failed", archive.n_bad,
              archive.n_refused);

  return is_read && archive.n_bad == 0 && archive.n_refused == 0;
}

/* The last to end first. The server of the archive judges those that are left. */
static gboolean
judge (Import *self, JmArchiveDatabase *store)
{
  const gint64 until_us = g_get_monotonic_time () + JUDGING_US;
  g_autoptr (JmRunRules) rules =
    jmc_report_rules_open (&self->options, jmc_output_complain);
  g_autoptr (GError) error = NULL;
  gboolean is_done = rules == NULL;

  while (!is_done && g_get_monotonic_time () < until_us)
    if (!jm_archive_database_judge (store, rules, &is_done, &error))
      {
        jmc_output_complain ("runs are not judged: %s", error->message);
        return FALSE;
      }

  return TRUE;
}

static int
import_all (Import *self, char **files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchiveDatabase) store =
    jm_archive_database_open (jmc_options_get_text (&self->options, "store"), &error);
  gboolean is_well = TRUE;

  if (store == NULL)
    {
      jmc_output_complain ("%s", error->message);
      return JMC_EXIT_FAILURE;
    }
  for (; *files != NULL; files++)
    is_well &= import_file (self, store, *files);
  is_well &= judge (self, store);

  return is_well ? JMC_EXIT_OK : JMC_EXIT_FAILURE;
}

int
jmc_import_main (int argc, char **argv)
{
  g_auto (Import) self = { 0 };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE…");

  g_option_context_set_summary (
    context,
    "Imports files of accounting into a site's archive. A run that is there already\n"
    "is not added twice; an import that was interrupted can be repeated.");
  g_option_context_set_main_group (context, make_group (&self));
  if (!jmc_options_parse (&self.options, context, &argc, &argv) ||
      !check (&self, argv + 1))
    return JMC_EXIT_USAGE;

  return jmc_output_finish (import_all (&self, argv + 1));
}
