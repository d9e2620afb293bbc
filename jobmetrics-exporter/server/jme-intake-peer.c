/* jme-intake-peer.c: a history or a database that the archive is read from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-intake-peer.h"

#include <string.h>

#define CLUSTER "cluster="

struct _JmeIntakePeer
{
  JmeIntakePeerPlan plan;
  JmFollower *follower;
  JmArchiveDatabase *store; /* the thread's; NULL while it cannot be opened */

  GMutex lock; /* of all below */
  GHashTable *targets;
  gboolean is_late;
};

/* --- its thread --- */

static gboolean
open_store (JmeIntakePeer *self, GCancellable *cancellable, GError **error)
{
  if (self->store == NULL)
    self->store = jm_archive_database_open (self->plan.uri, error);
  if (self->store != NULL)
    jm_archive_database_set_stop (self->store, cancellable);

  return self->store != NULL;
}

/* Before what it reads, whose lists of nodes may have names of these. */
static void
name_targets (JmeIntakePeer *self)
{
  g_mutex_lock (&self->lock);
  if (self->targets != NULL)
    jm_archive_database_set_targets (self->store, self->targets);
  g_mutex_unlock (&self->lock);
}

static gboolean
take_lateness (JmeIntakePeer *self)
{
  gboolean was_late;

  g_mutex_lock (&self->lock);
  was_late = self->is_late;
  self->is_late = FALSE;
  g_mutex_unlock (&self->lock);

  return was_late;
}

static void
read_all (JmeIntakePeer *self, GCancellable *cancellable, GError **error)
{
  if (!open_store (self, cancellable, error))
    return;
  name_targets (self);
  self->plan.read (self->plan.user_data, self->store, cancellable, error);
}

static gpointer
follow (gpointer user_data, GCancellable *cancellable, GError **error)
{
  JmeIntakePeer *self = user_data;
  g_autoptr (GError) reason = NULL;

  read_all (self, cancellable, &reason);
  if (!g_cancellable_is_cancelled (cancellable))
    self->plan.note_end (self->plan.user_data, reason, take_lateness (self));
  if (reason != NULL)
    g_propagate_error (error, g_steal_pointer (&reason));

  return NULL;
}

/* --- the intake's --- */

JmeIntakePeer *
jme_intake_peer_new (const JmeIntakePeerPlan *plan)
{
  const JmFollowerPace on_demand = { 0 };
  JmeIntakePeer *self = g_new0 (JmeIntakePeer, 1);

  self->plan = *plan;
  g_mutex_init (&self->lock);
  self->follower = jm_follower_new (plan->kind, &on_demand, follow, self, NULL, NULL);

  return self;
}

void
jme_intake_peer_free (gpointer data)
{
  JmeIntakePeer *self = data;

  jm_follower_free (self->follower);
  g_clear_object (&self->store);
  g_clear_pointer (&self->targets, g_hash_table_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
jme_intake_peer_set_targets (JmeIntakePeer *self, GHashTable *targets)
{
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->targets, g_hash_table_unref);
  self->targets = g_hash_table_ref (targets);
  g_mutex_unlock (&self->lock);
}

void
jme_intake_peer_ask (JmeIntakePeer *self, gint64 least_age_us)
{
  g_auto (JmFollowerState) state = { 0 };

  jm_follower_get_state (self->follower, &state);
  if (!state.is_asking &&
      (state.began_us == 0 || g_get_monotonic_time () - state.began_us >= least_age_us))
    jm_follower_ask (self->follower);
}

gboolean
jme_intake_peer_wait (JmeIntakePeer *self, gint64 until_us, GCancellable *cancellable)
{
  gint64 timeout_us = MAX (until_us - g_get_monotonic_time (), 0);
  g_auto (JmFollowerState) state = { 0 };

  if (!jm_follower_wait (self->follower, timeout_us, cancellable))
    {
      g_mutex_lock (&self->lock);
      self->is_late = TRUE;
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  jm_follower_get_state (self->follower, &state);

  return state.problem == NULL;
}

/* --- state --- */

char *
jme_history_get_cluster (const char *specification)
{
  g_auto (GStrv) words = g_strsplit (specification, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], CLUSTER))
      return g_strdup (words[i] + strlen (CLUSTER));

  return NULL;
}

void
jme_intake_peer_list (JmeIntakePeer *self, GPtrArray *peers)
{
  g_autofree char *cluster = jme_history_get_cluster (self->plan.specification);
  g_auto (JmFollowerState) state = { 0 };

  jm_follower_get_state (self->follower, &state);
  jme_peers_add (peers,
                 &(JmePeerState){ .kind = self->plan.kind,
                                  .specification = (char *) self->plan.specification,
                                  .cluster = cluster },
                 &state, self->plan.interval_us);
}

/* --- all peers --- */

