/* test-record-page.c: what a node writes, as the server reads it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "../../archive/made-record.h"
#include "base/jm-error.h"
#include "core/jm-further-fields-private.h"
#include "core/jm-job-private.h"
#include "core/jm-metric-private.h"
#include "core/jm-record-json-private.h"
#include "io/jm-ledger-client-private.h"
#include "node/ledger/jm-job-history-private.h"

#define N_ROUNDS 10
#define N_RECORDS 20

/* --- records at random --- */

/* Bytes of any kind, since scripts and kernels write what they like. */
static char *
make_text (GRand *rand, guint max)
{
  guint length = (guint) g_rand_int_range (rand, 0, (gint32) max + 1);
  char *text = g_malloc (length + 1);

  for (guint i = 0; i < length; i++)
    text[i] = (char) g_rand_int_range (rand, 1, 256);
  text[length] = '\0';

  return text;
}

static void
set_fields (JmJobDraft *draft, GRand *rand)
{
  for (guint i = 0; i < 3 * JM_N_JOB_FIELDS; i++)
    {
      JmJobField field = (JmJobField) g_rand_int_range (rand, 0, JM_N_JOB_FIELDS);
      JmOrigin origin = (JmOrigin) g_rand_int_range (rand, 1, JM_N_ORIGINS);
      g_autofree char *text = make_text (rand, 40);
      g_autofree char *number = g_strdup_printf ("%d", (int) g_rand_int (rand));

      if (field != JM_JOB_FIELD_UUID)
        jm_job_draft_set (draft, field, origin, g_rand_boolean (rand) ? text : number,
                          -1);
    }
  for (guint i = 0; i < JM_MAX_FURTHER_FIELDS + 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("field_%u", i);
      g_autofree char *text = make_text (rand, JM_FURTHER_FIELD_MAX_BYTES + 10);

      jm_job_draft_set_further (draft, name, JM_ORIGIN_HOOK, text, -1);
    }
}

/* A quick job has no run key. */
static JmJob *
make_job (GRand *rand)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "1", -1);
  set_fields (draft, rand);
  if (g_rand_boolean (rand))
    jm_job_draft_set_run_key (draft, MADE_RUN_KEY);
  if (g_rand_boolean (rand))
    jm_job_draft_set_decided (draft);

  return jm_job_draft_to_job (draft);
}

/* Of any size: many digits, few, none. */
static guint64
make_number (GRand *rand)
{
  guint64 number = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

  return number >> g_rand_int_range (rand, 0, 64);
}

static void
add_reading (JmReadings *readings, GRand *rand, JmMetric metric)
{
  const JmMetricInfo *info = jm_metric_get_info (metric);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JmLabels) labels = NULL;

  for (guint i = 0; i < info->n_labels; i++)
    g_ptr_array_add (values, make_text (rand, 30));
  g_ptr_array_add (values, NULL);
  if (info->n_labels == 0)
    jm_readings_add (readings, metric, make_number (rand));
  else
    {
      labels = jm_labels_new ((const char **) values->pdata);
      jm_readings_add_labelled (readings, metric, labels, make_number (rand));
    }
}

static void
fill (JmReadings *readings, GRand *rand, guint subject, JmSubjectKind kind)
{
  jm_readings_set_subject (readings, subject);
  for (JmMetric metric = 0; metric < JM_N_METRICS; metric++)
    if (jm_metric_is_about (metric, kind) && g_rand_boolean (rand))
      add_reading (readings, rand, metric);
}

static JmSnapshot *
make_snapshot (GRand *rand, JmJob *job, gint64 end_us)
{
  g_autoptr (JmReadings) readings = jm_readings_new ();
  g_autofree char *name = make_text (rand, 30);
  g_autoptr (JmLabels) one = jm_labels_of (name, NULL);
  g_autoptr (JmLabels) two = jm_labels_of (name, name, NULL);
  const JmSubject subjects[N_MADE_SUBJECTS] = {
    [MADE_NODE] = { JM_SUBJECT_KIND_NODE },
    [MADE_JOB] = { JM_SUBJECT_KIND_JOB, MADE_NODE, job, NULL, end_us },
    [MADE_GPU] = { JM_SUBJECT_KIND_JOB_GPU, MADE_JOB, job, one, end_us },
    [MADE_STEP] = { JM_SUBJECT_KIND_STEP, MADE_JOB, job, one, end_us },
    [MADE_TASK] = { JM_SUBJECT_KIND_TASK, MADE_STEP, job, two, end_us },
  };

  for (guint i = MADE_JOB; i < N_MADE_SUBJECTS; i++)
    fill (readings, rand, i, subjects[i].kind);

  return jm_snapshot_new (end_us, 0, jm_collector_set_get_all (), subjects,
                          N_MADE_SUBJECTS, readings);
}

