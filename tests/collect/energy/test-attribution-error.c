/* test-attribution-error.c: how far off is what jobs are told to have taken
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: test-attribution-error [--report]
 */

#include <math.h>
#include <string.h>

#include "collect/energy/jm-attribution-private.h"
#include "collect/energy/jm-cpu-activity-private.h"
#include "simulate-node.h"

#define N_SCENARIOS 32
#define FIRST_SEED 5150001u
#define N_INTERVALS 1440 /* two hours */
#define MIN_SECONDS 60   /* jobs that were shorter are not looked at */
#define MAX_LOADS (SIMULATED_CPUS + 1)

/* From what peers do to all that is known. */
typedef enum
{
  METHOD_CPU_TIME,
  METHOD_SOCKETS,
  METHOD_WEIGHTS,
  METHOD_LEARNED_PLAIN,
  METHOD_LEARNED,
  METHOD_COUNTERS,
  N_METHODS,
} Method;

static const char *const method_names[] = {
  [METHOD_CPU_TIME] = "CPU time of the node",
  [METHOD_SOCKETS] = "+ by socket, idle learned",
  [METHOD_WEIGHTS] = "+ siblings and frequency",
  [METHOD_LEARNED_PLAIN] = "+ loads learned, no frequency",
  [METHOD_LEARNED] = "+ loads learned",
  [METHOD_COUNTERS] = "+ counters: traffic, cycles",
};

typedef enum
{
  COMPONENT_PACKAGE,
  COMPONENT_DRAM,
  N_COMPONENTS,
} Component;

static const JmPowerDomain domains[] = { JM_POWER_DOMAIN_PACKAGE,
                                         JM_POWER_DOMAIN_DRAM };
static const JmIdlePolicy policies[] = { JM_IDLE_POLICY_APART, JM_IDLE_POLICY_SHARED };

#define N_POLICIES G_N_ELEMENTS (policies)
#define APART 0
#define SHARED 1

/* One job's joules, true and told. */
typedef struct
{
  SimulatedKind kind;
  gboolean was_there;
  double seconds;
  double truth[N_POLICIES][N_COMPONENTS];
  double told[N_METHODS][N_POLICIES][N_COMPONENTS];
} Account;

typedef struct
{
  double sum, weight; /* of errors, in parts of one, and of joules */
  double joules;
  guint n;
} Error;

/* Whose errors: of jobs that began while the node was looked at, by kind and all; and
 * of those that were there before. */
enum
{
  GROUP_ALL = N_SIMULATED_KINDS,
  GROUP_WERE_THERE,
  N_GROUPS,
};

typedef struct
{
  Error errors[N_METHODS][N_POLICIES][N_COMPONENTS][N_GROUPS];
} Report;

/* One method at work on one node. */
typedef struct
{
  Method method;
  JmCpuActivity *activity;
  JmAttribution *attributions[N_POLICIES];
} Observer;

static void
observer_init (Observer *self, Method method)
{
  JmCpuSeat seats[SIMULATED_CPUS];

  simulation_get_seats (seats);
  if (method < METHOD_WEIGHTS)
    for (guint i = 0; i < SIMULATED_CPUS; i++)
      seats[i].core = i;

  self->method = method;
  self->activity = jm_cpu_activity_new ();
  jm_cpu_activity_set_seats (self->activity, seats, SIMULATED_CPUS);
  for (guint p = 0; p < N_POLICIES; p++)
    {
      self->attributions[p] = jm_attribution_new (policies[p]);
      jm_attribution_set_tells_apart (self->attributions[p],
                                      method >= METHOD_LEARNED_PLAIN);
    }
}

static void
observer_clear (Observer *self)
{
  jm_cpu_activity_free (self->activity);
  for (guint p = 0; p < N_POLICIES; p++)
    jm_attribution_free (self->attributions[p]);
}

