/* test-sacct.c: a Slurm's accounting whose commands are scripts
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
#include "core/jm-run-part-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

/* Puts the delimiter that is asked for in place of the recorded one. */
#define PRINT_RECORDED                                                                 \
 "for a; do case $a in --delimiter=*) d=${a#--delimiter=};; esac; done\n"              \
 "sed \"s/$(printf '\\037')12345678/$d/g\" \"$recorded\"/sacct\n"
#define LOG_WINDOW                                                                     \
 "for a; do case $a in --*time=*) echo $a >> \"$here/log\";; esac; done\n"
#define ANSWER_OF_SACCTMGR                                                             \
 "case \"$3\" in account) f=accounts;; user) f=users;; cluster) f=clusters;; esac\n"   \
 "cat \"$recorded/$f\"\n"

typedef struct
{
  char *folder;
  JmHost *host;
  JmHistory *history;
  GPtrArray *batches;
  guint refuse_at; /* the batch that is refused, from 1 on */
} Fixture;

static void
put_command (Fixture *f, const char *name, const char *script)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autofree char *recorded =
    g_test_build_filename (G_TEST_DIST, "fixtures", "sacct-22.05", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\nrecorded='%s'\nhere='%s'\n%s\n",
                                           recorded, f->folder, script);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static JmHistory *
open_history (Fixture *f, const char *cluster, GError **error)
{
  return g_initable_new (JM_TYPE_SACCT, NULL, error, "host", f->host, "cluster",
                         cluster, "directory", f->folder, "timeout", 2, NULL);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("jobmetrics-sacct-XXXXXX", &error);
  g_assert_no_error (error);
  f->host = jm_host_new (NULL);
  f->history = open_history (f, "recorded", &error);
  g_assert_no_error (error);
  f->batches = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_batch_unref);
  put_command (f, "sacctmgr", ANSWER_OF_SACCTMGR);
  put_command (f, "sacct", LOG_WINDOW PRINT_RECORDED);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_ptr_array_unref (f->batches);
  g_assert_finalize_object (f->history);
  g_object_unref (f->host);
  g_free (f->folder);
}

static gboolean
keep (JmRunBatch *batch, gpointer user_data, GError **error)
{
  Fixture *f = user_data;

  if (f->batches->len + 1 == f->refuse_at)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "the disk is full");
      return FALSE;
    }
  g_ptr_array_add (f->batches, jm_run_batch_ref (batch));

  return TRUE;
}

/* One window, which ends now. */
static char *
make_recent_position (void)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT, g_get_real_time () / G_USEC_PER_SEC);
}

