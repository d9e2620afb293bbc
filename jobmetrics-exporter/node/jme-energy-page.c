/* jme-energy-page.c: what the node's page tells of energy
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-energy-page.h"

#include "web/jme-html.h"

#define JOULES_PER_KWH 3.6e6

/* The sum over a metric's labels, and whether part of it is an estimate. */
typedef struct
{
  gboolean is_known;
  gboolean is_estimated;
  double value;
} Sum;

static Sum
sum_up (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, subject, metric);
  Sum sum = { FALSE, FALSE, 0 };

  for (guint i = 0; i < all->len; i++)
    {
      JmLabels *labels = all->pdata[i];
      double value;

      if (!jm_snapshot_get_labelled_value (snapshot, subject, metric, labels, &value))
        continue;
      sum.is_known = TRUE;
      sum.is_estimated |= jm_metric_is_estimated (metric, labels);
      sum.value += value;
    }

  return sum;
}

static void
append_sum (GString *out, Sum sum, const char *format)
{
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  if (sum.is_known)
    {
      number = g_strdup_printf ("%.1f", sum.value);
      text = g_strdup_printf ("%s%s %s", sum.is_estimated ? "~" : "", number, format);
    }
  jme_html_append_number_cell (out, text);
}

static void
append_power (GString *out, Sum sum)
{
  append_sum (out, sum, "W");
}

/* Of a size that people read. */
static void
append_energy (GString *out, Sum sum)
{
  const char *unit = "J";

  if (sum.value >= JOULES_PER_KWH)
    {
      unit = "kWh";
      sum.value /= JOULES_PER_KWH;
    }
  else if (sum.value >= 1e4)
    {
      unit = "kJ";
      sum.value /= 1e3;
    }

  append_sum (out, sum, unit);
}

static void
append_emissions (GString *out, Sum sum)
{
  const char *unit = "g";

  if (sum.value >= 1e4)
    {
      unit = "kg";
      sum.value /= 1e3;
    }
  else if (sum.value < 1)
    {
      unit = "mg";
      sum.value *= 1e3;
    }

  append_sum (out, sum, unit);
}

void
jme_energy_page_append_header (GString *out)
{
  g_string_append (out,
                   "<th class=\"number\">Power</th><th class=\"number\">Energy</th>"
                   "<th class=\"number\">CO₂e</th>");
}

void
jme_energy_page_append_job (GString *out, JmSnapshot *snapshot, guint subject)
{
  append_power (out, sum_up (snapshot, subject, JM_METRIC_POWER));
  append_energy (out, sum_up (snapshot, subject, JM_METRIC_ENERGY));
  append_emissions (out, sum_up (snapshot, subject, JM_METRIC_EMISSIONS));
}

/* --- the node --- */

static Sum
get_one (JmSnapshot *snapshot, JmMetric metric, JmLabels *labels)
{
  const char *source = jm_metric_find_label (metric, labels, "source");
  Sum sum = { FALSE, FALSE, 0 };

  sum.is_known = jm_snapshot_get_labelled_value (snapshot, JM_NODE_SUBJECT, metric,
                                                 labels, &sum.value);
  sum.is_estimated = g_strcmp0 (source, "estimate") == 0;

  return sum;
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
      append_power (out, get_one (snapshot, JM_METRIC_NODE_POWER, meter));
      append_energy (out, get_one (snapshot, JM_METRIC_NODE_ENERGY, meter));
      jme_html_append_number_cell (out, NULL);
      g_string_append (out, "</tr>\n");
    }
}

static void
append_part (GString *out,
             JmSnapshot *snapshot,
             const char *name,
             JmMetric energy,
             JmMetric emissions)
{
  g_string_append (out, "<tr>");
  jme_html_append_cell (out, name);
  jme_html_append_number_cell (out, NULL);
  append_energy (out, sum_up (snapshot, JM_NODE_SUBJECT, energy));
  append_emissions (out, sum_up (snapshot, JM_NODE_SUBJECT, emissions));
  g_string_append (out, "</tr>\n");
}

static void
append_factors (GString *out, JmSnapshot *snapshot)
{
  g_autoptr (GPtrArray) factors =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, JM_METRIC_EMISSION_FACTOR);

  for (guint i = 0; i < factors->len; i++)
    {
      JmLabels *factor = factors->pdata[i];
      g_autofree char *title = make_title (factor);
      Sum sum = get_one (snapshot, JM_METRIC_EMISSION_FACTOR, factor);

      g_string_append (out, "<p>");
      jme_html_append_escaped (out, title);
      g_string_append_printf (out, ": %.1f g CO₂e/kWh</p>\n",
                              sum.value * JOULES_PER_KWH);
    }
}

void
jme_energy_page_append_node (GString *out, JmSnapshot *snapshot)
{
  if (!jm_snapshot_is_collected (snapshot, JM_COLLECTOR_POWER))
    return;

  g_string_append (out, "<h2>Energy</h2>\n<div class=\"scroll\"><table>\n"
                        "<tr><th>Source, part</th>");
  jme_energy_page_append_header (out);
  g_string_append (out, "</tr>\n");
  append_meters (out, snapshot);
  append_part (out, snapshot, "System", JM_METRIC_SYSTEM_ENERGY,
               JM_METRIC_SYSTEM_EMISSIONS);
  append_part (out, snapshot, "Idle", JM_METRIC_IDLE_ENERGY, JM_METRIC_IDLE_EMISSIONS);
  g_string_append (out, "</table></div>\n<p>~ is an estimate.</p>\n");
  append_factors (out, snapshot);
}
