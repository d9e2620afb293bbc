/* print-report.c: prints the report of a run that is made up
 *
 * usage: print-report text|color|html|json|pdf bare|hostile|NODES GPUS [WIDTH]
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/jm-report.h"
#include "shown-report.h"

static JmRunReport *
make_report (const char *what, const char *n_gpus)
{
  if (g_str_equal (what, "bare"))
    return shown_report_new_bare ();
  if (g_str_equal (what, "hostile"))
    return shown_report_new_hostile ();

  return shown_report_new ((guint) atoi (what), (guint) atoi (n_gpus));
}

/* Nobody has judged the run of which nothing is known, and nothing is to be said of one
 * without accelerators. */
static GPtrArray *
make_advice (const char *what, const char *n_gpus)
{
  if (g_str_equal (what, "bare"))
    return NULL;
  if (g_str_equal (what, "hostile"))
    return shown_report_advise_hostile ();

  return atoi (n_gpus) > 0 ? shown_report_advise () : g_ptr_array_new ();
}

static GBytes *
render (const char *form, JmRunReport *report, GPtrArray *advice, guint width)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes;
  char *text;

  if (g_str_equal (form, "pdf"))
    {
      bytes = jm_run_report_to_pdf (report, advice, &error);
      if (bytes == NULL)
        {
          g_printerr ("%s\n", error->message);
          exit (1);
        }
      return bytes;
    }

  if (g_str_equal (form, "html"))
    text = jm_run_report_to_html (report, advice);
  else if (g_str_equal (form, "json"))
    text = jm_run_report_to_json (report, advice);
  else
    text = jm_run_report_to_text (report, advice, width, g_str_equal (form, "color"));

  return g_bytes_new_take (text, strlen (text));
}

int
main (int argc, char **argv)
{
  g_autoptr (JmRunReport) report = NULL;
  g_autoptr (GPtrArray) advice = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const void *data;
  gsize length;

  setlocale (LC_ALL, "");
  report = make_report (argv[2], argv[3]);
  advice = make_advice (argv[2], argv[3]);
  bytes = render (argv[1], report, advice, argc > 4 ? (guint) atoi (argv[4]) : 0);
  data = g_bytes_get_data (bytes, &length);

  return fwrite (data, 1, length, stdout) == length ? 0 : 1;
}
