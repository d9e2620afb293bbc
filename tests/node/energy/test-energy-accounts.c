/* test-energy-accounts.c: what is reported of jobs on a machine of two sockets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/energy/jm-energy-parts-private.h"

#include "core/jm-readings-private.h"
#include "two-sockets.h"

#include <string.h>

#define NS_PER_TICK G_GUINT64_CONSTANT (10000000)
#define ROUND_US G_USEC_PER_SEC
#define FIRST_JOB 10 /* subject; below it are the node and its kin */
#define N_JOBS 2     /* each on a socket of its own */
#define ABSENT G_MAXUINT64

typedef struct
{
  TwoSockets *node;
  JmEnergyAccounts *accounts;
  JmEnergyAccount *jobs[N_JOBS];
  guint64 cpu_ns[N_JOBS];
  JmReadings *readings;
  guint64 n_cpus[N_JOBS];    /* without a cpuset; 0 for those of the cpuset */
  gboolean is_users[N_JOBS]; /* that number is the user's word */
} Fixture;

/* @data: not NULL where idle power is shared. */
static void
set_up (Fixture *f, gconstpointer data)
{
  f->node = two_sockets_new ();
  f->accounts = jm_energy_accounts_new (f->node->machine, data != NULL, NULL);
  jm_energy_accounts_expect_meters (f->accounts);
  f->readings = jm_readings_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < N_JOBS; i++)
    g_clear_pointer (&f->jobs[i], jm_energy_account_free);
  jm_readings_unref (f->readings);
  jm_energy_accounts_free (f->accounts);
  two_sockets_free (f->node);
}

static void
claim (Fixture *f, guint i)
{
  static const char *const cpus[N_JOBS] = { "0-1", "2-3" };
  g_autoptr (GString) list = g_string_new (cpus[i]);
  g_autoptr (GHashTable) fields = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (JmJob) job = NULL;
  JmEnergyClaim claim = { .subject = FIRST_JOB + i,
                          .cpus = list,
                          .has_claimed_cpus = f->is_users[i] };

  g_hash_table_insert (fields, (gpointer) "jobid", (gpointer) "7");
  job = claim.job = jm_job_new (fields, JM_ORIGIN_PATH);

  jm_readings_set_subject (f->readings, claim.subject);
  jm_readings_get_values (f->readings, &claim.from);
  jm_readings_begin (f->readings, JM_COLLECTOR_CPU);
  jm_readings_add (f->readings, JM_METRIC_CPU_TOTAL, f->cpu_ns[i]);
  if (f->n_cpus[i] > 0)
    {
      g_string_truncate (list, 0);
      jm_readings_add (f->readings, JM_METRIC_CPUS, f->n_cpus[i]);
    }
  jm_energy_accounts_claim (f->accounts, &f->jobs[i], &claim, f->readings);
}

/* A round in which each job was busy for a second on its first CPU; of each socket that
 * is read ten joules are reported. */
static void
run_round (Fixture *f, gint64 round_us, guint n_read)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (JmEnergyItem));
  g_autoptr (GArray) sockets = g_array_new (FALSE, FALSE, sizeof (JmEnergySocket));
  JmRoundFactors factors = { NULL, NULL };

  two_sockets_run (f->node, 100, 0, 100, 0);
  for (guint i = 0; i < n_read; i++)
    {
      JmEnergyItem item = {
        JM_ENERGY_PACKAGE, JM_POWER_DOMAIN_PACKAGE, i, 1, 1, 10000000, 0
      };

      g_array_append_val (items, item);
    }
  for (guint i = 0; i < N_JOBS; i++)
    {
      JmEnergySocket socket = { JM_ENERGY_PACKAGE, i, i < n_read };

      g_array_append_val (sockets, socket);
    }

  jm_readings_reset (f->readings, jm_collector_set_get_all ());
  jm_energy_accounts_begin_round (f->accounts, items, round_us, f->readings);
  jm_energy_accounts_read_sockets (f->accounts, sockets);
  for (guint i = 0; i < N_JOBS; i++)
    {
      f->cpu_ns[i] += 100 * NS_PER_TICK;
      claim (f, i);
    }
  jm_energy_accounts_end_round (f->accounts, &factors, f->readings);
}

