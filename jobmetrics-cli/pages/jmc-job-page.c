/* jmc-job-page.c: all that a snapshot says of one job, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-job-page.h"

#include <string.h>

#include "core/jm-safe-text-private.h"
#include "gpus/jmc-gpu-table.h"
#include "jmc-snapshot.h"
#include "jmc-table.h"
#include "pages/jmc-energy-tables.h"
#include "pages/jmc-steps.h"
#include "report/jm-derived.h"
#include "report/jm-job-id.h"
#include "report/jm-quantity.h"

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
} JobPage;

typedef struct
{
  JmMetric metric;
  const char *title;
  JmQuantity quantity;
} Row;

static const JmcColumn pair_columns[] = {
  { NULL, JMC_ALIGN_LEFT },
  { NULL, JMC_ALIGN_LEFT },
};

static JmcTable *
pairs_new (void)
{
  JmcTable *table = jmc_table_new (pair_columns, G_N_ELEMENTS (pair_columns));

  jmc_table_set_indent (table, INDENT);

  return table;
}

static void
pairs_add (JmcTable *table, const char *title, const char *text)
{
  jmc_table_add (table, title);
  jmc_table_add (table, text);
}

static void
pairs_take (JmcTable *table, const char *title, char *text)
{
  pairs_add (table, title, text);
  g_free (text);
}

static void
pairs_add_rows (JmcTable *table, JobPage *self, const Row *rows, guint n_rows)
{
  for (guint i = 0; i < n_rows; i++)
    {
      JmFigure figure =
        jm_figure_of_metric (self->snapshot, self->subject, rows[i].metric);

      pairs_take (table, rows[i].title, jm_figure_format (figure, rows[i].quantity));
    }
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
  g_autofree char *safe = jm_safe_text_make (whole);

  if (self->text->len > 0)
    g_string_append_c (self->text, '\n');
  g_string_append (self->text, self->color ? BOLD : "");
  g_string_append (self->text, safe);
  g_string_append (self->text, self->color ? PLAIN "\n" : "\n");
}

static void
add_table (JobPage *self, JmcTable *table)
{
  g_autofree char *text = jmc_table_render (table, 0, FALSE);

  g_string_append (self->text, text);
}

static char *
format_user (JmJob *job)
{
  const char *user = jm_job_get_user (job);
  const char *uid = jm_job_get_field (job, JM_JOB_FIELD_UID);

  if (user != NULL && uid != NULL)
    return g_strdup_printf ("%s (%s)", user, uid);

  return g_strdup (user != NULL ? user : uid);
}

static char *
format_uuid (JmJob *job)
{
  const char *note = jm_job_is_uuid_weak (job) ? " (weak: made without a time)" : "";

  return g_strconcat (jm_job_get_uuid (job), note, NULL);
}

/* `hook: user, account`: who told which fields. */
static char *
format_origin (JmJob *job, JmOrigin origin)
{
  GString *text = g_string_new (jm_origin_get_name (origin));
  g_auto (GStrv) further = jm_job_list_further_fields (job);
  const char *separator = ": ";

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_UUID && jm_job_get_origin (job, i) == origin)
      {
        g_string_append_printf (text, "%s%s", separator, jm_job_field_get_name (i));
        separator = ", ";
      }
  for (guint i = 0; further[i] != NULL; i++)
    if (jm_job_get_further_origin (job, further[i]) == origin)
      {
        g_string_append_printf (text, "%s%s", separator, further[i]);
        separator = ", ";
      }

  return g_string_free (text, FALSE);
}

static void
add_origins (JmcTable *table, JmJob *job)
{
  const char *title = "Known from";

  for (JmOrigin i = JM_N_ORIGINS - 1; i > JM_ORIGIN_NONE; i--)
    if (jm_job_count_fields (job, i) > 0)
      {
        pairs_take (table, title, format_origin (job, i));
        title = "and from";
      }
}

