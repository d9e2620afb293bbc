/* jm-log-follower.c: what was added to a scheduler's accounting files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/jm-log-follower-private.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#include "base/jm-error.h"

/* No record is longer: those of PBS name all hosts of a job. */
#define LINE_MAX_BYTES (1 << 20)
#define CHUNK_BYTES (1 << 16)
#define DATE_LENGTH 8
#define PACKED ".gz"

typedef struct
{
  gint64 offset; /* behind the line */
  gint64 length; /* 0 where none was read */
  guint64 hash;
  char *name;
} Position;

typedef struct
{
  const JmLogKind *kind;
  JmHistoryTake take;
  gpointer user_data;
  GCancellable *cancellable;
  JmRunBatch *batch;
  guint n_runs;
  gboolean has_moved; /* since the last batch was handed on */
  Position position;
  guint64 n_bad;
  char *first_bad;
  /* of the file that is read */
  const char *path;
  GByteArray *buffer;
  gint64 buffer_offset; /* of its first byte in the file */
  gboolean is_too_long; /* what stands in the buffer is the end of a long line */
} Reader;

/* --- files --- */

static gboolean
is_packed (const char *path)
{
  return g_str_has_suffix (path, PACKED);
}

/* A file's name, whether it is packed or not. */
static char *
get_name (const char *path)
{
  char *name = g_path_get_basename (path);

  if (is_packed (name))
    name[strlen (name) - strlen (PACKED)] = '\0';

  return name;
}

static gboolean
set_error (GError **error, const char *path, int number)
{
  g_set_error (error, JM_ERROR, jm_error_from_errno (number), "%s: %s", path,
               g_strerror (number));

  return FALSE;
}

static gboolean
take_io_error (GError **error, const char *path, GError *problem)
{
  JmError code = g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                   ? JM_ERROR_ABSENT
                 : g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED)
                   ? JM_ERROR_DENIED
                   : JM_ERROR_UNAVAILABLE;

  if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  g_set_error (error, JM_ERROR, code, "%s: %s", path, problem->message);
  g_error_free (problem);

  return FALSE;
}

/* A stream of unpacked text would skip what is packed: it is read. FALSE without an
 * error where there is less. */
static gboolean
skip (GInputStream *stream, gint64 n, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *chunk = NULL;

  if (G_IS_SEEKABLE (stream))
    return g_seekable_seek (G_SEEKABLE (stream), n, G_SEEK_SET, cancellable, error);

  chunk = g_malloc (CHUNK_BYTES);
  while (n > 0)
    {
      gssize got = g_input_stream_read (stream, chunk, (gsize) MIN (n, CHUNK_BYTES),
                                        cancellable, error);

      if (got <= 0)
        return FALSE;
      n -= got;
    }

  return TRUE;
}

/* Opens a file at a byte of its text; NULL without an error where it is shorter. */
static GInputStream *
open_at (const char *path, gint64 offset, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GError *problem = NULL;
  g_autoptr (GInputStream) stream =
    (GInputStream *) g_file_read (file, cancellable, &problem);

  if (stream != NULL && is_packed (path))
    {
      g_autoptr (GInputStream) raw = g_steal_pointer (&stream);
      g_autoptr (GZlibDecompressor) unpack =
        g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);

      stream = g_converter_input_stream_new (raw, G_CONVERTER (unpack));
    }
  if (problem == NULL && !skip (stream, offset, cancellable, &problem) &&
      problem == NULL)
    return NULL;
  if (problem != NULL)
    {
      take_io_error (error, path, problem);
      return NULL;
    }

  return g_steal_pointer (&stream);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
