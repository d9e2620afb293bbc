/* test-job.c: who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-job-private.h"
#include "core/jm-uuid-private.h"
#include "made-job.h"

static JmJob *
make_job (JmOrigin origin, const char *start_time, const char *sluid)
{
  const char *fields[JM_N_JOB_FIELDS] = {
    [JM_JOB_FIELD_CLUSTER] = "lab",         [JM_JOB_FIELD_ID] = "5",
    [JM_JOB_FIELD_SCHEDULER] = "slurm",     [JM_JOB_FIELD_SLUID] = sluid,
    [JM_JOB_FIELD_START_TIME] = start_time, [JM_JOB_FIELD_USER] = "alice",
    [JM_JOB_FIELD_ARRAY_JOB_ID] = "4",      [JM_JOB_FIELD_ARRAY_TASK_ID] = "17",
    [JM_JOB_FIELD_HET_JOB_ID] = "3",        [JM_JOB_FIELD_HET_JOB_OFFSET] = "1",
  };

  return made_job_new (fields, origin);
}

static void
test_uuid_is_made_of_cluster_id_and_the_hooks_start_time (void)
{
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_HOOK, "1700000000", NULL);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "7aa60aab-0fb3-52ba-823c-afa2c1857419");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_uuid_is_weak_where_no_start_is_known (void)
{
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_HOOK, NULL, NULL);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "970c3cb3-0248-51b6-a6e5-715d464dc40d");
  g_assert_true (jm_job_is_uuid_weak (job));
}

static void
test_a_user_chooses_neither_cluster_nor_start_of_the_uuid (void)
{
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_ENVIRONMENT, "1700000000", NULL);
  g_autofree char *expected = jm_uuid_for_job (NULL, "5", 0);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, expected);
  g_assert_true (jm_job_is_uuid_weak (job));
  g_assert_null (jm_job_get_field (job, JM_JOB_FIELD_CLUSTER));
  g_assert_null (jm_job_get_user (job));
}

static void
test_uuid_is_made_of_the_schedulers_own_unique_id_where_there_is_one (void)
{
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_HOOK, "1700000000", "s0123456789abc");
  g_autoptr (JmJob) same = make_job (JM_ORIGIN_PATH, NULL, "s0123456789abc");

  /* python3: uuid.uuid5 (uuid.uuid5 (uuid.NAMESPACE_DNS, "jobmetrics.job"), ...) */
  g_assert_cmpstr (jm_job_get_uuid (job), ==, "46c3c8db-6ab0-5bb4-ac53-00980c9cdf06");
  g_assert_cmpstr (jm_job_get_uuid (same), ==, jm_job_get_uuid (job));
  g_assert_false (jm_job_is_uuid_weak (job));
  g_assert_false (jm_job_is_uuid_weak (same));
}

static void
test_a_job_that_never_ran_has_another_uuid_than_one_that_did (void)
{
  g_autofree char *submitted = jm_uuid_for_submission ("lab", "5", 1700000000);

  g_assert_cmpstr (submitted, ==, "fc8d5fa8-510d-52f8-8c47-1b828afd5bc3");
}

static void
test_a_uuid_that_a_hook_gives_is_kept (void)
{
  const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5",
                                          [JM_JOB_FIELD_UUID] = "from-a-hook" };
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_HOOK);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, "from-a-hook");
  g_assert_false (jm_job_is_uuid_weak (job));
}

static void
test_unknown_fields_are_absent (void)
{
  const char *fields[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5" };
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_PATH);

  g_assert_cmpstr (jm_job_get_id (job), ==, "5");
  g_assert_cmpstr (jm_job_get_uuid (job), ==, "86f6bf16-2b96-5bef-9d34-7208e734a03d");
  g_assert_null (jm_job_get_user (job));
  g_assert_null (jm_job_get_field (job, JM_JOB_FIELD_CLUSTER));
  g_assert_cmpint (jm_job_get_origin (job, JM_JOB_FIELD_CLUSTER), ==, JM_ORIGIN_NONE);
  g_assert_cmpint (jm_job_get_start_time (job), ==, 0);
}

static void
test_answers_to_every_name_that_people_give_it (void)
{
  static const char *const names[] = { "5", "4_17", "3+1", "s0123456789abc",
                                       "46c3c8db-6ab0-5bb4-ac53-00980c9cdf06" };
  static const char *const others[] = { "",     "4",   "17", "4_1", "4_171",
                                        "4+17", "3_1", "3+", "50",  "s012" };
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_HOOK, NULL, "s0123456789abc");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (jm_job_is_called (job, names[i]));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (jm_job_is_called (job, others[i]));
}

