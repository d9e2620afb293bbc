/* jm-ledger-output.c: a ledger that is written, whatever happens to its file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-output-private.h"

#include <sys/stat.h>

#include "base/jm-error.h"
#include "node/ledger/jm-ledger-file-private.h"
#include "node/ledger/jm-ledger-retention-private.h"
#include "node/ledger/jm-ledger-tables-private.h"

struct _JmLedgerOutput
{
  JmLedgerPlan plan; /* its path is ours */
  JmLedgerFile file;
  JmLedgerTables *tables; /* NULL while the file is closed */
  JmLedgerTotals *totals; /* NULL until a file was opened */
  gboolean lacks_totals;  /* the file is a new one, in place of another */
  guint64 n_records;
  gboolean is_full; /* which was said */
};

static void
close_file (JmLedgerOutput *self)
{
  g_clear_pointer (&self->tables, jm_ledger_tables_free);
  jm_ledger_file_close (&self->file);
}

/* Counters never fall: what the last file had is written into a new one. */
static gboolean
take_totals (JmLedgerOutput *self, GError **error)
{
  gint64 n_records;

  if (!jm_sqlite_get_number (self->file.db, "SELECT count (*) FROM record", &n_records,
                             error))
    return FALSE;
  self->n_records = (guint64) n_records;

  if (self->totals == NULL)
    self->totals = jm_ledger_totals_load (self->file.db, error);
  else
    self->lacks_totals = TRUE;

  return self->totals != NULL;
}

static gboolean
open_file (JmLedgerOutput *self, GError **error)
{
  if (!jm_ledger_file_open (&self->file, self->plan.path, error))
    return FALSE;

  self->tables = jm_ledger_tables_new (self->file.db, error);
  if (self->tables != NULL && take_totals (self, error))
    return TRUE;

  close_file (self);

  return FALSE;
}

JmLedgerOutput *
jm_ledger_output_open (const JmLedgerPlan *plan, GError **error)
{
  JmLedgerOutput *self = g_new0 (JmLedgerOutput, 1);

  self->plan = *plan;
  self->plan.path = g_strdup (plan->path);
  self->file.lock = -1;
  if (open_file (self, error))
    return self;

  jm_ledger_output_close (self);

  return NULL;
}

void
jm_ledger_output_close (JmLedgerOutput *self)
{
  close_file (self);
  g_clear_pointer (&self->totals, jm_ledger_totals_free);
  g_free ((char *) self->plan.path);
  g_free (self);
}

const char *
jm_ledger_output_get_path (JmLedgerOutput *self)
{
  return self->plan.path;
}

/* A file that was removed or replaced would take all that is written, and keep nothing.
 */
static gboolean
ensure_open (JmLedgerOutput *self, GError **error)
{
  if (self->tables != NULL && jm_ledger_file_is_there (self->file.db))
    return TRUE;

  close_file (self);

  return open_file (self, error);
}

static void
put_aside (JmLedgerOutput *self, const GError *problem)
{
  g_warning ("%s; it is put aside, and a new one is begun", problem->message);
  g_clear_pointer (&self->tables, jm_ledger_tables_free);
  jm_ledger_file_put_aside (&self->file);
  close_file (self);
}

static void
take_change (JmLedgerOutput *self, JmLedgerChange *change)
{
  g_clear_pointer (&self->totals, jm_ledger_totals_free);
  self->totals = change->totals;
  self->lacks_totals = FALSE;
  self->n_records += change->n_added - change->n_removed;
}

static gboolean
write_once (JmLedgerOutput *self,
            const JmLedgerBatch *batch,
            guint n_oldest,
            GError **error)
{
  JmLedgerChange change = { .n_oldest = n_oldest };

  if (!ensure_open (self, error))
    return FALSE;

  change.totals = jm_ledger_totals_copy (self->totals);
  change.all_totals = self->lacks_totals;
  if (jm_ledger_tables_write (self->tables, batch, &change, error))
    {
      take_change (self, &change);
      return TRUE;
    }
  jm_ledger_totals_free (change.totals);

  return FALSE;
}

/* A file that is broken will be so the next time. */
static gboolean
write_or_begin_anew (JmLedgerOutput *self,
                     const JmLedgerBatch *batch,
                     guint n_oldest,
                     GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (write_once (self, batch, n_oldest, &problem))
    return TRUE;
  if (self->tables != NULL && g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    {
      /* opened anew, it is looked at whether it is whole */
      close_file (self);
      g_clear_error (&problem);
      if (write_once (self, batch, n_oldest, &problem))
        return TRUE;
    }
  if (self->tables == NULL ||
      !g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED) ||
      !jm_ledger_file_can_be_read (self->plan.path))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  put_aside (self, problem);

  return write_once (self, batch, 0, error);
}

/* A ledger that keeps what is oldest takes no more once it has come to its bound. */
static void
drop_what_is_new (JmLedgerOutput *self, JmLedgerBatch *batch)
{
  gboolean is_full = FALSE;

  if (batch->n_whole == 0 || self->file.db == NULL)
    return;

  jm_ledger_retention_is_full (self->file.db, &self->plan, &is_full, NULL);
  if (is_full)
    jm_ledger_batch_decline (batch);
  if (is_full && !self->is_full)
    g_warning ("%s: it is full: new records are dropped", self->plan.path);
  self->is_full = is_full;
}

gboolean
jm_ledger_output_write (JmLedgerOutput *self, JmLedgerBatch *batch, GError **error)
{
  guint n_excess;

  jm_ledger_batch_pack (batch);
  drop_what_is_new (self, batch);
  if (write_or_begin_anew (self, batch, 0, error))
    return TRUE;

  n_excess = jm_ledger_batch_count_excess (batch);
  if (n_excess == 0)
    return FALSE;
  if (!self->plan.keeps_oldest && self->tables != NULL &&
      write_once (self, batch, batch->n_whole, NULL))
    {
      g_clear_error (error);
      return TRUE;
    }
  jm_ledger_batch_give_up (batch, n_excess, self->plan.keeps_oldest);

  return FALSE;
}

gboolean
jm_ledger_output_tidy (JmLedgerOutput *self)
{
  g_autoptr (GError) problem = NULL;
  guint64 n_removed;
  gboolean is_done;

  if (self->tables == NULL)
    return TRUE;
  if (jm_ledger_retention_step (self->file.db, &self->plan, &n_removed, &is_done,
                                &problem))
    {
      self->n_records -= n_removed;
      return is_done;
    }

  /* the next batch is written to one that is looked at, and put aside if need be */
  if (g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    close_file (self);

  return TRUE;
}

const JmLedgerTotals *
jm_ledger_output_get_totals (JmLedgerOutput *self)
{
  return self->totals;
}

guint64
jm_ledger_output_get_n_records (JmLedgerOutput *self)
{
  return self->n_records;
}

guint64
jm_ledger_output_get_size (JmLedgerOutput *self)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };
  guint64 n_bytes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (self->plan.path, suffixes[i], NULL);
      struct stat status;

      if (stat (path, &status) == 0)
        n_bytes += (guint64) status.st_size;
    }

  return n_bytes;
}
