/* test-job.c: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-job-private.h"

static JmJob *
make_job (const char *identity, const char *start_time, const char *sluid)
{
  const char *fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_CLUSTER] = "lab",         [JM_JOB_FIELD_ID] = "5",
    [JM_JOB_FIELD_IDENTITY] = identity,     [JM_JOB_FIELD_SLUID] = sluid,
    [JM_JOB_FIELD_START_TIME] = start_time, [JM_JOB_FIELD_USER] = "alice",
    [JM_JOB_FIELD_ARRAY_JOB_ID] = "4",      [JM_JOB_FIELD_ARRAY_TASK_ID] = "17",
    [JM_JOB_FIELD_HET_JOB_ID] = "3",        [JM_JOB_FIELD_HET_JOB_OFFSET] = "1",
  };

  return jm_job_new_from_array (fields);
}

static void
test_uuid_is_made_of_cluster_id_and_the_hooks_start_time (void)
{
  g_autoptr (JmJob) job = make_job (JM_IDENTITY_HOOK, "1700000000", NULL);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "7aa60aab-0fb3-52ba-823c-afa2c1857419");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_uuid_is_weak_when_the_start_time_could_be_forged (void)
{
  g_autoptr (JmJob) job = make_job (JM_IDENTITY_ENVIRONMENT, "1700000000", NULL);
  g_autoptr (JmJob) same = make_job (JM_IDENTITY_PATH, NULL, NULL);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "970c3cb3-0248-51b6-a6e5-715d464dc40d");
  g_assert_cmpstr (jm_job_get_uuid (same), ==, "970c3cb3-0248-51b6-a6e5-715d464dc40d");
  g_assert_true (jm_job_is_uuid_weak (job));
  g_assert_true (jm_job_is_uuid_weak (same));
}

static void
test_uuid_is_made_of_the_sluid_where_there_is_one (void)
{
  g_autoptr (JmJob) job = make_job (JM_IDENTITY_PATH, NULL, "s0123456789abc");

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "a9fcd163-c616-5b8e-bc15-ace5a11b376a");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_uuid_of_a_hook_file_is_kept (void)
{
  const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5",
                                          [JM_JOB_FIELD_UUID] = "from-a-hook" };
  g_autoptr (JmJob) job = jm_job_new_from_array (fields);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "from-a-hook");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_unknown_fields_are_absent (void)
{
  const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5" };
  g_autoptr (JmJob) job = jm_job_new_from_array (fields);

  g_assert_cmpstr (jm_job_get_id (job), ==, "5");
  g_assert_cmpstr (jm_job_get_uuid (job), ==, "86f6bf16-2b96-5bef-9d34-7208e734a03d");
  g_assert_null (jm_job_get_user (job));
  g_assert_null (jm_job_get_field (job, JM_JOB_FIELD_CLUSTER));
  g_assert_cmpint (jm_job_get_start_time (job), ==, 0);
}

static void
test_answers_to_every_name_that_people_give_it (void)
{
  static const char *const names[] = { "5", "4_17", "3+1", "s0123456789abc",
                                       "a9fcd163-c616-5b8e-bc15-ace5a11b376a" };
  static const char *const others[] = { "",     "4",   "17", "4_1", "4_171",
                                        "4+17", "3_1", "3+", "50",  "s012" };
  g_autoptr (JmJob) job = make_job (JM_IDENTITY_PATH, NULL, "s0123456789abc");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (jm_job_is_called (job, names[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (jm_job_is_called (job, others[i]));
}

static void
test_bytes_that_are_no_utf8_are_replaced (void)
{
  const char *fields
    [JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5", [JM_JOB_FIELD_NAME] = "a\xff\xc3z" };
  g_autoptr (JmJob) job = jm_job_new_from_array (fields);

  g_assert_cmpstr (jm_job_get_field (job, JM_JOB_FIELD_NAME), ==,
                   "a\xef\xbf\xbd\xef\xbf\xbdz");
}

static void
test_is_made_from_a_table_of_names (void)
{
  g_autoptr (GHashTable) fields = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (JmJob) job = NULL;

  g_hash_table_insert (fields, (gpointer) "jobid", (gpointer) "5");
  g_hash_table_insert (fields, (gpointer) "account", (gpointer) "physics");
  g_hash_table_insert (fields, (gpointer) "colour", (gpointer) "red");
  job = jm_job_new (fields);

  g_assert_cmpstr (jm_job_get_id (job), ==, "5");
  g_assert_cmpstr (jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT), ==, "physics");
}

static void
test_keeps_its_name_while_more_becomes_known (void)
{
  g_autoptr (JmJob) first = make_job (JM_IDENTITY_PATH, NULL, NULL);
  g_autoptr (JmJob) later = make_job (JM_IDENTITY_HOOK, "1700000000", NULL);
  g_autoptr (JmJob) renamed = jm_job_new_renamed (later, first);

  g_assert_cmpstr (jm_job_get_uuid (renamed), ==, jm_job_get_uuid (first));
  g_assert_true (jm_job_is_uuid_weak (renamed));
  g_assert_cmpint (jm_job_get_start_time (renamed), ==, 1700000000);
}

static void
test_every_field_is_found_by_its_name (void)
{
  JmJobField found;

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    {
      g_assert_nonnull (jm_job_field_get_name (i));
      g_assert_true (jm_job_field_from_name (jm_job_field_get_name (i), &found));
      g_assert_cmpint (found, ==, i);
    }
  g_assert_false (jm_job_field_from_name ("colour", &found));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job/uuid-is-made-of-cluster-id-and-the-hooks-start-time",
                   test_uuid_is_made_of_cluster_id_and_the_hooks_start_time);
  g_test_add_func ("/job/uuid-is-weak-when-the-start-time-could-be-forged",
                   test_uuid_is_weak_when_the_start_time_could_be_forged);
  g_test_add_func ("/job/uuid-is-made-of-the-sluid-where-there-is-one",
                   test_uuid_is_made_of_the_sluid_where_there_is_one);
  g_test_add_func ("/job/uuid-of-a-hook-file-is-kept",
                   test_uuid_of_a_hook_file_is_kept);
  g_test_add_func ("/job/unknown-fields-are-absent", test_unknown_fields_are_absent);
  g_test_add_func ("/job/answers-to-every-name-that-people-give-it",
                   test_answers_to_every_name_that_people_give_it);
  g_test_add_func ("/job/bytes-that-are-no-utf8-are-replaced",
                   test_bytes_that_are_no_utf8_are_replaced);
  g_test_add_func ("/job/is-made-from-a-table-of-names",
                   test_is_made_from_a_table_of_names);
  g_test_add_func ("/job/keeps-its-name-while-more-becomes-known",
                   test_keeps_its_name_while_more_becomes_known);
  g_test_add_func ("/job/every-field-is-found-by-its-name",
                   test_every_field_is_found_by_its_name);

  return g_test_run ();
}
