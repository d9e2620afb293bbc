/* test-node-counted.c: energy by what processors count of jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/jm-collector-set.h"
#include "core/jm-snapshot-private.h"
#include "fake-energy.h"
#include "fake-sources.h"
#include "node/jm-node.h"
#include "sources/counters/jm-counter-types-private.h"
#include "tree.h"

#define CGROUPS "sys/fs/cgroup/"
#define CPU_DIR "sys/devices/system/cpu/"
#define MAX_EVENTS 256
#define MAX_COUNTERS 400
#define ROUND_CPU_MS 100 /* that each job uses in a round */

/* --- a kernel that counts as the test sets it --- */

/* Whose events they are. */
typedef enum
{
  ALL,
  JOB_1,
  JOB_2,
  N_OWNERS,
} Owner;

typedef struct
{
  gboolean is_open;
  Owner owner;
  guint32 type;
  guint64 config;
  guint cpu;
  int leader;
} Event;

/* What it has counted so far: on the first CPU, all of it. */
typedef struct
{
  guint64 counts[PERF_COUNT_HW_MAX];
  guint64 clock_ns;
  guint64 cache_ns; /* in which events of the cache had their turn */
  gboolean is_lost; /* it cannot be read any more */
} Owned;

typedef struct
{
  Event events[MAX_EVENTS];
  guint n_events;
  Owned owners[N_OWNERS];
  gboolean refuses_all; /* to count what is no cgroup's, but for a try */
} Kernel;

static Owner
find_owner (int cgroup)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", cgroup);
  g_autofree char *path = NULL;

  if (cgroup < 0)
    return ALL;

  path = g_file_read_link (link, NULL);
  g_assert_nonnull (path);

  return g_str_has_suffix (path, "/job_1") ? JOB_1 : JOB_2;
}

static int
kernel_open (gpointer user_data,
             guint32 type,
             guint64 config,
             int cgroup,
             guint cpu,
             int leader)
{
  Kernel *self = user_data;
  Owner owner = find_owner (cgroup);

  if (owner == ALL && self->refuses_all)
    return -EMFILE;

  g_assert_cmpuint (self->n_events, <, MAX_EVENTS);
  self->events[self->n_events] = (Event){ TRUE, owner, type, config, cpu, leader };

  return (int) self->n_events++;
}

static guint64
get_count (Kernel *self, const Event *event)
{
  const Owned *owned = &self->owners[event->owner];

  if (event->cpu > 0)
    return 0;
  if (event->type == PERF_TYPE_SOFTWARE)
    return event->config == PERF_COUNT_SW_TASK_CLOCK ? owned->clock_ns : 0;

  return owned->counts[event->config];
}

static gboolean
is_of_cache (const Event *event)
{
  return event->type == PERF_TYPE_HARDWARE &&
         (event->config == PERF_COUNT_HW_CACHE_REFERENCES ||
          event->config == PERF_COUNT_HW_CACHE_MISSES);
}

static gssize
kernel_read (gpointer user_data, int fd, guint64 *words, gsize n_words)
{
  Kernel *self = user_data;
  const Event *leader = &self->events[fd];
  const Owned *owned = &self->owners[leader->owner];
  gsize n = 3;

  if (owned->is_lost)
    return -EIO;

  words[1] = leader->cpu == 0 ? owned->clock_ns : 0;
  words[2] = leader->cpu == 0 && is_of_cache (leader) ? owned->cache_ns : words[1];
  for (int i = fd; i < (int) self->n_events; i++)
    if (self->events[i].is_open && (i == fd || self->events[i].leader == fd))
      {
        g_assert_cmpuint (n, <, n_words);
        words[n++] = get_count (self, &self->events[i]);
      }
  words[0] = n - 3;

  return (gssize) (n * sizeof *words);
}

static void
kernel_close (gpointer user_data, int fd)
{
  Kernel *self = user_data;

  self->events[fd].is_open = FALSE;
}

static const JmPerfSyscalls calls = { kernel_open, kernel_read, kernel_close };

static guint
count_open (const Kernel *self, Owner owner)
{
  guint n = 0;

  for (guint i = 0; i < self->n_events; i++)
    n += self->events[i].is_open && self->events[i].owner == owner;

  return n;
}

/* --- a node of two sockets, on which two jobs run --- */

typedef struct
{
  Tree *tree;
  JmHost *host;
  Kernel kernel;
  JmPerfKernel perf_kernel;
  JmPerfSource *perf;
  FakeJobs *jobs;
  FakeMeter *meter;
  JmNode *node;

  guint n_rounds;
  guint64 package_uj, dram_uj;
  JmSnapshot *last;
} Fixture;

