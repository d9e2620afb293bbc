/* jm-plot-mark.c: small shapes that tell lines apart
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/plot/jm-plot-mark-private.h"

#include <math.h>

/* Circle, square, triangle and diamond, full and hollow. */
typedef struct
{
  guint n_corners;
  double first_angle; /* of a full turn, clockwise from the right */
  double radius;      /* so that all look equally large */
} Shape;

static const Shape shapes[] = {
  { 16, 0, 1 },
  { 4, 0.125, 1.25 },
  { 3, 0.75, 1.35 },
  { 4, 0, 1.4 },
};

void
jm_plot_mark_append (GArray *polygons, guint style, const JmPlotPoint *at, double size)
{
  const Shape *shape = &shapes[style % G_N_ELEMENTS (shapes)];
  JmPlotPoint gap = { NAN, NAN };

  /* the first corner once more, for the outline is a line */
  for (guint i = 0; i <= shape->n_corners; i++)
    {
      double angle =
        2 * G_PI *
        (shape->first_angle + (double) (i % shape->n_corners) / shape->n_corners);
      JmPlotPoint corner = { at->x + shape->radius * size * cos (angle),
                             at->y + shape->radius * size * sin (angle) };

      g_array_append_val (polygons, corner);
    }
  g_array_append_val (polygons, gap);
}

gboolean
jm_plot_mark_is_hollow (guint style)
{
  return style >= G_N_ELEMENTS (shapes);
}
