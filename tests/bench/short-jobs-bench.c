/* short-jobs-bench.c: what a sampler learns of real jobs that are short
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Usage: short-jobs-bench JOBS INTERVAL_MS PAUSE_US [AT_ONCE]
 *
 * Runs jobs of 0.05 to 10 s, some of which fork much, in cgroups of version 1 laid out
 * as Slurm lays them out, while a sampler watches. The kernel's own last word on a job
 * is its cpuacct.usage, which is read right before its cgroups are removed: PAUSE_US
 * after its last process was waited for.
 */

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/jm-snapshot-private.h"
#include "node/jm-node.h"
#include "node/jm-sampler.h"

#define MAX_JOBS 100000
#define FIRST_ID 1000
#define SHORTEST_S 0.05
#define LONGEST_S 10.0
#define SLICE_NS 2000000

/* Slurm keeps tasks apart in the first two; in the others it goes down to steps. */
static const char *const hierarchies[] = { "memory", "cpuacct", "freezer", "cpuset" };
#define N_WITH_TASKS 2

typedef struct
{
  double seconds;  /* of its life */
  gboolean forks;  /* many short processes do its work */
  guint64 last_ns; /* the kernel's last word */
  /* what was learnt */
  double cpu_s;
  gboolean is_seen;
  gboolean has_ended;
  gboolean has_user;
} Job;

typedef struct
{
  guint n_jobs;
  guint n_at_once;
  guint pause_us;
  char *root; /* of the node's cgroups in a hierarchy */
  Job *jobs;  /* shared with the processes that run them */
  GMainLoop *loop;
  guint n_begun;
  guint n_running;
  guint rounds_left; /* once all have ended */
  guint n_rounds;
  gint64 longest_round_ns;
  gint64 rounds_ns; /* the sum of all */
} Bench;