static void
write_cpu_time (Fixture *f, const char *job)
{
  g_autofree char *path = g_strconcat (CGROUPS, job, "/cpu.stat", NULL);
  guint us = (f->n_rounds + 1) * ROUND_CPU_MS * 1000;
  g_autofree char *text =
    g_strdup_printf ("usage_usec %u\nuser_usec %u\nsystem_usec 0\n", us, us);

  tree_rewrite (f->tree, path, text);
}

/* The first CPU has what the jobs did, the second something else. */
static void
write_machine (Fixture *f)
{
  guint ticks = f->n_rounds * 2 * ROUND_CPU_MS / 10;
  g_autofree char *text =
    g_strdup_printf ("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 %u 0 0 0 0 0 0 0 0 0\n"
                     "cpu1 %u 0 0 0 0 0 0 0 0 0\nbtime 1700000000\n",
                     ticks, ticks / 4);

  tree_rewrite (f->tree, "proc/stat", text);
}

static void
make_tree (Fixture *f)
{
  f->tree = tree_new ();
  tree_write (f->tree, "proc/self/mountinfo",
              "25 1 0:22 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree_write (f->tree, "proc/stat", "");
  tree_write (f->tree, CGROUPS "cgroup.controllers", "cpu\n");
  tree_write (f->tree, CPU_DIR "online", "0-1\n");
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *procs = g_strdup_printf (CGROUPS "job_%u/cgroup.procs", i);
      g_autofree char *stat = g_strdup_printf (CGROUPS "job_%u/cpu.stat", i);

      tree_write (f->tree, procs, "");
      tree_write (f->tree, stat, "");
    }
  write_cpu_time (f, "job_1");
  write_cpu_time (f, "job_2");
  write_machine (f);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;

  make_tree (f);
  f->host = jm_host_new (f->tree->root);
  f->perf_kernel = (JmPerfKernel){ &calls, &f->kernel };
  f->perf =
    jm_perf_source_new_with_kernel (f->host, MAX_COUNTERS, &f->perf_kernel, &error);
  g_assert_no_error (error);
  f->jobs = fake_jobs_new (f->host);
  f->meter = fake_meter_new (f->host);
  f->node = g_initable_new (JM_TYPE_NODE, NULL, &error, "host", f->host, "schedulers",
                            none, "power-sources", none, "emission-providers", none,
                            "gpu-sources", none, "energy-files", none, "collectors",
                            jm_collector_set_get_all (), NULL);
  g_assert_no_error (error);
  fake_meter_set_energy (f->meter, "package-0", 0);
  fake_meter_set_energy (f->meter, "dram-0", 0);
  jm_node_add_source (f->node, JM_SOURCE (f->jobs));
  jm_node_add_source (f->node, JM_SOURCE (f->perf));
  jm_node_add_source (f->node, JM_SOURCE (f->meter));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->last, jm_snapshot_unref);
  g_clear_object (&f->node);
  g_clear_object (&f->meter);
  g_clear_object (&f->jobs);
  g_clear_object (&f->perf);
  for (guint i = 0; i < N_OWNERS; i++)
    g_assert_cmpuint (count_open (&f->kernel, i), ==, 0);
  g_clear_object (&f->host);
  tree_free (f->tree);
}

/* Energy is of an interval, which has to have some length. */
static void
sample (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  gint64 end_us = g_get_monotonic_time () + 2000;

  while (g_get_monotonic_time () < end_us)
    g_thread_yield ();
  g_clear_pointer (&f->last, jm_snapshot_unref);
  f->last = jm_node_sample (f->node, NULL, &error);
  g_assert_no_error (error);
}

/* An owner runs as long as the other, and does that. */
static void
count (Fixture *f, Owner owner, guint64 instructions, guint64 misses)
{
  Owned *owned = &f->kernel.owners[owner];

  owned->counts[PERF_COUNT_HW_CPU_CYCLES] += 200000000;
  owned->counts[PERF_COUNT_HW_INSTRUCTIONS] += instructions;
  owned->counts[PERF_COUNT_HW_CACHE_MISSES] += misses;
  owned->clock_ns += ROUND_CPU_MS * 1000000;
  owned->cache_ns += ROUND_CPU_MS * 1000000;
}

/* A round in which nobody runs, and the meters go on. */
static void
rest (Fixture *f, guint64 package_uj, guint64 dram_uj)
{
  f->package_uj += package_uj;
  f->dram_uj += dram_uj;
  fake_meter_set_energy (f->meter, "package-0", f->package_uj);
  fake_meter_set_energy (f->meter, "dram-0", f->dram_uj);
  sample (f);
}

/* One in which the jobs use the same CPU time. */
static void
work (Fixture *f, guint64 package_uj, guint64 dram_uj)
{
  f->n_rounds++;
  write_cpu_time (f, "job_1");
  write_cpu_time (f, "job_2");
  write_machine (f);
  rest (f, package_uj, dram_uj);
}

