/* test-run-goodput.c: tests of productive, idle and lost time of runs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jm-archive.h"
#include "core/jm-job-draft-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "core/jm-snapshot-private.h"
#include "judge/jm-run-rule-private.h"
#include "made-runs.h"
#include "made-site.h"
#include "sql/jm-sql-private.h"

#define N_FATES 7
#define N_CHANCE 300
#define NOT_KNOWN -1.0
#define SECOND_US G_GINT64_CONSTANT (1000000)

typedef enum
{
  PRODUCTIVE,
  IDLE,
  PROLOG_EPILOG, /* only where it is known */
  FAILURE,
  PREEMPTION,
  TIME_LIMIT,
  UNOBSERVED,
} Fate;

static const char *const fates[N_FATES] = {
  "productive",         "idle",
  "prolog_epilog",      "lost_to_failure",
  "lost_to_preemption", "lost_to_time_limit",
  "unobserved",
};

/* A run of one hour on four CPUs and one accelerator, -1 of what is not known; and
 * hours of CPUs and accelerators by fate. */
typedef struct
{
  const char *state;
  gint64 cpu_hours;
  gint64 idle_gpu_hours;
  double cpus[N_FATES];
  double gpus[N_FATES];
} Case;

static const Case cases[] = {
  { "COMPLETED", 3, 0, { [PRODUCTIVE] = 3, [IDLE] = 1 }, { [PRODUCTIVE] = 1 } },
  { "COMPLETED", 4, 1, { [PRODUCTIVE] = 4 }, { [IDLE] = 1 } },
  /* threads of the kernel can add to what was given */
  { "COMPLETED", 5, 0, { [PRODUCTIVE] = 4 }, { [PRODUCTIVE] = 1 } },
  { "COMPLETED", -1, -1, { [UNOBSERVED] = 4 }, { [UNOBSERVED] = 1 } },
  { "COMPLETED", 1, -1, { [PRODUCTIVE] = 1, [IDLE] = 3 }, { [UNOBSERVED] = 1 } },
  { "CANCELLED", 2, 0, { [PRODUCTIVE] = 2, [IDLE] = 2 }, { [PRODUCTIVE] = 1 } },
  { "FAILED", 4, 0, { [FAILURE] = 4 }, { [FAILURE] = 1 } },
  { "OUT_OF_MEMORY", -1, -1, { [FAILURE] = 4 }, { [FAILURE] = 1 } },
  { "NODE_FAIL", 1, 0, { [FAILURE] = 4 }, { [FAILURE] = 1 } },
  { "PREEMPTED", 4, 0, { [PREEMPTION] = 4 }, { [PREEMPTION] = 1 } },
  { "REQUEUED", 4, 0, { [PREEMPTION] = 4 }, { [PREEMPTION] = 1 } },
  { "TIMEOUT", 4, 0, { [TIME_LIMIT] = 4 }, { [TIME_LIMIT] = 1 } },
  { "DEADLINE", 4, 0, { [TIME_LIMIT] = 4 }, { [TIME_LIMIT] = 1 } },
  { "ENDED", 4, 0, { [UNOBSERVED] = 4 }, { [UNOBSERVED] = 1 } },
  { "VANISHED", 4, 0, { [UNOBSERVED] = 4 }, { [UNOBSERVED] = 1 } },
};

static void
add (JmRunBatch *batch, JmRun *run)
{
  jm_run_batch_add_run (batch, run, JM_RUN_SOURCE_ACCOUNTING);
  jm_run_unref (run);
}

static double
get (JmRunTotals *totals, const char *device, const char *name)
{
  g_autofree char *whole = g_strdup_printf ("%s_%s", device, name);
  g_autoptr (GPtrArray) all = jm_run_totals_list_quantities ();
  double value;

  for (guint i = 0; i < all->len; i++)
    {
      const JmQuantity *quantity = all->pdata[i];

      if (g_str_equal (quantity->name, whole))
        return jm_run_totals_get_value (totals, quantity, &value) ? value : NOT_KNOWN;
    }
  g_error ("no such quantity: %s", whole);
}

static double
get_fate (JmRunTotals *totals, const char *device, guint fate)
{
  g_autofree char *name = g_strconcat (fates[fate], "_seconds", NULL);

  return get (totals, device, name);
}

