/* jme-trace-page.c: what wrappers reported last, for people and programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jme-trace-figures.h"

#include <string.h>

#include "base/jm-trace-record-private.h"
#include "web/jme-html.h"

typedef struct
{
  const char *title;
  gboolean is_number;
  char *(*format) (const JmTraceRecord *record);
} Column;

static char *
format_cluster (const JmTraceRecord *record)
{
  return record->cluster[0] != '\0' ? g_strdup (record->cluster) : NULL;
}

static char *
format_job (const JmTraceRecord *record)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, record->job_id);
}

static char *
format_step (const JmTraceRecord *record)
{
  return record->step[0] != '\0' ? g_strdup (record->step) : NULL;
}

static char *
format_user (const JmTraceRecord *record)
{
  return g_strdup (record->user);
}

static char *
format_host (const JmTraceRecord *record)
{
  return g_strdup (record->host);
}

static char *
format_pid (const JmTraceRecord *record)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, record->pid);
}

static char *
format_cpus (const JmTraceRecord *record)
{
  return g_strdup_printf ("%.1f %%", record->cpus);
}

static char *
format_threads (const JmTraceRecord *record)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, record->threads);
}

static char *
format_memory (const JmTraceRecord *record)
{
  return g_format_size_full (record->memory, G_FORMAT_SIZE_IEC_UNITS);
}

static char *
format_read (const JmTraceRecord *record)
{
  return g_format_size_full (record->read_bytes, G_FORMAT_SIZE_IEC_UNITS);
}

static char *
format_written (const JmTraceRecord *record)
{
  return g_format_size_full (record->write_bytes, G_FORMAT_SIZE_IEC_UNITS);
}

static const Column columns[] = {
  { "Cluster", FALSE, format_cluster }, { "Job", FALSE, format_job },
  { "Step", FALSE, format_step },       { "User", FALSE, format_user },
  { "Host", FALSE, format_host },       { "Process", TRUE, format_pid },
  { "CPU", TRUE, format_cpus },         { "Threads", TRUE, format_threads },
  { "Memory", TRUE, format_memory },    { "Read", TRUE, format_read },
  { "Written", TRUE, format_written },
};

static void
append_titles (GString *out)
{
  g_string_append (out, "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_string_append_printf (out, "<th scope=\"col\"%s>%s</th>",
                            columns[i].is_number ? " class=\"number\"" : "",
                            columns[i].title);
  g_string_append (out, "<th scope=\"col\" class=\"number\">Age</th></tr>\n");
}

static void
append_record (GString *out, const JmTraceRecord *record, gint64 now_us)
{
  g_autofree char *age = g_strdup_printf ("%" G_GINT64_FORMAT " s",
                                          (now_us - record->told_us) / G_USEC_PER_SEC);

  g_string_append (out, "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *text = columns[i].format (record);

      if (columns[i].is_number)
        jme_html_append_number_cell (out, text);
      else
        jme_html_append_cell (out, text);
    }
  jme_html_append_number_cell (out, age);
  g_string_append (out, "</tr>\n");
}

GBytes *
jme_trace_page_render (GPtrArray *records, gint64 now_us)
{
  GString *out = g_string_new (NULL);

  jme_html_begin_page (out, "Traced commands");
  g_string_append (out, "<h1>Traced commands</h1>\n");
  jme_html_begin_table (out, "commands", "Commands that jobs run now");
  append_titles (out);
  for (guint i = 0; i < records->len; i++)
    append_record (out, records->pdata[i], now_us);
  jme_html_end_table (out);
  if (records->len == 0)
    g_string_append (out, "<p>No command is reported.</p>\n");
  jme_html_end_page (out);

  return g_string_free_to_bytes (out);
}

GBytes *
jme_trace_page_render_json (GPtrArray *records)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < records->len; i++)
    {
      g_string_append (out, i > 0 ? ",\n " : "\n ");
      jm_trace_record_append_json (records->pdata[i], out);
    }
  g_string_append (out, records->len > 0 ? "\n]\n" : "]\n");

  return g_string_free_to_bytes (out);
}

gboolean
jme_trace_page_wants_html (const char *accept)
{
  return accept != NULL && strstr (accept, "text/html") != NULL;
}