static double
now_s (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static void
die (const char *what)
{
  fprintf (stderr, "%s: %s\n", what, g_strerror (errno));
  _exit (1);
}

/* --- cgroups --- */

static char *
make_path (const Bench *self, guint hierarchy, guint id, const char *below)
{
  return g_strdup_printf ("/sys/fs/cgroup/%s/%s/uid_%u/job_%u%s",
                          hierarchies[hierarchy], self->root, getuid (), id, below);
}

static void
make (const Bench *self, guint hierarchy, guint id, const char *below)
{
  g_autofree char *path = make_path (self, hierarchy, id, below);

  if (mkdir (path, 0755) != 0)
    die (path);
}

static void
write_text (const char *path, const char *text)
{
  FILE *file = fopen (path, "we");

  if (file == NULL || fputs (text, file) == EOF || fclose (file) != 0)
    die (path);
}

/* A cpuset without CPUs takes no process. */
static void
fill_cpuset (const Bench *self, guint hierarchy, guint id, const char *below)
{
  static const char *const names[] = { "cpuset.cpus", "cpuset.mems" };

  for (guint i = 0; i < G_N_ELEMENTS (names) && hierarchy == 3; i++)
    {
      g_autofree char *above = g_strconcat ("/sys/fs/cgroup/cpuset/", names[i], NULL);
      g_autofree char *dir = make_path (self, hierarchy, id, below);
      g_autofree char *path = g_strconcat (dir, "/", names[i], NULL);
      g_autofree char *text = NULL;

      if (!g_file_get_contents (above, &text, NULL, NULL))
        die (above);
      write_text (path, text);
    }
}

static void
make_job (const Bench *self, guint id)
{
  for (guint i = 0; i < G_N_ELEMENTS (hierarchies); i++)
    {
      make (self, i, id, "");
      fill_cpuset (self, i, id, "");
      make (self, i, id, "/step_batch");
      fill_cpuset (self, i, id, "/step_batch");
      if (i < N_WITH_TASKS)
        make (self, i, id, "/step_batch/task_0");
    }
}

static void
enter_job (const Bench *self, guint id)
{
  for (guint i = 0; i < G_N_ELEMENTS (hierarchies); i++)
    {
      g_autofree char *dir =
        make_path (self, i, id,
                   i < N_WITH_TASKS ? "/step_batch/task_0" : "/step_batch");
      g_autofree char *path = g_strconcat (dir, "/cgroup.procs", NULL);

      write_text (path, "0");
    }
}

static void
remove_job (const Bench *self, guint id)
{
  static const char *const below[] = { "/step_batch/task_0", "/step_batch", "" };

  for (guint i = 0; i < G_N_ELEMENTS (hierarchies); i++)
    for (guint k = i < N_WITH_TASKS ? 0 : 1; k < G_N_ELEMENTS (below); k++)
      {
        g_autofree char *path = make_path (self, i, id, below[k]);

        if (rmdir (path) != 0)
          die (path);
      }
}

static guint64
read_usage (const Bench *self, guint id)
{
  g_autofree char *path = make_path (self, 1, id, "/cpuacct.usage");
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    die (path);

  return g_ascii_strtoull (text, NULL, 10);
}

/* --- jobs --- */

/* Works a quarter of the time, so that several run beside each other on a small
 * machine. */
static void
work (double seconds)
{
  double end = now_s (CLOCK_MONOTONIC) + seconds;

  while (now_s (CLOCK_MONOTONIC) < end)
    {
      double slice = now_s (CLOCK_THREAD_CPUTIME_ID) + SLICE_NS * 1e-9;

      while (now_s (CLOCK_THREAD_CPUTIME_ID) < slice)
        ;
      nanosleep (&(struct timespec){ 0, 3 * SLICE_NS }, NULL);
    }
}

static void
work_in_children (double seconds)
{
  double end = now_s (CLOCK_MONOTONIC) + seconds;

  while (now_s (CLOCK_MONOTONIC) < end)
    {
      pid_t pid = fork ();

      if (pid == 0)
        {
          work (0.005);
          _exit (0);
        }
      waitpid (pid, NULL, 0);
    }
}

static void
run_task (const Bench *self, guint id, const Job *job)
{
  char *argv[] = { (char *) "/proc/self/exe", (char *) "task", NULL, NULL, NULL };
  g_autofree char *seconds = g_strdup_printf ("%.3f", job->seconds);
  g_autofree char *jobid = g_strdup_printf ("SLURM_JOB_ID=%u", id);
  char *envp[] = { jobid, (char *) "SLURM_JOB_NAME=short",
                   (char *) "SLURM_JOB_PARTITION=bench", NULL };

  enter_job (self, id);
  argv[2] = seconds;
  argv[3] = (char *) (job->forks ? "forks" : "works");
  execve (argv[0], argv, envp);
  die (argv[0]);
}

/* What the scheduler's daemon does for one job. */
static void
run_job (const Bench *self, guint number)
{
  Job *job = &self->jobs[number];
  guint id = FIRST_ID + number;
  pid_t pid;

  setpriority (PRIO_PROCESS, 0, 0);
  make_job (self, id);
  pid = fork ();
  if (pid == 0)
    run_task (self, id, job);
  waitpid (pid, NULL, 0);
  if (self->pause_us > 0)
    g_usleep (self->pause_us);
  job->last_ns = read_usage (self, id);
  remove_job (self, id);
  _exit (0);
}

static void begin_jobs (Bench *self);

static void
on_job_done (GPid pid, int status, gpointer user_data)
{
  Bench *self = user_data;

  if (status != 0)
    g_error ("a job failed");
  self->n_running--;
  begin_jobs (self);
}

static void
begin_jobs (Bench *self)
{
  while (self->n_running < self->n_at_once && self->n_begun < self->n_jobs)
    {
      pid_t pid = fork ();

      if (pid == 0)
        run_job (self, self->n_begun);
      g_child_watch_add (pid, on_job_done, self);
      self->n_begun++;
      self->n_running++;
    }
}

/* --- what is learnt --- */

static void
learn (Bench *self, JmSnapshot *snapshot, const JmSubject *subject, guint index)
{
  guint number =
    (guint) g_ascii_strtoull (jm_job_get_id (subject->job), NULL, 10) - FIRST_ID;
  Job *job = &self->jobs[number];
  double seconds;

  /* another's on this machine */
  if (number >= self->n_jobs)
    return;

  job->is_seen = TRUE;
  job->has_ended = subject->end_time != 0;
  job->has_user =
    jm_job_get_origin (subject->job, JM_JOB_FIELD_NAME) == JM_ORIGIN_ENVIRONMENT;
  if (jm_snapshot_get_metric (snapshot, index, JM_METRIC_CPU_TOTAL, &seconds))
    job->cpu_s = MAX (seconds, job->cpu_s);
}

static void
on_sampled (JmSampler *sampler, JmSnapshot *snapshot, gpointer user_data)
{
  Bench *self = user_data;
  guint n;
  const JmSubject *subjects = jm_snapshot_get_subjects (snapshot, &n);

  self->n_rounds++;
  self->rounds_ns += jm_snapshot_get_duration (snapshot);
  self->longest_round_ns =
    MAX (self->longest_round_ns, jm_snapshot_get_duration (snapshot));
  for (guint i = 0; i < n; i++)
    if (subjects[i].kind == JM_SUBJECT_KIND_JOB)
      learn (self, snapshot, &subjects[i], i);

  if (self->n_begun == self->n_jobs && self->n_running == 0 && self->rounds_left-- == 0)
    g_main_loop_quit (self->loop);
}

static void
report (const Bench *self, double seconds, double own_s)
{
  static const double bounds[] = { 0.2, 1, LONGEST_S + 1 };
  guint n_wrong = 0;

  printf ("%-12s %6s %6s %6s %6s %8s %8s\n", "lived", "jobs", "seen", "ended", "known",
          ">=99%CPU", "CPU");
  for (guint b = 0; b <= G_N_ELEMENTS (bounds); b++)
    {
      double low = b == 0 || b == G_N_ELEMENTS (bounds) ? 0 : bounds[b - 1];
      double high = bounds[MIN (b, G_N_ELEMENTS (bounds) - 1)];
      double truth_s = 0, told_s = 0;
      guint n = 0, n_seen = 0, n_ended = 0, n_known = 0, n_whole = 0;

      for (guint i = 0; i < self->n_jobs; i++)
        {
          const Job *job = &self->jobs[i];
          double last_s = (double) job->last_ns * 1e-9;

          if (job->seconds < low || job->seconds >= high)
            continue;
          n++;
          n_seen += job->is_seen ? 1 : 0;
          n_ended += job->has_ended ? 1 : 0;
          n_known += job->has_user ? 1 : 0;
          n_whole += job->cpu_s >= 0.99 * last_s ? 1 : 0;
          n_wrong += job->cpu_s > last_s + 1e-6 ? 1 : 0;
          truth_s += last_s;
          told_s += job->cpu_s;
        }
      printf ("%4.2f-%5.2f s %6u %5.1f%% %5.1f%% %5.1f%% %7.1f%% %7.2f%%\n", low, high,
              n, 100.0 * n_seen / n, 100.0 * n_ended / n, 100.0 * n_known / n,
              100.0 * n_whole / n, 100 * told_s / truth_s);
    }
  for (guint i = 0; g_getenv ("DETAILS") != NULL && i < self->n_jobs; i++)
    if (self->jobs[i].cpu_s < 0.99 * (double) self->jobs[i].last_ns * 1e-9)
      printf ("job %u: %.3f s%s: %.6f of %.6f\n", FIRST_ID + i, self->jobs[i].seconds,
              self->jobs[i].forks ? ", forks" : "", self->jobs[i].cpu_s,
              (double) self->jobs[i].last_ns * 1e-9);
  printf ("a round takes %.1f ms, at most %.1f ms\n",
          1e-6 * (double) self->rounds_ns / self->n_rounds,
          1e-6 * (double) self->longest_round_ns);
  printf ("too much: %u; own CPU %.3f s in %.1f s: %.2f ms a job\n", n_wrong, own_s,
          seconds, 1000 * own_s / self->n_jobs);
}

/* --- the bench --- */

static gboolean
make_node (Bench *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (hierarchies); i++)
    {
      g_autofree char *root =
        g_strdup_printf ("/sys/fs/cgroup/%s/%s", hierarchies[i], self->root);
      g_autofree char *user = g_strdup_printf ("%s/uid_%u", root, getuid ());

      if (mkdir (root, 0755) != 0 || mkdir (user, 0755) != 0)
        return FALSE;
      if (i == 3)
        for (guint k = 0; k < 2; k++)
          {
            const char *dir = k == 0 ? root : user;

            for (guint f = 0; f < 2; f++)
              {
                const char *name = f == 0 ? "cpuset.cpus" : "cpuset.mems";
                g_autofree char *above =
                  g_strconcat ("/sys/fs/cgroup/cpuset/", name, NULL);
                g_autofree char *path = g_strconcat (dir, "/", name, NULL);
                g_autofree char *text = NULL;

                g_assert_true (g_file_get_contents (above, &text, NULL, NULL));
                write_text (path, text);
              }
          }
    }

  return TRUE;
}

