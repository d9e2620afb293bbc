/* test-ledger-pull.c: many nodes' ledgers, into one site's archive
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <libsoup/soup.h>
#include <string.h>

#include "archive/import/jm-ledger-pull-private.h"
#include "base/jm-error.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-json-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-snapshot-private.h"
#include "made-ledger.h"

#define N_NODES 20
#define N_RECORDS 7
#define START_S G_GINT64_CONSTANT (1700000000)

typedef enum
{
  TRUTHFUL,
  FAILS,        /* 500 */
  LOCKED,       /* 401 */
  DIES,         /* in the middle of its answer */
  HANGS,        /* says nothing */
  HUGE_PAGE,    /* more than is read */
  STANDS_STILL, /* more of it, always at the same place */
  GARBAGE,
  REPEATS, /* sends all from the beginning once more, whatever was asked */
} Manner;

typedef struct
{
  GPtrArray *records; /* of JSON; the place is the position less one */
  char *running;      /* JSON of what runs, or NULL */
  Manner manner;
  guint64 offset; /* of a ledger that was made anew, below those of before */
} Node;

typedef struct
{
  Place place;
  JmArchiveDatabase *store;
  JmLedgerPull *pull;
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  SoupServer *server;
  char *url;
  GMutex lock;
  Node nodes[N_NODES];
  GQueue hanging; /* of SoupServerMessage */
  guint n_asked;
  guint n_merges;
  guint fails_at; /* that merge, counted from 1; 0 for none */
} World;

static gint64 now_us;
static guint n_warnings;

static void
on_warning (const char *domain,
            GLogLevelFlags level,
            const char *message,
            gpointer user_data)
{
  g_test_message ("%s", message);
  n_warnings++;
}

static gint64
get_time (void)
{
  return now_us;
}

/* --- records --- */

static JmJob *
make_job (const char *id, const char *key, gint64 start_s, const char *nodes)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, start_s);

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, id, -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_USER, JM_ORIGIN_HOOK, "ada", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_NODES, JM_ORIGIN_HOOK, nodes, -1);
  if (start_s != 0)
    jm_job_draft_set (draft, JM_JOB_FIELD_START_TIME, JM_ORIGIN_HOOK, start, -1);
  if (key != NULL)
    jm_job_draft_set_run_key (draft, key);

  return jm_job_draft_to_job (draft);
}

static JmJobRecord *
make_record (JmJob *job, const char *node, JmRunState state, guint64 cpu_ns)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const gboolean is_running = state == JM_RUN_STATE_RUNNING;
  gint64 end_us = (START_S + 100) * G_USEC_PER_SEC;
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT, job, NULL,
                             end_us } };
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmJobRecordContent content = { .job = job,
                                 .node = node,
                                 .state = state,
                                 .begin_us = START_S * G_USEC_PER_SEC,
                                 .end_us = is_running ? 0 : end_us,
                                 .seen_us = end_us };

  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, cpu_ns);
  snapshot = jm_snapshot_new (end_us, 0, jm_collector_set_get_all (), subjects,
                              G_N_ELEMENTS (subjects), readings);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

/* At the next place of the node's ledger. */
static void
add_record (World *world,
            guint node,
            const char *id,
            gint64 start_s,
            const char *nodes,
            guint64 cpu_ns)
{
  Node *it = &world->nodes[node];
  g_autofree char *name = g_strdup_printf ("n%u", node);
  g_autofree char *key = g_strdup_printf ("boot-%u/%s", node, id);
  g_autoptr (JmJob) job = make_job (id, key, start_s, nodes);
  g_autoptr (JmJobRecord) plain = make_record (job, name, JM_RUN_STATE_ENDED, cpu_ns);
  g_autoptr (JmJobRecord) record = NULL;

  g_mutex_lock (&world->lock);
  record = jm_job_record_at (plain, it->offset + it->records->len + 1);
  g_ptr_array_add (it->records, jm_record_json_format (record));
  g_mutex_unlock (&world->lock);
}

/* One that has not ended; none where @id is NULL. */
static void
set_running (World *world,
             guint node,
             const char *id,
             gint64 start_s,
             const char *nodes,
             guint64 cpu_ns)
{
  Node *it = &world->nodes[node];
  g_autofree char *text = NULL;

  if (id != NULL)
    {
      g_autofree char *name = g_strdup_printf ("n%u", node);
      g_autofree char *key = g_strdup_printf ("boot-%u/%s", node, id);
      g_autoptr (JmJob) job = make_job (id, key, start_s, nodes);
      g_autoptr (JmJobRecord) record =
        make_record (job, name, JM_RUN_STATE_RUNNING, cpu_ns);

      text = jm_record_json_format (record);
    }
  g_mutex_lock (&world->lock);
  g_free (it->running);
  it->running = g_steal_pointer (&text);
  g_mutex_unlock (&world->lock);
}

/* Each node has some jobs of its own; what they take is reported by their numbers.
 *
 * Returns: what they took, microseconds */
static gint64
fill_nodes (World *world)
{
  gint64 sum_us = 0;

  for (guint i = 0; i < N_NODES; i++)
    for (guint k = 0; k < N_RECORDS; k++)
      {
        g_autofree char *id = g_strdup_printf ("%u", 1000 * (i + 1) + k);

        add_record (world, i, id, START_S, "1", 1000000 * (guint64) (100 * i + k + 1));
        sum_us += 1000 * (gint64) (100 * i + k + 1);
      }

  return sum_us;
}

/* --- the nodes --- */

static void
tell_page (World *world, Node *node, SoupServerMessage *message, GHashTable *query)
{
  guint64 after = g_ascii_strtoull (g_hash_table_lookup (query, "after"), NULL, 10);
  guint64 limit = g_ascii_strtoull (g_hash_table_lookup (query, "limit"), NULL, 10);
  guint64 last = node->offset + node->records->len;
  g_autoptr (GString) text = g_string_new ("{\"records\": [");
  guint64 at;

  if (after > last || after < node->offset)
    after = node->offset;
  at = after;
  while (at < last && at - after < limit)
    {
      g_string_append_printf (text, "%s%s", at > after ? "," : "",
                              (char *) node->records->pdata[at - node->offset]);
      at++;
    }
  g_string_append_printf (text, "], \"next\": %" G_GUINT64_FORMAT ", \"more\": %s}",
                          node->manner == STANDS_STILL ? after : at,
                          at < last || node->manner == STANDS_STILL ? "true" : "false");
  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY,
                                    text->str, text->len);
}

static void
tell_running (Node *node, SoupServerMessage *message)
{
  g_autofree char *text =
    g_strdup_printf ("{\"records\": [%s], \"next\": 0, \"more\": false}",
                     node->running != NULL ? node->running : "");

  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text,
                                    strlen (text));
}

static void
tell_huge (SoupServerMessage *message)
{
  const gsize length = JM_LEDGER_PAGE_MAX_BYTES + 1;
  char *text = g_malloc (length);

  memset (text, ' ', length);
  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_TAKE, text,
                                    length);
}

static void
tell (SoupServerMessage *message, guint status, const char *text)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text,
                                    strlen (text));
}

static void
on_wrote (SoupServerMessage *message, guint n_bytes, gpointer data)
{
  g_socket_close (soup_server_message_get_socket (message), NULL);
}

