/* jm-scheduler-commands.h: a scheduler that is asked by its commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/scheduler/jm-scheduler.h"

G_BEGIN_DECLS

#define JM_TYPE_SCHEDULER_COMMANDS (jm_scheduler_commands_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmSchedulerCommands,
                          jm_scheduler_commands,
                          JM,
                          SCHEDULER_COMMANDS,
                          JmSource)

/**
 * JmSchedulerCommandsClass:
 * @parent_class: the parent class
 *
 * The class of schedulers that are asked by their commands.
 *
 * Since: 0.1
 */
struct _JmSchedulerCommandsClass
{
  JmSourceClass parent_class;

  /*< private >*/
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

  gpointer padding[4];
};

G_END_DECLS
