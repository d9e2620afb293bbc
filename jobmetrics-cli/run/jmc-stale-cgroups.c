/* jmc-stale-cgroups.c: cgroups that earlier runs had to leave behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-stale-cgroups.h"

#include <fcntl.h>
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
is_old (const char *cgroup)
{
  struct stat info;

  return stat (cgroup, &info) == 0 && time (NULL) - info.st_mtime >= LEAST_AGE_SECONDS;
}

static gboolean
is_abandoned (const char *cgroup)
{
  int fd = open (cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  gboolean is_abandoned;

  if (fd < 0)
    return FALSE;

  is_abandoned = flock (fd, LOCK_EX | LOCK_NB) == 0;
  close (fd);

  return is_abandoned;
}

/* The names of the cgroups in @folder whose run has ended. Those in which nothing runs any
 * more may be removed: the kernel removes no others. */
GPtrArray *
jmc_stale_cgroups_list (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *cgroup = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, JMC_LOCAL_JOB_CGROUP_PREFIX) && is_old (cgroup) &&
          is_abandoned (cgroup))
        g_ptr_array_add (names, g_strdup (name));
    }

  return names;
}
