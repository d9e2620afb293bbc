/* jm-job-states.c: the states of each job, as its scheduler reported them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/import/jm-job-states-private.h"

#include <string.h>

#include "base/jm-json-private.h"
#include "base/jm-json-writer-private.h"
#include "core/jm-run-derived-private.h"
#include "core/jm-run-private.h"
#include "core/jm-run-words-private.h"
#include "schedulers/jm-scheduler-report-private.h"

/* Enough that two states of a job are never taken for one. */
#define DIGEST G_CHECKSUM_SHA256
#define DIGEST_BYTES 32
/* So many are stored at once, each with a document at most. */
#define BATCH_RUNS 5000

/* The accounting has that long to know of the end of a job that left the queue. */
#define PATIENCE_US (10 * 60 * G_USEC_PER_SEC)

typedef struct
{
  gboolean has_digest;         /* else nothing of it was taken yet */
  guint8 digest[DIGEST_BYTES]; /* of what was stored last */
  guint64 round;               /* in which it was seen last */
  gint64 left_us;   /* when it was first missing; 0 while it is in the queue */
  gboolean has_run; /* which has not ended */
  char *raw_id;
  gint64 submit_time;
  gint64 start_time;  /* 0 of a job that waits */
  gboolean has_guess; /* when it may start is stored */
} State;

struct _JmJobStates
{
  JmArchiveDatabase *store;
  JmViewer *viewer;
  GHashTable *states;   /* of State by cluster and raw id, or by run */
  GHashTable *clusters; /* whose runs of before are among them */
  guint64 round;
  guint64 n_documents;
};

/* One list of jobs that is being taken. */
typedef struct
{
  JmJobStates *states;
  const char *cluster;
  const char *scheduler;
  gint64 time_us;
  JmRunBatch *batch;
  guint n_documents;  /* in the batch */
  guint n_runs;       /* the same */
  GHashTable *to_set; /* of State: once the batch is stored */
} Taking;

static void
state_free (gpointer data)
{
  State *self = data;

  g_free (self->raw_id);
  g_free (self);
}

JmJobStates *
jm_job_states_new (JmArchiveDatabase *store)
{
  JmJobStates *self = g_new0 (JmJobStates, 1);

  self->store = g_object_ref (store);
  self->viewer = jm_viewer_new_for_all ();
  self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, state_free);
  self->clusters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return self;
}

void
jm_job_states_free (JmJobStates *self)
{
  g_hash_table_unref (self->states);
  g_hash_table_unref (self->clusters);
  jm_viewer_free (self->viewer);
  g_object_unref (self->store);
  g_free (self);
}

guint64
jm_job_states_get_n_documents (JmJobStates *self)
{
  return self->n_documents;
}

/* --- what is known of a job --- */

typedef enum
{
  TEXT,   /* NULL where it is not known */
  COUNT,  /* below 0 where it is not known */
  MOMENT, /* seconds since 1970; 0 where it is not known */
} Kind;

/* What the scheduler guesses anew each minute is left out: priorities, and when a job
 * that waits may start. */
static const struct
{
  const char *name;
  Kind kind;
  gsize offset;
} members[] = {
#define MEMBER(name, kind)                                                             \
 {                                                                                     \
#  name, kind, G_STRUCT_OFFSET(JmSchedulerJob, name)                                   \
 }
  MEMBER (id, TEXT),
  MEMBER (raw_id, COUNT),
  MEMBER (array_job_id, COUNT),
  MEMBER (array_task_id, COUNT),
  MEMBER (het_job_id, COUNT),
  MEMBER (het_job_offset, COUNT),
  MEMBER (sluid, TEXT),
  MEMBER (user, TEXT),
  MEMBER (uid, COUNT),
  MEMBER (account, TEXT),
  MEMBER (partitions, TEXT),
  MEMBER (qos, TEXT),
  MEMBER (name, TEXT),
  MEMBER (reason, TEXT),
  MEMBER (reservation, TEXT),
  MEMBER (features, TEXT),
  MEMBER (licenses, TEXT),
  MEMBER (node_list, TEXT),
  MEMBER (nodes, COUNT),
  MEMBER (tasks, COUNT),
  MEMBER (cpus_requested, COUNT),
  MEMBER (cpus_allocated, COUNT),
  MEMBER (memory_requested_bytes, COUNT),
  MEMBER (memory_allocated_bytes, COUNT),
  MEMBER (gpus_requested, COUNT),
  MEMBER (gpus_allocated, COUNT),
  MEMBER (time_limit_seconds, COUNT),
  MEMBER (restarts, COUNT),
  MEMBER (submit_time, MOMENT),
  MEMBER (eligible_time, MOMENT),
  MEMBER (start_time, MOMENT),
  MEMBER (end_time, MOMENT),
#undef MEMBER
};

