/* test-energy-restart.c: energy that is counted on by the program that comes after
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>

#include "core/jm-job-draft-private.h"
#include "core/jm-readings-private.h"
#include "core/jm-snapshot-private.h"
#include "node/energy/jm-energy-checkpoint-private.h"
#include "node/energy/jm-energy-file-private.h"
#include "node/energy/jm-energy-memory-private.h"
#include "node/energy/jm-energy-parts-private.h"
#include "sources/power/jm-energy-trace-private.h"
#include "two-sockets.h"

#define NS_PER_TICK G_GUINT64_CONSTANT (10000000)
#define JOULE G_GUINT64_CONSTANT (1000000)
#define SECOND G_USEC_PER_SEC
#define FIRST_JOB 10 /* subject; below it are the node and its kin */
#define N_JOBS 3
#define N_SOCKETS 2
#define ABSENT G_MAXUINT64
/* The counters go around in 1000 s at their ceiling. */
#define CEILING_UW (200 * JOULE)
#define RANGE_UJ (200000 * JOULE)

#define BOOT "11111111-2222-4333-8444-555555555555"
#define OTHER_BOOT "99999999-2222-4333-8444-555555555555"

static const char *const packages[N_SOCKETS] = { "package-0", "package-1" };

/* --- the machine, which goes on --- */

typedef struct
{
  TwoSockets *node;
  const char *boot_id;
  gint64 now_us;
  guint64 raw_uj[N_SOCKETS];
  guint64 cpu_ns[N_JOBS];
  gboolean is_there[N_JOBS];
} Machine;

/* What it takes in a second: job I a CPU of socket I % 2 for some time, and so many
 * joules on each socket. */
static void
run_for (Machine *machine, guint seconds)
{
  guint ticks[TWO_SOCKETS_CPUS] = { 0 };

  machine->now_us += seconds * SECOND;
  for (guint i = 0; i < N_JOBS; i++)
    if (machine->is_there[i])
      {
        guint n = seconds * (40 + 20 * i);

        machine->cpu_ns[i] += n * NS_PER_TICK;
        ticks[i % N_SOCKETS * 2 + i / N_SOCKETS] += n;
      }
  two_sockets_run (machine->node, ticks[0], ticks[1], ticks[2], ticks[3]);
  for (guint i = 0; i < N_SOCKETS; i++)
    machine->raw_uj[i] =
      (machine->raw_uj[i] + seconds * (50 + 10 * i) * JOULE + 7) % RANGE_UJ;
}

/* --- a source of its own for each program --- */

#define TEST_TYPE_COUNTERS (test_counters_get_type ())
G_DECLARE_FINAL_TYPE (TestCounters, test_counters, TEST, COUNTERS, JmSource)

struct _TestCounters
{
  JmSource parent_instance;
  Machine *machine;
  JmEnergyCounter counters[N_SOCKETS];
  gboolean is_forgetful; /* nobody can go on from it */
};

static void power_source_iface_init (JmPowerSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestCounters,
                               test_counters,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_POWER_SOURCE,
                                                      power_source_iface_init))

static gboolean
test_counters_read (JmPowerSource *source, JmReadings *readings, GError **error)
{
  TestCounters *self = TEST_COUNTERS (source);

  for (guint i = 0; i < N_SOCKETS; i++)
    {
      jm_energy_counter_step (&self->counters[i], self->machine->raw_uj[i],
                              self->machine->now_us);
      jm_readings_add_energy (readings, packages[i],
                              jm_energy_counter_get_uj (&self->counters[i]));
    }

  return TRUE;
}

static gboolean
test_counters_trace (gpointer source, const char *domain, gpointer trace)
{
  TestCounters *self = TEST_COUNTERS (source);

  for (guint i = 0; i < N_SOCKETS; i++)
    if (g_str_equal (packages[i], domain))
      return !self->is_forgetful && jm_energy_counter_trace (&self->counters[i], trace);

  return FALSE;
}

static void
power_source_iface_init (JmPowerSourceInterface *iface)
{
  iface->read = test_counters_read;
  iface->trace = test_counters_trace;
}

static void
test_counters_class_init (TestCountersClass *klass)
{
}

