/* jm-setting-private.h: one setting, and the text of its value
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-setting.h"

G_BEGIN_DECLS

/* The type of its value, and of its property. */
GType jm_setting_get_value_type (const JmSetting *self);

/* Sets @value, which has the type of the setting's, from what somebody wrote; adds to
 * it where it is a list. NULL for @text is what a flag has on the command line. Errors:
 * `INVALID` with the reason alone. */
gboolean jm_setting_parse (const JmSetting *self,
                           const char *text,
                           GValue *value,
                           GError **error);

/* Sets @value to what serves where nothing is written. */
void jm_setting_preset (const JmSetting *self, GValue *value);

/* A property for it: construct-only, with its bounds and its preset. */
GParamSpec *jm_setting_make_property (const JmSetting *self);

JmSetting *jm_setting_copy (const JmSetting *self);

G_END_DECLS
