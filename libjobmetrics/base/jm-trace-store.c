/* jm-trace-store.c: what wrappers reported last, for a short while
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-trace-store-private.h"

/* Senders that are remembered at once. */
#define MAX_SENDERS 16384

/* How many records a sender may send now, and when that was so. */
typedef struct
{
  double left;
  gint64 since_us;
} Sender;

/* A job with its records, each its own key. */
typedef struct
{
  char *cluster;
  guint64 id;
  GHashTable *records;
} Job;

struct _JmTraceStore
{
  JmTraceLimits limits;
  GHashTable *jobs; /* of Job, each its own key */
  guint n_records;
  GHashTable *senders; /* Sender by name */
  gint64 swept_us;
};

/* --- keys --- */

static guint
hash_job (gconstpointer key)
{
  const Job *job = key;

  return g_str_hash (job->cluster) * 31 + g_int64_hash (&job->id);
}

static gboolean
are_same_job (gconstpointer one, gconstpointer other)
{
  const Job *a = one, *b = other;

  return a->id == b->id && g_str_equal (a->cluster, b->cluster);
}

static void
job_free (gpointer data)
{
  Job *self = data;

  g_hash_table_unref (self->records);
  g_free (self->cluster);
  g_free (self);
}

static guint
hash_record (gconstpointer key)
{
  const JmTraceRecord *record = key;

  return (g_str_hash (record->host) * 31 + g_str_hash (record->step)) * 31 +
         g_int64_hash (&record->pid);
}

static gboolean
are_same_process (gconstpointer one, gconstpointer other)
{
  const JmTraceRecord *a = one, *b = other;

  return a->pid == b->pid && g_str_equal (a->host, b->host) &&
         g_str_equal (a->step, b->step) && g_str_equal (a->user, b->user);
}

static void
free_record (gpointer data)
{
  jm_trace_record_free (data);
}

JmTraceStore *
jm_trace_store_new (const JmTraceLimits *limits)
{
  JmTraceStore *self = g_new0 (JmTraceStore, 1);

  self->limits = *limits;
  self->jobs = g_hash_table_new_full (hash_job, are_same_job, job_free, NULL);
  self->senders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
jm_trace_store_free (JmTraceStore *self)
{
  g_hash_table_unref (self->jobs);
  g_hash_table_unref (self->senders);
  g_free (self);
}

/* --- senders --- */

static double
get_left (const JmTraceStore *self, const Sender *sender, gint64 now_us)
{
  double more = (double) (now_us - sender->since_us) / 1e6 * self->limits.rate;

  return MIN (sender->left + more, self->limits.burst);
}

/* A sender that may send as much as a new one need not be remembered. */
static void
forget_idle_senders (JmTraceStore *self, gint64 now_us)
{
  GHashTableIter iter;
  gpointer sender;

  g_hash_table_iter_init (&iter, self->senders);
  while (g_hash_table_iter_next (&iter, NULL, &sender))
    if (get_left (self, sender, now_us) >= self->limits.burst)
      g_hash_table_iter_remove (&iter);
}

static Sender *
find_sender (JmTraceStore *self, const char *name, gint64 now_us)
{
  Sender *sender = g_hash_table_lookup (self->senders, name);

  if (sender != NULL || g_hash_table_size (self->senders) >= MAX_SENDERS)
    return sender;

  sender = g_new0 (Sender, 1);
  sender->left = self->limits.burst;
  sender->since_us = now_us;
  g_hash_table_insert (self->senders, g_strdup (name), sender);

  return sender;
}

/* --- age --- */

static void
sweep_job (JmTraceStore *self, Job *job, gint64 oldest_us)
{
  GHashTableIter iter;
  gpointer record;

  g_hash_table_iter_init (&iter, job->records);
  while (g_hash_table_iter_next (&iter, &record, NULL))
    if (((JmTraceRecord *) record)->told_us < oldest_us)
      {
        g_hash_table_iter_remove (&iter);
        self->n_records--;
      }
}

static void
sweep (JmTraceStore *self, gint64 now_us)
{
  gint64 oldest_us = now_us - (gint64) self->limits.max_age_ms * 1000;
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, &job, NULL))
    {
      sweep_job (self, job, oldest_us);
      if (g_hash_table_size (((Job *) job)->records) == 0)
        g_hash_table_iter_remove (&iter);
    }
  forget_idle_senders (self, now_us);
  self->swept_us = now_us;
}

