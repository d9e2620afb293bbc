/* jme-trace.h: what users' wrappers report of their commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "base/jm-trace-record-private.h"
#include "scrape/jme-answers.h"
#include "web/jme-router.h"

G_BEGIN_DECLS

/* A role has it in five places: its settings, its state, its encoder's
 * jme_metric_choice_new(), its answers' jme_answers_add_further(), and one route. */
typedef struct _JmeTrace JmeTrace;

#define JME_TRACE_PATH "/trace"

/* The route, for what hands its request to jme_trace_choose_access() and
 * jme_trace_answer(). */
#define JME_TRACE_ROUTE(access_func, answer_func)                                      \
 {                                                                                     \
  .path = JME_TRACE_PATH, .methods = JME_METHOD_GET | JME_METHOD_POST,                 \
  .choose_access = access_func, .max_body_bytes = JM_TRACE_BODY_MAX,                   \
  .handler = answer_func                                                               \
 }

void jme_trace_add_settings (JmSettings *settings);

/* Where the settings do not want it, it is there and answers with 404. Errors:
 * `INVALID` for a file with a token that cannot be read, or is not safe. */
JmeTrace *jme_trace_open (const JmSettings *settings, GError **error);
void jme_trace_free (JmeTrace *self);

/* Whether the settings want it. */
gboolean jme_trace_is_wanted (const JmeTrace *self);

JmeAccess jme_trace_choose_access (JmeTrace *self, JmeRequest *request);
void jme_trace_answer (JmeTrace *self, JmeRequest *request);

/* A JmeFurtherFigures, with a JmeTrace. */
void jme_trace_append_figures (JmMetricSelection *selection,
                               JmTextWriter *writer,
                               gpointer user_data);

G_END_DECLS
