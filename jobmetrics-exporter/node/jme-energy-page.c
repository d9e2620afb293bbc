/* jme-energy-page.c: energy of the node and its parts on the node's page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-energy-page.h"

#include "core/jm-figure.h"
#include "report/jm-power-split.h"
#include "web/jme-html.h"

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
  g_autoptr (GPtrArray) meters =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_ENERGY);

  for (guint i = 0; i < meters->len; i++)
    {
      JmLabels *meter = meters->pdata[i];
      g_autofree char *title = make_title (meter);

      g_string_append (out, "<tr>");
      jme_html_append_cell (out, title);
      append_figure (out,
                     jm_figure_of_label (snapshot, JM_NODE_SUBJECT,
                                         JM_METRIC_NODE_POWER, meter),
                     JM_FORMAT_WATTS);
      append_figure (out,
                     jm_figure_of_label (snapshot, JM_NODE_SUBJECT,
                                         JM_METRIC_NODE_ENERGY, meter),
                     JM_FORMAT_JOULES);
      jme_html_append_number_cell (out, NULL);
      g_string_append (out, "</tr>\n");
    }
}

static void
append_part (GString *out,
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
  append_figure (out, jm_figure_of_metric (snapshot, subject, JM_METRIC_ENERGY),
                 JM_FORMAT_JOULES);
  append_figure (out, jm_figure_of_metric (snapshot, subject, JM_METRIC_EMISSIONS),
                 JM_FORMAT_GRAMS);
  g_string_append (out, "</tr>\n");
}

static void
append_factors (GString *out, JmSnapshot *snapshot)
{
  const JmMetric metric = JM_METRIC_EMISSION_FACTOR;
  g_autoptr (GPtrArray) factors = NULL;
  guint grid;

  if (!jm_snapshot_find_subject (snapshot, JM_SUBJECT_KIND_GRID, &grid))
    return;

  factors = jm_snapshot_list_labels (snapshot, grid, metric);
  for (guint i = 0; i < factors->len; i++)
    {
      JmLabels *factor = factors->pdata[i];
      g_autofree char *title = make_title (factor);
      g_autofree char *text =
        jm_figure_format (jm_figure_of_label (snapshot, grid, metric, factor),
                          jm_quantity_of_metric (metric)->format);

      g_string_append (out, "<p>");
      jme_html_append_escaped (out, title);
      g_string_append_printf (out, ": %s CO₂e</p>\n", text);
    }
}

void
jme_energy_page_append (GString *out, JmSnapshot *before, JmSnapshot *snapshot)
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
  append_part (out, snapshot, split, "System", JM_SUBJECT_KIND_SYSTEM);
  append_part (out, snapshot, split, "Idle", JM_SUBJECT_KIND_IDLE);
  jme_html_end_table (out);
  g_string_append (out, "<p>" JM_FIGURE_ESTIMATE_MARK " is an estimate.</p>\n");
  append_factors (out, snapshot);
}
