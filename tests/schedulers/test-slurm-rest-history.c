/* test-slurm-rest-history.c: Slurm's accounting, as slurmrestd reports it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "recorded-history.h"
#include "web-stand-in.h"

#define JOBS "/slurmdb/v0.0.38/jobs"
#define POSITION "slurmrestd/recorded"

typedef struct
{
  WebStandIn *server;
  JmHost *host;
  JmHistory *history;
  GPtrArray *batches;
} Fixture;

static void
answer_with_file (Fixture *f, const char *path, const char *name)
{
  g_autofree char *text = recorded_history_load (name);

  web_stand_in_set (f->server, path, "200 OK", "", text);
}

static JmHistory *
open_history (Fixture *f, const char *cluster, GError **error)
{
  return g_initable_new (JM_TYPE_SLURM_REST_HISTORY, NULL, error, "host", f->host,
                         "cluster", cluster, "url", web_stand_in_get_url (f->server),
                         "api-version", 38, "timeout", 20, NULL);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->server = web_stand_in_new (FALSE);
  f->host = jm_host_new (NULL);
  f->batches = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  f->history = open_history (f, "recorded", &error);
  g_assert_no_error (error);
  answer_with_file (f, "/slurm/v0.0.38/ping", "ping-38.json");
  answer_with_file (f, "/slurmdb/v0.0.38/clusters", "clusters-38.json");
  answer_with_file (f, "/slurmdb/v0.0.38/accounts", "accounts-38.json");
  answer_with_file (f, "/slurmdb/v0.0.38/users", "users-38.json");
  answer_with_file (f, JOBS, "jobs-38.json");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->history);
  g_ptr_array_unref (f->batches);
  g_object_unref (f->host);
  web_stand_in_free (f->server);
}

static gboolean
keep (JmRunBatch *batch, gpointer user_data, GError **error)
{
  g_ptr_array_add (((Fixture *) user_data)->batches, jm_run_batch_ref (batch));

  return TRUE;
}

static gboolean
read_from (Fixture *f, gint64 seconds_ago, GError **error)
{
  g_autofree char *position =
    g_strdup_printf ("%" G_GINT64_FORMAT,
                     g_get_real_time () / G_USEC_PER_SEC - seconds_ago);

  return jm_history_read (f->history, position, keep, f, NULL, error);
}

static void
read_recent (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  read_from (f, 0, &error);
  g_assert_no_error (error);
}

static const char *
find_position (Fixture *f)
{
  const char *position = NULL;

  for (guint i = 0; i < f->batches->len; i++)
    {
      JmRunBatch *batch = f->batches->pdata[i];
      const char *one = g_hash_table_lookup (batch->positions, POSITION);

      position = one != NULL ? one : position;
    }

  return position;
}

static void
assert_fails (Fixture *f, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (read_from (f, 0, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("no \"%s\" in: %s", words, error->message);
  g_assert_null (find_position (f));
}

static void
test_reports_what_sacct_reports (Fixture *f, gconstpointer data)
{
  const RecordedGaps gaps = { .lacks_uid = TRUE, .lacks_exit_codes = TRUE };

  read_recent (f);

  recorded_history_assert_told (f->batches, &gaps);
  g_assert_nonnull (find_position (f));
}

static JmRun *
find_run (Fixture *f, const char *raw_id)
{
  JmRun *found = NULL;

  for (guint i = 0; i < f->batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) f->batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        if (g_str_equal (raw_id,
                         jm_run_get_raw_id (g_array_index (items, JmRunItem, k).run)))
          found = g_array_index (items, JmRunItem, k).run;
    }
  g_assert_nonnull (found);

  return found;
}

/* Of 26.05.5: one that ended, and one that runs, whose end is the time of the question.
 */
