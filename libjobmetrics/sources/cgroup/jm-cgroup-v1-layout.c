/* jm-cgroup-v1-layout.c: where the hierarchies of version 1 are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>

#include "base/jm-parse-private.h"
#include "sources/cgroup/jm-cgroup-v1-dirs-private.h"

static guint
add_mount (JmCgroupV1Layout *self, const char *mount)
{
  if (mount == NULL)
    return JM_CGROUP_NOWHERE;

  for (guint i = 0; i < self->n_mounts; i++)
    if (g_str_equal (self->mounts[i], mount))
      return i;

  self->mounts[self->n_mounts] = g_strdup (mount);
  return self->n_mounts++;
}

static char *
read_possible_cpus (JmHost *host)
{
  char text[4096];
  gssize length =
    jm_host_read (host, "/sys/devices/system/cpu/possible", text, sizeof text, NULL);
  guint count;

  if (length < 0 || !jm_parse_cpu_count (text, (gsize) length, &count))
    return g_strdup ("");

  return g_strndup (text, strcspn (text, "\n"));
}

void
jm_cgroup_v1_layout_init (JmCgroupV1Layout *self,
                          JmHost *host,
                          const JmCgroupMounts *mounts)
{
  for (guint i = 0; i < JM_CGROUP_N_CONTROLLERS; i++)
    self->by_controller[i] = add_mount (self, mounts->v1[i]);

  self->unified = add_mount (self, mounts->unified);
  self->possible_cpus = read_possible_cpus (host);
}

void
jm_cgroup_v1_layout_clear (JmCgroupV1Layout *self)
{
  for (guint i = 0; i < self->n_mounts; i++)
    g_free (self->mounts[i]);
  g_free (self->possible_cpus);
  *self = (JmCgroupV1Layout){ 0 };
}
