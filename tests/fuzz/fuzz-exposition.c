/* fuzz-exposition.c: any text as that of a scrape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "deliver/jm-write-batch-private.h"
#include "expose/jm-exposition-reader-private.h"
#include "expose/jm-protobuf-exposition-private.h"

/* A byte that is shown takes twelve at the most: three of a replacement, each escaped.
 */
#define MESSAGE_MAX 1024

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
assert_is_within (const JmExpositionSample *sample, const char *text, gsize length)
{
  g_assert (sample->line >= text && sample->line_length > 0);
  g_assert (sample->line + sample->line_length <= text + length);
  g_assert (sample->head >= text);
  g_assert (sample->head + sample->head_length <= sample->line);
  g_assert (g_str_has_prefix (sample->line, sample->name));
  g_assert (sample->series_length >= strlen (sample->name));
  g_assert (sample->series_length < sample->line_length);
}

static void
assert_is_sample (const JmExpositionSample *sample)
{
  g_assert (*sample->name != '\0' && sample->n_labels <= JM_EXPOSITION_LABELS_MAX);
  for (guint i = 0; i < sample->n_labels; i++)
    {
      g_assert (*sample->labels[i].name != '\0');
      g_assert (g_utf8_validate (sample->labels[i].value, -1, NULL));
    }
}

static void
read_samples (const char *text, gsize length)
{
  g_auto (JmExpositionReader) reader = { 0 };
  g_autoptr (GError) error = NULL;
  JmExpositionSample sample;
  gsize n = 0;

  jm_exposition_reader_init (&reader, text, length);
  do
    {
      g_clear_error (&error);
      while (jm_exposition_reader_next (&reader, &sample, &error))
        {
          assert_is_within (&sample, text, length);
          assert_is_sample (&sample);
          n++;
        }
      g_assert (error == NULL || strlen (error->message) < MESSAGE_MAX);
    }
  while (error != NULL);
  g_assert (n <= length);
}

static void
make_requests (JmWriteFormat *format, const char *text, gsize length)
{
  g_autoptr (JmWriteBatch) batch = NULL;
  g_autoptr (GPtrArray) requests =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_write_request_free);

  if (format == NULL)
    return;

  batch = jm_write_batch_new (format);
  if (!jm_write_batch_add (batch, text, length, 1, requests, NULL))
    g_assert (requests->len == 0);
  jm_write_batch_end (batch, 2, requests);
}

static void
make_messages (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) encoded = jm_protobuf_exposition_encode (text, length, &error);

  g_assert ((encoded != NULL) == (error == NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr (GPtrArray) dialects = g_ptr_array_new ();

  memcpy (text, data, size);
  text[size] = '\0';

  read_samples (text, size);
  make_requests (jm_remote_write_format_new ("job", "instance", NULL), text, size);
  make_requests (jm_otlp_format_new (dialects, "job", "instance", NULL), text, size);
  make_messages (text, size);

  return 0;
}
