/* jmc-run-cgroup.c: the cgroup of a command that we run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-run-cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "run/jmc-affinity.h"
#include "run/jmc-cgroup-hierarchy.h"
#include "run/jmc-local-job.h"

/* Between its two steps of making a cgroup and claiming it, a run has not claimed it.
 */
#define LEAST_AGE_SECONDS 60

#define MAX_PROCS (1 << 20)
#define PAUSE_US 10000
/* A cgroup stays busy for a moment after its last process. */
#define MAX_PAUSES 200
/* The folder may be removed by another run between our two steps. */
#define MAX_TRIES 5

struct _JmcRunCgroup
{
  JmHost *host;
  char *job_id;
  GPtrArray *folders; /* of path: jobmetrics/ in each hierarchy */
  GPtrArray *cgroups; /* of path: the job's own, in the same order */
  GPtrArray *paths;   /* of path: where these are in their hierarchies, each once */
  GArray *claims;     /* of descriptor, in the same order */
  GPtrArray *stale;   /* of name: what earlier runs left in the first of the folders */
};

/* Says that a run is in charge of @cgroup: for as long as the returned descriptor is
 * open, which the kernel closes where the run is killed. -1 where that failed. */
static int
stale_cgroups_claim (const char *cgroup)
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

/* The names of the cgroups in @folder whose run has ended. Those in which nothing runs
 * any more may be removed: the kernel removes no others. */
static GPtrArray *
stale_cgroups_list (const char *folder)
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

static gboolean
set_errno_error (GError **error, const char *path)
{
  int code = errno;

  g_set_error (error, JM_ERROR, jm_error_from_errno (code), "%s: %s", path,
               g_strerror (code));

  return FALSE;
}

static gboolean
write_text (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean written;

  if (fd < 0)
    return set_errno_error (error, path);

  written = write (fd, text, strlen (text)) == (gssize) strlen (text) ||
            set_errno_error (error, path);
  close (fd);

  return written;
}

/* Controllers serve a cgroup only where its parent says so. What the kernel refuses (a
 * parent that has processes of its own, a controller that is not there) costs the
 * figures of that controller and nothing else. */
static void
enable_controllers (const char *cgroup)
{
  static const char *const words[] = { "+cpu", "+memory", "+io", "+pids", "+cpuset" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    write_text (cgroup, "cgroup.subtree_control", words[i], NULL);
}

static void
copy_text (const char *from, const char *to, const char *name)
{
  g_autofree char *path = g_build_filename (from, name, NULL);
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL))
    write_text (to, name, g_strchomp (text), NULL);
}

/* The command may use no fewer CPUs than before, and everybody can see which. In v1 a
 * new cpuset is empty, and takes no process before it has CPUs and memory. */
static void
fill_cpuset (JmcRunCgroup *self,
             const char *base,
             const char *folder,
             const char *cgroup,
             gboolean is_v2)
{
  guint n_cpus;
  g_autofree char *cpus = jmc_affinity_read (self->host, &n_cpus);

  if (!is_v2)
    {
      copy_text (base, folder, "cpuset.cpus");
      copy_text (base, folder, "cpuset.mems");
      copy_text (folder, cgroup, "cpuset.mems");
    }
  if (cpus != NULL)
    write_text (cgroup, "cpuset.cpus", cpus, NULL);
}

static void
add_path (JmcRunCgroup *self, const char *mount_point, const char *cgroup)
{
  const char *path = cgroup + strlen (mount_point);

  if (!g_ptr_array_find_with_equal_func (self->paths, path, g_str_equal, NULL))
    g_ptr_array_add (self->paths, g_strdup (path));
}

static gboolean
make_directories (const char *folder, const char *cgroup, GError **error)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      if (g_mkdir (folder, 0755) != 0 && errno != EEXIST)
        return set_errno_error (error, folder);

      if (g_mkdir (cgroup, 0755) == 0)
        return TRUE;

      if (errno != ENOENT)
        break;
    }

  return set_errno_error (error, cgroup);
}

static gboolean
enter (const char *cgroup, pid_t pid, GError **error)
{
  g_autofree char *text = g_strdup_printf ("%d", (int) pid);

  return write_text (cgroup, "cgroup.procs", text, error);
}

/* In the first of the folders last: there the next run looks for them. */
static void
remove_stale (JmcRunCgroup *self, const char *folder)
{
  for (guint i = 0; i < self->stale->len; i++)
    {
      const char *name = self->stale->pdata[i];
      g_autofree char *cgroup = g_build_filename (folder, name, NULL);

      if (g_rmdir (cgroup) == 0 && self->folders->len > 0 &&
          g_str_equal (folder, self->folders->pdata[0]))
        jmc_local_job_withdraw_id (name + strlen (JMC_LOCAL_JOB_CGROUP_PREFIX));
    }
}

