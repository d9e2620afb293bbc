/* jm-cgroup-file.c: a file of a cgroup, opened when it is first wanted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-file-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* A number, or a table of few keys. */
#define SMALL_TEXT_MAX 4096

/* Lists of CPUs and devices; those of the largest machines are far below the most. */
#define LIST_USUAL 16384
#define LIST_MAX (16 * 1024 * 1024)

#define NOT_KEYS "not lines of a key and a number"

/* Whether a cgroup is still there: of all kinds of files, each has this one. */
gboolean
jm_cgroup_dir_is_alive (const JmDir *dir)
{
  int fd = dir->path != NULL ? jm_dir_open_child (dir, "cgroup.procs", O_PATH) : -1;

  if (fd < 0)
    return FALSE;

  close (fd);
  return TRUE;
}

static void
count_directory (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  guint *n_directories = user_data;

  if (type == DT_DIR)
    *n_directories += 1;
}

/* Whether there are cgroups below a cgroup, or there were some when *@had was noted.
 * The use of those that were removed is in no file that counts its own cgroup alone. */
gboolean
jm_cgroup_dir_had_children (const JmDir *dir, gboolean *had)
{
  guint n_directories = 0;

  if (!*had)
    jm_dir_foreach (dir, count_directory, &n_directories);
  *had = *had || n_directories > 0;

  return *had;
}

static void
report_errno (const JmFile *file, JmCgroupSweep *sweep, gssize result)
{
  g_autoptr (GError) error = NULL;

  jm_file_set_error (file, result, &error);
  jm_readings_add_error (sweep->readings, error);
}

/* Makes sure that a file is open. One that is not there is asked for again only until
 * the cgroup has settled: whoever makes it enables its controllers a moment later. */
gboolean
jm_cgroup_file_open (JmCgroupFile *self,
                     JmCgroupSweep *sweep,
                     const JmDir *dir,
                     const char *name)
{
  int result;

  if (dir->path == NULL || sweep->gone ||
      (self->state == JM_CGROUP_FILE_ABSENT && sweep->settled))
    return FALSE;
  if (self->state == JM_CGROUP_FILE_OPEN)
    return TRUE;

  result = jm_file_open_at (&self->file, dir, name, JM_FILE_KEEP);
  if (result == 0)
    self->state = JM_CGROUP_FILE_OPEN;
  else if (result == -ENOENT || result == -ENODEV || result == -EOPNOTSUPP)
    {
      /* a young cgroup may have gone before its file was opened at all */
      sweep->gone |= self->state == JM_CGROUP_FILE_UNTRIED && !sweep->settled &&
                     !jm_cgroup_dir_is_alive (dir);
      self->state = JM_CGROUP_FILE_ABSENT;
    }
  else
    report_errno (&(JmFile){ dir, name, -1, JM_FILE_KEEP }, sweep, result);

  return result == 0;
}

void
jm_cgroup_file_close (JmCgroupFile *self)
{
  if (self->state == JM_CGROUP_FILE_OPEN)
    jm_file_close (&self->file);

  self->state = JM_CGROUP_FILE_UNTRIED;
}

static void
forget (JmCgroupFile *self)
{
  jm_cgroup_file_close (self);
  self->state = JM_CGROUP_FILE_ABSENT;
}

static void
note_failure (JmCgroupFile *self, JmCgroupSweep *sweep, gssize result)
{
  const JmDir *dir = self->file.dir;

  switch (-result)
    {
    case ENODEV:
    case ENOENT:
      /* the cgroup was removed, or its controller was disabled; a directory that is
       * not kept open may by now be another one's */
      if (dir->fd >= 0 && jm_cgroup_dir_is_alive (dir))
        forget (self);
      else
        sweep->gone = TRUE;
      break;

    case EOPNOTSUPP: /* pressure on a kernel that was booted without it */
      forget (self);
      break;

    default:
      report_errno (&self->file, sweep, result);
      break;
    }
}

/* Reads an open file with a single read. Where that fails, why is reported. */
gssize
jm_cgroup_file_read (JmCgroupFile *self, JmCgroupSweep *sweep, char *buffer, gsize size)
{
  gssize length = jm_file_read (&self->file, buffer, size);

  if (length < 0)
    {
      note_failure (self, sweep, length);
      return -1;
    }

  sweep->n_read++;
  return length;
}

/* Reads an open file of any length. Where it fits, a single read does it, so that all
 * of it is of one moment. Where that fails, why is reported. */
gssize
jm_cgroup_file_read_all (JmCgroupFile *self, JmCgroupSweep *sweep, GString *text)
{
  gssize length;

  if (text->allocated_len < LIST_USUAL)
    g_string_set_size (text, LIST_USUAL);

  length = jm_file_read (&self->file, text->str, text->allocated_len);
  if (length >= 0)
    g_string_set_size (text, (gsize) length);
  else if (length == -EMSGSIZE)
    length = jm_file_read_all (&self->file, text, LIST_MAX);

  if (length < 0)
    {
      g_string_truncate (text, 0);
      note_failure (self, sweep, length);
      return -1;
    }

  sweep->n_read++;
  return length;
}