/* Those that hang get their answer: as if they had asked now, for all that there is. */
static gboolean
on_let_go (gpointer data)
{
  World *world = data;
  SoupServerMessage *message;

  g_mutex_lock (&world->lock);
  while ((message = g_queue_pop_head (&world->hanging)) != NULL)
    {
      g_autoptr (GHashTable) query = g_hash_table_new (g_str_hash, g_str_equal);

      g_hash_table_insert (query, (gpointer) "after", (gpointer) "0");
      g_hash_table_insert (query, (gpointer) "limit", (gpointer) "100");
      tell_page (world, &world->nodes[0], message, query);
      soup_server_message_unpause (message);
      g_object_unref (message);
    }
  g_mutex_unlock (&world->lock);

  return G_SOURCE_REMOVE;
}

static void
let_go (World *world)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, on_let_go, world, NULL);
  g_source_attach (source, world->context);
}

static void
die (SoupServerMessage *message)
{
  tell (message, 200, "{\"records\": [");
  soup_message_headers_set_content_length (soup_server_message_get_response_headers (
                                             message),
                                           100000);
  g_signal_connect (message, "wrote-body-data", G_CALLBACK (on_wrote), NULL);
}

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  World *world = user_data;
  guint number = (guint) g_ascii_strtoull (path + strlen ("/n"), NULL, 10);
  Node *node = &world->nodes[number];

  g_mutex_lock (&world->lock);
  world->n_asked++;
  if (node->manner == FAILS)
    tell (message, 500, "");
  else if (node->manner == LOCKED)
    tell (message, 401, "");
  else if (node->manner == GARBAGE)
    tell (message, 200, "<html>It works!</html>");
  else if (node->manner == HUGE_PAGE)
    tell_huge (message);
  else if (node->manner == HANGS)
    {
      soup_server_message_pause (message);
      g_queue_push_tail (&world->hanging, g_object_ref (message));
    }
  else if (node->manner == DIES)
    die (message);
  else if (query != NULL && g_hash_table_contains (query, "state"))
    tell_running (node, message);
  else
    {
      if (node->manner == REPEATS)
        g_hash_table_replace (query, g_strdup ("after"), (gpointer) "0");
      tell_page (world, node, message, query);
    }
  g_mutex_unlock (&world->lock);
}

static gpointer
serve (gpointer data)
{
  World *world = data;

  g_main_context_push_thread_default (world->context);
  g_main_loop_run (world->loop);
  g_main_context_pop_thread_default (world->context);

  return NULL;
}

static void
start_server (World *world)
{
  g_autoptr (GError) error = NULL;
  GSList *uris;

  world->context = g_main_context_new ();
  world->loop = g_main_loop_new (world->context, FALSE);
  g_main_context_push_thread_default (world->context);
  world->server = soup_server_new (NULL, NULL);
  soup_server_add_handler (world->server, NULL, on_request, world, NULL);
  soup_server_listen_local (world->server, 0, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (world->server);
  world->url = g_uri_to_string (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  g_main_context_pop_thread_default (world->context);
  world->thread = g_thread_new ("nodes", serve, world);
}

static gboolean
merge (JmArchiveDatabase *store, JmRunBatch *batch, gpointer data, GError **error)
{
  World *world = data;

  if (++world->n_merges == world->fails_at)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "the disk is full");
      return FALSE;
    }

  return jm_archive_database_merge (store, batch, error);
}

static void
new_pull (World *world)
{
  JmLedgerPullPlan *plan;

  g_clear_object (&world->pull);
  world->pull = jm_ledger_pull_new (world->store);
  jm_ledger_pull_set_max_at_once (world->pull, 4);
  plan = jm_ledger_pull_get_plan (world->pull);
  plan->get_time = get_time;
  plan->merge = merge;
  plan->merge_data = world;
  plan->limit = 3;
  plan->retry_us = 0;
  for (guint i = 0; i < N_NODES; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *name = g_strdup_printf ("n%u", i);
      g_autofree char *url = g_strdup_printf ("%sn%u", world->url, i);

      jm_ledger_pull_set_target (world->pull, "alps", name, url, &error);
      g_assert_no_error (error);
    }
}

static void
set_up (World *world, gconstpointer data)
{
  n_warnings = 0;
  g_autoptr (GError) error = NULL;

  now_us = (START_S + 1000) * G_USEC_PER_SEC;
  place_set_up (&world->place, NULL);
  g_mutex_init (&world->lock);
  world->store = jm_archive_database_open (world->place.path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_NODES; i++)
    world->nodes[i].records = g_ptr_array_new_with_free_func (g_free);
  start_server (world);
  new_pull (world);
}

static gboolean
on_stop (gpointer data)
{
  g_main_loop_quit (data);

  return G_SOURCE_REMOVE;
}

/* From within, for the loop may not have begun yet. */
static void
stop_server (World *world)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, on_stop, world->loop, NULL);
  g_source_attach (source, world->context);
}

static void
tear_down (World *world, gconstpointer data)
{
  g_object_unref (world->pull);
  g_object_unref (world->store);
  stop_server (world);
  g_thread_join (world->thread);
  g_queue_clear_full (&world->hanging, g_object_unref);
  g_object_unref (world->server);
  g_main_loop_unref (world->loop);
  g_main_context_unref (world->context);
  for (guint i = 0; i < N_NODES; i++)
    {
      g_ptr_array_unref (world->nodes[i].records);
      g_free (world->nodes[i].running);
    }
  g_free (world->url);
  g_mutex_clear (&world->lock);
  place_tear_down (&world->place, NULL);
}

/* --- what came of it --- */

static void
count_runs (World *world, guint *n_runs, gint64 *cpu_us)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *next = NULL;

  jm_run_filter_set_limit (filter, 1000);
  runs = jm_archive_database_list_runs (world->store, filter, viewer, &next, &error);
  g_assert_no_error (error);
  g_assert_null (next);
  *n_runs = runs->len;
  *cpu_us = 0;
  for (guint i = 0; i < runs->len; i++)
    {
      gint64 value;

      if (jm_run_get_number (runs->pdata[i], JM_RUN_FIELD_CPU_TOTAL, &value))
        *cpu_us += value;
    }
}

static void
assert_runs (World *world, guint n_wanted, gint64 cpu_us_wanted)
{
  guint n_runs;
  gint64 cpu_us;

  count_runs (world, &n_runs, &cpu_us);
  g_assert_cmpuint (n_runs, ==, n_wanted);
  g_assert_cmpint (cpu_us, ==, cpu_us_wanted);
}