static void
add_coverages (JmCoverages *coverages, GRand *rand)
{
  const guint n = (guint) g_rand_int_range (rand, 0, 100);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = make_text (rand, 200);
      g_autofree char *name = g_strdup_printf ("energy.%u", i);

      jm_coverages_add (coverages, g_rand_boolean (rand) ? text : name,
                        g_rand_double_range (rand, -1, 2), JM_TOTAL_METHOD_LAST);
    }
}

static JmJobRecord *
make_record (GRand *rand, JmRunState state, guint64 position)
{
  g_autofree JmCoverages *coverages = g_new0 (JmCoverages, 1);
  const gint64 begin_us = (gint64) (make_number (rand) >> 12);
  const gint64 end_us = state != JM_RUN_STATE_RUNNING ? begin_us + 1 : 0;
  g_autofree char *node = make_text (rand, 30);
  g_autoptr (JmJob) job = make_job (rand);
  g_autoptr (JmSnapshot) snapshot = make_snapshot (rand, job, end_us);
  g_autoptr (JmJobProfile) profile =
    made_profile (rand, g_rand_int_range (rand, 1, G_MAXINT32));
  const JmJobRecordContent content = { .job = job,
                                       .node = node,
                                       .state = state,
                                       .begin_us = begin_us,
                                       .end_us = end_us,
                                       .seen_us = begin_us,
                                       .snapshot = snapshot,
                                       .profile = profile,
                                       .coverage = coverages->coverages };
  JmJobRecordContent whole = content;
  g_autoptr (JmJobRecord) record = NULL;

  add_coverages (coverages, rand);
  whole.n_coverage = coverages->n;
  record = jm_job_record_new (&whole);

  return jm_job_record_at (record, position);
}

/* --- pages of them --- */

static GString *
make_page (GRand *rand, JmRunState state)
{
  GString *text = g_string_new ("{\"records\": [");

  for (guint i = 0; i < N_RECORDS; i++)
    {
      const gboolean is_running = state == JM_RUN_STATE_RUNNING;
      g_autoptr (JmJobRecord) record =
        make_record (rand, state, is_running ? 0 : i + 1);
      g_autofree char *json = jm_record_json_format (record);

      g_string_append_printf (text, "%s%s", i > 0 ? ",\n" : "", json);
    }
  g_string_append_printf (text, "], \"next\": %u, \"more\": false}\n", N_RECORDS);

  return text;
}

/* Those that run and have no run key alone are passed over. */
static void
assert_all_are_read (const JmLedgerPage *page)
{
  guint n_keyless = page->n_unread[JM_LEDGER_FAULT_RUN_KEY];

  if (n_keyless == 0)
    g_assert_cmpstr (page->fault, ==, NULL);
  g_assert_true (n_keyless == 0 || page->is_running);
  g_assert_cmpuint (page->records->len + n_keyless, ==, N_RECORDS);
}

static void
test_all_that_a_node_writes_is_read (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      JmRunState state = i % 2 == 0 ? JM_RUN_STATE_ENDED : JM_RUN_STATE_LOST;
      g_autoptr (GString) text = make_page (rand, state);
      g_auto (JmLedgerPage) page = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_true (
        jm_ledger_page_read (&page, text->str, text->len, "n1", 0, &error));
      g_assert_no_error (error);
      assert_all_are_read (&page);
    }
}

static void
test_what_runs_is_read (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (GString) text = make_page (rand, JM_RUN_STATE_RUNNING);
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (
    jm_ledger_page_read_running (&page, text->str, text->len, "n1", &error));
  g_assert_no_error (error);
  assert_all_are_read (&page);
}

static void
test_a_record_without_run_key_gets_its_own (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr (JmJobRecord) record = make_record (rand, JM_RUN_STATE_ENDED, 1);
      g_autofree char *json = jm_record_json_format (record);
      g_autoptr (GError) error = NULL;
      g_autoptr (JmJobRecord) same =
        jm_record_json_parse (json, strlen (json), "it", &error);

      g_assert_no_error (error);
      g_assert_cmpstr (jm_job_record_get_key (same), ==,
                       jm_job_record_get_key (record));
      g_assert_cmpstr (jm_job_get_run_key (jm_job_record_get_job (same)), ==,
                       jm_job_record_get_key (record));
    }
}

