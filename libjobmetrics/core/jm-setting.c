/* jm-setting.c: declarations of settings, as values that other languages hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-setting.h"

G_DEFINE_BOXED_TYPE (JmSetting, jm_setting, jm_setting_copy, jm_setting_free)

/**
 * jm_setting_copy:
 * @self: a setting
 *
 * Copies a declaration, whose strings are never freed.
 *
 * Returns: (transfer full): the copy
 * Since: 0.1
 */
JmSetting *
jm_setting_copy (const JmSetting *self)
{
  return g_memdup2 (self, sizeof *self);
}

/**
 * jm_setting_free:
 * @self: a setting
 *
 * Frees a copy.
 *
 * Since: 0.1
 */
void
jm_setting_free (JmSetting *self)
{
  g_free (self);
}
