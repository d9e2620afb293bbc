/* jm-plot-cairo.c: a plot as PNG, as PDF, and in a picture of others
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <cairo-pdf.h>
#include <math.h>
#include <pango/pangocairo.h>

#include "core/jm-error.h"
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

  cairo_set_source_rgba (cr, (light >> 16) / 255.0, (light >> 8 & 0xff) / 255.0,
                         (light & 0xff) / 255.0, opacity);
}

static void
make_path (cairo_t *cr, const GArray *points)
{
  gboolean is_drawing = FALSE;

  cairo_new_path (cr);
  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);

      if (isnan (point->x) || isnan (point->y))
        is_drawing = FALSE;
      else if (is_drawing)
        cairo_line_to (cr, point->x, point->y);
      else
        {
          cairo_move_to (cr, point->x, point->y);
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
  cairo_set_line_width (cr, pen->width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash (cr, pen->dashes, (int) pen->n_dashes, 0);
  cairo_stroke (cr);
}

static void
cairo_canvas_fill (JmPlotCanvas *canvas, const GArray *points, const JmPlotPen *pen)
{
  cairo_t *cr = ((Cairo *) canvas)->cr;

  make_path (cr, points);
  set_ink (cr, pen->ink, pen->opacity);
  cairo_fill (cr);
}

static PangoLayout *
make_layout (cairo_t *cr, const char *text, const JmPlotFont *font)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *description = pango_font_description_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

  /* the same words in every size and format */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options (pango_layout_get_context (layout), options);
  pango_context_set_round_glyph_positions (pango_layout_get_context (layout), FALSE);
  cairo_font_options_destroy (options);

  pango_font_description_set_family_static (description, FONT_FAMILY);
  pango_font_description_set_absolute_size (description, font->size * PANGO_SCALE);
  if (font->is_bold)
    pango_font_description_set_weight (description, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, description);
  pango_layout_set_text (layout, text, -1);
  pango_font_description_free (description);

  return layout;
}

static double
cairo_canvas_measure (JmPlotCanvas *canvas, const char *text, const JmPlotFont *font)
{
  g_autoptr (PangoLayout) layout = make_layout (((Cairo *) canvas)->cr, text, font);
  int width;

  pango_layout_get_size (layout, &width, NULL);

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
  cairo_move_to (cr, x, y - (double) pango_layout_get_baseline (layout) / PANGO_SCALE);
  pango_cairo_show_layout (cr, layout);
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
  cairo_save (cr);
  cairo_translate (cr, x, y);
  jm_plot_paint (self, &canvas.canvas, width, height);
  cairo_restore (cr);
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
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  jm_plot_draw (self, cr, 0, 0, width, height);
  cairo_show_page (cr);
  cairo_destroy (cr);
}

/* Takes both. */
static GBytes *
finish (GByteArray *data, cairo_status_t status, const char *format, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (data);

  g_byte_array_unref (data);
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: cannot be drawn: %s", format,
               cairo_status_to_string (status));

  return NULL;
}

GBytes *
jm_plot_make_png (JmPlot *self, guint width, guint height, GError **error)
{
  GByteArray *data = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;

  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
  draw_on (surface, self, width, height);
  status = cairo_surface_write_to_png_stream (surface, append, data);
  cairo_surface_destroy (surface);

  return finish (data, status, "PNG", error);
}

GBytes *
jm_plot_make_pdf (JmPlot *self, guint width, guint height, GError **error)
{
  GByteArray *data = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;

  surface = cairo_pdf_surface_create_for_stream (append, data, width, height);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, self->title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "jobmetrics");
  draw_on (surface, self, width, height);
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);

  return finish (data, status, "PDF", error);
}
