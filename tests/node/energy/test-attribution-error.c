/* test-attribution-error.c: how far off is what jobs are reported to have taken
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: test-attribution-error [--report]
 */

#include <math.h>
#include <string.h>

#include "node/energy/jm-attribution-private.h"
#include "node/energy/jm-cpu-activity-private.h"
#include "node/energy/jm-energy-account-private.h"
#include "simulation.h"

#define N_SCENARIOS 32
#define FIRST_SEED 5150001u
#define N_INTERVALS 1440 /* two hours */
#define MAX_LOADS (SIMULATED_CPUS + 1)
#define SYSTEM G_MAXUINT

/* From what peers do to all that is known. */
typedef enum
{
  METHOD_CPU_TIME,
  METHOD_SOCKETS,
  METHOD_WEIGHTS,
  METHOD_LEARNED_PLAIN,
  METHOD_LEARNED,
  METHOD_COUNTERS,
  METHOD_UNCONFINED,
  METHOD_SEEN,
  N_METHODS,
} Method;

static const char *const method_names[] = {
  [METHOD_CPU_TIME] = "CPU time of the node",
  [METHOD_SOCKETS] = "+ by socket, idle learned",
  [METHOD_WEIGHTS] = "+ siblings and frequency",
  [METHOD_LEARNED_PLAIN] = "+ loads learned, no frequency",
  [METHOD_LEARNED] = "+ loads learned",
  [METHOD_COUNTERS] = "+ counters of processors",
  [METHOD_UNCONFINED] = "learned, jobs not confined",
  [METHOD_SEEN] = "+ threads seen on their CPUs",
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

/* One job's joules, true and reported. */
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

/* Whose errors: of all jobs, and by what they do; of those that were there before the
 * node was looked at, and of those that were over within a minute. */
enum
{
  GROUP_ALL = N_SIMULATED_KINDS,
  GROUP_WERE_THERE,
  GROUP_SHORT,
  N_GROUPS,
};

#define SHORT_SECONDS 60

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
  GPtrArray *placements; /* of JmPlacement, by job */
} Observer;

static void
placement_free (gpointer placement)
{
  g_clear_pointer ((JmPlacement **) &placement, jm_placement_free);
}

static void
observer_init (Observer *self, const Simulation *node, Method method)
{
  JmCpuSeat seats[SIMULATED_CPUS];

  simulation_get_seats (node, seats);
  if (method < METHOD_WEIGHTS)
    for (guint i = 0; i < SIMULATED_CPUS; i++)
      seats[i] =
        (JmCpuSeat){ .cpu = i, .package = seats[i].package, .core = i, .capacity = 1 };

  self->method = method;
  self->placements = g_ptr_array_new_with_free_func (placement_free);
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
  g_ptr_array_unref (self->placements);
  for (guint p = 0; p < N_POLICIES; p++)
    jm_attribution_free (self->attributions[p]);
}

/* Where the job was seen, as the accounts know it. */
static void
see (Observer *self, const SimulatedJob *job, JmCpuUser *user)
{
  if (job->id >= self->placements->len)
    g_ptr_array_set_size (self->placements, (int) job->id + 1);
  if (self->placements->pdata[job->id] == NULL)
    self->placements->pdata[job->id] = jm_placement_new ();

  jm_placement_take (self->placements->pdata[job->id], job->placed_ns, SIMULATED_CPUS,
                     TRUE);
  user->placed_ns =
    jm_placement_get (self->placements->pdata[job->id], &user->n_placed);
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

  const guint64 all = G_MAXUINT64;

  if (self->method >= METHOD_WEIGHTS && self->method != METHOD_LEARNED_PLAIN)
    interval.frequencies = now->frequencies;

  for (guint i = 0; i < now->jobs->len; i++)
    {
      const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);

      users[i] = (JmCpuUser){
        .cpus = &job->cpus,
        .n_words = 1,
        .cpu_ns = job->cpu_ns,
        .seconds = job->seconds,
      };
      if (self->method >= METHOD_UNCONFINED)
        users[i].cpus = &all;
      if (self->method == METHOD_SEEN)
        see (self, job, &users[i]);
    }

  jm_cpu_activity_weigh (self->activity, &interval, users, now->jobs->len);
}

