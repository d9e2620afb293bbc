/* jme-intake-peer.h: a history or a database that the archive is read from
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "base/jm-json-writer-private.h"
#include "base/jm-text-writer-private.h"
#include "io/jm-follower-private.h"

G_BEGIN_DECLS

/* Reads what is new into @store, which is the same each time. */
typedef gboolean (*JmeIntakePeerFunc) (gpointer user_data,
                                       JmArchiveDatabase *store,
                                       GCancellable *cancellable,
                                       GError **error);

typedef struct
{
  const char *kind;          /* `history`, as in metrics */
  const char *specification; /* what messages call it */
  const char *uri;           /* of the archive */
  gint64 interval_us;        /* from one reading to the next */
  JmeIntakePeerFunc read;    /* in the peer's thread, as the next */
  void (*note_end) (gpointer user_data, const GError *error, gboolean was_late);
  gpointer user_data;
} JmeIntakePeerPlan;

/* Read in a thread of its own, with a connection of its own to the archive: a peer that
 * hangs costs itself alone. */
typedef struct _JmeIntakePeer JmeIntakePeer;

JmeIntakePeer *jme_intake_peer_new (const JmeIntakePeerPlan *plan);

/* Of a JmeIntakePeer. Waits for what is being stored. */
void jme_intake_peer_free (gpointer data);

/* As jm_archive_database_set_targets(), before it is read next. */
void jme_intake_peer_set_targets (JmeIntakePeer *self, GHashTable *targets);

/* Has it read, unless it is being read or was so less than @least_age_us ago. */
void jme_intake_peer_ask (JmeIntakePeer *self, gint64 least_age_us);

/* Waits for what was asked for until then, monotonic. FALSE where it failed, or takes
 * longer: its end is then noted as late. */
gboolean
jme_intake_peer_wait (JmeIntakePeer *self, gint64 until_us, GCancellable *cancellable);

/* What a peer of the server has answered until now: a history, the time series
 * database, or a scheduler about one topic. Times are since 1970, 0 for none. */
typedef struct
{
  const char *kind;    /* as in metrics */
  char *specification; /* as in the settings */
  const char *topic;   /* NULL where there is but one */
  char *cluster;       /* or NULL */
  gint64 success_us;
  gint64 failed_us;
  char *problem; /* or NULL */
  char **unread; /* what its last answer had that cannot be read; of a scheduler */
} JmePeerState;

GPtrArray *jme_peers_new (void);

/* Adds a peer and its state; it is a problem, too, if it does not answer for longer
 * than the interval. Texts are copied but for the kind and the topic. */
void jme_peers_add (GPtrArray *peers,
                    const JmePeerState *peer,
                    const JmFollowerState *state,
                    gint64 interval_us);
void jme_intake_peer_list (JmeIntakePeer *self, GPtrArray *peers);

/* What the problem of a peer begins with that answers neither way. */
#define JME_PEER_HANGS "has not answered to its end"

/* When each was read to its end last. */
void jme_peers_append_samples (GPtrArray *peers, JmTextWriter *writer);

/* An array of those of a kind: specification, when each was read, since when it fails
 * and why. */
void jme_peers_append_state (GPtrArray *peers,
                             const char *kind,
                             const char *array,
                             JmJsonWriter *json);

/* The cluster that a history's specification names; NULL where it has none. */
char *jme_history_get_cluster (const char *specification);

/* A sample of when a peer was read to its end last; none where it never was. */
void jme_peer_append (JmTextWriter *writer,
                      const char *kind,
                      const char *cluster,
                      const char *name,
                      gint64 success_us);

G_END_DECLS
