/* jm-file.c: a kernel file that is read again and again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "host/jm-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"

#define READ_CHUNK 4096
#define ATTEMPTS 3

static JmWorth
get_worth (const JmFile *self)
{
  return (self->flags & JM_FILE_SELDOM) != 0 ? JM_WORTH_SOME : JM_WORTH_MUCH;
}

static int
acquire (JmFile *self)
{
  int fd;

  if (self->fd >= 0)
    return self->fd;

  fd = jm_dir_open_child (self->dir, self->name, O_RDONLY);
  if (fd >= 0 && (self->flags & JM_FILE_REOPEN) == 0 &&
      jm_host_take_descriptor (self->dir->host, get_worth (self)))
    self->fd = fd;

  return fd;
}

static void
release (JmFile *self, int fd)
{
  if (fd != self->fd)
    close (fd);
  else if (!jm_host_has_room (self->dir->host, get_worth (self)))
    {
      close (fd);
      self->fd = -1;
      jm_host_give_descriptor (self->dir->host);
    }
}

static gssize
read_at (int fd, char *buffer, gsize size, gsize offset)
{
  gssize n = TEMP_FAILURE_RETRY (pread (fd, buffer, size, (off_t) offset));

  return n >= 0 ? n : -errno;
}

/* From the start. What does not end with a line may have been cut, as by a file system
 * in user space: half a number is not to be taken for one. */
static gssize
read_from_start (int fd, char *buffer, gsize size)
{
  for (guint i = 0; i < ATTEMPTS; i++)
    {
      gssize n = read_at (fd, buffer, size, 0);
      gssize more = 0;
      char next;

      if (n > 0 && (gsize) n < size && buffer[n - 1] != '\n')
        more = read_at (fd, &next, 1, n);
      if (more <= 0)
        return more < 0 ? more : n;
    }

  return -EIO;
}

/**
 * jm_file_init: (skip)
 * @self: a file
 *
 * Makes @self fit to be opened or closed.
 */
void
jm_file_init (JmFile *self)
{
  *self = (JmFile) JM_FILE_INIT;
}

/**
 * jm_file_open: (skip)
 * @self: a closed file
 * @host: the host
 * @path: its logical path
 * @flags: how to read it again
 *
 * Opens a file that has no #JmDir; this one keeps its name in memory of its own.
 *
 * Returns: 0, or a negative `errno`, and @self is then closed
 */
int
jm_file_open (JmFile *self, JmHost *host, const char *path, JmFileFlags flags)
{
  char real[PATH_MAX];
  char *name;
  int result = jm_host_map_path (host, path, real);

  jm_file_init (self);
  if (result < 0)
    return result;

  name = g_strdup (real);
  result =
    jm_file_open_at (self, jm_host_get_base (host), name, flags | JM_FILE_OWNS_NAME);
  if (result < 0)
    g_free (name);

  return result;
}

/**
 * jm_file_open_at: (skip)
 * @self: a closed file
 * @dir: the directory it is in; stays where it is and open while @self is
 * @name: its name there; stays alive while @self is open, so best a literal
 * @flags: how to read it again
 *
 * Opens a file. Where the budget of descriptors is used up it is not kept, each read
 * opens it anew, and the first read that finds room in the budget keeps it.
 *
 * Returns: 0, or a negative `errno`, and @self is then closed
 */
int
jm_file_open_at (JmFile *self, const JmDir *dir, const char *name, JmFileFlags flags)
{
  int fd;

  *self = (JmFile){ dir, name, -1, flags };
  fd = acquire (self);
  if (fd < 0)
    {
      jm_file_init (self);
      return fd;
    }

  release (self, fd);
  return 0;
}

/**
 * jm_file_close: (skip)
 * @self: a file, open or not
 *
 * Closes a file, and gives its descriptor back to the budget.
 */
void
jm_file_close (JmFile *self)
{
  if (self->fd >= 0)
    {
      close (self->fd);
      jm_host_give_descriptor (self->dir->host);
    }
  if (self->flags & JM_FILE_OWNS_NAME)
    g_free ((char *) self->name);

  jm_file_init (self);
}

/**
 * jm_file_read: (skip)
 * @self: an open file
 * @buffer: (array length=size): filled, and ended with a NUL in any case
 * @size: of @buffer, at least 2
 *
 * Reads an attribute file from its start with a single read, so that all of it is of
 * one moment; one that was cut short within a line is read anew. What fills the whole
 * buffer may have been cut short and is refused with `-EMSGSIZE`.
 *
 * Returns: the bytes read, or a negative `errno`: `-ENODEV` when the cgroup was
 * removed,
 *   `-ESRCH` when the process ended
 */
gssize
jm_file_read (JmFile *self, char *buffer, gsize size)
{
  int fd = acquire (self);
  gssize n = fd;

  if (fd >= 0)
    {
      n = read_from_start (fd, buffer, size - 1);
      release (self, fd);
    }
  if (n == (gssize) size - 1)
    n = -EMSGSIZE;

  buffer[MAX (n, 0)] = '\0';
  return n;
}

static gssize
read_to_end (int fd, GString *text, gsize max)
{
  gssize n;

  do
    {
      gsize length = text->len;

      if (text->allocated_len - length <= READ_CHUNK)
        {
          g_string_set_size (text, length + READ_CHUNK);
          g_string_truncate (text, length);
        }

      n = read_at (fd, text->str + length, text->allocated_len - length - 1, length);
      if (n > 0)
        g_string_set_size (text, length + n);
    }
  while (n > 0 && text->len <= max);

  return n > 0 ? -EMSGSIZE : n;
}

/**
 * jm_file_read_all: (skip)
 * @self: an open file
 * @text: replaced; keeps its memory from call to call
 * @max: the most bytes to take
 *
 * Reads a list, such as cgroup.procs, from its start to its end, which takes several
 * reads: it need not be of one moment. @text is empty where it fails, with `-EMSGSIZE`
 * where there is more than @max.
 *
 * Returns: the bytes read, or a negative `errno`
 */
gssize
jm_file_read_all (JmFile *self, GString *text, gsize max)
{
  int fd = acquire (self);
  gssize result = fd;

  g_string_truncate (text, 0);
  if (fd >= 0)
    {
      result = read_to_end (fd, text, max);
      release (self, fd);
    }
  if (result < 0)
    {
      g_string_truncate (text, 0);
      return result;
    }

  return (gssize) text->len;
}

/**
 * jm_file_get_path: (skip)
 * @self: an open file
 *
 * Returns: (transfer full): its real path
 */
char *
jm_file_get_path (const JmFile *self)
{
  return jm_dir_get_child_path (self->dir, self->name);
}

/**
 * jm_file_set_error: (skip)
 * @self: an open file
 * @result: the negative `errno` of a read
 * @error: return location for an error
 *
 * Reports a failed read as an error that begins with the real path.
 */
void
jm_file_set_error (const JmFile *self, gssize result, GError **error)
{
  g_autofree char *path = jm_file_get_path (self);

  jm_path_error_set_errno (error, path, (int) -result);
}

/**
 * jm_file_set_malformed: (skip)
 * @self: an open file
 * @problem: what is wrong, such as `not a number`
 * @text: what was read
 * @length: of @text
 * @error: return location for an error
 *
 * Reports a text that breaks its format as an error that begins with the real path and
 * quotes the text.
 */
void
jm_file_set_malformed (const JmFile *self,
                       const char *problem,
                       const char *text,
                       gsize length,
                       GError **error)
{
  g_autofree char *path = jm_file_get_path (self);

  jm_path_error_set_malformed (error, path, problem, text, length);
}
