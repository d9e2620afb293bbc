/* jm-node-settings-private.h: what a node is configured with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "core/jm-collector-set.h"
#include "host/jm-host.h"
#include "node/jm-node.h"

G_BEGIN_DECLS

/* The properties of a JmNode, which say what each is. */
typedef struct
{
  JmHost *host;
  JmSubjectKind level;
  JmCollectorSet collectors;
  char *cluster;
  char *node_name;
  char **schedulers;
  char **filesystems;
  guint linger;
  guint max_executables;
  guint max_cpus;
  guint max_counters;
  guint memory_stat_interval;
  guint threads_interval;
  gboolean process_bpf;
  gboolean percpu_bpf;
  char **power_sources;
  char **gpu_sources;
  char **gpu_order;
  guint gpu_shards;
  char **emission_providers;
  gboolean share_idle;
  char **energy_files;
} JmNodeSettings;

void jm_node_settings_clear (JmNodeSettings *self);

/* For the class of JmNode: its properties, by their numbers. */
void jm_node_settings_install (GObjectClass *klass);
void jm_node_settings_get (const JmNodeSettings *self, guint id, GValue *value);
void jm_node_settings_set (JmNodeSettings *self, guint id, const GValue *value);

/* For programs: everything that a node and its host may be configured with. A new
 * setting is a row of the table and the field that it fills. */
void jm_node_settings_add (JmSettings *settings);

/* The host and the node that @settings mean, which may be NULL for a node. Properties that
 * follow, as for g_object_new(), replace what @settings say. Errors: as
 * jm_node_new_full(). */
JmHost *jm_node_settings_make_host (const JmSettings *settings);
JmNode *jm_node_settings_make_node (const JmSettings *settings,
                                    GError **error,
                                    const char *first_property,
                                    ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