/* Both jobs' misses, and those of all. */
static void
miss (Fixture *f, guint64 of_1, guint64 of_2, guint64 of_all)
{
  count (f, JOB_1, 300000000, of_1);
  count (f, JOB_2, 300000000, of_2);
  count (f, ALL, 700000000, of_all);
}

static double
get_energy (Fixture *f, guint subject, const char *domain)
{
  g_autoptr (JmLabels) labels =
    jm_labels_new ((const char *const[]){ domain, JM_QUALITY_MEASURED, NULL });
  double value;

  return jm_snapshot_get_labelled_metric (f->last, subject, JM_METRIC_ENERGY, labels,
                                          &value)
           ? value
           : NAN;
}

static double
get_of_job (Fixture *f, const char *id, const char *domain)
{
  guint subject;

  g_assert_true (jm_snapshot_find_job (f->last, id, &subject));

  return get_energy (f, subject, domain);
}

static double
get_of_part (Fixture *f, JmSubjectKind kind, const char *domain)
{
  guint subject;

  g_assert_true (jm_snapshot_find_subject (f->last, kind, &subject));

  return get_energy (f, subject, domain);
}

/* Jobs, system and idle are what was measured, to the microjoule. */
static void
assert_adds_up (Fixture *f)
{
  static const char *const domains[] = { "package", "dram" };
  const guint64 measured_uj[] = { f->package_uj, f->dram_uj };

  for (guint i = 0; i < G_N_ELEMENTS (domains); i++)
    {
      double sum = get_of_job (f, "1", domains[i]) + get_of_job (f, "2", domains[i]) +
                   get_of_part (f, JM_SUBJECT_KIND_SYSTEM, domains[i]) +
                   get_of_part (f, JM_SUBJECT_KIND_IDLE, domains[i]);

      g_assert_cmpfloat_with_epsilon (sum, (double) measured_uj[i] / 1e6, 1e-9);
    }
}

/* What the two jobs, and the system, have had more since. */
typedef struct
{
  double job_1, job_2, system;
} Parts;

static Parts
get_parts (Fixture *f, const char *domain)
{
  return (Parts){ get_of_job (f, "1", domain), get_of_job (f, "2", domain),
                  get_of_part (f, JM_SUBJECT_KIND_SYSTEM, domain) };
}

static Parts
get_growth (Fixture *f, const char *domain, const Parts *before)
{
  Parts now = get_parts (f, domain);

  g_assert_cmpfloat (now.job_1, >=, before->job_1);
  g_assert_cmpfloat (now.job_2, >=, before->job_2);
  g_assert_cmpfloat (now.system, >=, before->system);

  return (Parts){ now.job_1 - before->job_1, now.job_2 - before->job_2,
                  now.system - before->system };
}

/* For how long a domain was divided by counts; NAN where it never was. */
static double
get_counted (Fixture *f, const char *domain)
{
  g_autoptr (JmLabels) labels = jm_labels_new ((const char *const[]){ domain, NULL });
  double value;

  return jm_snapshot_get_labelled_metric (f->last, JM_NODE_SUBJECT,
                                          JM_METRIC_NODE_ENERGY_COUNTED, labels, &value)
           ? value
           : NAN;
}

/* After two rounds both jobs have been counted from one to the other. */
static void
begin (Fixture *f)
{
  sample (f);
  miss (f, 900000, 100000, 1050000);
  work (f, 3000001, 1000003);
  assert_adds_up (f);
}

static void
test_memory_goes_by_cache_misses (Fixture *f, gconstpointer data)
{
  Parts dram, before;

  begin (f);
  before = get_parts (f, "dram");
  miss (f, 900000, 100000, 1050000);
  work (f, 3000001, 1000003);
  assert_adds_up (f);

  dram = get_growth (f, "dram", &before);
  g_assert_cmpfloat (dram.job_2, >, 0);
  g_assert_cmpfloat_with_epsilon (dram.job_1 / dram.job_2, 9, 0.01);
  g_assert_cmpfloat_with_epsilon (dram.system / dram.job_2, 0.5, 0.01);
}

static void
test_processors_go_by_instructions_too (Fixture *f, gconstpointer data)
{
  Parts package, before;

  begin (f);
  before = get_parts (f, "package");
  count (f, JOB_1, 600000000, 100000);
  count (f, JOB_2, 60000000, 100000);
  count (f, ALL, 700000000, 200000);
  work (f, 3000001, 1000003);
  assert_adds_up (f);

  package = get_growth (f, "package", &before);
  g_assert_cmpfloat (package.job_2, >, 0);
  g_assert_cmpfloat (package.job_1, >, 1.05 * package.job_2);
}

