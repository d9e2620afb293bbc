/* jm-examine-kernel.c: what the kernel keeps, and what its limits and clock allow
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <string.h>

#include "core/jm-snapshot-private.h"
#include "host/jm-host-private.h"
#include "host/jm-watcher-private.h"

/* 2020-01-01: no machine that has its time set is before it. */
#define EARLIEST_TIME_US (G_GINT64_CONSTANT (1577836800) * G_USEC_PER_SEC)

/* How far the clocks of a node and of its scheduler may be apart. */
#define CLOCK_SLACK_US (60 * G_USEC_PER_SEC)

#define MAX_USER_WATCHES "/proc/sys/fs/inotify/max_user_watches"

/* --- memory and pressure --- */

static char *
get_job_file (JmExamination *self, const JmExaminedJob *job, const char *name)
{
  const char *mount =
    self->is_unified ? self->mounts->unified : self->mounts->v1[JM_CGROUP_MEMORY];
  g_autofree char *dir = NULL;

  if (mount == NULL)
    return NULL;

  dir = jm_cgroup_mounts_join (mount, job->path);
  return g_strconcat (dir, "/", name, NULL);
}

static gboolean
has_job_file (JmExamination *self, const JmExaminedJob *job, const char *name)
{
  g_autofree char *path = get_job_file (self, job, name);

  return path != NULL && jm_host_exists (self->host, path);
}

static char *
read_release (JmExamination *self)
{
  char text[128];
  gssize length =
    jm_host_read (self->host, "/proc/sys/kernel/osrelease", text, sizeof text, NULL);

  return length > 0 ? g_strstrip (g_strdup (text)) : g_strdup ("of unknown release");
}

static void
examine_peak (JmExamination *self, const JmExaminedJob *job)
{
  g_autofree char *release = NULL;

  if (!self->is_unified || !has_job_file (self, job, "memory.current"))
    return;

  if (has_job_file (self, job, "memory.peak"))
    {
      jm_examination_add (self, JM_TOPIC_MEMORY_PEAK, JM_SEVERITY_GOOD, NULL,
                          "The kernel keeps the peak of memory");
      return;
    }

  release = read_release (self);
  jm_examination_add (self, JM_TOPIC_MEMORY_PEAK, JM_SEVERITY_NOTE,
                      "Linux 5.19 or later",
                      "Kernel %s keeps no peak of memory: there is no memory.peak",
                      release);
}

static gboolean
has_swap (JmExamination *self)
{
  double bytes;

  return self->snapshot != NULL &&
         jm_snapshot_get_metric (self->snapshot, JM_NODE_SUBJECT,
                                 JM_METRIC_NODE_SWAP_SIZE, &bytes) &&
         bytes > 0;
}

static void
examine_swap (JmExamination *self, const JmExaminedJob *job)
{
  const char *wanted =
    self->is_unified ? "memory.swap.current" : "memory.memsw.limit_in_bytes";
  const char *controller =
    self->is_unified ? "memory.current" : "memory.usage_in_bytes";

  if (!has_job_file (self, job, controller))
    return;

  if (has_job_file (self, job, wanted))
    jm_examination_add (self, JM_TOPIC_MEMORY_SWAP, JM_SEVERITY_GOOD, NULL,
                        "The kernel accounts swap");
  else if (!has_swap (self))
    jm_examination_add (self, JM_TOPIC_MEMORY_SWAP, JM_SEVERITY_GOOD, NULL,
                        "Swap is not accounted, and this node has none");
  else
    jm_examination_add (self, JM_TOPIC_MEMORY_SWAP, JM_SEVERITY_NOTE,
                        "Boot with swapaccount=1",
                        "The kernel does not account swap: there is no %s", wanted);
}

static void
examine_job_pressure (JmExamination *self, const JmExaminedJob *job)
{
  g_autofree char *path = get_job_file (self, job, "cpu.pressure");
  char text[512];

  if (jm_host_read (self->host, path, text, sizeof text, NULL) >= 0)
    jm_examination_add (self, JM_TOPIC_PRESSURE, JM_SEVERITY_GOOD, NULL,
                        "The kernel reports the pressure on each job");
  else
    jm_examination_add (self, JM_TOPIC_PRESSURE, JM_SEVERITY_NOTE,
                        "Boot without cgroup_disable=pressure",
                        "The kernel reports the node's pressure, but not that of jobs");
}

static void
examine_pressure (JmExamination *self, const JmExaminedJob *job)
{
  char text[512];
  gboolean is_on =
    jm_host_read (self->host, "/proc/pressure/cpu", text, sizeof text, NULL) >= 0;

  if (!is_on)
    jm_examination_add (self, JM_TOPIC_PRESSURE, JM_SEVERITY_NOTE,
                        "Boot with psi=1; the kernel must be 4.20 or later, built with "
                        "CONFIG_PSI",
                        "The kernel reports no pressure: /proc/pressure cannot be "
                        "read");
  else if (!self->is_unified)
    jm_examination_add (self, JM_TOPIC_PRESSURE, JM_SEVERITY_NOTE,
                        "Cgroup v2: boot with systemd.unified_cgroup_hierarchy=1",
                        "Cgroup v1 reports no pressure on jobs");
  else if (job != NULL)
    examine_job_pressure (self, job);
  else
    jm_examination_add (self, JM_TOPIC_PRESSURE, JM_SEVERITY_GOOD, NULL,
                        "The kernel reports pressure");
}

