/* jm-dialect-family-private.h: one metric family of a dialect
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-text-writer-private.h"
#include "core/jm-metric-private.h"
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
  gboolean has_collector; /* its lines are about a part of the sweep */
} JmTemplateScope;

JmLabelTemplate *
jm_label_template_new (const char *text, JmTemplateScope scope, GError **error);
void jm_label_template_free (JmLabelTemplate *self);

/* Whether it distinguishes the figures of one subject. */
gboolean jm_label_template_has_own_label (const JmLabelTemplate *self);

void jm_label_template_append (const JmLabelTemplate *self,
                               const JmTemplateValues *values,
                               GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLabelTemplate, jm_label_template_free)

#define JM_DIALECT_MAX_SOURCES 8

/* One of jobmetrics' own families. */
typedef struct
{
  JmSubjectKind kind;
  JmMetric metric;
  GArray *conditions; /* of JmDialectCondition, for this source alone; NULL for none */
  char *word;         /* `{word}` of its series; NULL for none */
} JmDialectSource;

typedef enum
{
  JM_COMBINE_FIRST, /* that is known */
  JM_COMBINE_SUM,
  JM_COMBINE_DIFFERENCE,
  JM_COMBINE_RATIO,
  JM_COMBINE_PRODUCT,
} JmCombine;

/* Only figures whose label, or that of their subject, matches. */
typedef struct
{
  char *label;
  GPatternSpec *pattern;
} JmDialectCondition;

typedef struct
{
  char *name;
  char *attribute; /* what OpenTelemetry calls it; NULL where that is the name */
  JmLabelTemplate *value;
} JmDialectLabel;

/* In a reference counted box, for dialects share them. */
typedef struct
{
  char *name;
  char *instrument; /* what OpenTelemetry calls it; NULL where that is the name */
  char *unit;       /* as UCUM spells it; NULL where it is not known */
  char *help;
  JmFamilyKind kind;
  gboolean is_sum;           /* a gauge that adds up over its attributes */
  gboolean is_native;        /* its series are labelled as jobmetrics labels them */
  JmSubjectKind each;        /* what each series is about */
  gboolean is_of_collectors; /* about a part of the sweep each, and the node */
  JmDialectSource sources[JM_DIALECT_MAX_SOURCES];
  guint n_sources;
  JmCombine combine;
  GArray *conditions;     /* of JmDialectCondition, for all sources */
  gboolean is_split;      /* each source makes series of its own, with its word */
  JmMetric info;          /* whose labels may be named, too; JM_N_METRICS for none */
  GArray *labels;         /* of JmDialectLabel */
  JmLabelTemplate *value; /* without sources: a field that is a number */
  GPtrArray
    *words; /* of JmLabels, a series each: 1 for the figure's own; NULL for none */
  gboolean is_rate;       /* each second, over the last sample */
  gboolean has_own_label; /* a subject may have several series */
  double scale;
  gboolean is_power_of_ten; /* the scale is, of @exponent */
  int exponent;
  gboolean has_most;
  double most; /* what is above it is written so */
  gboolean has_absent;
  double absent; /* where a subject has no figure */
  JmMetric
    absent_if; /* that it has then; JM_N_METRICS: any of the collector of the first */
} JmDialectFamily;

/* Understands one group of a key file. @labels are, by kind of subject, what a family
 * has that names none of its own; NULL for none. */
JmDialectFamily *jm_dialect_family_new (GKeyFile *file,
                                        const char *name,
                                        char *const labels[JM_N_SUBJECT_KINDS],
                                        GError **error);

/* jobmetrics' own family of a metric of such subjects. */
JmDialectFamily *
jm_dialect_family_new_native (const char *name, JmSubjectKind kind, JmMetric metric);
void jm_dialect_family_unref (JmDialectFamily *self);

/* The UCUM unit that the name of a family ends in, before `_total`; empty for none. */
const char *jm_dialect_find_unit_in_name (const char *name);

/* `job`, `job_gpu`, `node`... */
gboolean jm_dialect_kind_from_name (const char *name, JmSubjectKind *kind);

/* Whether the figures of both have the same labels. */
gboolean jm_dialect_source_has_labels_of (const JmDialectSource *self,
                                          const JmDialectSource *other);

/* Whether Prometheus takes it for a label. */
gboolean jm_dialect_is_label_name (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDialectFamily, jm_dialect_family_unref)

G_END_DECLS
