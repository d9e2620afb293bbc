/* jm-cluster-settings.c: what can be said of clusters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-settings-private.h"

#include "cluster/jm-cluster-targets-private.h"

/* The properties of JmCluster are the same; jm-cluster.c has what they mean. */
#define INTERVAL "cluster.interval"
#define MAX_NAMES "cluster.max-names"
#define TARGETS_FILE "cluster.targets-file"

static const JmSetting rows[] = {
  { .name = JM_CLUSTER_SCHEDULER,
    .group = "cluster",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "NAME[,PROPERTY=VALUE]...",
    .help = "Scheduler to query, each for a cluster of its own",
    .preset_help = "slurm" },
  { .name = INTERVAL,
    .group = "cluster",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "Time between two readings of jobs, or nodes; all other topics are "
            "read five times less often",
    .preset = "60",
    .low = 1,
    .high = 3600 },
  { .name = MAX_NAMES,
    .group = "cluster",
    .kind = JM_SETTING_COUNT,
    .argument = "NUMBER",
    .help =
      "Accounts, and users, of a cluster with series of their own; all others are one",
    .preset = "1000",
    .low = 0,
    .high = 1000000 },
  { .name = TARGETS_FILE,
    .group = "cluster",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CPU and GPU years that the site has agreed on; read at start",
    .preset_help = "no targets" },
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

/* So that it is the file's setting that is refused. */
static gboolean
check_targets (const JmSettings *settings, const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GPtrArray) targets = NULL;

  if (path == NULL)
    return TRUE;
  targets = jm_cluster_targets_read (path, &reason);

  return targets != NULL ||
         jm_settings_refuse (settings, TARGETS_FILE, NULL, reason->message, error);
}

JmCluster *
jm_cluster_settings_make (const JmSettings *settings, GError **error)
{
  const char *targets_file = jm_settings_has (settings, TARGETS_FILE)
                               ? jm_settings_get_text (settings, TARGETS_FILE)
                               : NULL;
  g_autoptr (GError) reason = NULL;
  JmCluster *cluster;

  if (!check_targets (settings, targets_file, error))
    return NULL;

  cluster =
    g_initable_new (JM_TYPE_CLUSTER, NULL, &reason, "schedulers",
                    jm_settings_get_list (settings, JM_CLUSTER_SCHEDULER), "interval",
                    get_number (settings, INTERVAL, JM_CLUSTER_DEFAULT_INTERVAL_MS),
                    "max-names",
                    get_number (settings, MAX_NAMES, JM_CLUSTER_DEFAULT_MAX_NAMES),
                    "targets-file", targets_file, NULL);
  if (cluster == NULL)
    jm_settings_refuse (settings, JM_CLUSTER_SCHEDULER, NULL, reason->message, error);

  return cluster;
}
