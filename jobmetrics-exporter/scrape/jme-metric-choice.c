/* jme-metric-choice.c: which metrics a scrape has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-metric-choice.h"

#include "daemon/jme-own-metrics.h"

#define INCLUDE "metrics.include"
#define EXCLUDE "metrics.exclude"

static const JmSetting rows[] = {
  { .name = INCLUDE,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "PATTERN",
    .help = "Export only metrics of these names, with * and ?",
    .preset_help = "all" },
  { .name = EXCLUDE,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "PATTERN",
    .help = "Export no metrics of these names" },
};

void
jme_metric_choice_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

gboolean
jme_metric_choice_check (const JmSettings *settings,
                         const char *name,
                         gboolean (*check) (const char *value, GError **error),
                         GError **error)
{
  const char *const *values = jm_settings_get_list (settings, name);
  g_autoptr (GError) reason = NULL;

  for (const char *const *value = values; value != NULL && *value != NULL; value++)
    if (!check (*value, &reason))
      return jm_settings_refuse (settings, name, NULL, reason->message, error);

  return TRUE;
}

static gboolean
check_patterns (const JmSettings *settings,
                const char *name,
                JmeMatchMetrics further,
                GError **error)
{
  const char *const *patterns = jm_settings_get_list (settings, name);
  g_autoptr (GError) reason = NULL;

  for (const char *const *p = patterns; p != NULL && *p != NULL; p++)
    if (!jme_own_metrics_match (*p) && (further == NULL || !further (*p)) &&
        !jm_metric_selection_check_pattern (*p, &reason))
      return jm_settings_refuse (settings, name, NULL, reason->message, error);

  return TRUE;
}

JmMetricSelection *
jme_metric_choice_new (const JmSettings *settings,
                       JmeMatchMetrics further,
                       GError **error)
{
  if (!check_patterns (settings, INCLUDE, further, error) ||
      !check_patterns (settings, EXCLUDE, further, error))
    return NULL;

  return jm_metric_selection_new (jm_settings_get_list (settings, INCLUDE),
                                  jm_settings_get_list (settings, EXCLUDE));
}

JmTextEncoder *
jme_metric_choice_make_encoder (const JmSettings *settings,
                                JmeMatchMetrics further,
                                GError **error)
{
  g_autoptr (JmMetricSelection) selection =
    jme_metric_choice_new (settings, further, error);
  JmTextEncoder *encoder;

  if (selection == NULL)
    return NULL;

  encoder = jm_text_encoder_new ();
  jm_text_encoder_set_selection (encoder, selection);

  return encoder;
}
