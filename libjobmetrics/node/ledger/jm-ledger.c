/* jm-ledger.c: the records of a node's jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-private.h"

#include "base/jm-error.h"
#include "node/ledger/jm-ledger-reader-private.h"
#include "node/ledger/jm-ledger-writer-private.h"

/* What the end of a program waits for the disk. */
#define CLOSE_US (5 * G_USEC_PER_SEC)

/**
 * JmLedger:
 *
 * The records of a node's jobs, which outlive the program that keeps them: a file that
 * one program writes, and any that may read it reads.
 *
 * Since: 0.1
 */
struct _JmLedger
{
  GObject parent_instance;
  JmLedgerReader *reader; /* NULL once it is closed */
  JmLedgerWriter *writer; /* NULL where it is only read; a sweep that hung may use it
                           * after the end */
  gboolean is_stopped;    /* the writer */
};

G_DEFINE_FINAL_TYPE (JmLedger, jm_ledger, G_TYPE_OBJECT)

static void
jm_ledger_finalize (GObject *object)
{
  JmLedger *self = JM_LEDGER (object);

  jm_ledger_close (self);
  g_clear_pointer (&self->writer, jm_ledger_writer_unref);

  G_OBJECT_CLASS (jm_ledger_parent_class)->finalize (object);
}

static void
jm_ledger_class_init (JmLedgerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_ledger_finalize;
}

static void
jm_ledger_init (JmLedger *self)
{
}

/**
 * jm_ledger_open:
 * @path: (type filename): path of a ledger
 * @error: return location for an error
 *
 * Opens a ledger to read it, beside the exporter that writes it or without. The right
 * to read its files is enough.
 *
 * - Errors: `ABSENT` where there is none; `DENIED`; `INVALID` for another's file, and
 *   for a ledger of a later version; `MALFORMED` where it is broken.
 * - Source: the file, as the exporter's option `--ledger.file` names it.
 *
 * Returns: (transfer full): the ledger
 * Since: 0.1
 */
JmLedger *
jm_ledger_open (const char *path, GError **error)
{
  g_autoptr (JmLedger) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_object_new (JM_TYPE_LEDGER, NULL);
  self->reader = jm_ledger_reader_new (path);

  return jm_ledger_reader_try (self->reader, error) ? g_steal_pointer (&self) : NULL;
}

JmLedger *
jm_ledger_open_for_writing (const JmLedgerPlan *plan, GError **error)
{
  g_autoptr (JmLedger) self = g_object_new (JM_TYPE_LEDGER, NULL);

  self->writer = jm_ledger_writer_start (plan, error);
  if (self->writer == NULL)
    return NULL;

  self->reader = jm_ledger_reader_new (plan->path);

  return g_steal_pointer (&self);
}

guint64
jm_ledger_submit (JmLedger *self, JmLedgerBatch *batch)
{
  g_return_val_if_fail (self->writer != NULL, 0);

  return jm_ledger_writer_submit (self->writer, batch);
}

gboolean
jm_ledger_await (JmLedger *self, guint64 ticket, gint64 timeout_us)
{
  g_return_val_if_fail (self->writer != NULL, FALSE);

  return jm_ledger_writer_await (self->writer, ticket, timeout_us);
}

static gboolean
check_open (JmLedger *self, GError **error)
{
  if (self->reader != NULL)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "the ledger is closed");

  return FALSE;
}

/**
 * jm_ledger_list:
 * @self: a ledger
 * @filter: (nullable): which records; %NULL for all
 * @cancellable: (nullable): what ends it before its time
 * @error: return location for an error
 *
 * Reads records.
 *
 * - Shape: one for each run of a job that has ended, by position, then those that run,
 *   by begin. A record that is broken is left out, with a warning.
 * - Errors: `MALFORMED` where the file is broken; `UNAVAILABLE`; that it was cancelled.
 * - Source: what is stored; a record that was cut this moment may be behind.
 *
 * Returns: (transfer container) (element-type JmJobRecord): the records
 * Since: 0.1
 */
