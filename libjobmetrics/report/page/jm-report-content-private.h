/* jm-report-content-private.h: what a report says, whatever it is written on
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "judge/jm-run-report.h"
#include "report/page/jm-report-lines-private.h"

G_BEGIN_DECLS

/* More rows are for programs, which have them as JSON. */
#define JM_REPORT_MAX_ROWS 100

typedef struct
{
  const char *title;
  JmFigure share; /* per cent */
  JmReportTone tone;
} JmReportBar;

typedef struct
{
  const char *title;
  gboolean is_number;
  guint rank; /* where there is too little room, the highest goes first; 0 stays */
} JmReportColumn;

typedef struct
{
  const char *title;
  const char *caption;
  GArray *columns;  /* of JmReportColumn */
  GPtrArray *cells; /* of char *, row by row; NULL for what is absent */
  guint n_left_out; /* rows beyond the bound */
  gboolean has_sum; /* whether the last row is that of the whole run */
} JmReportTable;

typedef struct
{
  const char *level; /* note, warning or act */
  JmReportTone tone;
  char *title;
  char *reason; /* of one or more lines, as the action */
  char *action; /* NULL for none */
} JmReportHint;

/* No text in it steers a terminal, or has more than one line. */
typedef struct
{
  char *title;
  char *who;             /* `train.sh, ada, account physics: COMPLETED`, the same way */
  char *brief;           /* `2 nodes, 8 CPUs, 16GiB on each, 2h`; what is known of it */
  GArray *verdict;       /* of JmReportLine; empty where the rules could not be read */
  GArray *identity;      /* of JmReportLine */
  GArray *bars;          /* of JmReportBar */
  GPtrArray *tables;     /* of JmReportTable: nodes and accelerators */
  GArray *hints;         /* of JmReportHint */
  GArray *energy;        /* of JmReportLine */
  JmReportTable *meters; /* its energy by meter; NULL where it has none */
  GArray *figures;       /* of JmReportLine: what else is known */
  GArray *notes;         /* of JmReportLine: what a statement rests on */
  gboolean is_estimated; /* whether the mark of estimates is in any of it */
} JmReportContent;

/* @advice is of JmRunAdvice, or NULL. Moments are in local time. */
JmReportContent *jm_report_content_new (JmRunReport *report, GPtrArray *advice);
/* The same with moments in @zone. */
JmReportContent *
jm_report_content_new_in_zone (JmRunReport *report, GPtrArray *advice, GTimeZone *zone);
void jm_report_content_free (JmReportContent *self);

guint jm_report_table_get_n_rows (const JmReportTable *self);
const char *
jm_report_table_get_cell (const JmReportTable *self, guint row, guint column);

/* `12.5%`; a dash where it is absent. */
char *jm_report_bar_format (const JmReportBar *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmReportContent, jm_report_content_free)

/* What stands for a figure that is absent. */
#define JM_REPORT_ABSENT "-"

G_END_DECLS
