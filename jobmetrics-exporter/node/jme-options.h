/* jme-options.h: what the daemon is configured with
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-metric.h"
#include "daemon/jme-log.h"

G_BEGIN_DECLS

/* What the command line and the configuration file say; the command line has the last
 * word. */
typedef struct
{
  /* all roles */
  char **listen_addresses;
  gboolean use_systemd_sockets;
  char *web_config_file;
  char *config_file;
  GLogLevelFlags log_level;
  JmeLogFormat log_format;

  /* where the host's files are */
  char *rootfs;
  char *procfs;
  char *sysfs;
  char *cgroupfs;

  /* the node role */
  gboolean once;
  double sample_interval; /* seconds */
  int sample_linger;      /* seconds */
  double memory_stat_interval;
  JmLevel level;
  guint32 collectors; /* a bit for each JmCollector */
  char *cluster;
  char *node_name;
  char **schedulers;
  char **filesystems;
  char **power_sources;
  char **emission_providers;
  gboolean share_idle;
  char **energy_files;
  int max_executables;
  int max_cpus;
  char **metrics_include;
  char **metrics_exclude;
  char **info_fields;
} JmeOptions;

/* Reads the command line of `jobmetrics-exporter node` and the configuration file that
 * it names. NULL when something in them cannot be meant: the error names it. `--help`
 * prints and ends the program. */
JmeOptions *jme_options_parse (char **arguments, GError **error);
void jme_options_free (JmeOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeOptions, jme_options_free)

G_END_DECLS
