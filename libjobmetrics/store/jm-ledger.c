/* jm-ledger.c: the records of a node's jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-private.h"

#include "core/jm-error.h"
#include "store/jm-ledger-reader-private.h"
#include "store/jm-ledger-writer-private.h"

/* What the end of a program waits for the disk. */
#define CLOSE_US (5 * G_USEC_PER_SEC)

struct _JmLedger
{
  GObject parent_instance;
  JmLedgerReader *reader; /* NULL once it is closed */
  JmLedgerWriter *writer; /* NULL where it is only read */
};

G_DEFINE_FINAL_TYPE (JmLedger, jm_ledger, G_TYPE_OBJECT)

static void
jm_ledger_finalize (GObject *object)
{
  jm_ledger_close (JM_LEDGER (object));

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
  JmLedgerWriter *writer = g_steal_pointer (&self->writer);

  /* The last that closes leaves all in one file. */
  g_clear_pointer (&self->reader, jm_ledger_reader_free);
  if (writer != NULL)
    jm_ledger_writer_stop (writer, timeout_us);
}

void
jm_ledger_close (JmLedger *self)
{
  g_return_if_fail (JM_IS_LEDGER (self));

  jm_ledger_close_within (self, CLOSE_US);
}
