/* jm-process-roll.c: which processes are there
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-sweep-parts-private.h"

#define DEPTH_MAX 64

struct _JmProcessRoll
{
  GHashTable *by_pid;   /* of JmKeptProcess, by pid */
  GPtrArray *processes; /* of JmKeptProcess, as they were named in the last round; NULL
                         * for one that was found to have ended */
  GPtrArray *named;     /* of JmKeptProcess, as they are named in this round */
  GPtrArray *ended;     /* of JmKeptProcess */
  guint cursor;         /* in processes: most likely the next one named */
  guint round;
  gboolean is_open; /* in the middle of a round */
};

JmProcessRoll *
jm_process_roll_new (void)
{
  JmProcessRoll *self = g_new0 (JmProcessRoll, 1);

  self->by_pid = g_hash_table_new (NULL, NULL);
  self->processes = g_ptr_array_new ();
  self->named = g_ptr_array_new ();
  self->ended = g_ptr_array_new ();

  return self;
}

static void
free_processes (JmProcessRoll *self)
{
  /* those of the last round that are named in this one stand in both */
  for (guint i = 0; i < self->processes->len; i++)
    {
      JmKeptProcess *process = g_ptr_array_index (self->processes, i);

      if (process != NULL &&
          (!self->is_open || !jm_process_roll_is_named (self, process)))
        jm_kept_process_free (process);
    }

  for (guint i = 0; i < self->named->len; i++)
    jm_kept_process_free (g_ptr_array_index (self->named, i));
  for (guint i = 0; i < self->ended->len; i++)
    jm_kept_process_free (g_ptr_array_index (self->ended, i));
}

void
jm_process_roll_free (JmProcessRoll *self)
{
  free_processes (self);
  g_hash_table_unref (self->by_pid);
  g_ptr_array_unref (self->processes);
  g_ptr_array_unref (self->named);
  g_ptr_array_unref (self->ended);
  g_free (self);
}

void
jm_process_roll_move_group (JmProcessRoll *self, guint group, guint parent)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      JmKeptProcess *process = g_ptr_array_index (self->processes, i);

      if (process->group == group)
        process->group = parent;
    }
}

void
jm_process_roll_begin (JmProcessRoll *self)
{
  self->round++;
  self->cursor = 0;
  self->is_open = TRUE;
}

JmKeptProcess *
jm_process_roll_find (JmProcessRoll *self, guint pid)
{
  JmKeptProcess *process = self->cursor < self->processes->len
                             ? g_ptr_array_index (self->processes, self->cursor)
                             : NULL;

  if (process != NULL && process->pid == pid)
    return process;

  return g_hash_table_lookup (self->by_pid, GUINT_TO_POINTER (pid));
}

gboolean
jm_process_roll_is_named (JmProcessRoll *self, const JmKeptProcess *process)
{
  return process->round == self->round;
}

/* In the round before. */
gboolean
jm_process_roll_was_named (JmProcessRoll *self, const JmKeptProcess *process)
{
  return process->round == self->round - 1;
}

void
jm_process_roll_name (JmProcessRoll *self, JmKeptProcess *process)
{
  if (!process->is_new)
    self->cursor = process->position + 1;

  process->round = self->round;
  g_ptr_array_add (self->named, process);
}

void
jm_process_roll_add (JmProcessRoll *self, JmKeptProcess *process)
{
  process->is_new = TRUE;
  g_hash_table_insert (self->by_pid, GUINT_TO_POINTER (process->pid), process);
  jm_process_roll_name (self, process);
}

void
jm_process_roll_strike (JmProcessRoll *self, JmKeptProcess *process)
{
  self->processes->pdata[process->position] = NULL;
  g_ptr_array_add (self->ended, process);
}

void
jm_process_roll_ask (JmProcessRoll *self,
                     gboolean (*has_ended) (JmKeptProcess *process, gpointer user_data),
                     gpointer user_data)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      JmKeptProcess *process = g_ptr_array_index (self->processes, i);

      if (process != NULL && !jm_process_roll_is_named (self, process))
        g_ptr_array_add (has_ended (process, user_data) ? self->ended : self->named,
                         process);
    }
}

const GPtrArray *
jm_process_roll_get_named (JmProcessRoll *self)
{
  return self->named;
}

const GPtrArray *
jm_process_roll_get_ended (JmProcessRoll *self)
{
  return self->ended;
}

JmKeptProcess *
jm_process_roll_find_heir (JmProcessRoll *self, const JmKeptProcess *process)
{
  guint ppid = process->ppid;

  /* bounded, since parents that ended may have given their numbers away */
  for (guint depth = 0; depth < DEPTH_MAX; depth++)
    {
      JmKeptProcess *heir = g_hash_table_lookup (self->by_pid, GUINT_TO_POINTER (ppid));

      if (heir == NULL)
        return NULL;
      if (jm_process_roll_is_named (self, heir))
        return heir->counts ? heir : NULL;

      ppid = heir->ppid;
    }

  return NULL;
}

static void
drop (JmProcessRoll *self, JmKeptProcess *process)
{
  if (g_hash_table_lookup (self->by_pid, GUINT_TO_POINTER (process->pid)) == process)
    g_hash_table_remove (self->by_pid, GUINT_TO_POINTER (process->pid));

  jm_kept_process_free (process);
}

void
jm_process_roll_drop_ended (JmProcessRoll *self)
{
  for (guint i = 0; i < self->ended->len; i++)
    drop (self, g_ptr_array_index (self->ended, i));

  g_ptr_array_set_size (self->ended, 0);
}

static void
finish_named (JmProcessRoll *self)
{
  for (guint i = 0; i < self->named->len; i++)
    {
      JmKeptProcess *process = g_ptr_array_index (self->named, i);

      process->position = i;
      if (process->is_new)
        jm_dir_forget_descriptor (&process->dir);
      process->is_new = FALSE;
    }
}

static void
turn_over (JmProcessRoll *self)
{
  GPtrArray *named = self->named;

  self->named = self->processes;
  self->processes = named;
  g_ptr_array_set_size (self->named, 0);
}

void
jm_process_roll_end (JmProcessRoll *self)
{
  finish_named (self);
  turn_over (self);
  self->is_open = FALSE;
}
