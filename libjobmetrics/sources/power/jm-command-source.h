/* jm-command-source.h: power and energy, from a program of the site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-meter-source.h"

G_BEGIN_DECLS

#define JM_TYPE_COMMAND_SOURCE (jm_command_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmCommandSource,
                      jm_command_source,
                      JM,
                      COMMAND_SOURCE,
                      JmMeterSource)

G_END_DECLS
