/* jm-write-batch-none.c: sweeps to no requests, without snappy and protobuf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "deliver/jm-write-batch-private.h"

JmWriteBatch *
jm_write_batch_new (const char *job, const char *instance, GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no remote write");

  return NULL;
}

gboolean
jm_write_batch_add (JmWriteBatch *self,
                    const char *text,
                    gsize length,
                    gint64 time_ms,
                    GPtrArray *requests,
                    GError **error)
{
  return TRUE;
}

void
jm_write_batch_end (JmWriteBatch *self, gint64 time_ms, GPtrArray *requests)
{
}

void
jm_write_batch_free (JmWriteBatch *self)
{
}
