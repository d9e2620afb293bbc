/* jm-write-buffer.c: requests that wait on disk to be sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"

#define LOCK_NAME "lock"
#define SUFFIX ".request"
/* Jobs of others are in it. */
#define DIRECTORY_MODE 0750
#define FILE_MODE 0640

/* 16 bytes of checksum stand behind it, and then the body. */
#define MAGIC "jmwrite1"
#define MAGIC_BYTES 8
#define CHECKSUM_BYTES 16
#define HEAD_BYTES (MAGIC_BYTES + CHECKSUM_BYTES)

typedef struct
{
  guint64 number;
  guint64 size;
  guint n_samples;
} Entry;

struct _JmWriteBuffer
{
  char *path;
  int directory;
  int lock;
  guint64 max_bytes;
  guint64 n_bytes;
  GQueue entries; /* of Entry, the oldest first */
  guint64 next_number;
};

/* --- names and contents of files --- */

char *
jm_write_buffer_make_name (guint64 number, guint n_samples)
{
  return g_strdup_printf ("%020" G_GUINT64_FORMAT "-%u" SUFFIX, number, n_samples);
}

gboolean
jm_write_buffer_parse_name (const char *name, guint64 *number, guint *n_samples)
{
  g_autofree char *canonical = NULL;
  const char *dash = strchr (name, '-');

  if (dash == NULL)
    return FALSE;

  *number = g_ascii_strtoull (name, NULL, 10);
  *n_samples = (guint) MIN (g_ascii_strtoull (dash + 1, NULL, 10), G_MAXUINT);
  canonical = jm_write_buffer_make_name (*number, *n_samples);

  return *number < G_MAXUINT64 && strcmp (canonical, name) == 0;
}

static void
make_checksum (const guint8 *data, gsize length, guint8 *digest)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
  gsize size = CHECKSUM_BYTES;

  g_checksum_update (checksum, data, (gssize) length);
  g_checksum_get_digest (checksum, digest, &size);
}

GBytes *
jm_write_buffer_seal (GBytes *body)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (body, &length);
  guint8 *content = g_malloc (HEAD_BYTES + length);

  memcpy (content, MAGIC, MAGIC_BYTES);
  make_checksum (data, length, content + MAGIC_BYTES);
  if (length > 0)
    memcpy (content + HEAD_BYTES, data, length);

  return g_bytes_new_take (content, HEAD_BYTES + length);
}

GBytes *
jm_write_buffer_unseal (GBytes *content)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (content, &length);
  guint8 digest[CHECKSUM_BYTES];

  if (length < HEAD_BYTES || memcmp (data, MAGIC, MAGIC_BYTES) != 0)
    return NULL;
  make_checksum (data + HEAD_BYTES, length - HEAD_BYTES, digest);
  if (memcmp (data + MAGIC_BYTES, digest, CHECKSUM_BYTES) != 0)
    return NULL;

  return g_bytes_new_from_bytes (content, HEAD_BYTES, length - HEAD_BYTES);
}

/* --- opening --- */

static gboolean
refuse_errno (GError **error, const char *path, int error_number)
{
  g_set_error (error, JM_ERROR, (int) jm_error_from_errno (error_number), "%s: %s",
               path, g_strerror (error_number));

  return FALSE;
}

static gboolean
open_directory (JmWriteBuffer *self, GError **error)
{
  if (g_mkdir (self->path, DIRECTORY_MODE) != 0 && errno != EEXIST)
    return refuse_errno (error, self->path, errno);

  self->directory = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (self->directory < 0)
    return refuse_errno (error, self->path, errno);

  return TRUE;
}

/* Two that send from one directory would send everything twice. */
static gboolean
lock_directory (JmWriteBuffer *self, GError **error)
{
  self->lock = openat (self->directory, LOCK_NAME,
                       O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
  if (self->lock < 0)
    return refuse_errno (error, self->path, errno);
  if (flock (self->lock, LOCK_EX | LOCK_NB) == 0)
    return TRUE;

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: in use by another process",
               self->path);

  return FALSE;
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Entry *first = a;
  const Entry *second = b;

  return first->number < second->number ? -1 : first->number > second->number;
}

static guint64
round_up (guint64 size)
{
  return (size / JM_WRITE_BLOCK_BYTES + 1) * JM_WRITE_BLOCK_BYTES;
}

static void
add_entry (JmWriteBuffer *self, guint64 number, guint64 size, guint n_samples)
{
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry){ number, size, n_samples };
  g_queue_push_tail (&self->entries, entry);
  self->n_bytes += size;
  self->next_number = MAX (self->next_number, number + 1);
}

static void
find_entry (JmWriteBuffer *self, const char *name)
{
  struct stat status;
  guint64 number;
  guint n_samples;

  if (jm_write_buffer_parse_name (name, &number, &n_samples) &&
      fstatat (self->directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISREG (status.st_mode))
    add_entry (self, number, round_up ((guint64) status.st_size), n_samples);
}

static gboolean
find_entries (JmWriteBuffer *self, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, &reason);
  const char *name;

  if (dir == NULL)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_UNAVAILABLE, reason->message);
      return FALSE;
    }

  while ((name = g_dir_read_name (dir)) != NULL)
    find_entry (self, name);
  g_queue_sort (&self->entries, compare_entries, NULL);

  return TRUE;
}