static GPtrArray *
list (MadeSite *site, JmRunFilter *filter, JmUsageGroups groups)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmArchive) archive = jm_archive_open (site->uri, NULL, NULL, &error);
  GPtrArray *totals;

  g_assert_no_error (error);
  totals = jm_archive_list_totals (archive, filter, groups, NULL, NULL, &error);
  g_assert_no_error (error);

  return totals;
}

/* The archive keeps it with the verdict. */
static void
append_number (GString *judged, const char *raw_id, const char *column, gint64 seconds)
{
  g_string_append_printf (judged,
                          "UPDATE run SET %s = %" G_GINT64_FORMAT
                          " WHERE raw_id = '%s';",
                          column, seconds * SECOND_US, raw_id);
}

static void
append_idle_gpus (GString *judged, const char *raw_id, gint64 seconds)
{
  append_number (judged, raw_id, "gpu_unused_us", seconds);
}

static void
store_judged (MadeSite *site, GString *judged)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSql) sql = jm_sql_open (site->uri, JM_SQL_WRITE, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (jm_sql_run (sql, judged->str, &error));
  g_assert_no_error (error);
}

/* Each is a user's. */
static void
test_each_run_s_time_has_the_fate_of_the_run (MadeSite *site, gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (GString) judged = g_string_new (NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) totals = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("%02u", i);
      JmRun *run = made_run (name, MIDNIGHT, MIDNIGHT, MIDNIGHT + 3600);

      jm_run_keep_text (run, JM_RUN_FIELD_USER, name);
      jm_run_keep_text (run, JM_RUN_FIELD_STATE, cases[i].state);
      jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, 1);
      /* the archive finds this out alone */
      jm_run_keep_number (run, JM_RUN_FIELD_PROLOG_EPILOG, 60 * SECOND_US);
      if (cases[i].cpu_hours >= 0)
        jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL,
                            cases[i].cpu_hours * 3600 * SECOND_US);
      if (cases[i].idle_gpu_hours >= 0)
        append_idle_gpus (judged, name, cases[i].idle_gpu_hours * 3600);
      add (batch, run);
    }
  made_site_merge (site, batch);
  store_judged (site, judged);

  jm_run_filter_set_period (filter, MIDNIGHT, 0);
  totals = list (site, filter, JM_USAGE_GROUPS_USER);
  g_assert_cmpuint (totals->len, ==, G_N_ELEMENTS (cases));
  for (guint i = 0; i < totals->len; i++)
    {
      g_test_message ("%u: %s", i, cases[i].state);
      for (guint k = 0; k < N_FATES; k++)
        {
          const gboolean is_known = k != PROLOG_EPILOG;

          g_assert_cmpfloat_with_epsilon (get_fate (totals->pdata[i], "cpu", k),
                                          is_known ? 3600 * cases[i].cpus[k]
                                                   : NOT_KNOWN,
                                          1e-6);
          g_assert_cmpfloat_with_epsilon (get_fate (totals->pdata[i], "gpu", k),
                                          is_known ? 3600 * cases[i].gpus[k]
                                                   : NOT_KNOWN,
                                          1e-6);
        }
      g_assert_cmpfloat_with_epsilon (get (totals->pdata[i], "cpu", "goodput_percent"),
                                      25 * cases[i].cpus[PRODUCTIVE], 1e-6);
    }
}

/* --- prolog and epilog --- */

/* What a node saw of a run that the scheduler has from 0 on; -1 for not. */
typedef struct
{
  gint64 begin;
  gint64 end;
  gint64 observed_ppm;
  gboolean is_late; /* it did not see when the first process began */
} Life;

typedef struct
{
  const char *situation;
  const char *step;
  Life lives[2];
  gint64 expected; /* seconds; -1 for not known */
  gboolean is_of_nodes;
  gint64 length; /* seconds; 0 for an hour */
} Waiting;

