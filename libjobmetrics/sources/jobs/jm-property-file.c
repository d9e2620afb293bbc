/* jm-property-file.c: what a hook left about a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-property-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-bounded-read-private.h"
#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"
#include "host/jm-trust-private.h"

#define FILE_MAX_BYTES (64 * 1024)
/* The description of a virtual machine is long. */
#define FILE_OF_SCHEDULER_MAX_BYTES (256 * 1024)

struct _JmPropertyFile
{
  char *path;
  GString *text;
};

/* Returns @fd, or -1 with @error, and it is closed. */
static int
keep_if_trusted (JmHost *host,
                 int fd,
                 mode_t kind,
                 guint daemon_uid,
                 const char *path,
                 GError **error)
{
  if (fd < 0)
    {
      jm_path_error_set_errno (error, path, -fd);
      return -1;
    }
  if (!jm_trust_check_fd (host, fd, kind, daemon_uid, path, error))
    {
      close (fd);
      return -1;
    }

  return fd;
}

/* A directory as jm_dir_open_child() takes it, but kept open in any case: who may write
 * it, or what it is in, may put another file of root's in the name's place. */
static gboolean
open_directory (JmHost *host,
                const char *path,
                int flags,
                guint daemon_uid,
                JmDir *dir,
                GError **error)
{
  g_autofree char *real = jm_host_resolve (host, path);
  int fd = -ENAMETOOLONG;

  if (real != NULL)
    fd = jm_host_open_real (host, real,
                            O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
                              flags);
  if (fd == -ENOTDIR && flags != 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                   "%s: not trusted: a link, or not a directory", real);
      return FALSE;
    }

  fd =
    keep_if_trusted (host, fd, S_IFDIR, daemon_uid, real != NULL ? real : path, error);
  if (fd < 0)
    return FALSE;

  *dir = (JmDir){ host, g_steal_pointer (&real), fd };
  return TRUE;
}

static void
close_directory (JmDir *dir)
{
  close (dir->fd);
  g_free (dir->path);
}

static JmPropertyFile *
file_new (const JmDir *dir, const char *name)
{
  JmPropertyFile *self = g_new0 (JmPropertyFile, 1);

  self->text = g_string_new (NULL);
  self->path = jm_dir_get_child_path (dir, name);

  return self;
}

static JmPropertyFile *
read_in (const JmDir *dir, const char *name, guint daemon_uid, GError **error)
{
  g_autoptr (JmPropertyFile) self = file_new (dir, name);
  gboolean ok;
  int fd;

  fd = keep_if_trusted (dir->host, jm_dir_open_child (dir, name, O_RDONLY | O_NOFOLLOW),
                        S_IFREG, daemon_uid, self->path, error);
  if (fd < 0)
    return NULL;

  ok = jm_bounded_read (fd, FILE_MAX_BYTES, self->text, self->path, error);
  close (fd);

  return ok ? g_steal_pointer (&self) : NULL;
}

static JmPropertyFile *
read_file (JmHost *host,
           const char *directory,
           const char *name,
           guint daemon_uid,
           GError **error)
{
  JmPropertyFile *self;
  JmDir dir;

  if (!open_directory (host, directory, O_NOFOLLOW, daemon_uid, &dir, error))
    return NULL;

  self = read_in (&dir, name, daemon_uid, error);
  close_directory (&dir);

  return self;
}

static gboolean
check_directory (JmHost *host, const char *path, guint daemon_uid, GError **error)
{
  JmDir dir;

  /* systemd makes a link of the directory of a service that has a user of its own */
  if (!open_directory (host, path, 0, daemon_uid, &dir, error))
    return FALSE;

  close_directory (&dir);
  return TRUE;
}

/**
 * jm_property_file_read_of_daemon: (skip)
 * @host: the host
 * @directory: the logical path of a directory in one that root made for a daemon, as
 *   systemd does below `/run`
 * @name: of the file in it
 * @error: return location for an error
 *
 * Reads what a daemon left, which may run as a user of its own: the owner of the
 * directory above @directory, if only root can have put that where it is.
 *
 * - Errors: as jm_property_file_read().
 *
 * Returns: (transfer full): the file
 */