/* Reports a text, or the line of it, that breaks its format. */
void
jm_cgroup_file_report (JmCgroupFile *self,
                       JmCgroupSweep *sweep,
                       const char *problem,
                       JmSlice text)
{
  g_autoptr (GError) error = NULL;

  jm_file_set_malformed (&self->file, problem, text.text, text.length, &error);
  jm_readings_add_error (sweep->readings, error);
}

/* The kernel writes no file of keys without a line. */
static gboolean
parse_keys (JmSlice text,
            const JmFlatKey *keys,
            guint n_keys,
            guint64 *values,
            guint64 *found)
{
  return jm_parse_flat_keyed (text.text, text.length, keys, n_keys, values, found) &&
         text.length > 0;
}

static void
add (JmCgroupSweep *sweep, JmMetric metric, JmLabels *labels, guint64 value)
{
  if (labels != NULL)
    jm_readings_add_labelled (sweep->readings, metric, labels, value);
  else
    jm_readings_add (sweep->readings, metric, value);
}

/* Reads the one number of a file, or those of @keys where these are not NULL. Returns
 * which of them were found, a mask of bits. */
guint64
jm_cgroup_file_get_numbers (JmCgroupFile *self,
                            JmCgroupSweep *sweep,
                            const JmFlatKey *keys,
                            guint n_keys,
                            guint64 *values)
{
  char text[SMALL_TEXT_MAX];
  gssize length = jm_cgroup_file_read (self, sweep, text, sizeof text);
  gboolean sound;
  guint64 found;

  if (length < 0)
    return 0;

  if (keys != NULL)
    sound =
      parse_keys ((JmSlice){ text, (gsize) length }, keys, n_keys, values, &found);
  else
    found = sound = jm_parse_uint64 (text, (gsize) length, values);

  if (!sound)
    jm_cgroup_file_report (self, sweep, keys != NULL ? NOT_KEYS : "not a number",
                           (JmSlice){ text, (gsize) length });

  return found;
}

/* Adds the one number of a file. @labels are NULL for a metric that has none. */
void
jm_cgroup_file_add_number (JmCgroupFile *self,
                           JmCgroupSweep *sweep,
                           JmMetric metric,
                           JmLabels *labels)
{
  guint64 value;

  if (jm_cgroup_file_get_numbers (self, sweep, NULL, 1, &value) != 0)
    add (sweep, metric, labels, value);
}

/* Reads a limit, which may be JM_LIMIT_NONE. FALSE where it cannot be read. */
gboolean
jm_cgroup_file_get_limit (JmCgroupFile *self, JmCgroupSweep *sweep, guint64 *limit)
{
  char text[SMALL_TEXT_MAX];
  gssize length = jm_cgroup_file_read (self, sweep, text, sizeof text);

  if (length < 0)
    return FALSE;

  /* -1 stands for no quota of CPU time, and for nothing here */
  if ((length > 0 && text[0] == '-') || !jm_parse_limit (text, (gsize) length, limit))
    {
      jm_cgroup_file_report (self, sweep, "not a limit",
                             (JmSlice){ text, (gsize) length });
      return FALSE;
    }

  return TRUE;
}

/* Adds a limit, and nothing where there is none. */
void
jm_cgroup_file_add_limit (JmCgroupFile *self,
                          JmCgroupSweep *sweep,
                          JmMetric metric,
                          JmLabels *labels)
{
  guint64 limit;

  if (jm_cgroup_file_get_limit (self, sweep, &limit) && limit != JM_LIMIT_NONE)
    add (sweep, metric, labels, limit);
}

/* Adds a limit, or @unlimited where the kernel says that there is none: a limit that
 * cannot be read is neither. */
void
jm_cgroup_file_add_limit_or_none (JmCgroupFile *self,
                                  JmCgroupSweep *sweep,
                                  JmMetric metric,
                                  JmMetric unlimited)
{
  guint64 limit;

  if (!jm_cgroup_file_get_limit (self, sweep, &limit))
    return;
  if (limit != JM_LIMIT_NONE)
    add (sweep, metric, NULL, limit);
  else
    add (sweep, unlimited, NULL, 1);
}

/* Adds the numbers of a file of keys: those that are there and sound, whatever the
 * rest of the file looks like. */
void
jm_cgroup_file_add_keys (JmCgroupFile *self,
                         JmCgroupSweep *sweep,
                         const JmFlatKey *keys,
                         const JmCgroupFigure *figures,
                         guint n_keys,
                         JmLabels *labels)
{
  char text[SMALL_TEXT_MAX];
  gssize length = jm_cgroup_file_read (self, sweep, text, sizeof text);
  guint64 values[JM_CGROUP_FIGURES_MAX];
  guint64 found, scaled;
  gboolean sound;

  if (length < 0)
    return;

  g_assert (n_keys <= JM_CGROUP_FIGURES_MAX);
  sound = parse_keys ((JmSlice){ text, (gsize) length }, keys, n_keys, values, &found);

  for (guint i = 0; i < n_keys; i++)
    if ((found & (G_GUINT64_CONSTANT (1) << i)) == 0)
      continue;
    else if (__builtin_mul_overflow (values[i], figures[i].scale, &scaled))
      sound = FALSE;
    else
      add (sweep, figures[i].metric, labels, scaled);

  if (!sound)
    jm_cgroup_file_report (self, sweep, NOT_KEYS, (JmSlice){ text, (gsize) length });
}
