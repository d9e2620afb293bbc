/* jme-node-encoder.c: which metrics a scrape of a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-encoder.h"

#include "daemon/jme-own-metrics.h"
#include "node/jme-node-push.h"
#include "node/jme-node-remote-write.h"

#define INCLUDE "metrics.include"
#define EXCLUDE "metrics.exclude"
#define JOB_LABEL "metrics.job-label"
#define INFO_LABEL "metrics.info-label"

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
  { .name = JOB_LABEL,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME",
    .help = "Label of each series of a job besides jobid: uuid, cluster, scheduler" },
  { .name = INFO_LABEL,
    .group = "metrics",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME",
    .help = "Label of jobmetrics_job_info" },
};

void
jme_node_encoder_add_settings (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
check_pattern (const char *pattern, GError **error)
{
  return jme_own_metrics_match (pattern) || jme_node_push_match (pattern) ||
         jme_node_remote_write_match (pattern) ||
         jm_metric_selection_check_pattern (pattern, error);
}

static gboolean
check_values (const JmSettings *settings,
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

JmTextEncoder *
jme_node_encoder_new (const JmSettings *settings, GError **error)
{
  const char *const *fields = jm_settings_get_list (settings, INFO_LABEL);
  g_autoptr (JmMetricSelection) selection = NULL;
  const char *node_name = jm_settings_get_text (settings, "node.name");
  JmTextEncoder *encoder;

  if (!check_values (settings, INCLUDE, check_pattern, error) ||
      !check_values (settings, EXCLUDE, check_pattern, error) ||
      !check_values (settings, JOB_LABEL, jm_text_encoder_check_job_field, error) ||
      !check_values (settings, INFO_LABEL, jm_text_encoder_check_info_field, error))
    return NULL;

  selection = jm_metric_selection_new (jm_settings_get_list (settings, INCLUDE),
                                       jm_settings_get_list (settings, EXCLUDE));
  encoder = jm_text_encoder_new ();
  g_object_set (encoder, "decided-only", !jm_settings_get_flag (settings, "once"),
                "node-name", node_name != NULL ? node_name : g_get_host_name (), NULL);
  jm_text_encoder_set_selection (encoder, selection);
  jm_text_encoder_set_job_fields (encoder, jm_settings_get_list (settings, JOB_LABEL));
  if (fields != NULL)
    jm_text_encoder_set_info_fields (encoder, fields);

  return encoder;
}
