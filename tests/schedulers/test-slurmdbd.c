/* test-slurmdbd.c: Slurm's accounting, out of slurmdbd's database
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "schedulers/jm-scheduler-types-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "made-mariadb.h"
#include "recorded-history.h"
#include "schedulers/slurm/jm-slurmdbd-parts-private.h"

#define PASSWORD "of-this-test"
#define POSITION "slurmdbd/recorded"
/* before anything that was recorded */
#define BEGIN 1795000000
/* more than two pages, changed within one second; their keys have all 64 bits, as those
 * of 26.05 may */
#define N_MORE 2500
#define ADD_MORE                                                                       \
 "CREATE TEMPORARY TABLE slurm_acct_db.more AS SELECT * FROM"                          \
 " slurm_acct_db.recorded_job_table WHERE id_job = 1;"                                 \
 "INSERT INTO slurm_acct_db.recorded_job_table SELECT"                                 \
 " m.job_db_inx + 9223372036854775808 + seq AS job_db_inx, 1795400000, m.deleted, "    \
 "m.account,"                                                                          \
 " m.admin_comment, m.array_task_str, m.array_max_tasks, m.array_task_pending,"        \
 " m.constraints, m.container, m.cpus_req, m.derived_ec, m.derived_es,"                \
 " m.env_hash_inx, m.exit_code, m.flags, m.job_name, m.id_assoc, m.id_array_job,"      \
 " m.id_array_task, m.id_block, 1000 + seq, m.id_qos, m.id_resv, m.id_wckey,"          \
 " m.id_user, m.id_group, m.het_job_id, m.het_job_offset, m.kill_requid,"              \
 " m.state_reason_prev, m.mcs_label, m.mem_req, m.nodelist, m.nodes_alloc,"            \
 " m.node_inx, m.`partition`, m.priority, m.script_hash_inx, m.state, m.timelimit,"    \
 " m.time_submit, m.time_eligible, m.time_start, m.time_end, m.time_suspended,"        \
 " m.gres_used, m.wckey, m.work_dir, m.submit_line, m.system_comment, m.tres_alloc,"   \
 " m.tres_req FROM slurm_acct_db.more AS m JOIN slurm_acct_db.seq_1_to_2500;"

static MadeMariadb *server;
static char *password_file;

typedef struct
{
  JmHost *host;
  JmHistory *history;
  GPtrArray *batches;
  gboolean is_killing; /* the server, at the next batch of runs */
} Fixture;

