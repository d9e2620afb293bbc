/* jm-write-batch-none.c: no requests, without snappy and protobuf
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "deliver/jm-write-batch-private.h"

JmWriteFormat *
jm_remote_write_format_new (const char *job, const char *instance, GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no remote write");

  return NULL;
}

JmWriteFormat *
jm_otlp_format_new (GPtrArray *dialects,
                    const char *service,
                    const char *host,
                    GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no OTLP");

  return NULL;
}

gboolean
jm_otlp_read_answer (const char *text,
                     gsize length,
                     guint64 *n_rejected,
                     GError **error)
{
  *n_rejected = 0;

  return TRUE;
}