static void
test_counters_init (TestCounters *self)
{
  for (guint i = 0; i < N_SOCKETS; i++)
    self->counters[i] =
      (JmEnergyCounter){ .max = RANGE_UJ - 1, .factor = 1, .ceiling_uw = CEILING_UW };
}

/* --- a program, which comes and goes --- */

typedef struct
{
  JmPowerIntake *intake;
  JmEnergyAccounts *accounts;
  JmEnergyAccount *jobs[N_JOBS];
  JmReadings *readings;
} Program;

typedef struct
{
  Machine machine;
  char *folder;
  char *path; /* of the ledger */
  JmLedger *ledger;
  Program *program;
  gboolean is_forgetful;
} Fixture;

static void
restore_meters (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) kept = jm_ledger_load (f->ledger, "meters", &error);
  g_autoptr (GVariant) value = NULL;
  GBytes *bytes;

  g_assert_no_error (error);
  bytes = g_hash_table_lookup (kept, "all");
  if (bytes == NULL)
    return;

  value = jm_energy_checkpoint_unpack (bytes, JM_POWER_INTAKE_TYPE);
  g_assert_nonnull (value);
  jm_power_intake_restore (f->program->intake, value, f->machine.boot_id,
                           f->machine.now_us);
}

static void
make_program (Fixture *f)
{
  g_autoptr (TestCounters) counters =
    g_object_new (TEST_TYPE_COUNTERS, "host", f->machine.node->host, NULL);

  counters->machine = &f->machine;
  counters->is_forgetful = f->is_forgetful;
  f->program = g_new0 (Program, 1);
  f->program->readings = jm_readings_new ();
  f->program->intake = jm_power_intake_new ();
  jm_power_intake_add (f->program->intake, "test", JM_POWER_SOURCE (counters));
  f->program->accounts =
    jm_energy_accounts_new (f->machine.node->machine, FALSE, f->machine.boot_id);
  jm_energy_accounts_expect_meters (f->program->accounts);
}

static void
restore (Fixture *f)
{
  g_autoptr (GHashTable) node =
    jm_ledger_load (f->ledger, JM_ENERGY_MEMORY_OF_NODE, NULL);
  g_autoptr (GHashTable) jobs =
    jm_ledger_load (f->ledger, JM_ENERGY_MEMORY_OF_JOBS, NULL);

  restore_meters (f);
  jm_energy_accounts_restore (f->program->accounts, node, jobs);
}

static void
start (Fixture *f)
{
  make_program (f);
  restore (f);
}

/* Nothing is kept at the end that was not kept before. */
static void
kill_program (Fixture *f)
{
  for (guint i = 0; i < N_JOBS; i++)
    g_clear_pointer (&f->program->jobs[i], jm_energy_account_free);
  jm_readings_unref (f->program->readings);
  jm_energy_accounts_free (f->program->accounts);
  jm_power_intake_free (f->program->intake);
  g_clear_pointer (&f->program, g_free);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const JmLedgerPlan plan = { 0 };
  g_autoptr (GError) error = NULL;
  JmLedgerPlan in_folder = plan;

  f->folder = g_dir_make_tmp ("energy-restart-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "ledger", NULL);
  in_folder.path = f->path;
  f->ledger = jm_ledger_open_for_writing (&in_folder, &error);
  g_assert_no_error (error);
  f->machine.node = two_sockets_new ();
  f->machine.boot_id = BOOT;
  f->machine.now_us = SECOND;
  for (guint i = 0; i < N_JOBS; i++)
    f->machine.is_there[i] = TRUE;
  start (f);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  kill_program (f);
  jm_ledger_close_within (f->ledger, 10 * SECOND);
  g_object_unref (f->ledger);
  two_sockets_free (f->machine.node);
  remove_folder (f->folder);
  g_free (f->path);
  g_free (f->folder);
}

static char *
make_run_key (Fixture *f, guint job)
{
  return g_strdup_printf ("%s/%u", f->machine.boot_id, 4000 + job);
}

static JmJob *
make_job (Fixture *f, guint i)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autofree char *id = g_strdup_printf ("%u", 100 + i);
  g_autofree char *run_key = make_run_key (f, i);

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, id, -1);
  jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_CONFIGURATION, "lab", -1);
  jm_job_draft_set_run_key (draft, run_key);

  return jm_job_draft_to_job (draft);
}