static void
run_round (World *world)
{
  g_autoptr (GError) error = NULL;

  jm_ledger_pull_run_round (world->pull, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_position (World *world, const char *source, const char *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *position =
    jm_archive_database_get_position (world->store, source, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (position, ==, wanted);
}

/* --- situations --- */

static void
test_all_is_stored_once (World *world, gconstpointer data)
{
  gint64 sum_us = fill_nodes (world);
  double lag = -1;

  g_assert_false (jm_ledger_pull_get_lag (world->pull, "alps", "n3", &lag));
  run_round (world);
  assert_runs (world, N_NODES * N_RECORDS, sum_us);
  g_assert_cmpuint (jm_ledger_pull_get_n_records (world->pull), ==,
                    N_NODES * N_RECORDS);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);
  assert_position (world, "ledger/alps/n3", "7");
  now_us += 5 * SECOND_US;
  g_assert_true (jm_ledger_pull_get_lag (world->pull, "alps", "n3", &lag));
  g_assert_cmpfloat_with_epsilon (lag, 5, 0.001);

  /* what is stored is not sent again, not even to another */
  new_pull (world);
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_records (world->pull), ==, 0);
  assert_runs (world, N_NODES * N_RECORDS, sum_us);
}

static void
test_what_is_reported_again_counts_once (World *world, gconstpointer data)
{
  gint64 sum_us = fill_nodes (world);

  jm_ledger_pull_get_plan (world->pull)->limit = 100;
  run_round (world);
  world->nodes[2].manner = REPEATS;
  run_round (world);
  run_round (world);
  assert_runs (world, N_NODES * N_RECORDS, sum_us);
}

static void
set_target (World *world, const char *node, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *url = g_strdup_printf ("%sn%u", world->url, number);

  jm_ledger_pull_set_target (world->pull, "alps", node, url, &error);
  g_assert_no_error (error);
}

static void
test_a_run_of_two_nodes_is_their_sum (World *world, gconstpointer data)
{
  add_record (world, 0, "77", START_S, "2", 5000000000);
  run_round (world);
  add_record (world, 1, "77", START_S, "2", 7000000000);
  run_round (world);
  assert_runs (world, 1, 12000000);
}

static JmRun *
make_run_of (const char *id)
{
  JmRun *run = jm_run_new ("alps", id);

  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, START_S - 10);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, START_S);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, START_S + 100);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 1);

  return run;
}

/* Of one that goes on, how long it had run by the record that has its CPU time. */
static void
assert_run (World *world, const char *state, gint64 cpu_us)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *next = NULL;
  const gboolean is_running = g_str_equal (state, "RUNNING");
  gint64 elapsed = 0;
  gint64 known = -1;

  runs = jm_archive_database_list_runs (world->store, filter, viewer, &next, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 1);
  g_assert_cmpint (jm_run_get_number (runs->pdata[0], JM_RUN_FIELD_ELAPSED, &elapsed),
                   ==, is_running);
  g_assert_cmpint (elapsed, ==, is_running ? 100 : 0);
  g_assert_cmpstr (jm_run_peek_text (runs->pdata[0], JM_RUN_FIELD_STATE), ==, state);
  g_assert_cmpint (jm_run_get_number (runs->pdata[0], JM_RUN_FIELD_CPU_TOTAL, &known),
                   ==, cpu_us >= 0);
  if (cpu_us >= 0)
    g_assert_cmpint (known, ==, cpu_us);
}

static void
test_what_runs_is_reported_until_it_ends (World *world, gconstpointer data)
{
  set_running (world, 0, "77", START_S, "1", 5000000000);
  run_round (world);
  assert_run (world, "RUNNING", 5000000);
  set_running (world, 0, "77", START_S, "1", 6000000000);
  run_round (world);
  assert_run (world, "RUNNING", 6000000);
  assert_position (world, "ledger/alps/n0", "0");

  set_running (world, 0, NULL, 0, NULL, 0);
  add_record (world, 0, "77", START_S, "1", 7000000000);
  run_round (world);
  assert_run (world, "ENDED", 7000000);
  assert_position (world, "ledger/alps/n0", "1");
  g_assert_cmpuint (jm_ledger_pull_get_n_records (world->pull), ==, 1);
}

static void
test_a_run_goes_on_until_its_last_node (World *world, gconstpointer data)
{
  set_running (world, 0, "77", START_S, "2", 5000000000);
  set_running (world, 1, "77", START_S, "2", 1000000000);
  run_round (world);
  assert_run (world, "RUNNING", 6000000);

  set_running (world, 0, NULL, 0, NULL, 0);
  add_record (world, 0, "77", START_S, "2", 7000000000);
  for (guint i = 0; i < 3; i++)
    run_round (world);
  assert_run (world, "RUNNING", 8000000);

  set_running (world, 1, NULL, 0, NULL, 0);
  add_record (world, 1, "77", START_S, "2", 2000000000);
  run_round (world);
  assert_run (world, "ENDED", 9000000);
}

/* The node has died, and may come back: until then nobody knows what it did to the end.
 */
static void
test_what_ran_last_is_not_what_it_came_to (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = make_run_of ("77");
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  set_running (world, 0, "77", START_S, "1", 5000000000);
  run_round (world);
  assert_run (world, "RUNNING", 5000000);

  world->nodes[0].manner = FAILS;
  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "NODE_FAIL");
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_archive_database_merge (world->store, batch, &error);
  g_assert_no_error (error);
  assert_run (world, "NODE_FAIL", -1);
  run_round (world);
  assert_run (world, "NODE_FAIL", -1);

  world->nodes[0].manner = TRUTHFUL;
  now_us += 3600 * SECOND_US;
  set_running (world, 0, NULL, 0, NULL, 0);
  add_record (world, 0, "77", START_S, "1", 7000000000);
  run_round (world);
  assert_run (world, "NODE_FAIL", 7000000);
}

/* Its run is found once its begin is known; it keeps nothing else back. */
static void
test_a_running_job_without_begin_is_left_out (World *world, gconstpointer data)
{
  set_running (world, 0, "77", 0, "1", 5000000000);
  add_record (world, 0, "1", START_S, "1", 1000000000);
  run_round (world);
  run_round (world);
  assert_run (world, "ENDED", 1000000);
  assert_position (world, "ledger/alps/n0", "1");
  g_assert_cmpuint (jm_ledger_pull_get_n_unresolved (world->pull), ==, 0);
}

static void
test_bad_nodes_harm_no_other (World *world, gconstpointer data)
{
  static const Manner bad[] = { FAILS,     LOCKED,       DIES,   HANGS,
                                HUGE_PAGE, STANDS_STILL, GARBAGE };
  gint64 sum_us = 0;
  guint n_asked;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    world->nodes[i].manner = bad[i];
  jm_ledger_pull_get_plan (world->pull)->timeout_ms = 1000;
  fill_nodes (world);
  for (guint i = G_N_ELEMENTS (bad); i < N_NODES; i++)
    for (guint k = 0; k < N_RECORDS; k++)
      sum_us += 1000 * (gint64) (100 * i + k + 1);

  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, G_N_ELEMENTS (bad));
  assert_runs (world, (N_NODES - G_N_ELEMENTS (bad)) * N_RECORDS, sum_us);
  g_assert_cmpuint (n_warnings, ==, G_N_ELEMENTS (bad));

  /* they are left alone for a while, and are heard once they are well */
  n_asked = world->n_asked;
  run_round (world);
  /* for what has ended, and for what runs */
  g_assert_cmpuint (world->n_asked - n_asked, ==, 2 * (N_NODES - G_N_ELEMENTS (bad)));
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, G_N_ELEMENTS (bad));
  now_us += 3600 * SECOND_US;
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, G_N_ELEMENTS (bad));
  g_assert_cmpuint (n_warnings, ==, G_N_ELEMENTS (bad));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      world->nodes[i].manner = TRUTHFUL;
      g_ptr_array_set_size (world->nodes[i].records, 0);
    }
  now_us += 7200 * SECOND_US;
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);
}

