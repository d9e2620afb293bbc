/* jm-slurm-state.c: states of jobs and nodes, as Slurm's commands print them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-state-private.h"

#include "schedulers/jm-scheduler-report-private.h"
#include "schedulers/jm-scheduler-value-private.h"

/* squeue prints these in place of the state; in place of which, the others leave open.
 */
static const JmSchedulerJobState hidden[JM_N_SCHEDULER_JOB_FLAGS] = {
  [JM_SCHEDULER_JOB_FLAG_REQUEUED] = JM_SCHEDULER_JOB_STATE_PENDING,
  [JM_SCHEDULER_JOB_FLAG_REQUEUE_HOLD] = JM_SCHEDULER_JOB_STATE_PENDING,
  [JM_SCHEDULER_JOB_FLAG_REQUEUE_FED] = JM_SCHEDULER_JOB_STATE_PENDING,
  [JM_SCHEDULER_JOB_FLAG_SPECIAL_EXIT] = JM_SCHEDULER_JOB_STATE_PENDING,
  [JM_SCHEDULER_JOB_FLAG_RESV_DEL_HOLD] = JM_SCHEDULER_JOB_STATE_PENDING,
  [JM_SCHEDULER_JOB_FLAG_RESIZING] = JM_SCHEDULER_JOB_STATE_RUNNING,
  [JM_SCHEDULER_JOB_FLAG_CONFIGURING] = JM_SCHEDULER_JOB_STATE_RUNNING,
  [JM_SCHEDULER_JOB_FLAG_STOPPED] = JM_SCHEDULER_JOB_STATE_RUNNING,
  [JM_SCHEDULER_JOB_FLAG_SIGNALING] = JM_SCHEDULER_JOB_STATE_RUNNING,
  [JM_SCHEDULER_JOB_FLAG_POWER_UP_NODE] = JM_SCHEDULER_JOB_STATE_RUNNING,
};

/* sinfo marks a state by characters behind it. */
static const struct
{
  char mark;
  JmSchedulerNodeFlag flag;
} marks[] = {
  { '*', JM_SCHEDULER_NODE_FLAG_NOT_RESPONDING },
  { '~', JM_SCHEDULER_NODE_FLAG_POWERED_DOWN },
  { '#', JM_SCHEDULER_NODE_FLAG_POWERING_UP },
  { '!', JM_SCHEDULER_NODE_FLAG_POWER_DOWN },
  { '%', JM_SCHEDULER_NODE_FLAG_POWERING_DOWN },
  { '$', JM_SCHEDULER_NODE_FLAG_MAINTENANCE },
  { '@', JM_SCHEDULER_NODE_FLAG_REBOOT_REQUESTED },
  { '^', JM_SCHEDULER_NODE_FLAG_REBOOT_ISSUED },
  { '-', JM_SCHEDULER_NODE_FLAG_PLANNED },
};

/* Words for flags that have others beside, in other commands or releases. */
static const struct
{
  const char *word;
  JmSchedulerNodeFlag flag;
} node_words[] = {
  { "maint", JM_SCHEDULER_NODE_FLAG_MAINTENANCE },
  { "drained", JM_SCHEDULER_NODE_FLAG_DRAIN },
  { "draining", JM_SCHEDULER_NODE_FLAG_DRAIN },
  { "inval", JM_SCHEDULER_NODE_FLAG_INVALID_REG },
  { "reboot", JM_SCHEDULER_NODE_FLAG_REBOOT_REQUESTED },
};

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) &&
         g_ascii_strncasecmp (text.text, word, text.length) == 0;
}

static void
add_word (GString *words, JmSlice word)
{
  if (words->len > 0)
    g_string_append_c (words, ',');
  for (gsize i = 0; i < word.length; i++)
    g_string_append_c (words, g_ascii_tolower (word.text[i]));
}

/* --- jobs --- */

