/* jm-scheduler-states-private.h: states of jobs and nodes, as a scheduler has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "host/jm-parse-private.h"

G_BEGIN_DECLS

/* Slurm's own, which others are told by. Flags, of which a job and a node has any
 * number beside its state, are passed on as words: each release has new ones. */
typedef enum
{
  JM_JOB_STATE_UNKNOWN, /* a flag was told in place of it */
  JM_JOB_STATE_PENDING,
  JM_JOB_STATE_RUNNING,
  JM_JOB_STATE_SUSPENDED,
  JM_JOB_STATE_COMPLETED,
  JM_JOB_STATE_CANCELLED,
  JM_JOB_STATE_FAILED,
  JM_JOB_STATE_TIMEOUT,
  JM_JOB_STATE_NODE_FAIL,
  JM_JOB_STATE_PREEMPTED,
  JM_JOB_STATE_BOOT_FAIL,
  JM_JOB_STATE_DEADLINE,
  JM_JOB_STATE_OUT_OF_MEMORY,
} JmJobState;

#define JM_N_JOB_STATES (JM_JOB_STATE_OUT_OF_MEMORY + 1)

typedef enum
{
  JM_NODE_STATE_UNKNOWN,
  JM_NODE_STATE_DOWN,
  JM_NODE_STATE_IDLE,
  JM_NODE_STATE_ALLOCATED,
  JM_NODE_STATE_ERROR,
  JM_NODE_STATE_MIXED,
  JM_NODE_STATE_FUTURE,
} JmNodeState;

#define JM_N_NODE_STATES (JM_NODE_STATE_FUTURE + 1)

/* In capitals, as Slurm has them. */
const char *jm_job_state_get_name (JmJobState state);
const char *jm_node_state_get_name (JmNodeState state);

/* `RUNNING`, `CANCELLED by 1001`, or a flag that hides the state: *@flag is then that
 * word, and the state the one that it leaves no doubt of. FALSE of no word. */
gboolean jm_job_state_parse (JmSlice text, JmJobState *state, JmSlice *flag);

/* What is behind the state: `idle+drain`, `down*`, `mixed~+cloud`. Appends the flags to
 * @flags, in capitals and with a comma between them. */
gboolean jm_node_state_parse (JmSlice text, JmNodeState *state, GString *flags);

G_END_DECLS