static const Waiting waitings[] = {
  { "both ends", "batch", { { 120, 3590, 1000000 }, { 130, 3580, 1000000 } }, 130 },
  { "a node that had work later alone",
    "batch",
    { { 0, 3600, 1000000 }, { 1800, 2000, 1000000 } },
    0 },
  { "no job script", "0", { { 900, 3600, 1000000 }, { 900, 3600, 1000000 } }, -1 },
  { "a job script of another scheduler",
    NULL,
    { { 60, 3600, 1000000 }, { 60, 3600, 1000000 } },
    60 },
  { "a node without a record", "batch", { { 120, 3600, 1000000 }, { -1 } }, -1 },
  { "a node whose end was not seen",
    "batch",
    { { 120, 3600, 1000000 }, { 120, -1, 1000000 } },
    -1 },
  { "a node that was not watched throughout",
    "batch",
    { { 120, 3600, 1000000 }, { 120, 3600, 900000 } },
    -1 },
  { "a clock that is late",
    "batch",
    { { -30, 3500, 1000000 }, { 0, 3400, 1000000 } },
    100 },
  { "another clock altogether",
    "batch",
    { { 9000, 9900, 1000000 }, { 9000, 9900, 1000000 } },
    -1 },
  { "a node whose exporter began late",
    "batch",
    { { 120, 3600, 1000000 }, { 900, 3600, 1000000, TRUE } },
    -1 },
  { "times that nodes reported alone",
    "batch",
    { { 120, 3600, 1000000 }, { 120, 3600, 1000000 } },
    -1,
    TRUE },
  { "six days of which nobody watched the last 55 minutes",
    "batch",
    { { 120, 6 * DAY - 3000, 993600 }, { 120, 6 * DAY - 3000, 993600 } },
    -1,
    FALSE,
    6 * DAY },
  { "six days of which nobody watched 52 seconds",
    "batch",
    { { 120, 6 * DAY - 10, 999900 }, { 120, 6 * DAY - 10, 999900 } },
    130,
    FALSE,
    6 * DAY },
};

static gint64
get_length (const Waiting *waiting)
{
  return waiting->length > 0 ? waiting->length : 3600;
}

static JmJobRecord *
make_record (const Life *life)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJob) job = NULL;
  g_autoptr (JmReadings) readings = jm_readings_new ();
  const gint64 end_us = (MIDNIGHT + MAX (life->end, 0)) * SECOND_US;
  JmSubject subjects[] = { { JM_SUBJECT_KIND_NODE },
                           { JM_SUBJECT_KIND_JOB, JM_NODE_SUBJECT } };
  g_autoptr (JmSnapshot) snapshot = NULL;
  JmJobRecordContent content = { .state = JM_RUN_STATE_ENDED,
                                 .begin_us = (MIDNIGHT + life->begin) * SECOND_US,
                                 .end_us = end_us,
                                 .seen_us = end_us };

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, "1", -1);
  job = jm_job_draft_to_job (draft);
  subjects[JM_RECORD_SUBJECT].job = content.job = job;
  jm_readings_reset (readings, jm_collector_set_get_all ());
  jm_readings_set_subject (readings, JM_RECORD_SUBJECT);
  if (!life->is_late)
    jm_readings_add (readings, JM_METRIC_PROCESS_FIRST_START,
                     (guint64) content.begin_us * 1000);
  snapshot = jm_snapshot_new (end_us, 0, jm_collector_set_get_all (), subjects,
                              G_N_ELEMENTS (subjects), readings);
  content.snapshot = snapshot;

  return jm_job_record_new (&content);
}

static void
add_life (JmRunBatch *batch, guint number, const Life *life)
{
  const char *node = number == 0 ? "n1" : "n2";
  g_autoptr (JmRunPart) part = jm_run_part_new (JM_RUN_PART_KIND_NODE);
  g_autoptr (JmRunPart) whole = jm_run_part_new (JM_RUN_PART_KIND_RECORD);
  g_autoptr (JmJobRecord) record = NULL;

  if (life->begin == -1)
    return;

  record = make_record (life);
  jm_run_part_set_text (whole, JM_QUANTITY_NODE, node);
  g_assert_true (jm_run_part_set_record (whole, record));
  jm_run_batch_add_part (batch, whole);
  jm_run_part_set_text (part, JM_QUANTITY_NODE, node);
  jm_run_part_set_number (part, JM_QUANTITY_START_TIME, MIDNIGHT + life->begin);
  if (life->end >= 0)
    jm_run_part_set_number (part, JM_QUANTITY_END_TIME, MIDNIGHT + life->end);
  jm_run_part_set_number (part, JM_QUANTITY_LIFE_OBSERVED, life->observed_ppm);
  jm_run_batch_add_part (batch, part);
}

