/* jme-pusher.c: jobs to a Prometheus pushgateway
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-pusher.h"

#include <string.h>

#include "base/jm-bounded-read-private.h"
#include "deliver/jm-delivery-private.h"

#define FILE_MAX_BYTES (1024 * 1024)
#define GROUPS_MAX 10000
#define ID_MAX_BYTES 1024

/* Ids of jobs that have a group, kept in a file, so that the groups of a program that
 * was killed go, too. */
typedef struct
{
  char *path; /* NULL where nothing is kept */
  GHashTable *ids;
} Groups;

#define TIMEOUT_MS 10000
#define MAX_WAIT_MS 300000

struct _JmePusher
{
  JmePusherPlan plan; /* its URL, job and instance, which are its own */
  Groups *groups;
  JmDelivery *delivery;
  GMainContext *context; /* the thread's */
  GThread *thread;
  GCancellable *cancellable;

  /* the thread's alone */
  gboolean was_told; /* of a failure that goes on */
  gboolean was_told_of_file;
  JmBackOff back_off;
  GSource *pause; /* after a failure; NULL for none */
  guint retry_after_ms;

  GMutex mutex; /* of all below */
  GCond ended;
  GHashTable *texts; /* that wait; NULL for none */
  gboolean is_ending;
  gboolean has_ended;
  JmePushStatus status;
};

typedef struct
{
  JmePusher *pusher;
  JmDeliveryVerdict verdict;
  GError *error;
  gboolean is_there;
} Outcome;

static const char *const headers[] = { "Content-Type",
                                       "text/plain; version=0.0.4; charset=utf-8",
                                       NULL };

/* --- URLs --- */

/* Escaped or not, a slash ends the value; an empty one is not there at all. */
static gboolean
needs_base64 (const char *value)
{
  return *value == '\0' || strchr (value, '/') != NULL;
}

/* That of URLs, RFC 4648 section 5. */
static char *
encode_base64 (const char *value)
{
  char *text = g_base64_encode ((const guchar *) value, strlen (value));

  return g_strdelimit (g_strdelimit (text, "+", '-'), "/", '_');
}

static void
append_label (GString *url, const char *name, const char *value)
{
  g_autofree char *text = NULL;

  if (needs_base64 (value))
    {
      text = encode_base64 (value);
      /* an empty value is one padding character */
      g_string_append_printf (url, "/%s@base64/%s", name, *value == '\0' ? "=" : text);
      return;
    }

  text = g_uri_escape_string (value, NULL, FALSE);
  g_string_append_printf (url, "/%s/%s", name, text);
}

/* The URL of a job's group, `BASE/metrics/job/JOB/instance/INSTANCE/jobid/ID`; what a
 * path cannot hold is in base 64, as the gateway takes it. */
static char *
make_url (const char *base, const char *job, const char *instance, const char *id)
{
  GString *url = g_string_new (base);

  while (url->len > 0 && url->str[url->len - 1] == '/')
    g_string_truncate (url, url->len - 1);
  g_string_append (url, "/metrics");
  append_label (url, "job", job);
  append_label (url, "instance", instance);
  append_label (url, "jobid", id);

  return g_string_free (url, FALSE);
}

/* --- the file: an id on each line --- */

static gboolean
is_id (const char *text)
{
  gsize length = strlen (text);

  return length > 0 && length <= ID_MAX_BYTES && strpbrk (text, "\r\n") == NULL &&
         g_utf8_validate (text, -1, NULL);
}

