/* jmc-hook-cgroups.h: removes the cgroups that a job left behind
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes a job's cgroup, and those in it, in each hierarchy at or in @root, from the
 * leaves up, where no process is in any of them. @patterns, up to NULL, tell where it may
 * be: below the root of a hierarchy, with * for a part of a name and %j for @job. No
 * link is followed, and no folder of anybody's but root's and our own. Returns how many
 * were removed. */
guint jmc_hook_cgroups_remove (const char *root,
                               const char *const *patterns,
                               const char *job);

G_END_DECLS