static void
peer_free (gpointer data)
{
  JmePeerState *self = data;

  g_free (self->specification);
  g_free (self->cluster);
  g_free (self->problem);
  g_strfreev (self->unread);
  g_free (self);
}

GPtrArray *
jme_peers_new (void)
{
  return g_ptr_array_new_with_free_func (peer_free);
}

/* One that has not ended for longer than there is between two of them is a problem. */
static char *
describe_problem (const JmFollowerState *state, gint64 interval_us)
{
  gint64 took_us = g_get_monotonic_time () - state->began_us;

  if (state->is_asking && state->began_us > 0 && took_us > interval_us)
    return g_strdup_printf (JME_PEER_HANGS " for %" G_GINT64_FORMAT " seconds",
                            took_us / G_USEC_PER_SEC);

  return g_strdup (state->problem);
}

void
jme_peers_add (GPtrArray *peers,
               const JmePeerState *peer,
               const JmFollowerState *state,
               gint64 interval_us)
{
  JmePeerState *added = g_memdup2 (peer, sizeof *peer);

  added->specification = g_strdup (peer->specification);
  added->cluster = g_strdup (peer->cluster);
  added->success_us = state->success_us;
  added->failed_us = state->failed_us;
  added->problem = describe_problem (state, interval_us);
  added->unread = g_strdupv (peer->unread);
  g_ptr_array_add (peers, added);
}

static gsize
get_name_length (const JmePeerState *self)
{
  return strcspn (self->specification, ",");
}

static gboolean
have_one_name (const JmePeerState *a, const JmePeerState *b)
{
  gsize length = get_name_length (a);

  return g_strcmp0 (a->topic, b->topic) == 0 && get_name_length (b) == length &&
         strncmp (a->specification, b->specification, length) == 0;
}

/* Of a specification only the name, which has no password, and a number where several
 * have that name. */
static char *
make_name (GPtrArray *peers, guint i)
{
  const JmePeerState *self = peers->pdata[i];
  GString *name =
    g_string_new_len (self->specification, (gssize) get_name_length (self));
  guint number = 1;

  for (guint k = 0; k < i; k++)
    number += have_one_name (peers->pdata[k], self);
  if (self->topic != NULL)
    g_string_append_printf (name, "/%s", self->topic);
  if (number > 1)
    g_string_append_printf (name, "-%u", number);

  return g_string_free (name, FALSE);
}

void
jme_peers_append_samples (GPtrArray *peers, JmTextWriter *writer)
{
  for (guint i = 0; i < peers->len; i++)
    {
      const JmePeerState *peer = peers->pdata[i];
      g_autofree char *name = make_name (peers, i);

      jme_peer_append (writer, peer->kind, peer->cluster, name, peer->success_us);
    }
}

static void
append_time (JmJsonWriter *json, const char *name, gint64 time_us)
{
  if (time_us > 0)
    jm_json_writer_add_int (json, name, time_us / G_USEC_PER_SEC);
  else
    jm_json_writer_add_text (json, name, NULL);
}

static void
append_unread (JmJsonWriter *json, char *const *unread)
{
  jm_json_writer_begin_array (json, "unread");
  for (guint i = 0; unread[i] != NULL; i++)
    jm_json_writer_add_text (json, NULL, unread[i]);
  jm_json_writer_end_array (json);
}

void
jme_peers_append_state (GPtrArray *peers,
                        const char *kind,
                        const char *array,
                        JmJsonWriter *json)
{
  jm_json_writer_begin_array (json, array);
  for (guint i = 0; i < peers->len; i++)
    {
      const JmePeerState *peer = peers->pdata[i];

      if (strcmp (peer->kind, kind) != 0)
        continue;
      jm_json_writer_begin_object (json, NULL);
      jm_json_writer_add_text (json, kind, peer->specification);
      if (peer->topic != NULL)
        jm_json_writer_add_text (json, "topic", peer->topic);
      append_time (json, "last_success_time", peer->success_us);
      append_time (json, "since_time", peer->failed_us);
      jm_json_writer_add_text (json, "problem", peer->problem);
      if (peer->unread != NULL)
        append_unread (json, peer->unread);
      jm_json_writer_end_object (json);
    }
  jm_json_writer_end_array (json);
}

void
jme_peer_append (JmTextWriter *writer,
                 const char *kind,
                 const char *cluster,
                 const char *name,
                 gint64 success_us)
{
  if (success_us == 0)
    return;
  jm_text_writer_begin_sample (writer);
  jm_text_writer_add_label (writer, "kind", kind);
  jm_text_writer_add_label (writer, "cluster", cluster != NULL ? cluster : "");
  jm_text_writer_add_label (writer, "peer", name);
  jm_text_writer_end_with_decimal (writer, (guint64) success_us, 6);
}
