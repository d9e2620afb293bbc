/* jmc-options.h: the options that commands have in common
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/jm-settings-private.h"
#include "jmc-metering.h"
#include "jmc-output.h"
#include "node/jm-node.h"

G_BEGIN_DECLS

/* From where it is known what jobs have used of energy, and what that emits. */
#define JMC_ENERGY_SETTINGS "power", "sharing", "exporter-accounts", "emissions"

/* JmcOptions:
 * @settings: what may be set, made with the first group; NULL of a command that has
 *   no options
 * @group: the options
 * @last: names of settings whose options stand at the end of the help
 * @json: whether JSON is printed
 * @color: whether text is coloured
 * @metering: from where energy is known
 *
 * All but the settings themselves is read from them by jmc_options_parse(). */
typedef struct
{
  JmSettings *settings;
  GOptionGroup *group;
  GPtrArray *last;
  gboolean json;
  JmcColor color;
  JmcMetering metering;
} JmcOptions;

void jmc_options_clear (JmcOptions *self);
GOptionGroup *jmc_options_make_group (JmcOptions *self,
                                      const char *first_name,
                                      ...) G_GNUC_NULL_TERMINATED;
void jmc_options_add_setting (JmcOptions *self,
                              const JmSetting *setting,
                              GOptionGroup *group);
void jmc_options_add_last (JmcOptions *self, const JmSetting *setting);
void jmc_options_add_entries (GOptionGroup *group, const GOptionEntry *entries);
gboolean
jmc_options_parse (JmcOptions *self, GOptionContext *context, int *argc, char ***argv);
gboolean
jmc_options_parse_strv (JmcOptions *self, GOptionContext *context, char ***arguments);
gboolean jmc_options_check (const JmcOptions *self);
const char *jmc_options_get_text (const JmcOptions *self, const char *name);
const char *const *jmc_options_get_list (const JmcOptions *self, const char *name);
JmHost *jmc_options_make_host (const JmcOptions *self);
JmNode *jmc_options_open_node (const JmcOptions *self,
                               JmSubjectKind level,
                               const JmCollectorSet *collectors,
                               GError **error);
JmNode *jmc_options_open_node_of (const JmcOptions *self,
                                  JmHost *host,
                                  JmSubjectKind level,
                                  const JmCollectorSet *collectors,
                                  GError **error);
JmNode *jmc_options_make_node (const JmcOptions *self,
                               JmSubjectKind level,
                               const JmCollectorSet *collectors,
                               GError **error);
int jmc_options_refuse_node (const GError *error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcOptions, jmc_options_clear)

G_END_DECLS
