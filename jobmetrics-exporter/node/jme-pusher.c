/* jme-pusher.c: jobs to a Prometheus pushgateway
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-pusher.h"

#include "core/jm-error.h"
#include "node/jme-push-groups.h"
#include "sources/jm-http-private.h"

#define CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define TIMEOUT_MS 10000
#define MAX_ANSWER_BYTES 4096
#define MAX_WAIT_US (300 * G_USEC_PER_SEC)

struct _JmePusher
{
  JmePusherPlan plan; /* texts of its own */
  JmePushGroups *groups;
  GThread *thread;
  GCancellable *cancellable;

  /* the thread's alone */
  gboolean was_told; /* of a failure that goes on */
  gboolean was_told_of_file;
  gint64 wait_us; /* after a failure */

  GMutex mutex; /* of all below */
  GCond changed;
  GHashTable *texts; /* that wait; NULL for none */
  gboolean is_ending;
  gint64 end_us; /* of the monotonic clock: there is no time after it */
  JmePushStatus status;
};

/* --- one question --- */

/* Whether the gateway did what it was asked to, or will never do it. */
typedef enum
{
  DONE,
  REFUSED,
  FAILED,
} Verdict;

static guint
get_timeout_ms (JmePusher *self)
{
  gint64 left_us;

  g_mutex_lock (&self->mutex);
  left_us = self->is_ending ? self->end_us - g_get_monotonic_time ()
                            : (gint64) TIMEOUT_MS * 1000;
  g_mutex_unlock (&self->mutex);

  return (guint) MAX (left_us / 1000, 0);
}

/* The gateway says what it did in its status; where it quotes something, that is no
 * JSON. */
static Verdict
ask (JmePusher *self, const char *method, const char *id, GBytes *text, GError **error)
{
  g_autofree char *url =
    jme_push_make_url (self->plan.url, self->plan.job, self->plan.instance, id);
  g_autofree char *body =
    text != NULL ? g_strndup (g_bytes_get_data (text, NULL), g_bytes_get_size (text))
                 : NULL;
  g_auto (JmHttpAnswer) answer = { 0 };
  const JmHttpRequest request = {
    .url = url,
    .method = method,
    .username = self->plan.username,
    .password = self->plan.password,
    .ca_file = self->plan.ca_file,
    .body = body,
    .content_type = CONTENT_TYPE,
    .timeout_ms = get_timeout_ms (self),
    .max_bytes = MAX_ANSWER_BYTES,
  };

  g_autoptr (GError) problem = NULL;
  Verdict verdict;

  if (request.timeout_ms == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "no time is left");
      return FAILED;
    }
  if (jm_http_ask (&request, &answer, self->cancellable, &problem) ||
      (answer.status >= 200 && answer.status < 300))
    return DONE;

  verdict = g_error_matches (problem, JM_ERROR, JM_ERROR_INVALID) ? REFUSED : FAILED;
  g_propagate_error (error, g_steal_pointer (&problem));

  return verdict;
}

/* --- telling --- */

static void
succeed (JmePusher *self)
{
  if (self->was_told)
    g_message ("%s: takes what is pushed again", self->plan.url);
  self->was_told = FALSE;
  self->wait_us = 0;

  g_mutex_lock (&self->mutex);
  self->status.is_up = TRUE;
  self->status.success_us = g_get_real_time ();
  g_mutex_unlock (&self->mutex);
}

static void
fail (JmePusher *self, const GError *error)
{
  if (!self->was_told)
    g_warning ("cannot push: %s; this goes on until it succeeds", error->message);
  self->was_told = TRUE;
  self->wait_us =
    CLAMP (2 * self->wait_us, (gint64) self->plan.interval_ms * 1000, MAX_WAIT_US);

  g_mutex_lock (&self->mutex);
  self->status.is_up = FALSE;
  self->status.n_failures++;
  g_mutex_unlock (&self->mutex);
}

static void
complain_of_file (JmePusher *self, const GError *error)
{
  if (!self->was_told_of_file)
    g_warning ("groups that are pushed may stay behind after a crash: %s",
               error->message);
  self->was_told_of_file = TRUE;
}

/* --- one round --- */

