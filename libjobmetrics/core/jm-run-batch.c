/* jm-run-batch.c: what is to be merged into a site's runs at once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-batch-private.h"

#include <string.h>

#include "core/jm-run-private.h"
#include "core/jm-run-record-private.h"

#define MAX_DOCUMENT_BYTES (1024 * 1024)

G_DEFINE_BOXED_TYPE (JmRunBatch, jm_run_batch, jm_run_batch_ref, jm_run_batch_unref)

static void
clear_item (gpointer data)
{
  JmRunItem *item = data;

  jm_run_unref (item->run);
  g_clear_pointer (&item->parts, g_ptr_array_unref);
  g_free (item->node);
  g_free (item->run_key);
  g_free (item->target);
}

static void
clear_document (gpointer data)
{
  JmRunDocument *state = data;

  g_free (state->cluster);
  g_free (state->raw_id);
  g_free (state->document);
}

static void
clear_roles (gpointer data)
{
  JmRunRoles *roles = data;

  g_free (roles->cluster);
  g_free (roles->account);
  g_strfreev (roles->users);
}

static void
clear_name (gpointer data)
{
  JmRunName *name = data;

  g_free (name->cluster);
  g_free (name->name);
  g_free (name->description);
}

static GArray *
make_array (gsize size, GDestroyNotify clear)
{
  GArray *array = g_array_new (FALSE, FALSE, (guint) size);

  g_array_set_clear_func (array, clear);

  return array;
}

/* Creates a batch of nothing.
 *
 * Returns the batch. */
JmRunBatch *
jm_run_batch_new (void)
{
  JmRunBatch *self = g_atomic_rc_box_new0 (JmRunBatch);

  self->items = make_array (sizeof (JmRunItem), clear_item);
  self->states = make_array (sizeof (JmRunDocument), clear_document);
  self->roles = make_array (sizeof (JmRunRoles), clear_roles);
  self->names = make_array (sizeof (JmRunName), clear_name);
  self->positions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->refused = g_ptr_array_new_with_free_func (g_free);

  return self;
}

/* Adds a reference.
 *
 * Returns @self. */
JmRunBatch *
jm_run_batch_ref (JmRunBatch *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmRunBatch *self = data;

  g_array_unref (self->items);
  g_array_unref (self->states);
  g_array_unref (self->roles);
  g_array_unref (self->names);
  g_hash_table_unref (self->positions);
  g_ptr_array_unref (self->refused);
}

/* Drops a reference. */
void
jm_run_batch_unref (JmRunBatch *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* Adds what one source says of a run. It is the run of its cluster, id and begin; or
 * of its cluster, id and time of submission, where it has not begun; or one of its
 * uuid. */
void
jm_run_batch_add_run (JmRunBatch *self, JmRun *run, JmRunSource source)
{
  JmRunItem item = { .source = source };

  g_return_if_fail (self != NULL);
  g_return_if_fail (run != NULL);
  g_return_if_fail (source > JM_RUN_SOURCE_NONE && source < JM_N_RUN_SOURCES);

  item.run = jm_run_ref (run);
  g_array_append_val (self->items, item);
}

static void
add_part (JmRunItem *item, JmRunPart *part)
{
  if (item->parts == NULL)
    item->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_part_unref);
  g_ptr_array_add (item->parts, jm_run_part_ref (part));
}

/* Adds a part of a run, such as a step. It takes the place of that of the same node and
 * name. */
void
jm_run_batch_add_part (JmRunBatch *self, JmRunPart *part)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (part != NULL);
  g_return_if_fail (self->items->len > 0);

  add_part (&g_array_index (self->items, JmRunItem, self->items->len - 1), part);
}

/* Adds what a node's ledger says of a run. The figures of a run are the sums over its
 * nodes, once all of them have sent theirs. A record that does not know when its job
 * began is that of the run of its cluster and id which went on at the time, and refused
 * where there is none yet. */
void
jm_run_batch_add_record (JmRunBatch *self, JmJobRecord *record, const char *cluster)
{
  JmRunItem item = { .source = JM_RUN_SOURCE_LEDGER };

  g_return_if_fail (self != NULL);
  g_return_if_fail (record != NULL);

  item.run = jm_run_record_to_run (record, cluster);
  item.parts = jm_run_record_to_parts (record);
  item.node = g_strdup (jm_run_record_get_node (record));
  item.run_key = g_strdup (jm_job_record_get_key (record));
  item.begin = jm_job_record_get_begin_time (record) / G_USEC_PER_SEC;
  g_array_append_val (self->items, item);
}