static void
weigh (Observer *self, const SimulatedInterval *now)
{
  JmCpuUser users[MAX_LOADS];
  JmCpuInterval interval = {
    .busy_ns = now->busy_ns,
    .n_cpus = SIMULATED_CPUS,
    .seconds = now->seconds,
  };

  if (self->method >= METHOD_WEIGHTS && self->method != METHOD_LEARNED_PLAIN)
    interval.frequencies =
      self->method == METHOD_COUNTERS ? now->mean_frequencies : now->frequencies;

  for (guint i = 0; i < now->jobs->len; i++)
    {
      const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);

      users[i] = (JmCpuUser){
        .cpus = &job->cpus,
        .n_words = 1,
        .cpu_ns = job->cpu_ns,
        .seconds = job->seconds,
      };
    }

  jm_cpu_activity_weigh (self->activity, &interval, users, now->jobs->len);
}

static void
make_loads (Observer *self,
            const SimulatedInterval *now,
            guint socket,
            Component component,
            JmLoad *loads)
{
  for (guint i = 0; i <= now->jobs->len; i++)
    {
      gboolean is_system = i == now->jobs->len;
      const JmCpuPart *part = is_system
                                ? jm_cpu_activity_get_system (self->activity, socket)
                                : jm_cpu_activity_get_part (self->activity, i, socket);

      loads[i] = (JmLoad){
        .cpu_seconds =
          component == COMPONENT_PACKAGE ? part->cpu_seconds : part->busy_seconds,
        .allocated_seconds = part->allocated_seconds,
        .traffic_bytes = NAN,
      };
      if (!is_system)
        {
          const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);

          loads[i].id = job->id;
          if (self->method == METHOD_COUNTERS)
            loads[i].traffic_bytes = job->traffic_bytes[socket];
        }
    }
}

static Account *
get_account (GArray *accounts, guint64 id)
{
  if (id >= accounts->len)
    g_array_set_size (accounts, (guint) id + 1);

  return &g_array_index (accounts, Account, id);
}

static guint64
get_energy (const SimulatedInterval *now, Component component, guint socket)
{
  return component == COMPONENT_PACKAGE ? now->package_uj[socket]
                                        : now->dram_uj[socket];
}

static void
split (Observer *self,
       const SimulatedInterval *now,
       guint socket,
       Component component,
       GArray *accounts)
{
  JmLoad loads[MAX_LOADS];
  guint64 parts[MAX_LOADS];
  guint n = now->jobs->len + 1;
  JmDomainInterval interval = {
    .domain = domains[component],
    .number = socket,
    .energy_uj = get_energy (now, component, socket),
    .seconds = now->seconds,
    .capacity_seconds = jm_cpu_activity_get_capacity (self->activity, socket),
  };

  make_loads (self, now, socket, component, loads);
  for (guint p = 0; p < N_POLICIES; p++)
    {
      guint64 sum =
        jm_attribution_split (self->attributions[p], &interval, loads, n, parts);

      for (guint i = 0; i < n; i++)
        {
          sum += parts[i];
          get_account (accounts, loads[i].id)->told[self->method][p][component] +=
            (double) parts[i] / 1e6;
        }
      g_assert_cmpuint (sum, ==, interval.energy_uj);
    }
}

/* As peers do: what a node took, by what of its CPU time was a job's; Kepler leaves the
 * idle part of the CPUs' time out of that, Scaphandre does not. */
static void
split_by_cpu_time (const SimulatedInterval *now, Component component, GArray *accounts)
{
  double busy = 0;
  double energy = 0;

  for (guint cpu = 0; cpu < SIMULATED_CPUS; cpu++)
    busy += (double) now->busy_ns[cpu];
  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    energy += (double) get_energy (now, component, s) / 1e6;

  for (guint i = 0; i < now->jobs->len; i++)
    {
      const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);
      Account *account = get_account (accounts, job->id);
      double share = energy * (double) job->cpu_ns / MAX (busy, 1);

      account->told[METHOD_CPU_TIME][0][component] +=
        share * busy / (SIMULATED_CPUS * now->seconds * 1e9);
      account->told[METHOD_CPU_TIME][1][component] += share;
    }
}

static guint
count_cpus (const SimulatedJob *job, guint socket)
{
  JmCpuSeat seats[SIMULATED_CPUS];
  guint n = 0;

  simulation_get_seats (seats);
  for (guint i = 0; i < SIMULATED_CPUS; i++)
    n += seats[i].package == socket && (job->cpus >> i & 1) != 0;

  return n;
}

