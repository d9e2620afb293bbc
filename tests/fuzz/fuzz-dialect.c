/* fuzz-dialect.c: any bytes as a dialect, and figures reported in its words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "expose/jm-dialect.h"
#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
encode (JmDialect *dialect)
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) gpus = jm_test_snapshot_of_a_gpu_node ();
  g_autoptr (JmSnapshot) small = jm_test_snapshot_of_a_small_node ();

  if (!jm_text_encoder_add_dialect (encoder, dialect, NULL))
    g_assert_not_reached ();
  for (JmTextFormat i = JM_TEXT_FORMAT_PROMETHEUS; i <= JM_TEXT_FORMAT_OPENMETRICS; i++)
    {
      g_autofree char *first = jm_text_encoder_to_string (encoder, gpus, i);
      g_autofree char *second = jm_text_encoder_to_string (encoder, small, i);

      g_assert_true (g_utf8_validate (first, -1, NULL));
      g_assert_true (g_utf8_validate (second, -1, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmDialect) dialect =
    jm_dialect_new_from_text ("fuzz.conf", (const char *) data, size, &error);

  g_assert_true ((dialect == NULL) == (error != NULL));
  if (dialect != NULL)
    encode (dialect);

  return 0;
}