static void
test_what_runs_has_no_end (Fixture *f, gconstpointer data)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-history-26.05",
                           "jobs-45.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gint64 number;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  web_stand_in_set (f->server, JOBS, "200 OK", "", text);
  read_recent (f);

  g_assert_true (jm_run_get_number (find_run (f, "1"), JM_RUN_FIELD_END_TIME, &number));
  g_assert_cmpint (number, ==, 1795825301);
  g_assert_cmpstr (jm_run_peek_text (find_run (f, "14"), JM_RUN_FIELD_STATE), ==,
                   "RUNNING");
  g_assert_false (
    jm_run_get_number (find_run (f, "14"), JM_RUN_FIELD_END_TIME, &number));
  g_assert_false (
    jm_run_get_number (find_run (f, "14"), JM_RUN_FIELD_EXIT_CODE, &number));
  g_assert_true (
    jm_run_get_number (find_run (f, "14"), JM_RUN_FIELD_SEEN_TIME, &number));
}

/* The uuid that a node makes of the SLUID, as Python's uuid5 () makes it. */
static void
test_a_run_is_called_as_on_its_node (Fixture *f, gconstpointer data)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-history-26.05",
                           "jobs-45.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  web_stand_in_set (f->server, JOBS, "200 OK", "", text);
  read_recent (f);

  g_assert_cmpstr (jm_run_peek_text (find_run (f, "1"), JM_RUN_FIELD_UUID), ==,
                   "8d75bf7e-7e2c-55d0-8da4-501e8d13d8b4");
  g_assert_cmpstr (jm_run_peek_text (find_run (f, "14"), JM_RUN_FIELD_UUID), ==,
                   "22b5afed-6a87-5dec-aa55-6ecb74fb2f5d");
}

static void
test_who_may_see_what (Fixture *f, gconstpointer data)
{
  read_recent (f);

  recorded_history_assert_roles (f->batches);
}

static void
test_asks_for_its_cluster_and_a_day_at_a_time (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *request = NULL;

  g_assert_true (read_from (f, 2 * 86400, &error));
  g_assert_no_error (error);

  /* what is read again makes it a third */
  g_assert_cmpuint (web_stand_in_count (f->server, JOBS), ==, 3);
  request = web_stand_in_get_request (f->server, JOBS);
  g_assert_nonnull (strstr (request, "start_time=uts1"));
  g_assert_nonnull (strstr (request, "&end_time=uts"));
  g_assert_nonnull (strstr (request, "&cluster=recorded"));
}

static void
test_a_day_without_any_run (Fixture *f, gconstpointer data)
{
  answer_with_file (f, JOBS, "none-38.json");

  read_recent (f);

  g_assert_nonnull (find_position (f));
}

static void
test_a_cluster_that_there_is_not (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_finalize_object (f->history);
  f->history = open_history (f, "other", &error);
  g_assert_no_error (error);

  assert_fails (f, JM_ERROR_INVALID, "other");
  g_assert_cmpuint (web_stand_in_count (f->server, JOBS), ==, 0);
}

static void
test_half_an_answer_is_none (Fixture *f, gconstpointer data)
{
  g_autofree char *text = recorded_history_load ("jobs-38.json");

  text[strlen (text) / 2] = '\0';
  web_stand_in_set (f->server, JOBS, "200 OK", "", text);

  assert_fails (f, JM_ERROR_MALFORMED, "slurmrestd");
}

static void
test_slurmdbd_that_is_down (Fixture *f, gconstpointer data)
{
  web_stand_in_set (f->server, JOBS, "200 OK", "",
                    "{\"errors\": [{\"error_number\": 7000, \"error\": \"Unable to "
                    "connect to database\"}], \"jobs\": []}");

  assert_fails (f, JM_ERROR_UNAVAILABLE, "Unable to connect to database");
}

/* What was gone is asked anew, and it may be another release then. */
static void
test_goes_on_once_it_is_back (Fixture *f, gconstpointer data)
{
  const RecordedGaps gaps = { .lacks_uid = TRUE, .lacks_exit_codes = TRUE };

  web_stand_in_set (f->server, JOBS, "502 Bad Gateway", "", "");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "502");
  answer_with_file (f, JOBS, "jobs-38.json");

  g_ptr_array_set_size (f->batches, 0);
  read_recent (f);
  recorded_history_assert_told (f->batches, &gaps);
}