JmPropertyFile *
jm_property_file_read_of_daemon (JmHost *host,
                                 const char *directory,
                                 const char *name,
                                 GError **error)
{
  g_autofree char *own = g_path_get_dirname (directory);
  g_autofree char *above = g_path_get_dirname (own);
  guint uid;

  if (!jm_host_get_owner (host, own, &uid, error) ||
      !check_directory (host, above, 0, error) ||
      !check_directory (host, own, uid, error))
    return NULL;

  return read_file (host, directory, name, uid, error);
}

/**
 * jm_property_file_read: (skip)
 * @host: the host
 * @directory: the logical path of the hooks' directory
 * @name: of the file in it
 * @error: return location for an error
 *
 * Reads what a hook left, if only root (or who runs this program) can have written it.
 * It is the opened file that is looked at, so it cannot change in between.
 *
 * - Errors: `ABSENT` where there is none; `DENIED` where it may not be read or others
 *   could have written it; `MALFORMED` where it is longer than 64 KiB.
 *
 * Returns: (transfer full): the file
 */
JmPropertyFile *
jm_property_file_read (JmHost *host,
                       const char *directory,
                       const char *name,
                       GError **error)
{
  return read_file (host, directory, name, 0, error);
}

/* Of a directory that belongs to others, these may put another file in the name's
 * place.
 */
static gboolean
is_protected_by (JmHost *host, const struct stat *directory, const struct stat *file)
{
  return !jm_trust_is_writable_by_others (host, directory) &&
         !jm_trust_is_writable_by_others (host, file) &&
         (directory->st_uid == file->st_uid ||
          jm_trust_is_owner (host, directory->st_uid, 0));
}

static gboolean
read_ordinary (JmPropertyFile *self, int fd, struct stat *st, GError **error)
{
  if (fstat (fd, st) != 0)
    {
      jm_path_error_set_errno (error, self->path, errno);
      return FALSE;
    }
  if (!S_ISREG (st->st_mode))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_DENIED,
                   "%s: not an ordinary file: mode %o", self->path, st->st_mode);
      return FALSE;
    }

  return jm_bounded_read (fd, FILE_OF_SCHEDULER_MAX_BYTES, self->text, self->path,
                          error);
}

static gboolean
open_any_directory (JmHost *host,
                    const char *path,
                    JmDir *dir,
                    struct stat *st,
                    GError **error)
{
  g_autofree char *real = jm_host_resolve (host, path);
  int fd = -ENAMETOOLONG;

  if (real != NULL)
    fd = jm_host_open_real (host, real,
                            O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || fstat (fd, st) != 0)
    {
      jm_path_error_set_errno (error, real != NULL ? real : path, fd < 0 ? -fd : errno);
      if (fd >= 0)
        close (fd);
      return FALSE;
    }

  *dir = (JmDir){ host, g_steal_pointer (&real), fd };
  return TRUE;
}

/**
 * jm_property_file_read_any: (skip)
 * @host: the host
 * @path: the logical path of a file
 * @owner: (out): whose file it is
 * @is_protected: (out): whether no other user could have written it, or put it there
 * @error: return location for an error
 *
 * Reads what somebody left. Whether it is to be believed is for the caller to say.
 *
 * - Errors: `ABSENT` where there is none; `DENIED` where it may not be read or is no
 *   ordinary file; `MALFORMED` where it is longer than 256 KiB.
 *
 * Returns: (transfer full): the file
 */
JmPropertyFile *
jm_property_file_read_any (JmHost *host,
                           const char *path,
                           guint *owner,
                           gboolean *is_protected,
                           GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (JmPropertyFile) self = NULL;
  struct stat above;
  struct stat st;
  gboolean ok;
  JmDir dir;
  int fd;

  if (!open_any_directory (host, directory, &dir, &above, error))
    return NULL;

  self = file_new (&dir, name);
  fd = jm_dir_open_child (&dir, name, O_RDONLY | O_NOFOLLOW);
  close_directory (&dir);
  if (fd < 0)
    {
      jm_path_error_set_errno (error, self->path, -fd);
      return NULL;
    }

  ok = read_ordinary (self, fd, &st, error);
  close (fd);
  if (!ok)
    return NULL;

  *owner = st.st_uid;
  *is_protected = is_protected_by (host, &above, &st);

  return g_steal_pointer (&self);
}

