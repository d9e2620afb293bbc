/* jm-intake.c: what sources have of runs, into a site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-intake-private.h"

#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "registry/jm-registry-private.h"

/* Puts what sources have of runs into a site's archive, each from where it was read
 * to. It is killed at any moment and loses nothing: what was sent and how far its
 * source was read are stored at once. It belongs to one thread, as its store does; its
 * counts may be read by all. */
struct _JmIntake
{
  GObject parent_instance;
  JmArchiveDatabase *store;
  GMutex lock; /* of the counts */
  guint64 n_runs;
  guint64 n_refused;
  guint64 n_unread;
};

G_DEFINE_FINAL_TYPE (JmIntake, jm_intake, G_TYPE_OBJECT)

static void
jm_intake_finalize (GObject *object)
{
  JmIntake *self = JM_INTAKE (object);

  g_clear_object (&self->store);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (jm_intake_parent_class)->finalize (object);
}

static void
jm_intake_class_init (JmIntakeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_intake_finalize;
}

static void
jm_intake_init (JmIntake *self)
{
  g_mutex_init (&self->lock);
}

/* Makes one that has read nothing yet.
 *
 * Returns an intake. */
JmIntake *
jm_intake_new (JmArchiveDatabase *store)
{
  JmIntake *self = g_object_new (JM_TYPE_INTAKE, NULL);

  g_return_val_if_fail (JM_IS_ARCHIVE_DATABASE (store), NULL);
  self->store = g_object_ref (store);

  return self;
}

/* Opens a source of runs that were.
 *
 * - Errors: `INVALID` for invalid settings; else as opening that source has it.
 *
 * Returns a history. */
JmHistory *
jm_intake_open_history (const char *specification, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  JmSource *source;

  g_return_val_if_fail (specification != NULL, NULL);

  source = jm_registry_open (JM_SOURCE_KIND_HISTORY, specification, host, error);

  return source != NULL ? JM_HISTORY (source) : NULL;
}

/* One batch is enough to know that there is an answer, but for those of who has which
 * role: another command has them. */
static gboolean
on_first_batch (JmRunBatch *batch, gpointer has_answered, GError **error)
{
  if (batch->items->len == 0 && g_hash_table_size (batch->positions) == 0)
    return TRUE;

  *(gboolean *) has_answered = TRUE;
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT, "no more was asked for");

  return FALSE;
}

/* What a log's position is not, and that of an accounting is: now. */
static gboolean
ask_history (JmHistory *history, GError **error)
{
  g_autofree char *now =
    g_strdup_printf ("%" G_GINT64_FORMAT, g_get_real_time () / G_USEC_PER_SEC);
  g_autoptr (GError) local_error = NULL;
  gboolean has_answered = FALSE;
  gboolean is_good =
    jm_history_read (history, now, on_first_batch, &has_answered, NULL, &local_error);

  if (g_error_matches (local_error, JM_ERROR, JM_ERROR_INVALID))
    {
      g_clear_error (&local_error);
      is_good = jm_history_read (history, NULL, on_first_batch, &has_answered, NULL,
                                 &local_error);
    }
  if (!is_good && !has_answered)
    g_propagate_error (error, g_steal_pointer (&local_error));

  return is_good || has_answered;
}

/* Opens a source of runs that were and asks it once, for the newest where it can. Keeps
 * nothing.
 *
 * - Errors: as jm_intake_open_history() and jm_history_read().
 *
 * Returns whether it answers. */
gboolean
jm_intake_check_history (const char *specification, GError **error)
{
  g_autoptr (JmHistory) history = jm_intake_open_history (specification, error);

  return history != NULL && ask_history (history, error);
}

static void
count (JmIntake *self, JmRunBatch *batch)
{
  g_auto (GStrv) refused = jm_run_batch_list_refused (batch);

  for (guint i = 0; refused[i] != NULL; i++)
    g_warning ("a run is not stored: %s", refused[i]);

  g_mutex_lock (&self->lock);
  self->n_runs += batch->items->len;
  self->n_refused += g_strv_length (refused);
  self->n_unread += batch->n_unread;
  g_mutex_unlock (&self->lock);
}

/* Stores a batch, all of it or nothing, and counts it.
 *
 * - Errors: as jm_archive_database_merge().
 *
 * Returns whether it is stored. */
gboolean
jm_intake_merge (JmIntake *self, JmRunBatch *batch, GError **error)
{
  g_return_val_if_fail (JM_IS_INTAKE (self), FALSE);

  if (!jm_archive_database_merge (self->store, batch, error))
    return FALSE;
  count (self, batch);

  return TRUE;
}

static gboolean
on_batch (JmRunBatch *batch, gpointer user_data, GError **error)
{
  return jm_intake_merge (user_data, batch, error);
}

/* Stores what a history has since it was read last, and waits for it.
 *
 * - Errors: as jm_history_read() and jm_archive_database_merge(); what was stored
 *   before stays.
 *
 * Returns whether all is stored that there is now. */
gboolean
jm_intake_read_history (JmIntake *self,
                        JmHistory *history,
                        GCancellable *cancellable,
                        GError **error)
{
  const char *name;
  g_autoptr (GError) local_error = NULL;
  g_autofree char *position = NULL;

  g_return_val_if_fail (JM_IS_INTAKE (self), FALSE);
  g_return_val_if_fail (JM_IS_HISTORY (history), FALSE);

  name = jm_history_get_position_name (history);
  position = jm_archive_database_get_position (self->store, name, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  return jm_history_read (history, position, on_batch, self, cancellable, error);
}

static guint64
read_count (JmIntake *self, const guint64 *count)
{
  guint64 value;

  g_mutex_lock (&self->lock);
  value = *count;
  g_mutex_unlock (&self->lock);

  return value;
}

/* Counts what it stored, whether that was new or not.
 *
 * Returns how many runs it has read. */
guint64
jm_intake_get_n_runs (JmIntake *self)
{
  g_return_val_if_fail (JM_IS_INTAKE (self), 0);

  return read_count (self, &self->n_runs);
}

/* Counts what could not be kept, such as a run without any time.
 *
 * Returns how many it did not store. */
guint64
jm_intake_get_n_refused (JmIntake *self)
{
  g_return_val_if_fail (JM_IS_INTAKE (self), 0);

  return read_count (self, &self->n_refused);
}

/* Counts what could not be read: rows and values of histories, again at each reading.
 *
 * Returns how many were passed over. */
guint64
jm_intake_get_n_unread (JmIntake *self)
{
  g_return_val_if_fail (JM_IS_INTAKE (self), 0);

  return read_count (self, &self->n_unread);
}