/* --- limits --- */

static guint
count_hierarchies (JmExamination *self)
{
  g_autoptr (GHashTable) mounts = g_hash_table_new (g_str_hash, g_str_equal);

  if (self->is_unified)
    return 1;

  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    if (self->mounts->v1[i] != NULL)
      g_hash_table_add (mounts, self->mounts->v1[i]);

  return g_hash_table_size (mounts);
}

static void
examine_inotify (JmExamination *self)
{
  guint64 needed = (guint64) self->n_cgroups * count_hierarchies (self);
  g_autoptr (JmWatcher) watcher = NULL;
  g_autoptr (GError) error = NULL;
  guint64 limit;

  watcher = jm_watcher_new (self->host, &error);
  if (watcher == NULL)
    jm_examination_add (self, JM_TOPIC_INOTIFY, JM_SEVERITY_NOTE,
                        "sysctl fs.inotify.max_user_instances=512",
                        "Cgroups cannot be watched: %s; they are listed in each round, "
                        "and jobs shorter than that are missed",
                        error->message);
  else if (!jm_host_read_uint64 (self->host, MAX_USER_WATCHES, &limit, &error))
    jm_examination_add (self, JM_TOPIC_INOTIFY, JM_SEVERITY_NOTE, NULL, "%s",
                        error->message);
  else if (needed > limit / 2)
    jm_examination_add (self, JM_TOPIC_INOTIFY, JM_SEVERITY_NOTE,
                        "sysctl fs.inotify.max_user_watches=524288",
                        "%u cgroups take about %" G_GUINT64_FORMAT
                        " of the %" G_GUINT64_FORMAT
                        " watches that a user may have; what is not watched is listed "
                        "in each round",
                        self->n_cgroups, needed, limit);
  else
    jm_examination_add (self, JM_TOPIC_INOTIFY, JM_SEVERITY_GOOD, NULL,
                        "%u cgroups can be watched: %" G_GUINT64_FORMAT
                        " watches a user",
                        self->n_cgroups, limit);
}

/* What the sample keeps open is what a daemon would. */
static void
examine_files_limit (JmExamination *self)
{
  guint open = jm_host_get_open_files (self->host);
  guint limit = jm_host_get_max_open_files (self->host);

  if (self->snapshot == NULL)
    return;

  if (open >= limit)
    jm_examination_add (self, JM_TOPIC_FILES_LIMIT, JM_SEVERITY_NOTE,
                        "LimitNOFILE=65536:524288 in the daemon's unit, as the one "
                        "that is installed has; here: ulimit -n",
                        "All of the %u files that may be kept open are: the others are "
                        "opened anew for each round, which costs time, but no figure",
                        limit);
  else
    jm_examination_add (self, JM_TOPIC_FILES_LIMIT, JM_SEVERITY_GOOD, NULL,
                        "%u files are kept open, of %u that may be", open, limit);
}

/* --- clock --- */

static gboolean
find_job_of_the_future (JmSnapshot *snapshot, JmJob **job)
{
  g_autoptr (GPtrArray) jobs = jm_snapshot_get_jobs (snapshot);
  gint64 latest_us = jm_snapshot_get_time (snapshot) + CLOCK_SLACK_US;

  for (guint i = 0; i < jobs->len; i++)
    {
      *job = g_ptr_array_index (jobs, i);
      if (jm_job_get_start_time (*job) > latest_us / G_USEC_PER_SEC)
        return TRUE;
    }

  return FALSE;
}

static void
examine_clock (JmExamination *self)
{
  const char *remedy = "Let chrony or systemd-timesyncd set the clock";
  gint64 now_us;
  double boot;
  JmJob *job;

  if (self->snapshot == NULL)
    return;
  now_us = jm_snapshot_get_time (self->snapshot);
  if (!jm_snapshot_get_metric (self->snapshot, JM_NODE_SUBJECT,
                               JM_METRIC_NODE_BOOT_TIME, &boot))
    boot = 0;

  if (now_us < EARLIEST_TIME_US || boot * G_USEC_PER_SEC > (double) now_us)
    jm_examination_add (self, JM_TOPIC_CLOCK, JM_SEVERITY_PROBLEM, remedy,
                        "The clock is not set: it is %" G_GINT64_FORMAT
                        " s since 1970, and the machine booted at %.0f",
                        now_us / G_USEC_PER_SEC, boot);
  else if (find_job_of_the_future (self->snapshot, &job))
    jm_examination_add (self, JM_TOPIC_CLOCK, JM_SEVERITY_PROBLEM, remedy,
                        "Job %s is said to begin in the future: this clock is behind "
                        "the scheduler's",
                        jm_job_get_id (job));
  else
    jm_examination_add (self, JM_TOPIC_CLOCK, JM_SEVERITY_GOOD, NULL,
                        "The clock agrees with the boot time and the jobs");
}

/* What the kernel keeps of jobs, and what its limits and its clock allow. */
void
jm_examine_kernel (JmExamination *self)
{
  const JmExaminedJob *job = jm_examination_get_any_job (self);

  if (job != NULL)
    {
      examine_peak (self, job);
      examine_swap (self, job);
    }
  if (self->cgroup_error == NULL)
    examine_pressure (self, job);

  if (!self->is_kernels_own)
    return;

  examine_inotify (self);
  examine_files_limit (self);
  examine_clock (self);
}