static Verdict
delete_group (JmePusher *self, const char *id, GError **error)
{
  g_autoptr (GError) problem = NULL;
  Verdict verdict = ask (self, "DELETE", id, NULL, error);

  if (verdict == DONE && !jme_push_groups_remove (self->groups, id, &problem))
    complain_of_file (self, problem);

  return verdict;
}

static Verdict
put_group (JmePusher *self, const char *id, GBytes *text, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (!jme_push_groups_add (self->groups, id, &problem))
    complain_of_file (self, problem);

  return ask (self, "PUT", id, text, error);
}

/* Those of other jobs than @texts has; NULL for all. */
static Verdict
delete_groups (JmePusher *self, GHashTable *texts, GError **error)
{
  g_autoptr (GPtrArray) ids = jme_push_groups_list (self->groups);

  for (guint i = 0; i < ids->len; i++)
    if ((texts == NULL || !g_hash_table_contains (texts, ids->pdata[i])) &&
        delete_group (self, ids->pdata[i], error) == FAILED)
      return FAILED;

  return DONE;
}

/* What one job has that the gateway refuses does not keep the others from it. */
static Verdict
put_groups (JmePusher *self, GHashTable *texts, GError **error)
{
  Verdict worst = DONE;
  GHashTableIter iter;
  gpointer id, text;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &id, &text))
    {
      Verdict verdict = put_group (self, id, text, worst == DONE ? error : NULL);

      if (verdict == FAILED)
        return worst == DONE ? FAILED : worst;
      worst = MAX (worst, verdict);
    }

  return worst;
}

static void
push (JmePusher *self, GHashTable *texts)
{
  g_autoptr (GError) error = NULL;

  if (delete_groups (self, texts, &error) == FAILED ||
      put_groups (self, texts, &error) != DONE)
    fail (self, error);
  else
    succeed (self);
}

/* --- the thread --- */

/* Waits for something to push, after a failure for as long as that wants. NULL at the
 * end. */
static GHashTable *
await_texts (JmePusher *self)
{
  gint64 until_us = g_get_monotonic_time () + self->wait_us;
  GHashTable *texts = NULL;

  g_mutex_lock (&self->mutex);
  while (!self->is_ending && self->wait_us > 0 &&
         g_cond_wait_until (&self->changed, &self->mutex, until_us))
    ;
  while (!self->is_ending && self->texts == NULL)
    g_cond_wait (&self->changed, &self->mutex);
  if (!self->is_ending)
    texts = g_steal_pointer (&self->texts);
  g_mutex_unlock (&self->mutex);

  return texts;
}

static gpointer
run (gpointer user_data)
{
  JmePusher *self = user_data;
  GHashTable *texts;

  while ((texts = await_texts (self)) != NULL)
    {
      push (self, texts);
      g_hash_table_unref (texts);
    }
  delete_groups (self, NULL, NULL);

  return NULL;
}

JmePusher *
jme_pusher_new (const JmePusherPlan *plan)
{
  JmePusher *self = g_new0 (JmePusher, 1);

  self->plan = (JmePusherPlan){ g_strdup (plan->url),
                                g_strdup (plan->job),
                                g_strdup (plan->instance),
                                g_strdup (plan->username),
                                g_strdup (plan->password),
                                g_strdup (plan->ca_file),
                                NULL,
                                plan->interval_ms };
  self->groups = jme_push_groups_open (plan->groups_file);
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("push", run, self);

  return self;
}

void
jme_pusher_free_within (JmePusher *self, guint patience_ms)
{
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  self->end_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);

  g_clear_pointer (&self->texts, g_hash_table_unref);
  jme_push_groups_free (self->groups);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free ((char *) self->plan.url);
  g_free ((char *) self->plan.job);
  g_free ((char *) self->plan.instance);
  g_free ((char *) self->plan.username);
  g_free ((char *) self->plan.password);
  g_free ((char *) self->plan.ca_file);
  g_free (self);
}

void
jme_pusher_take (JmePusher *self, GHashTable *texts)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->texts, g_hash_table_unref);
  self->texts = texts;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}

JmePushStatus
jme_pusher_get_status (JmePusher *self)
{
  JmePushStatus status;

  g_mutex_lock (&self->mutex);
  status = self->status;
  g_mutex_unlock (&self->mutex);

  return status;
}
