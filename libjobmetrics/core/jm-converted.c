/* jm-converted.c: bytes that were packed or unpacked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-converted-private.h"

#define CHUNK_BYTES 16384

GByteArray *
jm_converted_make (GConverter *converter,
                   gconstpointer data,
                   gsize size,
                   gsize max_size)
{
  g_autoptr (GByteArray) result = g_byte_array_new ();
  gsize done = 0;
  GConverterResult state;

  do
    {
      gsize length = result->len;
      gsize n_read = 0;
      gsize n_written = 0;

      g_byte_array_set_size (result, (guint) length + CHUNK_BYTES);
      state = g_converter_convert (converter, (const char *) data + done, size - done,
                                   result->data + length, CHUNK_BYTES,
                                   G_CONVERTER_INPUT_AT_END, &n_read, &n_written, NULL);
      done += n_read;
      g_byte_array_set_size (result, (guint) (length + n_written));
      if (state == G_CONVERTER_ERROR || result->len > max_size)
        return NULL;
    }
  while (state != G_CONVERTER_FINISHED);

  return done == size ? g_steal_pointer (&result) : NULL;
}