static char *
load_views (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "sql",
                                                 "slurmdbd-views.sql", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

static void
fill_server (void)
{
  g_autofree char *database = recorded_history_load ("database.sql");
  g_autofree char *views = load_views ();
  g_autofree char *sql =
    g_strconcat ("DROP DATABASE IF EXISTS slurm_acct_db; CREATE DATABASE slurm_acct_db;"
                 "USE slurm_acct_db;",
                 database, "SET @cluster = 'recorded';", views,
                 "SET PASSWORD FOR jobmetrics@localhost = PASSWORD('" PASSWORD "');",
                 NULL);

  made_mariadb_run (server, sql);
}

static JmHistory *
open_history (Fixture *f, const char *cluster, GError **error)
{
  return g_initable_new (JM_TYPE_SLURMDBD, NULL, error, "host", f->host, "cluster",
                         cluster, "socket", made_mariadb_get_socket (server),
                         "password-file", password_file, "begin", BEGIN, "overlap", 0,
                         "timeout", 30, NULL);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fill_server ();
  f->host = jm_host_new (NULL);
  f->batches = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  f->history = open_history (f, RECORDED_CLUSTER, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_assert_finalize_object (f->history);
  g_ptr_array_unref (f->batches);
  g_object_unref (f->host);
}

static gboolean
keep (JmRunBatch *batch, gpointer user_data, GError **error)
{
  Fixture *f = user_data;

  g_ptr_array_add (f->batches, jm_run_batch_ref (batch));
  if (f->is_killing && batch->items->len > 0)
    {
      made_mariadb_kill (server);
      f->is_killing = FALSE;
    }

  return TRUE;
}

static void
read_on (Fixture *f, const char *position)
{
  g_autoptr (GError) error = NULL;

  jm_history_read (f->history, position, keep, f, NULL, &error);
  g_assert_no_error (error);
}

static guint
count_runs (Fixture *f)
{
  guint n = 0;

  for (guint i = 0; i < f->batches->len; i++)
    n += ((JmRunBatch *) f->batches->pdata[i])->items->len;

  return n;
}

static char *
find_position (Fixture *f)
{
  const char *position = NULL;

  for (guint i = 0; i < f->batches->len; i++)
    {
      JmRunBatch *batch = f->batches->pdata[i];
      const char *one = g_hash_table_lookup (batch->positions, POSITION);

      position = one != NULL ? one : position;
    }

  return g_strdup (position);
}

static void
test_reports_what_sacct_reports (Fixture *f, gconstpointer data)
{
  const RecordedGaps gaps = { .lacks_canceller = TRUE, .n_further = 2 };

  read_on (f, NULL);

  recorded_history_assert_told (f->batches, &gaps);
}

static void
test_who_may_see_what (Fixture *f, gconstpointer data)
{
  read_on (f, NULL);

  recorded_history_assert_roles (f->batches);
}

static void
test_reads_on_what_has_changed (Fixture *f, gconstpointer data)
{
  g_autofree char *position = NULL;

  read_on (f, NULL);
  position = find_position (f);
  g_ptr_array_set_size (f->batches, 0);
  made_mariadb_run (server,
                    "UPDATE slurm_acct_db.recorded_job_table SET state = 5, mod_time ="
                    " 1795494400, time_end = 1795494390 WHERE id_job = 34");
  read_on (f, position);

  g_assert_cmpuint (count_runs (f), ==, 1);
}

static const char *
find_uuid (Fixture *f, const char *raw_id)
{
  for (guint i = 0; i < f->batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) f->batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        {
          JmRun *run = g_array_index (items, JmRunItem, k).run;

          if (g_str_equal (jm_run_get_raw_id (run), raw_id))
            return jm_run_peek_text (run, JM_RUN_FIELD_UUID);
        }
    }

  g_error ("there is no run %s", raw_id);
}

/* The column of 26.05, where a run of before has 0. The uuid is that of the SLUID
 * s8NHM8FRCZYF00, as Python's uuid5 () makes it; the views do not have the column
 * before they are made anew. */
static void
test_a_run_is_called_as_on_its_node (Fixture *f, gconstpointer data)
{
  g_autofree char *views = load_views ();
  g_autofree char *sql = g_strconcat ("SET @cluster = 'recorded';", views, NULL);

  made_mariadb_run (server, "ALTER TABLE slurm_acct_db.recorded_job_table"
                            " ADD COLUMN sluid BIGINT UNSIGNED NOT NULL DEFAULT 0;"
                            "UPDATE slurm_acct_db.recorded_job_table SET sluid ="
                            " 9999830097806179328 WHERE id_job = 15");
  read_on (f, NULL);
  g_assert_cmpstr (find_uuid (f, "15"), ==, NULL);

  g_ptr_array_set_size (f->batches, 0);
  made_mariadb_run (server, sql);
  read_on (f, NULL);
  g_assert_cmpstr (find_uuid (f, "15"), ==, "8d75bf7e-7e2c-55d0-8da4-501e8d13d8b4");
  g_assert_cmpstr (find_uuid (f, "1"), ==, NULL);
}

static void
test_each_once_over_several_pages (Fixture *f, gconstpointer data)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;

  read_on (f, NULL);
  n = count_runs (f);
  g_ptr_array_set_size (f->batches, 0);
  made_mariadb_run (server, ADD_MORE);
  read_on (f, NULL);

  g_assert_cmpuint (count_runs (f), ==, n + N_MORE);
  for (guint i = 0; i < f->batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) f->batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        {
          const char *id = jm_run_get_raw_id (g_array_index (items, JmRunItem, k).run);

          g_assert_true (g_hash_table_add (ids, (char *) id) || strlen (id) < 4);
        }
    }
}

