/* jme-page-part.h: what pages are made of
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-run.h"
#include "core/jm-usage.h"
#include "report/jm-table.h"
#include "web/jme-html.h"

G_BEGIN_DECLS

/* What CPUs and GPUs are given or use: seconds that people read as hours. */
#define JME_PART_HOURS ((JmFormat) JM_N_FORMATS)

/* What people read of a figure, JME_PART_HOURS among them; NULL where it is not known.
 */
char *jme_part_format (JmFigure figure, JmFormat format);

/* A sum, of which a NaN is not known. */
JmFigure jme_part_get_amount (JmUsage *usage, JmUsageQuantity quantity);

/* A link to what is called @name, which stands behind @path as a part of it. */
void jme_part_append_link (GString *out,
                           const char *path,
                           const char *name,
                           const char *text);

/* What a job does, or how it ended. */
void jme_part_append_state (GString *out, const char *state);

/* The same of a run, and why it waits. */
void jme_part_append_run_state (GString *out, JmRun *run);

/* A moment, seconds since 1970; 0 where it is not known. */
void jme_part_append_time (GString *out, gint64 time);

/* How long ago something was, in whole seconds. */
char *jme_part_format_age (gint64 age_us);

/* --- tables --- */

/* As jme_html_begin_table(), with a head: @titles end in NULL, and those that begin
 * with a # stand above numbers. Rows follow. */
void jme_part_begin_table (GString *out,
                           const char *id,
                           const char *caption,
                           const char *const *titles);
void jme_part_end_table (GString *out);

/* The rows of a table of sums, @max_rows of them at most. Its first column is what they
 * are called, with a link behind @path where that is not NULL. Seconds that were given
 * or used are read as hours, figures in the unit of the greatest of their column. */
void
jme_part_append_rows (GString *out, JmTable *table, guint max_rows, const char *path);

/* The figures of the only row of such a table, as terms of a list. */
void
jme_part_append_row_as_facts (GString *out, JmTable *table, const char *const *titles);

void jme_part_append_column (GString *out, const char *title, gboolean is_number);
void jme_part_append_figure_cell (GString *out, JmFigure figure, JmFormat format);
void jme_part_append_total_cell (GString *out,
                                 JmRunTotals *totals,
                                 const JmQuantity *quantity,
                                 JmFormat format);

/* In the unit of the greatest figure of the column. */
void jme_part_append_figure_beside (GString *out,
                                    JmFigure figure,
                                    JmFormat format,
                                    double greatest);
/* The same of a number that is below 0 where it is not known. */
void jme_part_append_number_cell (GString *out, gint64 number, JmFormat format);
void jme_part_append_time_cell (GString *out, gint64 time);
void jme_part_append_day_cell (GString *out, gint64 time);
void jme_part_append_minute_cell (GString *out, gint64 time); /* without seconds */
void jme_part_append_state_cell (GString *out, const char *state);

/* Per cent, which are drawn, too. */
void jme_part_append_share_cell (GString *out, JmFigure share);

/* --- figures by themselves --- */

/* A term of a list of them, and what it is; nothing where that is not known. */
void jme_part_append_fact (GString *out, const char *term, const char *text);
void jme_part_append_time_fact (GString *out, const char *term, gint64 time);
void jme_part_append_figure_fact (GString *out,
                                  const char *term,
                                  JmFigure figure,
                                  JmFormat format);

/* Per cent, drawn; @hint says of what. Nothing where it is not known. */
void jme_part_append_gauge (GString *out,
                            const char *id,
                            const char *title,
                            JmFigure share,
                            const char *hint);

G_END_DECLS
