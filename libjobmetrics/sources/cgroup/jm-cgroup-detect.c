/* jm-cgroup-detect.c: the reader that fits a host
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-reader.h"

#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/cgroup/jm-cgroup-types-private.h"

/**
 * jm_cgroup_reader_new_for_host:
 * @host: the host
 * @error: return location for an error
 *
 * Opens the version of cgroups by which a host measures its jobs. On a hybrid host,
 * which has both, that is version 1: the controllers of jobs are there.
 *
 * - Errors: `ABSENT` where no hierarchy is mounted.
 * - Source: `/proc/self/mountinfo`; where it names no hierarchy, as in a copied tree,
 *   what is in `/sys/fs/cgroup`.
 *
 * Returns: (transfer full): the reader
 * Since: 0.1
 */
JmCgroupReader *
jm_cgroup_reader_new_for_host (JmHost *host, GError **error)
{
  g_autoptr (JmCgroupMounts) mounts = NULL;

  g_return_val_if_fail (JM_IS_HOST (host), NULL);

  mounts = jm_cgroup_mounts_new (host);
  if (jm_cgroup_mounts_prefer_unified (mounts, host))
    return (JmCgroupReader *) g_initable_new (JM_TYPE_CGROUP_V2_READER, NULL, error,
                                              "host", host, NULL);

  return (JmCgroupReader *) g_initable_new (JM_TYPE_CGROUP_V1_READER, NULL, error,
                                            "host", host, NULL);
}