static void
claim (Fixture *f, guint i, JmJob *job)
{
  static const char *const cpus[N_JOBS] = { "0", "2", "1" };
  g_autoptr (GString) list = g_string_new (cpus[i]);
  JmReadings *readings = f->program->readings;
  JmEnergyClaim claim = { .subject = FIRST_JOB + i, .job = job, .cpus = list };

  jm_readings_set_subject (readings, claim.subject);
  jm_readings_get_values (readings, &claim.from);
  jm_readings_begin (readings, JM_COLLECTOR_CPU);
  jm_readings_add (readings, JM_METRIC_CPU_TOTAL, f->machine.cpu_ns[i]);
  jm_energy_accounts_claim (f->program->accounts, &f->program->jobs[i], &claim,
                            readings);
}

/* What is shown is kept before. */
static void
save (Fixture *f)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (GBytes) meters = jm_energy_checkpoint_pack (
    jm_power_intake_save (f->program->intake, f->machine.boot_id));
  guint64 ticket;

  jm_ledger_batch_set (batch, "meters", "all", meters);
  jm_energy_accounts_save (f->program->accounts, batch);
  ticket = jm_ledger_submit (f->ledger, batch);
  g_assert_true (jm_ledger_await (f->ledger, ticket, 60 * SECOND));
}

static void
run_round (Fixture *f)
{
  Program *program = f->program;
  const JmRoundFactors factors = { NULL, NULL };
  g_autoptr (GPtrArray) jobs =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_job_unref);
  const GArray *items;
  gint64 round_us;

  jm_readings_reset (program->readings, jm_collector_set_get_all ());
  jm_readings_set_subject (program->readings, JM_NODE_SUBJECT);
  jm_readings_begin (program->readings, JM_COLLECTOR_POWER);
  items = jm_power_intake_read (program->intake, f->machine.now_us, program->readings,
                                &round_us);
  jm_energy_accounts_begin_round (program->accounts, items, round_us,
                                  program->readings);
  for (guint i = 0; i < N_JOBS; i++)
    if (f->machine.is_there[i])
      {
        g_ptr_array_add (jobs, make_job (f, i));
        claim (f, i, g_ptr_array_index (jobs, jobs->len - 1));
      }
  jm_energy_accounts_end_round (program->accounts, &factors, program->readings);
  save (f);
}

/* A killed program, and one that begins after some seconds. */
static void
restart_after (Fixture *f, guint seconds)
{
  kill_program (f);
  run_for (&f->machine, seconds);
  start (f);
  run_round (f);
}

/* --- what it reports --- */

static guint64
sum_of (Fixture *f, guint subject, JmMetric metric)
{
  guint64 sum = ABSENT;
  guint n;
  const JmReading *values = jm_readings_get_values (f->program->readings, &n);

  for (guint i = 0; i < n; i++)
    if (values[i].subject == subject && values[i].metric == metric)
      sum = (sum == ABSENT ? 0 : sum) + values[i].value;

  return sum;
}

static guint64
get_of_job (Fixture *f, guint job, JmMetric metric)
{
  return sum_of (f, FIRST_JOB + job, metric);
}

static guint64
get_measured (Fixture *f)
{
  return sum_of (f, JM_NODE_SUBJECT, JM_METRIC_NODE_ENERGY);
}

static guint64
get_attributed (Fixture *f)
{
  guint64 sum = sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY) +
                sum_of (f, JM_IDLE_SUBJECT, JM_METRIC_ENERGY);

  for (guint i = 0; i < N_JOBS; i++)
    if (f->machine.is_there[i])
      sum += get_of_job (f, i, JM_METRIC_ENERGY);

  return sum;
}

/* --- the tests --- */

static void
test_spans_the_time_between (Fixture *f, gconstpointer data)
{
  guint64 before[N_JOBS], measured;

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  measured = get_measured (f);
  g_assert_cmpuint (measured, ==, 1100 * JOULE + 14);
  for (guint i = 0; i < N_JOBS; i++)
    before[i] = get_of_job (f, i, JM_METRIC_ENERGY);

  restart_after (f, 60);
  g_assert_cmpuint (get_measured (f), ==, measured + 6600 * JOULE + 14);
  g_assert_cmpuint (get_attributed (f), ==, get_measured (f));
  for (guint i = 0; i < N_JOBS; i++)
    {
      g_assert_cmpuint (get_of_job (f, i, JM_METRIC_ENERGY), >, before[i] * 4);
      g_assert_cmpuint (get_of_job (f, i, JM_METRIC_ENERGY_COVERED), ==, 70 * SECOND);
    }
}

