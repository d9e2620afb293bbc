/* fuzz-jobstats-summary.c: any bytes as a summary that jobstats has kept
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-converted-private.h"
#include "judge/jm-run-report.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
read_summary (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRunReport) report = jm_jobstats_summary_parse (text, NULL, &error);
  g_autofree char *again = NULL;

  g_assert_true ((report == NULL) == (error != NULL));
  if (report == NULL)
    return;
  again = jm_jobstats_summary_format (report);
  g_assert_true (g_str_has_prefix (again, "JS1:"));
  g_assert_true (g_str_is_ascii (again));
}

/* As it is, and packed: chance alone makes no gzip. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GConverter) converter =
    G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *plain = g_strconcat ("JS1:", text, NULL);
  g_autoptr (GByteArray) packed =
    size > 0 ? jm_converted_make (converter, data, size, G_MAXUINT / 2) : NULL;
  g_autofree char *base64 =
    packed != NULL ? g_base64_encode (packed->data, packed->len) : NULL;
  g_autofree char *whole = g_strconcat ("JS1:", base64, NULL);

  read_summary (text);
  read_summary (plain);
  read_summary (whole);

  return 0;
}