/* These do not apply to most jobs, and are left out where they do not. */
static void
add_special_fields (JmcTable *table, JmJob *job)
{
  static const struct
  {
    JmJobField field;
    const char *title;
  } fields[] = {
    { JM_JOB_FIELD_QOS, "QOS" },     { JM_JOB_FIELD_CLUSTER, "Cluster" },
    { JM_JOB_FIELD_NODES, "Nodes" }, { JM_JOB_FIELD_GPUS, "GPUs" },
    { JM_JOB_FIELD_SLUID, "SLUID" },
  };
  g_auto (GStrv) further = jm_job_list_further_fields (job);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = jm_job_get_field (job, fields[i].field);

      if (text != NULL)
        pairs_add (table, fields[i].title, text);
    }
  for (guint i = 0; further[i] != NULL; i++)
    pairs_add (table, further[i], jm_job_get_further_field (job, further[i]));
}

static void
add_times (JmcTable *table, JobPage *self)
{
  JmFigure start = jm_derived_get_start_time (self->snapshot, self->subject);
  JmFigure end = jm_derived_get_end_time (self->snapshot, self->subject);
  JmFigure age = jm_derived_get_age (self->snapshot, self->subject);

  pairs_take (table, "Started", jm_figure_format (start, JM_QUANTITY_TIME));
  if (end.is_known)
    pairs_take (table, "Ended", jm_figure_format (end, JM_QUANTITY_TIME));
  pairs_take (table, "Age", jm_figure_format (age, JM_QUANTITY_DURATION));
}

static void
add_identity (JobPage *self)
{
  g_autoptr (JmcTable) table = pairs_new ();
  JmJob *job = jm_snapshot_get_job (self->snapshot, self->subject);
  g_autofree char *id = jm_job_format_id (job);
  g_autofree char *title = g_strconcat ("Job ", id, NULL);

  if (!g_str_equal (id, jm_job_get_id (job)))
    pairs_add (table, "Job id", jm_job_get_id (job));
  pairs_add (table, "Name", jm_job_get_field (job, JM_JOB_FIELD_NAME));
  pairs_take (table, "User", format_user (job));
  pairs_add (table, "Account", jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT));
  pairs_add (table, "Partition", jm_job_get_field (job, JM_JOB_FIELD_PARTITION));
  pairs_add (table, "Scheduler", jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER));
  add_special_fields (table, job);
  add_times (table, self);
  pairs_take (table, "UUID", format_uuid (job));
  add_origins (table, job);

  add_title (self, title);
  add_table (self, table);
}

static void
add_cpu (JobPage *self)
{
  static const Row rows[] = {
    { JM_METRIC_CPUS, "CPUs", JM_QUANTITY_COUNT },
    { JM_METRIC_CPU_USER, "User", JM_QUANTITY_DURATION },
    { JM_METRIC_CPU_SYSTEM, "System", JM_QUANTITY_DURATION },
    { JM_METRIC_CPU_TOTAL, "Total", JM_QUANTITY_DURATION },
  };
  g_autoptr (JmcTable) table = pairs_new ();
  JmFigure efficiency = jm_derived_get_efficiency (self->snapshot, self->subject);
  JmFigure throttled =
    jm_figure_of_metric (self->snapshot, self->subject, JM_METRIC_CPU_THROTTLED);

  pairs_add_rows (table, self, rows, G_N_ELEMENTS (rows));
  pairs_take (table, "Efficiency", jm_figure_format (efficiency, JM_QUANTITY_PERCENT));
  if (throttled.is_known)
    pairs_take (table, "Throttled", jm_figure_format (throttled, JM_QUANTITY_DURATION));

  add_title (self, "CPU");
  add_table (self, table);
}

static void
add_memory (JobPage *self)
{
  static const Row rows[] = {
    { JM_METRIC_MEMORY_USED, "Used", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_PEAK, "Peak", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_LIMIT, "Limit", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_RSS, "RSS", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_CACHE, "Cache", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_SWAP_USED, "Swap", JM_QUANTITY_BYTES },
    { JM_METRIC_MEMORY_OOM_KILLS, "OOM kills", JM_QUANTITY_COUNT },
  };
  g_autoptr (JmcTable) table = pairs_new ();

  pairs_add_rows (table, self, rows, G_N_ELEMENTS (rows));

  add_title (self, "Memory");
  add_table (self, table);
}

