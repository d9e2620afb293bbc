/* jm-follower-private.h: asks a peer again and again, in a thread of its own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Asks the peer once, and may wait for the answer; in the follower's thread. NULL with
 * an error, or without one where the answer before it still holds or none is kept. */
typedef gpointer (*JmFollowFunc) (gpointer peer,
                                  GCancellable *cancellable,
                                  GError **error);

/* When a peer is asked, in microseconds. The period and the retry count from a round's
 * begin to the next; the pause from its end, whoever asks. Without a period a peer is
 * asked only when that is wanted, without a retry after a failure as after a success.
 * Further failures in turn make it @back_off times later at most, 0 for never later. No
 * more than one part in @share of the time is spent asking, 0 for any. */
typedef struct
{
  gint64 period_us;
  gint64 retry_us;
  gint64 pause_us;
  guint back_off;
  guint share;
} JmFollowerPace;

/* Of an instrument or a service that is asked at an interval, and less and less often
 * while it fails. An interval of 0: until there is an answer, and never again. */
JmFollowerPace jm_follower_pace_of_interval (guint interval_ms);

/* When to begin a round after one that took @took_us, where @n_in_turn followers share
 * the thread and the last @n_failures failed, since that began; 0 for not again.
 * @jitter is from 0 to 1. */
gint64 jm_follower_pace_get_pause_us (const JmFollowerPace *pace,
                                      gint64 took_us,
                                      guint n_in_turn,
                                      guint n_failures,
                                      double jitter);

/* How a peer has answered until now. Times are since 1970, but for the first two, which
 * are monotonic; 0 for none. */
typedef struct
{
  gint64 began_us;    /* the last round, also one that has not ended */
  gint64 asked_us;    /* when the round began that brought the last answer */
  gint64 took_us;     /* the last round that has ended */
  gint64 success_us;  /* the end of the last round that did not fail */
  gint64 failed_us;   /* since when all rounds fail; 0 where the last did not */
  guint64 n_rounds;   /* that have ended */
  guint64 n_failures; /* of these */
  gboolean is_asking; /* a round has not ended, or is wanted */
  gboolean is_retired;
  char *problem; /* why the last round failed, or NULL */
} JmFollowerState;

void jm_follower_state_clear (JmFollowerState *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmFollowerState, jm_follower_state_clear)

/* A thread that asks one peer and keeps the last answer, so that no other thread waits
 * and a peer that is slow or gone costs itself alone. */
typedef struct _JmFollower JmFollower;

/* @peer must outlive the follower. @answer_ref and @answer_unref are for what @follow
 * returns, NULL where it returns nothing. The first round begins at once where the pace
 * has a period or a retry, else when it is asked for. */
JmFollower *jm_follower_new (const char *name,
                             const JmFollowerPace *pace,
                             JmFollowFunc follow,
                             gpointer peer,
                             GBoxedCopyFunc answer_ref,
                             GDestroyNotify answer_unref);

/* The same in the thread of @other, for another question to its peer, which is asked
 * one at a time. */
JmFollower *jm_follower_new_beside (JmFollower *other,
                                    const JmFollowerPace *pace,
                                    JmFollowFunc follow,
                                    gpointer peer,
                                    GBoxedCopyFunc answer_ref,
                                    GDestroyNotify answer_unref);

/* Cancels a round that is under way, and waits for its end. */
void jm_follower_free (JmFollower *self);

/* Wants a round now, or another one after that which is under way. */
void jm_follower_ask (JmFollower *self);

/* Never asks again, from whichever thread that is decided. */
void jm_follower_retire (JmFollower *self);

/* Waits until no round is wanted or under way; FALSE if that takes longer, or where
 * @cancellable, which may be NULL, is cancelled before. */
gboolean
jm_follower_wait (JmFollower *self, gint64 timeout_us, GCancellable *cancellable);

/* Waits until so many rounds have ended, whatever came of them, or none will; FALSE if
 * that takes longer. */
gboolean
jm_follower_wait_for_rounds (JmFollower *self, guint n_rounds, gint64 timeout_us);

/* The last answer, a reference of its own, or NULL while there was none. @age_us is
 * since when it is known; @error, why the last round failed, if it did: the answer is
 * then an older one. */
gpointer jm_follower_get_latest (JmFollower *self, gint64 *age_us, GError **error);

void jm_follower_get_state (JmFollower *self, JmFollowerState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmFollower, jm_follower_free)

G_END_DECLS
