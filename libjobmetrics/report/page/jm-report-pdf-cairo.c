/* jm-report-pdf-cairo.c: the report of a run on pages of A4
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "report/page/jm-report-paper-table-private.h"
#include "report/page/jm-report-pdf-private.h"
#include "report/plot/jm-plot-private.h"

#define LEFT JM_REPORT_PAPER_MARGIN
#define ROOM JM_REPORT_PAPER_ROOM

#define TITLE_SIZE 18
#define SIZE 9.5
#define LABEL_WIDTH 110
#define LABEL_GAP 10
#define NUMBER_WIDTH 52
#define BAR_HEIGHT 9
#define LINE_GAP 2
#define PLOT_HEIGHT 106
#define PLOT_GAP 12

/* --- lines --- */

static void
draw_label (JmReportPaper *self, const char *title, double y)
{
  g_autoptr (PangoLayout) label =
    jm_report_paper_make_text (self, title, SIZE, FALSE, LABEL_WIDTH, FALSE);

  PANGO (layout_set_alignment) (label, PANGO_ALIGN_RIGHT);
  jm_report_paper_show (self, label, LEFT, y, JM_REPORT_INK_MUTED);
}

static void
draw_line (JmReportPaper *self, const JmReportLine *line)
{
  const double indent = LABEL_WIDTH + LABEL_GAP;
  const gboolean is_toned = line->tone != JM_REPORT_TONE_PLAIN;
  g_autoptr (PangoLayout) text =
    jm_report_paper_make_text (self, line->text, SIZE, is_toned, ROOM - indent, TRUE);
  const double height = jm_report_paper_get_height (text);

  jm_report_paper_need (self, height);
  draw_label (self, line->title, self->y);
  jm_report_paper_show (self, text, LEFT + indent, self->y,
                        is_toned ? jm_report_paper_get_ink_of (line->tone)
                                 : JM_REPORT_INK_TEXT);
  self->y += height + LINE_GAP;
}

static void
draw_lines (JmReportPaper *self, GArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    draw_line (self, &g_array_index (lines, JmReportLine, i));
}

/* --- bars --- */

static void
draw_bar (JmReportPaper *self, const JmReportBar *bar)
{
  const double x = LEFT + LABEL_WIDTH + LABEL_GAP;
  const double width = ROOM - LABEL_WIDTH - LABEL_GAP - NUMBER_WIDTH;
  g_autofree char *words = jm_report_bar_format (bar);
  g_autoptr (PangoLayout) number =
    jm_report_paper_make_text (self, words, SIZE, TRUE, NUMBER_WIDTH, FALSE);
  const double height = jm_report_paper_get_height (number);
  const double middle = self->y + (height - BAR_HEIGHT) / 2;

  draw_label (self, bar->title, self->y);
  if (bar->share.is_known)
    {
      jm_report_paper_fill (self, x, middle, width, BAR_HEIGHT, JM_REPORT_INK_TRACK);
      jm_report_paper_fill (self, x, middle,
                            width * CLAMP (bar->share.value, 0, 100) / 100, BAR_HEIGHT,
                            jm_report_paper_get_ink_of (bar->tone));
    }
  PANGO (layout_set_alignment) (number, PANGO_ALIGN_RIGHT);
  jm_report_paper_show (self, number, LEFT + ROOM - NUMBER_WIDTH, self->y,
                        JM_REPORT_INK_TEXT);
  self->y += height + 2 * LINE_GAP;
}

static void
draw_bars (JmReportPaper *self, GArray *bars)
{
  jm_report_paper_head (self, "Overall", bars->len * 2 * SIZE);
  for (guint i = 0; i < bars->len; i++)
    draw_bar (self, &g_array_index (bars, JmReportBar, i));
}

/* --- advice --- */

/* Returns how high it is; nothing is drawn for @is_measured. */
static double
draw_words (JmReportPaper *self,
            const char *words,
            gboolean is_bold,
            double y,
            gboolean is_measured)
{
  g_autoptr (PangoLayout) text = NULL;

  if (words == NULL)
    return 0;

  text = jm_report_paper_make_text (self, words, SIZE, is_bold, ROOM - LABEL_GAP, TRUE);
  if (!is_measured)
    jm_report_paper_show (self, text, LEFT + LABEL_GAP, y, JM_REPORT_INK_TEXT);

  return jm_report_paper_get_height (text) + LINE_GAP;
}

static double
draw_hint_words (JmReportPaper *self, const JmReportHint *hint, gboolean is_measured)
{
  g_autofree char *title =
    g_strdup_printf ("%s (%s)", hint->title != NULL ? hint->title : "", hint->level);
  double y = self->y;

  y += draw_words (self, title, TRUE, y, is_measured);
  y += draw_words (self, hint->reason, FALSE, y, is_measured);
  y += draw_words (self, hint->action, FALSE, y, is_measured);

  return y - self->y;
}

static void
draw_hint (JmReportPaper *self, const JmReportHint *hint)
{
  const double height = draw_hint_words (self, hint, TRUE);

  jm_report_paper_need (self, height);
  jm_report_paper_fill (self, LEFT, self->y, 3, height,
                        jm_report_paper_get_ink_of (hint->tone));
  draw_hint_words (self, hint, FALSE);
  self->y += height + 3 * LINE_GAP;
}