/* A figure of a job's; ABSENT where it has none. */
static guint64
get (Fixture *f, guint job, JmMetric metric)
{
  guint n;
  const JmReading *values = jm_readings_get_values (f->readings, &n);

  for (guint i = 0; i < n; i++)
    if (values[i].subject == FIRST_JOB + job && values[i].metric == metric)
      return values[i].value;

  return ABSENT;
}

static void
test_reports_nothing_of_a_job_on_a_socket_that_is_not_read (Fixture *f,
                                                            gconstpointer data)
{
  run_round (f, 0, 1);
  run_round (f, ROUND_US, 1);

  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY), >, 1000000);
  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY), <=, 10000000);
  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY_COVERED), ==, ROUND_US);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY), ==, ABSENT);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY_COVERED), ==, ABSENT);
  g_assert_cmpuint (get (f, 1, JM_METRIC_POWER), ==, ABSENT);
}

static guint64
get_other_energy (Fixture *f, guint64 n_cpus, gboolean is_users)
{
  guint64 energy;

  set_up (f, "shared");
  for (guint i = 0; i < N_JOBS; i++)
    f->n_cpus[i] = 2;
  f->n_cpus[0] = n_cpus;
  f->is_users[0] = is_users;
  run_round (f, 0, 2);
  run_round (f, ROUND_US, 2);
  energy = get (f, 1, JM_METRIC_ENERGY);
  tear_down (f, NULL);
  memset (f, 0, sizeof *f);

  return energy;
}

/* Else one who claims to have all CPUs takes the idle power that others have. */
static void
test_no_word_of_a_user_moves_the_energy_of_others (void)
{
  Fixture f = { 0 };
  guint64 least = get_other_energy (&f, 1000, FALSE);
  guint64 energy = get_other_energy (&f, 1, TRUE);

  g_assert_cmpuint (energy, >, least);
  g_assert_cmpuint (get_other_energy (&f, 1000, TRUE), ==, energy);
}

static void
test_stops_covering_a_job_whose_socket_has_gone (Fixture *f, gconstpointer data)
{
  guint64 before;

  run_round (f, 0, 2);
  run_round (f, ROUND_US, 2);
  before = get (f, 1, JM_METRIC_ENERGY);
  run_round (f, ROUND_US, 1);

  g_assert_cmpuint (before, <=, 10000000);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY), ==, before);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY_COVERED), ==, ROUND_US);
  g_assert_cmpuint (get (f, 1, JM_METRIC_POWER), ==, ABSENT);
  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY_COVERED), ==, 2 * ROUND_US);
}

/* Each job has energy of the socket that it was on alone. */
static void
test_reports_for_how_long_a_socket_was_not_read (Fixture *f, gconstpointer data)
{
  run_round (f, 0, 2);
  run_round (f, ROUND_US, 2);
  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY_UNREAD), ==, 0);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY_UNREAD), ==, 0);

  run_round (f, ROUND_US, 1);
  g_assert_cmpuint (get (f, 0, JM_METRIC_ENERGY_UNREAD), ==, 0);
  g_assert_cmpuint (get (f, 1, JM_METRIC_ENERGY_UNREAD), ==, ROUND_US);
}

#define ADD(path, function)                                                            \
 g_test_add ("/energy-accounts/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("reports-nothing-of-a-job-on-a-socket-that-is-not-read",
       test_reports_nothing_of_a_job_on_a_socket_that_is_not_read);
  ADD ("stops-covering-a-job-whose-socket-has-gone",
       test_stops_covering_a_job_whose_socket_has_gone);
  ADD ("reports-for-how-long-a-socket-was-not-read",
       test_reports_for_how_long_a_socket_was_not_read);
  g_test_add_func ("/energy-accounts/no-word-of-a-user-moves-the-energy-of-others",
                   test_no_word_of_a_user_moves_the_energy_of_others);

  return g_test_run ();
}
