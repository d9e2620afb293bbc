/* fuzz-moment.c: any bytes as a moment
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-moment-private.h"

/* A byte below their number stands for one of these: chance alone finds few words. */
static const char *const tokens[] = {
  "2026-11-22", "10:00", ":30", "T",    "Z", "+01:00", "now", "today", "yesterday",
  "-",          "@",     "1",   "hour", "s", "days",   "ago", " ",     "99999999",
};

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GDateTime) now = g_date_time_new_utc (2026, 11, 22, 15, 30, 20);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gint64 time_us;

  for (gsize i = 0; i < size; i++)
    if (data[i] < G_N_ELEMENTS (tokens))
      g_string_append (text, tokens[data[i]]);
    else
      g_string_append_c (text, (char) data[i]);

  if (!jm_moment_parse (text->str, now, &time_us, &error))
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);

  return 0;
}