static void
read_recent (Fixture *f)
{
  g_autofree char *position = make_recent_position ();
  g_autoptr (GError) error = NULL;

  jm_history_read (f->history, position, keep, f, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_fails (Fixture *f, JmError code, const char *words)
{
  g_autofree char *position = make_recent_position ();
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_history_read (f->history, position, keep, f, NULL, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("no \"%s\" in: %s", words, error->message);
  for (guint i = 0; i < f->batches->len; i++)
    {
      JmRunBatch *batch = f->batches->pdata[i];

      g_assert_cmpuint (g_hash_table_size (batch->positions), ==, 0);
    }
}

/* The nth of those of this number. */
static JmRunItem *
find_item (GPtrArray *batches, const char *raw_id, guint nth)
{
  for (guint i = 0; i < batches->len; i++)
    {
      JmRunBatch *batch = batches->pdata[i];

      for (guint k = 0; k < batch->items->len; k++)
        {
          JmRunItem *item = &g_array_index (batch->items, JmRunItem, k);

          if (g_str_equal (jm_run_get_raw_id (item->run), raw_id) && nth-- == 0)
            return item;
        }
    }

  return NULL;
}

static JmRun *
find_run (Fixture *f, const char *raw_id)
{
  JmRunItem *item = find_item (f->batches, raw_id, 0);

  g_assert_nonnull (item);

  return item->run;
}

static void
assert_number (JmRun *run, JmRunField field, gint64 expected)
{
  gint64 number = -1;

  if (!jm_run_get_number (run, field, &number))
    number = -1;
  g_assert_cmpint (number, ==, expected);
}

static void
assert_text (JmRun *run, JmRunField field, const char *expected)
{
  g_assert_cmpstr (jm_run_peek_text (run, field), ==, expected);
}

/* --- what is read --- */

static void
test_a_run_and_its_steps (Fixture *f, gconstpointer data)
{
  JmRunItem *item;

  read_recent (f);
  item = find_item (f->batches, "15", 0);

  assert_text (item->run, JM_RUN_FIELD_USER, "ben");
  assert_text (item->run, JM_RUN_FIELD_ACCOUNT, "chemistry");
  assert_text (item->run, JM_RUN_FIELD_QOS, "normal");
  assert_text (item->run, JM_RUN_FIELD_STATE, "COMPLETED");
  assert_text (item->run, JM_RUN_FIELD_NODE_LIST, "n1");
  assert_number (item->run, JM_RUN_FIELD_UID, 1002);
  assert_number (item->run, JM_RUN_FIELD_START_TIME, 1795484917);
  assert_number (item->run, JM_RUN_FIELD_END_TIME, 1795484939);
  assert_number (item->run, JM_RUN_FIELD_ELAPSED, 22);
  assert_number (item->run, JM_RUN_FIELD_TIME_LIMIT, 86400);
  assert_number (item->run, JM_RUN_FIELD_CPU_TOTAL, 61000);
  assert_number (item->run, JM_RUN_FIELD_MEMORY_ALLOCATED, 67108864);
  assert_number (item->run, JM_RUN_FIELD_MEMORY_PEAK, 29122560);
  /* there is no meter of energy, which sacct calls 0 */
  assert_number (item->run, JM_RUN_FIELD_ENERGY, -1);
  g_assert_cmpuint (item->parts->len, ==, 3);
  g_assert_cmpstr (jm_run_part_peek_text (item->parts->pdata[2], JM_QUANTITY_NAME), ==,
                   "0");
  g_assert_cmpint (jm_run_part_peek (item->parts->pdata[2], JM_QUANTITY_MEMORY_PEAK),
                   ==, 29122560);
}

static void
test_a_name_may_have_lines (Fixture *f, gconstpointer data)
{
  read_recent (f);

  assert_text (find_run (f, "1"), JM_RUN_FIELD_NAME, "two\nlines|pipe");
  assert_number (find_run (f, "1"), JM_RUN_FIELD_CPU_TOTAL, 13000);
}

static void
test_parts_of_arrays_and_het_jobs (Fixture *f, gconstpointer data)
{
  read_recent (f);

  assert_text (find_run (f, "13"), JM_RUN_FIELD_JOBID, "2_2");
  assert_text (find_run (f, "13"), JM_RUN_FIELD_ARRAY_JOBID, "2");
  assert_text (find_run (f, "13"), JM_RUN_FIELD_ARRAY_TASKID, "2");
  assert_number (find_run (f, "13"), JM_RUN_FIELD_EXIT_CODE, 2);
  assert_text (find_run (f, "6"), JM_RUN_FIELD_JOBID, "5+1");
  assert_text (find_run (f, "6"), JM_RUN_FIELD_HET_JOBID, "5");
  assert_text (find_run (f, "6"), JM_RUN_FIELD_HET_OFFSET, "1");
  assert_text (find_run (f, "6"), JM_RUN_FIELD_ARRAY_JOBID, NULL);
}

static void
test_what_never_began_has_no_begin (Fixture *f, gconstpointer data)
{
  read_recent (f);

  assert_text (find_run (f, "7"), JM_RUN_FIELD_STATE, "CANCELLED");
  assert_number (find_run (f, "7"), JM_RUN_FIELD_START_TIME, -1);
  assert_number (find_run (f, "7"), JM_RUN_FIELD_END_TIME, 1795484499);
  assert_number (find_run (f, "7"), JM_RUN_FIELD_TIME_LIMIT, -1);
  assert_number (find_run (f, "7"), JM_RUN_FIELD_CPU_TOTAL, -1);
  assert_number (find_run (f, "7"), JM_RUN_FIELD_NODES, -1);
  assert_number (find_run (f, "7"), JM_RUN_FIELD_MEMORY_REQUESTED, 20971520);
  assert_text (find_run (f, "8"), JM_RUN_FIELD_JOBID, "8_[1-4]");
  assert_text (find_run (f, "8"), JM_RUN_FIELD_ARRAY_TASKID, NULL);
}

static void
test_how_runs_end (Fixture *f, gconstpointer data)
{
  read_recent (f);

  assert_number (find_run (f, "3"), JM_RUN_FIELD_EXIT_CODE, 3);
  assert_number (find_run (f, "3"), JM_RUN_FIELD_EXIT_SIGNAL, -1);
  assert_number (find_run (f, "4"), JM_RUN_FIELD_EXIT_SIGNAL, 9);
  assert_text (find_run (f, "10"), JM_RUN_FIELD_STATE, "CANCELLED");
  assert_number (find_run (f, "10"), JM_RUN_FIELD_START_TIME, 1795484505);
}

static void
test_what_goes_on_is_seen (Fixture *f, gconstpointer data)
{
  gint64 seen = 0;

  read_recent (f);

  assert_text (find_run (f, "14"), JM_RUN_FIELD_STATE, "RUNNING");
  assert_number (find_run (f, "14"), JM_RUN_FIELD_END_TIME, -1);
  assert_number (find_run (f, "14"), JM_RUN_FIELD_CPU_TOTAL, -1);
  g_assert_true (jm_run_get_number (find_run (f, "14"), JM_RUN_FIELD_SEEN_TIME, &seen));
  g_assert_cmpint (seen, >=, 1795484917);
}

static void
test_requeued_runs_are_two (Fixture *f, gconstpointer data)
{
  JmRunItem *first, *second;

  read_recent (f);
  first = find_item (f->batches, "9", 0);
  second = find_item (f->batches, "9", 1);

  g_assert_nonnull (second);
  assert_text (first->run, JM_RUN_FIELD_STATE, "REQUEUED");
  g_assert_null (find_item (f->batches, "9", 2));
}

static void
test_persons_and_roles (Fixture *f, gconstpointer data)
{
  JmRunRoles *roles;
  JmRunBatch *batch;
  gboolean is_found = FALSE;

  read_recent (f);
  g_assert_cmpuint (f->batches->len, ==, 3);

  batch = f->batches->pdata[0];
  for (guint i = 0; i < batch->roles->len; i++)
    {
      roles = &g_array_index (batch->roles, JmRunRoles, i);
      if (g_str_equal (roles->account, "physics"))
        is_found =
          g_strv_length (roles->users) == 1 && g_str_equal (roles->users[0], "ben");
    }
  g_assert_true (is_found);

  batch = f->batches->pdata[1];
  roles = &g_array_index (batch->roles, JmRunRoles, 0);
  g_assert_true (g_strv_contains ((const char *const *) roles->users, "root"));
  g_assert_false (g_strv_contains ((const char *const *) roles->users, "ada"));

  batch = f->batches->pdata[2];
  g_assert_cmpuint (batch->names->len, ==, 2);
}

/* --- windows --- */

static void
test_windows_overlap_and_end_now (Fixture *f, gconstpointer data)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *position = g_strdup_printf ("%" G_GINT64_FORMAT, now - 100000);
  g_autofree char *log = g_build_filename (f->folder, "log", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GError) error = NULL;
  gint64 times[4];

  g_assert_cmpstr (jm_history_get_position_name (f->history), ==, "sacct/recorded");
  jm_history_read (f->history, position, keep, f, NULL, &error);
  g_assert_no_error (error);
  g_file_get_contents (log, &text, NULL, &error);
  g_assert_no_error (error);

  lines = g_strsplit (g_strstrip (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GDateTime) time =
        g_date_time_new_from_iso8601 (strchr (lines[i], '=') + 1, utc);

      times[i] = g_date_time_to_unix (time);
    }
  g_assert_cmpint (times[0], ==, now - 100000 - 3600);
  g_assert_cmpint (times[1] - times[0], ==, 86400);
  g_assert_cmpint (times[1] - times[2], ==, 3600);
  g_assert_cmpint (times[3], >=, now);
  for (guint i = 0; i < 2; i++)
    {
      JmRunBatch *batch = f->batches->pdata[2 + i];
      g_autofree char *expected =
        g_strdup_printf ("%" G_GINT64_FORMAT, times[2 * i + 1]);

      g_assert_cmpstr (g_hash_table_lookup (batch->positions, "sacct/recorded"), ==,
                       expected);
    }
}

/* More than a window may have; a program that writes on would not end in time. */
#define PRINT_TOO_MUCH "exec head -c 270000000 /dev/zero\n"

/* Such answers take their time. */
static void
open_patiently (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  g_object_unref (f->history);
  f->history =
    g_initable_new (JM_TYPE_SACCT, NULL, &error, "host", f->host, "cluster", "recorded",
                    "directory", f->folder, "timeout", 300, NULL);
  g_assert_no_error (error);
}

static void
read_from (Fixture *f, gint64 begin)
{
  g_autofree char *position = g_strdup_printf ("%" G_GINT64_FORMAT, begin);
  g_autoptr (GError) error = NULL;

  jm_history_read (f->history, position, keep, f, NULL, &error);
  g_assert_no_error (error);
}

/* Until it fits, and the reading goes on to its end. */
static void
test_a_window_that_is_too_large_is_halved (Fixture *f, gconstpointer data)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const JmRunBatch *last;
  const char *position;

  open_patiently (f);
  put_command (f, "sacct",
               "for a; do case $a in --starttime=*) b=${a#*=};; --endtime=*) "
               "e=${a#*=};; esac; done\n"
               "s=$(($(date -u -d $e +%s) - $(date -u -d $b +%s)))\n"
               "[ $s -le 12000 ] || " PRINT_TOO_MUCH PRINT_RECORDED);
  read_from (f, now - 4 * 3600);
  g_assert_nonnull (find_item (f->batches, "15", 2));
  last = f->batches->pdata[f->batches->len - 1];
  position = g_hash_table_lookup (last->positions, "sacct/recorded");
  g_assert_nonnull (position);
  g_assert_cmpint (g_ascii_strtoll (position, NULL, 10), >=, now);
}

/* As a database that is slow with many rows. */
static void
test_a_window_that_takes_too_long_is_halved (Fixture *f, gconstpointer data)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *hangs = "for a; do case $a in --starttime=*) b=${a#*=};; --endtime=*) "
                      "e=${a#*=};; esac; done\n"
                      "s=$(($(date -u -d $e +%s) - $(date -u -d $b +%s)))\n"
                      "[ $s -le 12000 ] || exec sleep 600\n" PRINT_RECORDED;

  put_command (f, "sacct", hangs);
  read_from (f, now - 4 * 3600);
  g_assert_nonnull (find_item (f->batches, "15", 2));
}

