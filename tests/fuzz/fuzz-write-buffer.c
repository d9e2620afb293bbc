/* fuzz-write-buffer.c: any file in the buffer of remote write
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "deliver/jm-write-batch-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* What is taken for whole is what would have been written. */
static void
read_content (GBytes *content)
{
  g_autoptr (GBytes) body = jm_write_buffer_unseal (content);
  g_autoptr (GBytes) again = body != NULL ? jm_write_buffer_seal (body) : NULL;

  g_assert (body == NULL || g_bytes_equal (again, content));
}

static void
read_back (GBytes *body)
{
  g_autoptr (GBytes) content = jm_write_buffer_seal (body);
  g_autoptr (GBytes) again = jm_write_buffer_unseal (content);

  g_assert (again != NULL && g_bytes_equal (again, body));
}

static void
read_name (const char *name)
{
  g_autofree char *again = NULL;
  guint64 number;
  guint n_samples;

  if (!jm_write_buffer_parse_name (name, &number, &n_samples))
    return;

  again = jm_write_buffer_make_name (number, n_samples);
  g_assert (strcmp (again, name) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autofree char *name = g_strndup ((const char *) data, size);

  read_content (bytes);
  read_back (bytes);
  read_name (name);

  return 0;
}