/* What of a user's CPU time was on the package of @part. */
static double
get_presence (JmCpuActivity *activity, guint user, const JmCpuPart *part)
{
  double busy = 0;

  for (guint s = 0; s < SIMULATED_SOCKETS; s++)
    busy += (user == SYSTEM ? jm_cpu_activity_get_system (activity, s)
                            : jm_cpu_activity_get_part (activity, user, s))
              ->busy_seconds;

  return busy > 0 ? part->busy_seconds / busy : 0;
}

static JmWork
get_work (const SimulatedCounts *counts, double share)
{
  return (JmWork){ { counts->cycles * share, counts->instructions * share,
                     counts->cache_misses * share } };
}

static JmWork
get_work_of_system (Observer *self, const SimulatedInterval *now, const JmCpuPart *part)
{
  SimulatedCounts left = now->counts;

  for (guint i = 0; i < now->jobs->len; i++)
    {
      const SimulatedCounts *counts =
        &g_array_index (now->jobs, SimulatedJob, i).counts;

      left.cycles = MAX (left.cycles - counts->cycles, 0);
      left.instructions = MAX (left.instructions - counts->instructions, 0);
      left.cache_misses = MAX (left.cache_misses - counts->cache_misses, 0);
    }

  return get_work (&left, get_presence (self->activity, SYSTEM, part));
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
        .busy_seconds = part->busy_seconds,
        .allocated_seconds = part->allocated_seconds,
        .work = jm_work_unknown,
      };
      if (!is_system)
        {
          const SimulatedJob *job = &g_array_index (now->jobs, SimulatedJob, i);

          loads[i].id = job->id;
          if (self->method == METHOD_COUNTERS && job->is_counted)
            loads[i].work =
              get_work (&job->counts, get_presence (self->activity, i, part));
        }
      else if (self->method == METHOD_COUNTERS)
        loads[i].work = get_work_of_system (self, now, part);
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
  guint n = 0;

  for (guint i = 0; i < SIMULATED_CPUS; i++)
    n += simulation_get_socket (i) == socket && (job->cpus >> i & 1) != 0;

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

          add_error (&errors[account->kind], truth, told);
          add_error (&errors[GROUP_ALL], truth, told);
          if (account->was_there)
            add_error (&errors[GROUP_WERE_THERE], truth, told);
          if (account->seconds < SHORT_SECONDS)
            add_error (&errors[GROUP_SHORT], truth, told);
        }
}

/* One that began as the last interval ended has no share to be off from. */
static gboolean
took_something (const Account *account)
{
  return account->truth[0][COMPONENT_PACKAGE] > 0 &&
         account->truth[0][COMPONENT_DRAM] > 0;
}

