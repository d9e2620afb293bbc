/* jme-worst-runs.c: runs that left most unused, for who lands on the pages
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-worst-runs.h"

#include "archive/jm-archive.h"
#include "server/pages/jme-page-part.h"
#include "server/pages/jme-page.h"

#define DAY_SECONDS 86400
#define N_DAYS 7
#define MAX_RUNS 5

static const struct
{
  const char *id;
  const char *title;
  JmFormat format;
} kinds[] = {
  { "worst-cpus", "CPU time", JME_PART_HOURS },
  { "worst-gpus", "GPU time", JME_PART_HOURS },
  { "worst-memory", "Memory", JM_FORMAT_BYTE_SECONDS },
};

/* The quantity of each kind. */
static const char *const quantities[] = { "cpu_unused_seconds", "gpu_unused_seconds",
                                          "memory_unused_byte_seconds", NULL };

static void
append_run (GString *out, JmRun *run, JmFigure unused, JmFormat format)
{
  g_string_append (out, "<tr><th scope=\"row\">");
  jme_part_append_link (out, JME_PAGE_JOB, jm_run_get_text (run, "uuid"),
                        jm_run_get_text (run, "jobid"));
  g_string_append (out, "</th>");
  jme_part_append_figure_cell (out, unused, format);
  jme_html_append_cell (out, jm_run_get_text (run, "user"));
  g_string_append (out, "<td class=\"name\">");
  jme_html_append_escaped (out, jm_run_get_text (run, "name"));
  g_string_append (out, "</td>");
  jme_html_append_cell (out, jm_run_get_text (run, "verdict"));
  g_string_append (out, "</tr>\n");
}

static void
append_kind (GString *out, guint kind, GPtrArray *runs)
{
  static const char *const titles[] = { "Job",  "#Unused", "User",
                                        "Name", "Verdict", NULL };
  g_autofree char *caption = NULL;

  if (runs->len == 0)
    return;

  g_string_append_printf (out,
                          "<h3><a href=\"" JME_PAGE_JOBS "?since=-%ud&amp;sort=-%s\">"
                          "%s unused</a></h3>\n",
                          N_DAYS, quantities[kind], kinds[kind].title);
  caption = g_strdup_printf ("%s unused, the most first", kinds[kind].title);
  jme_part_begin_table (out, kinds[kind].id, caption, titles);
  for (guint i = 0; i < runs->len; i++)
    append_run (out, runs->pdata[i],
                jm_run_get_figure (runs->pdata[i], quantities[kind]),
                kinds[kind].format);
  jme_part_end_table (out);
}

gboolean
jme_worst_runs_append (JmeAnswer *answer, GError **error)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const gsize before = answer->text->len;
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autoptr (GPtrArray) lists = NULL;
  gsize after;

  jm_run_filter_set_period (filter, now - N_DAYS * DAY_SECONDS, 0);
  jm_run_filter_set_limit (filter, MAX_RUNS);
  lists = jm_archive_database_list_greatest (answer->store, filter, quantities,
                                             answer->viewer, error);
  if (lists == NULL)
    return FALSE;

  g_string_append (answer->text, "<h2>The worst of the week</h2>\n");
  after = answer->text->len;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    append_kind (answer->text, i, lists->pdata[i]);
  if (answer->text->len == after)
    g_string_truncate (answer->text, before);

  return TRUE;
}