/* The first breaks JSON itself, and has brackets in a string. */
static void
test_a_record_that_is_no_json_costs_itself_alone (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (JmJobRecord) record = make_record (rand, JM_RUN_STATE_ENDED, 3);
  g_autofree char *json = jm_record_json_format (record);
  g_autofree char *text = g_strdup_printf ("{\"next\": 3, \"records\": [{\"key\": "
                                           "\"]}\\\"\" : 01,, nan}, %s],"
                                           " \"more\": false}",
                                           json);
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *read = NULL;

  g_assert_true (jm_ledger_page_read (&page, text, strlen (text), "n1", 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (page.n_unread[JM_LEDGER_FAULT_MALFORMED], ==, 1);
  g_assert_cmpuint (page.records->len, ==, 1);
  read = jm_record_json_format (page.records->pdata[0]);
  g_assert_cmpstr (read, ==, json);
}

/* Old records are deleted, and so positions have gaps: 10, 20... in a page to 1000. One
 * of them is anywhere else. */
static void
test_a_position_that_is_wrong_costs_its_record_alone (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  const guint wrong = (guint) g_rand_int_range (rand, 0, N_RECORDS);
  const guint64 position = (guint64) g_rand_int_range (rand, 0, 2000);
  g_autoptr (GString) text = g_string_new ("{\"records\": [");
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_RECORDS; i++)
    {
      g_autoptr (JmJobRecord) record =
        make_record (rand, JM_RUN_STATE_ENDED,
                     i == wrong ? position : (i + 1) * G_GUINT64_CONSTANT (10));
      g_autofree char *json = jm_record_json_format (record);

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", json);
    }
  g_string_append (text, "], \"next\": 1000, \"more\": false}");
  g_assert_true (jm_ledger_page_read (&page, text->str, text->len, "n1", 0, &error));
  g_assert_no_error (error);
  /* between its neighbours it is right */
  g_assert_cmpuint (page.records->len, >=, N_RECORDS - 1);
  g_assert_cmpuint (page.records->len + page.n_unread[JM_LEDGER_FAULT_POSITION], ==,
                    N_RECORDS);
}

static void
test_what_has_no_records_is_no_page (void)
{
  const char *const texts[] = {
    "",
    "{",
    "[]",
    "{\"records\"",
    "{\"records\":",
    "{\"records\": [",
    "{\"records\": [{\"a\": \"",
    "{\"records\": {}, \"next\": 3, \"more\": false}",
    "{\"records\": []",
    "{\"records\": []}",
    "{\"next\": \"records\", \"more\": [\"records\", []]}",
    "{\"x\": {\"records\": []}, \"next\": 3}",
    "<html>records: []</html>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (JmLedgerPage) page = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (
        jm_ledger_page_read (&page, texts[i], strlen (texts[i]), "n1", 0, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
    }
}

static void
test_more_than_a_page_may_have_is_one_thing_to_report (void)
{
  g_autoptr (GString) text = g_string_new ("{\"records\": [0");
  g_auto (JmLedgerPage) page = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < JM_LEDGER_PAGE_RECORDS + 4; i++)
    g_string_append (text, ",0");
  g_string_append (text, "], \"next\": 7, \"more\": true}");
  g_assert_true (jm_ledger_page_read (&page, text->str, text->len, "n1", 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (page.n_unread[JM_LEDGER_FAULT_MALFORMED], ==,
                    JM_LEDGER_PAGE_RECORDS);
  g_assert_cmpuint (page.n_unread[JM_LEDGER_FAULT_SURPLUS], ==, 5);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record-page/all-that-a-node-writes-is-read",
                   test_all_that_a_node_writes_is_read);
  g_test_add_func ("/record-page/what-runs-is-read", test_what_runs_is_read);
  g_test_add_func ("/record-page/a-record-without-run-key-gets-its-own",
                   test_a_record_without_run_key_gets_its_own);
  g_test_add_func ("/record-page/a-record-that-is-no-json-costs-itself-alone",
                   test_a_record_that_is_no_json_costs_itself_alone);
  g_test_add_func ("/record-page/a-position-that-is-wrong-costs-its-record-alone",
                   test_a_position_that_is_wrong_costs_its_record_alone);
  g_test_add_func ("/record-page/what-has-no-records-is-no-page",
                   test_what_has_no_records_is_no_page);
  g_test_add_func ("/record-page/more-than-a-page-may-have-is-one-thing-to-report",
                   test_more_than_a_page_may_have_is_one_thing_to_report);

  return g_test_run ();
}