static void
run_scenario (Report *report, const Simulation *simulation, guint32 seed)
{
  gpointer node = simulation->make (seed);
  g_autoptr (GArray) accounts = g_array_new (FALSE, TRUE, sizeof (Account));
  Observer observers[N_METHODS];

  for (guint m = METHOD_SOCKETS; m < N_METHODS; m++)
    observer_init (&observers[m], simulation, m);

  for (guint i = 0; i < N_INTERVALS; i++)
    {
      const SimulatedInterval *now = simulation->next (node);

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
    if (took_something (&g_array_index (accounts, Account, i)))
      add_account (report, &g_array_index (accounts, Account, i));
  simulation->free (node);
}

static const Simulation *const nodes[] = { &simulated_node, &simulated_server,
                                           &simulated_unlike, &simulated_chiplets };

#define N_NODES G_N_ELEMENTS (nodes)
/* Nothing is promised of the last one yet: it is in the report alone. */
#define N_TESTED (N_NODES - 1)

/* Made once: it takes some seconds. */
static const Report *
get_report (guint node)
{
  static Report reports[N_NODES];
  static gboolean is_made[N_NODES];

  for (guint32 i = 0; i < N_SCENARIOS && !is_made[node]; i++)
    run_scenario (&reports[node], nodes[node], FIRST_SEED + i);
  is_made[node] = TRUE;

  return &reports[node];
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
  g_print ("# %-30s %8s %9s %8s %8s %8s %8s %8s\n", "", "jobs", "by joule", "compute",
           "mixed", "memory", "earlier", "short");
  for (guint m = 0; m < N_METHODS; m++)
    {
      const Error *errors = report->errors[m][policy][component];

      g_print ("# %-30s %7.1f%% %8.1f%% %7.1f%% %7.1f%% %7.1f%% %7.1f%% %7.1f%%\n",
               method_names[m], get_percent (&errors[GROUP_ALL]),
               get_weighted_percent (&errors[GROUP_ALL]),
               get_percent (&errors[SIMULATED_COMPUTE_BOUND]),
               get_percent (&errors[SIMULATED_MIXED]),
               get_percent (&errors[SIMULATED_MEMORY_BOUND]),
               get_percent (&errors[GROUP_WERE_THERE]),
               get_percent (&errors[GROUP_SHORT]));
    }
}

static void
print_report (guint node)
{
  const Report *report = get_report (node);
  static const char *const components[] = { "package", "dram" };
  static const char *const names[] = { "apart", "shared" };

  g_print ("# %s: mean absolute error of a job's joules, %u scenarios from seed %u "
           "on\n",
           nodes[node]->name, N_SCENARIOS, FIRST_SEED);
  for (guint c = 0; c < N_COMPONENTS; c++)
    for (guint p = 0; p < N_POLICIES; p++)
      {
        g_print ("#\n# %s, idle power %s, %u jobs\n", components[c], names[p],
                 report->errors[0][p][c][GROUP_ALL].n);
        print_table (report, p, c);
      }
}

/* Bounds in percent: of the average job, and of all jobs' joules. */
typedef struct
{
  guint policy;
  Component component;
  double job, joule;
} Bound;

static void
assert_within (guint node, Method method, const Bound *bounds, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const Bound *bound = &bounds[i];
      const Error *error =
        &get_report (node)->errors[method][bound->policy][bound->component][GROUP_ALL];

      g_test_message ("%s, %s: %.1f %% for each job, %.1f %% by joule",
                      nodes[node]->name, method_names[method], get_percent (error),
                      get_weighted_percent (error));
      g_assert_cmpfloat (get_percent (error), <, bound->job);
      g_assert_cmpfloat (get_weighted_percent (error), <, bound->joule);
    }
}

/* Of jobs that hardly use memory, what they took of it is not known well: they are what
 * the bound for the average job without idle power has to allow for. */
static void
test_jobs_are_given_what_they_took (void)
{
  static const Bound bounds[N_TESTED][4] = {
    { { APART, COMPONENT_PACKAGE, 9, 6.5 },
      { SHARED, COMPONENT_PACKAGE, 7, 4.5 },
      { APART, COMPONENT_DRAM, 80, 22 },
      { SHARED, COMPONENT_DRAM, 13, 9 } },
    { { APART, COMPONENT_PACKAGE, 13, 10 },
      { SHARED, COMPONENT_PACKAGE, 11, 7.5 },
      { APART, COMPONENT_DRAM, 45, 29 },
      { SHARED, COMPONENT_DRAM, 23, 17 } },
    { { APART, COMPONENT_PACKAGE, 14, 9 },
      { SHARED, COMPONENT_PACKAGE, 11, 7 },
      { APART, COMPONENT_DRAM, 80, 21 },
      { SHARED, COMPONENT_DRAM, 15, 9 } },
  };

  for (guint node = 0; node < N_TESTED; node++)
    assert_within (node, METHOD_LEARNED, bounds[node], 4);
}

