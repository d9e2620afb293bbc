/* jmc-stale-cgroups.c: cgroups that earlier runs had to leave behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-stale-cgroups.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/jmc-local-job.h"

/* Between its two steps of making a cgroup and claiming it, a run has not claimed it.
 */
#define LEAST_AGE_SECONDS 60

/* Says that a run is in charge of @cgroup: for as long as the returned descriptor is
 * open, which the kernel closes where the run is killed. -1 where that failed. */
int
jmc_stale_cgroups_claim (const char *cgroup)
{
  int fd = open (cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd >= 0)
    flock (fd, LOCK_EX);

  return fd;
}

static gboolean
is_abandoned (const char *cgroup)
{
  int fd = open (cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct stat info;
  gboolean is_abandoned = FALSE;

  if (fd < 0)
    return FALSE;

  is_abandoned = fstat (fd, &info) == 0 &&
                 time (NULL) - info.st_mtime >= LEAST_AGE_SECONDS &&
                 flock (fd, LOCK_EX | LOCK_NB) == 0;
  close (fd);

  return is_abandoned;
}

/* Removes from @folder the cgroups whose run has ended and in which nothing runs any
 * more: the kernel removes no others. */
void
jmc_stale_cgroups_remove (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *cgroup = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, JMC_LOCAL_JOB_CGROUP_PREFIX) &&
          is_abandoned (cgroup) && g_rmdir (cgroup) == 0)
        jmc_local_job_withdraw_id (name + strlen (JMC_LOCAL_JOB_CGROUP_PREFIX));
    }
}
