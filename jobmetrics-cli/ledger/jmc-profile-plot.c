/* jmc-profile-plot.c: the course of a job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "ledger/jmc-profile-plot.h"

#include <math.h>

#include "report/jm-sparkline-private.h"

/* What stands on both sides of a line of bars, which has the rest of the terminal. */
#define MARGIN 40
#define NARROWEST 10
#define WIDEST 60

typedef enum
{
  UNIT_CPUS,
  UNIT_BYTES,
  UNIT_BYTES_PER_SECOND,
  UNIT_COUNT,
  UNIT_WATTS,
  UNIT_RATIO,
} Unit;

/* By #JmProfileSeries. A sum is plotted as how fast it grows. */
static const struct
{
  const char *title;
  Unit unit;
} plots[JM_N_PROFILE_SERIES] = {
  [JM_PROFILE_SERIES_CPU] = { "CPU", UNIT_CPUS },
  [JM_PROFILE_SERIES_MEMORY] = { "Memory", UNIT_BYTES },
  [JM_PROFILE_SERIES_READ] = { "Read", UNIT_BYTES_PER_SECOND },
  [JM_PROFILE_SERIES_WRITE] = { "Written", UNIT_BYTES_PER_SECOND },
  [JM_PROFILE_SERIES_THREADS] = { "Threads", UNIT_COUNT },
  [JM_PROFILE_SERIES_ENERGY] = { "Power", UNIT_WATTS },
  [JM_PROFILE_SERIES_GPU_UTILIZATION] = { "GPU", UNIT_RATIO },
  [JM_PROFILE_SERIES_GPU_MEMORY] = { "GPU memory", UNIT_BYTES },
};

static char *
format (Unit unit, double value)
{
  g_autofree char *bytes = NULL;

  switch (unit)
    {
    case UNIT_CPUS:
      return g_strdup_printf ("%.1f CPUs", value);
    case UNIT_BYTES:
      return jm_format_to_string (JM_FORMAT_BYTES, value);
    case UNIT_BYTES_PER_SECOND:
      bytes = jm_format_to_string (JM_FORMAT_BYTES, value);
      return g_strconcat (bytes, "/s", NULL);
    case UNIT_WATTS:
      return jm_format_to_string (JM_FORMAT_WATTS, value);
    case UNIT_RATIO:
      return jm_format_to_string (JM_FORMAT_PERCENT, 100 * value);
    case UNIT_COUNT:
    default:
      return jm_format_to_string (JM_FORMAT_COUNT, value);
    }
}

/* Of a level the peaks, of a sum how fast it grew. */
static double *
list_heights (JmJobProfile *profile, JmProfileSeries series, gsize *n_values)
{
  const double seconds =
    (double) jm_job_profile_get_interval (profile) / G_USEC_PER_SEC;
  double *values;

  if (!jm_profile_series_is_sum (series))
    return jm_job_profile_list_peaks (profile, series, n_values);

  values = jm_job_profile_list_values (profile, series, n_values);
  for (gsize i = 0; i < *n_values; i++)
    values[i] /= seconds;

  return values;
}

static double
find_most (const double *values, gsize n_values)
{
  double most = NAN;

  for (gsize i = 0; i < n_values; i++)
    most = fmax (most, values[i]);

  return most;
}

static void
add_series (JmcTable *table,
            JmJobProfile *profile,
            JmProfileSeries series,
            guint width,
            gboolean is_ascii)
{
  gsize n = 0;
  g_autofree double *values = list_heights (profile, series, &n);
  g_autofree char *most = NULL;

  /* what never was anything has no course */
  if (!(find_most (values, n) > 0))
    return;

  most = format (plots[series].unit, find_most (values, n));
  jmc_table_add (table, plots[series].title);
  jmc_table_take (table, jm_sparkline_make (values, n, width, is_ascii));
  jmc_table_take (table, g_strdup_printf ("at most %s", most));
}

/* A line of bars for each series that was ever above zero, with what the highest stands
 * for;
 * @width is that of the terminal, 0 for none. */
JmcTable *
jmc_profile_plot_make_table (JmJobProfile *profile, guint width, gboolean is_ascii)
{
  static const JmcColumn columns[] = {
    { NULL, JMC_ALIGN_LEFT },
    { NULL, JMC_ALIGN_LEFT },
    { NULL, JMC_ALIGN_LEFT },
  };
  const guint room = width == 0       ? WIDEST
                     : width > MARGIN ? CLAMP (width - MARGIN, NARROWEST, WIDEST)
                                      : NARROWEST;
  JmcTable *table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  for (JmProfileSeries i = 0; i < JM_N_PROFILE_SERIES; i++)
    if (jm_job_profile_has (profile, i))
      add_series (table, profile, i, room, is_ascii);

  return table;
}