/**
 * jm_property_owner_is_trusted: (skip)
 * @host: the host
 * @uid: a user
 *
 * Returns: whether it is root, or who runs this program
 */
gboolean
jm_property_owner_is_trusted (JmHost *host, guint uid)
{
  return jm_trust_is_owner (host, uid, 0);
}

/**
 * jm_property_directory_check: (skip)
 * @host: the host
 * @path: the logical path of a directory
 * @error: return location for an error
 *
 * - Errors: `ABSENT` where there is none; `DENIED` where others may write it.
 *
 * Returns: whether only root, or who runs this program, may have put names in it
 */
gboolean
jm_property_directory_check (JmHost *host, const char *path, GError **error)
{
  return check_directory (host, path, 0, error);
}

/**
 * jm_property_file_free: (skip)
 * @self: (transfer full): a file
 */
void
jm_property_file_free (JmPropertyFile *self)
{
  g_string_free (self->text, TRUE);
  g_free (self->path);
  g_free (self);
}

/**
 * jm_property_file_get_path: (skip)
 * @self: a file
 *
 * Returns: its real path
 */
const char *
jm_property_file_get_path (const JmPropertyFile *self)
{
  return self->path;
}

static gboolean
take_line (const char **cursor, const char *end, JmSlice *line)
{
  const char *newline;

  if (*cursor >= end)
    return FALSE;

  newline = memchr (*cursor, '\n', (gsize) (end - *cursor));
  *line = (JmSlice){ *cursor, (gsize) ((newline != NULL ? newline : end) - *cursor) };
  *cursor = newline != NULL ? newline + 1 : end;

  return TRUE;
}

/**
 * jm_property_file_check: (skip)
 * @self: a file
 * @error: return location for an error
 *
 * Looks for lines that jm_properties_find() will never find.
 *
 * - Errors: `MALFORMED`, quoting the first of them.
 *
 * Returns: whether all lines are sound
 */
gboolean
jm_property_file_check (const JmPropertyFile *self, GError **error)
{
  const char *cursor = self->text->str;
  const char *end = cursor + self->text->len;
  JmSlice line;

  while (take_line (&cursor, end, &line))
    {
      const char *equals = memchr (line.text, '=', line.length);
      const char *problem = NULL;

      if (equals == NULL || equals == line.text)
        problem = "not NAME=VALUE";
      else if (line.text + line.length == end)
        problem = "a line cut short";

      if (problem != NULL)
        {
          jm_path_error_set_malformed (error, self->path, problem, line.text,
                                       line.length);
          return FALSE;
        }
    }

  return TRUE;
}

/**
 * jm_properties_find: (skip)
 * @text: lines `NAME=VALUE`
 * @length: of @text
 * @name: the name wanted
 * @value: (out): its value
 *
 * Finds the first line of a name. A line without an end was cut short, and is not
 * taken: half of a number is another number.
 *
 * Returns: whether there is one
 */
gboolean
jm_properties_find (const char *text, gsize length, const char *name, JmSlice *value)
{
  const char *cursor = text;
  const char *end = text + length;
  gsize name_length = strlen (name);
  JmSlice line;

  while (take_line (&cursor, end, &line))
    if (line.length > name_length && line.text[name_length] == '=' &&
        line.text + line.length < end && memcmp (line.text, name, name_length) == 0)
      {
        *value =
          (JmSlice){ line.text + name_length + 1, line.length - name_length - 1 };
        return TRUE;
      }

  return FALSE;
}

/**
 * jm_property_file_get_text: (skip)
 * @self: a file
 * @length: (out): of the text
 *
 * Returns: what was read, for jm_properties_find()
 */
const char *
jm_property_file_get_text (const JmPropertyFile *self, gsize *length)
{
  *length = self->text->len;

  return self->text->str;
}
