/* jm-ledger-content.c: a record as a few KiB
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-ledger-content-private.h"

#include <gio/gio.h>
#include <string.h>

#include "base/jm-error.h"
#include "core/jm-converted-private.h"
#include "core/jm-job-record-private.h"
#include "core/jm-record-json-private.h"

/* Twice the time of the least, for a tenth less. */
#define LEVEL 6

GBytes *
jm_ledger_content_pack (JmJobRecord *record, GError **error)
{
  g_autofree char *text = jm_record_json_format_bare (record);
  gsize length = strlen (text);
  g_autoptr (GConverter) converter =
    G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL));
  GByteArray *packed = NULL;

  if (length <= JM_RECORD_JSON_MAX_BYTES)
    packed = jm_converted_make (converter, text, length, JM_RECORD_JSON_MAX_BYTES);
  if (packed != NULL)
    return g_byte_array_free_to_bytes (packed);

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "a record of %" G_GSIZE_FORMAT " bytes is too large", length);

  return NULL;
}

JmJobRecord *
jm_ledger_content_unpack (GBytes *content,
                          guint64 position,
                          const char *name,
                          GError **error)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (content, &size);
  g_autoptr (GConverter) converter =
    G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB));
  g_autoptr (GByteArray) text =
    size > 0 ? jm_converted_make (converter, data, size, JM_RECORD_JSON_MAX_BYTES)
             : NULL;
  g_autoptr (JmJobRecord) record = NULL;

  if (text == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: broken", name);
      return NULL;
    }

  record = jm_record_json_parse ((const char *) text->data, text->len, name, error);

  return record != NULL ? jm_job_record_at (record, position) : NULL;
}