static void
load (Groups *self)
{
  g_autoptr (GBytes) bytes = jm_bounded_read_file (self->path, FILE_MAX_BYTES, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize size;
  const char *data;

  if (bytes == NULL)
    return;

  data = g_bytes_get_data (bytes, &size);
  text = g_strndup (data != NULL ? data : "", size);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (is_id (lines[i]) && g_hash_table_size (self->ids) < GROUPS_MAX)
      g_hash_table_add (self->ids, g_strdup (lines[i]));
}

static gboolean
save (Groups *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer id;

  if (self->path == NULL)
    return TRUE;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_string_append_printf (text, "%s\n", (const char *) id);

  return g_file_set_contents_full (self->path, text->str, (gssize) text->len,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* @path is NULL where nothing is kept. A file that is no list is begun anew. */
static Groups *
groups_open (const char *path)
{
  Groups *self = g_new0 (Groups, 1);

  self->path = g_strdup (path);
  self->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (path != NULL)
    load (self);

  return self;
}

static void
groups_free (Groups *self)
{
  g_hash_table_unref (self->ids);
  g_free (self->path);
  g_free (self);
}

static GPtrArray *
groups_list (Groups *self)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (ids, g_strdup (id));

  return ids;
}

/* Both say whether it is kept; a group is added before it is made. */
static gboolean
groups_add (Groups *self, const char *id, GError **error)
{
  return !g_hash_table_add (self->ids, g_strdup (id)) || save (self, error);
}

static gboolean
groups_remove (Groups *self, const char *id, GError **error)
{
  return !g_hash_table_remove (self->ids, id) || save (self, error);
}

/* --- one question --- */

static void
on_delivered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  outcome->verdict =
    jm_delivery_send_finish (result, &outcome->pusher->retry_after_ms, &outcome->error);
  outcome->is_there = TRUE;
}

static JmDeliveryVerdict
ask (JmePusher *self, const char *method, const char *id, GBytes *text, GError **error)
{
  g_autofree char *url =
    make_url (self->plan.url, self->plan.job, self->plan.instance, id);
  Outcome outcome = { .pusher = self };

  jm_delivery_send_async (self->delivery, method, url, text != NULL ? headers : NULL,
                          text, self->cancellable, on_delivered, &outcome);
  while (!outcome.is_there)
    g_main_context_iteration (self->context, TRUE);
  if (outcome.error != NULL)
    g_propagate_error (error, outcome.error);

  return outcome.verdict;
}

/* --- pushing --- */

static void
succeed (JmePusher *self)
{
  if (self->was_told)
    g_message ("%s: takes what is pushed again", self->plan.url);
  self->was_told = FALSE;
  jm_back_off_reset (&self->back_off);

  g_mutex_lock (&self->mutex);
  self->status.is_up = TRUE;
  self->status.success_us = g_get_real_time ();
  g_mutex_unlock (&self->mutex);
}

static gboolean
on_pause_over (gpointer user_data)
{
  JmePusher *self = user_data;

  g_clear_pointer (&self->pause, g_source_unref);

  return G_SOURCE_REMOVE;
}

static void
pause_after_failure (JmePusher *self)
{
  self->pause =
    g_timeout_source_new (jm_back_off_next_ms (&self->back_off, self->retry_after_ms));
  g_source_set_callback (self->pause, on_pause_over, self, NULL);
  g_source_attach (self->pause, self->context);
}

static void
fail (JmePusher *self, const GError *error)
{
  if (!self->was_told)
    g_warning ("cannot push: %s; this goes on until it succeeds", error->message);
  self->was_told = TRUE;
  pause_after_failure (self);

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

static JmDeliveryVerdict
delete_group (JmePusher *self, const char *id, GError **error)
{
  g_autoptr (GError) problem = NULL;
  JmDeliveryVerdict verdict = ask (self, "DELETE", id, NULL, error);

  if (verdict == JM_DELIVERY_DONE && !groups_remove (self->groups, id, &problem))
    complain_of_file (self, problem);

  return verdict;
}

static JmDeliveryVerdict
put_group (JmePusher *self, const char *id, GBytes *text, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (!groups_add (self->groups, id, &problem))
    complain_of_file (self, problem);

  return ask (self, "PUT", id, text, error);
}

/* Those of other jobs than @texts has; NULL for all. */
static gboolean
delete_groups (JmePusher *self, GHashTable *texts, GError **error)
{
  g_autoptr (GPtrArray) ids = groups_list (self->groups);

  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (GError) problem = NULL;

      if ((texts == NULL || !g_hash_table_contains (texts, ids->pdata[i])) &&
          delete_group (self, ids->pdata[i], &problem) == JM_DELIVERY_RETRY)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
    }

  return TRUE;
}

/* What one job has that the gateway refuses does not keep the others from it. */
static void
put_groups (JmePusher *self, GHashTable *texts, GError **error)
{
  gboolean was_refused = FALSE;
  JmDeliveryVerdict verdict = JM_DELIVERY_DONE;
  GHashTableIter iter;
  gpointer id, text;

  g_hash_table_iter_init (&iter, texts);
  while (verdict != JM_DELIVERY_RETRY && g_hash_table_iter_next (&iter, &id, &text))
    {
      verdict = put_group (self, id, text, was_refused ? NULL : error);
      was_refused = was_refused || verdict == JM_DELIVERY_REFUSED;
    }
}

static void
push (JmePusher *self, GHashTable *texts)
{
  g_autoptr (GError) error = NULL;

  if (delete_groups (self, texts, &error))
    put_groups (self, texts, &error);

  if (error == NULL)
    succeed (self);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (self, error);
}

/* --- the thread --- */

/* What is to be pushed now: nothing after a failure, for as long as that wants. */
static GHashTable *
get_texts (JmePusher *self, gboolean *is_ending)
{
  GHashTable *texts = NULL;

  g_mutex_lock (&self->mutex);
  *is_ending = self->is_ending;
  if (!self->is_ending && self->pause == NULL)
    texts = g_steal_pointer (&self->texts);
  g_mutex_unlock (&self->mutex);

  return texts;
}

/* NULL at the end. */
static GHashTable *
await_texts (JmePusher *self)
{
  gboolean is_ending;
  GHashTable *texts;

  while ((texts = get_texts (self, &is_ending)) == NULL && !is_ending)
    g_main_context_iteration (self->context, TRUE);

  return texts;
}

static void
finish (JmePusher *self)
{
  if (self->pause != NULL)
    g_source_destroy (self->pause);
  g_clear_pointer (&self->pause, g_source_unref);
  jm_delivery_free (self->delivery);
  /* connections close by and by */
  while (g_main_context_iteration (self->context, FALSE))
    ;

  g_mutex_lock (&self->mutex);
  self->has_ended = TRUE;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->mutex);
}