static void
test_jobs_that_are_not_confined_are_distinguished (void)
{
  static const Bound bounds[N_TESTED][2] = {
    { { APART, COMPONENT_PACKAGE, 10, 7 }, { APART, COMPONENT_DRAM, 85, 29 } },
    { { APART, COMPONENT_PACKAGE, 13.5, 10.5 }, { APART, COMPONENT_DRAM, 52, 33 } },
    { { APART, COMPONENT_PACKAGE, 13.5, 9.5 }, { APART, COMPONENT_DRAM, 105, 24 } },
  };

  for (guint node = 0; node < N_TESTED; node++)
    assert_within (node, METHOD_SEEN, bounds[node], 2);
}

static void
test_counters_show_more (void)
{
  static const Bound bounds[N_TESTED][4] = {
    { { APART, COMPONENT_PACKAGE, 8.5, 6.3 },
      { SHARED, COMPONENT_PACKAGE, 6.7, 4.5 },
      { APART, COMPONENT_DRAM, 45, 19 },
      { SHARED, COMPONENT_DRAM, 10, 7.5 } },
    { { APART, COMPONENT_PACKAGE, 12, 8.2 },
      { SHARED, COMPONENT_PACKAGE, 10, 6 },
      { APART, COMPONENT_DRAM, 26, 18 },
      { SHARED, COMPONENT_DRAM, 11, 9 } },
    { { APART, COMPONENT_PACKAGE, 12, 7.5 },
      { SHARED, COMPONENT_PACKAGE, 9, 5.5 },
      { APART, COMPONENT_DRAM, 60, 19 },
      { SHARED, COMPONENT_DRAM, 11.5, 8 } },
  };

  for (guint node = 0; node < N_TESTED; node++)
    assert_within (node, METHOD_COUNTERS, bounds[node], 4);
}

/* By joule, of both components and by both policies. */
static void
test_counters_never_show_less (void)
{
  for (guint node = 0; node < N_TESTED; node++)
    for (guint p = 0; p < N_POLICIES; p++)
      for (guint c = 0; c < N_COMPONENTS; c++)
        {
          const Report *report = get_report (node);

          g_assert_cmpfloat (get_weighted_percent (
                               &report->errors[METHOD_COUNTERS][p][c][GROUP_ALL]),
                             <,
                             get_weighted_percent (
                               &report->errors[METHOD_LEARNED][p][c][GROUP_ALL]));
        }
}

static void
test_each_thing_that_is_known_makes_it_better (void)
{
  static const Method steps[] = { METHOD_CPU_TIME, METHOD_SOCKETS, METHOD_WEIGHTS,
                                  METHOD_LEARNED };

  for (guint node = 0; node < N_TESTED; node++)
    for (guint p = 0; p < N_POLICIES; p++)
      for (guint i = 1; i < G_N_ELEMENTS (steps); i++)
        {
          const Report *report = get_report (node);
          const Error *before =
            &report->errors[steps[i - 1]][p][COMPONENT_PACKAGE][GROUP_ALL];
          const Error *after =
            &report->errors[steps[i]][p][COMPONENT_PACKAGE][GROUP_ALL];

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
      for (guint i = 0; i < N_NODES; i++)
        print_report (i);
      return 0;
    }

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < N_TESTED; i++)
    print_report (i);

  g_test_add_func ("/attribution-error/jobs-are-given-what-they-took",
                   test_jobs_are_given_what_they_took);
  g_test_add_func ("/attribution-error/jobs-that-are-not-confined-are-distinguished",
                   test_jobs_that_are_not_confined_are_distinguished);
  g_test_add_func ("/attribution-error/counters-show-more", test_counters_show_more);
  g_test_add_func ("/attribution-error/counters-never-show-less",
                   test_counters_never_show_less);
  g_test_add_func ("/attribution-error/each-thing-that-is-known-makes-it-better",
                   test_each_thing_that_is_known_makes_it_better);

  return g_test_run ();
}
