/* jmc-top-model.c: the lines of top: which there are, and in which order
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "top/jmc-top-model.h"

#include "core/jm-process.h"

/* What the library calls the executables beyond those that it distinguishes. */
#define OTHER "other"

#define UNKNOWN "?"

typedef struct
{
  JmcTopRow *job;
  GHashTable *rows; /* the job's, by key */
  gint64 now_us;
  gint64 time_us;
} Addition;

struct _JmcTopModel
{
  GPtrArray *jobs; /* of JmcTopRow */
  JmNodeSummary summary;
  JmSnapshot *latest; /* NULL before the first sweep */
  GArray *lines;      /* of JmcTopLine, into jobs */

  JmcTopLister lister; /* NULL for jobs without processes */
  gpointer lister_data;

  JmcTopColumn sort;
  gboolean is_reversed;
  char *filter; /* as it was typed; NULL for all jobs */
  char *user;   /* NULL for all users */

  gboolean are_jobs_open; /* unless a job has a choice of its own */
  GHashTable *unusual;    /* keys of rows that are open or closed unlike others */
  char *selected;         /* the key */
  guint selected_line;
};

/* --- processes --- */

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

/* Adds @processes (JmProcess) to the parts of @job, below what they run. @now_us is of
 * a clock that never jumps, @time_us since 1970. */
static void
add_processes (JmcTopRow *job, GPtrArray *processes, gint64 now_us, gint64 time_us)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (g_str_hash, g_str_equal);
  Addition self = { job, rows, now_us, time_us };

  jmc_top_row_add_to (job, rows);
  for (guint i = 0; i < processes->len; i++)
    add_process (&self, processes->pdata[i]);
}

/* --- the model --- */

JmcTopModel *
jmc_top_model_new (void)
{
  JmcTopModel *self = g_new0 (JmcTopModel, 1);

  self->jobs = g_ptr_array_new ();
  self->lines = g_array_new (FALSE, FALSE, sizeof (JmcTopLine));
  self->unusual = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sort = JMC_TOP_CPU_PERCENT;

  return self;
}

void
jmc_top_model_free (JmcTopModel *self)
{
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  g_ptr_array_unref (self->jobs);
  g_array_unref (self->lines);
  g_hash_table_unref (self->unusual);
  g_free (self->filter);
  g_free (self->user);
  g_free (self->selected);
  g_free (self);
}

/* Without it, jobs have no processes to show. @data must outlive the model. */
void
jmc_top_model_set_lister (JmcTopModel *self, JmcTopLister lister, gpointer data)
{
  self->lister = lister;
  self->lister_data = data;
}

/* --- lines --- */

/* Whether a job has processes is not known before it is open. */
static gboolean
has_parts (JmcTopModel *self, const JmcTopRow *row)
{
  return row->children->len > 0 ||
         (row->kind == JMC_TOP_JOB && !row->has_ended && self->lister != NULL);
}

/* Jobs are closed at first; what is in them is open once they are. */
static gboolean
is_open (JmcTopModel *self, const JmcTopRow *row)
{
  gboolean usual = row->kind != JMC_TOP_JOB || self->are_jobs_open;

  if (!has_parts (self, row))
    return FALSE;

  return g_hash_table_contains (self->unusual, row->key) ? !usual : usual;
}

static void
add_lines (JmcTopModel *self, const JmcTopRow *row, guint depth, guint lasts)
{
  const JmcTopLine line = { row, depth, lasts, has_parts (self, row),
                            is_open (self, row) };

  g_array_append_val (self->lines, line);
  if (!line.is_open)
    return;

  for (guint i = 0; i < row->children->len; i++)
    add_lines (self, row->children->pdata[i], depth + 1,
               lasts | (i + 1 == row->children->len ? 1u << (depth + 1) : 0));
}

static gboolean
is_wanted (JmcTopModel *self, const JmcTopRow *job)
{
  g_autofree char *folded =
    self->filter != NULL ? g_utf8_casefold (self->filter, -1) : NULL;

  if (self->user != NULL && g_strcmp0 (job->texts[JMC_TOP_USER], self->user) != 0)
    return FALSE;

  return folded == NULL || jmc_top_row_matches (job, folded);
}

