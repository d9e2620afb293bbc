/* jm-plot-svg.c: a plot as SVG
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/plot/jm-plot-layout-private.h"

/* Colours are attributes, so that they are right without any style sheet, and classes,
 * so that one may replace them. There are neither scripts nor styles in the elements,
 * which pages of a strict Content-Security-Policy could not show, and no ids, for there
 * may be several plots on a page. */
#define CSS_LIGHT(id, name, light, dark) "--jm-plot-" name ":#" #light ";"
#define CSS_DARK(id, name, light, dark) "--jm-plot-" name ":#" #dark ";"
#define CSS_RULES(id, name, light, dark)                                               \
 ".jm-plot-line-" name "{stroke:var(--jm-plot-" name ")}"                              \
 ".jm-plot-fill-" name "{fill:var(--jm-plot-" name ")}"

#define CSS_COLOURS                                                                    \
 ".jm-plot{" JM_PLOT_FOR_EACH_INK (                                                    \
   CSS_LIGHT) "}\n"                                                                    \
              "@media (prefers-color-scheme:dark){.jm-plot{" JM_PLOT_FOR_EACH_INK (    \
                CSS_DARK) "}}\n"                                                       \
                          "@media print{.jm-plot{" JM_PLOT_FOR_EACH_INK (              \
                            CSS_LIGHT) "}}\n" JM_PLOT_FOR_EACH_INK (CSS_RULES) "\n"

/* On a page the paper is the page's. */
#define CSS_PAGE                                                                       \
 ".jm-plot{max-width:100%;height:auto;font-family:inherit}\n"                          \
 ".jm-plot .jm-plot-fill-background{fill:none}\n"

#define FONT_FAMILY "system-ui, 'DejaVu Sans', 'Liberation Sans', sans-serif"

typedef struct
{
  JmPlotCanvas canvas;
  GString *svg;
} Svg;

static void
append_number (GString *svg, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.2f", number);
  if (strchr (text, '.') != NULL)
    {
      char *end = text + strlen (text);

      while (end[-1] == '0')
        *--end = '\0';
      if (end[-1] == '.')
        *--end = '\0';
    }
  g_string_append (svg, strcmp (text, "-0") != 0 ? text : "0");
}

static void
append_attribute (GString *svg, const char *name, double number)
{
  g_string_append_printf (svg, " %s=\"", name);
  append_number (svg, number);
  g_string_append_c (svg, '"');
}

static void
append_text (GString *svg, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (svg, escaped);
}

static void
append_element (GString *svg, const char *element, const char *text)
{
  g_string_append_printf (svg, "<%s>", element);
  append_text (svg, text);
  g_string_append_printf (svg, "</%s>", element);
}

/* Tenths of a pixel. */
static void
append_tenths (GString *svg, gint64 n)
{
  g_string_append_printf (svg, "%s%" G_GINT64_FORMAT, n < 0 ? "-" : "", ABS (n) / 10);
  if (n % 10 != 0)
    g_string_append_printf (svg, ".%d", (int) (ABS (n) % 10));
}

/* The first of a line by its place, the others by their distance to the one before:
 * that is half as long. */
static void
append_path (GString *svg, const GArray *points, const char *end)
{
  gboolean is_drawing = FALSE;
  gint64 x = 0;
  gint64 y = 0;

  g_string_append (svg, "<path d=\"");
  for (gsize i = 0; i < points->len; i++)
    {
      const JmPlotPoint *point = jm_plot_points_get (points, i);
      gint64 from_x = is_drawing ? x : 0;
      gint64 from_y = is_drawing ? y : 0;

      if (isnan (point->x) || isnan (point->y))
        {
          if (is_drawing)
            g_string_append (svg, end);
          is_drawing = FALSE;
          continue;
        }
      x = (gint64) round (point->x * 10);
      y = (gint64) round (point->y * 10);
      g_string_append_c (svg, is_drawing ? 'l' : 'M');
      append_tenths (svg, x - from_x);
      if (y >= from_y)
        g_string_append_c (svg, ' ');
      append_tenths (svg, y - from_y);
      is_drawing = TRUE;
    }
  if (is_drawing)
    g_string_append (svg, end);
  g_string_append_c (svg, '"');
}

static void
end_path (GString *svg, const JmPlotPen *pen)
{
  if (pen->title == NULL)
    {
      g_string_append (svg, "/>\n");
      return;
    }

  g_string_append_c (svg, '>');
  append_element (svg, "title", pen->title);
  g_string_append (svg, "</path>\n");
}

static void
svg_stroke (JmPlotCanvas *canvas, const GArray *points, const JmPlotPen *pen)
{
  GString *svg = ((Svg *) canvas)->svg;
  const JmPlotInkInfo *ink = jm_plot_ink_get_info (pen->ink);

  append_path (svg, points, "");
  g_string_append_printf (svg,
                          " class=\"jm-plot-line-%s\" fill=\"none\" stroke=\"#%06x\"",
                          ink->name, ink->light);
  append_attribute (svg, "stroke-width", pen->width);
  if (pen->opacity < 1)
    append_attribute (svg, "stroke-opacity", pen->opacity);
  for (guint i = 0; i < pen->n_dashes; i++)
    {
      g_string_append (svg, i == 0 ? " stroke-dasharray=\"" : " ");
      append_number (svg, pen->dashes[i]);
    }
  if (pen->n_dashes > 0)
    g_string_append_c (svg, '"');
  g_string_append (svg, " stroke-linejoin=\"round\"");
  end_path (svg, pen);
}

