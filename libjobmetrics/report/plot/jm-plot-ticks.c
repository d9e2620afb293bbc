/* jm-plot-ticks.c: where an axis has its marks, and what stands there
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-ticks-private.h"

#include <math.h>

#include "report/plot/jm-plot-series-private.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)
#define PIB (1024 * TIB)
#define EIB (1024 * PIB)
#define JOULES_PER_KWH 3.6e6

#define MINUTE 60.0
#define HOUR 3600.0
#define DAY 86400.0

/* A quotient may miss the whole number that it means by so much. */
#define TOLERANCE 1e-9

/* An axis shows no less, and no less of what it begins or ends with. */
#define LEAST_SPAN 1e-9
#define LEAST_SECONDS 1e-5
#define LEAST_SHARE 1e-6

#define MAX_DECIMALS 15

/* What lasts longer is shown in days. */
#define MAX_SECONDS 1e13

/* Of a unit; smaller ones have more decimals than anybody reads. */
#define LEAST_POWER_OF_TWO 0.125

/* From so much on figures are shown in a unit of that size. */
typedef struct
{
  double size;
  const char *name;
} Unit;

/* From the largest; one without a name ends it. */
static const Unit no_units[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" },
                                 { 1e4, NULL }, { 1, "" },    { 0, NULL } };
static const Unit byte_units[] = { { EIB, "EiB" }, { PIB, "PiB" }, { TIB, "TiB" },
                                   { GIB, "GiB" }, { MIB, "MiB" }, { KIB, "KiB" },
                                   { 1, "B" },     { 0, NULL } };
static const Unit second_units[] = { { 1, "s" }, { 0, NULL } };
static const Unit percent_units[] = { { 1, "%" }, { 0, NULL } };
static const Unit joule_units[] = { { 1000 * JOULES_PER_KWH, "MWh" },
                                    { JOULES_PER_KWH, "kWh" },
                                    { 1e3, "kJ" },
                                    { 1, "J" },
                                    { 0, NULL } };
static const Unit watt_units[] = { { 1e6, "MW" },
                                   { 1e3, "kW" },
                                   { 1, "W" },
                                   { 1e-3, "mW" },
                                   { 0, NULL } };
static const Unit gram_units[] = { { 1e6, "t" },
                                   { 1e3, "kg" },
                                   { 1, "g" },
                                   { 1e-3, "mg" },
                                   { 0, NULL } };
static const Unit grams_per_joule_units[] = { { 1 / JOULES_PER_KWH, "g/kWh" },
                                              { 0, NULL } };

/* Those of clocks and calendars, and below a second and above a day those of numbers.
 */
static const double time_steps[] = {
  1e-6,        2e-6,        5e-6,    1e-5,     2e-5,       5e-5,       1e-4,
  2e-4,        5e-4,        1e-3,    2e-3,     5e-3,       1e-2,       2e-2,
  5e-2,        0.1,         0.2,     0.5,      1,          2,          5,
  10,          15,          30,      MINUTE,   2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
  15 * MINUTE, 30 * MINUTE, HOUR,    2 * HOUR, 3 * HOUR,   6 * HOUR,   12 * HOUR,
  DAY,         2 * DAY,     5 * DAY, 10 * DAY, 20 * DAY,   50 * DAY,   100 * DAY,
  200 * DAY,   500 * DAY,
};

static void
clear_tick (gpointer data)
{
  JmPlotTick *tick = data;

  g_free (tick->label);
}

static JmPlotTicks *
ticks_new (double from, double to)
{
  JmPlotTicks *self = g_new0 (JmPlotTicks, 1);

  self->from = from;
  self->to = to;
  self->ticks = g_array_new (FALSE, FALSE, sizeof (JmPlotTick));
  g_array_set_clear_func (self->ticks, clear_tick);

  return self;
}

static void
take_tick (JmPlotTicks *self, double at, char *label)
{
  JmPlotTick tick = { at, label };

  g_array_append_val (self->ticks, tick);
}

void
jm_plot_ticks_free (JmPlotTicks *self)
{
  g_array_unref (self->ticks);
  g_free (self);
}

