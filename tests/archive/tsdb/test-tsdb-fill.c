/* test-tsdb-fill.c: runs that no ledger reported, from a made time series database
 *
 * What real ones make of the queries is test-time-series.py's matter.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <libsoup/soup.h>
#include <math.h>
#include <string.h>

#include "archive/tsdb/jm-tsdb-fill-private.h"
#include "archive/tsdb/jm-tsdb-private.h"
#include "base/jm-error.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "made-ledger.h"

#define START_S G_GINT64_CONSTANT (1700000000)
#define MAX_RUNS 10

typedef enum
{
  TRUTHFUL,
  GONE,    /* 503 */
  REFUSES, /* 422 where the job 3 is asked for */
  TIRES,   /* out of time where the job 3 is asked for */
  GARBAGE,
  NO_NUMBERS, /* NaN */
} Manner;

typedef struct
{
  Place place;
  JmArchiveDatabase *store;
  JmTsdb *tsdb;
  JmTsdbFill *fill;
  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  SoupServer *server;
  char *url;
  GMutex lock;
  Manner manner;
  GHashTable *asked; /* of job ids that were asked for */
  guint n_merges;
  guint fails_at; /* that merge, counted from 1; 0 for none */
} World;

static gint64 now_us;

static gint64
get_time (void)
{
  return now_us;
}

/* --- the database --- */

/* On two nodes job N took N * 100 s of CPU time, the second one twice as much. */
static void
append_elements (World *world, GString *text, const char *job, const char *term)
{
  guint number = (guint) g_ascii_strtoull (job, NULL, 10);

  for (guint node = 1; node <= 2; node++)
    g_string_append_printf (text,
                            "%s{\"metric\":{\"instance\":\"n%u\",\"jobmetrics_term\":"
                            "\"%s\"},"
                            "\"value\":[1,\"%u\"]}",
                            g_str_has_suffix (text->str, "[") ? "" : ",", node, term,
                            100 * number * node);
  if (world->manner == NO_NUMBERS)
    g_string_replace (text, "\"100\"", "\"NaN\"", 0);
}

static char *
evaluate (World *world, const char *query)
{
  g_autoptr (GRegex) regex = g_regex_new ("last_over_time\\(jobmetrics_job_cpu_seconds_"
                                          "total\\{jobid=\"(\\d+)\"\\}"
                                          ".*?\"jobmetrics_term\", \"(\\d+)\"",
                                          0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GString *text = g_string_new ("{\"status\":\"success\",\"data\":{\"resultType\":"
                                "\"vector\",\"result\":[");

  g_regex_match (regex, query, 0, &match);
  while (g_match_info_matches (match))
    {
      g_autofree char *job = g_match_info_fetch (match, 1);
      g_autofree char *term = g_match_info_fetch (match, 2);

      g_hash_table_add (world->asked, g_strdup (job));
      append_elements (world, text, job, term);
      g_match_info_next (match, NULL);
    }
  g_string_append (text, "]}}");

  return g_string_free (text, FALSE);
}

static void
tell (SoupServerMessage *message, guint status, const char *text)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text,
                                    strlen (text));
}

static void
answer (World *world, SoupServerMessage *message, const char *query)
{
  gboolean is_third = strstr (query, "jobid=\"3\"") != NULL;
  g_autofree char *text = NULL;

  if (world->manner == GONE)
    tell (message, 503, "");
  else if (world->manner == GARBAGE)
    tell (message, 200, "{\"status\":\"success\",\"data\":{");
  else if (world->manner == REFUSES && is_third)
    tell (message, 422,
          "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"too many "
          "samples\"}");
  else if (world->manner == TIRES && is_third)
    tell (message, 503,
          "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"it took too "
          "long\"}");
  else
    {
      text = evaluate (world, query);
      tell (message, 200, text);
    }
}

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer user_data)
{
  World *world = user_data;
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr (GBytes) bytes = soup_message_body_flatten (body);
  g_autofree char *text =
    g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GHashTable) form = soup_form_decode (text);

  g_mutex_lock (&world->lock);
  g_assert_cmpstr (path, ==, "/api/v1/query");
  g_assert_cmpuint (strlen (g_hash_table_lookup (form, "query")), <=, 16384);
  answer (world, message, g_hash_table_lookup (form, "query"));
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
  world->thread = g_thread_new ("tsdb", serve, world);
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
  g_thread_join (world->thread);
  g_object_unref (world->server);
  g_main_loop_unref (world->loop);
  g_main_context_unref (world->context);
}