/* One of some has more steps than an hour may have rows: its own are missing. */
static void
test_a_job_with_too_many_steps_costs_these (Fixture *f, gconstpointer data)
{
  open_patiently (f);
  put_command (f, "sacct",
               "for a; do case $a in --delimiter=*) d=${a#*=};; --allocations) x=1;; "
               "--jobs=*) j=,${a#*=},;; --format=JobIDRaw) o=1;; esac; done\n"
               "[ -z \"$o\" ] || exec printf '3\\n15\\n9\\n9\\n'\n"
               "[ -n \"$j\" ] || " PRINT_TOO_MUCH
               "[ -n \"$x\" ] || case $j in *,15,*) " PRINT_TOO_MUCH ";; esac\n"
               "old=$(printf '\\037')12345678\n"
               "awk -F \"$old\" -v j=\"$j\" -v x=\"$x\" '{ split($1, p, \".\") }\n"
               "index(j, \",\" p[1] \",\") && (!x || $1 !~ /[.]/)' \"$recorded/sacct\" "
               "|"
               " sed \"s/$old/$d/g\"\n");
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "sacct/*: job 15: its steps are passed over: *without end*");
  read_recent (f);
  g_test_assert_expected_messages ();

  g_assert_cmpuint (find_item (f->batches, "3", 0)->parts->len, >, 0);
  g_assert_null (find_item (f->batches, "15", 0)->parts);
  assert_text (find_run (f, "15"), JM_RUN_FIELD_USER, "ben");
  g_assert_nonnull (find_item (f->batches, "9", 1));
  g_assert_null (find_item (f->batches, "1", 0));
}

