/* jm-importer.c: files of accounting and nodes' records, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-importer.h"

#include <string.h>

#include "archive/jm-archive-database-private.h"
#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "core/jm-run-batch-private.h"
#include "schedulers/gridengine/jm-gridengine-row-private.h"
#include "schedulers/htcondor/jm-htcondor-ad-private.h"
#include "schedulers/jm-log-follower-private.h"
#include "schedulers/pbs/jm-pbs-record-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

/**
 * JmImporter:
 *
 * Reads the accounting of a cluster out of files, and nodes' records, into a site's
 * archive. A run that is there already is not added twice; what was interrupted can be
 * repeated. It belongs to one thread.
 *
 * Since: 0.1
 */
struct _JmImporter
{
  GObject parent_instance;
  JmArchiveDatabase *store;
  char *cluster; /* NULL where files say it */
  guint64 n_runs;
  guint64 n_bad;
  guint64 n_refused;
};

enum
{
  SIGNAL_COMPLAINED,
  SIGNAL_PROGRESSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* Of more that cannot be read or stored there is only a number. */
#define MAX_COMPLAINTS 10
#define CHUNK_BYTES (64 * 1024)
#define MAX_LINE_BYTES (1024 * 1024)
#define SACCT_HEAD "JobIDRaw|"

typedef struct _Reader Reader;

/* @is_whole is FALSE where more than a mebibyte has no end; of it nothing more
 * comes. */
typedef gboolean (*TakeLine) (Reader *self,
                              JmSlice line,
                              gboolean is_whole,
                              GError **error);

/* A stream of one format that is read.
 *
 * @n_rows: lines of rows so far
 * @n_batch: runs in the batch
 * @is_too_long: the begin of the line was taken already */
struct _Reader
{
  JmImporter *importer;
  TakeLine take;
  GByteArray *buffer;
  guint64 number; /* of the line that is read */
  guint64 n_rows;
  gboolean is_too_long;

  JmLogParse parse; /* of formats with a line for each run, as the next two */
  JmRunBatch *batch;
  guint n_batch;

  JmSacctRows *rows; /* of sacct */
};

typedef struct
{
  const char *name;
  JmLogParse parse; /* NULL for sacct */
} Format;

G_DEFINE_FINAL_TYPE (JmImporter, jm_importer, G_TYPE_OBJECT)

static void G_GNUC_PRINTF (2, 3) complain (JmImporter *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (self, signals[SIGNAL_COMPLAINED], 0, text);
}

/* --- lines --- */

static gboolean
take (Reader *self, gsize from, gsize length, gboolean is_whole, GError **error)
{
  const JmSlice line = { (const char *) self->buffer->data + from, length };

  return self->take (self, line, is_whole, error);
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
read_lines (Reader *self,
            GInputStream *stream,
            GCancellable *cancellable,
            GError **error)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, chunk, CHUNK_BYTES, cancellable, error)) > 0)
    {
      guint64 n_rows_before = self->n_rows;

      g_byte_array_append (self->buffer, chunk, (guint) n);
      if (!take_lines (self, error))
        return FALSE;
      g_signal_emit (self->importer, signals[SIGNAL_PROGRESSED], 0, (guint64) n,
                     self->n_rows - n_rows_before);
    }
  if (n < 0)
    return FALSE;

  /* the last line may have no end */
  return self->buffer->len == 0 || self->is_too_long ||
         take (self, 0, self->buffer->len, TRUE, error);
}

/* --- the archive --- */

/* A batch is stored whole, or not at all. */
static gboolean
merge (JmImporter *self, JmRunBatch *batch, GError **error)
{
  g_auto (GStrv) refused = NULL;
  guint n;

  if (!jm_archive_database_merge (self->store, batch, error))
    return FALSE;

  refused = jm_run_batch_list_refused (batch);
  n = g_strv_length (refused);
  for (guint i = 0; i < n && self->n_refused + i < MAX_COMPLAINTS; i++)
    complain (self, "a run is not stored: %s", refused[i]);
  self->n_refused += n;
  self->n_runs += batch->items->len;

  return TRUE;
}

/* --- files of a line for each run --- */

static gboolean
flush_log (Reader *self, GError **error)
{
  g_autoptr (JmRunBatch) batch = g_steal_pointer (&self->batch);

  self->batch = jm_run_batch_new ();
  self->n_batch = 0;

  return merge (self->importer, batch, error);
}

static void
count_bad (Reader *self, const char *bad)
{
  if (self->importer->n_bad++ < MAX_COMPLAINTS)
    complain (self->importer, "line %" G_GUINT64_FORMAT ": cannot read %s",
              self->number, bad);
}

static gboolean
take_log_line (Reader *self, JmSlice line, gboolean is_whole, GError **error)
{
  g_autoptr (JmRun) run = NULL;
  const char *bad = NULL;

  if (!is_whole || memchr (line.text, '\0', line.length) != NULL ||
      self->parse (jm_slice_trim (line), self->importer->cluster, &run, &bad) ==
        JM_LOG_ROW_BAD)
    count_bad (self, "the record");
  else if (bad != NULL)
    count_bad (self, bad);
  if (run != NULL)
    {
      jm_run_batch_add_run (self->batch, run, JM_RUN_SOURCE_ACCOUNTING);
      self->n_batch++;
      self->n_rows++;
    }

  return self->n_batch < JM_HISTORY_BATCH_RUNS || flush_log (self, error);
}