static void
run_rounds_until_there_are (World *world, guint n_wanted)
{
  guint n_runs = 0;
  gint64 cpu_us;

  while (n_runs < n_wanted)
    {
      run_round (world);
      count_runs (world, &n_runs, &cpu_us);
    }
}

/* It is asked in one round, and answers in another. */
static void
test_a_slow_node_holds_up_no_other (World *world, gconstpointer data)
{
  gint64 sum_us = fill_nodes (world);

  world->nodes[0].manner = HANGS;
  jm_ledger_pull_get_plan (world->pull)->slow_us = 100000;
  run_rounds_until_there_are (world, (N_NODES - 1) * N_RECORDS);
  add_record (world, 5, "99", START_S, "1", 3000000000);
  run_rounds_until_there_are (world, (N_NODES - 1) * N_RECORDS + 1);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);

  g_mutex_lock (&world->lock);
  g_assert_cmpuint (g_queue_get_length (&world->hanging), ==, 1);
  world->nodes[0].manner = TRUTHFUL;
  g_mutex_unlock (&world->lock);
  let_go (world);
  run_rounds_until_there_are (world, N_NODES * N_RECORDS + 1);
  assert_runs (world, N_NODES * N_RECORDS + 1, sum_us + 3000000);
  assert_position (world, "ledger/alps/n0", "7");
}

/* What it was asked for before is asked for once more, or stored: once at any rate. */
static void
test_a_target_that_is_left_out_while_it_is_slow_may_come_back (World *world,
                                                               gconstpointer data)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  gint64 sum_us = fill_nodes (world);

  world->nodes[0].manner = HANGS;
  jm_ledger_pull_get_plan (world->pull)->slow_us = 100000;
  run_rounds_until_there_are (world, (N_NODES - 1) * N_RECORDS);
  jm_ledger_pull_set_targets (world->pull, none, &error);
  g_assert_no_error (error);
  run_round (world);
  world->nodes[0].manner = TRUTHFUL;
  let_go (world);
  set_target (world, "n0", 0);
  run_rounds_until_there_are (world, N_NODES * N_RECORDS);
  assert_runs (world, N_NODES * N_RECORDS, sum_us);
}

static void
add_text (World *world, guint node, const char *text)
{
  g_ptr_array_add (world->nodes[node].records, g_strdup (text));
}

/* One of each kind, among good ones of a page. */
static void
test_a_record_that_cannot_be_read_costs_itself (World *world, gconstpointer data)
{
  static const char *const texts[] = { "17",   "[]",   "{}", "{\"version\": 99}",
                                       "null", "\"x\"" };
  g_autofree char *running = NULL;
  g_autofree char *first = NULL;

  set_running (world, 0, "50", START_S, "1", 1000);
  running = g_steal_pointer (&world->nodes[0].running);
  add_record (world, 0, "1", START_S, "1", 1000000000);
  first = g_strdup (world->nodes[0].records->pdata[0]);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    add_text (world, 0, texts[i]);
  add_record (world, 0, "2", START_S, "1", 2000000000);
  /* it has not ended, and the other was there already */
  add_text (world, 0, running);
  add_text (world, 0, first);
  add_record (world, 0, "3", START_S, "1", 3000000000);
  jm_ledger_pull_get_plan (world->pull)->limit = 200;

  run_round (world);
  assert_runs (world, 3, 6000000);
  assert_position (world, "ledger/alps/n0", "11");
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull,
                                                 JM_LEDGER_FAULT_MALFORMED),
                    ==, G_N_ELEMENTS (texts) - 1);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_LATER),
                    ==, 1);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_STATE),
                    ==, 1);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_POSITION),
                    ==, 1);
  g_assert_cmpuint (n_warnings, >, 0);
}

static void
set_position (World *world, const char *source, const char *position)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_batch_set_position (batch, source, position);
  jm_archive_database_merge (world->store, batch, &error);
  g_assert_no_error (error);
}

/* A node may be newer than the server. The server that passed the record over may have
 * read format 0, and this one reads it. */
static void
test_a_record_of_a_later_format_is_read_after_the_upgrade (World *world,
                                                           gconstpointer data)
{
  GPtrArray *records = world->nodes[0].records;
  char *readable;

  for (guint i = 1; i <= 7; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      add_record (world, 0, id, START_S, "1", 1000000000);
    }
  readable = records->pdata[4];
  records->pdata[4] = g_strdup ("{\"version\": 99}");
  run_round (world);
  run_round (world);
  assert_runs (world, 6, 6000000);
  assert_position (world, "ledger/alps/n0", "7");
  assert_position (world, "ledger-later/alps/n0", "3 1");
  assert_position (world, "ledger-later/alps/n1", NULL);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_LATER),
                    ==, 1);

  g_free (records->pdata[4]);
  records->pdata[4] = readable;
  new_pull (world);
  run_round (world);
  assert_runs (world, 6, 6000000);

  set_position (world, "ledger-later/alps/n0", "3 0");
  new_pull (world);
  run_round (world);
  assert_runs (world, 7, 7000000);
  assert_position (world, "ledger/alps/n0", "7");
  assert_position (world, "ledger-later/alps/n0", "-1 1");
}

/* It would be behind those that follow. */
static void
test_a_record_that_runs_ahead_hides_no_other (World *world, gconstpointer data)
{
  GPtrArray *records = world->nodes[0].records;
  g_autoptr (JsonNode) first = NULL;

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);

      add_record (world, 0, id, START_S, "1", 1000000000);
    }
  first = json_from_string (records->pdata[0], NULL);
  json_object_set_int_member (json_node_get_object (first), "position", 3);
  g_free (records->pdata[0]);
  records->pdata[0] = json_to_string (first, FALSE);
  run_round (world);
  assert_runs (world, 2, 2000000);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_POSITION),
                    ==, 1);
}

/* What is left of a page is its position. */
static void
test_a_page_without_a_record_that_can_be_read_is_left_behind (World *world,
                                                              gconstpointer data)
{
  for (guint i = 0; i < 20; i++)
    add_text (world, 0, "{\"version\": 99}");
  add_record (world, 0, "1", START_S, "1", 1000000000);
  run_round (world);
  assert_runs (world, 1, 1000000);
  assert_position (world, "ledger/alps/n0", "21");
  g_assert_cmpuint (n_warnings, ==, 1);
}

static void
test_what_runs_and_cannot_be_read_costs_itself (World *world, gconstpointer data)
{
  g_free (world->nodes[0].running);
  world->nodes[0].running = g_strdup ("{\"version\": 99}");
  add_record (world, 0, "1", START_S, "1", 1000000000);
  run_round (world);
  run_round (world);
  assert_runs (world, 1, 1000000);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_LATER),
                    ==, 2);
  g_assert_cmpuint (n_warnings, ==, 1);
}

/* Of the record that was added last; without it where @value is NULL. */
static void
change_record (World *world, guint node, const char *member, const char *value)
{
  GPtrArray *records = world->nodes[node].records;
  g_autofree char *before = g_ptr_array_steal_index (records, records->len - 1);
  g_autoptr (JsonNode) record = json_from_string (before, NULL);

  if (value != NULL)
    json_object_set_string_member (json_node_get_object (record), member, value);
  else
    json_object_remove_member (json_node_get_object (record), member);
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

/* A field without origin is not read. */
static void
change_cluster (World *world, guint node, const char *cluster)
{
  GPtrArray *records = world->nodes[node].records;
  JsonObject *object;
  g_autoptr (JsonNode) record = NULL;

  change_record (world, node, "cluster", cluster);
  record = json_from_string (records->pdata[records->len - 1], NULL);
  object = json_object_get_object_member (json_node_get_object (record), "origin");
  json_object_set_string_member (object, "cluster", "configuration");
  g_ptr_array_remove_index (records, records->len - 1);
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

static void
assert_trespasses (World *world, guint n)
{
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_MANDATE),
                    ==, n);
}