static void
test_who_takes_may_refuse (Fixture *f, gconstpointer data)
{
  f->refuse_at = 3;
  assert_fails (f, JM_ERROR_UNAVAILABLE, "the disk is full");
}

static void
test_a_position_that_is_none (Fixture *f, gconstpointer data)
{
  static const char *const bad[] = { "", "0", "-5", "12a", "99999999999999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (jm_history_read (f->history, bad[i], keep, f, NULL, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    }
}

/* --- what fails --- */

static void
test_a_database_that_is_down (Fixture *f, gconstpointer data)
{
  put_command (f, "sacct", PRINT_RECORDED "echo 'sacct: error: slurmdbd' >&2; exit 1");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "slurmdbd");
}

static void
test_one_that_hangs_is_killed (Fixture *f, gconstpointer data)
{
  put_command (f, "sacct", "sleep 600");
  assert_fails (f, JM_ERROR_UNAVAILABLE, "has not ended in time");
}

static void
test_half_a_row (Fixture *f, gconstpointer data)
{
  put_command (f, "sacct", "{\n" PRINT_RECORDED "} | head -c 9000");
  assert_fails (f, JM_ERROR_MALFORMED, "the last row is not whole");
}

static void
test_no_row_at_all (Fixture *f, gconstpointer data)
{
  put_command (f, "sacct", "echo maintenance");
  assert_fails (f, JM_ERROR_MALFORMED, "maintenance");
}

static guint64
count_unread (GPtrArray *batches)
{
  guint64 n = 0;

  for (guint i = 0; i < batches->len; i++)
    n += ((const JmRunBatch *) batches->pdata[i])->n_unread;

  return n;
}

static void
test_a_line_between_rows_costs_none (Fixture *f, gconstpointer data)
{
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                         "*passed over: 1*no row: note*");
  put_command (f, "sacct", "echo note\n" PRINT_RECORDED);
  read_recent (f);

  g_assert_nonnull (find_item (f->batches, "1", 0));
  g_test_assert_expected_messages ();
  /* the next reading counts it again, and logs no more */
  g_assert_cmpuint (count_unread (f->batches), ==, 1);
  read_recent (f);
  g_assert_cmpuint (count_unread (f->batches), ==, 2);
}

static void
test_an_empty_day_is_an_answer (Fixture *f, gconstpointer data)
{
  JmRunBatch *batch;

  put_command (f, "sacct", "exit 0");
  read_recent (f);
  batch = f->batches->pdata[2];

  g_assert_cmpuint (batch->items->len, ==, 0);
  g_assert_cmpuint (g_hash_table_size (batch->positions), ==, 1);
}

static void
test_a_cluster_that_there_is_not (Fixture *f, gconstpointer data)
{
  put_command (f, "sacctmgr", "echo birch");
  assert_fails (f, JM_ERROR_INVALID, "none of that name: recorded");
}

static void
test_runs_are_reported_without_roles (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*access denied*");
  put_command (f, "sacctmgr", "echo 'access denied' >&2; exit 1");
  read_recent (f);

  g_assert_cmpuint (f->batches->len, ==, 1);
  g_assert_nonnull (find_item (f->batches, "15", 0));
  g_test_assert_expected_messages ();
}

static void
assert_role (Fixture *f, const char *role, const char *account, const char *expected)
{
  g_autofree char *users = NULL;

  for (guint i = 0; i < f->batches->len; i++)
    {
      GArray *roles = ((JmRunBatch *) f->batches->pdata[i])->roles;

      for (guint k = 0; k < roles->len; k++)
        {
          const JmRunRoles *one = &g_array_index (roles, JmRunRoles, k);

          if (!g_str_equal (one->role, role) || !g_str_equal (one->account, account))
            continue;
          g_assert_null (users);
          users = g_strjoinv (",", one->users);
        }
    }
  g_assert_cmpstr (users, ==, expected);
}

