/* jm-write-batch-private.h: requests of remote write, and where they wait
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* More series than these are sent in several requests. */
#define JM_WRITE_SERIES_MAX 10000

typedef struct _JmWriteBatch JmWriteBatch;

/**
 * JmWriteRequest:
 * @body: a WriteRequest, compressed
 * @n_samples: in it, markers of staleness included
 *
 * What is sent at once.
 */
typedef struct
{
  GBytes *body;
  guint n_samples;
} JmWriteRequest;

static inline void
jm_write_request_free (JmWriteRequest *self)
{
  g_bytes_unref (self->body);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmWriteRequest, jm_write_request_free)

/* Makes requests of the texts that scrapers get. @job and @instance become labels of
 * each series that has none of that name; NULL for none.
 *
 * Errors: `ABSENT` where the library was built without remote write. */
JmWriteBatch *
jm_write_batch_new (const char *job, const char *instance, GError **error);

/* Appends what @text says as of @time_ms. Series that the text before had are marked
 * as stale, and forgotten. Of a time that is not after the last one nothing is said, as
 * receivers refuse it.
 *
 * - Shape: of #JmWriteRequest, in the order in which they are to be sent.
 * - Errors: `MALFORMED` for a text that is none; nothing is appended or forgotten. */
gboolean jm_write_batch_add (JmWriteBatch *self,
                             const char *text,
                             gsize length,
                             gint64 time_ms,
                             GPtrArray *requests,
                             GError **error);

/* Marks all series as stale. */
void jm_write_batch_end (JmWriteBatch *self, gint64 time_ms, GPtrArray *requests);

void jm_write_batch_free (JmWriteBatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmWriteBatch, jm_write_batch_free)

/* What a file takes at the least: file systems give whole blocks. */
#define JM_WRITE_BLOCK_BYTES 4096

/**
 * JmWriteBuffer:
 *
 * A queue of requests in a directory, a file for each: its name has its number and how
 * many samples it holds, its content a checksum. It goes on where an earlier process
 * ended, however that was: a file that is torn is thrown away. Files are not forced to
 * the disk, so that a machine that loses its power may lose the last of them.
 */
typedef struct _JmWriteBuffer JmWriteBuffer;

typedef struct
{
  guint64 number;
  guint n_samples;
  GBytes *body;
} JmWriteEntry;

/* What was thrown away. */
typedef struct
{
  guint64 n_samples;
  guint n_torn; /* files */
} JmWriteLoss;

/* Makes the last part of @directory where it is missing. The files in it take no more
 * than @max_bytes.
 *
 * Errors: as the directory has it; `UNAVAILABLE` where another process holds it. */
JmWriteBuffer *
jm_write_buffer_open (const char *directory, guint64 max_bytes, GError **error);

/* Appends @body; the oldest go where there is no room, and are counted in @loss.
 *
 * Errors: `INVALID` when it is larger than all may be; else as the disk has it. */
gboolean jm_write_buffer_append (JmWriteBuffer *self,
                                 GBytes *body,
                                 guint n_samples,
                                 JmWriteLoss *loss,
                                 GError **error);

/* Reads the oldest one; torn ones before it are removed and counted in @loss. FALSE when
 * there is none. */
gboolean
jm_write_buffer_peek (JmWriteBuffer *self, JmWriteEntry *entry, JmWriteLoss *loss);

/* Removes the one of that number, if it is the oldest. */
void jm_write_buffer_remove (JmWriteBuffer *self, guint64 number);

guint64 jm_write_buffer_get_bytes (const JmWriteBuffer *self);

void jm_write_buffer_close (JmWriteBuffer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmWriteBuffer, jm_write_buffer_close)

/* The content of a file, and back. %NULL for one that is torn or no such file. */
GBytes *jm_write_buffer_seal (GBytes *body);
GBytes *jm_write_buffer_unseal (GBytes *content);

/* The name of a file, and back. */
char *jm_write_buffer_make_name (guint64 number, guint n_samples);
gboolean
jm_write_buffer_parse_name (const char *name, guint64 *number, guint *n_samples);

G_END_DECLS
