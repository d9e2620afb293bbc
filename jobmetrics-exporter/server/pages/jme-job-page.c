/* jme-job-page.c: one run on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-job-page.h"

#include <string.h>

#include "report/jm-run-derived-private.h"
#include "server/jme-accounts-query.h"
#include "server/jme-jobs.h"
#include "server/pages/jme-job-parts.h"
#include "server/pages/jme-job-plots.h"
#include "server/pages/jme-page-part.h"

#define REFRESH_SECONDS 30

typedef struct
{
  JmRunField field;
  const char *title;
  JmQuantity quantity;
} Fact;

/* As far as they are plain. */
static const Fact facts[] = {
  { JM_RUN_FIELD_SUBMIT_TIME, "Submitted", JM_QUANTITY_TIME },
  { JM_RUN_FIELD_ELIGIBLE_TIME, "Might begin", JM_QUANTITY_TIME },
  { JM_RUN_FIELD_START_TIME, "Began", JM_QUANTITY_TIME },
  { JM_RUN_FIELD_END_TIME, "Ended", JM_QUANTITY_TIME },
  { JM_RUN_FIELD_TIME_LIMIT, "Time limit", JM_QUANTITY_DURATION },
  { JM_RUN_FIELD_EXIT_CODE, "Exit code", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_SIGNAL, "Ended by signal", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_NODES, "Nodes", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_CPUS, "CPUs", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_MEMORY_REQUESTED, "Memory asked for", JM_QUANTITY_BYTES },
  { JM_RUN_FIELD_MEMORY_ALLOCATED, "Memory given", JM_QUANTITY_BYTES },
  { JM_RUN_FIELD_GPUS_REQUESTED, "GPUs asked for", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_GPUS_ALLOCATED, "GPUs given", JM_QUANTITY_COUNT },
  { JM_RUN_FIELD_PARTITION, "Partition", JM_QUANTITY_TEXT },
  { JM_RUN_FIELD_QOS, "Quality of service", JM_QUANTITY_TEXT },
  { JM_RUN_FIELD_NODE_LIST, "On the nodes", JM_QUANTITY_TEXT },
  { JM_RUN_FIELD_TRES, "Given, as the scheduler has it", JM_QUANTITY_TEXT },
  { JM_RUN_FIELD_WORK_DIR, "Directory", JM_QUANTITY_TEXT },
  { JM_RUN_FIELD_HET_JOB, "Of the heterogeneous job", JM_QUANTITY_TEXT },
};

static const Fact figures[] = {
  { JM_RUN_FIELD_CPU_TIME, "CPU time", JM_QUANTITY_DURATION },
  { JM_RUN_FIELD_MEMORY_PEAK, "Most memory on a node", JM_QUANTITY_BYTES },
  { JM_RUN_FIELD_ENERGY, "Energy", JM_QUANTITY_JOULES },
  { JM_RUN_FIELD_EMISSIONS, "CO₂e", JM_QUANTITY_GRAMS },
};

static const char *
get_id (JmStoredRun *run)
{
  const char *id = jm_stored_run_get_text (run, JM_RUN_FIELD_JOB_ID);

  return id != NULL ? id : jm_stored_run_get_raw_id (run);
}

/* --- how well it used what it had --- */

static JmFigure
get_time_share (JmStoredRun *run)
{
  return jm_figure_get_share (jm_run_derived_get_elapsed (run),
                              jm_run_derived_get_figure (run, JM_RUN_FIELD_TIME_LIMIT));
}

static JmFigure
get_gpu_share (JmRunReport *report)
{
  double share;

  return jm_run_report_get_value (report, JM_RUN_FACT_GPU_UTILIZATION, &share)
           ? jm_figure_known (share)
           : (JmFigure){ 0 };
}

