/* jm-cluster-settings.c: what can be said of clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-cluster-settings-private.h"

#include "collect/jm-cluster-private.h"

/* The properties of JmCluster are the same; jm-cluster.c has what they mean. */
#define INTERVAL "cluster.interval"
#define MAX_NAMES "cluster.max-names"

static const JmSetting rows[] = {
  { .name = JM_CLUSTER_SCHEDULER,
    .group = "cluster",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME[,PROPERTY=VALUE]...",
    .help = "Whom to ask, each for a cluster of its own",
    .preset_help = "slurm" },
  { .name = INTERVAL,
    .group = "cluster",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help =
      "Time between two questions about jobs, or nodes; other questions come five "
      "times as seldom",
    .preset = "60",
    .low = 1,
    .high = 3600 },
  { .name = MAX_NAMES,
    .group = "cluster",
    .kind = JM_SETTING_COUNT,
    .argument = "NUMBER",
    .help = "Accounts, and users, of a cluster that have series of their own; all "
            "others are one",
    .preset = "1000",
    .low = 0,
    .high = 1000000 },
};

void
jm_cluster_settings_add (JmSettings *settings)
{
  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));
}

static guint
get_number (const JmSettings *settings, const char *name, guint preset)
{
  return jm_settings_has (settings, name) ? jm_settings_get_number (settings, name)
                                          : preset;
}

JmCluster *
jm_cluster_settings_make (const JmSettings *settings, GError **error)
{
  g_autoptr (GError) reason = NULL;
  JmCluster *cluster =
    g_initable_new (JM_TYPE_CLUSTER, NULL, &reason, "schedulers",
                    jm_settings_get_list (settings, JM_CLUSTER_SCHEDULER), "interval",
                    get_number (settings, INTERVAL, JM_CLUSTER_DEFAULT_INTERVAL_MS),
                    "max-names",
                    get_number (settings, MAX_NAMES, JM_CLUSTER_DEFAULT_MAX_NAMES),
                    NULL);

  if (cluster == NULL)
    jm_settings_refuse (settings, JM_CLUSTER_SCHEDULER, NULL, reason->message, error);

  return cluster;
}
