/* jm-cgroup-v1-dirs.c: the directories of one cgroup of version 1
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

#include <errno.h>

static const JmDir closed_dir = JM_DIR_INIT;

const JmDir *
jm_cgroup_v1_dirs_get (const JmCgroupV1Dirs *self, guint controller)
{
  const JmCgroupV1Layout *layout = self->layout;
  guint mount = controller == JM_CGROUP_V1_UNIFIED ? layout->unified
                                                   : layout->by_controller[controller];

  return mount != JM_CGROUP_NOWHERE ? &self->dirs[mount] : &closed_dir;
}

/* Opens the directories that are not open yet. Returns 0 where the cgroup is in one
 * hierarchy at least, else why it is in none. */
static int
open_dirs (JmCgroupV1Dirs *self)
{
  int result = -ENOENT;

  for (guint i = 0; i < self->layout->n_mounts; i++)
    {
      g_autofree char *path = NULL;
      int opened = 0;

      if (self->dirs[i].path == NULL)
        {
          path = jm_cgroup_mounts_join (self->layout->mounts[i], self->path);
          opened = jm_dir_open (&self->dirs[i], self->context->host, path);
        }

      if (opened == 0 || (result != 0 && opened != -ENOENT))
        result = opened;
    }

  return result;
}

gboolean
jm_cgroup_v1_dirs_are_alive (const JmCgroupV1Dirs *self)
{
  for (guint i = 0; i < self->layout->n_mounts; i++)
    if (jm_cgroup_dir_is_alive (&self->dirs[i]))
      return TRUE;

  return FALSE;
}

const JmDir *
jm_cgroup_v1_dirs_find_processes (const JmCgroupV1Dirs *self)
{
  /* Slurm keeps tasks apart in the first two, and in freezer goes down to steps only */
  static const guint order[] = {
    JM_CGROUP_CPUACCT, JM_CGROUP_MEMORY,  JM_CGROUP_PIDS,    JM_CGROUP_FREEZER,
    JM_CGROUP_CPU,     JM_CGROUP_SYSTEMD, JM_CGROUP_CPUSET,  JM_CGROUP_V1_UNIFIED,
    JM_CGROUP_BLKIO,   JM_CGROUP_RDMA,    JM_CGROUP_HUGETLB,
  };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (jm_cgroup_v1_dirs_get (self, order[i])->path != NULL)
      return jm_cgroup_v1_dirs_get (self, order[i]);

  return &closed_dir;
}

static gboolean
has_settled (const JmCgroupV1Dirs *self)
{
  return !self->context->live ||
         g_get_monotonic_time () - self->opened_us >= JM_CGROUP_SETTLE_US;
}

/* In a cgroup that has settled no more files are opened but the list of processes. */
static void
spare_dirs (JmCgroupV1Dirs *self)
{
  const JmDir *process_dir = jm_cgroup_v1_dirs_find_processes (self);

  for (guint i = 0; i < self->layout->n_mounts; i++)
    if (&self->dirs[i] != process_dir)
      jm_dir_spare (&self->dirs[i], JM_WORTH_LITTLE);
}

gboolean
jm_cgroup_v1_dirs_refresh (JmCgroupV1Dirs *self)
{
  gboolean settled = has_settled (self);

  if (settled)
    spare_dirs (self);
  else
    open_dirs (self);

  return settled;
}

int
jm_cgroup_v1_dirs_init (JmCgroupV1Dirs *self,
                        JmCgroupContext *context,
                        const JmCgroupV1Layout *layout,
                        const char *path)
{
  self->context = context;
  self->layout = layout;
  self->path = g_strdup (path);
  self->opened_us = g_get_monotonic_time ();
  for (guint i = 0; i < G_N_ELEMENTS (self->dirs); i++)
    jm_dir_init (&self->dirs[i]);

  return open_dirs (self);
}

void
jm_cgroup_v1_dirs_clear (JmCgroupV1Dirs *self)
{
  for (guint i = 0; i < self->layout->n_mounts; i++)
    jm_dir_close (&self->dirs[i]);

  g_free (self->path);
}
