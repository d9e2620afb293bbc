/* jm-scheduler-commands-private.h: what those share that run a scheduler's commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "io/jm-command-runner-private.h"
#include "schedulers/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_SCHEDULER_COMMANDS (jm_scheduler_commands_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmSchedulerCommands,
                          jm_scheduler_commands,
                          JM,
                          SCHEDULER_COMMANDS,
                          JmSource)

/*
 * JmSchedulerCommandsClass:
 * @parent_class: the parent class
 *
 * The class of schedulers that are asked by their commands.
 */
struct _JmSchedulerCommandsClass
{
  JmSourceClass parent_class;

  const char *scheduler; /* for messages */
  /* names of variables that commands are handed on, and `NAME=VALUE` of such that they
   * are given; NULL is at the end */
  const char *const *environment;
  char *(*find_cluster) (gpointer self, GError **error);
  gboolean (*has_topic) (gpointer self, JmSchedulerTopic topic);
  gboolean (*read_topic) (gpointer self,
                          JmSchedulerTopic topic,
                          JmSchedulerReport *report,
                          GCancellable *cancellable,
                          GError **error);
};

/* Two million jobs, or a cluster of 200,000 nodes in several partitions each. */
#define JM_SCHEDULER_OUTPUT_MAX ((gsize) 1 << 30)

/* Runs `arguments[0]` of the directory that was set; @last, which may be NULL, is put
 * behind the arguments. */
JmCommandRunner *jm_scheduler_commands_make_runner (JmSchedulerCommands *self,
                                                    const char *const *arguments,
                                                    const char *last,
                                                    GError **error);

/* The same; made once for each topic, and not the caller's. @last may differ from that
 * of the time before. */
JmCommandRunner *jm_scheduler_commands_get_runner (JmSchedulerCommands *self,
                                                   JmSchedulerTopic topic,
                                                   const char *const *arguments,
                                                   const char *last,
                                                   GError **error);

G_END_DECLS