/* --- the accounts --- */

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
new_fill (World *world)
{
  JmTsdbFillPlan *plan;

  g_clear_object (&world->fill);
  world->fill = jm_tsdb_fill_new (world->store, world->tsdb);
  plan = jm_tsdb_fill_get_plan (world->fill);
  plan->get_time = get_time;
  plan->merge = merge;
  plan->merge_data = world;
  plan->batch_runs = 4;
}

/* Run N ends N * 100 s behind the begin of all. */
static void
add_run (World *world, guint number, gint64 n_nodes, JmRunSource source)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autofree char *id = g_strdup_printf ("%u", number);
  g_autoptr (JmRun) run = jm_run_new ("alps", id);
  g_autoptr (GError) error = NULL;

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, START_S);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, START_S + 100 * number);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, n_nodes);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 7);
  jm_run_batch_add_run (batch, run, source);
  g_assert_true (jm_archive_database_merge (world->store, batch, &error));
  g_assert_no_error (error);
}

static void
set_up (World *world, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  now_us = (START_S + 86400) * G_USEC_PER_SEC;
  g_mutex_init (&world->lock);
  world->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  place_set_up (&world->place, NULL);
  world->store = jm_archive_database_open (world->place.path, &error);
  g_assert_no_error (error);
  start_server (world);
  world->tsdb = jm_tsdb_new (world->url, &error);
  g_assert_no_error (error);
  new_fill (world);
}

static void
tear_down (World *world, gconstpointer data)
{
  stop_server (world);
  g_object_unref (world->fill);
  g_object_unref (world->tsdb);
  g_object_unref (world->store);
  g_hash_table_unref (world->asked);
  g_mutex_clear (&world->lock);
  g_free (world->url);
  place_tear_down (&world->place, NULL);
}

static void
run_round (World *world)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (jm_tsdb_fill_run_round (world->fill, NULL, &error));
  g_assert_no_error (error);
}

static void
run_round_in_vain (World *world, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_tsdb_fill_run_round (world->fill, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words));
}

static guint
count_asked (World *world)
{
  guint n;

  g_mutex_lock (&world->lock);
  n = g_hash_table_size (world->asked);
  g_hash_table_remove_all (world->asked);
  g_mutex_unlock (&world->lock);

  return n;
}

/* What its accounting reported is 7 microseconds. */
static void
assert_cpu_time (World *world, guint number, gint64 us, JmRunSource source)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autofree char *id = g_strdup_printf ("%u", number);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = jm_archive_database_find_run_by_key (world->store, "alps", id,
                                                               START_S, viewer, &error);
  gint64 value;

  g_assert_no_error (error);
  g_assert_true (jm_run_get_number (run, JM_RUN_FIELD_CPU_TOTAL, &value));
  g_assert_cmpint (value, ==, us);
  g_assert_cmpint (jm_run_peek_source (run, JM_RUN_FIELD_CPU_TOTAL), ==, source);
}

static void
assert_filled (World *world, guint number)
{
  assert_cpu_time (world, number, 300000000 * (gint64) number,
                   JM_RUN_SOURCE_TIME_SERIES);
}

static void
assert_as_accounted (World *world, guint number)
{
  assert_cpu_time (world, number, 7, JM_RUN_SOURCE_ACCOUNTING);
}

static void
assert_counts (World *world, guint n_filled, guint n_lacking, guint n_failed)
{
  g_assert_cmpuint (jm_tsdb_fill_get_n_filled (world->fill), ==, n_filled);
  g_assert_cmpuint (jm_tsdb_fill_get_n_lacking (world->fill), ==, n_lacking);
  g_assert_cmpuint (jm_tsdb_fill_get_n_failed (world->fill), ==, n_failed);
}

static void
add_runs (World *world)
{
  for (guint i = 1; i <= MAX_RUNS; i++)
    add_run (world, i, 2, JM_RUN_SOURCE_ACCOUNTING);
}

/* --- tests --- */

