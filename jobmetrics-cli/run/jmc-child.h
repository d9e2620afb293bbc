/* jmc-child.h: a command that we started: its signals and its end
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JmcChild JmcChild;

/* JmcChildFunc:
 * @pid: a process that was waited for, or 0 when only time has passed
 *
 * Returns whether that process is of the command and what it used counts. */
typedef gboolean (*JmcChildFunc) (pid_t pid, gpointer data);

gboolean jmc_child_can_become (const char *program);
JmcChild *jmc_child_new (char **argv, char **environment, GError **error);
void jmc_child_free (JmcChild *self);
pid_t jmc_child_get_pid (JmcChild *self);
int jmc_child_release (JmcChild *self);
void
jmc_child_wait (JmcChild *self, guint interval_ms, JmcChildFunc func, gpointer data);
void jmc_child_reap (JmcChild *self, JmcChildFunc func, gpointer data);
gboolean jmc_child_is_signaled (JmcChild *self);
int jmc_child_get_code (JmcChild *self);
const struct rusage *jmc_child_get_usage (JmcChild *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmcChild, jmc_child_free)

G_END_DECLS
