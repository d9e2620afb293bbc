/* test-perf-source.c: what perf counts of cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-host-private.h"
#include "sources/counters/jm-counter-types-private.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "core/jm-readings-private.h"
#include "ground.h"
#include "tree.h"

#define N_FAULTS 2000
#define N_SLEEPS 200
#define BURN_NS (200 * G_GINT64_CONSTANT (1000000))
#define MAX_EVENTS 256
#define MANY 1000

/* --- a kernel that counts as the test sets it --- */

typedef struct
{
  gboolean is_open;
  guint32 type;
  guint64 config;
  guint cpu;
  int leader;
  guint64 count;
  guint64 wanted_ns; /* of a leader */
  guint64 counted_ns;
} FakeEvent;

typedef struct
{
  gboolean has_no_pmu;
  guint offline_cpu; /* 0 for none */
  int result;        /* 0, or what every open fails with */
  FakeEvent events[MAX_EVENTS];
  guint n_events; /* ever opened */
} FakeKernel;

static int
fake_open (gpointer user_data,
           guint32 type,
           guint64 config,
           int cgroup,
           guint cpu,
           int leader)
{
  FakeKernel *self = user_data;

  if (self->result < 0)
    return self->result;
  if (self->has_no_pmu && type == PERF_TYPE_HARDWARE)
    return -ENOENT;
  if (self->offline_cpu != 0 && cpu == self->offline_cpu)
    return -ENODEV;

  g_assert_cmpuint (self->n_events, <, MAX_EVENTS);
  self->events[self->n_events] = (FakeEvent){ .is_open = TRUE,
                                              .type = type,
                                              .config = config,
                                              .cpu = cpu,
                                              .leader = leader };

  return (int) self->n_events++;
}

static gssize
fake_read (gpointer user_data, int fd, guint64 *words, gsize n_words)
{
  FakeKernel *self = user_data;
  const FakeEvent *leader = &self->events[fd];
  gsize n = 3;

  g_assert_true (leader->is_open);
  words[1] = leader->wanted_ns;
  words[2] = leader->counted_ns;
  for (int i = 0; i < (int) self->n_events; i++)
    if (self->events[i].is_open && (i == fd || self->events[i].leader == fd))
      {
        g_assert_cmpuint (n, <, n_words);
        words[n++] = self->events[i].count;
      }
  words[0] = n - 3;

  return (gssize) (n * sizeof *words);
}

static void
fake_close (gpointer user_data, int fd)
{
  FakeKernel *self = user_data;

  g_assert_true (self->events[fd].is_open);
  self->events[fd].is_open = FALSE;
}

static const JmPerfSyscalls fake_calls = { fake_open, fake_read, fake_close };

static guint
count_open (const FakeKernel *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_events; i++)
    n += self->events[i].is_open ? 1 : 0;

  return n;
}

static FakeEvent *
find_event (FakeKernel *self, guint64 config, guint cpu)
{
  for (guint i = 0; i < self->n_events; i++)
    if (self->events[i].is_open && self->events[i].type == PERF_TYPE_HARDWARE &&
        self->events[i].config == config && self->events[i].cpu == cpu)
      return &self->events[i];

  g_error ("event %" G_GUINT64_FORMAT " is not open on CPU %u", config, cpu);
}

/* --- a source, and what it reported last --- */

typedef struct
{
  Tree *tree;
  JmHost *host;
  FakeKernel kernel;
  JmPerfKernel calls;
  JmPerfSource *source;
  gpointer cgroup;
  JmReadings *readings;
} Asked;

