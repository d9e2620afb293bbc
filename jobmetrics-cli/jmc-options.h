/* jmc-options.h: the options that commands have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "collect/jm-node.h"
#include "jmc-metering.h"
#include "jmc-output.h"

G_BEGIN_DECLS

#define JMC_ALL_COLLECTORS ((1u << JM_N_COLLECTORS) - 1)

typedef struct
{
  char *root;
  char *procfs;
  char *sysfs;
  char *cgroupfs;
  char **schedulers;
  char *cluster;
  char *node_name;
  gboolean json;
  JmcColor color;
  JmcMetering metering;
} JmcOptions;

void jmc_options_clear (JmcOptions *self);
void jmc_options_add_node_entries (JmcOptions *self, GOptionGroup *group);
void jmc_options_add_energy_entries (JmcOptions *self, GOptionGroup *group);
GOptionGroup *jmc_options_make_group (JmcOptions *self);
GOptionGroup *jmc_options_make_output_group (JmcOptions *self);
gboolean jmc_options_parse (GOptionContext *context, int *argc, char ***argv);
gboolean jmc_options_parse_strv (GOptionContext *context, char ***arguments);
gboolean jmc_options_check (const JmcOptions *self);
JmNode *jmc_options_open_node (const JmcOptions *self,
                               JmLevel level,
                               guint collectors,
                               GError **error);
JmNode *jmc_options_make_node (const JmcOptions *self,
                               JmLevel level,
                               guint collectors,
                               GError **error);
int jmc_options_refuse_node (const GError *error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcOptions, jmc_options_clear)

G_END_DECLS
