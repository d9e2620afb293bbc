/* jm-number.h: numbers as text for programs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

JM_AVAILABLE_IN_ALL
char *jm_number_to_string (double value);

G_END_DECLS
