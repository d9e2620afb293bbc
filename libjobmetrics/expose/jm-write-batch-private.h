/* jm-write-batch-private.h: sweeps to requests of remote write
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

G_END_DECLS