static void
asked_clear (Asked *self)
{
  if (self->cgroup != NULL)
    jm_counter_source_close_cgroup (JM_COUNTER_SOURCE (self->source), self->cgroup);
  if (self->source != NULL)
    g_assert_cmpuint (jm_perf_source_get_n_open (self->source), ==, 0);
  g_assert_cmpuint (count_open (&self->kernel), ==, 0);
  g_clear_pointer (&self->readings, jm_readings_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->host);
  g_clear_pointer (&self->tree, tree_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
open_fake (Asked *self, const char *online, guint max_counters, GError **error)
{
  self->tree = tree_new ();
  self->host = jm_host_new (self->tree->root);
  self->readings = jm_readings_new ();
  self->calls = (JmPerfKernel){ &fake_calls, &self->kernel };
  tree_write (self->tree, "sys/devices/system/cpu/online", online);
  self->source =
    jm_perf_source_new_with_kernel (self->host, max_counters, &self->calls, error);

  return self->source != NULL;
}

static void
open_sound (Asked *self, const char *online, guint max_counters)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (open_fake (self, online, max_counters, &error));
  g_assert_no_error (error);
  self->cgroup =
    jm_counter_source_open_cgroup (JM_COUNTER_SOURCE (self->source), "/tmp", &error);
  g_assert_no_error (error);
}

/* As a job that may run on @cpus. */
static gboolean
ask_on (Asked *self, const char *cpus, GError **error)
{
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_readings_begin (self->readings, JM_COLLECTOR_PERF);
  if (cpus != NULL)
    jm_readings_add_cpus (self->readings, cpus);
  jm_counter_source_begin_round (JM_COUNTER_SOURCE (self->source));

  return jm_counter_source_read (JM_COUNTER_SOURCE (self->source), self->cgroup,
                                 self->readings, error);
}

static void
ask (Asked *self, const char *cpus)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (ask_on (self, cpus, &error));
  g_assert_no_error (error);
}

static gboolean
is_told (Asked *self, JmMetric metric)
{
  return jm_readings_find (self->readings, 0, metric) != NULL;
}

static guint64
get (Asked *self, JmMetric metric)
{
  const JmReading *reading = jm_readings_find (self->readings, 0, metric);

  g_assert_nonnull (reading);

  return reading->value;
}

static guint64
get_of_group (Asked *self, JmMetric metric, const char *group)
{
  guint n;
  const JmReading *readings = jm_readings_get_values (self->readings, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric &&
        g_str_equal (jm_labels_get_value (readings[i].labels, 0), group))
      return readings[i].value;

  g_error ("nothing of %s", group);
}

static void
count (Asked *self,
       guint64 config,
       guint cpu,
       guint64 n,
       guint64 wanted,
       guint64 counted)
{
  FakeEvent *event = find_event (&self->kernel, config, cpu);

  event->count += n;
  event->wanted_ns += wanted;
  event->counted_ns += counted;
}

/* --- what the processor counts --- */

static void
test_events_of_all_cpus_are_added_up (void)
{
  g_auto (Asked) asked = { NULL };

  open_sound (&asked, "0-1\n", MANY);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 0);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 2 * 12);

  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 0, 100, 50, 50);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 1, 23, 10, 10);
  count (&asked, PERF_COUNT_HW_INSTRUCTIONS, 1, 46, 0, 0);
  count (&asked, PERF_COUNT_HW_REF_CPU_CYCLES, 0, 70, 0, 0);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 123);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_INSTRUCTIONS), ==, 46);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_REFERENCE_CYCLES), ==, 70);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_WANTED, "cycles"), ==, 60);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_COUNTED, "cycles"), ==, 60);
}

static void
test_what_took_turns_is_scaled_and_reported (void)
{
  g_auto (Asked) asked = { NULL };

  open_sound (&asked, "0\n", MANY);
  ask (&asked, NULL);
  count (&asked, PERF_COUNT_HW_CACHE_REFERENCES, 0, 100, 1000, 250);
  count (&asked, PERF_COUNT_HW_CACHE_MISSES, 0, 10, 0, 0);
  ask (&asked, NULL);

  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CACHE_REFERENCES), ==, 400);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CACHE_MISSES), ==, 40);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_WANTED, "cache"), ==, 1000);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_COUNTED, "cache"), ==, 250);

  /* another share of the time does not make less of what was reported */
  count (&asked, PERF_COUNT_HW_CACHE_REFERENCES, 0, 100, 1000, 1000);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CACHE_REFERENCES), ==, 500);
}

