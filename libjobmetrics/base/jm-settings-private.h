/* jm-settings-private.h: the values of settings, from the command line and from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-setting.h"

G_BEGIN_DECLS

typedef struct _JmSettings JmSettings;

/* JmSettingOrigin:
 * @JM_SETTING_PRESET: nobody gave a value
 * @JM_SETTING_FROM_FILE: a configuration file did
 * @JM_SETTING_FROM_ARGUMENTS: the command line did
 *
 * Who gave a value; a later one has the last word, in whatever order they speak. */
typedef enum
{
  JM_SETTING_PRESET,
  JM_SETTING_FROM_FILE,
  JM_SETTING_FROM_ARGUMENTS,
} JmSettingOrigin;

JmSettings *jm_settings_new (void);
void jm_settings_free (JmSettings *self);

/* Adds a setting, of which a copy is kept; its strings stay the caller's. */
void jm_settings_add (JmSettings *self, const JmSetting *setting);
void jm_settings_add_rows (JmSettings *self, const JmSetting *rows, gsize n_rows);

/* Adds an option for one setting, or for all; each flag has its `--no-` form, which
 * help keeps quiet about. @letter is the short option, or 0. The group's user data must
 * be @self, which outlives it. */
void jm_settings_add_option (JmSettings *self,
                             const char *name,
                             char letter,
                             GOptionGroup *group);
void jm_settings_add_options (JmSettings *self, GOptionGroup *group);

/* Reads the keys of @group in a key file. @path stands in messages. Errors: `INVALID`. */
gboolean jm_settings_read_file (JmSettings *self,
                                const char *path,
                                const char *group,
                                GError **error);
gboolean jm_settings_read_text (JmSettings *self,
                                const char *path,
                                const char *text,
                                gsize length,
                                const char *group,
                                GError **error);
gboolean jm_settings_read_keys (JmSettings *self,
                                const char *path,
                                GKeyFile *file,
                                const char *group,
                                GError **error);

/* Whether the directories are there. */
gboolean jm_settings_check (const JmSettings *self, GError **error);

/* Refuses a value for a reason that only its user knows: the message names who gave it.
 * Returns FALSE. */
gboolean jm_settings_refuse (const JmSettings *self,
                             const char *name,
                             const char *value,
                             const char *reason,
                             GError **error);

gsize jm_settings_get_size (const JmSettings *self);
const JmSetting *jm_settings_get_setting (const JmSettings *self, gsize i);
const GValue *jm_settings_get_value (const JmSettings *self, gsize i);

/* The value of a setting that was added, by its name. */
gboolean jm_settings_has (const JmSettings *self, const char *name);
gboolean jm_settings_is_given (const JmSettings *self, const char *name);
gboolean jm_settings_get_flag (const JmSettings *self, const char *name);
guint jm_settings_get_number (const JmSettings *self, const char *name);
const char *jm_settings_get_text (const JmSettings *self, const char *name);
const char *const *jm_settings_get_list (const JmSettings *self, const char *name);

/* A line for each setting with an option, for generators of manuals and completions:
 * name, group, kind, list or empty, argument, preset, what happens without, low, high,
 * choices by commas, help; tabs stand between them. */
char *jm_settings_describe (const JmSettings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSettings, jm_settings_free)

G_END_DECLS
