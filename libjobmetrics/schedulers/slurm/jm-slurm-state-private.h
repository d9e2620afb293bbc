/* jm-slurm-state-private.h: states of jobs and nodes, as Slurm's commands print them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "schedulers/jm-scheduler-records.h"

G_BEGIN_DECLS

/* `RUNNING`, `CANCELLED by 1001`, or a flag that hides the state, which is then the one
 * that it leaves no doubt of. *@flags gets the flag's bit; @other gets the word of one
 * that has none. FALSE of no word. */
gboolean jm_slurm_parse_job_state (JmSlice text,
                                   JmSchedulerJobState *state,
                                   guint *flags,
                                   GString *other);

/* A list of the state and its flags, with commas, in any order. */
gboolean jm_slurm_parse_job_states (JmSlice text,
                                    JmSchedulerJobState *state,
                                    guint *flags,
                                    GString *other);

/* Slurm has a reason for each job. That it has none is one of a job that waits alone,
 * so that the reasons of those add up. */
const char *jm_slurm_keep_reason (JmSchedulerJobState state, const char *reason);

/* The state and all its flags, in any order: `idle+drain`, `down*`, `mixed~+cloud`.
 * Flags that have no
 * bit are appended to @other, in small letters and with a comma between them. */
gboolean jm_slurm_parse_node_state (JmSlice text,
                                    JmSchedulerNodeState *state,
                                    guint *flags,
                                    GString *other);

G_END_DECLS