static void
test_a_turn_that_comes_late_is_scaled_over_the_whole_wait (void)
{
  g_auto (Asked) asked = { NULL };

  open_sound (&asked, "0\n", MANY);
  ask (&asked, NULL);
  count (&asked, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0, 0, 500, 0);
  ask (&asked, NULL);
  g_assert_false (is_told (&asked, JM_METRIC_PERF_BRANCHES));
  g_assert_true (is_told (&asked, JM_METRIC_PERF_CYCLES));
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_WANTED, "branches"), ==, 500);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_COUNTED, "branches"), ==, 0);

  count (&asked, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0, 30, 100, 100);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_BRANCHES), ==, 180);
}

static void
test_without_counters_of_the_processor_only_the_kernels_are_reported (void)
{
  g_auto (Asked) asked = { .kernel.has_no_pmu = TRUE };

  g_test_expect_message ("JobMetrics", G_LOG_LEVEL_MESSAGE,
                         "*no counters of its processors*");
  open_sound (&asked, "0\n", MANY);
  g_test_assert_expected_messages ();
  g_assert_false (jm_perf_source_has_hardware (asked.source));
  ask (&asked, NULL);
  g_assert_false (is_told (&asked, JM_METRIC_PERF_CYCLES));
  g_assert_false (is_told (&asked, JM_METRIC_PERF_WANTED));
  g_assert_true (is_told (&asked, JM_METRIC_PERF_CONTEXT_SWITCHES));
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 5);
}

/* --- the whole node --- */

static gboolean
ask_node (Asked *self, GError **error)
{
  jm_readings_reset (self->readings, jm_collector_set_get_all ());
  jm_readings_begin (self->readings, JM_COLLECTOR_PERF);

  return jm_counter_source_read_node (JM_COUNTER_SOURCE (self->source), self->readings,
                                      error);
}

/* It keeps its counters for as long as it is. */
static void
close_source (Asked *self)
{
  jm_counter_source_close_cgroup (JM_COUNTER_SOURCE (self->source), self->cgroup);
  self->cgroup = NULL;
  g_clear_object (&self->source);
}

static void
test_of_all_processes_that_is_counted_which_energy_goes_by (void)
{
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  open_sound (&asked, "0-1\n", MANY);
  g_assert_true (jm_counter_source_can_read_node (JM_COUNTER_SOURCE (asked.source)));
  g_assert_true (ask_node (&asked, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 2 * 5);

  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 0, 100, 50, 50);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 1, 23, 50, 50);
  count (&asked, PERF_COUNT_HW_CACHE_REFERENCES, 1, 50, 50, 25);
  count (&asked, PERF_COUNT_HW_CACHE_MISSES, 1, 7, 0, 0);
  g_assert_true (ask_node (&asked, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 123);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_INSTRUCTIONS), ==, 0);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CACHE_MISSES), ==, 14);
  g_assert_cmpuint (get_of_group (&asked, JM_METRIC_PERF_COUNTED, "cache"), ==, 25);
  g_assert_false (is_told (&asked, JM_METRIC_PERF_BRANCHES));
  g_assert_false (is_told (&asked, JM_METRIC_PERF_TASK_CLOCK));
  close_source (&asked);
}

static void
test_the_node_leaves_most_counters_to_jobs (void)
{
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  open_sound (&asked, "0-7\n", 100);
  g_assert_false (ask_node (&asked, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "all processes: 40 more counters of perf are wanted and 0 are open, "
                   "where there may be 25 (max-counters)");

  ask (&asked, NULL);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 96);
  close_source (&asked);
}

