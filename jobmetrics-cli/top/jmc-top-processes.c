/* jmc-top-processes.c: the processes of a job as top shows them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-processes.h"

/* What the library calls the executables beyond those that it tells apart. */
#define OTHER "other"

#define UNKNOWN "?"

typedef struct
{
  JmcTopRow *job;
  GHashTable *rows; /* the job's, by key */
  gint64 now_us;
  gint64 time_us;
} Addition;

static JmcTopRow *
find_part (Addition *self, const JmcTopRow *row, const char *name)
{
  g_autofree char *key = g_strconcat (row->key, "\n", name, NULL);

  return g_hash_table_lookup (self->rows, key);
}

/* The task or step, or of one that came after the sweep the next above. */
static JmcTopRow *
find_place (Addition *self, JmProcess *process)
{
  const char *const names[] = { jm_process_get_step (process),
                                jm_process_get_task (process) };
  JmcTopRow *place = self->job;

  for (guint i = 0; i < G_N_ELEMENTS (names) && names[i] != NULL; i++)
    {
      JmcTopRow *part = find_part (self, place, names[i]);

      if (part == NULL)
        break;
      place = part;
    }

  return place;
}

/* One that has spent no time yet is not among those of the sweep. */
static JmcTopRow *
add_executable (Addition *self, JmcTopRow *place, const char *executable)
{
  g_autofree char *base = g_path_get_basename (executable);
  JmcTopRow *row =
    jmc_top_row_add_part (place, JMC_TOP_EXECUTABLE, executable, base, self->now_us);

  g_hash_table_insert (self->rows, row->key, row);

  return row;
}

static JmcTopRow *
find_parent (Addition *self, JmProcess *process)
{
  JmcTopRow *place = find_place (self, process);
  const char *executable = jm_process_get_executable (process);
  JmcTopRow *parent;

  if (executable == NULL)
    return place;

  parent = find_part (self, place, executable);
  if (parent == NULL)
    parent = find_part (self, place, OTHER);

  return parent != NULL ? parent : add_executable (self, place, executable);
}

/* The letters of ps(1). */
static const char *
get_letter (const char *state)
{
  static const struct
  {
    const char *state;
    const char *letter;
  } letters[] = {
    { "running", "R" },      { "sleeping", "S" }, { "disk_sleep", "D" },
    { "stopped", "T" },      { "zombie", "Z" },   { "dead", "X" },
    { "tracing_stop", "t" }, { "idle", "I" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (g_strcmp0 (state, letters[i].state) == 0)
      return letters[i].letter;

  return UNKNOWN;
}

static JmFigure
make_figure (gint64 value, double unit)
{
  return value >= 0 ? jm_figure_known ((double) value / unit) : (JmFigure){ 0 };
}

static JmFigure
get_cpu_time (JmProcess *process)
{
  gint64 user_ns = jm_process_get_cpu_user (process);
  gint64 system_ns = jm_process_get_cpu_system (process);

  return make_figure (user_ns < 0 || system_ns < 0 ? -1 : user_ns + system_ns, 1e9);
}

static JmFigure
get_age (JmProcess *process, gint64 time_us)
{
  gint64 start_us = jm_process_get_start_time (process);

  return make_figure (start_us > 0 ? time_us - start_us : -1, 1e6);
}

static JmFigure
find_limit (const JmcTopRow *row)
{
  while (!row->figures[JMC_TOP_LIMIT].is_known && row->parent != NULL)
    row = row->parent;

  return row->figures[JMC_TOP_LIMIT];
}

static void
set_figures (JmcTopRow *row, JmProcess *process, gint64 time_us)
{
  const JmFigure memory = make_figure (jm_process_get_rss (process), 1);

  row->counters[JMC_TOP_COUNTER_CPU] = get_cpu_time (process);
  row->figures[JMC_TOP_CPU_TIME] = row->counters[JMC_TOP_COUNTER_CPU];
  row->figures[JMC_TOP_MEMORY] = memory;
  row->figures[JMC_TOP_MEMORY_PERCENT] = jm_figure_get_share (memory, find_limit (row));
  row->figures[JMC_TOP_THREADS] = make_figure (jm_process_get_n_threads (process), 1);
  row->figures[JMC_TOP_AGE] = get_age (process, time_us);
}

static void
add_process (Addition *self, JmProcess *process)
{
  const guint pid = jm_process_get_pid (process);
  const char *command = jm_process_get_command (process);
  /* Numbers of processes are given again. */
  g_autofree char *name =
    g_strdup_printf ("%u %" G_GINT64_FORMAT, pid, jm_process_get_start_time (process));
  g_autofree char *label =
    g_strdup_printf ("%u %s %s", pid, get_letter (jm_process_get_state (process)),
                     command != NULL ? command : UNKNOWN);
  JmcTopRow *row = jmc_top_row_add_part (find_parent (self, process), JMC_TOP_PROCESS,
                                         name, label, self->now_us);

  set_figures (row, process, self->time_us);
}

/* Adds @processes (JmProcess) to the parts of @job, below what they run. @now_us is of a
 * clock that never jumps, @time_us since 1970. */
void
jmc_top_processes_add (JmcTopRow *job,
                       GPtrArray *processes,
                       gint64 now_us,
                       gint64 time_us)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (g_str_hash, g_str_equal);
  Addition self = { job, rows, now_us, time_us };

  jmc_top_row_add_to (job, rows);
  for (guint i = 0; i < processes->len; i++)
    add_process (&self, processes->pdata[i]);
}