static const char *
get_text (const JmSchedulerJob *job, guint i)
{
  const char *text = G_STRUCT_MEMBER (const char *, job, members[i].offset);

  return text != NULL ? text : "";
}

static gint64
get_number (const JmSchedulerJob *job, guint i)
{
  return G_STRUCT_MEMBER (gint64, job, members[i].offset);
}

static gboolean
is_guess (const JmSchedulerJob *job, guint i)
{
  return job->state == JM_SCHEDULER_JOB_STATE_PENDING &&
         (members[i].offset == G_STRUCT_OFFSET (JmSchedulerJob, start_time) ||
          members[i].offset == G_STRUCT_OFFSET (JmSchedulerJob, end_time));
}

static gboolean
is_told (const JmSchedulerJob *job, guint i)
{
  if (members[i].kind == TEXT)
    return *get_text (job, i) != '\0';
  if (members[i].kind == COUNT)
    return get_number (job, i) >= 0;

  return get_number (job, i) > 0 && !is_guess (job, i);
}

/* A text's end is digested too, and so none runs into the next. */
static void
digest_job (const JmSchedulerJob *job, guint8 *digest)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (DIGEST);
  gint64 state[] = { job->state, job->flags };
  gsize length = DIGEST_BYTES;

  g_checksum_update (checksum, (const guchar *) state, sizeof state);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      gint64 number =
        members[i].kind != TEXT && is_told (job, i) ? get_number (job, i) : -1;
      const char *text = members[i].kind == TEXT ? get_text (job, i) : NULL;

      if (text != NULL)
        g_checksum_update (checksum, (const guchar *) text, (gssize) strlen (text) + 1);
      else
        g_checksum_update (checksum, (const guchar *) &number, sizeof number);
    }
  g_checksum_get_digest (checksum, digest, &length);
}

/* --- its document --- */

static JsonArray *
list_flags (const JmSchedulerJob *job)
{
  JsonArray *flags = json_array_new ();

  for (guint i = 0; i < JM_N_SCHEDULER_JOB_FLAGS; i++)
    if ((job->flags & (1u << i)) != 0)
      {
        g_autofree char *flag = g_ascii_strup (jm_scheduler_job_flag_get_name (i), -1);

        json_array_add_string_element (flags, flag);
      }

  return flags;
}

static void
add_member (JsonObject *object, const JmSchedulerJob *job, guint i)
{
  if (!is_told (job, i))
    return;
  if (members[i].kind == TEXT)
    jm_json_add_text (object, members[i].name, get_text (job, i));
  else
    json_object_set_int_member (object, members[i].name, get_number (job, i));
}

/* As the accounting spells it. */
static char *
make_state_word (JmSchedulerJobState state)
{
  return g_ascii_strup (jm_scheduler_job_state_get_name (state), -1);
}

/* Without the time. */
static JsonObject *
make_document (const JmSchedulerJob *job)
{
  g_autofree char *state = make_state_word (job->state);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "state", state);
  json_object_set_array_member (object, "flags", list_flags (job));
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    add_member (object, job, i);

  return object;
}

char *
jm_job_states_render (const JmSchedulerJob *job, gint64 time_us)
{
  g_autoptr (JsonObject) object = make_document (job);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  json_object_set_int_member (object, "time", time_us / G_USEC_PER_SEC);

  return jm_json_format (node, FALSE);
}

/* --- its run --- */

