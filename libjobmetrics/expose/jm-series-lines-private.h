/* jm-series-lines-private.h: the series of one family, as they are from time to time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "expose/jm-dialect-family-private.h"
#include "expose/jm-subject-labels-private.h"

G_BEGIN_DECLS

/* A figure. What was read has all its digits, as long as nothing but a power of ten is
 * made of it. */
typedef struct
{
  double value;
  int n_decimals; /* of @digits; below 0 where there is the value alone */
  guint64 digits;
} JmFigureValue;

/* What a series is about. */
typedef struct
{
  JmTemplateValues values;
  const JmSubjectLabels *subject;
} JmSeriesTopic;

/* What lines are made in. All families of a document share it. */
typedef struct
{
  GString *value; /* of one label */
  GString *text;  /* of one line */
} JmSeriesScratch;

void jm_series_scratch_init (JmSeriesScratch *self);
void jm_series_scratch_clear (JmSeriesScratch *self);

/* Lines of one family. What they have before their numbers is kept from document to
 * document, up to the first that is about something else. */
typedef struct _JmSeriesLines JmSeriesLines;

/* @scratch outlives the lines. */
JmSeriesLines *jm_series_lines_new (JmSeriesScratch *scratch);
void jm_series_lines_free (JmSeriesLines *self);

/* One document: each figure, then all at once. Figures whose labels are the same are
 * one series: the first of them or, in a dialect, their sum. */
void jm_series_lines_begin (JmSeriesLines *self);
void jm_series_lines_add (JmSeriesLines *self,
                          const JmDialectFamily *family,
                          const JmSeriesTopic *topic,
                          const JmFigureValue *figure);
void jm_series_lines_write (JmSeriesLines *self,
                            const JmDialectFamily *family,
                            JmTextWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSeriesLines, jm_series_lines_free)

G_END_DECLS
