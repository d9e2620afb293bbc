/* jm-checkpoint-memory.c: memory that outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-checkpoint-memory-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"

#define MAGIC "jmcheckp"
#define VERSION 2
#define SEALS (F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)

/* At the front; numbers have the machine's own byte order. */
typedef struct
{
  char magic[8];
  guint64 version;
  guint64 size;   /* of the file */
  char node[256]; /* cut, and filled up with 0 */
} Header;

/* Of one of two contents, which are written in turn. It is written behind its content,
 * and is all 0 meanwhile. */
typedef struct
{
  guint64 generation; /* the larger one is the later; 0 for none */
  guint64 n_bytes;
  guint64 checksum; /* of the content and both numbers */
} Half;

#define N_HALVES 2
#define HALVES_OFFSET 512
#define CONTENT_OFFSET 4096
#define SIZE (CONTENT_OFFSET + N_HALVES * (gint64) JM_CHECKPOINT_MEMORY_MAX)

struct _JmCheckpointMemory
{
  int fd;
  guint64 generation; /* of the content */
  guint current;      /* the half that has it */
};

/* --- input and output --- */

static gboolean
read_all (int fd, gpointer data, gsize n_bytes, gint64 offset)
{
  return pread (fd, data, n_bytes, offset) == (gssize) n_bytes;
}

static gboolean
write_all (int fd, gconstpointer data, gsize n_bytes, gint64 offset)
{
  return pwrite (fd, data, n_bytes, offset) == (gssize) n_bytes;
}

static gint64
get_half_offset (guint number)
{
  return HALVES_OFFSET + (gint64) (number * sizeof (Half));
}

static gint64
get_content_offset (guint number)
{
  return CONTENT_OFFSET + (gint64) number * JM_CHECKPOINT_MEMORY_MAX;
}

static Header
make_header (const char *node)
{
  Header header = { .version = VERSION, .size = SIZE };

  memcpy (header.magic, MAGIC, sizeof header.magic);
  g_strlcpy (header.node, node, sizeof header.node);

  return header;
}

/* FNV-1a, by words: it finds what was cut short, and no forger. */
static guint64
mix (guint64 sum, guint64 word)
{
  return (sum ^ word) * G_GUINT64_CONSTANT (0x100000001b3);
}

static guint64
get_checksum (const Half *half, const guint8 *data)
{
  guint64 sum = mix (mix (G_GUINT64_CONSTANT (0xcbf29ce484222325), half->generation),
                     half->n_bytes);

  for (guint64 i = 0; i < half->n_bytes; i += sizeof (guint64))
    {
      guint64 word = 0;

      memcpy (&word, data + i, MIN (sizeof word, half->n_bytes - i));
      sum = mix (sum, word);
    }

  return sum;
}

/* --- making --- */

static JmCheckpointMemory *
memory_new (int fd)
{
  JmCheckpointMemory *self = g_new0 (JmCheckpointMemory, 1);

  self->fd = fd;

  return self;
}

static void
set_system_error (GError **error, int problem)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem), "%s",
               g_strerror (problem));
}

/* A copy of a descriptor would count as the same opening. */
static int
open_again (int fd)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  return open (path, O_RDWR | O_CLOEXEC);
}