static void
test_is_not_taken_for_that_of_another_scheduler_or_cluster (void)
{
  static const char *const names[] = { "slurm:5", "lab/5", "slurm:lab/5",
                                       "slurm:lab/4_17" };
  static const char *const others[] = { "local:5", "other/5", "slurm:other/5", "slurm:",
                                        "lab/",    "slurm/5", "lab:5" };
  g_autoptr (JmJob) job = make_job (JM_ORIGIN_HOOK, NULL, NULL);

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
  g_autoptr (JmJob) job = made_job_new (fields, JM_ORIGIN_HOOK);

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
  g_hash_table_insert (fields, (gpointer) "user", (gpointer) "root");
  job = jm_job_new (fields, JM_ORIGIN_ENVIRONMENT);

  g_assert_cmpstr (jm_job_get_id (job), ==, "5");
  g_assert_cmpstr (jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT), ==, "physics");
  g_assert_cmpint (jm_job_get_origin (job, JM_JOB_FIELD_ACCOUNT), ==,
                   JM_ORIGIN_ENVIRONMENT);
  g_assert_null (jm_job_get_user (job));
}

static void
test_what_was_reported_first_gives_way_to_the_more_reliable_alone (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ACCOUNT, JM_ORIGIN_ENVIRONMENT, "forged", -1);
  g_assert_true (
    jm_job_draft_set (draft, JM_JOB_FIELD_ACCOUNT, JM_ORIGIN_HOOK, "physics", -1));
  g_assert_false (
    jm_job_draft_set (draft, JM_JOB_FIELD_ACCOUNT, JM_ORIGIN_ENVIRONMENT, "rich", -1));
  g_assert_false (
    jm_job_draft_set (draft, JM_JOB_FIELD_ACCOUNT, JM_ORIGIN_HOOK, "later", -1));

  g_assert_cmpstr (jm_job_draft_get (draft, JM_JOB_FIELD_ACCOUNT), ==, "physics");
  g_assert_cmpint (jm_job_draft_get_origin (draft, JM_JOB_FIELD_ACCOUNT), ==,
                   JM_ORIGIN_HOOK);
}

static void
test_several_who_know_a_part_each_make_one_job (void)
{
  const char *of_hook[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5",
                                           [JM_JOB_FIELD_CLUSTER] = "lab",
                                           [JM_JOB_FIELD_ACCOUNT] = "physics" };
  const char *of_process[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "5",
                                              [JM_JOB_FIELD_CLUSTER] = "forged",
                                              [JM_JOB_FIELD_NAME] = "burn" };
  g_autoptr (JmJob) hook = made_job_new (of_hook, JM_ORIGIN_HOOK);
  g_autoptr (JmJob) process = made_job_new (of_process, JM_ORIGIN_ENVIRONMENT);
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) job = NULL;

  g_assert_true (jm_job_draft_merge (draft, process));
  g_assert_true (jm_job_draft_merge (draft, hook));
  g_assert_false (jm_job_draft_merge (draft, process));
  job = jm_job_draft_to_job (draft);

  g_assert_cmpstr (jm_job_get_uuid (job), ==, jm_job_get_uuid (hook));
  g_assert_cmpstr (jm_job_get_field (job, JM_JOB_FIELD_NAME), ==, "burn");
  g_assert_cmpstr (jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT), ==, "physics");
  g_assert_cmpuint (jm_job_count_fields (job, JM_ORIGIN_ENVIRONMENT), ==, 1);
}

static void
test_a_paths_word_for_a_job_gives_way_to_its_id (void)
{
  const char *told[JM_N_JOB_FIELDS] = { [JM_JOB_FIELD_ID] = "12.0" };
  g_autoptr (JmJobDraft) of_path = jm_job_draft_new ();
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) nameless = NULL;
  g_autoptr (JmJob) hook = made_job_new (told, JM_ORIGIN_HOOK);
  g_autoptr (JmJob) job = NULL;

  jm_job_draft_set_alias (of_path, "slot1_1@node");
  jm_job_draft_set (of_path, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "slot1_1@node", -1);
  nameless = jm_job_draft_to_job (of_path);

  g_assert_false (jm_job_draft_merge (draft, nameless));
  g_assert_null (jm_job_draft_get (draft, JM_JOB_FIELD_ID));
  g_assert_true (jm_job_draft_merge (draft, hook));
  job = jm_job_draft_to_job (draft);
  g_assert_cmpstr (jm_job_get_id (job), ==, "12.0");
}

static void
test_a_user_is_one_name_and_its_number (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_UID, JM_ORIGIN_KERNEL, "1001", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_USER, JM_ORIGIN_KERNEL, "bob", -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_UID, JM_ORIGIN_HOOK, "1000", -1);

  g_assert_cmpstr (jm_job_draft_get (draft, JM_JOB_FIELD_UID), ==, "1000");
  g_assert_null (jm_job_draft_get (draft, JM_JOB_FIELD_USER));
}