static void
add_run (Taking *self, JmRun *run)
{
  jm_run_batch_add_run (self->batch, run, JM_RUN_SOURCE_ACCOUNTING);
  self->n_runs++;
}

static JmRun *
begin_run (Taking *self, const char *raw_id)
{
  JmRun *run = jm_run_new (self->cluster, raw_id);

  jm_run_set_scheduler (run, self->scheduler);

  return run;
}

/* When the scheduler expects a job to start that waits. */
static gboolean
has_guess (const JmSchedulerJob *job)
{
  return job->state == JM_SCHEDULER_JOB_STATE_PENDING && job->start_time > 0;
}

/* Of its guesses, the first is kept. */
static void
add_job (Taking *self,
         const JmSchedulerJob *job,
         const State *state,
         gboolean is_first_guess)
{
  g_autoptr (JmRun) run = begin_run (self, state->raw_id);

  jm_queued_run_fill (run, job, self->time_us);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, state->submit_time);
  if (is_first_guess)
    jm_run_keep_number (run, JM_RUN_FIELD_SCHEDULER_START_TIME, job->start_time);
  add_run (self, run);
}

/* Where the accounting has the end it is not changed by this. */
static void
lose_run (Taking *self, const State *state)
{
  g_autoptr (JmRun) run = begin_run (self, state->raw_id);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE,
                    state->start_time > 0 ? JM_RUN_ENDED : JM_RUN_LOST);
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, state->submit_time);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, state->start_time);
  add_run (self, run);
}

/* --- what is new --- */

/* Whether @stored has of the job what @job has, whenever that was. */
static gboolean
tells_the_same (const char *stored, const JmSchedulerJob *job)
{
  g_autoptr (JsonNode) node = jm_json_parse (stored, strlen (stored));
  g_autoptr (JsonObject) object = make_document (job);
  g_autoptr (JsonNode) now = json_node_init_object (json_node_alloc (), object);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  json_object_remove_member (json_node_get_object (node), "time");

  return json_node_equal (node, now);
}

/* -1 for an error. */
static int
was_stored (Taking *self, const char *id, const JmSchedulerJob *job, GError **error)
{
  g_auto (GStrv) documents =
    jm_archive_database_list_states (self->states->store, self->cluster, id,
                                     self->states->viewer, error);
  guint n;

  if (documents == NULL)
    return -1;
  n = g_strv_length (documents);

  return n > 0 && tells_the_same (documents[n - 1], job);
}

/* -1 for an error. */
static int
is_new (Taking *self,
        const char *key,
        const char *id,
        const JmSchedulerJob *job,
        const guint8 *digest,
        GError **error)
{
  State *state = g_hash_table_lookup (self->states->states, key);
  int was;

  if (state == NULL || !state->has_digest)
    {
      was = was_stored (self, id, job, error);
      return was < 0 ? -1 : !was;
    }
  state->round = self->states->round;
  state->left_us = 0;

  return memcmp (state->digest, digest, DIGEST_BYTES) != 0;
}

/* Those of the batch are known once it is stored. */
static gboolean
store (Taking *self, GError **error)
{
  GHashTableIter iter;
  gpointer key, value;

  if (self->n_documents + self->n_runs > 0 &&
      !jm_archive_database_merge (self->states->store, self->batch, error))
    return FALSE;
  self->states->n_documents += self->n_documents;
  g_hash_table_iter_init (&iter, self->to_set);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_hash_table_iter_steal (&iter);
      g_hash_table_replace (self->states->states, key, value);
    }
  jm_run_batch_unref (self->batch);
  self->batch = jm_run_batch_new ();
  self->n_documents = 0;
  self->n_runs = 0;

  return TRUE;
}

static void
add_document (Taking *self, const char *id, const JmSchedulerJob *job)
{
  g_autofree char *document = jm_job_states_render (job, self->time_us);

  jm_run_batch_add_state (self->batch, self->cluster, id, self->time_us, document);
  self->n_documents++;
}

/* What the accounting calls it, too: where a number does not name a job, its id does.
 */
static char *
make_id (const JmSchedulerJob *job)
{
  return job->raw_id >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, job->raw_id)
                          : g_strdup (job->id);
}

