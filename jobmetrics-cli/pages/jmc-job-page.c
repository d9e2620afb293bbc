/* jmc-job-page.c: all that a snapshot says of one job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-job-page.h"

#include <string.h>

#include "base/jm-safe-text-private.h"
#include "base/jm-text-table-private.h"
#include "core/jm-derived.h"
#include "core/jm-format.h"
#include "core/jm-job.h"
#include "gpus/jmc-gpu-table.h"
#include "jmc-snapshot.h"
#include "pages/jmc-job-tables.h"
#include "pages/jmc-pairs.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define MAX_EXECUTABLES 5
#define INDENT 2

/* The text as it grows, and what it is about. */
typedef struct
{
  GString *text;
  JmSnapshot *snapshot;
  guint subject;
  JmSubjectKind depth;
  gboolean color;
  gboolean is_over; /* what is not known is left out */
} JobPage;

typedef struct
{
  const char *name;
  const char *title;
  JmFormat format;
} Row;

static const JmQuantity *
find_quantity (JobPage *self, const char *name)
{
  return jm_snapshot_find_quantity (self->snapshot, self->subject, name);
}

static JmTextTable *
new_pairs (void)
{
  JmTextTable *table = jmc_pairs_new ();

  jm_text_table_set_indent (table, INDENT);

  return table;
}

/* Of what is over, nobody looks for figures that it does not have. */
static void
add_pair (JobPage *self, JmTextTable *table, const char *title, char *text)
{
  if (text != NULL || !self->is_over)
    jmc_pairs_take (table, title, text);
}

static void
add_rows (JobPage *self, JmTextTable *table, const Row *rows, guint n_rows)
{
  for (guint i = 0; i < n_rows; i++)
    {
      JmFigure figure = jm_figure_of_name (self->snapshot, self->subject, rows[i].name);

      add_pair (self, table, rows[i].title, jm_figure_format (figure, rows[i].format));
    }
}

/* The title of a section, with a blank line before it. */
void
jmc_job_page_append_title (GString *text, const char *title, gboolean color)
{
  g_autofree char *safe = jm_safe_text_make (title);

  g_string_append_printf (text, "%s%s%s%s\n", text->len > 0 ? "\n" : "",
                          color ? BOLD : "", safe, color ? PLAIN : "");
}

/* The sections of a step or task say whose they are. */
static char *
make_title (JobPage *self, const char *title)
{
  const char *step = jm_snapshot_get_step (self->snapshot, self->subject);
  const char *task = jm_snapshot_get_task (self->snapshot, self->subject);

  if (task != NULL)
    return g_strdup_printf ("Step %s, task %s: %s", step, task, title);

  return step != NULL ? g_strdup_printf ("Step %s: %s", step, title) : g_strdup (title);
}

static void
add_title (JobPage *self, const char *title)
{
  g_autofree char *whole = make_title (self, title);

  jmc_job_page_append_title (self->text, whole, self->color);
}

static void
add_section (JobPage *self, const char *title, JmTextTable *table)
{
  g_autofree char *text = jm_text_table_render (table, 0, FALSE);

  if (self->is_over && jm_text_table_get_n_rows (table) == 0)
    return;

  add_title (self, title);
  g_string_append (self->text, text);
}

static void
add_times (JobPage *self, JmTextTable *table)
{
  JmFigure start = jm_derived_get_start_time (self->snapshot, self->subject);
  JmFigure end = jm_derived_get_end_time (self->snapshot, self->subject);
  JmFigure age = jm_derived_get_age (self->snapshot, self->subject);

  add_pair (self, table, "Started", jmc_pairs_format_moment (start));
  if (end.is_known)
    add_pair (self, table, "Ended", jmc_pairs_format_moment (end));
  add_pair (self, table, "Age", jm_figure_format (age, JM_FORMAT_DURATION));
}

static void
add_identity (JobPage *self)
{
  g_autoptr (JmTextTable) table = new_pairs ();
  JmJob *job = jm_snapshot_get_job (self->snapshot, self->subject);
  g_autofree char *id = jm_job_format_id (job);
  g_autofree char *title = g_strconcat ("Job ", id, NULL);

  jmc_job_identity_add (table, job);
  add_times (self, table);
  jmc_job_identity_add_uuid (table, job);
  jmc_job_identity_add_origins (table, job);
  add_section (self, title, table);
}