static void
test_is_killed_and_goes_on (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *position = NULL;
  guint n;

  read_on (f, NULL);
  n = count_runs (f);
  g_ptr_array_set_size (f->batches, 0);
  made_mariadb_run (server, ADD_MORE);
  f->is_killing = TRUE;
  g_assert_false (jm_history_read (f->history, NULL, keep, f, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  position = find_position (f);
  g_assert_nonnull (position);
  g_assert_cmpuint (count_runs (f), <, N_MORE);

  g_clear_error (&error);
  g_assert_false (jm_history_read (f->history, position, keep, f, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  made_mariadb_restart (server);
  read_on (f, position);
  g_assert_cmpuint (count_runs (f), ==, n + N_MORE);
}

/* --- rights --- */

static void
on_row (const char *const *columns, gpointer data)
{
}

static void
assert_denied (JmSlurmdbdClient *client, const char *sql)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_slurmdbd_client_ask (client, sql, 1, on_row, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
}

static void
test_may_read_the_views_alone (Fixture *f, gconstpointer data)
{
  const JmSlurmdbdAddress address = { .host = "localhost",
                                      .socket = made_mariadb_get_socket (server),
                                      .database = "jobmetrics_slurm",
                                      .user = "jobmetrics",
                                      .password = PASSWORD,
                                      .timeout = 30 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSlurmdbdClient) client = jm_slurmdbd_client_new (&address, &error);

  g_assert_no_error (error);
  jm_slurmdbd_client_ask (client, "SELECT COUNT(*) FROM recorded_jobs", 1, on_row, NULL,
                          &error);
  g_assert_no_error (error);
  assert_denied (client, "SELECT id_job FROM slurm_acct_db.recorded_job_table");
  assert_denied (client, "SELECT * FROM slurm_acct_db.recorded_job_script_table");
  assert_denied (client, "SELECT name FROM slurm_acct_db.user_table");
  assert_denied (client, "INSERT INTO administrators VALUES ('ben')");
  assert_denied (client, "UPDATE recorded_jobs SET account = 'x'");
  assert_denied (client, "DELETE FROM tres");
  assert_denied (client, "CREATE TABLE mine (id INT)");
}

static void
assert_fails (Fixture *f, JmError code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_history_read (f->history, NULL, keep, f, NULL, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("no \"%s\" in: %s", words, error->message);
  g_assert_null (strstr (error->message, PASSWORD));
}

static void
test_a_wrong_password (Fixture *f, gconstpointer data)
{
  made_mariadb_run (server, "SET PASSWORD FOR jobmetrics@localhost = PASSWORD('x')");

  assert_fails (f, JM_ERROR_DENIED, "jobmetrics");
}

static void
test_a_cluster_without_views (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_finalize_object (f->history);
  f->history = open_history (f, "o`ther", &error);
  g_assert_no_error (error);

  /* of what it may not see, a user does not learn that it is not there */
  assert_fails (f, JM_ERROR_INVALID, "o`ther_jobs");
}

static void
test_not_over_the_network_in_the_clear (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  JmHistory *history =
    g_initable_new (JM_TYPE_SLURMDBD, NULL, &error, "host", f->host, "cluster",
                    "recorded", "hostname", "db.example.org", NULL);

  g_assert_null (history);
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "db.example.org"));
}

static void
write_password (void)
{
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("jm-password-XXXXXX", &password_file, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents_full (password_file, PASSWORD "\n", -1, G_FILE_SET_CONTENTS_NONE,
                            0600, &error);
  g_assert_no_error (error);
}

static gboolean
has_client (void)
{
  const JmSlurmdbdAddress nowhere = { .socket = "/nonexistent", .timeout = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSlurmdbdClient) client = jm_slurmdbd_client_new (&nowhere, &error);

  return client != NULL || !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
skip (gconstpointer reason)
{
  g_test_skip (reason);
}

static void
add_tests (void)
{
#define ADD(name, func)                                                                \
 g_test_add ("/slurmdbd/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("reports-what-sacct-reports", test_reports_what_sacct_reports);
  ADD ("who-may-see-what", test_who_may_see_what);
  ADD ("what-has-changed", test_reads_on_what_has_changed);
  ADD ("uuid", test_a_run_is_called_as_on_its_node);
  ADD ("pages", test_each_once_over_several_pages);
  ADD ("killed", test_is_killed_and_goes_on);
  ADD ("rights", test_may_read_the_views_alone);
  ADD ("wrong-password", test_a_wrong_password);
  ADD ("no-such-cluster", test_a_cluster_without_views);
  ADD ("in-the-clear", test_not_over_the_network_in_the_clear);
}

int
main (int argc, char **argv)
{
  const char *reason = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);

  if (!has_client ())
    reason = "this build has no MariaDB";
  else
    server = made_mariadb_start (&reason);
  if (server != NULL)
    {
      write_password ();
      add_tests ();
    }
  else
    g_test_add_data_func ("/slurmdbd/server", reason, skip);
  status = g_test_run ();

  g_clear_pointer (&server, made_mariadb_free);
  if (password_file != NULL)
    g_unlink (password_file);
  g_free (password_file);

  return status;
}
