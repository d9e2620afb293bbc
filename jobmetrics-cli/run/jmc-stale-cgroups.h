/* jmc-stale-cgroups.h: cgroups that earlier runs had to leave behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_stale_cgroups_claim (const char *cgroup);
GPtrArray *jmc_stale_cgroups_list (const char *folder);

G_END_DECLS
