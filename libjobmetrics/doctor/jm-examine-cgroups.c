/* jm-examine-cgroups.c: which version, and which controllers do jobs have
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include "base/jm-parse-private.h"
#include "host/jm-host-private.h"

#define CONTROLLERS_MAX 1024

/* What a controller is good for. */
typedef struct
{
  JmTopic topic;
  JmCgroupController v1;
  const char *v1_name;
  const char *name; /* of v2, or NULL */
  JmSeverity severity;
  const char *figures;
} Controller;

static const Controller controllers[] = {
  { JM_TOPIC_CGROUP_CPUACCT, JM_CGROUP_CPUACCT, "cpuacct", NULL, JM_SEVERITY_PROBLEM,
    "CPU time" },
  { JM_TOPIC_CGROUP_CPU, JM_CGROUP_CPU, "cpu", "cpu", JM_SEVERITY_NOTE,
    "CPU throttling (CPU time is reported all the same)" },
  { JM_TOPIC_CGROUP_CPUSET, JM_CGROUP_CPUSET, "cpuset", "cpuset", JM_SEVERITY_PROBLEM,
    "allocated CPUs, and so efficiency" },
  { JM_TOPIC_CGROUP_MEMORY, JM_CGROUP_MEMORY, "memory", "memory", JM_SEVERITY_PROBLEM,
    "memory in use, its peak, its limit and what it is used for" },
  { JM_TOPIC_CGROUP_IO, JM_CGROUP_BLKIO, "blkio", "io", JM_SEVERITY_NOTE,
    "block IO by device" },
  { JM_TOPIC_CGROUP_PIDS, JM_CGROUP_PIDS, "pids", "pids", JM_SEVERITY_NOTE,
    "the kernel's own count of tasks, and its limit" },
};

/* Where a controller ends on its way from the root to the jobs. */
typedef enum
{
  REACH_UNKNOWN,
  REACH_NOWHERE, /* the kernel does not offer it */
  REACH_KERNEL,  /* it does not come as far as the scheduler's own cgroup */
  REACH_HALL,    /* the scheduler has it, and does not hand it on */
  REACH_JOBS,
} Reach;

typedef enum
{
  ANSWER_UNKNOWN,
  ANSWER_NO,
  ANSWER_YES,
} Answer;

static Answer
ask_list (JmExamination *self, const char *cgroup, const char *file, const char *name)
{
  g_autofree char *dir = jm_cgroup_mounts_join (self->mounts->unified, cgroup);
  g_autofree char *path = g_strconcat (dir, "/", file, NULL);
  char text[CONTROLLERS_MAX];
  gssize length = jm_host_read (self->host, path, text, sizeof text, NULL);
  const char *cursor = text;
  JmSlice word;

  if (length < 0)
    return ANSWER_UNKNOWN;

  while (jm_parse_next_word (&cursor, text + length, &word))
    if (jm_slice_equal (word, name))
      return ANSWER_YES;

  return ANSWER_NO;
}

/* @job is NULL where there is none: then what its scheduler would hand on counts. */
static Reach
find_reach_in_unified (JmExamination *self,
                       const char *name,
                       const char *hall,
                       const char *job)
{
  Answer answer = job != NULL ? ask_list (self, job, "cgroup.controllers", name)
                              : ask_list (self, hall, "cgroup.subtree_control", name);

  if (answer != ANSWER_NO)
    return answer == ANSWER_YES ? REACH_JOBS : REACH_UNKNOWN;
  if (ask_list (self, "/", "cgroup.controllers", name) == ANSWER_NO)
    return REACH_NOWHERE;
  if (ask_list (self, hall, "cgroup.controllers", name) == ANSWER_NO)
    return REACH_KERNEL;

  return REACH_HALL;
}

static Reach
find_reach_in_v1 (JmExamination *self, JmCgroupController controller, const char *job)
{
  const char *mount = self->mounts->v1[controller];
  g_autofree char *dir = NULL;

  if (mount == NULL)
    return REACH_NOWHERE;
  if (job == NULL)
    return REACH_UNKNOWN;

  dir = jm_cgroup_mounts_join (mount, job);
  return jm_host_exists (self->host, dir) ? REACH_JOBS : REACH_HALL;
}

/* What gives a controller to jobs once their scheduler may. */
static char *
describe_setting (JmExamination *self,
                  const Controller *controller,
                  JmCgroupJobSource *source)
{
  char *advice =
    jm_examination_advise (self, source, jm_topic_get_name (controller->topic), NULL);

  if (advice != NULL)
    return advice;

  return g_strdup ("The scheduler's own settings say which controllers its jobs have: "
                   "see its manual");
}

static char *
describe_remedy (JmExamination *self,
                 const Controller *controller,
                 const char *scheduler,
                 JmCgroupJobSource *source,
                 Reach reach)
{
  if (g_str_equal (scheduler, JM_OWN_SCHEDULER) && reach != REACH_NOWHERE)
    return g_strdup ("jobmetrics-cli run takes what it may: root, or who has a cgroup "
                     "of their own handed over to them, gets more");
  if (reach == REACH_HALL)
    return describe_setting (self, controller, source);
  if (reach == REACH_KERNEL)
    return jm_examination_advise (self, source, "cgroup.delegation",
                                  "Delegate=yes in the unit of the scheduler's "
                                  "daemon; then restart it while no job runs");
  if (self->is_unified)
    return g_strdup_printf ("Boot without cgroup_disable=%s; where a hierarchy of v1 "
                            "holds the controller, with "
                            "systemd.unified_cgroup_hierarchy=1",
                            controller->name);

  return g_strdup_printf ("mount -t cgroup -o %s %s /sys/fs/cgroup/%s; the memory "
                          "controller may need a boot with cgroup_enable=memory",
                          controller->v1_name, controller->v1_name,
                          controller->v1_name);
}