/* How many decimals distinguish multiples of @step. */
static int
count_decimals (double step)
{
  int n = 0;

  while (n < MAX_DECIMALS && fabs (step - round (step)) > TOLERANCE * step)
    {
      step *= 10;
      n++;
    }

  return n;
}

/* --- lengths of time --- */

/* Seconds from their smallest part on, in whole numbers: 59.999 must not become 60. */
static void
append_seconds (GString *text, guint64 n_parts, guint64 parts_per_second, int decimals)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT, n_parts / parts_per_second);
  if (decimals > 0)
    g_string_append_printf (text, ".%0*" G_GUINT64_FORMAT, decimals,
                            n_parts % parts_per_second);
  g_string_append_c (text, 's');
}

/* As people write it, without the parts that are zero: 90s is 1m30s, and 3600s is 1h.
 */
static char *
format_elapsed (double seconds, double step)
{
  static const struct
  {
    guint64 size;
    char name;
  } parts[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' } };
  int decimals = MIN (count_decimals (step), 6);
  guint64 per_second = (guint64) pow (10, decimals);
  guint64 rest;
  GString *text;

  if (fabs (seconds) > MAX_SECONDS)
    return g_strdup_printf ("%.0fd", seconds / DAY);

  rest = (guint64) (fabs (seconds) * (double) per_second + 0.5);
  text = g_string_new (seconds < 0 && rest > 0 ? "-" : NULL);
  if (rest == 0)
    g_string_append_c (text, '0');
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      guint64 size = parts[i].size * per_second;

      if (rest >= size)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT "%c", rest / size,
                                parts[i].name);
      rest %= size;
    }
  if (rest > 0)
    append_seconds (text, rest, per_second, decimals);

  return g_string_free (text, FALSE);
}

/* --- values --- */

static const Unit *
get_units (JmFormat format)
{
  switch (format)
    {
    case JM_FORMAT_BYTES:
      return byte_units;
    case JM_FORMAT_PERCENT:
      return percent_units;
    case JM_FORMAT_JOULES:
      return joule_units;
    case JM_FORMAT_WATTS:
      return watt_units;
    case JM_FORMAT_GRAMS:
      return gram_units;
    case JM_FORMAT_GRAMS_PER_JOULE:
      return grams_per_joule_units;
    case JM_FORMAT_DURATION:
      return second_units;
    case JM_FORMAT_TIME:
    case JM_FORMAT_TEXT:
    case JM_FORMAT_COUNT:
    default:
      return no_units;
    }
}

/* The largest in which there is at least one of it, else the smallest. */
static Unit
find_unit (JmFormat format, double largest)
{
  const Unit *unit = get_units (format);

  while (largest < unit->size * (1 - TOLERANCE) && unit[1].size > 0)
    unit++;

  /* of a thousand things all digits are written */
  return unit->name != NULL ? *unit : (Unit){ 1e3, "K" };
}

/* The smallest step, of those that the format has, which is no less than @least. */
static double
find_step (JmFormat format, double least)
{
  double power;

  if (format == JM_FORMAT_BYTES && least > LEAST_POWER_OF_TWO / 2)
    return exp2 (ceil (log2 (least) - TOLERANCE));

  power = pow (10, floor (log10 (least)));
  for (guint i = 0; i < 3; i++)
    {
      static const double factors[] = { 1, 2, 5 };

      if (factors[i] * power >= least * (1 - TOLERANCE))
        return factors[i] * power;
    }

  return 10 * power;
}

static double
find_clock_step (double least)
{
  for (guint i = 0; i < G_N_ELEMENTS (time_steps); i++)
    if (time_steps[i] >= least * (1 - TOLERANCE))
      return time_steps[i];

  return find_step (JM_FORMAT_COUNT, least / DAY) * DAY;
}