jm_log_list_dated (const char *directory, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    {
      set_error (error, directory, errno);
      return NULL;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (strspn (name, "0123456789") == DATE_LENGTH &&
        (name[DATE_LENGTH] == '\0' || strcmp (name + DATE_LENGTH, PACKED) == 0))
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (paths, compare_names);

  /* while it is packed it is there twice */
  for (guint i = paths->len; i-- > 1;)
    if (g_str_has_prefix (g_ptr_array_index (paths, i),
                          g_ptr_array_index (paths, i - 1)))
      g_ptr_array_remove_index (paths, i);

  return g_steal_pointer (&paths);
}

typedef struct
{
  char *path;
  gint64 time_ns;
} Rotated;

static void
rotated_clear (gpointer data)
{
  g_free (((Rotated *) data)->path);
}

static int
compare_rotated (gconstpointer a, gconstpointer b)
{
  const Rotated *x = a, *y = b;

  return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns ? 1 : 0;
}

/* `.1`, `.0.gz`, `-20261124`. */
static gboolean
is_rotation (const char *suffix)
{
  gsize digits =
    *suffix == '.' || *suffix == '-' ? strspn (suffix + 1, "0123456789") : 0;

  return digits > 0 &&
         (suffix[1 + digits] == '\0' || strcmp (suffix + 1 + digits, PACKED) == 0);
}

static void
add_rotated (GArray *files, const char *path)
{
  GStatBuf status;
  Rotated file = { NULL, 0 };

  if (g_stat (path, &status) != 0)
    return;
  file.path = g_strdup (path);
  file.time_ns = (gint64) status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  g_array_append_val (files, file);
}

GPtrArray *
jm_log_list_rotated (const char *path, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Rotated));
  GPtrArray *paths;
  const char *name;

  if (dir == NULL)
    {
      set_error (error, directory, errno);
      return NULL;
    }
  g_array_set_clear_func (files, rotated_clear);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, base) && is_rotation (name + strlen (base)))
      {
        g_autofree char *old = g_build_filename (directory, name, NULL);

        add_rotated (files, old);
      }
  g_array_sort (files, compare_rotated);

  paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (paths, g_strdup (g_array_index (files, Rotated, i).path));
  /* between two rotations there may be none */
  if (paths->len == 0 || g_file_test (path, G_FILE_TEST_EXISTS))
    g_ptr_array_add (paths, g_strdup (path));

  return paths;
}

/* --- positions --- */

/* FNV-1a: the same on every machine. */
static guint64
hash_line (const guint8 *line, gsize length)
{
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);

  for (gsize i = 0; i < length; i++)
    hash = (hash ^ line[i]) * G_GUINT64_CONSTANT (1099511628211);

  return hash;
}

static gboolean
parse_position (const char *text, Position *position)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 4);
  guint64 offset, length;

  if (g_strv_length (words) != 4 || *words[3] == '\0' ||
      !g_ascii_string_to_unsigned (words[0], 10, 1, G_MAXINT64, &offset, NULL) ||
      !g_ascii_string_to_unsigned (words[1], 10, 1, LINE_MAX_BYTES, &length, NULL) ||
      !g_ascii_string_to_unsigned (words[2], 16, 0, G_MAXUINT64, &position->hash,
                                   NULL) ||
      length > offset)
    return FALSE;
  position->offset = (gint64) offset;
  position->length = (gint64) length;
  position->name = g_strdup (words[3]);

  return TRUE;
}

/* Whether it is the file that was read up to there. */
static gboolean
is_at (const char *path, const Position *position, GCancellable *cancellable)
{
  gsize length = (gsize) position->length;
  g_autoptr (GInputStream) stream =
    open_at (path, position->offset - position->length, cancellable, NULL);
  g_autofree guint8 *line = g_malloc (length);
  gsize n = 0;

  return stream != NULL &&
         g_input_stream_read_all (stream, line, length, &n, cancellable, NULL) &&
         n == length && hash_line (line, length) == position->hash;
}

/* --- lines --- */

static gboolean
hand_on (Reader *self, GError **error)
{
  g_autoptr (JmRunBatch) batch = g_steal_pointer (&self->batch);
  const Position *position = &self->position;
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                           " %" G_GINT64_MODIFIER "x %s",
                                           position->offset, position->length,
                                           position->hash, position->name);

  self->batch = jm_run_batch_new ();
  self->n_runs = 0;
  self->has_moved = FALSE;
  jm_run_batch_set_position (batch, self->kind->name, text);

  return self->take (batch, self->user_data, error);
}

static void
count_bad (Reader *self, gint64 offset, const char *bad)
{
  self->batch->n_unread++;
  if (self->n_bad++ == 0)
    self->first_bad =
      g_strdup_printf ("%s: the line that ends at byte %" G_GINT64_FORMAT
                       ": cannot read %s",
                       self->path, offset, bad);
}

static void
move_to (Reader *self, gint64 offset, const guint8 *line, gsize length)
{
  self->position.offset = offset;
  self->position.length = (gint64) length;
  self->position.hash = hash_line (line, length);
  self->has_moved = TRUE;
}

