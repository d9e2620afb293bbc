/* jm-report-lines-private.h: lines of a report: a title, and a text behind it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "judge/jm-run-report.h"

G_BEGIN_DECLS

/* How a share is to be taken: of what should be used, of what should not be full, or as
 * neither. */
typedef enum
{
  JM_REPORT_TONE_PLAIN,
  JM_REPORT_TONE_GOOD,
  JM_REPORT_TONE_FAIR,
  JM_REPORT_TONE_POOR,
} JmReportTone;

#define JM_N_REPORT_TONES (JM_REPORT_TONE_POOR + 1)

typedef struct
{
  const char *title;
  char *text;
  JmReportTone tone;
} JmReportLine;

/* Of JmReportLine. */
GArray *jm_report_lines_new (void);

/* Takes @text; passes over what is NULL. */
void jm_report_lines_take (GArray *lines, const char *title, char *text);
void jm_report_lines_take_toned (GArray *lines,
                                 const char *title,
                                 char *text,
                                 JmReportTone tone);

/* The text that has that title; NULL for none. */
const char *jm_report_lines_find (GArray *lines, const char *title);

/* Lines of identity and times, of the allocation, and of the sources of the data. */
GArray *jm_report_identity_list (JmRunReport *report, GTimeZone *zone);

G_END_DECLS