static void
test_nobody_is_asked_before_the_first_reading (Fixture *f, gconstpointer data)
{
  g_assert_cmpuint (web_stand_in_count (f->server, "/slurm/v0.0.38/ping"), ==, 0);
  g_assert_cmpstr (jm_history_get_position_name (f->history), ==, POSITION);
}

static void
read_later (Fixture *f, const char *answer)
{
  web_stand_in_set (f->server, "/slurm/v0.0.41/ping", "200 OK", "", "{\"pings\":[]}");
  web_stand_in_set (f->server, "/slurmdb/v0.0.41/clusters", "200 OK", "",
                    "{\"clusters\":[{\"name\":\"recorded\"}]}");
  web_stand_in_set (f->server, "/slurmdb/v0.0.41/accounts", "200 OK", "",
                    "{\"accounts\":[]}");
  web_stand_in_set (f->server, "/slurmdb/v0.0.41/users", "200 OK", "",
                    "{\"users\":[]}");
  web_stand_in_set (f->server, "/slurmdb/v0.0.41/jobs", "200 OK", "", answer);
  g_assert_finalize_object (f->history);
  f->history =
    g_initable_new (JM_TYPE_SLURM_REST_HISTORY, NULL, NULL, "host", f->host, "cluster",
                    "recorded", "url", web_stand_in_get_url (f->server), NULL);
  g_assert_nonnull (f->history);
  read_recent (f);
}

/* Written after Slurm's data_parser 0.0.41: objects of three members, lists of states,
 * steps by their whole name, codes of processes. */
static void
test_a_later_release (Fixture *f, gconstpointer data)
{
  static const char answer[] =
    "{\"jobs\":[{\"job_id\":7,\"user\":\"ada\",\"array\":{\"job_id\":5,\"task_id\":"
    "{\"set\":true,\"infinite\":false,\"number\":2}},\"state\":{\"current\":["
    "\"FAILED\"]"
    "},\"nodes\":\"n1\",\"allocation_nodes\":1,\"exit_code\":{\"status\":[\"ERROR\"],"
    "\"return_code\":{\"set\":true,\"infinite\":false,\"number\":200},\"signal\":{"
    "\"id\":"
    "{\"set\":false,\"infinite\":false,\"number\":0},\"name\":\"\"}},\"time\":{"
    "\"start\":"
    "1795493257,\"end\":1795493300,\"elapsed\":43,\"submission\":1795493250,\"limit\":{"
    "\"set\":true,\"infinite\":false,\"number\":5}},\"steps\":[{\"step\":{\"id\":"
    "\"7.batch\"},\"state\":[\"FAILED\"],\"time\":{\"start\":{\"set\":true,"
    "\"infinite\":"
    "false,\"number\":1795493257}},\"tres\":{\"allocated\":[{\"type\":\"cpu\",\"name\":"
    "\"\",\"count\":2}]}}],\"tres\":{\"allocated\":[{\"type\":\"gres\",\"name\":"
    "\"gpu\","
    "\"count\":2},{\"type\":\"cpu\",\"name\":\"\",\"count\":4}]}}]}";
  JmRunItem *item;
  gint64 number;

  read_later (f, answer);
  item = &g_array_index (((JmRunBatch *) f->batches->pdata[2])->items, JmRunItem, 0);
  g_assert_cmpstr (jm_run_peek_text (item->run, JM_RUN_FIELD_JOBID), ==, "5_2");
  g_assert_cmpstr (jm_run_peek_text (item->run, JM_RUN_FIELD_STATE), ==, "FAILED");
  g_assert_cmpstr (jm_run_peek_text (item->run, JM_RUN_FIELD_TRES), ==,
                   "cpu=4,gres/gpu=2");
  g_assert_true (jm_run_get_number (item->run, JM_RUN_FIELD_EXIT_CODE, &number));
  g_assert_cmpint (number, ==, 200);
  g_assert_true (jm_run_get_number (item->run, JM_RUN_FIELD_TIME_LIMIT, &number));
  g_assert_cmpint (number, ==, 300);
  g_assert_cmpuint (item->parts->len, ==, 1);
  g_assert_cmpstr (jm_run_part_peek_text (item->parts->pdata[0], JM_QUANTITY_NAME), ==,
                   "batch");
}