/* Of a run on another node, which would have more joules, and of another cluster. */
static void
test_a_node_speaks_about_itself_alone (World *world, gconstpointer data)
{
  add_record (world, 0, "1", START_S, "2", 1000000000);
  add_record (world, 1, "1", START_S, "2", 2000000000);
  change_record (world, 1, "node", "n2");
  add_record (world, 1, "2", START_S, "1", 4000000000);
  change_cluster (world, 1, "jura");
  set_running (world, 1, "3", START_S, "1", 8000000000);
  g_ptr_array_add (world->nodes[1].records, g_steal_pointer (&world->nodes[1].running));
  change_record (world, 1, "node", "n2");
  world->nodes[1].running = g_ptr_array_steal_index (world->nodes[1].records, 2);
  add_record (world, 1, "4", START_S, "1", 16000000000);
  change_cluster (world, 1, "alps");
  run_round (world);
  assert_runs (world, 2, 16000000);
  assert_trespasses (world, 3);
  assert_position (world, "ledger/alps/n1", "3");
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);
}

/* The list has it with a domain, or by a host that is called otherwise. */
static void
test_a_node_has_the_names_of_its_target (World *world, gconstpointer data)
{
  static const char *const names[] = { "n0.example.org", "N0", "127.0.0.1" };

  jm_ledger_pull_clear_targets (world->pull);
  set_target (world, "n0.example.org", 0);
  set_target (world, "n1", 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      add_record (world, 0, id, START_S, "1", 1000000000);
      change_record (world, 0, "node", names[i]);
    }
  add_record (world, 0, "9", START_S, "1", 1000000000);
  change_record (world, 0, "node", "n0.elsewhere.org");
  run_round (world);
  assert_runs (world, G_N_ELEMENTS (names), 3000000);
  assert_trespasses (world, 1);
}

static void
test_a_target_without_name_takes_none_of_another (World *world, gconstpointer data)
{
  jm_ledger_pull_clear_targets (world->pull);
  set_target (world, "10.0.0.1", 0);
  set_target (world, "n1", 1);
  add_record (world, 0, "1", START_S, "1", 1000000000);
  add_record (world, 0, "2", START_S, "1", 2000000000);
  change_record (world, 0, "node", "n1");
  run_round (world);
  assert_runs (world, 1, 1000000);
  assert_trespasses (world, 1);
}

/* --- runs of other nodes --- */

static void
account (World *world, const char *id, const char *node_list, gint64 n_nodes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = make_run_of (id);
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_keep_text (run, JM_RUN_FIELD_STATE, "COMPLETED");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, node_list);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, n_nodes);
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_archive_database_merge (world->store, batch, &error);
  g_assert_no_error (error);
}

static void
assert_of_other_nodes (World *world, guint n)
{
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull,
                                                 JM_LEDGER_FAULT_ALLOCATION),
                    ==, n);
}

static void
test_a_node_that_the_accounting_does_not_have (World *world, gconstpointer data)
{
  account (world, "1", "n[1-2]", 2);
  add_record (world, 1, "1", START_S, "2", 1000000000);
  add_record (world, 2, "1", START_S, "2", 2000000000);
  add_record (world, 3, "1", START_S, "2", 4000000000);
  /* nor does one wait that does not know its begin */
  add_record (world, 4, "1", 0, "2", 8000000000);
  run_round (world);
  assert_runs (world, 1, 3000000);
  assert_of_other_nodes (world, 2);
  assert_position (world, "ledger/alps/n4", "1");
}

/* Until then it counts, as nobody knows better. */
static void
test_an_accounting_that_comes_after_a_record (World *world, gconstpointer data)
{
  add_record (world, 3, "1", START_S, "1", 4000000000);
  add_record (world, 3, "2", START_S, "1", 4000000000);
  run_round (world);
  assert_runs (world, 2, 8000000);
  account (world, "1", "n1", 1);
  assert_runs (world, 2, 4000000);
  account (world, "2", "N3.example.org", 1);
  assert_runs (world, 2, 4000000);
  add_record (world, 1, "1", START_S, "1", 1000000000);
  run_round (world);
  assert_runs (world, 2, 5000000);
  assert_of_other_nodes (world, 0);
}

static void
test_a_list_of_nodes_that_is_not_known_refuses_none (World *world, gconstpointer data)
{
  static const struct
  {
    const char *list;
    gint64 n_nodes;
  } lists[] = { { NULL, 1 },         { "None assigned", 1 }, { "n1", 2 },
                { "n[1-", 1 },       { "10.0.0.7", 1 },      { "(null)", 1 },
                { "n3.domain", -1 }, { "N[1-3]", 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      account (world, id, lists[i].list, lists[i].n_nodes);
      add_record (world, 3, id, START_S, "1", 1000000000);
    }
  run_round (world);
  assert_of_other_nodes (world, 0);
}

/* A node may have another name than its scheduler's, and a target none. */
static void
test_a_node_under_another_name_is_of_its_run (World *world, gconstpointer data)
{
  jm_ledger_pull_clear_targets (world->pull);
  set_target (world, "n7", 0);
  set_target (world, "10.0.0.1", 1);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *before = g_strdup_printf ("%u", 10 + i);
      g_autofree char *after = g_strdup_printf ("%u", 20 + i);

      account (world, before, "n7", 1);
      add_record (world, i, before, START_S, "1", 1000000000);
      change_record (world, i, "node", "127.0.0.1");
      add_record (world, i, after, START_S, "1", 1000000000);
      change_record (world, i, "node", i == 0 ? "127.0.0.1" : "n8");
    }
  run_round (world);
  account (world, "20", "n7", 1);
  account (world, "21", "n7", 1);
  assert_runs (world, 4, 4000000);
  assert_of_other_nodes (world, 0);
}

/* Whether the record comes before the accounting or after it. */
static void
test_names_that_the_accounting_does_not_have_refuse_none (World *world,
                                                          gconstpointer data)
{
  jm_ledger_pull_clear_targets (world->pull);
  set_target (world, "gpu1-ib", 0);
  set_target (world, "n1", 1);
  account (world, "1", "gpu[1-2]", 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      add_record (world, 0, id, START_S, "1", 1000000000);
      change_record (world, 0, "node", "gpu1-ib");
    }
  run_round (world);
  account (world, "2", "gpu1", 1);
  assert_of_other_nodes (world, 0);
  /* of the run on two nodes one is missing */
  assert_runs (world, 2, 1000000);

  /* names that are those of targets refuse others, before they were read and after */
  account (world, "3", "n1", 1);
  add_record (world, 0, "3", START_S, "1", 1000000000);
  change_record (world, 0, "node", "gpu1-ib");
  run_round (world);
  assert_of_other_nodes (world, 1);
}

