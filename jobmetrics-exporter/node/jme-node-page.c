/* jme-node-page.c: a plain page about this node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-answers.h"

#include "core/jm-derived.h"
#include "core/jm-field.h"
#include "core/jm-figure.h"
#include "core/jm-job.h"
#include "jme-config.h"
#include "report/jm-gpu-columns-private.h"
#include "report/jm-power-split.h"
#include "web/jme-html.h"

/* Columns of the jobs, by the names of their fields. */
static const char *const job_columns[] = {
  "jobid", "user",      "account", "name", "cpus",  "cpu_time", "eff", "mem",
  "peak",  "mem_limit", "procs",   "age",  "watts", "energy",   "co2", "state",
};

/* --- accelerators --- */

static void
append_gpu_titles (GString *out, JmSubjectKind kind)
{
  const JmGpuColumn *column;

  for (guint i = 0; (column = jm_gpu_columns_get (kind, i)) != NULL; i++)
    {
      const JmQuantity *quantity = jm_quantity_get (column->quantity);

      g_string_append_printf (out, "<th scope=\"col\"%s title=\"",
                              column->is_figure ? " class=\"number\"" : "");
      jme_html_append_escaped (out, quantity->help);
      g_string_append (out, "\">");
      jme_html_append_escaped (out, quantity->heading);
      g_string_append (out, "</th>");
    }
  g_string_append (out, "</tr>\n");
}

static void
append_cells (GString *out, JmSnapshot *snapshot, JmSubjectKind kind, guint subject)
{
  const JmGpuColumn *column;

  for (guint i = 0; (column = jm_gpu_columns_get (kind, i)) != NULL; i++)
    {
      g_autofree char *text = jm_gpu_column_format (column, snapshot, subject);

      if (column->is_figure)
        jme_html_append_number_cell (out, text);
      else
        jme_html_append_cell (out, text);
    }
  g_string_append (out, "</tr>\n");
}

static void
append_devices (GString *out, JmSnapshot *snapshot, GArray *gpus)
{
  g_string_append (out, "<h2>Accelerators</h2>\n");
  jme_html_begin_table (out, "accelerators", "Accelerators of this node");
  g_string_append (out, "<tr>");
  append_gpu_titles (out, JM_SUBJECT_KIND_GPU);
  for (guint i = 0; i < gpus->len; i++)
    {
      g_string_append (out, "<tr>");
      append_cells (out, snapshot, JM_SUBJECT_KIND_GPU, g_array_index (gpus, guint, i));
    }
  jme_html_end_table (out);
}

static void
append_share (GString *out, JmSnapshot *snapshot, guint part)
{
  guint job = jm_snapshot_get_parent (snapshot, part);
  g_autofree char *id = jm_job_format_id (jm_snapshot_get_job (snapshot, part));

  g_string_append (out, jm_snapshot_get_end_time (snapshot, job) != 0
                          ? "<tr class=\"ended\">"
                          : "<tr>");
  jme_html_append_cell (out, id);
  append_cells (out, snapshot, JM_SUBJECT_KIND_JOB_GPU, part);
}

static void
append_shares (GString *out, JmSnapshot *snapshot)
{
  guint part;

  if (!jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_JOB_GPU, &part))
    return;

  g_string_append (out, "<h2>What jobs have of them</h2>\n");
  jme_html_begin_table (out, "shares", "Jobs and their accelerators");
  g_string_append (out, "<tr><th scope=\"col\" title=\"The scheduler's job "
                        "id.\">JOBID</th>");
  append_gpu_titles (out, JM_SUBJECT_KIND_JOB_GPU);
  for (; part < jm_snapshot_get_n_subjects (snapshot); part++)
    if (jm_snapshot_get_kind (snapshot, part) == JM_SUBJECT_KIND_JOB_GPU)
      append_share (out, snapshot, part);
  jme_html_end_table (out);
}

/* Nothing of a node that has none. */
static void
append_gpus (GString *out, JmSnapshot *snapshot)
{
  g_autoptr (GArray) gpus = jm_derived_list_gpu_tree (snapshot);

  if (gpus->len > 0)
    append_devices (out, snapshot, gpus);
  append_shares (out, snapshot);
}

/* --- energy --- */

static void
append_figure (GString *out, JmFigure figure, JmFormat format)
{
  g_autofree char *text = jm_figure_format (figure, format);

  jme_html_append_number_cell (out, text);
}

/* For people: nothing takes it apart again. */
static char *
make_title (JmLabels *labels)
{
  return g_strjoinv (", ", (char **) jm_labels_get_values (labels));
}

