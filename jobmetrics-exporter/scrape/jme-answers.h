/* jme-answers.h: what scrapers are sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-text-writer-private.h"
#include "daemon/jme-own-metrics.h"
#include "expose/jm-text-encoder.h"
#include "web/jme-body.h"

G_BEGIN_DECLS

typedef enum
{
  JME_FORMAT_PROMETHEUS,
  JME_FORMAT_OPENMETRICS,
  JME_FORMAT_PROTOBUF,
} JmeFormat;

#define JME_N_FORMATS (JME_FORMAT_PROTOBUF + 1)

/* The one that a client likes best; @accept is its `Accept` header, or NULL. */
JmeFormat jme_format_negotiate (const char *accept);

const char *jme_format_get_content_type (JmeFormat self);

typedef struct _JmeAnswers JmeAnswers;

/* Takes over @encoder. */
JmeAnswers *jme_answers_new (JmTextEncoder *encoder);

void jme_answers_free (JmeAnswers *self);

/* Appends families that the encoder knows nothing of, as far as they are selected. */
typedef void (*JmeFurtherFigures) (JmMetricSelection *selection,
                                   JmTextWriter *writer,
                                   gpointer user_data);

/* They come with the exporter's own metrics, until they are removed. */
void jme_answers_add_further (JmeAnswers *self,
                              JmeFurtherFigures append,
                              gpointer user_data);
void jme_answers_remove_further (JmeAnswers *self, gpointer user_data);

/* Appends them alone, as text for Prometheus. */
void jme_answers_append_further (JmeAnswers *self, GString *out);

/* What @snapshot says, as far as @collectors has it (NULL: all), after the exporter's
 * own metrics. Scrapers that come within @max_age_ms of each other get the same,
 * in each format that one of them wants. @format becomes what the answer is in: text,
 * where it cannot be had as protobuf. */
JmeBody *jme_answers_get (JmeAnswers *self,
                          JmSnapshot *snapshot,
                          const JmCollectorSet *collectors,
                          JmeFormat *format,
                          guint max_age_ms);

/* What a scraper of Prometheus would be sent of @snapshot, for what is no scrape. */
GBytes *jme_answers_render (JmeAnswers *self, JmSnapshot *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeAnswers, jme_answers_free)

G_END_DECLS
