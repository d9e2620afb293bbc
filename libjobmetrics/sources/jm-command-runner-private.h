/* jm-command-runner-private.h: what a program prints, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define JM_COMMAND_OUTPUT_MAX (64 * 1024)

/* A command that is run again and again, without a shell, in a process group of its
 * own: with nothing to read, the C locale, and never twice at once. What it leaves
 * running when it ends, or has not ended in time, is killed. Belongs to one thread at a
 * time. */
typedef struct _JmCommandRunner JmCommandRunner;

/* @command is split as a shell does, quotes included. `INVALID` where it cannot be,
 * `ABSENT` where there is no such program. */
JmCommandRunner *
jm_command_runner_new (const char *command, guint timeout_ms, GError **error);
void jm_command_runner_free (JmCommandRunner *self);

/* The program, for messages. */
const char *jm_command_runner_get_name (JmCommandRunner *self);

/* What it prints; only if it ends well. A NUL stands behind the last byte. */
char *jm_command_runner_run (JmCommandRunner *self,
                             GCancellable *cancellable,
                             gsize *length,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCommandRunner, jm_command_runner_free)

G_END_DECLS