static void
remove_node (Bench *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (hierarchies); i++)
    {
      g_autofree char *root =
        g_strdup_printf ("/sys/fs/cgroup/%s/%s", hierarchies[i], self->root);
      g_autofree char *user = g_strdup_printf ("%s/uid_%u", root, getuid ());

      rmdir (user);
      rmdir (root);
    }
}

static JmNode *
open_node (const Bench *self)
{
  const char *const schedulers[] = { "slurm", NULL };
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmNode *node =
    g_initable_new (JM_TYPE_NODE, NULL, &error, "host", host, "schedulers", schedulers,
                    "node-name", self->root + strlen ("slurm_"), "linger", 60, NULL);

  g_assert_no_error (error);

  return node;
}

static double
own_cpu_s (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void
make_jobs (Bench *self)
{
  g_autoptr (GRand) chance = g_rand_new_with_seed (7);

  self->jobs = mmap (NULL, self->n_jobs * sizeof (Job), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->jobs != MAP_FAILED);
  for (guint i = 0; i < self->n_jobs; i++)
    {
      self->jobs[i].seconds =
        SHORTEST_S * exp (g_rand_double (chance) * log (LONGEST_S / SHORTEST_S));
      self->jobs[i].forks = g_rand_int_range (chance, 0, 4) == 0;
    }
}

static void
run (Bench *self, guint interval_ms)
{
  g_autoptr (JmNode) node = open_node (self);
  g_autoptr (JmSampler) sampler = NULL;
  double began, own;

  self->loop = g_main_loop_new (NULL, FALSE);
  self->rounds_left = 2;
  began = now_s (CLOCK_MONOTONIC);
  own = own_cpu_s ();
  sampler = jm_sampler_new (node, interval_ms);
  g_signal_connect (sampler, "sampled", G_CALLBACK (on_sampled), self);
  begin_jobs (self);
  g_main_loop_run (self->loop);
  jm_sampler_stop (sampler);

  report (self, now_s (CLOCK_MONOTONIC) - began, own_cpu_s () - own);
  g_main_loop_unref (self->loop);
}

int
main (int argc, char **argv)
{
  Bench self = { .n_at_once = 8 };

  if (argc == 4 && g_str_equal (argv[1], "task"))
    {
      if (g_str_equal (argv[3], "forks"))
        work_in_children (g_ascii_strtod (argv[2], NULL));
      else
        work (g_ascii_strtod (argv[2], NULL));
      return 0;
    }
  if (argc < 4)
    {
      fputs ("usage: short-jobs-bench JOBS INTERVAL_MS PAUSE_US [AT_ONCE]\n", stderr);
      return 2;
    }

  /* as the daemon's unit has it */
  if (g_getenv ("NICE") != NULL)
    setpriority (PRIO_PROCESS, 0, atoi (g_getenv ("NICE")));
  self.n_jobs = (guint) CLAMP (atoi (argv[1]), 1, MAX_JOBS);
  self.pause_us = (guint) atoi (argv[3]);
  if (argc > 4)
    self.n_at_once = (guint) atoi (argv[4]);
  self.root = g_strdup_printf ("slurm_jm%d", (int) getpid ());
  make_jobs (&self);
  if (!make_node (&self))
    die ("no cgroups of version 1 can be made here");

  run (&self, (guint) atoi (argv[2]));
  remove_node (&self);
  g_free (self.root);

  return 0;
}