static void
test_jobs_that_came_first_do_not_count_against_the_node (void)
{
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  open_sound (&asked, "0-1\n", 40);
  ask (&asked, NULL);
  g_assert_true (ask_node (&asked, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 24 + 10);
  close_source (&asked);
}

/* --- how many there are, and where --- */

static void
test_a_job_is_counted_on_its_own_cpus_alone (void)
{
  g_auto (Asked) asked = { NULL };

  open_sound (&asked, "0-7\n", MANY);
  ask (&asked, "2-3,2-3");
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 2 * 12);
  find_event (&asked.kernel, PERF_COUNT_HW_CPU_CYCLES, 2);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 3, 7, 1, 1);

  /* it gets another, and what was counted goes on */
  ask (&asked, "2-4");
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 3 * 12);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 4, 5, 1, 1);
  ask (&asked, "2-4");
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 12);
}

static void
test_a_cpu_that_goes_and_comes_back_is_counted_anew (void)
{
  g_auto (Asked) asked = { NULL };

  open_sound (&asked, "0-1\n", MANY);
  ask (&asked, NULL);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 1, 5, 1, 1);
  ask (&asked, NULL);

  tree_write (asked.tree, "sys/devices/system/cpu/online", "0\n");
  ask (&asked, NULL);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 12);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 5);

  /* the kernel refuses it as long as the list is ahead */
  tree_write (asked.tree, "sys/devices/system/cpu/online", "0-1\n");
  ask (&asked, NULL);
  count (&asked, PERF_COUNT_HW_CPU_CYCLES, 1, 2, 1, 1);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CYCLES), ==, 7);
}

static void
test_a_cpu_that_is_just_going_is_passed_over (void)
{
  g_auto (Asked) asked = { .kernel.offline_cpu = 3 };

  open_sound (&asked, "0-3\n", MANY);
  ask (&asked, NULL);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 3 * 12);
}

static void
test_too_many_counters_are_refused_in_one_sentence (void)
{
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  open_sound (&asked, "0-7\n", 40);
  g_assert_false (ask_on (&asked, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "/tmp: 96 more counters of perf are wanted and 0 are open, where "
                   "there may be 40 (max-counters)");
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 0);

  /* a job that is confined fits */
  ask (&asked, "0-2");
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 36);
}

static void
test_nothing_stays_open_where_the_kernel_refuses (void)
{
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  open_sound (&asked, "0-1\n", MANY);
  asked.kernel.result = -EMFILE;
  g_assert_false (ask_on (&asked, NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpuint (jm_perf_source_get_n_open (asked.source), ==, 0);
  g_assert_cmpuint (jm_host_get_open_files (asked.host), ==, 0);

  asked.kernel.result = 0;
  ask (&asked, NULL);
}

static void
test_what_is_missing_is_reported_in_one_line (void)
{
  g_auto (Asked) asked = { .kernel.result = -EACCES };
  g_autoptr (GError) error = NULL;

  g_assert_false (open_fake (&asked, "0\n", MANY, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
  g_assert_cmpstr (error->message, ==,
                   "perf_event_open on CPU 0: Permission denied: it takes CAP_PERFMON, "
                   "and kernel.perf_event_paranoid of 2 at most");
}

static void
test_is_absent_on_a_copied_tree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;

  tree_write (tree, "sys/devices/system/cpu/online", "0\n");
  g_assert_null (jm_perf_source_new (host, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

/* --- what the kernel counts, on this machine --- */

/* The source, or NULL with a reason to skip. */
static gboolean
open_real (Asked *self, const char *dir)
{
  g_autoptr (GError) error = NULL;

  self->host = jm_host_new (NULL);
  self->readings = jm_readings_new ();
  self->source = jm_perf_source_new (self->host, &error);
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    {
      g_autofree char *why =
        g_strdup_printf ("perf may not count here: %s", error->message);

      g_test_skip (why);
      return FALSE;
    }
  g_assert_no_error (error);
  self->cgroup =
    jm_counter_source_open_cgroup (JM_COUNTER_SOURCE (self->source), dir, &error);
  g_assert_no_error (error);
  ask (self, NULL);

  return TRUE;
}

static gint64
cpu_time_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);

  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
touch_pages (gconstpointer user_data)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);
  volatile char *memory = mmap (NULL, N_FAULTS * page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  /* a fault for each, also where the kernel prefers huge ones */
  madvise ((void *) memory, N_FAULTS * page, MADV_NOHUGEPAGE);
  for (gsize i = 0; i < N_FAULTS; i++)
    memory[i * page] = 1;
}

static void
sleep_often (gconstpointer user_data)
{
  const struct timespec moment = { 0, 1000 };

  for (guint i = 0; i < N_SLEEPS; i++)
    nanosleep (&moment, NULL);
}

static void
burn (gconstpointer user_data)
{
  gint64 began_ns = cpu_time_ns ();

  while (cpu_time_ns () < began_ns + BURN_NS)
    continue;
}

static void
test_page_faults_of_a_real_process_are_counted (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };

  if (ground == NULL || !open_real (&asked, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, touch_pages, NULL);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_MINOR_PAGE_FAULTS), >=, N_FAULTS);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_MINOR_PAGE_FAULTS), <, N_FAULTS + 500);
}

