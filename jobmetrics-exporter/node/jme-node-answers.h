/* jme-node-answers.h: what scrapers of a node are told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "daemon/jme-own-metrics.h"
#include "expose/jm-text-encoder.h"
#include "expose/jm-text-writer-private.h"
#include "node/jme-format.h"
#include "web/jme-body.h"

G_BEGIN_DECLS

typedef struct _JmeNodeAnswers JmeNodeAnswers;

/* Takes over @encoder. */
JmeNodeAnswers *jme_node_answers_new (JmTextEncoder *encoder);

void jme_node_answers_free (JmeNodeAnswers *self);

/* Appends families that the encoder knows nothing of, as far as they are selected. */
typedef void (*JmeFurtherFigures) (JmMetricSelection *selection,
                                   JmTextWriter *writer,
                                   gpointer user_data);

/* They come with the exporter's own metrics, until they are removed. */
void jme_node_answers_add_further (JmeNodeAnswers *self,
                                   JmeFurtherFigures append,
                                   gpointer user_data);
void jme_node_answers_remove_further (JmeNodeAnswers *self, gpointer user_data);

/* What @snapshot says, as far as @collectors has it (NULL: all), after the exporter's own
 * metrics. Scrapers that come within @max_age_ms of each other are told the same, in each
 * format that one of them wants. @format becomes what the answer is in: text, where it
 * cannot be had as protobuf. */
JmeBody *jme_node_answers_get (JmeNodeAnswers *self,
                               JmSnapshot *snapshot,
                               const JmCollectorSet *collectors,
                               JmeFormat *format,
                               guint max_age_ms);

/* What a scraper of Prometheus would be told of @snapshot, for what is no scrape. */
GBytes *jme_node_answers_render (JmeNodeAnswers *self, JmSnapshot *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeNodeAnswers, jme_node_answers_free)

G_END_DECLS