/* Idle power is whose the CPUs are, by the policy itself. */
static void
note_truth (const SimulatedInterval *now, GArray *accounts)
{
  for (guint i = 0; i < now->jobs->len; i++)
    {
      const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);
      Account *account = get_account (accounts, job->id);

      account->kind = job->kind;
      account->was_there = job->was_there;
      account->seconds += job->seconds;
      for (guint s = 0; s < SIMULATED_SOCKETS; s++)
        {
          double idle = count_cpus (job, s) * job->seconds /
                        (SIMULATED_CPUS / SIMULATED_SOCKETS * now->seconds);

          for (guint p = 0; p < N_POLICIES; p++)
            {
              account->truth[p][COMPONENT_PACKAGE] += job->true_package[s];
              account->truth[p][COMPONENT_DRAM] += job->true_dram[s];
            }
          account->truth[1][COMPONENT_PACKAGE] += idle * now->true_idle_package[s];
          account->truth[1][COMPONENT_DRAM] += idle * now->true_idle_dram[s];
        }
    }
}

static void
add_error (Error *error, double truth, double told)
{
  error->sum += fabs (told - truth) / truth;
  error->weight += fabs (told - truth);
  error->joules += truth;
  error->n++;
}

static void
add_account (Report *report, const Account *account)
{
  for (guint m = 0; m < N_METHODS; m++)
    for (guint p = 0; p < N_POLICIES; p++)
      for (guint c = 0; c < N_COMPONENTS; c++)
        {
          Error *errors = report->errors[m][p][c];

          double truth = account->truth[p][c];
          double told = account->told[m][p][c];

          if (account->was_there)
            {
              add_error (&errors[GROUP_WERE_THERE], truth, told);
              continue;
            }

          add_error (&errors[account->kind], truth, told);
          add_error (&errors[GROUP_ALL], truth, told);
        }
}

static void
run_scenario (Report *report, guint32 seed)
{
  g_autoptr (Simulation) simulation = simulation_new (seed);
  g_autoptr (GArray) accounts = g_array_new (FALSE, TRUE, sizeof (Account));
  Observer observers[N_METHODS];

  for (guint m = METHOD_SOCKETS; m < N_METHODS; m++)
    observer_init (&observers[m], m);

  for (guint i = 0; i < N_INTERVALS; i++)
    {
      const SimulatedInterval *now = simulation_next (simulation);

      note_truth (now, accounts);
      for (guint m = METHOD_SOCKETS; m < N_METHODS; m++)
        weigh (&observers[m], now);
      for (guint c = 0; c < N_COMPONENTS; c++)
        {
          split_by_cpu_time (now, c, accounts);
          for (guint s = 0; s < SIMULATED_SOCKETS; s++)
            for (guint m = METHOD_SOCKETS; m < N_METHODS; m++)
              split (&observers[m], now, s, c, accounts);
        }
    }

  for (guint m = METHOD_SOCKETS; m < N_METHODS; m++)
    observer_clear (&observers[m]);
  for (guint i = 1; i < accounts->len; i++)
    if (g_array_index (accounts, Account, i).seconds >= MIN_SECONDS)
      add_account (report, &g_array_index (accounts, Account, i));
}

/* Made once: it takes some seconds. */
static const Report *
get_report (void)
{
  static Report report;
  static gboolean is_made;

  for (guint32 i = 0; i < N_SCENARIOS && !is_made; i++)
    run_scenario (&report, FIRST_SEED + i);
  is_made = TRUE;

  return &report;
}

static double
get_percent (const Error *error)
{
  return 100 * error->sum / error->n;
}

static double
get_weighted_percent (const Error *error)
{
  return 100 * error->weight / error->joules;
}

static void
print_table (const Report *report, guint policy, Component component)
{
  g_print ("# %-30s %8s %9s %8s %8s %8s %8s\n", "", "jobs", "by joule", "compute",
           "mixed", "memory", "earlier");
  for (guint m = 0; m < N_METHODS; m++)
    {
      const Error *errors = report->errors[m][policy][component];

      g_print ("# %-30s %7.1f%% %8.1f%% %7.1f%% %7.1f%% %7.1f%% %7.1f%%\n",
               method_names[m], get_percent (&errors[GROUP_ALL]),
               get_weighted_percent (&errors[GROUP_ALL]),
               get_percent (&errors[SIMULATED_COMPUTE_BOUND]),
               get_percent (&errors[SIMULATED_MIXED]),
               get_percent (&errors[SIMULATED_MEMORY_BOUND]),
               get_percent (&errors[GROUP_WERE_THERE]));
    }
}