JmWriteBuffer *
jm_write_buffer_open (const char *directory, guint64 max_bytes, GError **error)
{
  g_autoptr (JmWriteBuffer) self = g_new0 (JmWriteBuffer, 1);

  self->path = g_strdup (directory);
  self->directory = -1;
  self->lock = -1;
  self->max_bytes = max_bytes;
  g_queue_init (&self->entries);

  if (!open_directory (self, error) || !lock_directory (self, error) ||
      !find_entries (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jm_write_buffer_close (JmWriteBuffer *self)
{
  g_queue_clear_full (&self->entries, g_free);
  if (self->lock >= 0)
    close (self->lock);
  if (self->directory >= 0)
    close (self->directory);
  g_free (self->path);
  g_free (self);
}

/* --- the queue --- */

static void
remove_oldest (JmWriteBuffer *self)
{
  g_autofree Entry *entry = g_queue_pop_head (&self->entries);
  g_autofree char *name = jm_write_buffer_make_name (entry->number, entry->n_samples);

  unlinkat (self->directory, name, 0);
  self->n_bytes -= entry->size;
}

static void
make_room (JmWriteBuffer *self, guint64 size, JmWriteLoss *loss)
{
  while (!g_queue_is_empty (&self->entries) && self->n_bytes + size > self->max_bytes)
    {
      loss->n_samples += ((Entry *) g_queue_peek_head (&self->entries))->n_samples;
      remove_oldest (self);
    }
}

static gboolean
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }

  return TRUE;
}

/* Returns 0 or an errno; what is half written is removed again. */
static int
write_file (JmWriteBuffer *self, const char *name, GBytes *content)
{
  gsize length;
  const char *data = g_bytes_get_data (content, &length);
  int fd =
    openat (self->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
  int error_number = 0;

  if (fd < 0)
    return errno;
  if (!write_all (fd, data, length))
    error_number = errno;
  if (close (fd) != 0 && error_number == 0)
    error_number = errno;
  if (error_number != 0)
    unlinkat (self->directory, name, 0);

  return error_number;
}

gboolean
jm_write_buffer_append (JmWriteBuffer *self,
                        GBytes *body,
                        guint n_samples,
                        JmWriteLoss *loss,
                        GError **error)
{
  g_autoptr (GBytes) content = jm_write_buffer_seal (body);
  g_autofree char *name = jm_write_buffer_make_name (self->next_number, n_samples);
  guint64 size = round_up (g_bytes_get_size (content));
  int error_number;

  if (size > self->max_bytes)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "%s: too small for a request of %" G_GUINT64_FORMAT " bytes",
                   self->path, size);
      return FALSE;
    }

  make_room (self, size, loss);
  error_number = write_file (self, name, content);
  if (error_number != 0)
    return refuse_errno (error, self->path, error_number);
  add_entry (self, self->next_number, size, n_samples);

  return TRUE;
}

/* A file that has grown since is not one of ours any more. */
static GBytes *
read_file (JmWriteBuffer *self, const Entry *entry)
{
  g_autofree char *name = jm_write_buffer_make_name (entry->number, entry->n_samples);
  int fd =
    openat (self->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  g_autofree char *content = NULL;
  gsize length = 0;
  gssize n;

  if (fd < 0)
    return NULL;

  content = g_malloc (entry->size);
  while ((n = read (fd, content + length, entry->size - length)) > 0)
    length += (gsize) n;
  close (fd);

  return n == 0 ? g_bytes_new_take (g_steal_pointer (&content), length) : NULL;
}

static GBytes *
read_body (JmWriteBuffer *self, const Entry *entry)
{
  g_autoptr (GBytes) content =
    entry->size <= self->max_bytes ? read_file (self, entry) : NULL;

  return content != NULL ? jm_write_buffer_unseal (content) : NULL;
}

gboolean
jm_write_buffer_peek (JmWriteBuffer *self, JmWriteEntry *entry, JmWriteLoss *loss)
{
  const Entry *oldest;

  while ((oldest = g_queue_peek_head (&self->entries)) != NULL)
    {
      GBytes *body = read_body (self, oldest);

      if (body != NULL)
        {
          *entry = (JmWriteEntry){ oldest->number, oldest->n_samples, body };
          return TRUE;
        }
      loss->n_samples += oldest->n_samples;
      loss->n_torn++;
      remove_oldest (self);
    }

  return FALSE;
}

void
jm_write_buffer_remove (JmWriteBuffer *self, guint64 number)
{
  const Entry *oldest = g_queue_peek_head (&self->entries);

  if (oldest != NULL && oldest->number == number)
    remove_oldest (self);
}

guint64
jm_write_buffer_get_bytes (const JmWriteBuffer *self)
{
  return self->n_bytes;
}
