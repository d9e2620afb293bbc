/* jme-figures.c: tables of what the exporter says of itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-figures.h"

#include "jme-config.h"

static void
append (JmTextWriter *writer, const JmeFigure *figure, guint64 value)
{
  jm_text_writer_begin_family (writer, figure->kind, figure->name, figure->help);
  jm_text_writer_begin_sample (writer);
  if (figure->kind == JM_FAMILY_KIND_INFO)
    {
      jm_text_writer_add_label (writer, "version", JME_VERSION);
      jm_text_writer_add_label (writer, "compiler", JME_COMPILER);
    }
  jm_text_writer_end_with_decimal (writer, value, figure->n_decimals);
}

void
jme_figures_append (const JmeFigure *figures,
                    guint n_figures,
                    gconstpointer part,
                    JmMetricSelection *selection,
                    JmTextWriter *writer)
{
  for (guint i = 0; i < n_figures; i++)
    {
      guint64 value;

      if (jm_metric_selection_has_name (selection, figures[i].name) &&
          figures[i].get (part, &value))
        append (writer, &figures[i], value);
    }
}

gboolean
jme_figures_match (const JmeFigure *figures, guint n_figures, const char *pattern)
{
  for (guint i = 0; i < n_figures; i++)
    if (g_pattern_match_simple (pattern, figures[i].name))
      return TRUE;

  return FALSE;
}