static void
print_report (const Report *report)
{
  static const char *const components[] = { "package", "dram" };
  static const char *const names[] = { "apart", "shared" };

  g_print ("# mean absolute error of a job's joules, %u scenarios from seed %u on\n",
           N_SCENARIOS, FIRST_SEED);
  for (guint c = 0; c < N_COMPONENTS; c++)
    for (guint p = 0; p < N_POLICIES; p++)
      {
        g_print ("#\n# %s, idle power %s, %u jobs\n", components[c], names[p],
                 report->errors[0][p][c][GROUP_ALL].n);
        print_table (report, p, c);
      }
}

/* In percent: of the average job, and of all jobs' joules. */
static void
assert_below (Method method,
              guint policy,
              Component component,
              double job,
              double joule)
{
  const Error *error = &get_report ()->errors[method][policy][component][GROUP_ALL];

  g_test_message ("%s: %.1f %% for each job, %.1f %% by joule", method_names[method],
                  get_percent (error), get_weighted_percent (error));
  g_assert_cmpfloat (get_percent (error), <, job);
  g_assert_cmpfloat (get_weighted_percent (error), <, joule);
}

static void
test_jobs_are_told_what_they_took_of_packages (void)
{
  assert_below (METHOD_LEARNED, SHARED, COMPONENT_PACKAGE, 7, 4);
  assert_below (METHOD_LEARNED, APART, COMPONENT_PACKAGE, 8, 4.5);
}

/* Of jobs that hardly use memory, what they took of it is not known well: they are what
 * the bound for the average job without idle power has to allow for. */
static void
test_jobs_are_told_what_they_took_of_memory (void)
{
  assert_below (METHOD_LEARNED, SHARED, COMPONENT_DRAM, 16, 9);
  assert_below (METHOD_LEARNED, APART, COMPONENT_DRAM, 90, 17);
}

static void
test_counters_tell_more (void)
{
  assert_below (METHOD_COUNTERS, SHARED, COMPONENT_PACKAGE, 7, 4);
  assert_below (METHOD_COUNTERS, APART, COMPONENT_PACKAGE, 8, 4.5);
  assert_below (METHOD_COUNTERS, SHARED, COMPONENT_DRAM, 8, 7);
  assert_below (METHOD_COUNTERS, APART, COMPONENT_DRAM, 25, 16);
}

static void
test_each_thing_that_is_known_makes_it_better (void)
{
  static const Method steps[] = { METHOD_CPU_TIME, METHOD_SOCKETS, METHOD_WEIGHTS,
                                  METHOD_LEARNED };

  for (guint p = 0; p < N_POLICIES; p++)
    for (guint i = 1; i < G_N_ELEMENTS (steps); i++)
      {
        const Error *before =
          &get_report ()->errors[steps[i - 1]][p][COMPONENT_PACKAGE][GROUP_ALL];
        const Error *after =
          &get_report ()->errors[steps[i]][p][COMPONENT_PACKAGE][GROUP_ALL];

        g_assert_cmpfloat (get_percent (after), <, get_percent (before));
      }
}

static gboolean
wants_report (int argc, char **argv)
{
  return argc == 2 && g_str_equal (argv[1], "--report");
}

int
main (int argc, char **argv)
{
  if (wants_report (argc, argv))
    {
      print_report (get_report ());
      return 0;
    }

  g_test_init (&argc, &argv, NULL);
  print_report (get_report ());

  g_test_add_func ("/attribution-error/jobs-are-told-what-they-took-of-packages",
                   test_jobs_are_told_what_they_took_of_packages);
  g_test_add_func ("/attribution-error/jobs-are-told-what-they-took-of-memory",
                   test_jobs_are_told_what_they_took_of_memory);
  g_test_add_func ("/attribution-error/counters-tell-more", test_counters_tell_more);
  g_test_add_func ("/attribution-error/each-thing-that-is-known-makes-it-better",
                   test_each_thing_that_is_known_makes_it_better);

  return g_test_run ();
}
