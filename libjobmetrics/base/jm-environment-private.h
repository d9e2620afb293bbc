/* jm-environment-private.h: what commands see of the environment
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What any program may need of this one's environment, and those of the names in @kept
 * that are set; the C locale, and UTC. */
char **jm_command_make_environment (const char *const *kept);

G_END_DECLS