static void
test_fills_each_once (World *world, gconstpointer data)
{
  add_runs (world);
  run_round (world);
  for (guint i = 1; i <= MAX_RUNS; i++)
    assert_filled (world, i);
  assert_counts (world, MAX_RUNS, 0, 0);
  g_assert_cmpuint (count_asked (world), ==, MAX_RUNS);

  new_fill (world);
  run_round (world);
  assert_counts (world, 0, 0, 0);
  g_assert_cmpuint (count_asked (world), ==, 0);
}

static void
test_leaves_what_a_ledger_reported (World *world, gconstpointer data)
{
  add_run (world, 1, 2, JM_RUN_SOURCE_LEDGER);
  run_round (world);
  assert_cpu_time (world, 1, 7, JM_RUN_SOURCE_LEDGER);
  g_assert_cmpuint (count_asked (world), ==, 0);
}

static void
test_leaves_what_not_all_nodes_reported (World *world, gconstpointer data)
{
  add_run (world, 1, 3, JM_RUN_SOURCE_ACCOUNTING);
  add_run (world, 2, 1, JM_RUN_SOURCE_ACCOUNTING);
  run_round (world);
  assert_as_accounted (world, 1);
  assert_as_accounted (world, 2);
  assert_counts (world, 0, 2, 0);
}

static void
test_takes_nothing_for_a_number_that_is_none (World *world, gconstpointer data)
{
  world->manner = NO_NUMBERS;
  add_run (world, 1, 2, JM_RUN_SOURCE_ACCOUNTING);
  run_round (world);
  assert_as_accounted (world, 1);
  assert_counts (world, 0, 1, 0);
}

static void
test_waits_until_the_last_scrape_is_in (World *world, gconstpointer data)
{
  add_runs (world);
  jm_tsdb_fill_set_delay (world->fill, 600);
  now_us = (START_S + 300 + 600) * G_USEC_PER_SEC;
  run_round (world);
  assert_counts (world, 3, 0, 0);
  assert_as_accounted (world, 4);
  now_us += 100 * G_USEC_PER_SEC;
  run_round (world);
  assert_counts (world, 4, 0, 0);
}

static void
test_goes_on_where_it_was_once_the_server_is_back (World *world, gconstpointer data)
{
  add_runs (world);
  world->manner = GONE;
  run_round_in_vain (world, "503");
  assert_counts (world, 0, 0, 0);
  world->manner = GARBAGE;
  run_round_in_vain (world, "too early");
  world->manner = TRUTHFUL;
  run_round (world);
  assert_counts (world, MAX_RUNS, 0, 0);
}

static void
test_goes_on_where_it_was_after_a_full_disk (World *world, gconstpointer data)
{
  add_runs (world);
  world->fails_at = 2;
  run_round_in_vain (world, "the disk is full");
  assert_counts (world, 4, 0, 0);
  count_asked (world);

  new_fill (world);
  run_round (world);
  g_assert_cmpuint (count_asked (world), ==, MAX_RUNS - 4);
  for (guint i = 1; i <= MAX_RUNS; i++)
    assert_filled (world, i);
}

/* The one that cannot be asked for holds no other up. */
static void
assert_gives_up_the_third (World *world, Manner manner)
{
  add_runs (world);
  world->manner = manner;
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "alps/3: is not filled: *too *");
  run_round (world);
  g_test_assert_expected_messages ();
  assert_counts (world, MAX_RUNS - 1, 0, 1);
  assert_as_accounted (world, 3);
  assert_filled (world, 2);
  assert_filled (world, 4);
}

static void
test_gives_up_a_run_that_is_refused (World *world, gconstpointer data)
{
  assert_gives_up_the_third (world, REFUSES);
}

static void
test_gives_up_a_run_that_takes_too_long (World *world, gconstpointer data)
{
  assert_gives_up_the_third (world, TIRES);
}

/* --- energy in detail --- */

static void
tell_energy (World *world, JmRunSource source, const char *run_key, gint64 uj)
{
  g_autoptr (JmRunBatch) batch = jm_run_batch_new ();
  g_autoptr (JmRun) run = jm_run_new ("alps", "1");
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_ENERGY);
  g_autoptr (GError) error = NULL;

  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, START_S);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, START_S + 100);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, uj);
  jm_run_batch_add_run (batch, run, source);
  jm_run_part_set_text (part, JM_QUANTITY_KEY, run_key);
  jm_run_part_set_text (part, JM_QUANTITY_NAME, "cpu");
  jm_run_part_set_number (part, JM_QUANTITY_ENERGY, uj);
  jm_run_batch_add_part (batch, part);
  g_assert_true (jm_archive_database_merge (world->store, batch, &error));
  g_assert_no_error (error);
}

