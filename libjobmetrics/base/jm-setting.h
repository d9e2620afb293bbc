/* jm-setting.h: one setting, declared once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmSettingKind:
 * @JM_SETTING_FLAG: yes or no
 * @JM_SETTING_COUNT: a whole number
 * @JM_SETTING_DURATION: written in seconds, perhaps with decimals, and kept in
 *   milliseconds
 * @JM_SETTING_CHOICE: one of a few words, kept as its number
 * @JM_SETTING_TEXT: any text
 * @JM_SETTING_FILE: the path of a file
 * @JM_SETTING_DIRECTORY: the path of a directory, which must be there
 *
 * What the value of a #JmSetting is.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_SETTING_FLAG,
  JM_SETTING_COUNT,
  JM_SETTING_DURATION,
  JM_SETTING_CHOICE,
  JM_SETTING_TEXT,
  JM_SETTING_FILE,
  JM_SETTING_DIRECTORY,
} JmSettingKind;

/**
 * JmSetting:
 * @name: of the option on the command line and of the key in a configuration file, such
 *   as `power.share-idle`; %NULL where there is a property alone
 * @property: (nullable): of the object that is configured, such as `share-idle`
 * @group: which settings it stands beside, such as `power`
 * @kind: what its value is
 * @is_list: whether there may be several values
 * @argument: (nullable): what help calls its value, such as `SECONDS`; %NULL of a flag
 * @help: what it is for, in one sentence without its full stop
 * @preset: (nullable): its value where none is given, as one would write it
 * @preset_help: (nullable): what happens where none is given, in words
 * @low: the lowest number, as one would write it; of a choice, the first word's number
 * @high: the highest number
 * @choices: (nullable) (array zero-terminated=1): the words of a choice, in order
 *
 * One setting: its option, its key in a configuration file, its property, its shell
 * completion and its row in the manual all come from this declaration.
 *
 * Since: 0.1
 */
typedef struct
{
  const char *name;
  const char *property;
  const char *group;
  JmSettingKind kind;
  gboolean is_list;
  const char *argument;
  const char *help;
  const char *preset;
  const char *preset_help;
  double low;
  double high;
  const char *const *choices;
} JmSetting;

#define JM_TYPE_SETTING (jm_setting_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_setting_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_setting_free (JmSetting *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSetting, jm_setting_free)

G_END_DECLS
