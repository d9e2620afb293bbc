/* jme-trace-figures.h: what wrappers reported last, for scrapers, people and programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

#include "base/jm-text-writer-private.h"
#include "expose/jm-metric-selection.h"

G_BEGIN_DECLS

/* JmeTraceRefusal:
 * @JME_TRACE_MALFORMED: it is no record
 * @JME_TRACE_DENIED: its sender may not report it
 * @JME_TRACE_TOO_OFTEN: its sender reports too much
 * @JME_TRACE_FULL: there is no room, in all or for the job
 *
 * Why a record was not taken. */
typedef enum
{
  JME_TRACE_MALFORMED,
  JME_TRACE_DENIED,
  JME_TRACE_TOO_OFTEN,
  JME_TRACE_FULL,
  JME_N_TRACE_REFUSALS,
} JmeTraceRefusal;

/* Since the program began. */
typedef struct
{
  guint64 n_taken;
  guint64 n_refused[JME_N_TRACE_REFUSALS];
} JmeTraceCounters;

/* The families of an array of JmTraceRecord, and the counters, as far as selected. */
void jme_trace_figures_append (GPtrArray *records,
                               const JmeTraceCounters *counters,
                               JmMetricSelection *selection,
                               JmTextWriter *writer);

/* Whether any of these metrics has a name that @pattern means. */
gboolean jme_trace_figures_match (const char *pattern);

/* Of an array of JmTraceRecord. */
GBytes *jme_trace_page_render (GPtrArray *records, gint64 now_us);
GBytes *jme_trace_page_render_json (GPtrArray *records);

/* Whether a browser or a program reads, by its `Accept` header, which may be NULL. */
gboolean jme_trace_page_wants_html (const char *accept);

G_END_DECLS
