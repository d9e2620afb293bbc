/* jm-node-settings-private.h: what a node is told
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-metric.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/* The properties of a JmNode, which say what each is. */
typedef struct
{
  JmHost *host;
  JmLevel level;
  guint collectors;
  char *cluster;
  char *node_name;
  char **schedulers;
  char **filesystems;
  guint linger;
  guint max_executables;
  guint max_cpus;
  guint memory_stat_interval;
  char **power_sources;
  char **emission_providers;
  gboolean share_idle;
  char **energy_files;
  gboolean keep_energy;
} JmNodeSettings;

void jm_node_settings_clear (JmNodeSettings *self);

/* For the class of JmNode: its properties, by their numbers. */
void jm_node_settings_install (GObjectClass *klass);
void jm_node_settings_get (const JmNodeSettings *self, guint id, GValue *value);
void jm_node_settings_set (JmNodeSettings *self, guint id, const GValue *value);

G_END_DECLS