/* By CPU time, as if nobody counted: nothing jumps, and nothing is lost. */
static void
assert_goes_by_time (Fixture *f)
{
  Parts before = get_parts (f, "dram");
  Parts before_of_package = get_parts (f, "package");
  Parts dram, package;

  work (f, 3000001, 1000003);
  assert_adds_up (f);
  dram = get_growth (f, "dram", &before);
  package = get_growth (f, "package", &before_of_package);
  g_assert_cmpfloat (dram.job_1, >, 0);
  g_assert_cmpfloat_with_epsilon (dram.job_1, dram.job_2, 1e-5);
  g_assert_cmpfloat_with_epsilon (package.job_1, package.job_2, 1e-5);
}

static void
test_time_divides_it_where_one_cannot_be_counted (Fixture *f, gconstpointer data)
{
  double counted;

  begin (f);
  counted = get_counted (f, "dram");
  g_assert_cmpfloat (counted, >=, 0.002);
  g_assert_cmpfloat (counted, ==, get_counted (f, "package"));
  f->kernel.owners[JOB_2].is_lost = TRUE;
  for (guint i = 0; i < 3; i++)
    {
      miss (f, 900000, 100000, 1050000);
      assert_goes_by_time (f);
    }
  g_assert_cmpfloat (get_counted (f, "dram"), ==, counted);
}

static void
test_time_divides_it_where_nobody_counts (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < N_OWNERS; i++)
    f->kernel.owners[i].is_lost = TRUE;
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_MESSAGE, "*is guessed*");
  sample (f);
  work (f, 3000001, 1000003);
  g_test_assert_expected_messages ();
  assert_goes_by_time (f);
  rest (f, 1000001, 1000003);
  g_assert_true (isnan (get_counted (f, "dram")));
  g_assert_true (isnan (get_counted (f, "package")));
}

/* What waited for its turn comes with the next one, of both times at once: neither
 * interval is divided by it. */
static void
test_time_divides_it_where_one_had_no_turn (Fixture *f, gconstpointer data)
{
  Parts before, dram;
  guint64 cache_ns;

  begin (f);
  cache_ns = f->kernel.owners[JOB_2].cache_ns;
  miss (f, 900000, 100000, 1050000);
  f->kernel.owners[JOB_2].cache_ns = cache_ns;
  f->kernel.owners[JOB_2].counts[PERF_COUNT_HW_CACHE_MISSES] -= 100000;
  assert_goes_by_time (f);

  miss (f, 900000, 100000, 1050000);
  assert_goes_by_time (f);

  before = get_parts (f, "dram");
  miss (f, 900000, 100000, 1050000);
  work (f, 3000001, 1000003);
  assert_adds_up (f);
  dram = get_growth (f, "dram", &before);
  g_assert_cmpfloat_with_epsilon (dram.job_1 / dram.job_2, 9, 0.01);
}

/* A job was there before its counters were. */
static void
test_time_divides_what_was_counted_in_part (Fixture *f, gconstpointer data)
{
  begin (f);
  count (f, JOB_1, 300000000, 900000);
  count (f, ALL, 700000000, 950000);
  f->kernel.owners[JOB_2].clock_ns += ROUND_CPU_MS * 1000000 / 4;
  f->kernel.owners[JOB_2].cache_ns += ROUND_CPU_MS * 1000000 / 4;
  assert_goes_by_time (f);
}

/* Its misses for each second are those of the jobs. */
static void
test_the_system_is_guessed_where_not_all_is_counted (Fixture *f, gconstpointer data)
{
  Parts before, dram;

  f->kernel.refuses_all = TRUE;
  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_MESSAGE, "*is guessed*");
  begin (f);
  g_test_assert_expected_messages ();
  before = get_parts (f, "dram");
  miss (f, 900000, 100000, 0);
  work (f, 3000001, 1000003);
  assert_adds_up (f);

  dram = get_growth (f, "dram", &before);
  g_assert_cmpfloat_with_epsilon (dram.job_1 / dram.job_2, 9, 0.01);
  g_assert_cmpfloat_with_epsilon (dram.system / (dram.job_1 + dram.job_2), 0.25, 0.05);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                \
 g_test_add ("/node-counted/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("memory-goes-by-cache-misses", test_memory_goes_by_cache_misses);
  ADD ("processors-go-by-instructions-too", test_processors_go_by_instructions_too);
  ADD ("time-divides-it-where-one-cannot-be-counted",
       test_time_divides_it_where_one_cannot_be_counted);
  ADD ("time-divides-it-where-nobody-counts", test_time_divides_it_where_nobody_counts);
  ADD ("time-divides-it-where-one-had-no-turn",
       test_time_divides_it_where_one_had_no_turn);
  ADD ("time-divides-what-was-counted-in-part",
       test_time_divides_what_was_counted_in_part);
  ADD ("the-system-is-guessed-where-not-all-is-counted",
       test_the_system_is_guessed_where_not_all_is_counted);

  return g_test_run ();
}
