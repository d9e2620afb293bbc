/* jm-process.h: a process of a job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmProcess:
 *
 * A process of a job as it was at one moment: an immutable record, shared by reference.
 *
 * Of a process that may not be looked at only the number is known, and which step and
 * task it is in.
 *
 * Since: 0.1
 */
typedef struct _JmProcess JmProcess;

#define JM_TYPE_PROCESS (jm_process_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_process_get_type (void);

JM_AVAILABLE_IN_ALL
void jm_process_unref (JmProcess *self);

JM_AVAILABLE_IN_ALL
guint jm_process_get_pid (JmProcess *self);

JM_AVAILABLE_IN_ALL
const char *jm_process_get_step (JmProcess *self);

JM_AVAILABLE_IN_ALL
const char *jm_process_get_task (JmProcess *self);

JM_AVAILABLE_IN_ALL
const char *jm_process_get_command (JmProcess *self);

JM_AVAILABLE_IN_ALL
const char *jm_process_get_executable (JmProcess *self);

JM_AVAILABLE_IN_ALL
const char *jm_process_get_state (JmProcess *self);

JM_AVAILABLE_IN_ALL
gint64 jm_process_get_start_time (JmProcess *self);

JM_AVAILABLE_IN_ALL
gint64 jm_process_get_cpu_user (JmProcess *self);

JM_AVAILABLE_IN_ALL
gint64 jm_process_get_cpu_system (JmProcess *self);

JM_AVAILABLE_IN_ALL
gint64 jm_process_get_rss (JmProcess *self);

JM_AVAILABLE_IN_ALL
int jm_process_get_n_threads (JmProcess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmProcess, jm_process_unref)

G_END_DECLS