GPtrArray *
jm_ledger_list (JmLedger *self,
                JmLedgerFilter *filter,
                GCancellable *cancellable,
                GError **error)
{
  static const JmLedgerFilter all = { 0 };

  g_return_val_if_fail (JM_IS_LEDGER (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_open (self, error))
    return NULL;

  return jm_ledger_reader_list (self->reader, filter != NULL ? filter : &all,
                                cancellable, error);
}

/**
 * jm_ledger_find:
 * @self: a ledger
 * @job: what a person calls a job, as jm_job_is_called() has it
 * @error: return location for an error
 *
 * Finds the last run of a job: the one that goes on, else the one that was recorded
 * last.
 *
 * - Errors: `ABSENT` where there is none; as jm_ledger_list().
 *
 * Returns: (transfer full): the record
 * Since: 0.1
 */
JmJobRecord *
jm_ledger_find (JmLedger *self, const char *job, GError **error)
{
  JmLedgerFilter filter = { .job = (char *) job, .limit = 1 };
  g_autoptr (GPtrArray) records = NULL;

  g_return_val_if_fail (job != NULL, NULL);

  records = jm_ledger_list (self, &filter, NULL, error);
  if (records == NULL)
    return NULL;
  if (records->len > 0)
    return jm_job_record_ref (records->pdata[0]);

  g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "no record of a job called %s", job);

  return NULL;
}

/**
 * jm_ledger_get_last_position:
 * @self: a ledger
 * @error: return location for an error
 *
 * Gets the position of what was recorded last, which may be forgotten by now. Positions
 * only grow, also where a ledger was removed and begun anew; they do not begin at 1.
 *
 * Returns: the position; 0 with an error
 * Since: 0.1
 */
guint64
jm_ledger_get_last_position (JmLedger *self, GError **error)
{
  guint64 position = 0;

  g_return_val_if_fail (JM_IS_LEDGER (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (!check_open (self, error) ||
      !jm_ledger_reader_get_last_position (self->reader, &position, error))
    return 0;

  return position;
}

GPtrArray *
jm_ledger_load_running (JmLedger *self, GError **error)
{
  /* of some the end was seen, and the last round was not written */
  JmLedgerFilter filter = { .is_of_running = TRUE };

  return jm_ledger_list (self, &filter, NULL, error);
}

GArray *
jm_ledger_list_totals (JmLedger *self)
{
  g_return_val_if_fail (self->writer != NULL, NULL);

  return jm_ledger_writer_list_totals (self->writer);
}

GHashTable *
jm_ledger_load (JmLedger *self, const char *name, GError **error)
{
  if (!check_open (self, error))
    return NULL;

  return jm_ledger_reader_load (self->reader, name, error);
}

void
jm_ledger_get_status (JmLedger *self, JmLedgerStatus *status)
{
  g_return_if_fail (self->writer != NULL);

  jm_ledger_writer_get_status (self->writer, status);
}

void
jm_ledger_status_clear (JmLedgerStatus *status)
{
  g_clear_error (&status->error);
}

void
jm_ledger_close_within (JmLedger *self, gint64 timeout_us)
{
  /* The last that closes leaves all in one file. */
  g_clear_pointer (&self->reader, jm_ledger_reader_free);
  if (self->writer != NULL && !self->is_stopped)
    jm_ledger_writer_stop (self->writer, timeout_us);
  self->is_stopped = TRUE;
}

/**
 * jm_ledger_close:
 * @self: a ledger
 *
 * Closes a ledger before the last reference to it is gone. It is read no more then.
 *
 * Since: 0.1
 */
void
jm_ledger_close (JmLedger *self)
{
  g_return_if_fail (JM_IS_LEDGER (self));

  jm_ledger_close_within (self, CLOSE_US);
}