/* Grid Engine and PBS have no run of an array: each task gets one as it begins. */
static gboolean
is_run (const JmSchedulerJob *job)
{
  return job->raw_id >= 0 || job->array_job_id < 0 || job->array_task_id >= 0;
}

static State *
make_state (Taking *self,
            const char *raw_id,
            const JmSchedulerJob *job,
            const State *former)
{
  State *state = g_new0 (State, 1);

  digest_job (job, state->digest);
  state->has_digest = TRUE;
  state->round = self->states->round;
  state->has_run = is_run (job) && !jm_scheduler_job_state_has_ended (job->state);
  state->raw_id = g_strdup (raw_id);
  /* Grid Engine forgets it when a job begins */
  state->submit_time =
    job->submit_time > 0 || former == NULL ? job->submit_time : former->submit_time;
  state->start_time =
    job->state != JM_SCHEDULER_JOB_STATE_PENDING ? MAX (job->start_time, 0) : 0;
  state->has_guess = has_guess (job) || (former != NULL && former->has_guess);

  return state;
}

/* A job that is in the queue again has left that run for good. */
static void
leave_former_run (Taking *self, const State *former, const State *state)
{
  if (former != NULL && former->has_run && former->start_time > 0 &&
      former->start_time != state->start_time)
    lose_run (self, former);
}

static gboolean
take_job (Taking *self, const JmSchedulerJob *job, GError **error)
{
  g_autofree char *id = make_id (job);
  g_autofree char *key = g_strdup_printf ("%s/%s", self->cluster, id);
  const State *former = g_hash_table_lookup (self->states->states, key);
  State *state = make_state (self, id, job, former);
  const gboolean is_first_guess =
    has_guess (job) && (former == NULL || !former->has_guess);
  int news = is_new (self, key, id, job, state->digest, error);

  if (news > 0)
    add_document (self, id, job);
  if (news > 0 ||
      (news == 0 && (is_first_guess || former == NULL || !former->has_digest)))
    {
      leave_former_run (self, former, state);
      if (is_run (job))
        add_job (self, job, state, is_first_guess);
      g_hash_table_replace (self->to_set, g_steal_pointer (&key), state);
    }
  else
    state_free (state);

  return news >= 0 && (self->n_runs < BATCH_RUNS || store (self, error));
}

static gboolean
is_of_queue (const JmSchedulerJob *job)
{
  return job->sum_of == JM_SCHEDULER_SUM_NONE && job->id != NULL;
}

/* --- what left the queue --- */

static gboolean
is_gone (const Taking *self, const char *key, const State *state)
{
  return state->round < self->states->round && g_str_has_prefix (key, self->cluster) &&
         key[strlen (self->cluster)] == '/';
}

static gboolean
is_given_up (const Taking *self, const State *state)
{
  return state->left_us > 0 && self->time_us - state->left_us >= PATIENCE_US;
}

static gboolean
lose_runs (Taking *self, GError **error)
{
  GHashTableIter iter;
  gpointer key, value;

  if (!store (self, error))
    return FALSE;
  g_hash_table_iter_init (&iter, self->states->states);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      State *state = value;

      if (!is_gone (self, key, state) || !state->has_run)
        continue;
      if (state->left_us == 0)
        state->left_us = self->time_us;
      if (!is_given_up (self, state))
        continue;
      lose_run (self, state);
      if (self->n_runs >= BATCH_RUNS && !store (self, error))
        return FALSE;
    }

  return store (self, error);
}

static gboolean
forget (gpointer key, gpointer state, gpointer taking)
{
  return is_gone (taking, key, state) &&
         (!((State *) state)->has_run || is_given_up (taking, state));
}

/* --- what left it before this program asked --- */

static char *
make_run_key (const Taking *self, const State *state)
{
  return g_strdup_printf ("%s/%s/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, self->cluster,
                          state->raw_id, state->submit_time, state->start_time);
}