/* What it used between is nobody's that is still there. */
static void
test_gives_to_the_system_what_the_ended_used (Fixture *f, gconstpointer data)
{
  guint64 of_job, of_system, of_ended;

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  of_job = get_of_job (f, 1, JM_METRIC_ENERGY);
  of_ended = get_of_job (f, 0, JM_METRIC_ENERGY);
  of_system = sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY);

  kill_program (f);
  run_for (&f->machine, 30);
  f->machine.is_there[0] = FALSE;
  start (f);
  run_round (f);

  g_assert_cmpuint (sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY), >,
                    of_system + 100 * JOULE);
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY), >, of_job * 2);
  g_assert_cmpuint (get_attributed (f) + of_ended, ==, get_measured (f));
}

static void
test_conserves_energy_over_fifty_restarts (Fixture *f, gconstpointer data)
{
  guint64 measured = 0, attributed = 0, covered = 0, of_job = 0;
  guint64 seconds = 0;

  run_round (f);
  for (guint i = 0; i < 50; i++)
    {
      run_for (&f->machine, 1 + i % 7);
      run_round (f);
      restart_after (f, 2 + i % 11);
      seconds += 3 + i % 7 + i % 11;

      g_assert_cmpuint (get_measured (f), >=, measured);
      g_assert_cmpuint (get_attributed (f), >=, attributed);
      g_assert_cmpuint (get_of_job (f, 2, JM_METRIC_ENERGY), >=, of_job);
      g_assert_cmpuint (get_of_job (f, 2, JM_METRIC_ENERGY_COVERED), >=, covered);
      measured = get_measured (f);
      attributed = get_attributed (f);
      of_job = get_of_job (f, 2, JM_METRIC_ENERGY);
      covered = get_of_job (f, 2, JM_METRIC_ENERGY_COVERED);
      g_assert_cmpuint (attributed, ==, measured);
    }

  /* to the microjoule, of which each of 100 runs of the machine has 7 on each socket */
  g_assert_cmpuint (measured, ==, seconds * 110 * JOULE + 100 * 14);
  g_assert_cmpuint (covered, ==, seconds * SECOND);
}

static void
test_does_not_invent_what_went_around (Fixture *f, gconstpointer data)
{
  guint64 measured, of_job;

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  measured = get_measured (f);
  of_job = get_of_job (f, 1, JM_METRIC_ENERGY);

  restart_after (f, 1200);
  g_assert_cmpuint (get_measured (f), ==, measured);
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY), ==, of_job);
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY_COVERED), ==, 10 * SECOND);
  g_assert_nonnull (
    jm_readings_get_status (f->program->readings, JM_COLLECTOR_POWER)->first_error);

  run_for (&f->machine, 5);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured + 550 * JOULE + 14);
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY_COVERED), ==, 15 * SECOND);
  g_assert_cmpuint (get_attributed (f), ==, get_measured (f));
}

/* Power that nobody read, and counts that end with the program. */
static void
test_keeps_the_sums_where_a_source_cannot_span (Fixture *f, gconstpointer data)
{
  guint64 measured;

  kill_program (f);
  f->is_forgetful = TRUE;
  start (f);
  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  measured = get_measured (f);

  restart_after (f, 60);
  g_assert_cmpuint (get_measured (f), ==, measured);
  g_assert_cmpuint (get_attributed (f), ==, measured);
  g_assert_cmpuint (get_of_job (f, 0, JM_METRIC_ENERGY_COVERED), ==, 10 * SECOND);
  g_assert_null (
    jm_readings_get_status (f->program->readings, JM_COLLECTOR_POWER)->first_error);

  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured + 1100 * JOULE + 14);
}