static void
add_io_of_device (JmcTable *table, JobPage *self, JmLabels *device)
{
  static const Row rows[] = {
    { JM_METRIC_IO_READ_BYTES, NULL, JM_QUANTITY_BYTES },
    { JM_METRIC_IO_WRITE_BYTES, NULL, JM_QUANTITY_BYTES },
    { JM_METRIC_IO_READS, NULL, JM_QUANTITY_COUNT },
    { JM_METRIC_IO_WRITES, NULL, JM_QUANTITY_COUNT },
  };

  jmc_table_add (table, jm_labels_get_value (device, 0));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      JmFigure figure =
        jm_figure_of_label (self->snapshot, self->subject, rows[i].metric, device);

      jmc_table_take (table, jm_figure_format (figure, rows[i].quantity));
    }
}

static void
add_io_of_cgroup (JobPage *self, GPtrArray *devices)
{
  static const JmcColumn columns[] = {
    { "DEVICE", JMC_ALIGN_LEFT },   { "READ", JMC_ALIGN_RIGHT },
    { "WRITTEN", JMC_ALIGN_RIGHT }, { "READS", JMC_ALIGN_RIGHT },
    { "WRITES", JMC_ALIGN_RIGHT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  jmc_table_set_indent (table, INDENT);
  for (guint i = 0; i < devices->len; i++)
    add_io_of_device (table, self, devices->pdata[i]);

  add_title (self, "IO (block devices, from the cgroup)");
  add_table (self, table);
}

static void
add_io_of_processes (JobPage *self)
{
  static const Row rows[] = {
    { JM_METRIC_PROCESS_READ_BYTES, "Read from storage", JM_QUANTITY_BYTES },
    { JM_METRIC_PROCESS_WRITE_BYTES, "Written to storage", JM_QUANTITY_BYTES },
    { JM_METRIC_PROCESS_READ_CHARS, "Read in all", JM_QUANTITY_BYTES },
    { JM_METRIC_PROCESS_WRITE_CHARS, "Written in all", JM_QUANTITY_BYTES },
    { JM_METRIC_PROCESS_READ_CALLS, "Read calls", JM_QUANTITY_COUNT },
    { JM_METRIC_PROCESS_WRITE_CALLS, "Write calls", JM_QUANTITY_COUNT },
  };
  g_autoptr (JmcTable) table = pairs_new ();

  pairs_add_rows (table, self, rows, G_N_ELEMENTS (rows));

  add_title (self, "IO (from the processes)");
  add_table (self, table);
}

/* Slurm gives its cgroups no io controller, so both are common. */
static void
add_io (JobPage *self)
{
  g_autoptr (GPtrArray) devices =
    jm_snapshot_list_labels (self->snapshot, self->subject, JM_METRIC_IO_READ_BYTES);

  if (devices->len > 0)
    add_io_of_cgroup (self, devices);
  add_io_of_processes (self);
}

static char *
format_threads (JobPage *self)
{
  g_autoptr (GPtrArray) states =
    jm_snapshot_list_labels (self->snapshot, self->subject, JM_METRIC_THREADS);
  JmFigure sum = jm_figure_of_metric (self->snapshot, self->subject, JM_METRIC_THREADS);
  GString *text;

  if (!sum.is_known)
    return NULL;

  text = g_string_new (NULL);
  g_string_append_printf (text, "%.0f", sum.value);
  for (guint i = 0; i < states->len; i++)
    {
      JmLabels *state = states->pdata[i];
      double n = 0;

      jm_snapshot_get_labelled_value (self->snapshot, self->subject, JM_METRIC_THREADS,
                                      state, &n);
      if (n > 0)
        g_string_append_printf (text, ", %.0f %s", n, jm_labels_get_value (state, 0));
    }

  return g_string_free (text, FALSE);
}

static void
add_processes (JobPage *self)
{
  static const Row rows[] = {
    { JM_METRIC_PROCESSES, "Processes", JM_QUANTITY_COUNT },
    { JM_METRIC_OPEN_FILES, "Open files", JM_QUANTITY_COUNT },
  };
  g_autoptr (JmcTable) table = pairs_new ();

  pairs_add_rows (table, self, rows, G_N_ELEMENTS (rows));
  pairs_take (table, "Threads", format_threads (self));

  add_title (self, "Processes");
  add_table (self, table);
}

static void
add_pressure (JobPage *self)
{
  static const struct
  {
    const char *title;
    JmMetric some;
    JmMetric full;
  } rows[] = {
    { "CPU", JM_METRIC_CPU_PRESSURE_SOME, JM_METRIC_CPU_PRESSURE_FULL },
    { "Memory", JM_METRIC_MEMORY_PRESSURE_SOME, JM_METRIC_MEMORY_PRESSURE_FULL },
    { "IO", JM_METRIC_IO_PRESSURE_SOME, JM_METRIC_IO_PRESSURE_FULL },
  };
  static const JmcColumn columns[] = {
    { "WAITED FOR", JMC_ALIGN_LEFT },
    { "SOME TASKS", JMC_ALIGN_RIGHT },
    { "ALL TASKS", JMC_ALIGN_RIGHT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));

  jmc_table_set_indent (table, INDENT);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      JmFigure some = jm_figure_of_metric (self->snapshot, self->subject, rows[i].some);
      JmFigure full = jm_figure_of_metric (self->snapshot, self->subject, rows[i].full);

      jmc_table_add (table, rows[i].title);
      jmc_table_take (table, jm_figure_format (some, JM_QUANTITY_DURATION));
      jmc_table_take (table, jm_figure_format (full, JM_QUANTITY_DURATION));
    }

  add_title (self, "Pressure");
  add_table (self, table);
}

static double
get_executable_time (JobPage *self, JmLabels *executable)
{
  double seconds = 0;

  jm_snapshot_get_labelled_value (self->snapshot, self->subject,
                                  JM_METRIC_EXECUTABLE_CPU, executable, &seconds);

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
  static const JmcColumn columns[] = {
    { "CPU-TIME", JMC_ALIGN_RIGHT },
    { "EXECUTABLE", JMC_ALIGN_LEFT },
  };
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (self->snapshot, self->subject, JM_METRIC_EXECUTABLE_CPU);

  if (all->len == 0)
    return;

  g_ptr_array_sort_with_data (all, compare_executables, self);
  jmc_table_set_indent (table, INDENT);
  for (guint i = 0; i < MIN (all->len, MAX_EXECUTABLES); i++)
    {
      double seconds = get_executable_time (self, all->pdata[i]);

      jmc_table_take (table, jm_quantity_format (JM_QUANTITY_DURATION, seconds));
      jmc_table_add (table, jm_labels_get_value (all->pdata[i], 0));
    }

  add_title (self, "Executables");
  add_table (self, table);
}

/* Left out where nobody keeps accounts. */
static void
add_energy (JobPage *self)
{
  g_autoptr (JmcTable) energy =
    jmc_energy_tables_make_energy (self->snapshot, self->subject);
  g_autoptr (JmcTable) emissions =
    jmc_energy_tables_make_emissions (self->snapshot, self->subject);

  jmc_table_set_indent (energy, INDENT);
  jmc_table_set_indent (emissions, INDENT);
  if (jmc_table_get_n_rows (energy) > 0)
    {
      add_title (self, "Energy");
      add_table (self, energy);
    }
  if (jmc_table_get_n_rows (emissions) > 0)
    {
      add_title (self, "Emissions (CO2 equivalent)");
      add_table (self, emissions);
    }
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
  g_autoptr (JmcTable) table = jmc_steps_make_table (self->snapshot, self->subject);

  if (jmc_table_get_n_rows (table) == 0)
    return;

  jmc_table_set_indent (table, INDENT);
  add_title (self, "Steps");
  add_table (self, table);
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