/* As a coordinator may call an account or a user, who adds both: sacctmgr prints line
 * ends as they are. Eve is no administrator, and coordinates nothing. */
static void
test_no_name_forges_a_role (Fixture *f, gconstpointer data)
{
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*two rows*: physics");
  put_command (f, "sacctmgr",
               "case \"$3 $4\" in account*)\n"
               "printf 'physics|ben\\nw\\nphysics|eve\\nz|\\nchemistry|ada,cal\\n'\n"
               "printf 'chemistry|ada,cal\\nbiology|\\n' ;;\n"
               "*=Administrator) echo 'root|Administrator' ;;\n"
               "*=Operator) echo 'ada|Operator' ;;\n"
               "user*) printf 'root|Administrator\\nada|Operator\\n'\n"
               "printf 'u\\neve|Administrator\\ny|None\\n' ;;\n"
               "esac");
  read_recent (f);
  g_test_assert_expected_messages ();

  assert_role (f, JM_ROLE_COORDINATOR, "physics", "");
  assert_role (f, JM_ROLE_COORDINATOR, "chemistry", "ada,cal");
  assert_role (f, JM_ROLE_COORDINATOR, "biology", "");
  assert_role (f, JM_ROLE_ADMINISTRATOR, "", "root,ada");
}

/* --- 26.05 --- */

#define ROW(id, sluid)                                                                 \
 id "|" id "|ada|1|a|p|q|COMPLETED|10|10|10|20|1|10|0:0|1|1||||n1|x|00:01|00:01|00:00" \
    "||0|" sluid "\n"

/* Each is asked for as the release can be: one that does not know a field refuses all.
 */
static void
test_a_run_is_called_as_on_its_node (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *version;
    gboolean is_asked;
  } versions[] = { { "slurm 26.05.5", TRUE },
                   { "slurm 27.11.0-0rc1", TRUE },
                   { "slurm 25.11.3", FALSE },
                   { "slurm 22.05.8", FALSE },
                   { "slurm-wlm 26.05.5", TRUE },
                   { "slurm-wlm 22.05.8", FALSE },
                   { "26.05", FALSE },
                   { "", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      g_autofree char *sacctmgr =
        g_strdup_printf ("test \"$1\" != --version || { echo '%s'; exit; }\n%s",
                         versions[i].version, ANSWER_OF_SACCTMGR);

      g_ptr_array_set_size (f->batches, 0);
      put_command (f, "sacctmgr", sacctmgr);
      put_command (f, "sacct",
                   "for a; do case $a in --delimiter=*) d=${a#--delimiter=};;\n"
                   "*ConsumedEnergyRaw,OriginalSLUID) with=y;; esac; done\n"
                   "printf '" ROW ("1", "s8NHM8FRCZYF00") ROW ("2", "s0000000000000")
                     ROW ("3", "s9")
                       ROW ("4",
                            "") "' |\n"
                                "{ test -n \"$with\" && cat || sed 's/|[^|]*$//'; } |\n"
                                "sed \"s/|/$d/g\"");
      /* logged once */
      if (i == 0)
        g_test_expect_message ("JobMetrics", G_LOG_LEVEL_WARNING,
                               "*rows or values passed over: 1, the first: job 3: "
                               "OriginalSLUID*");
      read_recent (f);
      g_test_assert_expected_messages ();

      assert_text (find_run (f, "1"), JM_RUN_FIELD_UUID,
                   versions[i].is_asked ? "8d75bf7e-7e2c-55d0-8da4-501e8d13d8b4"
                                        : NULL);
      assert_text (find_run (f, "2"), JM_RUN_FIELD_UUID, NULL);
      assert_text (find_run (f, "3"), JM_RUN_FIELD_UUID, NULL);
      assert_text (find_run (f, "4"), JM_RUN_FIELD_UUID, NULL);
      assert_number (find_run (f, "3"), JM_RUN_FIELD_END_TIME, 20);
    }
}

/* --- rows --- */

static JmSacctRows *
take_recorded (guint max_runs, GPtrArray **batches)
{
  JmSacctRows *rows = jm_sacct_rows_new ("made",
                                         "\x1f"
                                         "12345678",
                                         1, max_runs);
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "sacct-22.05", "sacct", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i + 1] != NULL; i++)
    jm_sacct_rows_take (lines[i], strlen (lines[i]), TRUE, rows);
  *batches = jm_sacct_rows_finish (rows, &error);
  g_assert_no_error (error);

  return rows;
}