static void
append_gauges (GString *out, JmStoredRun *run, JmRunReport *report)
{
  JmFigure gpu = get_gpu_share (report);
  JmFigure cpu = jm_run_derived_get_efficiency (run);
  JmFigure memory = jm_run_derived_get_memory_share (run);
  JmFigure time = get_time_share (run);

  if (!cpu.is_known && !memory.is_known && !gpu.is_known && !time.is_known)
    return;

  g_string_append (out,
                   "<h2>What it used of what it had</h2>\n<div class=\"gauges\">\n");
  jme_part_append_gauge (out, "of-cpu", "CPU", cpu,
                         "CPU time, of what its CPUs could have given meanwhile");
  jme_part_append_gauge (out, "of-memory", "Memory", memory,
                         "The most on one node, of what it was given on each");
  jme_part_append_gauge (out, "of-gpu", "Accelerators", gpu,
                         "How busy they were, in the mean");
  jme_part_append_gauge (out, "of-time", "Time", time,
                         "How long it ran, of its time limit");
  g_string_append (out, "</div>\n");
}

static void
append_figure (GString *out, JmStoredRun *run, const Fact *fact)
{
  g_autofree char *text =
    jme_part_format (jm_run_derived_get_figure (run, fact->field), fact->quantity);
  JmRunSource source = jm_stored_run_get_source (run, fact->field);

  if (text == NULL)
    return;

  g_string_append_printf (out,
                          "<div><dt>%s <small>(%s)</small></dt><dd>%s</dd></div>\n",
                          fact->title, jm_run_source_get_name (source), text);
}

static void
append_figures (GString *out, JmStoredRun *run)
{
  g_autoptr (GString) list = g_string_new (NULL);

  jme_part_append_figure_fact (list, "Ran", jm_run_derived_get_elapsed (run),
                               JM_QUANTITY_DURATION);
  jme_part_append_figure_fact (list, "Waited", jm_run_derived_get_wait (run),
                               JM_QUANTITY_DURATION);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    append_figure (list, run, &figures[i]);
  if (list->len > 0)
    g_string_append_printf (out, "<dl class=\"cards\">\n%s</dl>\n", list->str);
}

/* --- who and when it was --- */

static void
append_fact (GString *out, JmStoredRun *run, const Fact *fact)
{
  gint64 number = 0;

  if (fact->quantity == JM_QUANTITY_TEXT)
    jme_part_append_fact (out, fact->title, jm_stored_run_get_text (run, fact->field));
  else if (fact->quantity != JM_QUANTITY_TIME)
    jme_part_append_figure_fact (out, fact->title,
                                 jm_run_derived_get_figure (run, fact->field),
                                 fact->quantity);
  else if (jm_stored_run_get_number (run, fact->field, &number))
    jme_part_append_time_fact (out, fact->title, number);
}

static void
append_link_fact (GString *out, const char *term, const char *path, const char *name)
{
  if (name == NULL || *name == '\0')
    return;

  g_string_append_printf (out, "<div><dt>%s</dt><dd>", term);
  jme_part_append_link (out, path, name, name);
  g_string_append (out, "</dd></div>\n");
}

static void
append_facts (GString *out, JmStoredRun *run)
{
  g_string_append (out, "<h2>Facts</h2>\n<dl class=\"facts\">\n");
  append_link_fact (out, "User", JME_PAGE_JOBS "?user=",
                    jm_stored_run_get_text (run, JM_RUN_FIELD_USER));
  append_link_fact (out, "Account", JME_PAGE_ACCOUNT,
                    jm_stored_run_get_text (run, JM_RUN_FIELD_ACCOUNT));
  append_link_fact (out, "Cluster",
                    JME_PAGE_JOBS "?cluster=", jm_stored_run_get_cluster (run));
  append_link_fact (out, "Of the array", JME_PAGE_JOBS "?job=",
                    jm_stored_run_get_text (run, JM_RUN_FIELD_ARRAY_JOB));
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    append_fact (out, run, &facts[i]);
  append_link_fact (out, "All runs of this id",
                    JME_PAGE_JOBS "?job=", jm_stored_run_get_raw_id (run));
  jme_part_append_fact (out, "UUID", jm_stored_run_get_text (run, JM_RUN_FIELD_UUID));
  g_string_append (out, "</dl>\n");
}

/* --- the page --- */

