/* jm-report-paper-private.h: pages of A4, from top to bottom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-content-private.h"
#include "report/plot/jm-cairo-private.h"

G_BEGIN_DECLS

/* All lengths are in points, of which 72 are an inch. */
#define JM_REPORT_PAPER_WIDTH 595.276
#define JM_REPORT_PAPER_HEIGHT 841.89
#define JM_REPORT_PAPER_MARGIN 48.0
#define JM_REPORT_PAPER_ROOM (JM_REPORT_PAPER_WIDTH - 2 * JM_REPORT_PAPER_MARGIN)

typedef struct
{
  cairo_t *cr;
  const char *title;
  double y;      /* where the next thing goes */
  guint page;    /* from 1 on */
  guint n_pages; /* 0 while they are counted */
} JmReportPaper;

typedef enum
{
  JM_REPORT_INK_TEXT,
  JM_REPORT_INK_MUTED,
  JM_REPORT_INK_RULE,
  JM_REPORT_INK_TRACK,
  JM_REPORT_INK_PLAIN,
  JM_REPORT_INK_GOOD,
  JM_REPORT_INK_FAIR,
  JM_REPORT_INK_POOR,
} JmReportInk;

void jm_report_paper_set_ink (JmReportPaper *self, JmReportInk ink);
JmReportInk jm_report_paper_get_ink_of (JmReportTone tone);

/* Goes to the next page where so much does not fit this one. Returns whether it did. */
gboolean jm_report_paper_need (JmReportPaper *self, double height);

/* With the number of the page below it; there must be one behind each page. */
void jm_report_paper_end_page (JmReportPaper *self);

/* Words, not wider than that: wrapped, or on one line and cut. */
PangoLayout *jm_report_paper_make_text (JmReportPaper *self,
                                        const char *text,
                                        double size,
                                        gboolean is_bold,
                                        double width,
                                        gboolean is_wrapped);
double jm_report_paper_get_width (PangoLayout *layout);
double jm_report_paper_get_height (PangoLayout *layout);

/* At a place, which is its upper left corner. */
void jm_report_paper_show (JmReportPaper *self,
                           PangoLayout *layout,
                           double x,
                           double y,
                           JmReportInk ink);

void jm_report_paper_fill (JmReportPaper *self,
                           double x,
                           double y,
                           double width,
                           double height,
                           JmReportInk ink);

/* A heading, with room for something below it. */
void jm_report_paper_head (JmReportPaper *self, const char *title, double below);

G_END_DECLS
