/* jm-plot.c: series over time as a picture
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "report/plot/jm-plot-canvas-private.h"
#include "report/plot/jm-plot-private.h"
#include "report/plot/jm-plot-text-private.h"

G_DEFINE_BOXED_TYPE (JmPlot, jm_plot, g_atomic_rc_box_acquire, jm_plot_unref)

/**
 * jm_plot_new:
 * @kind: how the series are shown
 * @title: what they are, such as `Memory`; may be empty
 * @format: what the values measure, which gives the words of the axis
 *
 * Creates a plot, which is empty.
 *
 * Returns: (transfer full): the plot
 * Since: 0.1
 */
JmPlot *
jm_plot_new (JmPlotKind kind, const char *title, JmFormat format)
{
  JmPlot *self = g_atomic_rc_box_new0 (JmPlot);

  self->kind = kind;
  self->title = jm_plot_text_make (title);
  self->format = format;
  self->series = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_plot_series_free);

  return self;
}

static void
plot_clear (JmPlot *self)
{
  g_free (self->title);
  g_free (self->limit_name);
  g_ptr_array_unref (self->series);
}

/**
 * jm_plot_unref:
 * @self: (transfer full): a plot
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_plot_unref (JmPlot *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) plot_clear);
}

/**
 * jm_plot_set_range:
 * @self: a plot
 * @begin_us: when its axis begins, microseconds since 1970
 * @end_us: when it ends, not before
 *
 * Sets what time is shown, such as the life of a job; series are cut off where they lie
 * beyond. Without it that is from the first point to the last. The axis shows the time
 * since the begin.
 *
 * Since: 0.1
 */
void
jm_plot_set_range (JmPlot *self, gint64 begin_us, gint64 end_us)
{
  g_return_if_fail (self != NULL);

  self->has_range = TRUE;
  self->begin_seconds = (double) begin_us / G_USEC_PER_SEC;
  self->end_seconds = (double) MAX (begin_us, end_us) / G_USEC_PER_SEC;
}

/**
 * jm_plot_set_zoom:
 * @self: a plot
 * @from_seconds: where the part begins, seconds since the begin of the plot
 * @to_seconds: where it ends, likewise; 0 for the end of the plot
 *
 * Draws only a part of the time. The axis keeps counting from the begin of the plot. A
 * part that the plot does not have is ignored.
 *
 * Since: 0.1
 */
void
jm_plot_set_zoom (JmPlot *self, double from_seconds, double to_seconds)
{
  g_return_if_fail (self != NULL);

  self->zoom_from = from_seconds;
  self->zoom_to = to_seconds;
}

/**
 * jm_plot_add_series:
 * @self: a plot
 * @name: what it is, such as `core 3`; a long one is cut where it is shown
 * @times_seconds: (array length=n_points): when each point is, seconds since 1970
 * @values: (array length=n_points): what was measured then, in the base unit of the
 *   format
 * @n_points: how many points there are
 *
 * Adds a series. A value that is not a finite number, such as NaN, is a gap, and drawn
 * as one. Points are best in the order of time, else they are put in it; one whose time
 * is not a finite number is left out.
 *
 * - Shape: at most 2000 points are kept, of more the peaks and the troughs; at most
 *   %JM_PLOT_MAX_SERIES series, and the legend shows how many more there were.
 * - Units: the base unit of the format, per cent as 100 for the whole.
 *
 * Since: 0.1
 */
void
jm_plot_add_series (JmPlot *self,
                    const char *name,
                    const double *times_seconds,
                    const double *values,
                    gsize n_points)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (n_points == 0 || (times_seconds != NULL && values != NULL));

  if (self->series->len == JM_PLOT_MAX_SERIES)
    self->n_left_out++;
  else
    g_ptr_array_add (self->series,
                     jm_plot_series_new (name, times_seconds, values, n_points));
}

/**
 * jm_plot_set_limit:
 * @self: a plot
 * @name: what it is, such as `requested`
 * @value: how much, in the base unit of the format; none where it is not finite
 *
 * Sets a line across the plot, such as the memory that was asked for. One that is more
 * than twenty times what was used would flatten all else: it is in the legend
 * only.
 *
 * Since: 0.1
 */
