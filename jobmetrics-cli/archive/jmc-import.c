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
#include <unistd.h>

#include "archive/import/jm-importer.h"
#include "base/jm-safe-text-private.h"
#include "core/jm-format.h"
#include "jmc-options.h"
#include "jmc-output.h"
#include "node/ledger/jm-ledger.h"
#include "report/jmc-report-rules.h"

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

/* A file that is imported. */
typedef struct
{
  JmImporter *importer;
  const char *path; /* - for the standard input */
  Progress progress;
} File;

#define SHOW_EVERY_US (G_USEC_PER_SEC / 5)
/* Begins the line anew, and empties it. */
#define ANEW "\r\033[K"

#define PAGE_RECORDS 1000
/* The format that is not of a scheduler: it is opened, as it is no stream. */
#define LEDGER "ledger"
/* What is imported is judged for so long. */
#define JUDGING_MS 30000

typedef struct
{
  JmcOptions options;
  char *format;
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

/* --- a file --- */

static void
on_complained (JmImporter *importer, const char *text, gpointer user_data)
{
  const File *self = user_data;

  jmc_output_complain ("%s: %s", self->path, text);
}

static void
on_progressed (JmImporter *importer,
               guint64 n_bytes,
               guint64 n_rows,
               gpointer user_data)
{
  progress_add (&((File *) user_data)->progress, n_bytes, n_rows);
}

static GInputStream *
open_stream (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_str_equal (path, "-"))
    return g_unix_input_stream_new (STDIN_FILENO, FALSE);

  return G_INPUT_STREAM (g_file_read (file, NULL, error));
}

static gboolean
read_accounting (File *self, const char *format, GError **error)
{
  g_autoptr (GInputStream) stream = open_stream (self->path, error);

  return stream != NULL &&
         jm_importer_read_stream (self->importer, format, stream, NULL, error);
}

static gboolean
read_page (File *self,
           JmLedger *ledger,
           guint64 *after,
           gboolean *has_more,
           GError **error)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GPtrArray) records = NULL;

  jm_ledger_filter_set_after (filter, *after);
  jm_ledger_filter_set_limit (filter, PAGE_RECORDS);
  records = jm_ledger_list (ledger, filter, NULL, error);
  if (records == NULL)
    return FALSE;

  for (guint i = 0; i < records->len; i++)
    *after = MAX (*after, jm_job_record_get_position (records->pdata[i]));
  *has_more = records->len > 0;
  progress_add (&self->progress, 0, records->len);

  return jm_importer_add_records (self->importer, records, error);
}

static gboolean
read_ledger (File *self, GError **error)
{
  g_autoptr (JmLedger) ledger = jm_ledger_open (self->path, error);
  gboolean has_more = TRUE;
  guint64 after = 0;

  if (ledger == NULL)
    return FALSE;
  while (has_more)
    if (!read_page (self, ledger, &after, &has_more, error))
      return FALSE;

  return TRUE;
}

/* --- the command --- */

static void
import_clear (Import *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->format, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

static const JmSetting settings[] = {
  { .name = "store",
    .group = "archive",
    .kind = JM_SETTING_TEXT,
    .argument = "URI",
    .help = "Archive to import into: a file, created if missing, or postgresql://..." },
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
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format,
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
  g_auto (GStrv) formats = jm_importer_list_formats ();
  const char *format = self->format != NULL ? self->format : "";
  const char *cluster = jmc_options_get_text (&self->options, "cluster");
  gboolean is_ledger = g_str_equal (format, LEDGER);

  if (!is_ledger && !g_strv_contains ((const char *const *) formats, format))
    {
      g_autofree char *names = g_strjoinv (", ", formats);

      jmc_output_complain ("--format=%s: not one of %s and " LEDGER, format, names);
    }
  else if (jmc_options_get_text (&self->options, "store") == NULL)
    jmc_output_complain ("--store=URI is missing");
  else if (!is_ledger && (cluster == NULL || *cluster == '\0'))
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

/* The last to end first. The server of the archive judges those that are left. */
static gboolean
judge (Import *self, JmImporter *importer)
{
  g_autoptr (JmRunRules) rules =
    jmc_report_rules_open (&self->options, jmc_output_complain);
  g_autoptr (GError) error = NULL;

  if (rules == NULL || jm_importer_judge (importer, rules, JUDGING_MS, &error))
    return TRUE;
  jmc_output_complain ("runs are not judged: %s", error->message);

  return FALSE;
}

static gboolean
import_file (Import *self, const char *path, GError **error)
{
  g_autoptr (JmImporter) importer =
    jm_importer_new (jmc_options_get_text (&self->options, "store"),
                     jmc_options_get_text (&self->options, "cluster"), error);
  File file = { .importer = importer, .path = path };
  g_autoptr (GError) reason = NULL;
  gboolean is_read;

  if (importer == NULL)
    return FALSE;
  g_signal_connect (importer, "complained", G_CALLBACK (on_complained), &file);
  g_signal_connect (importer, "progressed", G_CALLBACK (on_progressed), &file);
  progress_begin (&file.progress, path, get_size (path));
  is_read = g_str_equal (self->format, LEDGER)
              ? read_ledger (&file, &reason)
              : read_accounting (&file, self->format, &reason);
  progress_end (&file.progress);
  if (reason != NULL)
    jmc_output_complain ("%s: %s", path, reason->message);

  g_printerr ("%s: %" G_GUINT64_FORMAT " runs%s, %" G_GUINT64_FORMAT
              " bad lines, %" G_GUINT64_FORMAT " not stored\n",
              path, jm_importer_get_n_runs (importer),
              is_read ? "" : " before it failed", jm_importer_get_n_bad (importer),
              jm_importer_get_n_refused (importer));

  return judge (self, importer) && is_read && jm_importer_get_n_bad (importer) == 0 &&
         jm_importer_get_n_refused (importer) == 0;
}

/* An archive that cannot be opened is the end; a file that cannot be read is passed
 * over. */
static int
import_all (Import *self, char **files)
{
  gboolean is_well = TRUE;

  for (; *files != NULL; files++)
    {
      g_autoptr (GError) error = NULL;

      is_well &= import_file (self, *files, &error);
      if (error != NULL)
        {
          jmc_output_complain ("%s", error->message);
          return JMC_EXIT_FAILURE;
        }
    }

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