/* Now and then, also where nobody ever asks for them. */
static void
sweep_if_due (JmTraceStore *self, gint64 now_us)
{
  if (now_us - self->swept_us >= (gint64) self->limits.max_age_ms * 1000)
    sweep (self, now_us);
}

gboolean
jm_trace_store_take_turn (JmTraceStore *self, const char *name, gint64 now_us)
{
  Sender *sender;

  sweep_if_due (self, now_us);
  sender = find_sender (self, name, now_us);
  if (sender == NULL)
    return FALSE;

  sender->left = get_left (self, sender, now_us);
  sender->since_us = now_us;
  if (sender->left < 1)
    return FALSE;
  sender->left -= 1;

  return TRUE;
}

/* --- records --- */

static Job *
find_job (JmTraceStore *self, const JmTraceRecord *record)
{
  const Job key = { record->cluster, record->job_id, NULL };

  return g_hash_table_lookup (self->jobs, &key);
}

static Job *
add_job (JmTraceStore *self, const JmTraceRecord *record)
{
  Job *job = g_new0 (Job, 1);

  job->cluster = g_strdup (record->cluster);
  job->id = record->job_id;
  job->records =
    g_hash_table_new_full (hash_record, are_same_process, free_record, NULL);
  g_hash_table_add (self->jobs, job);

  return job;
}

/* Whether there is room for one more of @job, which is NULL of a first one. */
static JmTraceVerdict
find_room (const JmTraceStore *self, const Job *job)
{
  if (job != NULL && g_hash_table_size (job->records) >= self->limits.max_per_job)
    return JM_TRACE_JOB_FULL;

  return self->n_records >= self->limits.max_records ? JM_TRACE_FULL : JM_TRACE_TAKEN;
}

JmTraceVerdict
jm_trace_store_add (JmTraceStore *self, JmTraceRecord *record, gint64 now_us)
{
  g_autoptr (JmTraceRecord) owned = record;
  JmTraceVerdict verdict;
  gboolean is_new;
  Job *job;

  sweep_if_due (self, now_us);
  job = find_job (self, owned);
  is_new = job == NULL || !g_hash_table_contains (job->records, owned);
  verdict = is_new ? find_room (self, job) : JM_TRACE_TAKEN;
  if (verdict != JM_TRACE_TAKEN)
    return verdict;

  if (job == NULL)
    job = add_job (self, owned);
  owned->told_us = now_us;
  self->n_records += is_new;
  g_hash_table_add (job->records, g_steal_pointer (&owned));

  return JM_TRACE_TAKEN;
}

static int
compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare (gconstpointer one, gconstpointer other)
{
  const JmTraceRecord *a = *(JmTraceRecord *const *) one;
  const JmTraceRecord *b = *(JmTraceRecord *const *) other;
  int order = g_strcmp0 (a->cluster, b->cluster);

  if (order == 0)
    order = compare_numbers (a->job_id, b->job_id);
  if (order == 0)
    order = g_strcmp0 (a->host, b->host);
  if (order == 0)
    order = g_strcmp0 (a->step, b->step);
  if (order == 0)
    order = compare_numbers (a->pid, b->pid);

  return order != 0 ? order : g_strcmp0 (a->user, b->user);
}

GPtrArray *
jm_trace_store_list (JmTraceStore *self, gint64 now_us)
{
  GPtrArray *records = g_ptr_array_sized_new (self->n_records);
  GHashTableIter jobs, in_job;
  gpointer job, record;

  sweep (self, now_us);
  g_hash_table_iter_init (&jobs, self->jobs);
  while (g_hash_table_iter_next (&jobs, &job, NULL))
    {
      g_hash_table_iter_init (&in_job, ((Job *) job)->records);
      while (g_hash_table_iter_next (&in_job, &record, NULL))
        g_ptr_array_add (records, record);
    }
  g_ptr_array_sort (records, compare);

  return records;
}