/* Both of its runs, as 24.11.5 has them. */
static void
test_a_job_that_was_requeued (Fixture *f, gconstpointer data)
{
  static const char answer[] =
    "{\"jobs\":[{\"job_id\":71,\"user\":\"alice\",\"nodes\":\"c1\",\"state\":{"
    "\"current\":[\"PENDING\",\"REQUEUED\"],\"reason\":\"None\"},\"time\":{"
    "\"elapsed\":17,\"eligible\":1796012581,\"end\":1796012599,\"start\":"
    "1796012582,\"submission\":1796012581}},{\"job_id\":71,\"user\":\"alice\","
    "\"nodes\":\"c1\",\"state\":{\"current\":[\"COMPLETED\"],\"reason\":"
    "\"BeginTime\"},\"time\":{\"elapsed\":153,\"eligible\":1796012738,\"end\":"
    "1796012891,\"start\":1796012738,\"submission\":1796012617}}]}";
  static const struct
  {
    const char *state;
    gint64 end;
  } wanted[] = { { "REQUEUED", 1796012599 }, { "COMPLETED", 1796012891 } };
  GArray *items;

  read_later (f, answer);
  items = ((JmRunBatch *) f->batches->pdata[2])->items;
  g_assert_cmpuint (items->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < items->len; i++)
    {
      JmRun *run = g_array_index (items, JmRunItem, i).run;
      gint64 end;

      g_assert_cmpstr (jm_run_peek_text (run, JM_RUN_FIELD_STATE), ==, wanted[i].state);
      g_assert_true (jm_run_get_number (run, JM_RUN_FIELD_END_TIME, &end));
      g_assert_cmpint (end, ==, wanted[i].end);
    }
}

/* --- jobs that cannot be read --- */

/* A slurmrestd that has no answer where one job of it is bad. */
typedef struct
{
  gint64 bad_steps; /* of this job the steps, if others are there or not */
  gint64 bad_job;   /* when it is asked for */
  guint n_answers;  /* after these it has none at all; 0 for no end */
  guint n_asked;
} Troubled;

static gboolean
is_asked_for (const char *query, gint64 id)
{
  const char *step = strstr (query, "&step=");
  g_autofree char *list =
    step != NULL ? g_strndup (step + 6, strcspn (step + 6, "&")) : NULL;
  g_autofree char *text = g_uri_unescape_string (list != NULL ? list : "", NULL);
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, id);
  g_auto (GStrv) numbers = g_strsplit (text, ",", -1);

  return step == NULL || g_strv_contains ((const char *const *) numbers, number);
}

/* Those of the recorded jobs that @query asks for. */
static char *
choose_jobs (const char *query)
{
  g_autofree char *text = recorded_history_load ("jobs-38.json");
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  JsonObject *answer = json_node_get_object (root);
  JsonArray *all = json_object_get_array_member (answer, "jobs");
  JsonArray *chosen = json_array_new ();

  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonObject *job = json_array_get_object_element (all, i);

      if (!is_asked_for (query, json_object_get_int_member (job, "job_id")))
        continue;
      if (strstr (query, "&skip_steps=true") != NULL)
        json_object_set_array_member (job, "steps", json_array_new ());
      json_array_add_object_element (chosen, json_object_ref (job));
    }
  json_object_set_array_member (answer, "jobs", chosen);

  return json_to_string (root, FALSE);
}