static void
add_waiting (JmRunBatch *batch, const char *name, const Waiting *waiting)
{
  JmRun *run = made_run (name, MIDNIGHT, MIDNIGHT, MIDNIGHT + get_length (waiting));
  g_autoptr (JmRunPart) step = jm_run_part_new (JM_RUN_PART_KIND_STEP);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, name);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 3600 * SECOND_US);
  jm_run_batch_add_run (batch, run,
                        waiting->is_of_nodes ? JM_RUN_SOURCE_LEDGER
                                             : JM_RUN_SOURCE_ACCOUNTING);
  jm_run_unref (run);
  for (guint i = 0; i < G_N_ELEMENTS (waiting->lives); i++)
    add_life (batch, i, &waiting->lives[i]);
  if (waiting->step == NULL)
    return;

  jm_run_part_set_text (step, JM_QUANTITY_NODE, "n1");
  jm_run_part_set_text (step, JM_QUANTITY_NAME, waiting->step);
  jm_run_batch_add_part (batch, step);
}

static void
judge (MadeSite *site)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunRules) rules =
    jm_run_rules_new_from_text ("site.conf", "", 0, &error);
  gboolean is_done = FALSE;

  g_assert_no_error (error);
  while (!is_done)
    {
      jm_archive_database_judge (site->store, rules, &is_done, &error);
      g_assert_no_error (error);
    }
}

/* Each is a user's, with four CPUs, of which one was busy. */
static void
test_time_before_the_first_process_and_after_the_last_is_apart (MadeSite *site,
                                                                gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) totals = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (waitings); i++)
    {
      g_autofree char *name = g_strdup_printf ("%02u", i);

      add_waiting (batch, name, &waitings[i]);
    }
  made_site_merge (site, batch);
  judge (site);

  totals = list (site, filter, JM_USAGE_GROUPS_USER);
  g_assert_cmpuint (totals->len, ==, G_N_ELEMENTS (waitings));
  for (guint i = 0; i < totals->len; i++)
    {
      const gint64 known = MAX (waitings[i].expected, 0);

      g_test_message ("%u: %s", i, waitings[i].situation);
      g_assert_cmpfloat_with_epsilon (get_fate (totals->pdata[i], "cpu", PROLOG_EPILOG),
                                      waitings[i].expected >= 0 ? (double) (4 * known)
                                                                : NOT_KNOWN,
                                      1e-6);
      /* nodes do not report what the whole run was given */
      if (waitings[i].is_of_nodes)
        continue;
      g_assert_cmpfloat_with_epsilon (get_fate (totals->pdata[i], "cpu", PRODUCTIVE),
                                      3600, 1e-6);
      g_assert_cmpfloat_with_epsilon (get_fate (totals->pdata[i], "cpu", IDLE),
                                      (double) (4 * get_length (&waitings[i]) - 3600 -
                                                4 * known),
                                      1e-6);
    }
}

/* --- by chance --- */

static gint64
get_overlap (gint64 start, gint64 end, gint64 since, gint64 until)
{
  return MAX (MIN (end, until) - MAX (start, since), 0);
}

/* Whole seconds of CPUs and accelerators in the period. */
typedef struct
{
  gint64 cpus;
  gint64 gpus;
} Given;

static JmRun *
make_by_chance (guint number, gint64 since, gint64 until, Given *given, GString *judged)
{
  static const char *const states[] = { "COMPLETED", "CANCELLED", "FAILED",
                                        "TIMEOUT",   "PREEMPTED", "NODE_FAIL",
                                        "ENDED",     "COMPLETED", "LOST" };
  g_autofree char *id = g_strdup_printf ("%u", number);
  const gint64 start =
    MIDNIGHT + g_test_rand_int_range (-20, 60) * DAY + g_test_rand_int_range (0, DAY);
  const gint64 end = start + g_test_rand_int_range (1, 10 * DAY);
  const gint64 cpus = g_test_rand_int_range (1, 65);
  const gint64 gpus = g_test_rand_int_range (0, 5);
  JmRun *run = made_run (id, start, start, end);

  jm_run_keep_text (run, JM_RUN_FIELD_STATE,
                    states[g_test_rand_int_range (0, (gint32) G_N_ELEMENTS (states))]);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, cpus);
  jm_run_keep_number (run, JM_RUN_FIELD_GPUS_ALLOCATED, gpus);
  if (g_test_rand_int_range (0, 3) > 0)
    jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL,
                        g_test_rand_int_range (0, 100) * cpus * (end - start) *
                          SECOND_US / 90);
  if (g_test_rand_int_range (0, 3) > 0)
    append_idle_gpus (judged, id,
                      g_test_rand_int_range (0, 100) * gpus * (end - start) / 90);
  if (g_test_rand_int_range (0, 2) > 0)
    append_number (judged, id, "prolog_epilog_us",
                   g_test_rand_int_range (0, 100) * (end - start) / 90);
  given->cpus += cpus * get_overlap (start, end, since, until);
  given->gpus += gpus * get_overlap (start, end, since, until);

  return run;
}