static void
test_batches_are_bounded (void)
{
  g_autoptr (GPtrArray) batches = NULL;
  g_autoptr (JmSacctRows) rows = take_recorded (4, &batches);
  guint n = 0;

  for (guint i = 0; i < batches->len; i++)
    {
      JmRunBatch *batch = batches->pdata[i];

      g_assert_cmpuint (batch->items->len, <=, 4);
      g_assert_cmpuint (batch->items->len, >, 0);
      n += batch->items->len;
    }
  g_assert_cmpuint (batches->len, ==, (n + 3) / 4);
  g_assert_cmpuint (jm_sacct_rows_get_n_bad (rows), ==, 0);
  /* a step is with its job, wherever a batch ends */
  g_assert_cmpuint (find_item (batches, "15", 0)->parts->len, ==, 3);
}

/* A name that looks like the end of a row and another job's row. */
static void
test_a_name_forges_no_run (void)
{
  static const char row[] = "7;7;ada;1;a;p;q;COMPLETED;10;10;10;20;1;10;0:0;1;1;;;;n1;"
                            "x|00:01|00:01|00:00||0\n"
                            "8|8|ben|2|a|p|q|COMPLETED|10|10|10|20|1|10|0:0|1|1||||n1|"
                            "x|00:01|00:01|00:00||0;00:01.500;00:01;00:00.500;;12";
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
  g_autoptr (GPtrArray) batches = NULL;
  g_auto (GStrv) lines = g_strsplit (row, "\n", -1);
  JmRunItem *item;

  for (guint i = 0; lines[i] != NULL; i++)
    jm_sacct_rows_take (lines[i], strlen (lines[i]), TRUE, rows);
  batches = jm_sacct_rows_finish (rows, NULL);
  item = find_item (batches, "7", 0);

  g_assert_null (find_item (batches, "8", 0));
  assert_number (item->run, JM_RUN_FIELD_CPU_TOTAL, 1500000);
  assert_number (item->run, JM_RUN_FIELD_CPU_SYSTEM, 500000);
  assert_number (item->run, JM_RUN_FIELD_ENERGY, 12000000);
}

/* Before a row with a name of two lines, too: only a whole row shows that it is one. */
static void
test_a_row_that_is_cut_costs_itself (void)
{
  static const char *const lines[] = {
    "7;7;ada;1;a;p;q;FAILED;10;10;10;20;1;10;0:0;1;1;;;;n1;x;00:01;00:01;00:00;;0",
    "8;8;ada;1;a;p;q;FAI",
    "9;9;ben;2;a;p;q;FAILED;10;10;10;20;1;10;0:0;1;1;;;;n1;x",
    "y;00:01;00:01;00:00;;0",
    "10;10;ben;2;a;p;q;FAILED;10;10;10;20;1;10;0:0;1;1;;;;n1;x;00:01;00:01;00:00;;0",
  };
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
  g_autoptr (GPtrArray) batches = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    jm_sacct_rows_take (lines[i], strlen (lines[i]), TRUE, rows);
  batches = jm_sacct_rows_finish (rows, NULL);

  g_assert_cmpuint (jm_sacct_rows_get_n_bad (rows), ==, 1);
  g_assert_cmpstr (jm_sacct_rows_get_complaint (rows), ==, "a row that is cut: 8");
  g_assert_nonnull (find_item (batches, "7", 0));
  g_assert_null (find_item (batches, "8", 0));
  g_assert_cmpstr (jm_run_peek_text (find_item (batches, "9", 0)->run,
                                     JM_RUN_FIELD_NAME),
                   ==, "x\ny");
  g_assert_nonnull (find_item (batches, "10", 0));
}

static void
test_a_bad_number_costs_that_number (void)
{
  static const char *const lines[] = {
    "7;7;ada;1;a;p;q;FAILED;10;10;ten;20;1;10;0:0;1;1;;;;n1;x;00:01;00:01;00:00;;0",
    "7.0;7.0;;;a;;;FAILED;10;10;10;20;;10;0:0;1;1;1;;;n1;x;00:01;00:01;00:00;9K;0",
    "8;8;ada;1;a;p;q;TIMEOUT;10;10;10;20;1;10;0:0;1;1;;;;n1;x;00:00;00:00;00:00;;0",
  };
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
  g_autoptr (GPtrArray) batches = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    jm_sacct_rows_take (lines[i], strlen (lines[i]), TRUE, rows);
  batches = jm_sacct_rows_finish (rows, NULL);

  /* only the start is unknown */
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_START_TIME, -1);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_END_TIME, 20);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_ELAPSED, 10);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_CPU_TOTAL, 1000000);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_MEMORY_PEAK, 9216);
  g_assert_cmpuint (jm_sacct_rows_get_n_bad (rows), ==, 1);
  g_assert_cmpstr (jm_sacct_rows_get_complaint (rows), ==,
                   "job 7: Start is not understood: ten");
  /* nothing was gathered */
  assert_number (find_item (batches, "8", 0)->run, JM_RUN_FIELD_CPU_TOTAL, -1);
}

static void
take_line (JmSacctRows *rows, const char *line)
{
  jm_sacct_rows_take (line, strlen (line), TRUE, rows);
}