static void
assert_only_part (World *world, gint64 uj)
{
  g_autoptr (JmViewer) viewer = jm_viewer_new_for_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run =
    jm_archive_database_find_run_by_key (world->store, "alps", "1", START_S, viewer,
                                         &error);
  g_autoptr (GPtrArray) parts =
    jm_archive_database_list_parts (world->store, run, JM_RUN_PART_KIND_ENERGY, viewer,
                                    &error);

  g_assert_no_error (error);
  g_assert_cmpuint (parts->len, ==, 1);
  g_assert_cmpint (jm_run_part_peek (parts->pdata[0], JM_QUANTITY_ENERGY), ==, uj);
}

static void
test_shows_energy_of_one_source (World *world, gconstpointer data)
{
  tell_energy (world, JM_RUN_SOURCE_TIME_SERIES, JM_RUN_KEY_TIME_SERIES, 100);
  assert_only_part (world, 100);
  tell_energy (world, JM_RUN_SOURCE_LEDGER, "boot/1", 110);
  assert_only_part (world, 110);
}

/* --- sample by sample --- */

/* One point a second, up to a negative value. */
static gboolean
reckon (const double *values, const double *base, gboolean is_sum, double *amount)
{
  g_autoptr (JmTsdbSeries) series = jm_tsdb_series_new ();

  for (guint i = 0; values[i] >= 0; i++)
    {
      JmTsdbPoint point = { .time = i, .value = values[i] };

      g_array_append_val (series->points, point);
    }

  return jm_tsdb_figures_reckon (series, base, 3, is_sum, amount);
}

static void
test_counts_on_over_an_exporter_that_begins_anew (void)
{
  static const double values[] = { 5, 10, 2, 7, 7, -1 };
  double amount;

  g_assert_true (reckon (values, NULL, TRUE, &amount));
  g_assert_cmpfloat (amount, ==, 17);
  g_assert_true (reckon (values, NULL, FALSE, &amount));
  g_assert_cmpfloat (amount, ==, 10);
}

static void
test_leaves_out_the_run_before (void)
{
  static const double values[] = { 12, 12, 2, 7, -1 };
  static const double remains[] = { 12, 12, -1 };
  const double base = 10;
  double amount;

  g_assert_true (reckon (values, &base, TRUE, &amount));
  g_assert_cmpfloat (amount, ==, 7);
  g_assert_true (reckon (values, &base, FALSE, &amount));
  g_assert_cmpfloat (amount, ==, 7);
  g_assert_false (reckon (remains, &base, TRUE, &amount));
}

static void
test_leaves_out_the_run_behind (void)
{
  static const double values[] = { 1, 2, 3, 4, 1, 100, -1 };
  double amount;

  g_assert_true (reckon (values, NULL, TRUE, &amount));
  g_assert_cmpfloat (amount, ==, 4);
}

#define ADD(name, function)                                                            \
 g_test_add ("/tsdb-fill/" name, World, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("once", test_fills_each_once);
  ADD ("ledger", test_leaves_what_a_ledger_reported);
  ADD ("not-all-nodes", test_leaves_what_not_all_nodes_reported);
  ADD ("no-number", test_takes_nothing_for_a_number_that_is_none);
  ADD ("last-scrape", test_waits_until_the_last_scrape_is_in);
  ADD ("server-gone", test_goes_on_where_it_was_once_the_server_is_back);
  ADD ("full-disk", test_goes_on_where_it_was_after_a_full_disk);
  ADD ("refused", test_gives_up_a_run_that_is_refused);
  ADD ("one-source", test_shows_energy_of_one_source);
  ADD ("too-long", test_gives_up_a_run_that_takes_too_long);
  g_test_add_func ("/tsdb-fill/begins-anew",
                   test_counts_on_over_an_exporter_that_begins_anew);
  g_test_add_func ("/tsdb-fill/run-before", test_leaves_out_the_run_before);
  g_test_add_func ("/tsdb-fill/run-behind", test_leaves_out_the_run_behind);

  return g_test_run ();
}
