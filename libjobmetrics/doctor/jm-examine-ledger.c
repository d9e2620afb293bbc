/* jm-examine-ledger.c: whether the records of jobs are kept, and will be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-doctor.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/jm-error.h"
#include "doctor/jm-examination-private.h"
#include "node/ledger/jm-ledger.h"

/* Less than this is soon full of anything else's logs. */
#define FEW_BYTES (64 * 1024 * 1024)
/* While a job runs, it is stored again every few seconds. */
#define BEHIND_MINUTES 5
#define MINUTE_US (60 * G_USEC_PER_SEC)
/* From this part of its bound on, a ledger is about to drop records. */
#define NEARLY_FULL 0.9

#define LET_ROOT_LOOK "Let root look; jobmetrics-cli ledger asks the exporter"

/* A ledger's file, and what is found out about it. */
typedef struct
{
  char *path;
  guint64 max_bytes; /* 0 for no bound */
  guint64 size_bytes;
  gboolean is_live; /* it is this machine's, and not a copy */
  gint64 now_us;
  GPtrArray *findings; /* of JmFinding */
} Ledger;

G_GNUC_PRINTF (4, 5)
static void
add (Ledger *self, JmSeverity severity, const char *remedy, const char *format, ...)
{
  g_autofree char *seen = NULL;
  g_autofree char *whole = NULL;
  va_list arguments;

  va_start (arguments, format);
  seen = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  whole = g_strdup_printf ("%s: %s", self->path, seen);

  g_ptr_array_add (self->findings,
                   jm_finding_new (severity, jm_topic_get_name (JM_TOPIC_LEDGER), whole,
                                   remedy));
}

static char *
format_size (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

/* --- the disk --- */

static void
examine_disk (Ledger *self)
{
  g_autofree char *directory = g_path_get_dirname (self->path);
  g_autofree char *room = NULL;
  guint64 free_bytes;
  struct statvfs disk;

  if (statvfs (directory, &disk) != 0)
    return;

  free_bytes = (guint64) disk.f_bavail * disk.f_frsize;
  room = format_size (free_bytes);
  if ((disk.f_flag & ST_RDONLY) != 0)
    add (self, JM_SEVERITY_PROBLEM,
         "Mount it so that it can be written, or name another file: --ledger.file=",
         "the file system is read-only: no record can be kept");
  else if (free_bytes == 0)
    add (self, JM_SEVERITY_PROBLEM,
         "Make room: what waits is written as soon as there is some",
         "the disk is full: no record can be kept");
  else if (free_bytes < FEW_BYTES)
    add (self, JM_SEVERITY_NOTE,
         "Make room, or bound the ledger: --ledger.max-size=", "the disk has %s left",
         room);
}

/* --- the records --- */

/* What cannot be listed is not known: that it can be opened was seen. */
static GPtrArray *
list (JmLedger *ledger, JmLedgerFilter *filter)
{
  GPtrArray *records = jm_ledger_list (ledger, filter, NULL, NULL);

  return records != NULL ? records : g_ptr_array_new ();
}

static void
examine_running (Ledger *self, JmLedger *ledger)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GPtrArray) running = NULL;
  gint64 last_us = 0, minutes;

  jm_ledger_filter_set_state (filter, JM_RUN_STATE_RUNNING);
  running = list (ledger, filter);
  for (guint i = 0; i < running->len; i++)
    last_us = MAX (last_us, jm_job_record_get_seen_time (running->pdata[i]));
  if (last_us == 0)
    return;

  minutes = (self->now_us - last_us) / MINUTE_US;
  if (minutes >= BEHIND_MINUTES)
    add (self, JM_SEVERITY_PROBLEM,
         "Start the exporter; where it runs, its log says why it cannot write",
         "is %" G_GINT64_FORMAT " minutes behind: jobs that run were stored then",
         minutes);
}

/* How old the oldest record is, in days; 0 where there is none. */
static double
get_days (Ledger *self, JmLedger *ledger)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GPtrArray) oldest = NULL;

  jm_ledger_filter_set_after (filter, 0);
  jm_ledger_filter_set_limit (filter, 1);
  oldest = list (ledger, filter);
  if (oldest->len == 0)
    return 0;

  return (double) (self->now_us - jm_job_record_get_end_time (oldest->pdata[0])) /
         MINUTE_US / (24 * 60);
}

static void
examine_size (Ledger *self, JmLedger *ledger)
{
  g_autofree char *size = format_size (self->size_bytes);
  g_autofree char *most = format_size (self->max_bytes);
  const double days = get_days (self, ledger);

  if (self->max_bytes > 0 &&
      (double) self->size_bytes > NEARLY_FULL * (double) self->max_bytes)
    add (self, JM_SEVERITY_NOTE,
         "Collect the records before they are dropped, or let it grow: "
         "--ledger.max-size=",
         "has %s of the %s that it may have, with records of %.1f days", size, most,
         days);
  else if (days > 0)
    add (self, JM_SEVERITY_GOOD, NULL, "has records of %.1f days in %s", days, size);
  else
    add (self, JM_SEVERITY_GOOD, NULL, "is kept, and no job has ended yet");
}

static void
examine_content (Ledger *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open (self->path, &error);

  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    add (self, JM_SEVERITY_NOTE, LET_ROOT_LOOK, "this user may not read it");
  else if (error != NULL)
    add (self, JM_SEVERITY_PROBLEM,
         "See the exporter's log: a broken one is put aside when it begins",
         "cannot be read: %s", error->message);
  if (ledger == NULL)
    return;

  if (self->is_live)
    examine_running (self, ledger);
  examine_size (self, ledger);
}

/* --- the file --- */

static void
examine_file (Ledger *self)
{
  struct stat status;

  if (stat (self->path, &status) == 0)
    {
      self->size_bytes = (guint64) status.st_size;
      if (self->is_live)
        examine_disk (self);
      examine_content (self);
    }
  else if (errno == EACCES)
    add (self, JM_SEVERITY_NOTE, LET_ROOT_LOOK, "this user may not look there");
  else
    add (self, JM_SEVERITY_NOTE,
         "Let the exporter keep one: --ledger.file=; doctor takes this option too",
         "no ledger: what a job used is forgotten soon after its end");
}

/**
 * jm_doctor_examine_ledger:
 * @host: the host
 * @path: (type filename): where the ledger is, from the host's root
 * @max_bytes: how large it may become; 0 for no bound
 *
 * Examines the file in which an exporter keeps the records of jobs: whether it is
 * there, whether it is written, and whether it will go on to be.
 *
 * - Shape: at least one finding, of the topic `ledger`.
 * - Errors: none: what cannot be read is what is found.
 * - Source: the file, and what the kernel says of its file system; in a copied tree,
 *   the file alone.
 *
 * Returns: (transfer container) (element-type JmFinding): the findings
 * Since: 0.1
 */
GPtrArray *
jm_doctor_examine_ledger (JmHost *host, const char *path, guint64 max_bytes)
{
  Ledger ledger = { .max_bytes = max_bytes };

  g_return_val_if_fail (JM_IS_HOST (host), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  ledger.path = jm_host_resolve (host, path);
  ledger.is_live = jm_examination_is_kernels_own (host);
  ledger.now_us = g_get_real_time ();
  ledger.findings = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_finding_unref);
  examine_file (&ledger);
  g_free (ledger.path);

  return ledger.findings;
}
