/* jm-host-read.c: files of a host that are read now and then
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-host.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "host/jm-file-private.h"
#include "host/jm-host-private.h"

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)
/* Two clocks are read again that were not read within this time of each other. */
#define LOOK_NS 100000
#define MAX_LOOKS 10

static gboolean
map_path_or_fail (JmHost *self, const char *path, char real[PATH_MAX], GError **error)
{
  int result = jm_host_map_path (self, path, real);

  if (result < 0)
    jm_path_error_set_errno (error, path, -result);

  return result == 0;
}

static JmFile
one_off (JmHost *self, const char *real)
{
  return (JmFile){ jm_host_get_base (self), real, -1, JM_FILE_REOPEN };
}

/**
 * jm_host_exists:
 * @self: a host
 * @path: (type filename): a logical path
 *
 * Finds out whether a path leads somewhere, be it to something that may not be read.
 *
 * Returns: whether there is something
 * Since: 0.1
 */
gboolean
jm_host_exists (JmHost *self, const char *path)
{
  char real[PATH_MAX];
  int fd;

  g_return_val_if_fail (JM_IS_HOST (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (jm_host_map_path (self, path, real) < 0)
    return FALSE;

  fd = jm_host_open_real (self, real, O_PATH | O_CLOEXEC);
  if (fd >= 0)
    close (fd);

  return fd >= 0;
}

/**
 * jm_host_read: (skip)
 * @self: a host
 * @path: a logical path
 * @buffer: (array length=size): filled, and ended with a NUL
 * @size: of @buffer, at least 2
 * @error: return location for an error
 *
 * Reads an attribute file into the caller's memory: opened, read once, closed.
 *
 * - Errors: `ABSENT`, `DENIED`, `UNAVAILABLE` as the system says; `MALFORMED` where it
 *   fills the buffer, and so may have been cut short.
 *
 * Returns: the bytes read, without the NUL; -1 where it failed
 * Since: 0.1
 */
gssize
jm_host_read (JmHost *self, const char *path, char *buffer, gsize size, GError **error)
{
  char real[PATH_MAX];
  JmFile file;
  gssize n;

  g_return_val_if_fail (JM_IS_HOST (self), -1);
  g_return_val_if_fail (path != NULL && buffer != NULL && size >= 2, -1);

  if (!map_path_or_fail (self, path, real, error))
    return -1;

  file = one_off (self, real);
  n = jm_file_read (&file, buffer, size);
  if (n < 0)
    {
      jm_file_set_error (&file, n, error);
      return -1;
    }

  return n;
}

/**
 * jm_host_read_uint64:
 * @self: a host
 * @path: (type filename): a logical path
 * @value: (out): the number; written only where it was read
 * @error: return location for an error
 *
 * Reads a file that holds one number.
 *
 * - Errors: as jm_host_read(); `MALFORMED` where it is not a number.
 *
 * Returns: (skip): whether it was read
 * Since: 0.1
 */
gboolean
jm_host_read_uint64 (JmHost *self, const char *path, guint64 *value, GError **error)
{
  char text[64];
  gssize length;
  g_autofree char *real = NULL;

  g_return_val_if_fail (value != NULL, FALSE);

  length = jm_host_read (self, path, text, sizeof text, error);
  if (length < 0)
    return FALSE;
  if (jm_parse_uint64 (text, (gsize) length, value))
    return TRUE;

  real = jm_host_resolve (self, path);
  jm_path_error_set_malformed (error, real, "not a number", text, (gsize) length);
  return FALSE;
}

/**
 * jm_host_read_all:
 * @self: a host
 * @path: (type filename): a logical path
 * @max: the most bytes to take
 * @length: (out): how many were read
 * @error: return location for an error
 *
 * Reads a list or an ordinary file to its end. A NUL stands behind the last byte.
 *
 * - Errors: `ABSENT`, `DENIED`, `UNAVAILABLE` as the system says; `MALFORMED` where
 *   there
 *   is more than @max.
 *
 * Returns: (transfer full) (array length=length) (element-type guint8): the text, which
 *   may hold any bytes
 * Since: 0.1
 */
char *
jm_host_read_all (JmHost *self,
                  const char *path,
                  gsize max,
                  gsize *length,
                  GError **error)
{
  char real[PATH_MAX];
  JmFile file;
  GString *text;
  gssize n;

  g_return_val_if_fail (JM_IS_HOST (self), NULL);
  g_return_val_if_fail (path != NULL && length != NULL, NULL);

  *length = 0;
  if (!map_path_or_fail (self, path, real, error))
    return NULL;

  file = one_off (self, real);
  text = g_string_new (NULL);
  n = jm_file_read_all (&file, text, max);
  if (n < 0)
    {
      g_string_free (text, TRUE);
      jm_file_set_error (&file, n, error);
      return NULL;
    }

  *length = (gsize) n;
  return g_string_free (text, FALSE);
}

/**
 * jm_host_read_link:
 * @self: a host
 * @path: (type filename): a logical path
 * @error: return location for an error
 *
 * Reads where a symbolic link points, such as `/proc/PID/exe`. The answer is as it
 * stands in the link.
 *
 * Returns: (transfer full) (type filename): the target
 * Since: 0.1
 */
char *
jm_host_read_link (JmHost *self, const char *path, GError **error)
{
  char real[PATH_MAX];
  char target[PATH_MAX];
  gssize n;

  g_return_val_if_fail (JM_IS_HOST (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (!map_path_or_fail (self, path, real, error))
    return NULL;

  n = jm_dir_read_link (jm_host_get_base (self), real, target, sizeof target);
  if (n < 0)
    {
      jm_path_error_set_errno (error, real, (int) -n);
      return NULL;
    }

  return g_strdup (target);
}

static void
add_name (const char *name, guint8 type, guint64 inode, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (name));
}

/**
 * jm_host_list_dir:
 * @self: a host
 * @path: (type filename): a logical path
 * @error: return location for an error
 *
 * Lists a directory, in no order.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the names
 * Since: 0.1
 */
char **
jm_host_list_dir (JmHost *self, const char *path, GError **error)
{
  char real[PATH_MAX];
  JmDir dir = { self, real, -1 };
  g_autoptr (GPtrArray) names = NULL;
  gssize n;

  g_return_val_if_fail (JM_IS_HOST (self), NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (!map_path_or_fail (self, path, real, error))
    return NULL;

  names = g_ptr_array_new_with_free_func (g_free);
  n = jm_dir_foreach (&dir, add_name, names);
  if (n < 0)
    {
      jm_path_error_set_errno (error, real, (int) -n);
      return NULL;
    }

  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

static gboolean
stat_path (JmHost *self, const char *path, struct stat *st, GError **error)
{
  char real[PATH_MAX];
  gboolean is_known;
  int fd;

  if (!map_path_or_fail (self, path, real, error))
    return FALSE;

  fd = jm_host_open_real (self, real, O_PATH | O_CLOEXEC);
  if (fd < 0)
    {
      jm_path_error_set_errno (error, real, -fd);
      return FALSE;
    }

  is_known = fstat (fd, st) == 0;
  if (!is_known)
    jm_path_error_set_errno (error, real, errno);
  close (fd);

  return is_known;
}

/**
 * jm_host_get_owner:
 * @self: a host
 * @path: (type filename): a logical path
 * @uid: (out): the user id
 * @error: return location for an error
 *
 * Says who owns a file: for `/proc/PID`, who the process runs as.
 *
 * Returns: (skip): whether it is known
 * Since: 0.1
 */
gboolean
jm_host_get_owner (JmHost *self, const char *path, guint *uid, GError **error)
{
  struct stat st;

  g_return_val_if_fail (JM_IS_HOST (self), FALSE);
  g_return_val_if_fail (path != NULL && uid != NULL, FALSE);

  if (!stat_path (self, path, &st, error))
    return FALSE;

  *uid = st.st_uid;

  return TRUE;
}

/* Says which file a path leads to: another one of the same path has another number.
 *
 * Returns whether its number could be read; else @error says why. */
gboolean
jm_host_get_inode (JmHost *self, const char *path, guint64 *inode, GError **error)
{
  struct stat st;

  g_return_val_if_fail (JM_IS_HOST (self), FALSE);
  g_return_val_if_fail (path != NULL && inode != NULL, FALSE);

  if (!stat_path (self, path, &st, error))
    return FALSE;

  *inode = st.st_ino;

  return TRUE;
}

char *
jm_host_read_boot_id (JmHost *self)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (self, "/proc/sys/kernel/random/boot_id", 64, &length, NULL);

  if (text == NULL)
    return NULL;
  g_strstrip (text);

  return g_uuid_string_is_valid (text) ? g_steal_pointer (&text) : NULL;
}

static gint64
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);

  return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* A busy machine may let us wait between two clocks: the pair that was read at once
 * counts. */
gint64
jm_clock_get_boot_ns (void)
{
  gint64 shortest = G_MAXINT64;
  gint64 boot = 0;

  for (guint i = 0; i < MAX_LOOKS && shortest > LOOK_NS; i++)
    {
      gint64 before = read_clock (CLOCK_BOOTTIME);
      gint64 now = read_clock (CLOCK_REALTIME);
      gint64 after = read_clock (CLOCK_BOOTTIME);

      if (after - before >= shortest)
        continue;
      shortest = after - before;
      boot = now - before - shortest / 2;
    }

  return boot;
}