/* The processes of a job are looked at once in each sweep, if it is open. Where they
 * cannot be, the sweep has reported why. */
static void
list_processes (JmcTopModel *self, JmcTopRow *job)
{
  g_autoptr (GPtrArray) processes = NULL;
  gint64 now_us;

  if (self->lister == NULL || job->is_listed || job->has_ended ||
      !is_open (self, job) || !is_wanted (self, job))
    return;

  job->is_listed = TRUE;
  processes = self->lister (job->key, &now_us, self->lister_data);
  if (processes != NULL)
    add_processes (job, processes, now_us, self->summary.time_us);
}

/* The selection stays with its row; where that went, with its place. As long as nothing
 * was selected it is the first line, whichever that is. */
static void
find_selected (JmcTopModel *self)
{
  if (self->selected == NULL)
    return;

  for (guint i = 0; i < self->lines->len; i++)
    if (g_strcmp0 (jmc_top_model_get_line (self, i)->row->key, self->selected) == 0)
      {
        self->selected_line = i;
        return;
      }

  jmc_top_model_select (self, self->selected_line);
}

static void
renew_lines (JmcTopModel *self)
{
  g_array_set_size (self->lines, 0);
  for (guint i = 0; i < self->jobs->len; i++)
    {
      JmcTopRow *job = self->jobs->pdata[i];

      if (!is_wanted (self, job))
        continue;

      list_processes (self, job);
      jmc_top_row_sort_parts (job, self->sort, self->is_reversed);
      add_lines (self, job, 0, 0);
    }
  find_selected (self);
}

static gint
compare_jobs (gconstpointer a, gconstpointer b, gpointer data)
{
  JmcTopModel *self = data;

  return jmc_top_row_compare (*(const JmcTopRow *const *) a,
                              *(const JmcTopRow *const *) b, self->sort,
                              self->is_reversed);
}

static void
sort_jobs (JmcTopModel *self)
{
  g_ptr_array_sort_with_data (self->jobs, compare_jobs, self);
  renew_lines (self);
}

/* --- sweeps --- */

static GHashTable *
index_rows (GPtrArray *jobs)
{
  GHashTable *rows = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < jobs->len; i++)
    jmc_top_row_add_to (jobs->pdata[i], rows);

  return rows;
}

static void
set_rates (JmcTopModel *self, GPtrArray *jobs)
{
  g_autoptr (GHashTable) earlier = index_rows (self->jobs);

  /* A job to which no CPUs were allocated may use all. */
  for (guint i = 0; i < jobs->len; i++)
    jmc_top_row_set_rates (jobs->pdata[i], earlier, self->summary.cpus);
}

static gboolean
is_gone (gpointer key, gpointer value, gpointer rows)
{
  return !g_hash_table_contains (rows, key);
}

static void
forget_what_is_gone (JmcTopModel *self)
{
  g_autoptr (GHashTable) rows = index_rows (self->jobs);

  g_hash_table_foreach_remove (self->unusual, is_gone, rows);
}

/* Takes a sweep in. @now_us is of a clock that never jumps: rates are by it. */
void
jmc_top_model_update (JmcTopModel *self, JmSnapshot *snapshot, gint64 now_us)
{
  GPtrArray *jobs = jmc_top_row_list (snapshot, now_us);

  jm_node_summary_init (&self->summary, snapshot);
  for (guint i = 0; i < jobs->len; i++)
    list_processes (self, jobs->pdata[i]);
  if (self->latest != NULL)
    jm_node_summary_set_rates (&self->summary, self->latest, snapshot);
  set_rates (self, jobs);
  g_clear_pointer (&self->latest, jm_snapshot_unref);
  self->latest = jm_snapshot_ref (snapshot);

  g_array_set_size (self->lines, 0);
  g_ptr_array_unref (self->jobs);
  self->jobs = jobs;
  forget_what_is_gone (self);
  sort_jobs (self);
}

