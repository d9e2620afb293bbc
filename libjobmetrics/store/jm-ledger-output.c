/* jm-ledger-output.c: a ledger that is written, whatever happens to its file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "store/jm-ledger-output-private.h"

#include "core/jm-error.h"
#include "store/jm-ledger-file-private.h"
#include "store/jm-ledger-tables-private.h"

struct _JmLedgerOutput
{
  JmLedgerPlan plan; /* its path is ours */
  JmLedgerFile file;
  JmLedgerTables *tables; /* NULL while the file is closed */
};

static void
close_file (JmLedgerOutput *self)
{
  g_clear_pointer (&self->tables, jm_ledger_tables_free);
  jm_ledger_file_close (&self->file);
}

static gboolean
open_file (JmLedgerOutput *self, GError **error)
{
  if (!jm_ledger_file_open (&self->file, self->plan.path, error))
    return FALSE;

  self->tables = jm_ledger_tables_new (self->file.db, error);
  if (self->tables == NULL)
    close_file (self);

  return self->tables != NULL;
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

gboolean
jm_ledger_output_write (JmLedgerOutput *self, JmLedgerBatch *batch, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (!ensure_open (self, error))
    return FALSE;
  if (jm_ledger_tables_write (self->tables, batch, &problem))
    return TRUE;
  if (!g_error_matches (problem, JM_ERROR, JM_ERROR_MALFORMED))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  put_aside (self, problem);

  return ensure_open (self, error) &&
         jm_ledger_tables_write (self->tables, batch, error);
}