static void
test_targets_that_were_read_are_known_to_the_next_program (World *world,
                                                           gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  add_record (world, 1, "1", START_S, "1", 1000000000);
  add_record (world, 3, "1", START_S, "1", 4000000000);
  run_round (world);
  g_clear_object (&world->pull);
  g_clear_object (&world->store);
  world->store = jm_archive_database_open (world->place.path, &error);
  g_assert_no_error (error);
  new_pull (world);
  account (world, "1", "n1", 1);
  assert_runs (world, 1, 1000000);
}

/* --- what cannot be --- */

/* Of the record that was added last. */
static void
change_number (World *world, guint node, const char *member, double value)
{
  GPtrArray *records = world->nodes[node].records;
  g_autofree char *before = g_ptr_array_steal_index (records, records->len - 1);
  g_autoptr (JsonNode) record = json_from_string (before, NULL);
  JsonObject *object = json_node_get_object (record);

  if (strstr (member, "_time") == NULL)
    object = json_object_get_object_member (object, "metrics");
  /* a time of the scheduler is a whole number */
  if (value == (double) (gint64) value)
    json_object_set_int_member (object, member, (gint64) value);
  else
    json_object_set_double_member (object, member, value);
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

static void
change_energy (World *world, guint node, double joules)
{
  GPtrArray *records = world->nodes[node].records;
  g_autofree char *before = g_ptr_array_steal_index (records, records->len - 1);
  g_autoptr (JsonNode) record = json_from_string (before, NULL);
  g_autofree char *text =
    g_strdup_printf ("[{\"labels\": {\"domain\": \"package\", \"quality\": "
                     "\"measured\"}, \"value\": %f}]",
                     joules);

  json_object_set_member (json_object_get_object_member (json_node_get_object (record),
                                                         "metrics"),
                          "energy_joules_total", json_from_string (text, NULL));
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

static void
test_an_impossible_record_is_passed_over (World *world, gconstpointer data)
{
  static const struct
  {
    const char *member;
    double value;
  } lies[] = {
    { "cpu_seconds_total", 1e9 },
    { "memory_peak_bytes", 9e15 },
    { "end_time", START_S - 10 * 86400 },
    { "start_time", START_S + 400 * 86400 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      add_record (world, 0, id, START_S, "1", 1000000000);
      change_number (world, 0, lies[i].member, lies[i].value);
    }
  add_record (world, 0, "8", START_S, "1", 1000000000);
  change_energy (world, 0, 1e10);
  add_record (world, 0, "9", START_S, "1", 2000000000);
  set_running (world, 0, "10", START_S, "1", G_GUINT64_CONSTANT (1000000000000000000));
  run_round (world);
  assert_runs (world, 1, 2000000);
  assert_position (world, "ledger/alps/n0", "6");
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull,
                                                 JM_LEDGER_FAULT_IMPOSSIBLE),
                    ==, G_N_ELEMENTS (lies) + 2);
  assert_trespasses (world, 0);
}

static void
set_node (World *world, guint node, const char *metrics)
{
  GPtrArray *records = world->nodes[node].records;
  g_autofree char *before = g_ptr_array_steal_index (records, records->len - 1);
  g_autoptr (JsonNode) record = json_from_string (before, NULL);

  json_object_set_member (json_node_get_object (record), "node_metrics",
                          json_from_string (metrics, NULL));
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

/* A node of four CPUs, a gibibyte of memory and as much swap; of a minute and the day
 * that is allowed for clocks. */
static void
test_a_record_is_held_to_what_its_node_has (World *world, gconstpointer data)
{
  static const struct
  {
    const char *node;
    double cpu_seconds, peak_bytes;
    gboolean is_taken;
  } records[] = {
    { "{\"cpus\":4,\"memory_size_bytes\":1073741824}", 4 * 86460, 1 << 30, TRUE },
    { "{\"cpus\":4}", 4 * 86460 + 1, 1e15, FALSE },
    { "{\"cpus\":4}", 1, 1e15, TRUE },
    { "{\"memory_size_bytes\":1073741824}", 4 * 86460 + 1, 1 << 30, TRUE },
    { "{\"memory_size_bytes\":1073741824}", 1, (1 << 30) + 4096, FALSE },
    { "{\"memory_size_bytes\":1073741824,\"swap_size_bytes\":1073741824}", 1,
      2147483648, TRUE },
    /* none of these bounds anything */
    { "{\"cpus\":0,\"memory_size_bytes\":0,\"other\":[]}", 4 * 86460 + 1, 1e15, TRUE },
    { "{\"cpus\":1e15,\"swap_size_bytes\":1e15}", 1e9, 1e15, FALSE },
    { "{\"memory_size_bytes\":1e16}", 1, 9e15, FALSE },
  };
  guint n_taken = 0;

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      add_record (world, 0, id, START_S, "1", 0);
      change_number (world, 0, "begin_time", START_S);
      change_number (world, 0, "end_time", START_S + 60);
      change_number (world, 0, "cpu_seconds_total", records[i].cpu_seconds);
      change_number (world, 0, "memory_peak_bytes", records[i].peak_bytes);
      set_node (world, 0, records[i].node);
      n_taken += records[i].is_taken;
    }
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_records (world->pull), ==, n_taken);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull,
                                                 JM_LEDGER_FAULT_IMPOSSIBLE),
                    ==, G_N_ELEMENTS (records) - n_taken);
}

/* Of nodes that are busy, large, short of time, or have a clock that is wrong or was
 * set meanwhile. */
static void
test_a_record_of_an_honest_extreme_is_taken (World *world, gconstpointer data)
{
  static const struct
  {
    double begin, end, cpu_seconds, joules;
  } extremes[] = {
    { START_S, START_S + 0.003, 0.02, 3 },
    { START_S, START_S + 86400, 86400 * 1024, 86400 * 12000 },
    { START_S, START_S + 86400 - 14 * 3600, 86400 * 256, 86400 * 3000 },
    { START_S, START_S - 14 * 3600, 5, 3000 },
    { START_S + 12 * 31622400.0, START_S + 12 * 31622400.0 + 60, 5, 3000 },
    { START_S - 30 * 31622400.0, START_S - 30 * 31622400.0 + 60, 5, 3000 },
    { START_S, START_S + 60, 5 * 86400 * 64, 86400 * 3000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (extremes); i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      add_record (world, 0, id, START_S, "1", 0);
      change_number (world, 0, "begin_time", extremes[i].begin);
      change_number (world, 0, "end_time", extremes[i].end);
      change_number (world, 0, "cpu_seconds_total", extremes[i].cpu_seconds);
      change_number (world, 0, "memory_peak_bytes", 64.0 * (1ULL << 40));
      change_energy (world, 0, extremes[i].joules);
    }
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull,
                                                 JM_LEDGER_FAULT_IMPOSSIBLE),
                    ==, 0);
  g_assert_cmpuint (jm_ledger_pull_get_n_records (world->pull), ==,
                    G_N_ELEMENTS (extremes));
}

/* As a former node left those of short jobs. */
static void
test_a_record_without_run_key_is_passed_over (World *world, gconstpointer data)
{
  add_record (world, 0, "1", START_S, "1", 1000000000);
  change_record (world, 0, "run_key", NULL);
  add_record (world, 0, "2", START_S, "1", 2000000000);
  run_round (world);
  assert_runs (world, 1, 2000000);
  assert_position (world, "ledger/alps/n0", "2");
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_RUN_KEY),
                    ==, 1);
}

