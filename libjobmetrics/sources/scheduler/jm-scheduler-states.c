/* jm-scheduler-states.c: states of jobs and nodes, as a scheduler has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/scheduler/jm-scheduler-states-private.h"

#include "sources/scheduler/jm-slurm-value-private.h"

static const char *const job_states[JM_N_JOB_STATES] = {
  [JM_JOB_STATE_UNKNOWN] = "UNKNOWN",
  [JM_JOB_STATE_PENDING] = "PENDING",
  [JM_JOB_STATE_RUNNING] = "RUNNING",
  [JM_JOB_STATE_SUSPENDED] = "SUSPENDED",
  [JM_JOB_STATE_COMPLETED] = "COMPLETED",
  [JM_JOB_STATE_CANCELLED] = "CANCELLED",
  [JM_JOB_STATE_FAILED] = "FAILED",
  [JM_JOB_STATE_TIMEOUT] = "TIMEOUT",
  [JM_JOB_STATE_NODE_FAIL] = "NODE_FAIL",
  [JM_JOB_STATE_PREEMPTED] = "PREEMPTED",
  [JM_JOB_STATE_BOOT_FAIL] = "BOOT_FAIL",
  [JM_JOB_STATE_DEADLINE] = "DEADLINE",
  [JM_JOB_STATE_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
};

static const char *const node_states[JM_N_NODE_STATES] = {
  [JM_NODE_STATE_UNKNOWN] = "UNKNOWN", [JM_NODE_STATE_DOWN] = "DOWN",
  [JM_NODE_STATE_IDLE] = "IDLE",       [JM_NODE_STATE_ALLOCATED] = "ALLOCATED",
  [JM_NODE_STATE_ERROR] = "ERROR",     [JM_NODE_STATE_MIXED] = "MIXED",
  [JM_NODE_STATE_FUTURE] = "FUTURE",
};

/* squeue prints these in place of the state; of the others it may be any. */
static const struct
{
  const char *flag;
  JmJobState state;
} hiding[] = {
  { "CONFIGURING", JM_JOB_STATE_RUNNING },   { "RESIZING", JM_JOB_STATE_RUNNING },
  { "SIGNALING", JM_JOB_STATE_RUNNING },     { "POWER_UP_NODE", JM_JOB_STATE_RUNNING },
  { "REQUEUED", JM_JOB_STATE_PENDING },      { "REQUEUE_HOLD", JM_JOB_STATE_PENDING },
  { "REQUEUE_FED", JM_JOB_STATE_PENDING },   { "SPECIAL_EXIT", JM_JOB_STATE_PENDING },
  { "RESV_DEL_HOLD", JM_JOB_STATE_PENDING },
};

/* sinfo marks a state by a character. */
static const struct
{
  char mark;
  const char *flag;
} marks[] = {
  { '*', "NOT_RESPONDING" },   { '~', "POWERED_DOWN" },  { '#', "POWERING_UP" },
  { '!', "POWER_DOWN" },       { '%', "POWERING_DOWN" }, { '$', "MAINT" },
  { '@', "REBOOT_REQUESTED" }, { '^', "REBOOT_ISSUED" }, { '-', "PLANNED" },
};

const char *
jm_job_state_get_name (JmJobState state)
{
  return job_states[state];
}

const char *
jm_node_state_get_name (JmNodeState state)
{
  return node_states[state];
}

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) &&
         g_ascii_strncasecmp (text.text, word, text.length) == 0;
}

gboolean
jm_job_state_parse (JmSlice text, JmJobState *state, JmSlice *flag)
{
  JmSlice word;

  *state = JM_JOB_STATE_UNKNOWN;
  *flag = (JmSlice){ "", 0 };
  /* who cancelled it stands behind */
  if (!jm_slurm_take_word (&text, ' ', &word) || word.length == 0)
    return FALSE;

  for (guint i = JM_JOB_STATE_PENDING; i < JM_N_JOB_STATES; i++)
    if (is (word, job_states[i]))
      {
        *state = i;
        return TRUE;
      }

  *flag = word;
  for (guint i = 0; i < G_N_ELEMENTS (hiding); i++)
    if (is (word, hiding[i].flag))
      *state = hiding[i].state;

  return TRUE;
}

static void
add_flag (GString *flags, const char *word, gsize length)
{
  if (flags->len > 0)
    g_string_append_c (flags, ',');
  for (gsize i = 0; i < length; i++)
    g_string_append_c (flags, g_ascii_toupper (word[i]));
}

static const char *
get_marked_flag (char mark)
{
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks[i].mark == mark)
      return marks[i].flag;

  return NULL;
}

/* Takes the marks off a word's end. */
static void
take_marks (JmSlice *word, GString *flags)
{
  const char *flag;

  while (word->length > 0 &&
         (flag = get_marked_flag (word->text[word->length - 1])) != NULL)
    {
      add_flag (flags, flag, strlen (flag));
      word->length--;
    }
}

gboolean
jm_node_state_parse (JmSlice text, JmNodeState *state, GString *flags)
{
  JmSlice word;

  *state = JM_NODE_STATE_UNKNOWN;
  if (!jm_slurm_take_word (&text, '+', &word))
    return FALSE;

  take_marks (&word, flags);
  if (word.length == 0)
    return FALSE;
  for (guint i = 0; i < JM_N_NODE_STATES; i++)
    if (is (word, node_states[i]))
      {
        *state = i;
        word.length = 0;
        break;
      }
  /* a state of a later release is passed on as a flag */
  if (word.length > 0)
    add_flag (flags, word.text, word.length);

  while (jm_slurm_take_word (&text, '+', &word))
    {
      take_marks (&word, flags);
      if (word.length > 0)
        add_flag (flags, word.text, word.length);
    }

  return TRUE;
}
