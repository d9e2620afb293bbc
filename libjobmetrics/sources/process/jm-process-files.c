/* jm-process-files.c: open files of a process, and the file systems they are on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <errno.h>
#include <string.h>

#include "sources/process/jm-kept-process-private.h"

typedef struct
{
  JmKeptProcess *process;
  const char *const *paths;
  guint n_paths;
  guint64 mask;
  guint n_links;
  gssize result;
} Search;

static int
open_fd_dir (JmKeptProcess *self, JmProcessPart part, JmProcessReport *report)
{
  int result = 0;

  if (self->fd_dir.path == NULL)
    result = jm_dir_open_at (&self->fd_dir, &self->dir, "fd");
  if (result < 0)
    jm_process_report_path (report, part, &self->dir, "fd", result);

  return result;
}

/**
 * jm_kept_process_count_open_files: (skip)
 * @self: a process
 * @n_files: (out): how many
 * @report: where a failure goes
 *
 * Returns: 0, or a negative `errno`
 */
int
jm_kept_process_count_open_files (JmKeptProcess *self,
                                  guint *n_files,
                                  JmProcessReport *report)
{
  gssize n = open_fd_dir (self, JM_PROCESS_PART_FILES, report);

  if (n < 0)
    return (int) n;

  jm_dir_regain (&self->fd_dir);
  n = jm_dir_count_open_files (&self->fd_dir);
  jm_dir_spare (&self->fd_dir, JM_WORTH_SOME);
  if (n < 0)
    {
      jm_process_report_path (report, JM_PROCESS_PART_FILES, &self->dir, "fd", n);
      return (int) n;
    }

  *n_files = (guint) n;
  return 0;
}

static gboolean
is_below (const char *path, const char *directory)
{
  gsize length = strlen (directory);

  if (strncmp (path, directory, length) != 0)
    return FALSE;

  return path[length] == '\0' || path[length] == '/' || directory[length - 1] == '/';
}

static gssize
follow_link (Search *search, const JmDir *dir, const char *name)
{
  char target[PATH_MAX];
  gssize n = jm_dir_read_link (dir, name, target, sizeof target);

  if (n > 0)
    for (guint i = 0; i < search->n_paths; i++)
      if (is_below (target, search->paths[i]))
        search->mask |= G_GUINT64_CONSTANT (1) << i;

  return n;
}

static void
on_descriptor (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  Search *search = user_data;
  gssize n;

  if (search->n_links >= JM_PROCESS_LINKS_MAX)
    return;

  search->n_links++;
  n = follow_link (search, &search->process->fd_dir, name);

  /* ENOENT: closed since it was listed */
  if (n < 0 && n != -ENOENT)
    search->result = n;
}

/**
 * jm_kept_process_find_filesystems: (skip)
 * @self: a process
 * @paths: (array length=n_paths): absolute paths; what is below one is on it
 * @n_paths: how many, at most %JM_PROCESS_FILESYSTEMS_MAX
 * @mask: (out): bit n is set where the process uses @paths [n]
 * @report: where a failure goes
 *
 * Looks where the working directory and the open files of a process are, by the paths
 * that the kernel names; of the files, at the first %JM_PROCESS_LINKS_MAX.
 *
 * Returns: 0, or a negative `errno`
 */
int
jm_kept_process_find_filesystems (JmKeptProcess *self,
                                  const char *const *paths,
                                  guint n_paths,
                                  guint64 *mask,
                                  JmProcessReport *report)
{
  Search search = { self, paths, n_paths, 0, 0, 0 };
  gssize n = follow_link (&search, &self->dir, "cwd");

  if (n < 0)
    {
      jm_process_report_path (report, JM_PROCESS_PART_FILESYSTEMS, &self->dir, "cwd",
                              n);
      return (int) n;
    }

  n = open_fd_dir (self, JM_PROCESS_PART_FILESYSTEMS, report);
  if (n < 0)
    return (int) n;

  n = jm_dir_foreach (&self->fd_dir, on_descriptor, &search);
  if (n >= 0)
    n = search.result;
  if (n < 0)
    {
      jm_process_report_path (report, JM_PROCESS_PART_FILESYSTEMS, &self->dir, "fd", n);
      return (int) n;
    }

  *mask = search.mask;
  return 0;
}