static void
add_cpu (JobPage *self)
{
  static const Row rows[] = {
    { "cpus", "CPUs", JM_FORMAT_COUNT },
    { "cpu_user_seconds", "User", JM_FORMAT_DURATION },
    { "cpu_system_seconds", "System", JM_FORMAT_DURATION },
    { "cpu_seconds", "Total", JM_FORMAT_DURATION },
  };
  g_autoptr (JmTextTable) table = new_pairs ();
  JmFigure efficiency = jm_derived_get_efficiency (self->snapshot, self->subject);
  JmFigure throttled =
    jm_figure_of_name (self->snapshot, self->subject, "cpu_throttled_seconds");

  add_rows (self, table, rows, G_N_ELEMENTS (rows));
  if (!self->is_over) /* of a record it is reckoned with the record's own times */
    add_pair (self, table, "Efficiency",
              jm_figure_format (efficiency, JM_FORMAT_PERCENT));
  if (throttled.is_known)
    add_pair (self, table, "Throttled",
              jm_figure_format (throttled, JM_FORMAT_DURATION));

  add_section (self, "CPU", table);
}

static void
add_memory (JobPage *self)
{
  static const Row rows[] = {
    { "memory_used_bytes", "Used", JM_FORMAT_BYTES },
    { "memory_peak_bytes", "Peak", JM_FORMAT_BYTES },
    { "memory_limit_bytes", "Limit", JM_FORMAT_BYTES },
    { "memory_rss_bytes", "RSS", JM_FORMAT_BYTES },
    { "memory_cache_bytes", "Cache", JM_FORMAT_BYTES },
    { "memory_swap_used_bytes", "Swap", JM_FORMAT_BYTES },
    { "memory_oom_kills", "OOM kills", JM_FORMAT_COUNT },
  };
  g_autoptr (JmTextTable) table = new_pairs ();

  add_rows (self, table, rows, G_N_ELEMENTS (rows));

  add_section (self, "Memory", table);
}

static void
add_io_of_device (JmTextTable *table, JobPage *self, JmLabels *device)
{
  static const Row rows[] = {
    { "io_read_bytes", NULL, JM_FORMAT_BYTES },
    { "io_write_bytes", NULL, JM_FORMAT_BYTES },
    { "io_reads", NULL, JM_FORMAT_COUNT },
    { "io_writes", NULL, JM_FORMAT_COUNT },
  };

  jm_text_table_add (table, jm_labels_get_value (device, 0));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      JmFigure figure = jm_figure_of_label (self->snapshot, self->subject,
                                            find_quantity (self, rows[i].name), device);

      jm_text_table_take (table, jm_figure_format (figure, rows[i].format));
    }
}