/* Whether there are no jobs at all, wanted or not. */
gboolean
jmc_top_model_is_empty (JmcTopModel *self)
{
  return self->jobs->len == 0;
}

const JmNodeSummary *
jmc_top_model_get_summary (JmcTopModel *self)
{
  return &self->summary;
}

/* All of them, of JmcTopRow. */
GPtrArray *
jmc_top_model_get_jobs (JmcTopModel *self)
{
  return self->jobs;
}

guint
jmc_top_model_get_n_lines (JmcTopModel *self)
{
  return self->lines->len;
}

const JmcTopLine *
jmc_top_model_get_line (JmcTopModel *self, guint number)
{
  return &g_array_index (self->lines, JmcTopLine, number);
}

/* --- order and choice --- */

void
jmc_top_model_sort (JmcTopModel *self, JmcTopColumn column, gboolean is_reversed)
{
  self->sort = column;
  self->is_reversed = is_reversed;
  sort_jobs (self);
}

JmcTopColumn
jmc_top_model_get_sort (JmcTopModel *self, gboolean *is_reversed)
{
  *is_reversed = self->is_reversed;

  return self->sort;
}

static void
set_text (char **text, const char *value)
{
  char *copy = value != NULL && *value != '\0' ? g_strdup (value) : NULL;

  g_free (*text);
  *text = copy;
}

/* Shows only jobs with @text, in either case, in one of their words. */
void
jmc_top_model_set_filter (JmcTopModel *self, const char *text)
{
  set_text (&self->filter, text);
  renew_lines (self);
}

const char *
jmc_top_model_get_filter (JmcTopModel *self)
{
  return self->filter;
}

/* Shows only jobs of @user, a name or, where there is none, a number. */
void
jmc_top_model_set_user (JmcTopModel *self, const char *user)
{
  set_text (&self->user, user);
  renew_lines (self);
}

const char *
jmc_top_model_get_user (JmcTopModel *self)
{
  return self->user;
}

/* --- selection --- */

/* The number of the selected line; it means nothing where there are no lines. */
guint
jmc_top_model_get_selected (JmcTopModel *self)
{
  return self->selected_line;
}

/* A number that is too large selects the last line. */
void
jmc_top_model_select (JmcTopModel *self, guint number)
{
  if (self->lines->len == 0)
    return;

  self->selected_line = MIN (number, self->lines->len - 1);
  set_text (&self->selected,
            jmc_top_model_get_line (self, self->selected_line)->row->key);
}

static const JmcTopRow *
get_selected_row (JmcTopModel *self)
{
  if (self->lines->len == 0)
    return NULL;

  return jmc_top_model_get_line (self, self->selected_line)->row;
}

static void
toggle_row (JmcTopModel *self, const JmcTopRow *row)
{
  if (!g_hash_table_remove (self->unusual, row->key))
    g_hash_table_add (self->unusual, g_strdup (row->key));
  renew_lines (self);
}

/* Shows the parts of the selected row. */
void
jmc_top_model_open (JmcTopModel *self)
{
  const JmcTopRow *row = get_selected_row (self);

  if (row == NULL || !has_parts (self, row) || is_open (self, row))
    return;

  set_text (&self->selected, row->key);
  toggle_row (self, row);
}

/* Hides the parts of the selected row, or of the row that it is a part of. */
void
jmc_top_model_close (JmcTopModel *self)
{
  const JmcTopRow *row = get_selected_row (self);

  if (row != NULL && !is_open (self, row))
    row = row->parent;
  if (row == NULL)
    return;

  set_text (&self->selected, row->key);
  toggle_row (self, row);
}

void
jmc_top_model_toggle (JmcTopModel *self)
{
  const JmcTopRow *row = get_selected_row (self);

  if (row != NULL && is_open (self, row))
    jmc_top_model_close (self);
  else
    jmc_top_model_open (self);
}

/* Shows, or hides, the parts of all jobs, also of those to come. */
void
jmc_top_model_open_all (JmcTopModel *self, gboolean open)
{
  self->are_jobs_open = open;
  g_hash_table_remove_all (self->unusual);
  renew_lines (self);
}