static void
svg_fill (JmPlotCanvas *canvas, const GArray *points, const JmPlotPen *pen)
{
  GString *svg = ((Svg *) canvas)->svg;
  const JmPlotInkInfo *ink = jm_plot_ink_get_info (pen->ink);

  append_path (svg, points, "Z");
  g_string_append_printf (svg, " class=\"jm-plot-fill-%s\" fill=\"#%06x\"", ink->name,
                          ink->light);
  if (pen->opacity < 1)
    append_attribute (svg, "fill-opacity", pen->opacity);
  end_path (svg, pen);
}

static void
svg_write (JmPlotCanvas *canvas,
           double x,
           double y,
           const char *text,
           const JmPlotFont *font)
{
  static const char *const anchors[] = { NULL, "middle", "end" };
  GString *svg = ((Svg *) canvas)->svg;
  const JmPlotInkInfo *ink = jm_plot_ink_get_info (font->ink);

  g_string_append (svg, "<text");
  append_attribute (svg, "x", x);
  append_attribute (svg, "y", y);
  append_attribute (svg, "font-size", font->size);
  g_string_append_printf (svg, " class=\"jm-plot-fill-%s\" fill=\"#%06x\"", ink->name,
                          ink->light);
  if (anchors[font->anchor] != NULL)
    g_string_append_printf (svg, " text-anchor=\"%s\"", anchors[font->anchor]);
  if (font->is_bold)
    g_string_append (svg, " font-weight=\"600\"");
  g_string_append_c (svg, '>');
  append_text (svg, text);
  g_string_append (svg, "</text>\n");
}

/* Of a letter in a font that nobody knows here, rather too wide than too narrow. */
static double
guess_width (gunichar c)
{
  if (g_unichar_iswide (c))
    return 1;
  if (g_unichar_iszerowidth (c))
    return 0;
  if (c < 128 && strchr ("ijl|!,.:;'()[] ftIr/-", (int) c) != NULL)
    return 0.37;
  if (g_unichar_isupper (c) || (c < 128 && strchr ("mwMW%@+=<>~", (int) c) != NULL))
    return 0.75;

  return 0.6;
}

static double
svg_measure (JmPlotCanvas *canvas, const char *text, const JmPlotFont *font)
{
  double width = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    width += guess_width (g_utf8_get_char (p));

  return width * font->size * (font->is_bold ? 1.08 : 1);
}

static void
svg_frame (JmPlotCanvas *canvas, const JmPlotFrame *frame)
{
  GString *svg = ((Svg *) canvas)->svg;

  g_string_append (svg, "<g class=\"jm-plot-frame\"");
  append_attribute (svg, "data-left", frame->left);
  append_attribute (svg, "data-right", frame->right);
  append_attribute (svg, "data-top", frame->top);
  append_attribute (svg, "data-bottom", frame->bottom);
  append_attribute (svg, "data-from", frame->from_seconds);
  append_attribute (svg, "data-to", frame->to_seconds);
  g_string_append_printf (svg, " data-lowest=\"%s\" data-highest=\"%s\"/>\n",
                          frame->lowest, frame->highest);
}

static void
append_background (GString *svg, guint width, guint height)
{
  const JmPlotInkInfo *ink = jm_plot_ink_get_info (JM_PLOT_INK_BACKGROUND);

  g_string_append_printf (svg,
                          "<rect width=\"%u\" height=\"%u\" class=\"jm-plot-fill-%s\" "
                          "fill=\"#%06x\"/>\n",
                          width, height, ink->name, ink->light);
}

static char *
make_svg (JmPlot *self, guint width, guint height, const char *css)
{
  Svg svg = { { svg_stroke, svg_fill, svg_write, svg_measure, svg_frame },
              g_string_new (NULL) };
  g_autofree char *description = jm_plot_describe (self);

  width = jm_plot_fit_size (width);
  height = jm_plot_fit_size (height);
  g_string_append_printf (svg.svg,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"jm-plot\" "
                          "role=\"img\" width=\"%u\" height=\"%u\" "
                          "viewBox=\"0 0 %u %u\" font-family=\"%s\">\n",
                          width, height, width, height, FONT_FAMILY);
  append_element (svg.svg, "title", self->title);
  append_element (svg.svg, "desc", description);
  g_string_append_c (svg.svg, '\n');
  if (css != NULL)
    g_string_append_printf (svg.svg, "<style>\n%s</style>\n", css);
  append_background (svg.svg, width, height);
  jm_plot_paint (self, &svg.canvas, width, height);
  g_string_append (svg.svg, "</svg>\n");

  return g_string_free (svg.svg, FALSE);
}

/**
 * jm_plot_to_svg:
 * @self: a plot
 * @width: pixels across, from 100 to 4000; what is beyond counts as these
 * @height: pixels down, likewise
 *
 * Draws a plot as SVG, an element that may stand in a page, several times as well, or
 * alone in a file. It has no script, no style sheet and no ids; words are text, and a
 * description is for those who do not see it.
 *
 * Returns: (transfer full): the element, in UTF-8
 * Since: 0.1
 */
char *
jm_plot_to_svg (JmPlot *self, guint width, guint height)
{
  g_return_val_if_fail (self != NULL, NULL);

  return make_svg (self, width, height, NULL);
}

char *
jm_plot_to_svg_file (JmPlot *self, guint width, guint height)
{
  return make_svg (self, width, height, CSS_COLOURS);
}

const char *
jm_plot_get_css (void)
{
  return CSS_COLOURS CSS_PAGE;
}