static void
add_io_of_cgroup (JobPage *self, GPtrArray *devices)
{
  static const JmTextColumn columns[] = {
    { "DEVICE", JM_TEXT_ALIGN_LEFT },   { "READ", JM_TEXT_ALIGN_RIGHT },
    { "WRITTEN", JM_TEXT_ALIGN_RIGHT }, { "READS", JM_TEXT_ALIGN_RIGHT },
    { "WRITES", JM_TEXT_ALIGN_RIGHT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  jm_text_table_set_indent (table, INDENT);
  for (guint i = 0; i < devices->len; i++)
    add_io_of_device (table, self, devices->pdata[i]);

  add_section (self, "IO (block devices, from the cgroup)", table);
}

static void
add_io_of_processes (JobPage *self)
{
  static const Row rows[] = {
    { "process_read_bytes", "Read from storage", JM_FORMAT_BYTES },
    { "process_write_bytes", "Written to storage", JM_FORMAT_BYTES },
    { "process_rchar_bytes", "Read in all", JM_FORMAT_BYTES },
    { "process_wchar_bytes", "Written in all", JM_FORMAT_BYTES },
    { "process_read_calls", "Read calls", JM_FORMAT_COUNT },
    { "process_write_calls", "Write calls", JM_FORMAT_COUNT },
  };
  g_autoptr (JmTextTable) table = new_pairs ();

  add_rows (self, table, rows, G_N_ELEMENTS (rows));

  add_section (self, "IO (from the processes)", table);
}

/* Slurm gives its cgroups no io controller, so both are common. */
static void
add_io (JobPage *self)
{
  g_autoptr (GPtrArray) devices =
    jm_snapshot_list_labels (self->snapshot, self->subject,
                             find_quantity (self, "io_read_bytes"));

  if (devices->len > 0)
    add_io_of_cgroup (self, devices);
  add_io_of_processes (self);
}

/* ` 4 running, 1 stopped`, behind how many there are. */
static void
append_states (JobPage *self, GString *text)
{
  const JmQuantity *threads = find_quantity (self, "threads");
  g_autoptr (GPtrArray) states =
    jm_snapshot_list_labels (self->snapshot, self->subject, threads);

  for (guint i = 0; i < states->len; i++)
    {
      JmLabels *state = states->pdata[i];
      double n = 0;

      jm_snapshot_get_labelled_value (self->snapshot, self->subject, threads, state,
                                      &n);
      if (n > 0)
        g_string_append_printf (text, ", %.0f %s", n, jm_labels_get_value (state, 0));
    }
}

/* How many there are now, and how many there were at most; NULL where neither is known.
 */
static char *
format_number (JobPage *self, const char *name, const char *peak_name)
{
  JmFigure now = jm_figure_of_name (self->snapshot, self->subject, name);
  JmFigure peak = jm_figure_of_name (self->snapshot, self->subject, peak_name);
  GString *text = g_string_new (NULL);

  if (now.is_known)
    g_string_append_printf (text, "%.0f", now.value);
  if (now.is_known && g_str_equal (name, "threads"))
    append_states (self, text);
  if (peak.is_known)
    g_string_append_printf (text, "%sat most %.0f", now.is_known ? "; " : "",
                            peak.value);

  return g_string_free (text, text->len == 0);
}

static void
add_processes (JobPage *self)
{
  static const Row rows[] = { { "open_files", "Open files", JM_FORMAT_COUNT } };
  g_autoptr (JmTextTable) table = new_pairs ();

  add_pair (self, table, "Processes",
            format_number (self, "processes", "processes_peak"));
  add_rows (self, table, rows, G_N_ELEMENTS (rows));
  add_pair (self, table, "Threads", format_number (self, "threads", "threads_peak"));

  add_section (self, "Processes", table);
}

static void
add_pressure (JobPage *self)
{
  static const struct
  {
    const char *title;
    const char *some;
    const char *full;
  } rows[] = {
    { "CPU", "cpu_pressure_some_seconds", "cpu_pressure_full_seconds" },
    { "Memory", "memory_pressure_some_seconds", "memory_pressure_full_seconds" },
    { "IO", "io_pressure_some_seconds", "io_pressure_full_seconds" },
  };
  static const JmTextColumn columns[] = {
    { "WAITED FOR", JM_TEXT_ALIGN_LEFT },
    { "SOME TASKS", JM_TEXT_ALIGN_RIGHT },
    { "ALL TASKS", JM_TEXT_ALIGN_RIGHT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));

  jm_text_table_set_indent (table, INDENT);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      JmFigure some = jm_figure_of_name (self->snapshot, self->subject, rows[i].some);
      JmFigure full = jm_figure_of_name (self->snapshot, self->subject, rows[i].full);

      if (self->is_over && !some.is_known && !full.is_known)
        continue;
      jm_text_table_add (table, rows[i].title);
      jm_text_table_take (table, jm_figure_format (some, JM_FORMAT_DURATION));
      jm_text_table_take (table, jm_figure_format (full, JM_FORMAT_DURATION));
    }

  add_section (self, "Pressure", table);
}

static double
get_executable_time (JobPage *self, JmLabels *executable)
{
  double seconds = 0;

  jm_snapshot_get_labelled_value (self->snapshot, self->subject,
                                  find_quantity (self, "executable_cpu_seconds"),
                                  executable, &seconds);

  return seconds;
}

static int
compare_executables (gconstpointer a, gconstpointer b, gpointer data)
{
  JmLabels *labels_a = *(JmLabels *const *) a;
  JmLabels *labels_b = *(JmLabels *const *) b;
  double time_a = get_executable_time (data, labels_a);
  double time_b = get_executable_time (data, labels_b);

  if (time_a != time_b)
    return time_a < time_b ? 1 : -1;

  return strcmp (jm_labels_get_value (labels_a, 0), jm_labels_get_value (labels_b, 0));
}

static void
add_executables (JobPage *self)
{
  static const JmTextColumn columns[] = {
    { "CPU-TIME", JM_TEXT_ALIGN_RIGHT },
    { "EXECUTABLE", JM_TEXT_ALIGN_LEFT },
  };
  g_autoptr (JmTextTable) table = jm_text_table_new (columns, G_N_ELEMENTS (columns));
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (self->snapshot, self->subject,
                             find_quantity (self, "executable_cpu_seconds"));

  if (all->len == 0)
    return;

  g_ptr_array_sort_with_data (all, compare_executables, self);
  jm_text_table_set_indent (table, INDENT);
  for (guint i = 0; i < MIN (all->len, MAX_EXECUTABLES); i++)
    {
      double seconds = get_executable_time (self, all->pdata[i]);

      jm_text_table_take (table, jm_format_to_string (JM_FORMAT_DURATION, seconds));
      jm_text_table_add (table, jm_labels_get_value (all->pdata[i], 0));
    }

  add_section (self, "Executables", table);
}

/* Left out where nobody keeps accounts. */
static void
add_energy (JobPage *self)
{
  g_autoptr (JmTextTable) energy =
    jmc_energy_tables_make_energy (self->snapshot, self->subject, self->is_over);
  g_autoptr (JmTextTable) emissions =
    jmc_energy_tables_make_emissions (self->snapshot, self->subject);

  jm_text_table_set_indent (energy, INDENT);
  jm_text_table_set_indent (emissions, INDENT);
  if (jm_text_table_get_n_rows (energy) > 0)
    add_section (self, "Energy", energy);
  if (jm_text_table_get_n_rows (emissions) > 0)
    add_section (self, "Emissions (CO2 equivalent)", emissions);
}

static void
add_gpus (JobPage *self)
{
  g_autoptr (GArray) parts = jm_snapshot_list_gpus (self->snapshot, self->subject);
  g_autofree char *lines = NULL;

  if (parts->len == 0)
    return;

  lines = jmc_gpu_table_render (self->snapshot, JM_SUBJECT_KIND_JOB_GPU, parts, INDENT,
                                0, FALSE);
  add_title (self, "GPUs");
  g_string_append (self->text, lines);
}

static void
add_steps (JobPage *self)
{
  g_autoptr (JmTextTable) table = jmc_steps_make_table (self->snapshot, self->subject);

  if (jm_text_table_get_n_rows (table) == 0)
    return;

  jm_text_table_set_indent (table, INDENT);
  add_section (self, "Steps", table);
}

static void
add_errors (JobPage *self)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      g_autofree char *error = jmc_snapshot_describe_error (self->snapshot, i);
      g_autofree char *safe = error != NULL ? jm_safe_text_make (error) : NULL;

      if (safe != NULL)
        g_string_append_printf (lines, "  %s\n", safe);
    }

  if (lines->len == 0)
    return;

  add_title (self, "What could not be read on this node");
  g_string_append (self->text, lines->str);
}

