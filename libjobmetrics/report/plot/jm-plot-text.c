/* jm-plot-text.c: names as a plot shows them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-text-private.h"

#include <math.h>
#include <string.h>

#include "base/jm-safe-text-private.h"

#define ELLIPSIS "…"

/* Of so many things nobody asks for the parts. */
#define MANY 100

char *
jm_plot_text_make (const char *text)
{
  g_autofree char *safe = jm_safe_text_make (text != NULL ? text : "");

  return jm_plot_text_cut (safe, JM_PLOT_MAX_NAME - 1);
}

char *
jm_plot_text_cut (const char *text, gsize n_characters)
{
  const char *end = text;

  for (gsize i = 0; i < n_characters && *end != '\0'; i++)
    end = g_utf8_next_char (end);
  if (*end == '\0' || *g_utf8_next_char (end) == '\0')
    return g_strdup (text);

  return g_strdup_printf ("%.*s%s", (int) (end - text), text, ELLIPSIS);
}

char *
jm_plot_text_format (JmFormat format, double value)
{
  if (format == JM_FORMAT_COUNT && fabs (value) < MANY && value != round (value))
    return g_strdup_printf ("%.2g", value);

  return jm_format_to_string (format, value);
}