static char *
answer_if_good (const char *query, gpointer data)
{
  Troubled *self = data;
  gboolean has_steps = strstr (query, "&skip_steps=true") == NULL;
  gboolean is_list = strstr (query, "&step=") == NULL;

  self->n_asked++;
  if ((has_steps && is_asked_for (query, self->bad_steps)) ||
      (!is_list && is_asked_for (query, self->bad_job)) ||
      (self->n_answers > 0 && self->n_asked > self->n_answers))
    return NULL;

  return choose_jobs (query);
}

static guint
count_items (Fixture *f, const char *raw_id, guint *n_steps)
{
  guint n = 0;

  *n_steps = 0;
  for (guint i = 0; i < f->batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) f->batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        {
          const JmRunItem *item = &g_array_index (items, JmRunItem, k);

          if (raw_id != NULL && g_strcmp0 (jm_run_get_raw_id (item->run), raw_id) != 0)
            continue;
          n++;
          *n_steps += item->parts != NULL ? item->parts->len : 0;
        }
    }

  return n;
}

static void
test_a_job_that_cannot_be_read_costs_itself (Fixture *f, gconstpointer data)
{
  Troubled troubled = { .bad_steps = 8, .bad_job = 21 };
  guint n_all, n_all_steps, n_steps;

  read_recent (f);
  n_all = count_items (f, NULL, &n_all_steps);
  g_ptr_array_set_size (f->batches, 0);

  web_stand_in_set_answer (f->server, JOBS, answer_if_good, &troubled);
  /* they come in any order */
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "slurmrestd/recorded: job *500*");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "slurmrestd/recorded: job *500*");
  read_recent (f);
  g_test_assert_expected_messages ();

  g_assert_nonnull (find_position (f));
  g_assert_cmpuint (count_items (f, "8", &n_steps), ==, 1);
  g_assert_cmpuint (n_steps, ==, 0);
  g_assert_cmpuint (count_items (f, "21", &n_steps), ==, 0);
  g_assert_cmpuint (count_items (f, "24", &n_steps), ==, 2);
  g_assert_cmpuint (n_steps, ==, 4);
  g_assert_cmpuint (count_items (f, NULL, &n_steps), ==, n_all - 1);
  g_assert_cmpuint (n_steps, ==, n_all_steps - 4 - 3);
  /* each bad one is looked for by halves */
  g_assert_cmpuint (troubled.n_asked, <, 40);
}

/* Whatever it is in the middle of. */
static void
test_an_outage_costs_no_job (Fixture *f, gconstpointer data)
{
  /* it warns of steps that are passed over before */
  GLogLevelFlags fatal =
    g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);

  for (guint n_answers = 1; n_answers < 12; n_answers++)
    {
      Troubled troubled = { .bad_steps = 8, .bad_job = 21, .n_answers = n_answers };

      web_stand_in_set_answer (f->server, JOBS, answer_if_good, &troubled);
      assert_fails (f, JM_ERROR_UNAVAILABLE, "500");
    }
  g_log_set_always_fatal (fatal);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                \
 g_test_add ("/slurm-rest-history/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("reports-what-sacct-reports", test_reports_what_sacct_reports);
  ADD ("no-end", test_what_runs_has_no_end);
  ADD ("uuid", test_a_run_is_called_as_on_its_node);
  ADD ("who-may-see-what", test_who_may_see_what);
  ADD ("a-day-at-a-time", test_asks_for_its_cluster_and_a_day_at_a_time);
  ADD ("no-run", test_a_day_without_any_run);
  ADD ("no-such-cluster", test_a_cluster_that_there_is_not);
  ADD ("half-an-answer", test_half_an_answer_is_none);
  ADD ("slurmdbd-is-down", test_slurmdbd_that_is_down);
  ADD ("goes-on", test_goes_on_once_it_is_back);
  ADD ("bad-job", test_a_job_that_cannot_be_read_costs_itself);
  ADD ("outage", test_an_outage_costs_no_job);
  ADD ("not-asked-early", test_nobody_is_asked_before_the_first_reading);
  ADD ("a-later-release", test_a_later_release);
  ADD ("requeued", test_a_job_that_was_requeued);

  return g_test_run ();
}