/* @length counts the line's end. */
static gboolean
take_line (Reader *self,
           const guint8 *line,
           gsize length,
           gint64 offset,
           GError **error)
{
  JmSlice text = { (const char *) line, length - 1 };
  JmRun *run = NULL;
  const char *bad = NULL;
  JmLogRow row = JM_LOG_ROW_BAD;

  if (!self->is_too_long && memchr (line, '\0', length) == NULL)
    row = self->kind->parse (jm_slice_trim (text), self->kind->cluster, &run, &bad);
  self->is_too_long = FALSE;
  if (row == JM_LOG_ROW_BAD)
    count_bad (self, offset, "the record");
  else if (bad != NULL)
    count_bad (self, offset, bad);
  if (row != JM_LOG_ROW_COMMENT)
    move_to (self, offset, line, length);
  if (run != NULL)
    {
      jm_run_batch_add_run (self->batch, run, JM_RUN_SOURCE_ACCOUNTING);
      jm_run_unref (run);
      self->n_runs++;
    }

  return self->n_runs < JM_HISTORY_BATCH_RUNS || hand_on (self, error);
}

/* Takes the whole lines of the buffer; what is behind them stays. */
static gboolean
take_lines (Reader *self, GError **error)
{
  gsize done = 0;
  const guint8 *end;

  while (done < self->buffer->len && (end = memchr (self->buffer->data + done, '\n',
                                                    self->buffer->len - done)) != NULL)
    {
      const guint8 *line = self->buffer->data + done;
      gsize length = (gsize) (end - line) + 1;

      done += length;
      if (!take_line (self, line, length, self->buffer_offset + (gint64) done, error))
        return FALSE;
    }
  if (self->buffer->len - done > LINE_MAX_BYTES - CHUNK_BYTES)
    {
      self->is_too_long = TRUE;
      done = self->buffer->len;
    }
  self->buffer_offset += (gint64) done;
  g_byte_array_remove_range (self->buffer, 0, (guint) done);

  return TRUE;
}

static gboolean
read_file (Reader *self, const char *path, gint64 offset, GError **error)
{
  GError *problem = NULL;
  g_autoptr (GInputStream) stream = open_at (path, offset, self->cancellable, &problem);
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  gssize n = 0;

  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  self->path = path;
  self->buffer_offset = offset;
  self->is_too_long = FALSE;
  g_byte_array_set_size (self->buffer, 0);
  g_free (self->position.name);
  self->position.name = get_name (path);

  while (stream != NULL && (n = g_input_stream_read (stream, chunk, CHUNK_BYTES,
                                                     self->cancellable, &problem)) > 0)
    {
      g_byte_array_append (self->buffer, chunk, (guint) n);
      if (!take_lines (self, error))
        return FALSE;
    }
  if (problem != NULL)
    return take_io_error (error, path, problem);

  /* a position is of one file */
  return !self->has_moved || hand_on (self, error);
}

/* --- all files --- */

/* Which file to begin with, and where in it. */
static guint
find_begin (GPtrArray *paths,
            const JmLogKind *kind,
            const Position *position,
            GCancellable *cancellable,
            gint64 *offset)
{
  *offset = 0;
  for (guint i = paths->len; i-- > 0;)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autofree char *name = get_name (path);
      int order = kind->is_dated ? strcmp (name, position->name) : 0;

      if (order < 0)
        return i + 1;
      if (order == 0 && is_at (path, position, cancellable))
        {
          *offset = position->offset;
          return i;
        }
    }

  return 0;
}

static gboolean
read_files (Reader *self, GPtrArray *paths, guint first, gint64 offset, GError **error)
{
  for (guint i = first; i < paths->len; i++)
    if (!read_file (self, g_ptr_array_index (paths, i), i == first ? offset : 0, error))
      return FALSE;

  return TRUE;
}

gboolean
jm_log_follower_read (const JmLogKind *kind,
                      GPtrArray *paths,
                      const char *position,
                      JmHistoryTake take,
                      gpointer user_data,
                      GCancellable *cancellable,
                      GError **error)
{
  Reader self = { .kind = kind,
                  .take = take,
                  .user_data = user_data,
                  .cancellable = cancellable };
  Position begin = { 0 };
  gint64 offset = 0;
  guint first = 0;
  gboolean is_read;

  if (position != NULL && !parse_position (position, &begin))
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: no position: %.128s",
                   kind->name, position);
      return FALSE;
    }
  if (position != NULL)
    first = find_begin (paths, kind, &begin, cancellable, &offset);

  self.batch = jm_run_batch_new ();
  self.buffer = g_byte_array_new ();
  is_read = read_files (&self, paths, first, offset, error);
  if (self.n_bad > 0)
    g_warning ("%s; lines of which the record or a value is passed over: "
               "%" G_GUINT64_FORMAT,
               self.first_bad, self.n_bad);

  jm_run_batch_unref (self.batch);
  g_byte_array_unref (self.buffer);
  g_free (self.first_bad);
  g_free (self.position.name);
  g_free (begin.name);

  return is_read;
}