void
jm_run_batch_set_target (JmRunBatch *self, const char *name)
{
  g_array_index (self->items, JmRunItem, self->items->len - 1).target = g_strdup (name);
}

/* Adds a document to the history of a job. A longer one is left out. */
void
jm_run_batch_add_state (JmRunBatch *self,
                        const char *cluster,
                        const char *raw_id,
                        gint64 time_us,
                        const char *document)
{
  JmRunDocument state = { .time_us = time_us };

  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && raw_id != NULL && document != NULL);

  /* no database would take it, ever */
  if (strlen (document) > MAX_DOCUMENT_BYTES)
    return;
  state.cluster = g_utf8_make_valid (cluster, -1);
  state.raw_id = g_utf8_make_valid (raw_id, -1);
  state.document = g_utf8_make_valid (document, -1);
  g_array_append_val (self->states, state);
}

/* Sets how far a source has been read once the batch is stored: in the same
 * transaction, so that nothing is lost and nothing read twice. */
void
jm_run_batch_set_position (JmRunBatch *self, const char *source, const char *position)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (source != NULL && position != NULL);

  g_hash_table_replace (self->positions, g_utf8_make_valid (source, -1),
                        g_utf8_make_valid (position, -1));
}

static void
add_name (JmRunBatch *self,
          const char *cluster,
          const char *name,
          const char *description,
          gint64 uid)
{
  JmRunName added = { g_utf8_make_valid (cluster, -1), g_utf8_make_valid (name, -1),
                      g_utf8_make_valid (description, -1), uid };

  g_array_append_val (self->names, added);
}

/* Says who a user is on a cluster. */
void
jm_run_batch_set_person (JmRunBatch *self,
                         const char *cluster,
                         const char *user,
                         guint uid)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && user != NULL);

  add_name (self, cluster, user, "", uid);
}

/* Says what an account is. */
void
jm_run_batch_set_project (JmRunBatch *self,
                          const char *cluster,
                          const char *account,
                          const char *description)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && account != NULL && description != NULL);

  add_name (self, cluster, account, description, -1);
}

static void
add_roles (JmRunBatch *self,
           const char *cluster,
           const char *role,
           const char *account,
           const char *const *users)
{
  JmRunRoles roles = { .role = role };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; users != NULL && users[i] != NULL; i++)
    {
      g_autofree char *user = g_utf8_make_valid (users[i], -1);

      g_strv_builder_add (builder, user);
    }
  roles.cluster = g_utf8_make_valid (cluster, -1);
  roles.account = g_utf8_make_valid (account, -1);
  roles.users = g_strv_builder_end (builder);
  g_array_append_val (self->roles, roles);
}

/* Says who may see all runs of an account. They take the place of those of before. */
void
jm_run_batch_set_coordinators (JmRunBatch *self,
                               const char *cluster,
                               const char *account,
                               const char *const *users)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && account != NULL && users != NULL);

  add_roles (self, cluster, JM_ROLE_COORDINATOR, account, users);
}

/* Says who works on behalf of an account. They take the place of those of before. */
void
jm_run_batch_set_members (JmRunBatch *self,
                          const char *cluster,
                          const char *account,
                          const char *const *users)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && account != NULL && users != NULL);

  add_roles (self, cluster, JM_ROLE_MEMBER, account, users);
}

/* Says who may see everything. They take the place of those whom this cluster named
 * before. */
void
jm_run_batch_set_administrators (JmRunBatch *self,
                                 const char *cluster,
                                 const char *const *users)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (cluster != NULL && users != NULL);

  add_roles (self, cluster, JM_ROLE_ADMINISTRATOR, "", users);
}

/* Lists what of it was not stored, as it identified no run.
 *
 * - Shape: `CLUSTER/ID: REASON`.
 *
 * Returns the reasons. */
char **
jm_run_batch_list_refused (JmRunBatch *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->refused->len; i++)
    g_strv_builder_add (builder, self->refused->pdata[i]);

  return g_strv_builder_end (builder);
}

void
jm_run_batch_begin (JmRunBatch *self)
{
  g_ptr_array_set_size (self->refused, 0);
}

void
jm_run_batch_refuse (JmRunBatch *self, const JmRunItem *item, const char *reason)
{
  const char *node = item->node;

  g_ptr_array_add (self->refused, g_strdup_printf ("%s/%s: %s%s%s", item->run->cluster,
                                                   item->run->raw_id, reason,
                                                   node != NULL ? ", by " : "",
                                                   node != NULL ? node : ""));
}