JmCheckpointMemory *
jm_checkpoint_memory_new (const char *node, GError **error)
{
  const Header header = make_header (node);
  g_autoptr (JmCheckpointMemory) made = memory_new (
    memfd_create ("jobmetrics-checkpoint", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  g_autoptr (JmCheckpointMemory) self = memory_new (-1);

  if (made->fd >= 0 && ftruncate (made->fd, SIZE) == 0 &&
      fcntl (made->fd, F_ADD_SEALS, SEALS) == 0 &&
      write_all (made->fd, &header, sizeof header, 0))
    self->fd = open_again (made->fd);
  if (self->fd >= 0)
    return g_steal_pointer (&self);

  set_system_error (error, errno);

  return NULL;
}

/* The content of one half; NULL where that is none. */
static GBytes *
read_half (int fd, guint number, Half *half)
{
  g_autofree guint8 *data = NULL;

  if (!read_all (fd, half, sizeof *half, get_half_offset (number)) ||
      half->generation == 0 || half->n_bytes > JM_CHECKPOINT_MEMORY_MAX)
    return NULL;

  data = g_malloc (half->n_bytes);
  if (!read_all (fd, data, half->n_bytes, get_content_offset (number)) ||
      get_checksum (half, data) != half->checksum)
    return NULL;

  return g_bytes_new_take (g_steal_pointer (&data), half->n_bytes);
}

/* NULL for nothing; else where it stands, and its generation. */
static GBytes *
read_latest (int fd, guint *number, guint64 *generation)
{
  g_autoptr (GBytes) latest = NULL;

  *number = 0;
  *generation = 0;
  for (guint i = 0; i < N_HALVES; i++)
    {
      Half half;
      g_autoptr (GBytes) content = read_half (fd, i, &half);

      if (content == NULL || half.generation <= *generation)
        continue;
      *number = i;
      *generation = half.generation;
      g_clear_pointer (&latest, g_bytes_unref);
      latest = g_steal_pointer (&content);
    }

  return g_steal_pointer (&latest);
}

/* Sealed, so that nobody can cut it. */
static gboolean
is_checkpoint (int fd, const char *node)
{
  const Header expected = make_header (node);
  Header header;
  struct stat status;

  return fcntl (fd, F_GET_SEALS) == SEALS && fstat (fd, &status) == 0 &&
         status.st_size == SIZE && read_all (fd, &header, sizeof header, 0) &&
         memcmp (&header, &expected, sizeof header) == 0;
}

JmCheckpointMemory *
jm_checkpoint_memory_open (int fd, const char *node, GError **error)
{
  g_autoptr (JmCheckpointMemory) given = memory_new (fd);
  g_autoptr (JmCheckpointMemory) self = memory_new (-1);
  g_autoptr (GBytes) content = NULL;

  if (is_checkpoint (given->fd, node))
    self->fd = open_again (given->fd);
  if (self->fd < 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "not a checkpoint of this version, size and node (%s)", node);
      return NULL;
    }

  content = read_latest (self->fd, &self->current, &self->generation);

  return g_steal_pointer (&self);
}

void
jm_checkpoint_memory_free (JmCheckpointMemory *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/* --- sharing --- */

int
jm_checkpoint_memory_share (const JmCheckpointMemory *self, GError **error)
{
  int fd = open_again (self->fd);

  if (fd < 0)
    set_system_error (error, errno);

  return fd;
}

/* A lease for writing is granted to who has the file open alone; see fcntl(2). If
 * somebody opens it just then, that raises a signal which nobody hears, not SIGIO. */
gboolean
jm_checkpoint_memory_check_shared (const JmCheckpointMemory *self, GError **error)
{
  fcntl (self->fd, F_SETSIG, SIGURG);
  if (fcntl (self->fd, F_SETLEASE, F_WRLCK) != 0)
    return TRUE;

  fcntl (self->fd, F_SETLEASE, F_UNLCK);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "the service manager has not kept the checkpoint "
               "(FileDescriptorStoreMax=)");

  return FALSE;
}

/* --- the content --- */

GBytes *
jm_checkpoint_memory_read (const JmCheckpointMemory *self)
{
  guint number;
  guint64 generation;

  return read_latest (self->fd, &number, &generation);
}

gboolean
jm_checkpoint_memory_write (JmCheckpointMemory *self, GBytes *content, GError **error)
{
  static const Half none = { 0 };
  guint number = (self->current + 1) % N_HALVES;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (content, &n_bytes);
  Half half = { .generation = self->generation + 1, .n_bytes = n_bytes };

  if (n_bytes > JM_CHECKPOINT_MEMORY_MAX)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_TOO_LARGE,
                   "a checkpoint of %" G_GSIZE_FORMAT " bytes is too large", n_bytes);
      return FALSE;
    }

  half.checksum = get_checksum (&half, data);
  if (!write_all (self->fd, &none, sizeof none, get_half_offset (number)) ||
      !write_all (self->fd, data, n_bytes, get_content_offset (number)) ||
      !write_all (self->fd, &half, sizeof half, get_half_offset (number)))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "there is no memory for the checkpoint");
      return FALSE;
    }

  self->current = number;
  self->generation = half.generation;

  return TRUE;
}
