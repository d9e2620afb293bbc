/* jm-label-template-private.h: how a dialect makes the value of a label
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/* Text with fields in braces: `{user}`; `{direction|receive:RX|transmit:TX}` replaces
 * values, `{domain#package-}` takes what the value begins with away. What is not known
 * is empty. */
typedef struct _JmLabelTemplate JmLabelTemplate;

/* What a figure is about. */
typedef struct
{
  const char *node_name; /* NULL where it is not known */
  JmSnapshot *snapshot;
  guint subject;
  JmJob *job; /* NULL for none */
  JmLabels *subject_labels;
  JmLabels *own_labels;  /* those of the metric */
  JmLabels *info_labels; /* those of another metric of the subject */
  const char *word;      /* the source's */
  JmCollector collector;
} JmTemplateValues;

/* What may be named. */
typedef struct
{
  JmSubjectKind kind;
  JmMetric metric;        /* whose labels; JM_N_METRICS for none */
  JmMetric info;          /* of which {info.LABEL} is; JM_N_METRICS for none */
  gboolean has_word;      /* sources have words */
  gboolean has_collector; /* a part of the sweep is told of */
} JmTemplateScope;

JmLabelTemplate *
jm_label_template_new (const char *text, JmTemplateScope scope, GError **error);
void jm_label_template_free (JmLabelTemplate *self);

/* Whether it tells the figures of one subject apart. */
gboolean jm_label_template_has_own_label (const JmLabelTemplate *self);

void jm_label_template_append (const JmLabelTemplate *self,
                               const JmTemplateValues *values,
                               GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLabelTemplate, jm_label_template_free)

G_END_DECLS
