/* jmc-list.c: jobmetrics-cli list: the jobs of a node as a table
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-list.h"

#include <string.h>
#include <unistd.h>

#include "jmc-figure.h"
#include "jmc-json.h"
#include "jmc-options.h"
#include "jmc-snapshot.h"
#include "jmc-table.h"
#include "jmc-units.h"

/* What the columns show: no more is read. */
#define COLLECTORS                                                                     \
 (1u << JM_COLLECTOR_CPU | 1u << JM_COLLECTOR_MEMORY | 1u << JM_COLLECTOR_PROCESS |    \
  1u << JM_COLLECTOR_THREADS)

static const JmcColumn columns[] = {
  { "JOBID", JMC_ALIGN_LEFT },   { "USER", JMC_ALIGN_LEFT },
  { "ACCOUNT", JMC_ALIGN_LEFT }, { "NAME", JMC_ALIGN_LEFT },
  { "CPUS", JMC_ALIGN_RIGHT },   { "CPU-TIME", JMC_ALIGN_RIGHT },
  { "EFF%", JMC_ALIGN_RIGHT },   { "MEM", JMC_ALIGN_RIGHT },
  { "PEAK", JMC_ALIGN_RIGHT },   { "LIMIT", JMC_ALIGN_RIGHT },
  { "PROCS", JMC_ALIGN_RIGHT },  { "THREADS", JMC_ALIGN_RIGHT },
  { "AGE", JMC_ALIGN_RIGHT },
};

static char *
format_bare_percent (double percent)
{
  return g_strdup_printf ("%.1f", percent);
}

static void
add_figure (JmcTable *table, JmcFigure figure, char *(*format) (double value))
{
  jmc_table_take (table, jmc_figure_format (figure, format));
}

static void
add_metric (JmcTable *table,
            JmSnapshot *snapshot,
            guint subject,
            JmMetric metric,
            char *(*format) (double value))
{
  add_figure (table, jmc_figure_get (snapshot, subject, metric), format);
}

static void
add_job (JmcTable *table, JmSnapshot *snapshot, guint subject)
{
  JmJob *job = jm_snapshot_get_job (snapshot, subject);
  const char *user = jm_job_get_user (job);

  jmc_table_take (table, jmc_snapshot_format_job_id (snapshot, subject));
  jmc_table_add (table, user != NULL ? user : jm_job_get_field (job, JM_JOB_FIELD_UID));
  jmc_table_add (table, jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT));
  jmc_table_add (table, jm_job_get_field (job, JM_JOB_FIELD_NAME));

  add_metric (table, snapshot, subject, JM_METRIC_CPUS, jmc_units_format_count);
  add_metric (table, snapshot, subject, JM_METRIC_CPU_TOTAL, jmc_units_format_duration);
  add_figure (table, jmc_figure_get_efficiency (snapshot, subject),
              format_bare_percent);
  add_metric (table, snapshot, subject, JM_METRIC_MEMORY_USED, jmc_units_format_bytes);
  add_metric (table, snapshot, subject, JM_METRIC_MEMORY_PEAK, jmc_units_format_bytes);
  add_metric (table, snapshot, subject, JM_METRIC_MEMORY_LIMIT, jmc_units_format_bytes);
  add_metric (table, snapshot, subject, JM_METRIC_PROCESSES, jmc_units_format_count);
  add_figure (table, jmc_figure_sum (snapshot, subject, JM_METRIC_THREADS),
              jmc_units_format_count);
  add_figure (table, jmc_figure_get_age (snapshot, subject), jmc_units_format_duration);
}

static gboolean
has_jobs (JmSnapshot *snapshot)
{
  return jm_snapshot_get_n_subjects (snapshot) > 1;
}

/* By number, as people count; what is no number comes by its letters. */
static int
compare_jobs (gconstpointer a, gconstpointer b, gpointer snapshot)
{
  const char *id_a = jm_job_get_id (jm_snapshot_get_job (snapshot, *(const guint *) a));
  const char *id_b = jm_job_get_id (jm_snapshot_get_job (snapshot, *(const guint *) b));
  guint64 number_a = g_ascii_strtoull (id_a, NULL, 10);
  guint64 number_b = g_ascii_strtoull (id_b, NULL, 10);

  if (number_a != number_b)
    return number_a < number_b ? -1 : 1;

  return strcmp (id_a, id_b);
}

static GArray *
list_jobs (JmSnapshot *snapshot)
{
  GArray *jobs = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (jm_snapshot_get_level (snapshot, i) == JM_LEVEL_JOB)
      g_array_append_val (jobs, i);
  g_array_sort_with_data (jobs, compare_jobs, snapshot);

  return jobs;
}

/* The table of the snapshot's jobs, @width cells wide; 0 is without an end. */
char *
jmc_list_render (JmSnapshot *snapshot, guint width, gboolean color)
{
  g_autoptr (JmcTable) table = jmc_table_new (columns, G_N_ELEMENTS (columns));
  g_autoptr (GArray) jobs = list_jobs (snapshot);

  for (guint i = 0; i < jobs->len; i++)
    add_job (table, snapshot, g_array_index (jobs, guint, i));

  return jmc_table_render (table, width, color);
}

static void
complain_of_errors (JmSnapshot *snapshot)
{
  for (guint i = 0; i < JM_N_COLLECTORS; i++)
    {
      g_autofree char *error = jmc_snapshot_describe_error (snapshot, i);

      if (error != NULL)
        jmc_output_complain ("%s", error);
    }
}

static void
print_table (JmSnapshot *snapshot, JmcColor color)
{
  g_autofree char *text =
    jmc_list_render (snapshot, jmc_output_get_width (STDOUT_FILENO),
                     jmc_output_has_color (color, STDOUT_FILENO));

  jmc_output_print (text);
  complain_of_errors (snapshot);
  if (!has_jobs (snapshot))
    jmc_output_complain ("no jobs on this node");
}

static gboolean
parse (JmcOptions *options, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Shows the jobs of this node as a table.");
  g_option_context_set_main_group (context, jmc_options_make_group (options));
  if (!jmc_options_parse (context, &argc, &argv))
    return FALSE;

  if (argc > 1)
    {
      jmc_output_complain ("%s: list takes no arguments", argv[1]);
      return FALSE;
    }

  return jmc_options_check (options);
}

int
jmc_list_main (int argc, char **argv)
{
  g_auto (JmcOptions) options = { 0 };
  g_autoptr (JmSnapshot) snapshot = NULL;

  if (!parse (&options, argc, argv))
    return JMC_EXIT_USAGE;

  snapshot = jmc_snapshot_take (&options, JM_LEVEL_JOB,
                                options.json ? JMC_ALL_COLLECTORS : COLLECTORS);
  if (snapshot == NULL)
    return JMC_EXIT_FAILURE;

  if (options.json)
    jmc_json_print (snapshot);
  else
    print_table (snapshot, options.color);

  return jmc_output_finish (JMC_EXIT_OK);
}
