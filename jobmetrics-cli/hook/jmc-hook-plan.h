/* jmc-hook-plan.h: what a hook is to do, by its command line or by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcHookPlan:
 * @is_end: whether the job ends; else it begins
 * @scheduler: one that is known
 * @directory: where property files are
 * @gpu_directory: (nullable): where files of accelerators are
 * @socket: the exporter's
 * @wait_us: how long the exporter is waited for
 * @removes_cgroups: whether empty cgroups of a job that ended are removed
 * @words: what the scheduler tells on the command line
 *
 * One run of a hook. */
typedef struct
{
  gboolean is_end;
  char *scheduler;
  char *directory;
  char *gpu_directory;
  char *socket;
  gint64 wait_us;
  gboolean removes_cgroups;
  char **words;
} JmcHookPlan;

/* Reads the command line of `jobmetrics-cli hook`, from the word `hook` on.
 *
 * - Errors: #GOptionError. */
gboolean jmc_hook_plan_parse (JmcHookPlan *self, char **arguments, GError **error);

/* Reads the command line of a program that is called like what it is to do: @path, or what
 * that is a link to, has `prolog` or `epilog` in its name, and may have a scheduler's.
 * FALSE where it has none of the two. */
gboolean
jmc_hook_plan_parse_link (JmcHookPlan *self, const char *path, char **arguments);

void jmc_hook_plan_clear (JmcHookPlan *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcHookPlan, jmc_hook_plan_clear)

G_END_DECLS