static void
test_all_time_that_was_given_has_just_one_fate (MadeSite *site, gconstpointer data)
{
  const gint64 since = MIDNIGHT;
  const gint64 until = MIDNIGHT + 45 * DAY + 12345;
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (GString) judged = g_string_new (NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) totals = NULL;
  Given given = { 0 };
  double cpus = 0, gpus = 0;

  for (guint i = 0; i < N_CHANCE; i++)
    add (batch, make_by_chance (i, since, until, &given, judged));
  made_site_merge (site, batch);
  store_judged (site, judged);

  jm_run_filter_set_period (filter, since, until);
  totals = list (site, filter, JM_USAGE_GROUPS_MONTH);
  g_assert_cmpuint (totals->len, ==, 2);
  for (guint i = 0; i < totals->len; i++)
    for (guint k = 0; k < N_FATES; k++)
      {
        cpus += get_fate (totals->pdata[i], "cpu", k);
        gpus += get_fate (totals->pdata[i], "gpu", k);
        g_assert_cmpfloat (get_fate (totals->pdata[i], "cpu", k), >, 0);
      }

  g_assert_cmpfloat_with_epsilon (cpus, (double) given.cpus, 0.5);
  g_assert_cmpfloat_with_epsilon (gpus, (double) given.gpus, 0.5);
}

/* What a server reads is what others read by pages. */
static void
test_a_server_has_all_runs_or_says_that_there_are_more (MadeSite *site,
                                                        gconstpointer data)
{
  JmRunBatch *batch = jm_run_batch_new ();
  g_autoptr (GString) judged = g_string_new (NULL);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (JmViewer) all = jm_viewer_new_for_all ();
  g_autoptr (GPtrArray) totals = NULL;
  const guint max[] = { N_CHANCE - 1, N_CHANCE, N_CHANCE + 1 };
  Given given = { 0 };

  for (guint i = 0; i < N_CHANCE; i++)
    add (batch, make_by_chance (i, 0, G_MAXINT64, &given, judged));
  made_site_merge (site, batch);
  totals = list (site, filter, JM_USAGE_GROUPS_NONE);

  for (guint i = 0; i < G_N_ELEMENTS (max); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean has_more = FALSE;
      g_autoptr (GPtrArray) found =
        jm_archive_database_list_totals (site->store, filter, JM_USAGE_GROUPS_NONE,
                                         max[i], all, &has_more, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (found->len, ==, 1);
      g_assert_cmpint (has_more, ==, max[i] < N_CHANCE);
      for (guint k = 0; !has_more && k < N_FATES; k++)
        g_assert_cmpfloat_with_epsilon (get_fate (found->pdata[0], "cpu", k),
                                        get_fate (totals->pdata[0], "cpu", k), 1e-3);
    }
}

int
main (int argc, char **argv)
{
  static const MadeSiteTest tests[] = {
    { "each-run-s-time-has-the-fate-of-the-run",
      test_each_run_s_time_has_the_fate_of_the_run },
    { "time-before-the-first-process-and-after-the-last-is-apart",
      test_time_before_the_first_process_and_after_the_last_is_apart },
    { "all-time-that-was-given-has-just-one-fate",
      test_all_time_that_was_given_has_just_one_fate },
    { "a-server-has-all-runs-or-says-that-there-are-more",
      test_a_server_has_all_runs_or_says_that_there_are_more },
    { NULL, NULL },
  };

  g_test_init (&argc, &argv, NULL);

  return made_site_run ("run-goodput", tests);
}