static void
test_the_mark_of_the_oom_killer_is_no_signal (void)
{
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
  g_autoptr (GPtrArray) batches = NULL;

  take_line (rows, "7;7;ada;1;a;p;q;OUT_OF_MEMORY;10;10;10;20;1;10;0:125;1;1;;;;n1;x;"
                   "00:01;00:01;00:00;;0");
  batches = jm_sacct_rows_finish (rows, NULL);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_EXIT_CODE, 0);
  assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_EXIT_SIGNAL, -1);
  g_assert_cmpuint (jm_sacct_rows_get_n_bad (rows), ==, 0);
}

/* MaxRSS is the largest task's: the job's peak where it had one task at most. */
static void
test_the_peak_of_a_task_is_that_of_a_job_of_one_task (void)
{
  static const struct
  {
    const char *steps[3]; /* name;tasks;MaxRSS */
    gint64 peak;
  } jobs[] = {
    { { "batch;1;9K" }, 9216 },
    { { "batch;1;1K", "extern;1;1K", "0;1;9K" }, 9216 },
    { { "interactive;1;1K", "0;1;9K" }, 9216 },
    { { "0;1;9K" }, 9216 },
    { { "batch;1;1K", "extern;1;1K", "0;8;9K" }, -1 },
    { { "batch;1;9K", "0;8;1K" }, -1 },
    { { "0;1;9K", "1;1;8K" }, -1 },
    { { "0+1;2;9K" }, -1 },
    { { "0;;9K" }, -1 },
    { { "0;99999999999999999999;9K" }, -1 },
    { { "0;9223372036854775807;9K", "1;9223372036854775807;9K" }, -1 },
    { { "batch;1;", "0;8;" }, -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      const char *const *steps = jobs[i].steps;
      g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
      g_autoptr (GPtrArray) batches = NULL;

      take_line (rows, "7;7;ada;1;a;p;q;FAILED;10;10;10;20;1;10;0:0;1;8;;;;n1;x;"
                       "00:01;00:01;00:00;;0");
      for (guint k = 0; k < G_N_ELEMENTS (jobs[i].steps) && steps[k] != NULL; k++)
        {
          g_auto (GStrv) words = g_strsplit (steps[k], ";", -1);
          g_autofree char *line =
            g_strdup_printf ("7.%s;7.%s;;;a;;;FAILED;10;10;10;20;;10;0:0;1;8;%s;;;n1;"
                             "x;00:01;00:01;00:00;%s;0",
                             words[0], words[0], words[1], words[2]);

          take_line (rows, line);
        }
      batches = jm_sacct_rows_finish (rows, NULL);

      g_test_message ("%s", steps[0]);
      assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_MEMORY_PEAK,
                     jobs[i].peak);
      /* the step keeps what its largest task used */
      if (g_str_has_suffix (steps[0], "9K"))
        g_assert_cmpint (jm_run_part_peek (find_item (batches, "7", 0)->parts->pdata[0],
                                           JM_QUANTITY_MEMORY_PEAK),
                         ==, 9216);
      /* that no memory is known does not mean that no CPU time is */
      assert_number (find_item (batches, "7", 0)->run, JM_RUN_FIELD_CPU_TOTAL, 1000000);
    }
}

static GPtrArray *
read_lines (const char *const *lines, guint n_lines)
{
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("made", ";", 1, 10);
  g_autoptr (GError) error = NULL;
  GPtrArray *batches;

  for (guint i = 0; i < n_lines; i++)
    take_line (rows, lines[i]);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_no_error (error);

  return batches;
}

static gboolean
is_same_field (const JmRun *a, const JmRun *b, JmRunField field)
{
  gint64 number_a = -1;
  gint64 number_b = -1;

  if (jm_run_field_holds_text (field))
    return g_strcmp0 (jm_run_peek_text ((JmRun *) a, field),
                      jm_run_peek_text ((JmRun *) b, field)) == 0;
  jm_run_get_number ((JmRun *) a, field, &number_a);
  jm_run_get_number ((JmRun *) b, field, &number_b);

  return number_a == number_b;
}