static void
append_heading (GString *out, JmStoredRun *run)
{
  const char *name = jm_stored_run_get_text (run, JM_RUN_FIELD_NAME);

  g_string_append (out, "<h1>Job ");
  jme_html_append_escaped (out, get_id (run));
  g_string_append (out, " on ");
  jme_html_append_escaped (out, jm_stored_run_get_cluster (run));
  g_string_append (out, "</h1>\n<p>");
  jme_part_append_state (out, jm_stored_run_get_text (run, JM_RUN_FIELD_STATE));
  if (name != NULL)
    {
      g_string_append (out, " · ");
      jme_html_append_escaped (out, name);
    }
  g_string_append (out, "</p>\n");
}

static void
append_links (GString *out, JmStoredRun *run)
{
  const char *uuid = jm_stored_run_get_text (run, JM_RUN_FIELD_UUID);

  if (uuid == NULL)
    return;

  g_string_append (out, "<h2>For programs</h2>\n<p>");
  jme_part_append_link (out, "/api/v1/jobs/", uuid, "All of this as JSON");
  g_string_append (out, " · ");
  jme_part_append_link (out, JME_PAGE_JOBS "?uuid=", uuid, "In the list of jobs");
  g_string_append (out, "</p>\n");
}

/* --- what its user had better do --- */

static void
append_piece (GString *out, JmRunAdvice *advice)
{
  static const char *const classes[JM_N_ADVICE_LEVELS] = { "notice", "notice warn",
                                                           "notice bad" };

  g_string_append_printf (out, "<div class=\"%s\"><p><strong>",
                          classes[jm_run_advice_get_level (advice)]);
  jme_html_append_escaped (out, jm_run_advice_get_title (advice));
  g_string_append (out, "</strong></p>\n<p>");
  jme_html_append_escaped (out, jm_run_advice_get_reason (advice));
  g_string_append_c (out, ' ');
  jme_html_append_escaped (out, jm_run_advice_get_action (advice));
  g_string_append (out, "</p></div>\n");
}

static void
append_advice (GString *out, JmRunRules *rules, JmRunReport *report)
{
  g_autoptr (GPtrArray) all = jm_run_rules_judge (rules, report);

  if (all->len == 0)
    return;

  g_string_append (out, "<h2>Advice</h2>\n");
  for (guint i = 0; i < all->len; i++)
    append_piece (out, all->pdata[i]);
}

static gboolean
append_run (JmeAnswer *answer, const JmePages *pages, JmStoredRun *run, GError **error)
{
  g_autoptr (JmRunReport) report = jme_job_plots_make_report (answer, run, error);

  if (report == NULL)
    return FALSE;

  append_heading (answer->text, run);
  append_figures (answer->text, run);
  append_gauges (answer->text, run, report);
  append_advice (answer->text, pages->rules, report);
  jme_job_plots_append (answer, run, report);
  append_facts (answer->text, run);
  if (!jme_job_parts_append (answer, run, error))
    return FALSE;
  append_links (answer->text, run);

  return TRUE;
}

/* One that has ended does not change any more. */
static void
reply (JmeAnswer *answer, JmStoredRun *run)
{
  static const JmeHtmlLink above[] = { { JME_PAGE_JOBS, "Jobs" }, { NULL } };
  g_autofree char *title = g_strdup_printf ("Job %s", get_id (run));
  gint64 end = 0;

  jm_stored_run_get_number (run, JM_RUN_FIELD_END_TIME, &end);
  jme_page_reply (answer,
                  &(JmeHtmlPage){ .title = title,
                                  .section = JME_PAGE_JOBS,
                                  .above = above,
                                  .refresh_seconds = end > 0 ? 0 : REFRESH_SECONDS });
}

void
jme_job_page_answer (JmeRequest *request, gpointer pages)
{
  const char *uuid = jme_request_get_path (request) + strlen (JME_PAGE_JOB);
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeAccountsQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmStoredRun) run = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (jme_accounts_query_init (&query, request, JME_ACCOUNTS_ONE, &error))
    run = jme_jobs_find_run (&answer, uuid, &error);
  if (run == NULL || !append_run (&answer, pages, run, &error))
    jme_answer_fail (&answer, error);
  else
    reply (&answer, run);
}
