/* jm-write-batch-private.h: requests with sweeps in them, and where they wait
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include "expose/jm-exposition-reader-private.h"

G_BEGIN_DECLS

/* More series than these are sent in several requests. */
#define JM_WRITE_SERIES_MAX 10000

typedef struct _JmWriteBatch JmWriteBatch;

/**
 * JmWriteRequest:
 * @body: a message of the format, compressed
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

/* A series, which is kept from text to text so that only its value is written anew;
 * formats have it begin their own. */
typedef struct
{
  guint64 round; /* of the text that had it last */
} JmWriteSeries;

/* How requests are written, by functions that a format begins with. */
typedef struct _JmWriteFormat JmWriteFormat;

struct _JmWriteFormat
{
  /* is given each sample of a text before any becomes a series; NULL for nothing */
  void (*see) (JmWriteFormat *self, const JmExpositionSample *sample);
  JmWriteSeries *(*series_new) (JmWriteFormat *self, const JmExpositionSample *sample);
  void (*series_set) (JmWriteSeries *series, double value, gint64 time_ms);
  void (*series_set_gone) (JmWriteSeries *series, gint64 time_ms);
  void (*series_free) (JmWriteSeries *series);
  GBytes *(*pack) (JmWriteFormat *self, JmWriteSeries *const *series, guint n);
  void (*free) (JmWriteFormat *self);
};

/* Prometheus remote write 1.0. @job and @instance become labels of each series that has
 * none of that name; NULL for none.
 *
 * Errors: `ABSENT` where the library was built without remote write, or that of snappy
 * is not installed. */
JmWriteFormat *
jm_remote_write_format_new (const char *job, const char *instance, GError **error);

/* OTLP. Names, units and attributes are those of @dialects (of JmDialect), and those of
 * the text for what none of them has; @service and @host name the resource.
 *
 * - Shape: counters are cumulative. Those of a job whose start the text has begin then,
 *   others when they are first seen, and anew where they fall. A series that is gone
 *   gets a point without a value.
 * - Errors: `ABSENT` where the library was built without remote write. */
JmWriteFormat *jm_otlp_format_new (GPtrArray *dialects,
                                   const char *service,
                                   const char *host,
                                   GError **error);

/* What a receiver of OTLP answers to a request that it took. FALSE, with why, where it
 * did not take all of it; @n_rejected are the points that it did not.
 *
 * Errors: `INVALID` with its words; `MALFORMED` for an answer that is none. */
gboolean jm_otlp_read_answer (const char *text,
                              gsize length,
                              guint64 *n_rejected,
                              GError **error);

/* Makes requests of the texts that scrapers get; takes over @format. */
JmWriteBatch *jm_write_batch_new (JmWriteFormat *format);

/* Appends what @text says as of @time_ms. Series that the text before had are marked
 * as gone, and forgotten. Of a time that is not after the last one nothing is said, as
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

/* Marks all series as gone. */
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

/* Reads the oldest one; torn ones before it are removed and counted in @loss. FALSE
 * when there is none. */
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