/* Every value that is not one costs the fields that come from its column. */
static void
test_a_bad_column_costs_that_column (void)
{
  static const struct
  {
    guint column;
    JmRunField fields[3]; /* 0 is the first of all, which is a key */
  } columns[] = {
    { 2, { JM_RUN_FIELD_USER } },
    { 3, { JM_RUN_FIELD_UID } },
    { 4, { JM_RUN_FIELD_ACCOUNT } },
    { 5, { JM_RUN_FIELD_PARTITION } },
    { 6, { JM_RUN_FIELD_QOS } },
    { 7, { JM_RUN_FIELD_STATE } },
    { 8, { JM_RUN_FIELD_SUBMIT_TIME } },
    { 9, { JM_RUN_FIELD_ELIGIBLE_TIME } },
    { 10, { JM_RUN_FIELD_START_TIME } },
    { 11, { JM_RUN_FIELD_END_TIME } },
    { 12, { JM_RUN_FIELD_TIME_LIMIT } },
    { 13, { JM_RUN_FIELD_ELAPSED } },
    { 14, { JM_RUN_FIELD_EXIT_CODE, JM_RUN_FIELD_EXIT_SIGNAL } },
    { 15, { JM_RUN_FIELD_NODES } },
    { 16, { JM_RUN_FIELD_CPUS } },
    { 18,
      { JM_RUN_FIELD_TRES, JM_RUN_FIELD_MEMORY_ALLOCATED,
        JM_RUN_FIELD_GPUS_ALLOCATED } },
    { 19, { JM_RUN_FIELD_MEMORY_REQUESTED, JM_RUN_FIELD_GPUS_REQUESTED } },
    { 20, { JM_RUN_FIELD_NODE_LIST } },
    { 21, { JM_RUN_FIELD_NAME } },
    { 22, { JM_RUN_FIELD_CPU_TOTAL } },
    { 23, { JM_RUN_FIELD_CPU_USER } },
    { 24, { JM_RUN_FIELD_CPU_SYSTEM } },
    { 26, { JM_RUN_FIELD_ENERGY } },
  };
  static const char *const values[] = { "-1",      "99999999999999999999999999",
                                        "\"'|,=(", "1:2:3:4:5.x",
                                        "a\nb",    "mem=1,cpu=x,gres/gpu=-" };
  const char *lines[] = {
    NULL,
    "7.0;7.0;;;a;;;FAILED;10;10;10;20;;10;0:0;1;1;1;;;n1;x;00:01;00:01;00:00;9K;0",
    "8;8;ada;1;a;p;q;TIMEOUT;10;10;10;20;1;10;0:0;1;1;;;;n1;x;00:00;00:00;00:00;;0",
  };
  const char *good = "7;7;ada;1;a;p;q;FAILED;10;10;10;20;1;10;1:9;1;1;;cpu=1,mem=2G,"
                     "gres/gpu=1,gres/x=9E;"
                     "cpu=1,mem=1G;n1;x;00:01;00:01;00:00;;3";
  g_autoptr (GPtrArray) before = NULL;

  lines[0] = good;
  before = read_lines (lines, G_N_ELEMENTS (lines));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      {
        g_auto (GStrv) words = g_strsplit (good, ";", -1);
        g_autofree char *bad = NULL;
        g_autoptr (GPtrArray) after = NULL;

        g_free (words[columns[i].column]);
        words[columns[i].column] = g_strdup (values[j]);
        bad = g_strjoinv (";", words);
        lines[0] = bad;
        after = read_lines (lines, G_N_ELEMENTS (lines));

        g_test_message ("column %u: %s", columns[i].column, values[j]);
        for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
          {
            const JmRunField *own = columns[i].fields;

            g_assert_true (is_same_field (find_item (before, "8", 0)->run,
                                          find_item (after, "8", 0)->run, field));
            if (field != own[0] && field != own[1] && field != own[2])
              g_assert_true (is_same_field (find_item (before, "7", 0)->run,
                                            find_item (after, "7", 0)->run, field));
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                \
 g_test_add ("/sacct/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("forged-roles", test_no_name_forges_a_role);
  ADD ("uuid", test_a_run_is_called_as_on_its_node);
  ADD ("run", test_a_run_and_its_steps);
  ADD ("name", test_a_name_may_have_lines);
  ADD ("ids", test_parts_of_arrays_and_het_jobs);
  ADD ("never-began", test_what_never_began_has_no_begin);
  ADD ("ends", test_how_runs_end);
  ADD ("goes-on", test_what_goes_on_is_seen);
  ADD ("requeued", test_requeued_runs_are_two);
  ADD ("roles", test_persons_and_roles);
  ADD ("windows", test_windows_overlap_and_end_now);
  ADD ("a-window-that-is-too-large-is-halved",
       test_a_window_that_is_too_large_is_halved);
  ADD ("a-window-that-takes-too-long-is-halved",
       test_a_window_that_takes_too_long_is_halved);
  ADD ("a-job-with-too-many-steps-costs-these",
       test_a_job_with_too_many_steps_costs_these);
  ADD ("refused", test_who_takes_may_refuse);
  ADD ("position", test_a_position_that_is_none);
  ADD ("down", test_a_database_that_is_down);
  ADD ("hangs", test_one_that_hangs_is_killed);
  ADD ("half", test_half_a_row);
  ADD ("garbage", test_no_row_at_all);
  ADD ("note", test_a_line_between_rows_costs_none);
  ADD ("empty", test_an_empty_day_is_an_answer);
  ADD ("no-cluster", test_a_cluster_that_there_is_not);
  ADD ("no-roles", test_runs_are_reported_without_roles);
  g_test_add_func ("/sacct/batches", test_batches_are_bounded);
  g_test_add_func ("/sacct/forged", test_a_name_forges_no_run);
  g_test_add_func ("/sacct/cut", test_a_row_that_is_cut_costs_itself);
  g_test_add_func ("/sacct/peak", test_the_peak_of_a_task_is_that_of_a_job_of_one_task);
  g_test_add_func ("/sacct/bad-column", test_a_bad_column_costs_that_column);
  g_test_add_func ("/sacct/bad-number", test_a_bad_number_costs_that_number);
  g_test_add_func ("/sacct/mark-of-the-oom-killer",
                   test_the_mark_of_the_oom_killer_is_no_signal);

  return g_test_run ();
}
