/* jm-command-runner-private.h: what a program prints, within bounds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define JM_COMMAND_OUTPUT_MAX (64 * 1024)

/* The longest line that is given whole. */
#define JM_COMMAND_LINE_MAX (64 * 1024)

/* A command that is run again and again, without a shell, in a process group of its
 * own: with nothing to read, the C locale, and never twice at once. What it leaves
 * running when it ends, or has not ended in time, is killed. Belongs to one thread at a
 * time. */
typedef struct _JmCommandRunner JmCommandRunner;

/* @command is split as a shell does, quotes included. `INVALID` where it cannot be,
 * `ABSENT` where there is no such program. */
JmCommandRunner *
jm_command_runner_new (const char *command, guint timeout_ms, GError **error);

/* The same of a list of arguments, and with no other environment than this. The program
 * is that of @directory; where that is NULL, it is looked for in `PATH`. */
JmCommandRunner *jm_command_runner_new_with_argv (const char *directory,
                                                  const char *const *argv,
                                                  const char *const *environment,
                                                  guint timeout_ms,
                                                  GError **error);
void jm_command_runner_free (JmCommandRunner *self);

/* From the next run on. */
void jm_command_runner_set_last_argument (JmCommandRunner *self, const char *argument);

/* The program, for messages. */
const char *jm_command_runner_get_name (JmCommandRunner *self);

/* What it prints; only if it ends well. A NUL stands behind the last byte. */
char *jm_command_runner_run (JmCommandRunner *self,
                             GCancellable *cancellable,
                             gsize *length,
                             GError **error);

/* A line without its end. Of one that is too long, or that the output ends within,
 * there
 * is a part: @is_whole is FALSE. */
typedef void (*JmCommandLineFunc) (const char *line,
                                   gsize length,
                                   gboolean is_whole,
                                   gpointer data);

/* Hands on the lines that it prints while it runs, @max_bytes in all. FALSE where it
 * does not end well: the lines that were handed on are then to be thrown away. */
gboolean jm_command_runner_read_lines (JmCommandRunner *self,
                                       gsize max_bytes,
                                       JmCommandLineFunc func,
                                       gpointer data,
                                       GCancellable *cancellable,
                                       GError **error);

/* Some of the output, wherever it was cut. */
typedef void (*JmCommandChunkFunc) (const char *text, gsize length, gpointer data);

/* The same, in chunks as they come. */
gboolean jm_command_runner_read_chunks (JmCommandRunner *self,
                                        gsize max_bytes,
                                        JmCommandChunkFunc func,
                                        gpointer data,
                                        GCancellable *cancellable,
                                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCommandRunner, jm_command_runner_free)

G_END_DECLS