static void
add_figures (JobPage *self)
{
  add_cpu (self);
  add_memory (self);
  add_io (self);
  add_processes (self);
  add_pressure (self);
  add_gpus (self);
  add_energy (self);
  add_executables (self);
}

/* The figures of what is below @parent, down to the page's depth. */
static void
add_figures_below (JobPage *self, guint parent)
{
  g_autoptr (GArray) children = jmc_steps_list (self->snapshot, parent);

  for (guint i = 0; i < children->len; i++)
    {
      self->subject = g_array_index (children, guint, i);
      if (jm_snapshot_get_kind (self->snapshot, self->subject) > self->depth)
        return;
      add_figures (self);
      add_figures_below (self, g_array_index (children, guint, i));
    }
}

/* Everything that is known of the job @subject, and of each of its steps and tasks down
 * to the level @depth. What was not read is a dash. */
char *
jmc_job_page_render (JmSnapshot *snapshot,
                     guint subject,
                     JmSubjectKind depth,
                     gboolean color)
{
  JobPage self = { g_string_new (NULL), snapshot, subject, depth, color };

  add_identity (&self);
  add_figures (&self);
  add_steps (&self);
  add_figures_below (&self, subject);
  self.subject = subject;
  add_errors (&self);

  return g_string_free (self.text, FALSE);
}

/* The figures of a job that is not looked at now, such as one that has ended, behind
 * what @text has; what is not known is left out. */
void
jmc_job_page_append_figures (GString *text,
                             JmSnapshot *snapshot,
                             guint subject,
                             JmSubjectKind depth,
                             gboolean color)
{
  JobPage self = { text, snapshot, subject, depth, color, TRUE };

  add_figures (&self);
  add_steps (&self);
  add_figures_below (&self, subject);
}