static gpointer
run (gpointer user_data)
{
  JmePusher *self = user_data;
  GHashTable *texts;

  g_main_context_push_thread_default (self->context);
  while ((texts = await_texts (self)) != NULL)
    {
      push (self, texts);
      g_hash_table_unref (texts);
    }
  delete_groups (self, NULL, NULL);
  finish (self);
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/* Its sources belong to the thread that is to come. */
static JmDelivery *
make_delivery (GMainContext *context, const JmePusherPlan *plan, GError **error)
{
  JmDelivery *delivery;

  g_main_context_push_thread_default (context);
  delivery = jm_delivery_new (&(JmDeliveryPlan){ .username = plan->username,
                                                 .password = plan->password,
                                                 .ca_file = plan->ca_file,
                                                 .timeout_ms = TIMEOUT_MS },
                              error);
  g_main_context_pop_thread_default (context);

  return delivery;
}

JmePusher *
jme_pusher_new (const JmePusherPlan *plan, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  JmDelivery *delivery = make_delivery (context, plan, error);
  JmePusher *self;

  if (delivery == NULL)
    return NULL;

  self = g_new0 (JmePusher, 1);
  self->plan = (JmePusherPlan){ .url = g_strdup (plan->url),
                                .job = g_strdup (plan->job),
                                .instance = g_strdup (plan->instance) };
  self->groups = groups_open (plan->groups_file);
  self->delivery = delivery;
  self->context = g_steal_pointer (&context);
  self->cancellable = g_cancellable_new ();
  self->back_off = (JmBackOff){ .base_ms = plan->interval_ms,
                                .max_ms = MAX (plan->interval_ms, MAX_WAIT_MS) };
  g_mutex_init (&self->mutex);
  g_cond_init (&self->ended);
  self->thread = g_thread_new ("push", run, self);

  return self;
}

static void
end_within (JmePusher *self, guint patience_ms)
{
  gint64 until_us = g_get_monotonic_time () + (gint64) patience_ms * 1000;

  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_main_context_wakeup (self->context);
  while (!self->has_ended && g_cond_wait_until (&self->ended, &self->mutex, until_us))
    ;
  g_mutex_unlock (&self->mutex);

  g_cancellable_cancel (self->cancellable);
  g_thread_join (self->thread);
}

void
jme_pusher_free_within (JmePusher *self, guint patience_ms)
{
  end_within (self, patience_ms);

  g_clear_pointer (&self->texts, g_hash_table_unref);
  groups_free (self->groups);
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->ended);
  g_free ((char *) self->plan.url);
  g_free ((char *) self->plan.job);
  g_free ((char *) self->plan.instance);
  g_free (self);
}

void
jme_pusher_take (JmePusher *self, GHashTable *texts)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->texts, g_hash_table_unref);
  self->texts = texts;
  g_mutex_unlock (&self->mutex);
  g_main_context_wakeup (self->context);
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