static void
test_keeps_its_name_while_more_becomes_known (void)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) first = NULL;
  g_autoptr (JmJob) later = NULL;

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "5", -1);
  first = jm_job_draft_to_job (draft);
  jm_job_draft_keep_uuid (draft, first);
  jm_job_draft_set (draft, JM_JOB_FIELD_START_TIME, JM_ORIGIN_HOOK, "1700000000", -1);
  jm_job_draft_set_decided (draft);
  later = jm_job_draft_to_job (draft);

  g_assert_cmpstr (jm_job_get_uuid (later), ==, jm_job_get_uuid (first));
  g_assert_true (jm_job_is_uuid_weak (later));
  g_assert_cmpint (jm_job_get_start_time (later), ==, 1700000000);
  g_assert_false (jm_job_is_decided (first));
  g_assert_true (jm_job_is_decided (later));
}

static void
test_an_environment_reports_nothing_that_others_rely_on (void)
{
  static const JmJobField fields[] = {
    JM_JOB_FIELD_CLUSTER,     JM_JOB_FIELD_SCHEDULER, JM_JOB_FIELD_UUID,
    JM_JOB_FIELD_SLUID,       JM_JOB_FIELD_USER,      JM_JOB_FIELD_UID,
    JM_JOB_FIELD_SUBMIT_TIME, JM_JOB_FIELD_START_TIME
  };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_assert_false (jm_origin_may_tell (JM_ORIGIN_ENVIRONMENT, fields[i]));
      g_assert_true (jm_origin_may_tell (JM_ORIGIN_HOOK, fields[i]));
    }
  g_assert_true (jm_origin_may_tell (JM_ORIGIN_ENVIRONMENT, JM_JOB_FIELD_ACCOUNT));
}

static void
test_every_origin_is_found_by_its_name (void)
{
  JmOrigin found;

  for (JmOrigin i = 0; i < JM_N_ORIGINS; i++)
    {
      g_assert_true (jm_origin_from_name (jm_origin_get_name (i), &found));
      g_assert_cmpint (found, ==, i);
    }
  g_assert_false (jm_origin_from_name ("rumour", &found));
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
  g_test_add_func ("/job/uuid-is-weak-where-no-start-is-known",
                   test_uuid_is_weak_where_no_start_is_known);
  g_test_add_func ("/job/a-user-chooses-neither-cluster-nor-start-of-the-uuid",
                   test_a_user_chooses_neither_cluster_nor_start_of_the_uuid);
  g_test_add_func (
    "/job/uuid-is-made-of-the-schedulers-own-unique-id-where-there-is-one",
    test_uuid_is_made_of_the_schedulers_own_unique_id_where_there_is_one);
  g_test_add_func ("/job/a-job-that-never-ran-has-another-uuid-than-one-that-did",
                   test_a_job_that_never_ran_has_another_uuid_than_one_that_did);
  g_test_add_func ("/job/a-uuid-that-a-hook-gives-is-kept",
                   test_a_uuid_that_a_hook_gives_is_kept);
  g_test_add_func ("/job/unknown-fields-are-absent", test_unknown_fields_are_absent);
  g_test_add_func ("/job/answers-to-every-name-that-people-give-it",
                   test_answers_to_every_name_that_people_give_it);
  g_test_add_func ("/job/is-not-taken-for-that-of-another-scheduler-or-cluster",
                   test_is_not_taken_for_that_of_another_scheduler_or_cluster);
  g_test_add_func ("/job/bytes-that-are-no-utf8-are-replaced",
                   test_bytes_that_are_no_utf8_are_replaced);
  g_test_add_func ("/job/is-made-from-a-table-of-names",
                   test_is_made_from_a_table_of_names);
  g_test_add_func ("/job/what-was-reported-first-gives-way-to-the-more-reliable-alone",
                   test_what_was_reported_first_gives_way_to_the_more_reliable_alone);
  g_test_add_func ("/job/several-who-know-a-part-each-make-one-job",
                   test_several_who_know_a_part_each_make_one_job);
  g_test_add_func ("/job/a-paths-word-for-a-job-gives-way-to-its-id",
                   test_a_paths_word_for_a_job_gives_way_to_its_id);
  g_test_add_func ("/job/a-user-is-one-name-and-its-number",
                   test_a_user_is_one_name_and_its_number);
  g_test_add_func ("/job/keeps-its-name-while-more-becomes-known",
                   test_keeps_its_name_while_more_becomes_known);
  g_test_add_func ("/job/an-environment-reports-nothing-that-others-rely-on",
                   test_an_environment_reports_nothing_that_others_rely_on);
  g_test_add_func ("/job/every-origin-is-found-by-its-name",
                   test_every_origin_is_found_by_its_name);
  g_test_add_func ("/job/every-field-is-found-by-its-name",
                   test_every_field_is_found_by_its_name);

  return g_test_run ();
}
