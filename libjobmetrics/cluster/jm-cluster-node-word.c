/* jm-cluster-node-word.c: what a node does, in one word
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "cluster/jm-cluster-node-word-private.h"

#include <string.h>

#define BIT(flag) (1u << JM_SCHEDULER_NODE_FLAG_##flag)
#define STATE(state) (1u << JM_SCHEDULER_NODE_STATE_##state)
#define ANY_STATE G_MAXUINT
#define BUSY (STATE (ALLOCATED) | STATE (MIXED))
/* Some have a flag in place of the state. */
#define FREE (STATE (IDLE) | STATE (UNKNOWN))
#define ALONE(word, flag)                                                              \
 {                                                                                     \
  word, STATE (UNKNOWN), 0, BIT (flag), ~BIT (flag)                                    \
 }

/* A word stands for nodes in one of the states that have one of the flags of @any,
 * where there are some, and all flags of @with and none of @without. */
typedef struct
{
  const char *word;
  guint states;
  guint any;
  guint with;
  guint without;
} Rule;

/* The first that fits, in the order of Slurm's node_state_string(). */
static const Rule rules[] = {
  { "inval", ANY_STATE, BIT (INVALID_REG), 0, 0 },
  { "maint", ~(BUSY | STATE (DOWN)), BIT (MAINTENANCE), 0, BIT (DRAIN) },
  { "reboot", ~BUSY, BIT (REBOOT_REQUESTED) | BIT (REBOOT_ISSUED), 0, 0 },
  { "draining", ANY_STATE, BIT (COMPLETING), BIT (DRAIN), 0 },
  { "draining", BUSY, 0, BIT (DRAIN), 0 },
  { "drained", ANY_STATE, 0, BIT (DRAIN), 0 },
  { "failing", ANY_STATE, BIT (COMPLETING), BIT (FAIL), 0 },
  { "failing", STATE (ALLOCATED), 0, BIT (FAIL), 0 },
  { "fail", ANY_STATE, 0, BIT (FAIL), 0 },
  { "down", STATE (DOWN), 0, 0, 0 },
  { "allocated", STATE (ALLOCATED), 0, 0, 0 },
  { "completing", ANY_STATE, 0, BIT (COMPLETING), 0 },
  { "blocked", FREE, 0, BIT (BLOCKED), 0 },
  { "reserved", FREE, 0, BIT (RESERVED), 0 },
  { "planned", FREE, 0, BIT (PLANNED), 0 },
  { "idle", STATE (IDLE), 0, 0, 0 },
  { "mixed", STATE (MIXED), 0, 0, 0 },
  { "future", STATE (FUTURE), 0, 0, 0 },
  { "error", STATE (ERROR), 0, 0, 0 },
  ALONE ("cloud", CLOUD),
  ALONE ("power_down", POWER_DOWN),
  ALONE ("power_up", POWER_UP),
  ALONE ("powering_down", POWERING_DOWN),
  ALONE ("powered_down", POWERED_DOWN),
  ALONE ("powering_up", POWERING_UP),
};

static const char *const words[] = {
  "allocated",   "blocked",    "cloud",    "completing",   "down",
  "drained",     "draining",   "error",    "fail",         "failing",
  "future",      "idle",       "inval",    "maint",        "mixed",
  "planned",     "power_down", "power_up", "powered_down", "powering_down",
  "powering_up", "reboot",     "reserved", "unknown",      NULL,
};

const char *const *
jm_cluster_node_word_list (void)
{
  return words;
}

static gboolean
fits (const Rule *rule, const JmSchedulerNode *node)
{
  return (rule->states & (1u << node->state)) != 0 &&
         (rule->any == 0 || (node->flags & rule->any) != 0) &&
         (node->flags & rule->with) == rule->with && (node->flags & rule->without) == 0;
}

char *
jm_cluster_node_word_make (const JmSchedulerNode *node)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (fits (&rules[i], node))
      return g_strdup (rules[i].word);
  if (node->other_flags == NULL)
    return g_strdup ("unknown");

  return g_ascii_strdown (node->other_flags, (gssize) strcspn (node->other_flags, ","));
}
