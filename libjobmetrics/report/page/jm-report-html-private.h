/* jm-report-html-private.h: the report of a run as HTML
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/page/jm-report-content-private.h"
#include "report/page/jm-report.h"
#include "report/plot/jm-plot.h"

G_BEGIN_DECLS

/* A line of a report has no more of a list of nodes. */
#define JM_REPORT_MAX_LIST_CHARACTERS 60

/* With moments in UTC: sections with headings from h2 on, for a page that has a heading
 * of its own and the
 * rules of jm_report_html_get_css() in its style sheet; @plots is of JmPlot, @multiples
 * of JmReportMultiples. It has neither styles nor scripts, and is well-formed XML. */
void jm_report_html_append (GString *html,
                            JmRunReport *report,
                            GPtrArray *advice,
                            GPtrArray *plots,
                            GPtrArray *multiples);

/* One drawing, within an element of the class jm-plots. */
void jm_report_html_append_plot (GString *html, JmPlot *plot);

/* Rules for the classes of the fragment, all of which begin with jm-. */
char *jm_report_html_get_css (void);

/* A page that needs nothing else. @plots is of JmPlot; @link and @pictures are as
 * below, @pictures NULL for a page that no mail has. */
char *jm_report_html_format (JmReportContent *content,
                             GPtrArray *plots,
                             const char *link,
                             GPtrArray *pictures);

/* What the picture of that place is called in a mail. */
#define JM_REPORT_PICTURE_ID "plot-%u@jobmetrics"

/* What jm_run_report_to_html() makes, for a mail, whose readers draw no SVG: adds a
 * picture for each plot to
 * @pictures, of GBytes as PNG, unless it cannot be drawn. @link is the address of the
 * run's page, or NULL. */
char *jm_report_html_format_mail (JmRunReport *report,
                                  GPtrArray *advice,
                                  const char *link,
                                  GPtrArray *pictures);

G_END_DECLS
