/* test-slurm-rest.c: a Slurm that is asked through slurmrestd
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/slurm/jm-slurm-rest-private.h"
#include "web-stand-in.h"

#define TOKEN "eyJhbGciOiJIUzI1NiJ9.e30.signature"
#define ONE_JOB                                                                        \
 "{\"jobs\": [{\"job_id\": 7, \"job_state\": [\"RUNNING\"], \"user_name\": "           \
 "\"ada\"}], "                                                                         \
 "\"last_update\": {\"set\": true, \"infinite\": false, \"number\": 1}}"

typedef struct
{
  WebStandIn *server;
  JmHost *host;
  JmScheduler *scheduler;
} Fixture;

static char *
load (const char *folder, const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static void
answer_with_file (Fixture *f, const char *path, const char *folder, const char *name)
{
  g_autofree char *text = load (folder, name);

  web_stand_in_set (f->server, path, "200 OK", "", text);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  f->server = web_stand_in_new (FALSE);
  f->host = jm_host_new (NULL);
  answer_with_file (f, "/slurm/v0.0.40/ping", "slurm-rest-made", "ping-40.json");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->scheduler);
  g_clear_object (&f->host);
  web_stand_in_free (f->server);
}

static gboolean
open_scheduler (Fixture *f, const char *first, const char *value, GError **error)
{
  f->scheduler = g_initable_new (JM_TYPE_SLURM_REST, NULL, error, "host", f->host,
                                 "url", web_stand_in_get_url (f->server), "timeout", 20,
                                 first, value, NULL);

  return f->scheduler != NULL;
}

static void
open_it (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  open_scheduler (f, NULL, NULL, &error);
  g_assert_no_error (error);
}

static JmSchedulerReport *
read_topic (Fixture *f, JmSchedulerTopic topic, GError **error)
{
  g_autoptr (JmSchedulerReport) report = jm_scheduler_report_new (topic);

  if (!jm_scheduler_read (f->scheduler, topic, report, NULL, error))
    return NULL;

  return g_steal_pointer (&report);
}

static void
test_finds_the_latest_version_and_the_cluster (Fixture *f, gconstpointer data)
{
  guint version;

  answer_with_file (f, "/slurm/v0.0.38/ping", "slurm-rest-22.05", "ping-38.json");
  open_it (f);

  g_object_get (f->scheduler, "api-version", &version, NULL);
  g_assert_cmpuint (version, ==, 40);
  g_assert_cmpstr (jm_scheduler_get_cluster (f->scheduler), ==, "made");
  g_assert_true (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_SHARES));
}

static void
test_an_old_one_does_not_report_its_cluster (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  web_stand_in_set (f->server, "/slurm/v0.0.40/ping", "404 NOT FOUND", "", "");
  answer_with_file (f, "/slurm/v0.0.38/ping", "slurm-rest-22.05", "ping-38.json");

  g_assert_false (open_scheduler (f, NULL, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "cluster=NAME"));
  g_clear_error (&error);

  g_assert_true (open_scheduler (f, "cluster", "lab", &error));
  g_assert_cmpstr (jm_scheduler_get_cluster (f->scheduler), ==, "lab");
  g_assert_false (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_SHARES));
  g_assert_true (jm_scheduler_has_topic (f->scheduler, JM_SCHEDULER_TOPIC_LICENSES));
}

static void
test_knows_no_version_of_it (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  web_stand_in_set (f->server, "/slurm/v0.0.40/ping", "404 NOT FOUND", "", "");

  g_assert_false (open_scheduler (f, NULL, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_nonnull (strstr (error->message, "0.0.36 to 0.0.45"));
}

static void
test_reads_jobs (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) report = NULL;
  g_autoptr (GError) error = NULL;

  answer_with_file (f, "/slurm/v0.0.40/jobs", "slurm-rest-made", "jobs-40.json");
  open_it (f);
  report = read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 2);
}

static void
test_says_who_it_is (Fixture *f, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("slurm-rest-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "token", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, TOKEN "\n", -1, G_FILE_SET_CONTENTS_NONE, 0600,
                            &error);
  g_assert_no_error (error);
  web_stand_in_set_key (f->server, "X-SLURM-USER-TOKEN: " TOKEN);

  g_assert_false (open_scheduler (f, NULL, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_clear_error (&error);

  g_assert_true (open_scheduler (f, "token-file", path, &error));
  g_assert_no_error (error);

  g_assert_cmpint (g_chmod (path, 0644), ==, 0);
  g_assert_null (read_topic (f, JM_SCHEDULER_TOPIC_NODES, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_null (strstr (error->message, TOKEN));

  g_remove (path);
  g_rmdir (folder);
}

static void
test_does_not_send_a_token_in_the_clear (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) scheduler =
    g_initable_new (JM_TYPE_SLURM_REST, NULL, &error, "host", f->host, "url",
                    "http://192.0.2.1:6820", NULL);

  g_assert_null (scheduler);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "https"));
}

static void
assert_repeats_the_job (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerReport) report =
    read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error);
  g_autofree char *request =
    web_stand_in_get_request (f->server, "/slurm/v0.0.40/jobs");

  g_assert_no_error (error);
  g_assert_nonnull (strstr (request, "/slurm/v0.0.40/jobs?update_time=1"));
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (report), ==, 1);
  g_assert_cmpstr (jm_scheduler_report_get_job (report, 0)->user, ==, "ada");
}

static void
test_what_has_not_changed_is_not_sent_again (Fixture *f, gconstpointer data)
{
  g_autoptr (JmSchedulerReport) first = NULL;
  g_autoptr (JmSchedulerReport) emptied = NULL;
  g_autoptr (GError) error = NULL;

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "", ONE_JOB);
  open_it (f);
  first = read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error);
  g_assert_no_error (error);
  g_clear_pointer (&first, jm_scheduler_report_unref);

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "304 NOT MODIFIED", "", "");
  assert_repeats_the_job (f);
  assert_repeats_the_job (f);

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "",
                    "{\"jobs\": [], \"warnings\": [{\"description\": \"no change\"}]}");
  assert_repeats_the_job (f);

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "",
                    "{\"jobs\": [], \"warnings\": []}");
  emptied = read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (jm_scheduler_report_get_n_jobs (emptied), ==, 0);
}

static void
test_fails_in_clear_words (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_it (f);
  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "",
                    "{\"jobs\": [{\"job_id\": 1,");
  g_assert_null (read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "/slurm/v0.0.40/jobs: it ends too early"));
  g_clear_error (&error);

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "", "<html>");
  g_assert_null (read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "not JSON"));
  g_clear_error (&error);

  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "500 Internal", "",
                    "{\"errors\": [{\"error\": \"slurmctld is away\"}]}");
  g_assert_null (read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "slurmctld is away"));
}

static void
test_an_endless_answer_ends (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_it (f);
  web_stand_in_set (f->server, "/slurm/v0.0.40/jobs", "200 OK", "", "");
  web_stand_in_set_manner (f->server, "/slurm/v0.0.40/jobs", WEB_ENDLESS);

  g_assert_null (read_topic (f, JM_SCHEDULER_TOPIC_JOBS, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

#define ADD(name, func)                                                                \
 g_test_add ("/slurm-rest/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("latest-version", test_finds_the_latest_version_and_the_cluster);
  ADD ("cluster-not-reported", test_an_old_one_does_not_report_its_cluster);
  ADD ("no-version", test_knows_no_version_of_it);
  ADD ("jobs", test_reads_jobs);
  ADD ("token", test_says_who_it_is);
  ADD ("token-in-the-clear", test_does_not_send_a_token_in_the_clear);
  ADD ("unchanged", test_what_has_not_changed_is_not_sent_again);
  ADD ("failures", test_fails_in_clear_words);
  ADD ("endless", test_an_endless_answer_ends);

  return g_test_run ();
}