static void
test_begins_jobs_anew_in_another_boot (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) kept = NULL;
  guint64 measured, of_jobs = 0, of_rest;

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  measured = get_measured (f);
  for (guint i = 0; i < N_JOBS; i++)
    of_jobs += get_of_job (f, i, JM_METRIC_ENERGY);
  of_rest = measured - of_jobs;

  kill_program (f);
  f->machine.boot_id = OTHER_BOOT;
  f->machine.now_us += 3 * SECOND;
  start (f);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured);
  g_assert_cmpuint (get_of_job (f, 0, JM_METRIC_ENERGY), ==, ABSENT);
  g_assert_cmpuint (sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY) +
                      sum_of (f, JM_IDLE_SUBJECT, JM_METRIC_ENERGY),
                    ==, of_rest);

  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured + 1100 * JOULE + 14);
  g_assert_cmpuint (get_attributed (f), ==, get_measured (f) - of_jobs);

  /* those of the boot before are not kept for ever */
  kept = jm_ledger_load (f->ledger, "energy", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (kept), ==, N_JOBS);
}

static void
test_begins_anew_where_the_clock_shows_less (Fixture *f, gconstpointer data)
{
  guint64 measured;

  run_round (f);
  run_for (&f->machine, 100);
  run_round (f);
  measured = get_measured (f);

  kill_program (f);
  f->machine.now_us = SECOND;
  start (f);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured);
  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured + 1100 * JOULE + 14);
}

static void
test_forgets_jobs_that_do_not_come_back (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) at_first = NULL;
  g_autoptr (GHashTable) at_last = NULL;
  g_autofree char *ended = make_run_key (f, 0);

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  f->machine.is_there[0] = FALSE;
  restart_after (f, 5);
  at_first = jm_ledger_load (f->ledger, "energy", &error);
  g_assert_no_error (error);
  g_assert_true (g_hash_table_contains (at_first, ended));

  for (guint i = 0; i < 30; i++)
    {
      run_for (&f->machine, 1);
      run_round (f);
    }
  at_last = jm_ledger_load (f->ledger, "energy", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (at_last), ==, N_JOBS - 1);
  g_assert_false (g_hash_table_contains (at_last, ended));
}

static void
spoil (Fixture *f, const char *name, const char *key)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (GBytes) nonsense = g_bytes_new_static ("\1nonsense", 9);

  jm_ledger_batch_set (batch, name, key, nonsense);
  g_assert_true (
    jm_ledger_await (f->ledger, jm_ledger_submit (f->ledger, batch), 60 * SECOND));
}

/* Of a job of which it is not known what it had used nothing is made up: what it had
 * before was its, not the next interval's. */
static void
test_leaves_out_an_account_that_is_broken (Fixture *f, gconstpointer data)
{
  g_autofree char *broken = make_run_key (f, 1);
  guint64 of_broken, measured;

  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  of_broken = get_of_job (f, 1, JM_METRIC_ENERGY);
  measured = get_measured (f);
  kill_program (f);
  spoil (f, "energy", broken);

  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*1 of the jobs*is no account*");
  run_for (&f->machine, 10);
  start (f);
  g_test_assert_expected_messages ();
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, measured + 1100 * JOULE + 14);
  g_assert_cmpuint (get_attributed (f) + of_broken, ==, get_measured (f));
  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_attributed (f) + of_broken, ==, get_measured (f));
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY), <, of_broken * 2);
}

static void
test_goes_on_without_what_of_the_node_is_broken (Fixture *f, gconstpointer data)
{
  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  kill_program (f);
  spoil (f, "energy.node", "system");
  spoil (f, "energy.node", "activity");

  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*system, is broken*");
  g_test_expect_message (NULL, G_LOG_LEVEL_WARNING, "*activity, is broken*");
  start (f);
  g_test_assert_expected_messages ();
  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_of_job (f, 1, JM_METRIC_ENERGY), !=, ABSENT);
}