/* --- one of each kind of fault, anywhere in a page --- */

#define N_FAULTS 7

typedef void (*Spoil) (World *world, GRand *rand);

/* The last record of node 0 is no text that can be read. */
static void
spoil_text (World *world, GRand *rand)
{
  static const char *const texts[] = { "17", "null", "{\"key\": \"]}\"}", "[[{}]]",
                                       "nan" };
  GPtrArray *records = world->nodes[0].records;

  g_ptr_array_remove_index (records, records->len - 1);
  add_text (world, 0, texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))]);
}

static void
spoil_run_key (World *world, GRand *rand)
{
  change_record (world, 0, "run_key", NULL);
}

static void
spoil_state (World *world, GRand *rand)
{
  GPtrArray *records = world->nodes[0].records;

  set_running (world, 0, "999", START_S, "1", g_rand_int (rand));
  g_ptr_array_remove_index (records, records->len - 1);
  g_ptr_array_add (records, g_steal_pointer (&world->nodes[0].running));
}

/* Beside its own it could be right, where its neighbours are wrong. */
static void
spoil_position (World *world, GRand *rand)
{
  GPtrArray *records = world->nodes[0].records;
  gint32 own = (gint32) records->len;
  gint32 other = g_rand_int_range (rand, 0, 400);
  g_autofree char *before = g_ptr_array_steal_index (records, records->len - 1);
  g_autoptr (JsonNode) record = json_from_string (before, NULL);

  json_object_set_int_member (json_node_get_object (record), "position",
                              ABS (other - own) <= (gint32) N_FAULTS ? 0 : other);
  g_ptr_array_add (records, json_to_string (record, FALSE));
}

static void
spoil_mandate (World *world, GRand *rand)
{
  if (g_rand_boolean (rand))
    change_record (world, 0, "node", "n1");
  else
    change_cluster (world, 0, "jura");
}

static void
spoil_figures (World *world, GRand *rand)
{
  if (g_rand_boolean (rand))
    change_number (world, 0, "cpu_seconds_total", g_rand_double_range (rand, 1e9, 9e9));
  else
    change_number (world, 0, "memory_peak_bytes",
                   g_rand_double_range (rand, 5e15, 9e15));
}

/* The accounting has the run on other nodes. */
static void
spoil_allocation (World *world, GRand *rand)
{
  GPtrArray *records = world->nodes[0].records;
  g_autofree char *id = g_strdup_printf ("%u", records->len);

  account (world, id, "n[1-2]", 2);
}

static const struct
{
  JmLedgerFault fault;
  Spoil spoil;
} faults[N_FAULTS] = {
  { JM_LEDGER_FAULT_MALFORMED, spoil_text },
  { JM_LEDGER_FAULT_RUN_KEY, spoil_run_key },
  { JM_LEDGER_FAULT_STATE, spoil_state },
  { JM_LEDGER_FAULT_POSITION, spoil_position },
  { JM_LEDGER_FAULT_MANDATE, spoil_mandate },
  { JM_LEDGER_FAULT_IMPOSSIBLE, spoil_figures },
  { JM_LEDGER_FAULT_ALLOCATION, spoil_allocation },
};

/* Where each fault is; no two of them are at the same place. */
static void
place_faults (GRand *rand, guint n_records, guint *places)
{
  for (guint i = 0; i < N_FAULTS; i++)
    {
      gboolean is_taken = TRUE;

      while (is_taken)
        {
          places[i] = (guint) g_rand_int_range (rand, 0, (gint32) n_records);
          is_taken = FALSE;
          for (guint k = 0; k < i; k++)
            is_taken = is_taken || places[k] == places[i];
        }
    }
}

static void
test_a_page_of_200_loses_its_faults_alone (World *world, gconstpointer data)
{
  const guint n_records = 200;
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  guint places[N_FAULTS];
  gint64 sum_us = 0;

  place_faults (rand, n_records, places);
  for (guint i = 0; i < n_records; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);
      gint64 cpu_us = g_rand_int_range (rand, 0, 1000000000);
      gboolean is_good = TRUE;

      add_record (world, 0, id, START_S, "1", (guint64) cpu_us * 1000);
      for (guint k = 0; k < N_FAULTS; k++)
        if (places[k] == i)
          {
            faults[k].spoil (world, rand);
            is_good = FALSE;
          }
      sum_us += is_good ? cpu_us : 0;
    }
  jm_ledger_pull_get_plan (world->pull)->limit = n_records;
  run_round (world);

  for (guint i = 0; i < N_FAULTS; i++)
    g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, faults[i].fault), ==,
                      1);
  /* one run is that of the accounting */
  assert_runs (world, n_records - N_FAULTS + 1, sum_us);
  assert_position (world, "ledger/alps/n0", "200");
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 0);
}

static void
test_a_ledger_made_anew_is_read_from_there (World *world, gconstpointer data)
{
  gint64 sum_us = fill_nodes (world);

  run_round (world);
  g_ptr_array_set_size (world->nodes[5].records, 0);
  add_record (world, 5, "99", START_S, "1", 3000000000);
  run_round (world);
  assert_runs (world, N_NODES * N_RECORDS + 1, sum_us + 3000000);
  assert_position (world, "ledger/alps/n5", "1");
}

/* As if it were killed there: the next one goes on where the archive is. */
static void
test_a_merge_that_fails_loses_nothing (World *world, gconstpointer data)
{
  gint64 sum_us = fill_nodes (world);
  gboolean has_failed = TRUE;

  for (guint i = 1; has_failed; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *path = g_strdup_printf ("%s-%u", world->place.path, i);

      g_object_unref (world->store);
      world->store = jm_archive_database_open (path, &error);
      g_assert_no_error (error);
      new_pull (world);
      world->n_merges = 0;
      world->fails_at = i;
      has_failed = !jm_ledger_pull_run_round (world->pull, NULL, &error);
      if (has_failed)
        g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
      world->fails_at = 0;
      if (i % 2 == 0)
        new_pull (world);
      run_round (world);
      assert_runs (world, N_NODES * N_RECORDS, sum_us);
    }
  g_assert_cmpuint (world->n_merges, >, 1);
}

static void
test_a_record_waits_for_its_run (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = make_run_of ("2");
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  add_record (world, 0, "1", START_S, "1", 1000000000);
  add_record (world, 0, "2", 0, "1", 2000000000);
  add_record (world, 0, "3", START_S, "1", 3000000000);
  run_round (world);
  assert_runs (world, 2, 4000000);
  assert_position (world, "ledger/alps/n0", "1");

  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_archive_database_merge (world->store, batch, &error);
  g_assert_no_error (error);
  run_round (world);
  assert_runs (world, 3, 6000000);
  assert_position (world, "ledger/alps/n0", "3");
  assert_position (world, "ledger-held/alps/n0", "0");
  g_assert_cmpuint (jm_ledger_pull_get_n_unresolved (world->pull), ==, 0);
}

/* Who speaks first is not believed more than who speaks then: the accounting decides.
 */
