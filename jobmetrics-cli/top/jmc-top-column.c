/* jmc-top-column.c: the columns of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-column.h"

/* No more than two units, for a column must not grow with its figures. */
static char *
format_time (double seconds)
{
  guint64 whole;

  if (seconds < 59.95)
    return g_strdup_printf ("%.1fs", seconds);

  whole = (guint64) (seconds + 0.5);
  if (whole < 3600)
    return g_strdup_printf ("%um%02us", (guint) whole / 60, (guint) whole % 60);
  if (whole < 86400)
    return g_strdup_printf ("%uh%02um", (guint) whole / 3600, (guint) whole / 60 % 60);
  if (whole < 1000 * 86400)
    return g_strdup_printf ("%ud%02uh", (guint) whole / 86400,
                            (guint) whole / 3600 % 24);

  return g_strdup_printf ("%" G_GUINT64_FORMAT "d", whole / 86400);
}

static char *
format_age (double seconds)
{
  return seconds < 59.5 ? g_strdup_printf ("%.0fs", seconds) : format_time (seconds);
}

static char *
format_percent (double percent)
{
  return g_strdup_printf (percent < 999.95 ? "%.1f" : "%.0f", percent);
}

static const JmcTopColumnInfo columns[JMC_TOP_N_COLUMNS] = {
  [JMC_TOP_ID] = { JM_QUANTITY_JOBID, 8, 0 },
  [JMC_TOP_USER] = { JM_QUANTITY_USER, 6, 3 },
  [JMC_TOP_ACCOUNT] = { JM_QUANTITY_ACCOUNT, 7, 14 },
  [JMC_TOP_NAME] = { JM_QUANTITY_NAME, 12, 4 },
  [JMC_TOP_CPUS] = { JM_QUANTITY_CPUS, 4, 5 },
  [JMC_TOP_CPU_PERCENT] = { JM_QUANTITY_CPU_NOW, 5, 1, format_percent },
  [JMC_TOP_CPU_TIME] = { JM_QUANTITY_CPU_TOTAL, 8, 9, format_time },
  [JMC_TOP_MEMORY] = { JM_QUANTITY_MEMORY_USED, 7, 2 },
  [JMC_TOP_PEAK] = { JM_QUANTITY_MEMORY_PEAK, 7, 15 },
  [JMC_TOP_LIMIT] = { JM_QUANTITY_MEMORY_LIMIT, 9, 11 },
  [JMC_TOP_MEMORY_PERCENT] = { JM_QUANTITY_MEMORY_USED_SHARE, 10, 7 },
  [JMC_TOP_READ_RATE] = { JM_QUANTITY_READ_RATE, 7, 12 },
  [JMC_TOP_WRITE_RATE] = { JM_QUANTITY_WRITE_RATE, 7, 12 },
  [JMC_TOP_PROCESSES] = { JM_QUANTITY_PROCESSES, 5, 13 },
  [JMC_TOP_THREADS] = { JM_QUANTITY_THREADS, 7, 16 },
  [JMC_TOP_PRESSURE] = { JM_QUANTITY_PRESSURE, 9, 17, format_percent },
  [JMC_TOP_GPU_PERCENT] = { JM_QUANTITY_GPU_UTILIZATION_SHARE, 5, 8, format_percent },
  [JMC_TOP_GPU_MEMORY] = { JM_QUANTITY_GPU_MEMORY_USED_ALL, 7, 18 },
  [JMC_TOP_WATTS] = { JM_QUANTITY_POWER, 6, 8 },
  [JMC_TOP_ENERGY] = { JM_QUANTITY_ENERGY, 7, 10 },
  [JMC_TOP_AGE] = { JM_QUANTITY_AGE, 6, 6, format_age },
};

const char *
jmc_top_column_get_title (JmcTopColumn column)
{
  return jm_quantity_get (columns[column].quantity)->heading;
}

JmTextAlign
jmc_top_column_get_align (JmcTopColumn column)
{
  return column < JMC_TOP_N_TEXTS ? JM_TEXT_ALIGN_LEFT : JM_TEXT_ALIGN_RIGHT;
}

const JmcTopColumnInfo *
jmc_top_column_get_info (JmcTopColumn column)
{
  return &columns[column];
}

/* NULL for what is not known; what is estimated has a mark. */
char *
jmc_top_column_format (JmcTopColumn column, JmFigure figure)
{
  const JmcTopColumnInfo *info = &columns[column];
  g_autofree char *text = NULL;

  if (info->shorten == NULL || !figure.is_known)
    return jm_figure_format (figure, jm_quantity_get (info->quantity)->format);

  text = info->shorten (figure.value);

  return g_strconcat (figure.is_estimated ? JM_FIGURE_ESTIMATE_MARK : "", text, NULL);
}

gboolean
jmc_top_column_from_name (const char *name, guint *column)
{
  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    if (jm_quantity_is_called (jm_quantity_get (columns[i].quantity), name))
      {
        *column = i;
        return TRUE;
      }

  return FALSE;
}

/* All titles, with commas between them. */
char *
jmc_top_column_list_titles (void)
{
  GString *titles = g_string_new (NULL);

  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "",
                            jmc_top_column_get_title (i));

  return g_string_free (titles, FALSE);
}