/* What a version before the ledger had kept of the first job, and of the system. */
static void
start_from_file (Fixture *f, gint64 time_us)
{
  g_autofree char *path = g_build_filename (f->folder, "energy.json", NULL);
  const char *const paths[] = { path, NULL };
  g_autoptr (GHashTable) accounts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();
  const JmRoundFactors factors = { NULL, NULL };
  g_autoptr (JmJob) job = make_job (f, 0);
  JmEnergyAccount *of_job = jm_energy_account_new (1);
  JmEnergyAccount *of_system = jm_energy_account_new (0);

  jm_energy_account_add (of_job, JM_ENERGY_PACKAGE, 1000 * JOULE, &factors);
  jm_energy_account_add (of_system, JM_ENERGY_PACKAGE, 500 * JOULE, &factors);
  g_hash_table_insert (accounts, (gpointer) jm_job_get_field (job, JM_JOB_FIELD_UUID),
                       of_job);
  g_hash_table_insert (accounts, (gpointer) JM_ENERGY_FILE_SYSTEM, of_system);
  g_assert_true (jm_energy_file_save (path, accounts, time_us, NULL));

  kill_program (f);
  make_program (f);
  jm_energy_accounts_set_files (f->program->accounts, paths, problems);
  restore (f);
  g_assert_cmpuint (problems->len, ==, 0);
  jm_energy_account_free (of_system);
  jm_energy_account_free (of_job);
}

static void
test_goes_on_from_a_file_where_the_ledger_is_new (Fixture *f, gconstpointer data)
{
  start_from_file (f, g_get_real_time ());
  run_round (f);
  g_assert_cmpuint (get_of_job (f, 0, JM_METRIC_ENERGY), ==, 1000 * JOULE);
  g_assert_cmpuint (sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY), ==, 500 * JOULE);

  /* from then on by the ledger */
  kill_program (f);
  start (f);
  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_of_job (f, 0, JM_METRIC_ENERGY), >, 1000 * JOULE);
  g_assert_cmpuint (get_attributed (f), ==, get_measured (f) + 1500 * JOULE);
}

/* Of a boot before this there are no jobs any more, whatever they are called. */
static void
test_takes_no_job_of_another_boot_from_a_file (Fixture *f, gconstpointer data)
{
  start_from_file (f, 1700000000000000);
  run_round (f);
  g_assert_cmpuint (get_of_job (f, 0, JM_METRIC_ENERGY), ==, ABSENT);
  g_assert_cmpuint (sum_of (f, JM_SYSTEM_SUBJECT, JM_METRIC_ENERGY), ==, 500 * JOULE);
}

static void
test_reads_no_file_where_the_ledger_knows_more (Fixture *f, gconstpointer data)
{
  run_round (f);
  run_for (&f->machine, 10);
  run_round (f);
  start_from_file (f, g_get_real_time ());
  run_for (&f->machine, 10);
  run_round (f);
  g_assert_cmpuint (get_measured (f), ==, 2200 * JOULE + 28);
  g_assert_cmpuint (get_attributed (f), ==, get_measured (f));
}

#define ADD(path, function)                                                            \
 g_test_add ("/energy-restart/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("spans-the-time-between", test_spans_the_time_between);
  ADD ("gives-to-the-system-what-the-ended-used",
       test_gives_to_the_system_what_the_ended_used);
  ADD ("conserves-energy-over-fifty-restarts",
       test_conserves_energy_over_fifty_restarts);
  ADD ("does-not-invent-what-went-around", test_does_not_invent_what_went_around);
  ADD ("keeps-the-sums-where-a-source-cannot-span",
       test_keeps_the_sums_where_a_source_cannot_span);
  ADD ("begins-jobs-anew-in-another-boot", test_begins_jobs_anew_in_another_boot);
  ADD ("begins-anew-where-the-clock-shows-less",
       test_begins_anew_where_the_clock_shows_less);
  ADD ("forgets-jobs-that-do-not-come-back", test_forgets_jobs_that_do_not_come_back);
  ADD ("leaves-out-an-account-that-is-broken",
       test_leaves_out_an_account_that_is_broken);
  ADD ("goes-on-from-a-file-where-the-ledger-is-new",
       test_goes_on_from_a_file_where_the_ledger_is_new);
  ADD ("takes-no-job-of-another-boot-from-a-file",
       test_takes_no_job_of_another_boot_from_a_file);
  ADD ("reads-no-file-where-the-ledger-knows-more",
       test_reads_no_file_where_the_ledger_knows_more);
  ADD ("goes-on-without-what-of-the-node-is-broken",
       test_goes_on_without_what_of_the_node_is_broken);

  return g_test_run ();
}