static void
test_switches_and_time_of_a_real_process_are_counted (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  guint64 clock_ns;

  if (ground == NULL || !open_real (&asked, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, sleep_often, NULL);
  ask (&asked, NULL);
  /* a process that is off the CPU by itself when its sleep begins switches no more */
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_CONTEXT_SWITCHES), >=,
                    N_SLEEPS * 9 / 10);
  clock_ns = get (&asked, JM_METRIC_PERF_TASK_CLOCK);

  ground_work (ground, NULL, burn, NULL);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_TASK_CLOCK), >=,
                    clock_ns + BURN_NS * 9 / 10);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_TASK_CLOCK), <, clock_ns + BURN_NS * 2);
}

/* Of a job those in its steps. */
static void
test_cgroups_below_are_a_part_of_it_and_others_are_not (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };

  if (ground == NULL || !open_real (&asked, ground_get_dir (ground)))
    return;

  touch_pages (NULL);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_MINOR_PAGE_FAULTS), ==, 0);

  ground_work (ground, "step_0", touch_pages, NULL);
  ask (&asked, NULL);
  g_assert_cmpuint (get (&asked, JM_METRIC_PERF_MINOR_PAGE_FAULTS), >=, N_FAULTS);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/perf-source/" #name, test_##name                                                   \
 }

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    TEST (events_of_all_cpus_are_added_up),
    TEST (what_took_turns_is_scaled_and_reported),
    TEST (a_turn_that_comes_late_is_scaled_over_the_whole_wait),
    TEST (without_counters_of_the_processor_only_the_kernels_are_reported),
    TEST (of_all_processes_that_is_counted_which_energy_goes_by),
    TEST (the_node_leaves_most_counters_to_jobs),
    TEST (jobs_that_came_first_do_not_count_against_the_node),
    TEST (a_job_is_counted_on_its_own_cpus_alone),
    TEST (a_cpu_that_goes_and_comes_back_is_counted_anew),
    TEST (a_cpu_that_is_just_going_is_passed_over),
    TEST (too_many_counters_are_refused_in_one_sentence),
    TEST (nothing_stays_open_where_the_kernel_refuses),
    TEST (what_is_missing_is_reported_in_one_line),
    TEST (is_absent_on_a_copied_tree),
    TEST (page_faults_of_a_real_process_are_counted),
    TEST (switches_and_time_of_a_real_process_are_counted),
    TEST (cgroups_below_are_a_part_of_it_and_others_are_not),
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);

  return g_test_run ();
}