static void
append_meters (GString *out, JmSnapshot *snapshot)
{
  const JmQuantity *power =
    jm_quantity_of_subject (JM_SUBJECT_KIND_NODE, "power_watts");
  const JmQuantity *energy =
    jm_quantity_of_subject (JM_SUBJECT_KIND_NODE, "energy_joules");
  g_autoptr (GPtrArray) meters =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, energy);

  for (guint i = 0; i < meters->len; i++)
    {
      JmLabels *meter = meters->pdata[i];
      g_autofree char *title = make_title (meter);

      g_string_append (out, "<tr>");
      jme_html_append_cell (out, title);
      append_figure (out, jm_figure_of_label (snapshot, JM_NODE_SUBJECT, power, meter),
                     JM_FORMAT_WATTS);
      append_figure (out, jm_figure_of_label (snapshot, JM_NODE_SUBJECT, energy, meter),
                     JM_FORMAT_JOULES);
      jme_html_append_number_cell (out, NULL);
      g_string_append (out, "</tr>\n");
    }
}

static void
append_taker (GString *out,
              JmSnapshot *snapshot,
              JmPowerSplit *split,
              const char *name,
              JmSubjectKind kind)
{
  const JmFigure power =
    split != NULL ? jm_power_split_sum_figures (split, kind) : (JmFigure){ 0 };
  guint subject;

  if (!jm_snapshot_find_subject (snapshot, kind, &subject))
    return;

  g_string_append (out, "<tr>");
  jme_html_append_cell (out, name);
  append_figure (out, power, JM_FORMAT_WATTS);
  append_figure (out, jm_figure_of_name (snapshot, subject, "energy_joules"),
                 JM_FORMAT_JOULES);
  append_figure (out, jm_figure_of_name (snapshot, subject, "emissions_grams"),
                 JM_FORMAT_GRAMS);
  g_string_append (out, "</tr>\n");
}

static void
append_factors (GString *out, JmSnapshot *snapshot)
{
  const JmQuantity *quantity =
    jm_quantity_of_subject (JM_SUBJECT_KIND_GRID, "emission_factor_grams_per_joule");
  g_autoptr (GPtrArray) factors = NULL;
  guint grid;

  if (!jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_GRID, &grid))
    return;

  factors = jm_snapshot_list_labels (snapshot, grid, quantity);
  for (guint i = 0; i < factors->len; i++)
    {
      JmLabels *factor = factors->pdata[i];
      g_autofree char *title = make_title (factor);
      g_autofree char *text =
        jm_figure_format (jm_figure_of_label (snapshot, grid, quantity, factor),
                          quantity->format);

      g_string_append (out, "<p>");
      jme_html_append_escaped (out, title);
      g_string_append_printf (out, ": %s CO₂e</p>\n", text);
    }
}

/* The node: its sources, what the system and nobody used, and what it was reckoned
 * with. Nothing for a node without a meter; no power of parts without the snapshot
 * before, which may be NULL. */
static void
append_energy (GString *out, JmSnapshot *before, JmSnapshot *snapshot)
{
  g_autoptr (JmPowerSplit) split =
    before != NULL ? jm_power_split_new (before, snapshot) : NULL;

  if (!jm_snapshot_is_collected (snapshot, JM_COLLECTOR_POWER))
    return;

  g_string_append (out, "<h2>Energy</h2>\n");
  jme_html_begin_table (out, "energy", "Meters of this node, and what no job has used");
  g_string_append (out, "<tr><th scope=\"col\">Source, part</th>"
                        "<th scope=\"col\" class=\"number\">Power</th>"
                        "<th scope=\"col\" class=\"number\">Energy</th>"
                        "<th scope=\"col\" class=\"number\">CO₂e</th></tr>\n");
  append_meters (out, snapshot);
  append_taker (out, snapshot, split, "System", JM_SUBJECT_KIND_SYSTEM);
  append_taker (out, snapshot, split, "Idle", JM_SUBJECT_KIND_IDLE);
  jme_html_end_table (out);
  g_string_append (out, "<p>" JM_FIGURE_ESTIMATE_MARK " is an estimate.</p>\n");
  append_factors (out, snapshot);
}

/* --- jobs --- */

static void
append_field (GString *out, const JmField *field, JmSnapshot *snapshot, guint subject)
{
  g_autofree char *text = jm_field_format (field, snapshot, subject);

  if (field->quantity->format == JM_FORMAT_TEXT)
    jme_html_append_cell (out, text);
  else
    jme_html_append_number_cell (out, text);
}