static void
test_a_record_waits_for_a_word_on_its_owner (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = make_run_of ("1");
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();

  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");
  add_record (world, 0, "1", START_S, "1", 9000000000);
  change_record (world, 0, "user", "mallory");
  run_round (world);
  add_record (world, 1, "1", START_S, "1", 1000000000);
  add_record (world, 1, "2", START_S, "1", 2000000000);
  run_round (world);
  assert_runs (world, 2, 11000000);
  assert_position (world, "ledger/alps/n1", "0");
  g_assert_cmpuint (n_warnings, ==, 1);

  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_archive_database_merge (world->store, batch, &error);
  g_assert_no_error (error);
  run_round (world);
  assert_runs (world, 2, 3000000);
  assert_position (world, "ledger/alps/n1", "2");
  assert_position (world, "ledger-held/alps/n1", "0");
  g_assert_cmpuint (jm_ledger_pull_get_n_unread (world->pull, JM_LEDGER_FAULT_REFUSED),
                    ==, 0);
}

static void
test_a_record_waits_for_a_day_at_most (World *world, gconstpointer data)
{
  add_record (world, 0, "2", 0, "1", 2000000000);
  run_round (world);
  assert_position (world, "ledger/alps/n0", "0");
  now_us += 23 * 3600 * SECOND_US;
  new_pull (world);
  run_round (world);
  assert_position (world, "ledger/alps/n0", "0");
  g_assert_cmpuint (jm_ledger_pull_get_n_unresolved (world->pull), ==, 0);
  now_us += 2 * 3600 * SECOND_US;
  run_round (world);
  assert_position (world, "ledger/alps/n0", "1");
  g_assert_cmpuint (jm_ledger_pull_get_n_unresolved (world->pull), ==, 1);
}

static gpointer
cancel_soon (gpointer data)
{
  World *world = ((gpointer *) data)[0];
  gboolean is_asked = FALSE;

  while (!is_asked)
    {
      g_mutex_lock (&world->lock);
      is_asked = g_queue_get_length (&world->hanging) > 0;
      g_mutex_unlock (&world->lock);
      g_thread_yield ();
    }
  g_cancellable_cancel (((gpointer *) data)[1]);

  return NULL;
}

static void
test_it_is_given_up_at_once (World *world, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gpointer both[] = { world, cancellable };
  GThread *thread;
  gint64 begin_us = g_get_monotonic_time ();

  for (guint i = 0; i < N_NODES; i++)
    world->nodes[i].manner = HANGS;
  thread = g_thread_new ("impatient", cancel_soon, both);
  g_assert_false (jm_ledger_pull_run_round (world->pull, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 10 * G_USEC_PER_SEC);
  g_thread_join (thread);
}

static void
test_no_password_leaves_in_clear (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  jm_ledger_pull_clear_targets (world->pull);
  jm_ledger_pull_set_login (world->pull, "collector", "secret");
  g_assert_true (jm_ledger_pull_set_target (world->pull, "alps", "n1",
                                            "http://192.0.2.1/ledger", &error));
  g_assert_false (
    jm_ledger_pull_set_target (world->pull, "alps", "n/1", "http://n1/", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  run_round (world);
  g_assert_cmpuint (jm_ledger_pull_get_n_failed (world->pull), ==, 1);
}

#define ADD(name, function)                                                            \
 g_test_add ("/ledger-pull/" name, World, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_handler ("JobMetrics", G_LOG_LEVEL_WARNING, on_warning, NULL);
  ADD ("all-is-stored-once", test_all_is_stored_once);
  ADD ("what-is-reported-again-counts-once", test_what_is_reported_again_counts_once);
  ADD ("a-run-of-two-nodes-is-their-sum", test_a_run_of_two_nodes_is_their_sum);
  ADD ("what-runs-is-reported-until-it-ends", test_what_runs_is_reported_until_it_ends);
  ADD ("a-run-goes-on-until-its-last-node", test_a_run_goes_on_until_its_last_node);
  ADD ("what-ran-last-is-not-what-it-came-to",
       test_what_ran_last_is_not_what_it_came_to);
  ADD ("a-running-job-without-begin-is-left-out",
       test_a_running_job_without_begin_is_left_out);
  ADD ("bad-nodes-harm-no-other", test_bad_nodes_harm_no_other);
  ADD ("a-slow-node-holds-up-no-other", test_a_slow_node_holds_up_no_other);
  ADD ("a-target-that-is-left-out-while-it-is-slow-may-come-back",
       test_a_target_that_is_left_out_while_it_is_slow_may_come_back);
  ADD ("a-record-that-cannot-be-read-costs-itself",
       test_a_record_that_cannot_be_read_costs_itself);
  ADD ("later-format", test_a_record_of_a_later_format_is_read_after_the_upgrade);
  ADD ("a-record-that-runs-ahead-hides-no-other",
       test_a_record_that_runs_ahead_hides_no_other);
  ADD ("a-page-without-a-record-that-can-be-read-is-left-behind",
       test_a_page_without_a_record_that_can_be_read_is_left_behind);
  ADD ("what-runs-and-cannot-be-read-costs-itself",
       test_what_runs_and_cannot_be_read_costs_itself);
  ADD ("a-node-speaks-about-itself-alone", test_a_node_speaks_about_itself_alone);
  ADD ("a-node-has-the-names-of-its-target", test_a_node_has_the_names_of_its_target);
  ADD ("a-target-without-name-takes-none-of-another",
       test_a_target_without_name_takes_none_of_another);
  ADD ("a-node-that-the-accounting-does-not-have",
       test_a_node_that_the_accounting_does_not_have);
  ADD ("an-accounting-that-comes-after-a-record",
       test_an_accounting_that_comes_after_a_record);
  ADD ("a-list-of-nodes-that-is-not-known-refuses-none",
       test_a_list_of_nodes_that_is_not_known_refuses_none);
  ADD ("a-node-under-another-name-is-of-its-run",
       test_a_node_under_another_name_is_of_its_run);
  ADD ("names-that-the-accounting-does-not-have-refuse-none",
       test_names_that_the_accounting_does_not_have_refuse_none);
  ADD ("targets-that-were-read-are-known-to-the-next-program",
       test_targets_that_were_read_are_known_to_the_next_program);
  ADD ("an-impossible-record-is-passed-over", test_an_impossible_record_is_passed_over);
  ADD ("a-record-is-held-to-what-its-node-has",
       test_a_record_is_held_to_what_its_node_has);
  ADD ("a-record-of-an-honest-extreme-is-taken",
       test_a_record_of_an_honest_extreme_is_taken);
  ADD ("a-record-without-run-key-is-passed-over",
       test_a_record_without_run_key_is_passed_over);
  ADD ("a-page-of-200-loses-its-faults-alone",
       test_a_page_of_200_loses_its_faults_alone);
  ADD ("a-ledger-made-anew-is-read-from-there",
       test_a_ledger_made_anew_is_read_from_there);
  ADD ("a-merge-that-fails-loses-nothing", test_a_merge_that_fails_loses_nothing);
  ADD ("a-record-waits-for-its-run", test_a_record_waits_for_its_run);
  ADD ("a-record-waits-for-a-word-on-its-owner",
       test_a_record_waits_for_a_word_on_its_owner);
  ADD ("a-record-waits-for-a-day-at-most", test_a_record_waits_for_a_day_at_most);
  ADD ("it-is-given-up-at-once", test_it_is_given_up_at_once);
  ADD ("no-password-leaves-in-clear", test_no_password_leaves_in_clear);

  return g_test_run ();
}