void
jm_plot_set_limit (JmPlot *self, const char *name, double value)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->limit_name, g_free);
  if (!(fabs (value) <= JM_PLOT_LARGEST_VALUE))
    return;

  self->limit_name = jm_plot_text_make (name);
  self->limit = value;
}

/* --- in words --- */

static void
append_value (GString *text, JmPlot *self, const char *name, double value)
{
  g_autofree char *figure = jm_plot_text_format (self->format, value);

  g_string_append_printf (text, "%s %s", name, figure);
}

static void
append_statistics (GString *text,
                   JmPlot *self,
                   double minimum,
                   double mean,
                   double maximum)
{
  if (isnan (mean))
    {
      g_string_append (text, "no data");
      return;
    }

  append_value (text, self, "minimum", minimum);
  append_value (text, self, ", mean", mean);
  append_value (text, self, ", maximum", maximum);
}

static void
append_series (GString *text, JmPlot *self, const JmPlotSeries *series)
{
  if (*series->name != '\0')
    g_string_append_printf (text, "%s: ", series->name);
  append_statistics (text, self, series->minimum, series->mean, series->maximum);
}

/* Nobody listens to a hundred of them. */
static void
append_all (GString *text, JmPlot *self)
{
  double minimum = NAN;
  double maximum = NAN;
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->series->len; i++)
    {
      const JmPlotSeries *series = g_ptr_array_index (self->series, i);

      minimum = fmin (minimum, series->minimum);
      maximum = fmax (maximum, series->maximum);
      if (isnan (series->mean))
        continue;
      sum += series->mean;
      n++;
    }
  g_string_append_printf (text, "%u series: ", self->series->len);
  append_statistics (text, self, minimum, n > 0 ? sum / n : NAN, maximum);
}

/**
 * jm_plot_describe:
 * @self: a plot
 *
 * Says in a sentence what a plot shows, for those who do not see it: of each series the
 * minimum, the mean and the maximum, and the limit. More than eight are one.
 *
 * Returns: (transfer full): the sentence
 * Since: 0.1
 */
char *
jm_plot_describe (JmPlot *self)
{
  GString *text;

  g_return_val_if_fail (self != NULL, NULL);

  text = g_string_new (NULL);
  if (self->series->len == 0)
    g_string_append (text, "no data");
  else if (self->series->len > JM_PLOT_N_STYLES)
    append_all (text, self);
  else
    for (guint i = 0; i < self->series->len; i++)
      {
        g_string_append (text, i > 0 ? "; " : "");
        append_series (text, self, g_ptr_array_index (self->series, i));
      }
  if (self->limit_name != NULL)
    {
      g_string_append (text, "; ");
      append_value (text, self, self->limit_name, self->limit);
    }
  g_string_append_c (text, '.');

  return g_string_free (text, FALSE);
}

/* --- as a picture --- */

guint
jm_plot_fit_size (guint size)
{
  return CLAMP (size, JM_PLOT_MIN_SIZE, JM_PLOT_MAX_SIZE);
}

/**
 * jm_plot_to_png:
 * @self: a plot
 * @width: pixels across, from 100 to 4000; what is beyond counts as these
 * @height: pixels down, likewise
 * @error: return location for an error
 *
 * Draws a plot as PNG, on white.
 *
 * - Errors: %JM_ERROR_ABSENT where jobmetrics was built without cairo, or cairo and
 *   pango are not installed;
 *   %JM_ERROR_UNAVAILABLE where it cannot draw now, for lack of memory.
 *
 * Returns: (transfer full): the file
 * Since: 0.1
 */
GBytes *
jm_plot_to_png (JmPlot *self, guint width, guint height, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return jm_plot_make_png (self, jm_plot_fit_size (width), jm_plot_fit_size (height),
                           error);
}

/**
 * jm_plot_to_pdf:
 * @self: a plot
 * @width: points across, of 1/72 inch, from 100 to 4000; what is beyond counts as these
 * @height: points down, likewise
 * @error: return location for an error
 *
 * Draws a plot as PDF, one page of that size.
 *
 * - Errors: as jm_plot_to_png() has them.
 *
 * Returns: (transfer full): the file
 * Since: 0.1
 */
GBytes *
jm_plot_to_pdf (JmPlot *self, guint width, guint height, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return jm_plot_make_pdf (self, jm_plot_fit_size (width), jm_plot_fit_size (height),
                           error);
}