static void
draw_hints (JmReportPaper *self, GArray *hints)
{
  if (hints->len == 0)
    return;

  jm_report_paper_head (self, "Advice", 4 * SIZE);
  for (guint i = 0; i < hints->len; i++)
    draw_hint (self, &g_array_index (hints, JmReportHint, i));
}

/* --- plots --- */

/* Two beside each other. */
static void
draw_plots (JmReportPaper *self, GPtrArray *plots)
{
  const double width = (ROOM - PLOT_GAP) / 2;

  if (plots->len == 0)
    return;

  jm_report_paper_head (self, "Over time", PLOT_HEIGHT + LABEL_GAP);
  for (guint i = 0; i < plots->len; i++)
    {
      const gboolean is_left = i % 2 == 0;

      if (is_left)
        jm_report_paper_need (self, PLOT_HEIGHT);
      CAIRO (save) (self->cr);
      jm_plot_draw (plots->pdata[i], self->cr, is_left ? LEFT : LEFT + width + PLOT_GAP,
                    self->y, width, PLOT_HEIGHT);
      CAIRO (restore) (self->cr);
      if (!is_left || i + 1 == plots->len)
        self->y += PLOT_HEIGHT + PLOT_GAP;
    }
}

/* --- pages --- */

static void
draw_title (JmReportPaper *self)
{
  g_autoptr (PangoLayout) title =
    jm_report_paper_make_text (self, self->title, TITLE_SIZE, TRUE, ROOM, FALSE);

  jm_report_paper_show (self, title, LEFT, self->y, JM_REPORT_INK_TEXT);
  self->y += jm_report_paper_get_height (title) + LABEL_GAP;
}

static void
draw_content (JmReportPaper *self, JmReportContent *content, GPtrArray *plots)
{
  draw_title (self);
  draw_lines (self, content->verdict);
  if (content->verdict->len > 0)
    self->y += LABEL_GAP;
  draw_lines (self, content->identity);
  if (content->bars->len > 0)
    draw_bars (self, content->bars);
  draw_hints (self, content->hints);
  draw_plots (self, plots);
  for (guint i = 0; i < content->tables->len; i++)
    jm_report_paper_draw_table (self, content->tables->pdata[i]);
  if (content->energy->len > 0)
    jm_report_paper_head (self, "Energy and emissions", 2 * SIZE);
  draw_lines (self, content->energy);
  if (content->meters != NULL)
    jm_report_paper_draw_table (self, content->meters);
  if (content->figures->len > 0)
    {
      jm_report_paper_head (self, "What else was seen", 2 * SIZE);
      draw_lines (self, content->figures);
    }
  if (content->notes->len > 0)
    jm_report_paper_head (self, "Sources", 2 * SIZE);
  draw_lines (self, content->notes);
  if (content->is_estimated)
    {
      self->y += LABEL_GAP;
      self->y += draw_words (self,
                             JM_FIGURE_ESTIMATE_MARK
                             " stands before what is estimated, in part or as a whole.",
                             FALSE, self->y, FALSE);
    }
  jm_report_paper_end_page (self);
}

static cairo_status_t
append_bytes (gpointer closure, const guchar *data, guint length)
{
  if (closure != NULL)
    g_byte_array_append (closure, data, length);

  return CAIRO_STATUS_SUCCESS;
}

/* Draws all pages to @bytes, or nowhere for NULL. Returns how many there are; 0 where
 * that cannot be done, and has put why into @status. */
static guint
draw (JmReportContent *content,
      GPtrArray *plots,
      guint n_pages,
      GByteArray *bytes,
      cairo_status_t *status)
{
  cairo_surface_t *surface =
    CAIRO (pdf_surface_create_for_stream) (append_bytes, bytes, JM_REPORT_PAPER_WIDTH,
                                           JM_REPORT_PAPER_HEIGHT);
  JmReportPaper paper = { CAIRO (create) (surface), content->title,
                          JM_REPORT_PAPER_MARGIN, 1, n_pages };

  CAIRO (pdf_surface_set_metadata) (surface, CAIRO_PDF_METADATA_TITLE, content->title);
  CAIRO (pdf_surface_set_metadata) (surface, CAIRO_PDF_METADATA_CREATOR, "jobmetrics");
  draw_content (&paper, content, plots);
  *status = CAIRO (status) (paper.cr);
  CAIRO (destroy) (paper.cr);
  CAIRO (surface_finish) (surface);
  if (*status == CAIRO_STATUS_SUCCESS)
    *status = CAIRO (surface_status) (surface);
  CAIRO (surface_destroy) (surface);

  return *status == CAIRO_STATUS_SUCCESS ? paper.page - 1 : 0;
}

/* Twice, for each page says how many there are. */
GBytes *
jm_report_pdf_draw (JmReportContent *content, GPtrArray *plots, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_status_t status;
  guint n_pages;

  if (!jm_cairo_load (error))
    return NULL;
  n_pages = draw (content, plots, 0, NULL, &status);
  if (n_pages > 0)
    draw (content, plots, n_pages, bytes, &status);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "the PDF cannot be drawn: %s",
                   CAIRO (status_to_string) (status));
      return NULL;
    }

  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