/* What a user starts by hand is no concern of who runs the node. */
static JmSeverity
weigh (const Controller *controller, const char *scheduler, Reach reach)
{
  if (g_str_equal (scheduler, JM_OWN_SCHEDULER) && reach != REACH_NOWHERE)
    return JM_SEVERITY_NOTE;

  return controller->severity;
}

static void
tell_reach (JmExamination *self,
            const Controller *controller,
            const char *scheduler,
            JmCgroupJobSource *source,
            Reach reach)
{
  static const char *const words[] = {
    [REACH_NOWHERE] = "the kernel does not offer the controller",
    [REACH_KERNEL] = "the controller does not reach the scheduler's own cgroup",
    [REACH_HALL] = "the scheduler does not hand the controller on to its jobs",
  };
  g_autofree char *remedy = NULL;

  if (reach == REACH_JOBS)
    jm_examination_add (self, controller->topic, JM_SEVERITY_GOOD, NULL,
                        "%s: jobs have the controller", scheduler);
  else if (reach == REACH_UNKNOWN)
    jm_examination_add (self, controller->topic, JM_SEVERITY_NOTE,
                        "Look again while a job runs",
                        "%s: cannot determine whether jobs have the controller",
                        scheduler);
  else
    {
      remedy = describe_remedy (self, controller, scheduler, source, reach);
      jm_examination_add (self, controller->topic, weigh (controller, scheduler, reach),
                          remedy, "%s: %s; not measured: %s", scheduler, words[reach],
                          controller->figures);
    }
}

static void
examine_controllers (JmExamination *self,
                     const char *scheduler,
                     JmCgroupJobSource *source,
                     const char *hall,
                     const char *job)
{
  for (guint i = 0; i < G_N_ELEMENTS (controllers); i++)
    {
      const Controller *controller = &controllers[i];

      if (!self->is_unified)
        tell_reach (self, controller, scheduler, source,
                    find_reach_in_v1 (self, controller->v1, job));
      else if (controller->name != NULL)
        tell_reach (self, controller, scheduler, source,
                    find_reach_in_unified (self, controller->name, hall, job));
    }
}

/* What the kernel lacks, no job will have. */
static void
examine_offer (JmExamination *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (controllers); i++)
    {
      const Controller *controller = &controllers[i];
      gboolean lacks = self->is_unified ? controller->name != NULL &&
                                            ask_list (self, "/", "cgroup.controllers",
                                                      controller->name) == ANSWER_NO
                                        : self->mounts->v1[controller->v1] == NULL;

      if (lacks)
        tell_reach (self, controller, "any scheduler", NULL, REACH_NOWHERE);
    }
}

static void
examine_schedulers (JmExamination *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    {
      JmCgroupJobSource *source = g_ptr_array_index (self->sources, i);
      JmExaminedJob *job = jm_examination_get_first_job (self, source);
      g_autofree char *hall = job != NULL ? g_path_get_dirname (job->path) : NULL;

      if (job != NULL)
        examine_controllers (self, jm_examination_get_scheduler (source), source, hall,
                             job->path);
    }

  if (self->jobs->len > 0)
    return;

  if (self->is_unified && self->halls->len > 0)
    {
      const char *hall = g_ptr_array_index (self->halls, 0);

      examine_controllers (self, hall, NULL, hall, NULL);
    }
  else
    examine_offer (self);
}

static char *
describe_v1 (JmExamination *self)
{
  GString *text = g_string_new ("cgroup v1:");

  for (guint i = 0; i < G_N_ELEMENTS (controllers); i++)
    {
      const char *mount = self->mounts->v1[controllers[i].v1];

      if (mount != NULL)
        g_string_append_printf (text, " %s at %s,", controllers[i].v1_name, mount);
    }
  g_string_truncate (text, text->len - 1);
  if (self->mounts->unified != NULL)
    g_string_append_printf (text, "; v2 beside it at %s", self->mounts->unified);

  return g_string_free (text, FALSE);
}

static void
tell_version (JmExamination *self)
{
  g_autofree char *v1 = NULL;

  if (self->is_unified)
    {
      jm_examination_add (self, JM_TOPIC_CGROUP_VERSION, JM_SEVERITY_GOOD, NULL,
                          "cgroup v2 at %s", self->mounts->unified);
      return;
    }

  v1 = describe_v1 (self);
  jm_examination_add (self, JM_TOPIC_CGROUP_VERSION, JM_SEVERITY_GOOD, NULL, "%s", v1);
}

static char *
describe_failure (JmExamination *self)
{
  if (self->mounts->unified == NULL && !jm_cgroup_mounts_have_v1 (self->mounts))
    return g_strdup_printf ("%s: no hierarchy of cgroups is mounted",
                            jm_host_get_cgroupfs (self->host));

  return g_strdup (self->cgroup_error->message);
}

/* Which version of cgroups there is, and which controllers jobs have. */
void
jm_examine_cgroups (JmExamination *self)
{
  if (self->cgroup_error != NULL)
    {
      g_autofree char *failure = describe_failure (self);

      jm_examination_add (self, JM_TOPIC_CGROUP_VERSION, JM_SEVERITY_PROBLEM,
                          "Mount the hierarchy: mount -t cgroup2 cgroup2 "
                          "/sys/fs/cgroup. In a container, "
                          "mount the machine's own and name it: --path.cgroupfs=DIR",
                          "%s: jobs cannot be found", failure);
      return;
    }

  tell_version (self);
  examine_schedulers (self);
}