static gboolean
read_log (Reader *self, GInputStream *stream, GCancellable *cancellable, GError **error)
{
  gboolean is_read;

  self->take = take_log_line;
  self->batch = jm_run_batch_new ();
  is_read = read_lines (self, stream, cancellable, error) && flush_log (self, error);
  g_clear_pointer (&self->batch, jm_run_batch_unref);

  return is_read;
}

/* --- sacct --- */

static gboolean
take_sacct_line (Reader *self, JmSlice line, gboolean is_whole, GError **error)
{
  const gboolean is_head = self->number == 1 && line.length >= strlen (SACCT_HEAD) &&
                           memcmp (line.text, SACCT_HEAD, strlen (SACCT_HEAD)) == 0;

  if (!is_head)
    jm_sacct_rows_take (line.text, line.length, is_whole, self->rows);
  self->n_rows++;

  return TRUE;
}

static gboolean
merge_sacct (Reader *self, GError **error)
{
  g_autoptr (GPtrArray) batches = jm_sacct_rows_finish (self->rows, error);
  guint n_bad;

  if (batches == NULL)
    return FALSE;
  n_bad = jm_sacct_rows_get_n_bad (self->rows);
  self->importer->n_bad += n_bad;
  if (n_bad > 0)
    complain (self->importer, "the first of %u bad rows or values: %s", n_bad,
              jm_sacct_rows_get_complaint (self->rows));
  for (guint i = 0; i < batches->len; i++)
    if (!merge (self->importer, batches->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_sacct (Reader *self,
            GInputStream *stream,
            GCancellable *cancellable,
            GError **error)
{
  gboolean is_read;

  self->take = take_sacct_line;
  self->rows =
    jm_sacct_rows_new (self->importer->cluster, "|",
                       g_get_real_time () / G_USEC_PER_SEC, JM_HISTORY_BATCH_RUNS);
  is_read = read_lines (self, stream, cancellable, error) && merge_sacct (self, error);
  g_clear_pointer (&self->rows, jm_sacct_rows_free);

  return is_read;
}

/* --- the formats --- */

static const Format formats[] = {
  { "sacct", NULL },
  { "pbs-log", jm_pbs_parse_record },
  { "gridengine-log", jm_gridengine_parse_row },
  { "condor-history", jm_htcondor_parse_ad },
};

static const Format *
find_format (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].name, name))
      return &formats[i];

  return NULL;
}

/* --- the type --- */

static void
jm_importer_finalize (GObject *object)
{
  JmImporter *self = JM_IMPORTER (object);

  g_clear_object (&self->store);
  g_free (self->cluster);

  G_OBJECT_CLASS (jm_importer_parent_class)->finalize (object);
}

