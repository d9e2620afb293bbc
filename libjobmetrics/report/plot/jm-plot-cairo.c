/* jm-plot-cairo.c: a plot as PNG, as PDF, and in a picture of others
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>

#include "base/jm-error.h"
#include "report/plot/jm-cairo-private.h"
#include "report/plot/jm-plot-layout-private.h"

#define FONT_FAMILY "sans-serif"

typedef struct
{
  JmPlotCanvas canvas;
  cairo_t *cr;
} Cairo;

static void
set_ink (cairo_t *cr, JmPlotInk ink, double opacity)
{
  guint32 light = jm_plot_ink_get_info (ink)->light;

  CAIRO (set_source_rgba)
  (cr, (light >> 16) / 255.0, (light >> 8 & 0xff) / 255.0, (light & 0xff) / 255.0,
   opacity);
}

static void
make_path (cairo_t *cr, const GArray *points)
{
  gboolean is_drawing = FALSE;

  CAIRO (new_path) (cr);
  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);

      if (isnan (point->x) || isnan (point->y))
        is_drawing = FALSE;
      else if (is_drawing)
        CAIRO (line_to) (cr, point->x, point->y);
      else
        {
          CAIRO (move_to) (cr, point->x, point->y);
          is_drawing = TRUE;
        }
    }
}

static void
cairo_canvas_stroke (JmPlotCanvas *canvas, const GArray *points, const JmPlotPen *pen)
{
  cairo_t *cr = ((Cairo *) canvas)->cr;

  make_path (cr, points);
  set_ink (cr, pen->ink, pen->opacity);
  CAIRO (set_line_width) (cr, pen->width);
  CAIRO (set_line_join) (cr, CAIRO_LINE_JOIN_ROUND);
  CAIRO (set_dash) (cr, pen->dashes, (int) pen->n_dashes, 0);
  CAIRO (stroke) (cr);
}

static void
cairo_canvas_fill (JmPlotCanvas *canvas, const GArray *points, const JmPlotPen *pen)
{
  cairo_t *cr = ((Cairo *) canvas)->cr;

  make_path (cr, points);
  set_ink (cr, pen->ink, pen->opacity);
  CAIRO (fill) (cr);
}

static PangoLayout *
make_layout (cairo_t *cr, const char *text, const JmPlotFont *font)
{
  PangoLayout *layout = PANGO (cairo_create_layout) (cr);
  PangoFontDescription *description = PANGO (font_description_new) ();
  cairo_font_options_t *options = CAIRO (font_options_create) ();

  /* the same words in every size and format */
  CAIRO (font_options_set_hint_metrics) (options, CAIRO_HINT_METRICS_OFF);
  CAIRO (font_options_set_hint_style) (options, CAIRO_HINT_STYLE_NONE);
  PANGO (cairo_context_set_font_options) (PANGO (layout_get_context) (layout), options);
  PANGO (context_set_round_glyph_positions)
  (PANGO (layout_get_context) (layout), FALSE);
  CAIRO (font_options_destroy) (options);

  PANGO (font_description_set_family_static) (description, FONT_FAMILY);
  PANGO (font_description_set_absolute_size) (description, font->size * PANGO_SCALE);
  if (font->is_bold)
    PANGO (font_description_set_weight) (description, PANGO_WEIGHT_BOLD);
  PANGO (layout_set_font_description) (layout, description);
  PANGO (layout_set_text) (layout, text, -1);
  PANGO (font_description_free) (description);

  return layout;
}

static double
cairo_canvas_measure (JmPlotCanvas *canvas, const char *text, const JmPlotFont *font)
{
  g_autoptr (PangoLayout) layout = make_layout (((Cairo *) canvas)->cr, text, font);
  int width;

  PANGO (layout_get_size) (layout, &width, NULL);

  return (double) width / PANGO_SCALE;
}

static void
cairo_canvas_write (JmPlotCanvas *canvas,
                    double x,
                    double y,
                    const char *text,
                    const JmPlotFont *font)
{
  cairo_t *cr = ((Cairo *) canvas)->cr;
  g_autoptr (PangoLayout) layout = make_layout (cr, text, font);
  double width = cairo_canvas_measure (canvas, text, font);

  if (font->anchor == JM_PLOT_ANCHOR_MIDDLE)
    x -= width / 2;
  else if (font->anchor == JM_PLOT_ANCHOR_END)
    x -= width;
  set_ink (cr, font->ink, 1);
  CAIRO (move_to)
  (cr, x, y - (double) PANGO (layout_get_baseline) (layout) / PANGO_SCALE);
  PANGO (cairo_show_layout) (cr, layout);
}

void
jm_plot_draw (JmPlot *self,
              cairo_t *cr,
              double x,
              double y,
              double width,
              double height)
{
  Cairo canvas = { { cairo_canvas_stroke, cairo_canvas_fill, cairo_canvas_write,
                     cairo_canvas_measure },
                   cr };

  g_return_if_fail (self != NULL);
  g_return_if_fail (cr != NULL);

  width = CLAMP (width, JM_PLOT_MIN_SIZE, JM_PLOT_MAX_SIZE);
  height = CLAMP (height, JM_PLOT_MIN_SIZE, JM_PLOT_MAX_SIZE);
  CAIRO (save) (cr);
  CAIRO (translate) (cr, x, y);
  jm_plot_paint (self, &canvas.canvas, width, height);
  CAIRO (restore) (cr);
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);

  return CAIRO_STATUS_SUCCESS;
}

/* Draws on white paper. */
static void
draw_on (cairo_surface_t *surface, JmPlot *self, guint width, guint height)
{
  cairo_t *cr = CAIRO (create) (surface);

  CAIRO (set_source_rgb) (cr, 1, 1, 1);
  CAIRO (paint) (cr);
  jm_plot_draw (self, cr, 0, 0, width, height);
  CAIRO (show_page) (cr);
  CAIRO (destroy) (cr);
}

/* Takes both. */
static GBytes *
finish (GByteArray *data, cairo_status_t status, const char *format, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (data);

  g_byte_array_unref (data);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: cannot be drawn: %s", format,
               CAIRO (status_to_string) (status));

  return NULL;
}

GBytes *
jm_plot_make_png (JmPlot *self, guint width, guint height, GError **error)
{
  GByteArray *data;
  cairo_surface_t *surface;
  cairo_status_t status;

  if (!jm_cairo_load (error))
    return NULL;

  data = g_byte_array_new ();
  surface =
    CAIRO (image_surface_create) (CAIRO_FORMAT_RGB24, (int) width, (int) height);
  draw_on (surface, self, width, height);
  status = CAIRO (surface_write_to_png_stream) (surface, append, data);
  CAIRO (surface_destroy) (surface);

  return finish (data, status, "PNG", error);
}

GBytes *
jm_plot_make_pdf (JmPlot *self, guint width, guint height, GError **error)
{
  GByteArray *data;
  cairo_surface_t *surface;
  cairo_status_t status;

  if (!jm_cairo_load (error))
    return NULL;

  data = g_byte_array_new ();
  surface = CAIRO (pdf_surface_create_for_stream) (append, data, width, height);
  CAIRO (pdf_surface_set_metadata) (surface, CAIRO_PDF_METADATA_TITLE, self->title);
  CAIRO (pdf_surface_set_metadata) (surface, CAIRO_PDF_METADATA_CREATOR, "jobmetrics");
  draw_on (surface, self, width, height);
  CAIRO (surface_finish) (surface);
  status = CAIRO (surface_status) (surface);
  CAIRO (surface_destroy) (surface);

  return finish (data, status, "PDF", error);
}