static void
add_earlier_run (Taking *self, JmRun *run)
{
  const char *raw_id = jm_run_get_raw_id (run);
  g_autofree char *key = g_strdup_printf ("%s/%s", self->cluster, raw_id);
  gpointer former_key, former;
  State *state;

  if (g_strcmp0 (jm_run_get_scheduler (run), self->scheduler) != 0 ||
      jm_run_peek_source (run, JM_RUN_FIELD_STATE) != JM_RUN_SOURCE_ACCOUNTING)
    return;
  state = g_new0 (State, 1);
  state->has_run = TRUE;
  state->raw_id = g_strdup (raw_id);
  jm_run_get_number (run, JM_RUN_FIELD_SUBMIT_TIME, &state->submit_time);
  jm_run_get_number (run, JM_RUN_FIELD_START_TIME, &state->start_time);
  state->has_guess =
    jm_run_derived_get_figure (run, JM_RUN_FIELD_SCHEDULER_START_TIME).is_known;
  /* of several runs of a job the last is that in the queue, if any is */
  if (g_hash_table_steal_extended (self->states->states, key, &former_key, &former))
    {
      g_free (former_key);
      g_hash_table_replace (self->states->states, make_run_key (self, former), former);
    }
  g_hash_table_replace (self->states->states, g_steal_pointer (&key), state);
}

static JmRunFilter *
make_filter_of_queue (const char *cluster)
{
  JmRunFilter *filter = jm_run_filter_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) states = NULL;

  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    if (!jm_scheduler_job_state_has_ended (i))
      {
        g_autofree char *state = make_state_word (i);

        g_strv_builder_add (builder, state);
      }
  g_strv_builder_add (builder, JM_RUN_COMPLETING);
  states = g_strv_builder_end (builder);
  jm_run_filter_set_cluster (filter, cluster);
  jm_run_filter_set_states (filter, (const char *const *) states);
  jm_run_filter_set_sort (filter, "submit", NULL);
  jm_run_filter_set_limit (filter, JM_RUN_FILTER_MAX_LIMIT);

  return filter;
}

static gboolean
add_earlier_runs (Taking *self, GError **error)
{
  g_autoptr (JmRunFilter) filter = make_filter_of_queue (self->cluster);
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autofree char *next = NULL;
      g_autoptr (GPtrArray) runs =
        jm_archive_database_list_runs (self->states->store, filter,
                                       self->states->viewer, &next, error);

      if (runs == NULL)
        return FALSE;
      for (guint i = 0; i < runs->len; i++)
        add_earlier_run (self, runs->pdata[i]);
      has_more = next != NULL && jm_run_filter_set_cursor (filter, next, NULL);
    }

  return TRUE;
}

/* --- a list --- */

static gboolean
take_jobs (Taking *self, JmSchedulerReport *jobs, GError **error)
{
  guint n = jm_scheduler_report_get_n_jobs (jobs);

  if (g_hash_table_add (self->states->clusters, g_strdup (self->cluster)) &&
      !add_earlier_runs (self, error))
    {
      g_hash_table_remove (self->states->clusters, self->cluster);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      const JmSchedulerJob *job = jm_scheduler_report_get_job (jobs, i);

      if (is_of_queue (job) && !take_job (self, job, error))
        return FALSE;
    }
  /* jobs that could not be read have not left */
  return jm_scheduler_report_get_n_complaints (jobs) > 0 ? store (self, error)
                                                         : lose_runs (self, error);
}

gboolean
jm_job_states_take (JmJobStates *self,
                    const char *cluster,
                    const char *scheduler,
                    JmSchedulerReport *jobs,
                    gint64 time_us,
                    GError **error)
{
  Taking taking = { .states = self,
                    .cluster = cluster,
                    .scheduler = scheduler,
                    .time_us = time_us };
  gboolean is_taken;

  self->round++;
  taking.batch = jm_run_batch_new ();
  taking.to_set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, state_free);
  is_taken = take_jobs (&taking, jobs, error);
  if (is_taken && jm_scheduler_report_get_n_complaints (jobs) == 0)
    g_hash_table_foreach_remove (self->states, forget, &taking);
  jm_run_batch_unref (taking.batch);
  g_hash_table_unref (taking.to_set);

  return is_taken;
}