/* Makes the job's cgroup below @base and moves @pid there. */
static gboolean
add_below (JmcRunCgroup *self,
           const char *base,
           const JmcCgroupHierarchy *hierarchy,
           pid_t pid,
           GError **error)
{
  const gboolean is_v2 = jmc_cgroup_hierarchy_is_v2 (hierarchy);
  g_autofree char *folder = g_build_filename (base, JMC_LOCAL_JOB_CGROUP_FOLDER, NULL);
  g_autofree char *name = g_strconcat (JMC_LOCAL_JOB_CGROUP_PREFIX, self->job_id, NULL);
  g_autofree char *cgroup = g_build_filename (folder, name, NULL);
  int claim;

  if (!make_directories (folder, cgroup, error))
    return FALSE;

  /* before controllers are given to it: each makes files in all that is there, which
   * would look as if it had just been made */
  if (self->folders->len == 0)
    {
      g_clear_pointer (&self->stale, g_ptr_array_unref);
      self->stale = stale_cgroups_list (folder);
    }
  if (is_v2)
    {
      enable_controllers (base);
      enable_controllers (folder);
    }
  fill_cpuset (self, base, folder, cgroup, is_v2);

  if (!enter (cgroup, pid, error))
    {
      g_rmdir (cgroup);
      g_rmdir (folder);
      return FALSE;
    }

  if (self->folders->len > 0)
    remove_stale (self, folder);
  add_path (self, hierarchy->mount_point, cgroup);
  claim = stale_cgroups_claim (cgroup);
  g_array_append_val (self->claims, claim);
  g_ptr_array_add (self->folders, g_steal_pointer (&folder));
  g_ptr_array_add (self->cgroups, g_steal_pointer (&cgroup));

  return TRUE;
}

/* Where a job's cgroup may be made, best first. The root of a hierarchy is for root. On
 * v2, what holds processes gives no controllers to its children: so the place beside
 * our own cgroup comes before the place in it. */
static GPtrArray *
list_bases (const JmcCgroupHierarchy *hierarchy)
{
  GPtrArray *bases = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (bases, g_strdup (hierarchy->mount_point));
  if (hierarchy->own == NULL || g_str_equal (hierarchy->own, hierarchy->mount_point))
    return bases;

  if (jmc_cgroup_hierarchy_is_v2 (hierarchy))
    g_ptr_array_add (bases, g_path_get_dirname (hierarchy->own));
  g_ptr_array_add (bases, g_strdup (hierarchy->own));

  return bases;
}

static gboolean
add (JmcRunCgroup *self, const JmcCgroupHierarchy *hierarchy, pid_t pid, GError **error)
{
  g_autoptr (GPtrArray) bases = list_bases (hierarchy);

  for (guint i = 0; i < bases->len; i++)
    {
      g_clear_error (error);
      if (add_below (self, bases->pdata[i], hierarchy, pid, error))
        return TRUE;
    }

  return FALSE;
}

static gboolean
has_cgroup_in (JmcRunCgroup *self, const JmcCgroupHierarchy *hierarchy)
{
  g_autofree char *prefix = g_strconcat (hierarchy->mount_point, "/", NULL);

  for (guint i = 0; i < self->cgroups->len; i++)
    if (g_str_has_prefix (self->cgroups->pdata[i], prefix))
      return TRUE;

  return FALSE;
}

