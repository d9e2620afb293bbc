/* jme-metric-choice.h: which metrics a scrape has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "expose/jm-metric-selection.h"
#include "expose/jm-text-encoder.h"

G_BEGIN_DECLS

/* Whether metrics that the table does not have match a pattern. */
typedef gboolean (*JmeMatchMetrics) (const char *pattern);

void jme_metric_choice_add_settings (JmSettings *settings);

/* @further finds what a role has besides the table and the exporter's own metrics, or
 * is NULL. Errors: `INVALID` for a pattern that no metric matches. */
JmMetricSelection *jme_metric_choice_new (const JmSettings *settings,
                                          JmeMatchMetrics further,
                                          GError **error);

/* An encoder of what is chosen. Errors: as jme_metric_choice_new(). */
JmTextEncoder *jme_metric_choice_make_encoder (const JmSettings *settings,
                                               JmeMatchMetrics further,
                                               GError **error);

/* Whether @check takes each value of a list. Errors: `INVALID` with its reason, and the
 * name of the setting. */
gboolean jme_metric_choice_check (const JmSettings *settings,
                                  const char *name,
                                  gboolean (*check) (const char *value, GError **error),
                                  GError **error);

G_END_DECLS