static void
append_job (GString *out, JmSnapshot *snapshot, guint subject)
{
  gboolean has_ended = jm_snapshot_get_end_time (snapshot, subject) != 0;

  g_string_append (out, has_ended ? "<tr class=\"ended\">" : "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (job_columns); i++)
    append_field (out, jm_field_from_name (job_columns[i]), snapshot, subject);
  g_string_append (out, "</tr>\n");
}

static void
append_titles (GString *out)
{
  g_string_append (out, "<tr>");
  for (guint i = 0; i < G_N_ELEMENTS (job_columns); i++)
    {
      const JmQuantity *quantity = jm_field_from_name (job_columns[i])->quantity;
      const char *number =
        quantity->format != JM_FORMAT_TEXT ? " class=\"number\"" : "";

      g_string_append_printf (out, "<th scope=\"col\"%s title=\"", number);
      jme_html_append_escaped (out, quantity->help);
      g_string_append (out, "\">");
      jme_html_append_escaped (out, quantity->heading);
      g_string_append (out, "</th>");
    }
  g_string_append (out, "</tr>\n");
}

static void
append_jobs (GString *out, JmSnapshot *snapshot)
{
  guint n_subjects = jm_snapshot_get_n_subjects (snapshot);
  guint n_jobs = 0;

  g_string_append (out, "<h2>Jobs</h2>\n");
  jme_html_begin_table (out, "jobs", "Jobs on this node, and those that ended lately");
  append_titles (out);

  for (guint i = 0; i < n_subjects; i++)
    if (jm_snapshot_get_kind (snapshot, i) == JM_SUBJECT_KIND_JOB)
      {
        append_job (out, snapshot, i);
        n_jobs++;
      }

  jme_html_end_table (out);
  if (n_jobs == 0)
    g_string_append (out, "<p>No job runs on this node.</p>\n");
}

/* --- collectors --- */

static void
append_collector (GString *out, JmSnapshot *snapshot, JmCollector collector)
{
  const GError *error = jm_snapshot_get_error (snapshot, collector);
  g_autofree char *duration = NULL;

  g_string_append (out, "<tr>");
  jme_html_append_cell (out, jm_collector_get_name (collector));
  jme_html_append_cell (out, jm_collector_get_help (collector));
  duration =
    g_strdup_printf ("%.1f ms",
                     (double) jm_snapshot_get_collector_duration (snapshot, collector) /
                       1e6);
  jme_html_append_number_cell (out, duration);
  if (error != NULL)
    {
      g_string_append (out, "<td class=\"failed\">");
      jme_html_append_escaped (out, error->message);
      g_string_append (out, "</td>");
    }
  else
    jme_html_append_cell (out, jm_snapshot_is_collected (snapshot, collector) ? "good"
                                                                              : "off");
  g_string_append (out, "</tr>\n");
}

static void
append_collectors (GString *out, JmSnapshot *snapshot)
{
  g_string_append (out, "<h2>Collectors</h2>\n");
  jme_html_begin_table (out, "collectors", "What is read, and how that went");
  g_string_append (out, "<tr><th scope=\"col\">Name</th><th scope=\"col\">Reads</th>"
                        "<th scope=\"col\" class=\"number\">Time</th>"
                        "<th scope=\"col\">State</th></tr>\n");

  for (guint i = 0; i < JM_N_NODE_COLLECTORS; i++)
    append_collector (out, snapshot, i);

  jme_html_end_table (out);
}

/* --- the page --- */

static void
append_header (GString *out, JmSnapshot *snapshot, const char *metrics_path)
{
  g_autoptr (GDateTime) time =
    g_date_time_new_from_unix_utc (jm_snapshot_get_time (snapshot) / G_USEC_PER_SEC);
  g_autofree char *text = g_date_time_format_iso8601 (time);

  g_string_append (out, "<h1>jobmetrics on ");
  jme_html_append_escaped (out, g_get_host_name ());
  g_string_append_printf (out,
                          "</h1>\n<p>As of %s, read in %.1f ms. "
                          "Version " JME_VERSION ".</p>\n"
                          "<p><a href=\"%s\">Metrics</a> · "
                          "<a href=\"/-/healthy\">Healthy</a> · "
                          "<a href=\"/-/ready\">Ready</a></p>\n",
                          text, (double) jm_snapshot_get_duration (snapshot) / 1e6,
                          metrics_path);
}

static void
begin (GString *out)
{
  g_autofree char *title = g_strdup_printf ("Node %s", g_get_host_name ());

  jme_html_begin_page (out, title);
}

GBytes *
jme_node_page_render (JmSnapshot *before,
                      JmSnapshot *snapshot,
                      const char *metrics_path)
{
  GString *out = g_string_new (NULL);

  begin (out);
  append_header (out, snapshot, metrics_path);
  append_jobs (out, snapshot);
  append_gpus (out, snapshot);
  append_energy (out, before, snapshot);
  append_collectors (out, snapshot);
  jme_html_end_page (out);

  return g_string_free_to_bytes (out);
}