/* CPU time is a must, the other controllers are what can be had. */
static gboolean
add_v1 (JmcRunCgroup *self, GPtrArray *hierarchies, pid_t pid, GError **error)
{
  static const char *const others[] = { "memory", "cpuset", "pids", "blkio",
                                        "freezer" };
  const JmcCgroupHierarchy *hierarchy =
    jmc_cgroup_hierarchy_find (hierarchies, "cpuacct");

  if (!add (self, hierarchy, pid, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      hierarchy = jmc_cgroup_hierarchy_find (hierarchies, others[i]);
      if (hierarchy != NULL && !has_cgroup_in (self, hierarchy))
        add (self, hierarchy, pid, NULL);
    }

  return TRUE;
}

/* A job in a job would take its processes out of the other's figures, and out of the
 * limits that a scheduler has set. */
static gboolean
is_job (const JmcCgroupHierarchy *hierarchy)
{
  static const char *const marks[] = { "/" JMC_LOCAL_JOB_CGROUP_PREFIX,
                                       "slurmstepd.scope/" };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (hierarchy->own != NULL && strstr (hierarchy->own, marks[i]) != NULL)
      return TRUE;

  return FALSE;
}

/* A hierarchy has its controllers in v1 or in v2, not in both. */
static gboolean
add_all (JmcRunCgroup *self, GPtrArray *hierarchies, pid_t pid, GError **error)
{
  const JmcCgroupHierarchy *v1 = jmc_cgroup_hierarchy_find (hierarchies, "cpuacct");
  const JmcCgroupHierarchy *v2 = jmc_cgroup_hierarchy_find (hierarchies, NULL);
  const JmcCgroupHierarchy *main_one = v1 != NULL ? v1 : v2;

  if (main_one == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT,
                   "no cgroup hierarchy counts CPU time here");
      return FALSE;
    }

  if (is_job (main_one))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED, "%s: a job already",
                   main_one->own);
      return FALSE;
    }

  return v1 != NULL ? add_v1 (self, hierarchies, pid, error)
                    : add (self, v2, pid, error);
}

/* Makes a cgroup for the job in every hierarchy that matters and moves @pid, which has
 * not begun, there. NULL where that may not be done. */
JmcRunCgroup *
jmc_run_cgroup_new (JmHost *host, const char *job_id, pid_t pid, GError **error)
{
  g_autoptr (GPtrArray) hierarchies = jmc_cgroup_hierarchy_list (host, error);
  g_autoptr (JmcRunCgroup) self = NULL;
  g_autoptr (GError) reason = NULL;

  if (hierarchies == NULL)
    return NULL;

  self = g_new0 (JmcRunCgroup, 1);
  self->host = g_object_ref (host);
  self->job_id = g_strdup (job_id);
  self->folders = g_ptr_array_new_with_free_func (g_free);
  self->cgroups = g_ptr_array_new_with_free_func (g_free);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->claims = g_array_new (FALSE, FALSE, sizeof (int));

  if (!add_all (self, hierarchies, pid, &reason))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }

  remove_stale (self, self->folders->pdata[0]);

  return g_steal_pointer (&self);
}

void
jmc_run_cgroup_free (JmcRunCgroup *self)
{
  for (guint i = 0; i < self->claims->len; i++)
    if (g_array_index (self->claims, int, i) >= 0)
      close (g_array_index (self->claims, int, i));
  g_array_unref (self->claims);
  g_clear_pointer (&self->stale, g_ptr_array_unref);
  g_object_unref (self->host);
  g_free (self->job_id);
  g_ptr_array_unref (self->folders);
  g_ptr_array_unref (self->cgroups);
  g_ptr_array_unref (self->paths);
  g_free (self);
}

const char *
jmc_run_cgroup_get_path (JmcRunCgroup *self)
{
  return self->cgroups->pdata[0];
}

/* Where the job's cgroups are in their hierarchies: a path for each place. */
GPtrArray *
jmc_run_cgroup_list_paths (JmcRunCgroup *self)
{
  return g_ptr_array_ref (self->paths);
}

/* The pids of those that are there now. */
GArray *
jmc_run_cgroup_list_processes (JmcRunCgroup *self)
{
  g_autofree char *path =
    g_build_filename (jmc_run_cgroup_get_path (self), "cgroup.procs", NULL);
  gsize length;
  g_autofree char *text = jm_host_read_all (self->host, path, MAX_PROCS, &length, NULL);
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (pid_t));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      pid_t pid = (pid_t) g_ascii_strtoull (*line, NULL, 10);

      if (pid > 0)
        g_array_append_val (pids, pid);
    }

  return pids;
}

static gboolean
remove_directory (const char *path, GError **error)
{
  for (guint i = 0; i < MAX_PAUSES; i++)
    {
      if (g_rmdir (path) == 0 || errno == ENOENT)
        return TRUE;
      if (errno != EBUSY)
        break;
      g_usleep (PAUSE_US);
    }

  return set_errno_error (error, path);
}

/* Removes the job's cgroups, which must be empty, and the folder of jobs where this was
 * the last. */
gboolean
jmc_run_cgroup_remove (JmcRunCgroup *self, GError **error)
{
  for (guint i = 0; i < self->cgroups->len; i++)
    {
      if (!remove_directory (self->cgroups->pdata[i], error))
        return FALSE;
      g_rmdir (self->folders->pdata[i]);
    }

  return TRUE;
}