/* With a span that can be divided. */
static void
widen (double *lowest, double *highest)
{
  double largest;

  if (!isfinite (*lowest) || !isfinite (*highest) || *lowest > *highest)
    *lowest = *highest = 0;
  *lowest = CLAMP (*lowest, -JM_PLOT_LARGEST_VALUE, JM_PLOT_LARGEST_VALUE);
  *highest = CLAMP (*highest, -JM_PLOT_LARGEST_VALUE, JM_PLOT_LARGEST_VALUE);

  largest = fmax (fabs (*lowest), fabs (*highest));
  if (*lowest == 0 && *highest == 0)
    *highest = 1;
  else if (*highest - *lowest < LEAST_SHARE * largest)
    *highest = *lowest + LEAST_SHARE * largest;
}

static char *
format_value (JmFormat format, double at, double step, const Unit *unit)
{
  if (at == 0)
    return g_strdup ("0");
  if (format == JM_FORMAT_DURATION)
    return format_elapsed (at, step);

  return g_strdup_printf ("%.*f%s", count_decimals (step), at, unit->name);
}

/* Multiples of @step from @first to @last, in units. */
typedef struct
{
  Unit unit;
  double step;
  double first;
  double last;
} Scale;

static Scale
choose_scale (JmFormat format,
              Unit unit,
              double lowest,
              double highest,
              guint max_ticks)
{
  gboolean is_clock = format == JM_FORMAT_DURATION;
  Scale scale = { .unit = unit };

  lowest /= unit.size;
  highest =
    fmax (highest / unit.size, lowest + (is_clock ? LEAST_SECONDS : LEAST_SPAN));
  do
    {
      double least =
        scale.step > 0 ? scale.step * 1.01 : (highest - lowest) / max_ticks;

      scale.step = is_clock ? find_clock_step (least) : find_step (format, least);
      scale.first = floor (lowest / scale.step + TOLERANCE);
      scale.last = ceil (highest / scale.step - TOLERANCE);
    }
  while (scale.last - scale.first + 1 > max_ticks);

  return scale;
}

/* The largest tick may be the first that has the next unit: 1GiB and not 1024MiB. */
static Scale
find_scale (JmFormat format, double lowest, double highest, guint max_ticks)
{
  Unit unit = find_unit (format, fmax (fabs (lowest), fabs (highest)));
  Scale scale = choose_scale (format, unit, lowest, highest, max_ticks);
  double largest =
    fmax (fabs (scale.first), fabs (scale.last)) * scale.step * unit.size;
  Unit larger = find_unit (format, largest);

  if (larger.size > unit.size)
    scale = choose_scale (format, larger, lowest, highest, max_ticks);

  return scale;
}

JmPlotTicks *
jm_plot_ticks_new_values (JmFormat format,
                          double lowest,
                          double highest,
                          guint max_ticks)
{
  Scale scale;
  JmPlotTicks *self;

  widen (&lowest, &highest);
  scale = find_scale (format, lowest, highest, MAX (max_ticks, 3));
  self = ticks_new (0, 0);
  for (double n = scale.first; n <= scale.last; n++)
    {
      /* no negative zero */
      double at = n == 0 ? 0 : n * scale.step;

      take_tick (self, at * scale.unit.size,
                 format_value (format, at, scale.step, &scale.unit));
    }

  self->from = jm_plot_ticks_get (self, 0)->at;
  self->to = jm_plot_ticks_get (self, self->ticks->len - 1)->at;

  return self;
}

/* --- axes of time --- */

static double
choose_clock_step (double from, double to, guint max_ticks)
{
  double step = find_clock_step ((to - from) / (MAX (max_ticks, 2) + 1));

  while (floor (to / step) - ceil (from / step) + 1 > max_ticks)
    step = find_clock_step (step * 1.01);

  return step;
}

JmPlotTicks *
jm_plot_ticks_new_elapsed (double from, double to, guint max_ticks)
{
  double step = choose_clock_step (from, to, max_ticks);
  double first = ceil (from / step - TOLERANCE);
  double last = floor (to / step + TOLERANCE);
  JmPlotTicks *self = ticks_new (from, to);

  for (guint i = 0; i < max_ticks && first + i <= last; i++)
    {
      double at = first + i == 0 ? 0 : (first + i) * step;

      take_tick (self, at, format_elapsed (at, step));
    }

  return self;
}