static void
jm_importer_class_init (JmImporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_importer_finalize;

  /**
   * JmImporter::complained:
   * @self: an importer
   * @text: what is wrong with a line, or why a run is not stored, without a dot
   *
   * Says what was passed over. Of the same kind it says ten at most; the rest is
   * counted.
   *
   * Since: 0.1
   */
  signals[SIGNAL_COMPLAINED] =
    g_signal_new ("complained", JM_TYPE_IMPORTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  /**
   * JmImporter::progressed:
   * @self: an importer
   * @n_bytes: read since the last time
   * @n_rows: rows in them
   *
   * Some of a stream has been read.
   *
   * Since: 0.1
   */
  signals[SIGNAL_PROGRESSED] =
    g_signal_new ("progressed", JM_TYPE_IMPORTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
}

static void
jm_importer_init (JmImporter *self)
{
}

/**
 * jm_importer_new:
 * @archive: where the archive is: a database's file, which is made where there is none,
 *   or `postgresql://...`
 * @cluster: (nullable): the cluster whose accounting it is; %NULL for records that say
 *   it
 * @error: return location for an error
 *
 * Opens an archive to import into.
 *
 * - Errors: those of opening the database: %JM_ERROR_DENIED, %JM_ERROR_UNAVAILABLE, or
 *   %JM_ERROR_MALFORMED for what is no archive.
 *
 * Returns: (transfer full): an importer
 * Since: 0.1
 */
JmImporter *
jm_importer_new (const char *archive, const char *cluster, GError **error)
{
  g_autoptr (JmArchiveDatabase) store = NULL;
  JmImporter *self;

  g_return_val_if_fail (archive != NULL, NULL);

  store = jm_archive_database_open (archive, error);
  if (store == NULL)
    return NULL;
  self = g_object_new (JM_TYPE_IMPORTER, NULL);
  self->store = g_steal_pointer (&store);
  self->cluster = g_strdup (cluster);

  return self;
}

/**
 * jm_importer_list_formats:
 *
 * Lists what jm_importer_read_stream() reads.
 *
 * Returns: (transfer full) (array zero-terminated=1): names
 * Since: 0.1
 */
char **
jm_importer_list_formats (void)
{
  GStrvBuilder *names = g_strv_builder_new ();
  char **list;

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    g_strv_builder_add (names, formats[i].name);
  list = g_strv_builder_end (names);
  g_strv_builder_unref (names);

  return list;
}

/**
 * jm_importer_read_stream:
 * @self: an importer
 * @format: what the stream is: `sacct`, `pbs-log`, `gridengine-log` or `condor-history`
 * @stream: the accounting, as its scheduler writes it
 * @cancellable: (nullable): to stop it
 * @error: return location for an error
 *
 * Reads accounting to its end and stores its runs. A line that cannot be read costs its
 * run, a value its figure; both are counted, and
 * [signal@JmImporter::complained] says which. What is stored stays where the stream
 * fails.
 *
 * - Errors: %JM_ERROR_ABSENT for a format of no such name; %JM_ERROR_MALFORMED for what
 *   is not of that format at all, and without a cluster; those of the stream and of the
 *   database.
 *
 * Returns: whether the stream was read to its end
 * Since: 0.1
 */
gboolean
jm_importer_read_stream (JmImporter *self,
                         const char *format,
                         GInputStream *stream,
                         GCancellable *cancellable,
                         GError **error)
{
  const Format *found;
  Reader reader = { .importer = self, .number = 1 };
  gboolean is_read;

  g_return_val_if_fail (JM_IS_IMPORTER (self), FALSE);
  g_return_val_if_fail (format != NULL, FALSE);
  g_return_val_if_fail (G_IS_INPUT_STREAM (stream), FALSE);

  found = find_format (format);
  if (found == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no format of accounting",
                   format);
      return FALSE;
    }
  if (self->cluster == NULL || *self->cluster == '\0')
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: does not say of which cluster it is", format);
      return FALSE;
    }

  reader.parse = found->parse;
  reader.buffer = g_byte_array_new ();
  is_read = found->parse != NULL ? read_log (&reader, stream, cancellable, error)
                                 : read_sacct (&reader, stream, cancellable, error);
  g_byte_array_unref (reader.buffer);

  return is_read;
}

/**
 * jm_importer_add_records:
 * @self: an importer
 * @records: (element-type JmJobRecord): records of nodes, as jm_ledger_list() has them
 * @error: return location for an error
 *
 * Stores what nodes have recorded: all of it, but for runs that are refused, or
 * nothing.
 *
 * - Errors: those of the database.
 *
 * Returns: whether they are stored
 * Since: 0.1
 */
gboolean
jm_importer_add_records (JmImporter *self, GPtrArray *records, GError **error)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  g_return_val_if_fail (JM_IS_IMPORTER (self), FALSE);
  g_return_val_if_fail (records != NULL, FALSE);

  for (guint i = 0; i < records->len; i++)
    jm_run_batch_add_record (batch, records->pdata[i], self->cluster);

  return merge (self, batch, error);
}

/**
 * jm_importer_judge:
 * @self: an importer
 * @rules: how to judge
 * @patience_ms: for how long
 * @error: return location for an error
 *
 * Judges the runs of the archive that were not judged by these rules yet, so that it
 * can be sorted and filtered by their verdicts: the last to end first, and for so long.
 * A server that has the archive judges what is left.
 *
 * - Errors: those of the database.
 *
 * Returns: whether nothing went wrong
 * Since: 0.1
 */
gboolean
jm_importer_judge (JmImporter *self,
                   JmRunRules *rules,
                   guint patience_ms,
                   GError **error)
{
  const gint64 until_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;
  gboolean is_done = FALSE;

  g_return_val_if_fail (JM_IS_IMPORTER (self), FALSE);
  g_return_val_if_fail (rules != NULL, FALSE);

  while (!is_done && g_get_monotonic_time () < until_us)
    if (!jm_archive_database_judge (self->store, rules, &is_done, error))
      return FALSE;

  return TRUE;
}

/**
 * jm_importer_get_n_runs:
 * @self: an importer
 *
 * Counts the runs that were read, whether they were there before or not.
 *
 * Returns: a number
 * Since: 0.1
 */
guint64
jm_importer_get_n_runs (JmImporter *self)
{
  g_return_val_if_fail (JM_IS_IMPORTER (self), 0);

  return self->n_runs;
}

/**
 * jm_importer_get_n_bad:
 * @self: an importer
 *
 * Counts the lines and values that could not be read.
 *
 * Returns: a number
 * Since: 0.1
 */
guint64
jm_importer_get_n_bad (JmImporter *self)
{
  g_return_val_if_fail (JM_IS_IMPORTER (self), 0);

  return self->n_bad;
}

/**
 * jm_importer_get_n_refused:
 * @self: an importer
 *
 * Counts the runs that the archive does not take.
 *
 * Returns: a number
 * Since: 0.1
 */
guint64
jm_importer_get_n_refused (JmImporter *self)
{
  g_return_val_if_fail (JM_IS_IMPORTER (self), 0);

  return self->n_refused;
}
