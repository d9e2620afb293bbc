/* jm-base-types.c: GTypes of what base/ declares, which has none
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "base/jm-setting-private.h"

G_DEFINE_ENUM_TYPE (JmError,
                    jm_error,
                    G_DEFINE_ENUM_VALUE (JM_ERROR_ABSENT, "absent"),
                    G_DEFINE_ENUM_VALUE (JM_ERROR_DENIED, "denied"),
                    G_DEFINE_ENUM_VALUE (JM_ERROR_UNAVAILABLE, "unavailable"),
                    G_DEFINE_ENUM_VALUE (JM_ERROR_MALFORMED, "malformed"),
                    G_DEFINE_ENUM_VALUE (JM_ERROR_INVALID, "invalid"),
                    G_DEFINE_ENUM_VALUE (JM_ERROR_TOO_LARGE, "too-large"))

G_DEFINE_BOXED_TYPE (JmSetting, jm_setting, jm_setting_copy, jm_setting_free)
