/* jme-node-encoder.c: which metrics a scrape of a node has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-node-encoder.h"

#include "node/jme-node-push.h"
#include "node/jme-node-remote-write.h"
#include "scrape/jme-metric-choice.h"

#define JOB_LABEL "metrics.job-label"
#define INFO_LABEL "metrics.info-label"

static const JmSetting rows[] = {
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
  jme_metric_choice_add_settings (settings);
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static gboolean
match_further (const char *pattern)
{
  return jme_node_push_match (pattern) || jme_node_remote_write_match (pattern);
}

JmTextEncoder *
jme_node_encoder_new (const JmSettings *settings, GError **error)
{
  const char *const *fields = jm_settings_get_list (settings, INFO_LABEL);
  g_autoptr (JmMetricSelection) selection =
    jme_metric_choice_new (settings, match_further, error);
  const char *node_name = jm_settings_get_text (settings, "node.name");
  JmTextEncoder *encoder;

  if (selection == NULL ||
      !jme_metric_choice_check (settings, JOB_LABEL, jm_text_encoder_check_job_field,
                                error) ||
      !jme_metric_choice_check (settings, INFO_LABEL, jm_text_encoder_check_info_field,
                                error))
    return NULL;

  encoder = jm_text_encoder_new ();
  g_object_set (encoder, "decided-only", !jm_settings_get_flag (settings, "once"),
                "node-name", node_name != NULL ? node_name : g_get_host_name (), NULL);
  jm_text_encoder_set_selection (encoder, selection);
  jm_text_encoder_set_job_fields (encoder, jm_settings_get_list (settings, JOB_LABEL));
  if (fields != NULL)
    jm_text_encoder_set_info_fields (encoder, fields);

  return encoder;
}
