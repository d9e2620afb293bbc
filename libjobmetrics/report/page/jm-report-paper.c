/* jm-report-paper.c: pages of A4, from top to bottom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-paper-private.h"

#define FONT "sans-serif"
#define FOOT_SIZE 8
#define HEAD_SIZE 12
#define HEAD_GAP 16
#define BOTTOM (JM_REPORT_PAPER_HEIGHT - JM_REPORT_PAPER_MARGIN)

static const double inks[][3] = {
  [JM_REPORT_INK_TEXT] = { 0.11, 0.14, 0.19 },
  [JM_REPORT_INK_MUTED] = { 0.34, 0.38, 0.44 },
  [JM_REPORT_INK_RULE] = { 0.85, 0.87, 0.90 },
  [JM_REPORT_INK_TRACK] = { 0.89, 0.91, 0.93 },
  [JM_REPORT_INK_PLAIN] = { 0.18, 0.44, 0.71 },
  [JM_REPORT_INK_GOOD] = { 0.11, 0.50, 0.27 },
  [JM_REPORT_INK_FAIR] = { 0.70, 0.42, 0.00 },
  [JM_REPORT_INK_POOR] = { 0.70, 0.15, 0.12 },
};

void
jm_report_paper_set_ink (JmReportPaper *self, JmReportInk ink)
{
  CAIRO (set_source_rgb) (self->cr, inks[ink][0], inks[ink][1], inks[ink][2]);
}

JmReportInk
jm_report_paper_get_ink_of (JmReportTone tone)
{
  switch (tone)
    {
    case JM_REPORT_TONE_GOOD:
      return JM_REPORT_INK_GOOD;
    case JM_REPORT_TONE_FAIR:
      return JM_REPORT_INK_FAIR;
    case JM_REPORT_TONE_POOR:
      return JM_REPORT_INK_POOR;
    case JM_REPORT_TONE_PLAIN:
    default:
      return JM_REPORT_INK_PLAIN;
    }
}

/* --- words --- */

PangoLayout *
jm_report_paper_make_text (JmReportPaper *self,
                           const char *text,
                           double size,
                           gboolean is_bold,
                           double width,
                           gboolean is_wrapped)
{
  PangoLayout *layout = PANGO (cairo_create_layout) (self->cr);
  PangoFontDescription *font = PANGO (font_description_from_string) (FONT);

  /* a page has no pixels of a screen: a point is a point */
  PANGO (cairo_context_set_resolution) (PANGO (layout_get_context) (layout), 72);
  PANGO (font_description_set_absolute_size) (font, size * PANGO_SCALE);
  PANGO (font_description_set_weight)
  (font, is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  PANGO (layout_set_font_description) (layout, font);
  PANGO (font_description_free) (font);
  PANGO (layout_set_text) (layout, text, -1);
  if (width <= 0)
    return layout;

  PANGO (layout_set_width) (layout, (int) (width * PANGO_SCALE));
  PANGO (layout_set_wrap) (layout, PANGO_WRAP_WORD_CHAR);
  if (!is_wrapped)
    PANGO (layout_set_ellipsize) (layout, PANGO_ELLIPSIZE_END);

  return layout;
}

double
jm_report_paper_get_width (PangoLayout *layout)
{
  int width;

  PANGO (layout_get_size) (layout, &width, NULL);

  return (double) width / PANGO_SCALE;
}

double
jm_report_paper_get_height (PangoLayout *layout)
{
  int height;

  PANGO (layout_get_size) (layout, NULL, &height);

  return (double) height / PANGO_SCALE;
}

void
jm_report_paper_show (JmReportPaper *self,
                      PangoLayout *layout,
                      double x,
                      double y,
                      JmReportInk ink)
{
  jm_report_paper_set_ink (self, ink);
  CAIRO (move_to) (self->cr, x, y);
  PANGO (cairo_show_layout) (self->cr, layout);
}

void
jm_report_paper_fill (JmReportPaper *self,
                      double x,
                      double y,
                      double width,
                      double height,
                      JmReportInk ink)
{
  jm_report_paper_set_ink (self, ink);
  CAIRO (rectangle) (self->cr, x, y, width, height);
  CAIRO (fill) (self->cr);
}

/* --- pages --- */

void
jm_report_paper_end_page (JmReportPaper *self)
{
  g_autofree char *number =
    g_strdup_printf ("Page %u of %u", self->page, self->n_pages);
  g_autoptr (PangoLayout) right =
    jm_report_paper_make_text (self, number, FOOT_SIZE, FALSE, 0, FALSE);
  const double width = jm_report_paper_get_width (right);
  const double room = JM_REPORT_PAPER_ROOM;
  g_autoptr (PangoLayout) left =
    jm_report_paper_make_text (self, self->title, FOOT_SIZE, FALSE,
                               room - width - HEAD_GAP, FALSE);

  jm_report_paper_show (self, left, JM_REPORT_PAPER_MARGIN, BOTTOM + HEAD_GAP / 2,
                        JM_REPORT_INK_MUTED);
  jm_report_paper_show (self, right, JM_REPORT_PAPER_MARGIN + room - width,
                        BOTTOM + HEAD_GAP / 2, JM_REPORT_INK_MUTED);
  CAIRO (show_page) (self->cr);
  self->page++;
  self->y = JM_REPORT_PAPER_MARGIN;
}

gboolean
jm_report_paper_need (JmReportPaper *self, double height)
{
  /* what is higher than a page would never fit one */
  if (self->y + height <= BOTTOM || self->y <= JM_REPORT_PAPER_MARGIN)
    return FALSE;
  jm_report_paper_end_page (self);

  return TRUE;
}

void
jm_report_paper_head (JmReportPaper *self, const char *title, double below)
{
  g_autoptr (PangoLayout) layout =
    jm_report_paper_make_text (self, title, HEAD_SIZE, TRUE, JM_REPORT_PAPER_ROOM,
                               FALSE);
  const double height = jm_report_paper_get_height (layout);

  if (!jm_report_paper_need (self, HEAD_GAP + height + below))
    self->y += HEAD_GAP;
  jm_report_paper_show (self, layout, JM_REPORT_PAPER_MARGIN, self->y,
                        JM_REPORT_INK_TEXT);
  self->y += height + 2;
  jm_report_paper_fill (self, JM_REPORT_PAPER_MARGIN, self->y, JM_REPORT_PAPER_ROOM,
                        0.8, JM_REPORT_INK_RULE);
  self->y += 5;
}