gboolean
jm_slurm_parse_job_state (JmSlice text,
                          JmSchedulerJobState *state,
                          guint *flags,
                          GString *other)
{
  JmSlice word;

  *state = JM_SCHEDULER_JOB_STATE_UNKNOWN;
  /* who cancelled it stands behind */
  if (!jm_slice_take_word (&text, ' ', &word) || word.length == 0)
    return FALSE;

  for (guint i = 0; i < JM_N_SCHEDULER_JOB_STATES; i++)
    if (is (word, jm_scheduler_job_state_get_name (i)))
      {
        *state = i;
        return TRUE;
      }
  for (guint i = 0; i < JM_N_SCHEDULER_JOB_FLAGS; i++)
    if (is (word, jm_scheduler_job_flag_get_name (i)))
      {
        *state = hidden[i];
        *flags |= 1u << i;
        return TRUE;
      }
  add_word (other, word);

  return TRUE;
}

gboolean
jm_slurm_parse_job_states (JmSlice text,
                           JmSchedulerJobState *state,
                           guint *flags,
                           GString *other)
{
  gboolean is_told = FALSE;
  JmSlice word;

  *state = JM_SCHEDULER_JOB_STATE_UNKNOWN;
  while (jm_slice_take_word (&text, ',', &word))
    {
      JmSchedulerJobState told;
      guint flags_of_word = 0;
      gsize others_before = other->len;
      gboolean is_state;

      if (!jm_slurm_parse_job_state (word, &told, &flags_of_word, other))
        return FALSE;

      *flags |= flags_of_word;
      is_state = flags_of_word == 0 && other->len == others_before;
      if (!is_told && told != JM_SCHEDULER_JOB_STATE_UNKNOWN)
        *state = told;
      is_told = is_told || is_state;
    }

  return TRUE;
}

/* --- nodes --- */

static gboolean
find_node_flag (JmSlice word, guint *flags)
{
  for (guint i = 0; i < JM_N_SCHEDULER_NODE_FLAGS; i++)
    if (is (word, jm_scheduler_node_flag_get_name (i)))
      {
        *flags |= 1u << i;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (node_words); i++)
    if (is (word, node_words[i].word))
      {
        *flags |= 1u << node_words[i].flag;
        return TRUE;
      }

  return FALSE;
}

static gboolean
take_mark (JmSlice *word, guint *flags)
{
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (word->length > 0 && word->text[word->length - 1] == marks[i].mark)
      {
        *flags |= 1u << marks[i].flag;
        word->length--;
        return TRUE;
      }

  return FALSE;
}

static void
take_flag (JmSlice word, guint *flags, GString *other)
{
  while (take_mark (&word, flags))
    ;
  if (word.length > 0 && !find_node_flag (word, flags))
    add_word (other, word);
}

static gboolean
find_node_state (JmSlice word, JmSchedulerNodeState *state)
{
  for (guint i = 0; i < JM_N_SCHEDULER_NODE_STATES; i++)
    if (is (word, jm_scheduler_node_state_get_name (i)))
      {
        *state = i;
        return TRUE;
      }

  return FALSE;
}

gboolean
jm_slurm_parse_node_state (JmSlice text,
                           JmSchedulerNodeState *state,
                           guint *flags,
                           GString *other)
{
  gboolean is_told = FALSE;
  gboolean has_word = FALSE;
  JmSlice word;

  *state = JM_SCHEDULER_NODE_STATE_UNKNOWN;
  while (jm_slice_take_word (&text, '+', &word))
    {
      while (take_mark (&word, flags))
        ;
      if (word.length == 0 && !has_word)
        return FALSE;

      has_word = TRUE;
      /* a word that hides the state, or of a later release, is passed on with the flags
       */
      if (!is_told && find_node_state (word, state))
        is_told = TRUE;
      else
        take_flag (word, flags, other);
    }

  return has_word;
}

const char *
jm_slurm_keep_reason (JmSchedulerJobState state, const char *reason)
{
  return state == JM_SCHEDULER_JOB_STATE_PENDING || reason == NULL ||
             g_ascii_strcasecmp (reason, "None") != 0
           ? reason
           : NULL;
}
