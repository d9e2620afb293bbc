/* jmc-import-lines.c: the lines of an archive, of any length
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "accounts/jmc-import-lines.h"

#include <gio/gunixinputstream.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (64 * 1024)
#define MAX_LINE_BYTES (1024 * 1024)

typedef struct
{
  JmcImportLineFunc func;
  gpointer data;
  GByteArray *buffer;
  guint64 number;       /* of the line that is read */
  gboolean is_too_long; /* its begin was told already */
} Reader;

static GInputStream *
open_stream (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_str_equal (path, "-"))
    return g_unix_input_stream_new (STDIN_FILENO, FALSE);

  return G_INPUT_STREAM (g_file_read (file, NULL, error));
}

static gboolean
take (Reader *self, gsize from, gsize length, gboolean is_whole, GError **error)
{
  const JmSlice line = { (const char *) self->buffer->data + from, length };

  return self->func (line, self->number, is_whole, self->data, error);
}

/* What is behind the last line's end stays, unless it is too much. */
static gboolean
take_lines (Reader *self, GError **error)
{
  const guint8 *end;
  gsize done = 0;

  while ((end = memchr (self->buffer->data + done, '\n', self->buffer->len - done)) !=
         NULL)
    {
      const gsize length = (gsize) (end - self->buffer->data) - done;

      if (!self->is_too_long && !take (self, done, length, TRUE, error))
        return FALSE;
      self->is_too_long = FALSE;
      self->number++;
      done += length + 1;
      if (done == self->buffer->len)
        break;
    }
  if (self->buffer->len - done > MAX_LINE_BYTES)
    {
      if (!self->is_too_long &&
          !take (self, done, self->buffer->len - done, FALSE, error))
        return FALSE;
      self->is_too_long = TRUE;
      done = self->buffer->len;
    }
  g_byte_array_remove_range (self->buffer, 0, (guint) done);

  return TRUE;
}

static gboolean
read_stream (Reader *self, GInputStream *stream, GError **error)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, chunk, CHUNK_BYTES, NULL, error)) > 0)
    {
      g_byte_array_append (self->buffer, chunk, (guint) n);
      if (!take_lines (self, error))
        return FALSE;
    }
  if (n < 0)
    return FALSE;

  /* the last line may have no end */
  return self->buffer->len == 0 || self->is_too_long ||
         take (self, 0, self->buffer->len, TRUE, error);
}

gboolean
jmc_import_lines_read (const char *path,
                       JmcImportLineFunc func,
                       gpointer data,
                       GError **error)
{
  g_autoptr (GInputStream) stream = open_stream (path, error);
  Reader self = { .func = func, .data = data, .number = 1 };
  gboolean is_read;

  if (stream == NULL)
    return FALSE;

  self.buffer = g_byte_array_new ();
  is_read = read_stream (&self, stream, error);
  g_byte_array_unref (self.buffer);

  return is_read;
}
