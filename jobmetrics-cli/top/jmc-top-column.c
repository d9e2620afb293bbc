/* jmc-top-column.c: the columns of top
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-column.h"

#include <string.h>

#include "core/jm-format.h"
#include "report/jm-field.h"

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
  [JMC_TOP_ID] = { "JOBID", JMC_ALIGN_LEFT, 8, 0, JM_FORMAT_TEXT },
  [JMC_TOP_USER] = { "USER", JMC_ALIGN_LEFT, 6, 3, JM_FORMAT_TEXT },
  [JMC_TOP_ACCOUNT] = { "ACCOUNT", JMC_ALIGN_LEFT, 7, 14, JM_FORMAT_TEXT },
  [JMC_TOP_NAME] = { "NAME", JMC_ALIGN_LEFT, 12, 4, JM_FORMAT_TEXT },
  [JMC_TOP_CPUS] = { "CPUS", JMC_ALIGN_RIGHT, 4, 5, JM_FORMAT_COUNT },
  [JMC_TOP_CPU_PERCENT] = { "CPU%", JMC_ALIGN_RIGHT, 5, 1, JM_FORMAT_PERCENT,
                            format_percent },
  [JMC_TOP_CPU_TIME] = { "CPU-TIME", JMC_ALIGN_RIGHT, 8, 9, JM_FORMAT_DURATION,
                         format_time },
  [JMC_TOP_MEMORY] = { "MEM", JMC_ALIGN_RIGHT, 7, 2, JM_FORMAT_BYTES },
  [JMC_TOP_PEAK] = { "PEAK", JMC_ALIGN_RIGHT, 7, 15, JM_FORMAT_BYTES },
  [JMC_TOP_LIMIT] = { "MEM-LIMIT", JMC_ALIGN_RIGHT, 9, 11, JM_FORMAT_BYTES },
  [JMC_TOP_MEMORY_PERCENT] = { "MEM%", JMC_ALIGN_RIGHT, 10, 7, JM_FORMAT_PERCENT },
  [JMC_TOP_READ_RATE] = { "READ/s", JMC_ALIGN_RIGHT, 7, 12, JM_FORMAT_BYTES },
  [JMC_TOP_WRITE_RATE] = { "WRITE/s", JMC_ALIGN_RIGHT, 7, 12, JM_FORMAT_BYTES },
  [JMC_TOP_PROCESSES] = { "PROCS", JMC_ALIGN_RIGHT, 5, 13, JM_FORMAT_COUNT },
  [JMC_TOP_THREADS] = { "THREADS", JMC_ALIGN_RIGHT, 7, 16, JM_FORMAT_COUNT },
  [JMC_TOP_PRESSURE] = { "PRESSURE%", JMC_ALIGN_RIGHT, 9, 17, JM_FORMAT_PERCENT,
                         format_percent },
  [JMC_TOP_GPU_PERCENT] = { "GPU%", JMC_ALIGN_RIGHT, 5, 8, JM_FORMAT_PERCENT,
                            format_percent },
  [JMC_TOP_GPU_MEMORY] = { "GPU-MEM", JMC_ALIGN_RIGHT, 7, 18, JM_FORMAT_BYTES },
  [JMC_TOP_WATTS] = { "WATTS", JMC_ALIGN_RIGHT, 6, 8, JM_FORMAT_WATTS },
  [JMC_TOP_ENERGY] = { "ENERGY", JMC_ALIGN_RIGHT, 7, 10, JM_FORMAT_JOULES },
  [JMC_TOP_AGE] = { "AGE", JMC_ALIGN_RIGHT, 6, 6, JM_FORMAT_DURATION, format_age },
};

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
    return jm_figure_format (figure, info->format);

  text = info->shorten (figure.value);

  return g_strconcat (figure.is_estimated ? JM_FIGURE_ESTIMATE_MARK : "", text, NULL);
}

/* What of a title people may leave out: mem% is mem%, but read is READ/s. */
static gboolean
is_title (const char *title, const char *name)
{
  gsize length = strcspn (title, "/");

  return g_ascii_strcasecmp (title, name) == 0 ||
         (strlen (name) == length && g_ascii_strncasecmp (title, name, length) == 0);
}

static gboolean
find_title (const char *name, guint *column)
{
  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    if (is_title (columns[i].title, name))
      {
        *column = i;
        return TRUE;
      }

  return FALSE;
}

/* By its title, or by any name that the column of list has which has this title. */
gboolean
jmc_top_column_from_name (const char *name, guint *column)
{
  const JmField *field;

  if (find_title (name, column))
    return TRUE;

  field = jm_field_from_name (name);

  return field != NULL && find_title (field->quantity->heading, column);
}

/* All titles, with commas between them. */
char *
jmc_top_column_list_titles (void)
{
  GString *titles = g_string_new (NULL);

  for (guint i = 0; i < JMC_TOP_N_COLUMNS; i++)
    g_string_append_printf (titles, "%s%s", i > 0 ? ", " : "", columns[i].title);

  return g_string_free (titles, FALSE);
}
