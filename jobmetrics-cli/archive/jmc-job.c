/* jmc-job.c: jobmetrics-cli job: all that is known of one run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <stdio.h>
#include <unistd.h>

#include "archive/jmc-archive-options.h"
#include "archive/jmc-run-choice.h"
#include "core/jm-format.h"
#include "core/jm-run-document-private.h"
#include "jmc-figure-cell.h"
#include "pages/jmc-job-page.h"
#include "pages/jmc-pairs.h"
#include "report/jm-table.h"

#define INDENT 2

/* --- the run --- */

typedef struct
{
  const char *title;
  const char *field;
} Line;

static const Line identity[] = {
  { "Cluster", "cluster" },
  { "Raw id", "raw_id" },
  { "User", "user" },
  { "Account", "account" },
  { "Partition", "partition" },
  { "QOS", "qos" },
  { "Name", "name" },
  { "State", "state" },
  { "Reason", "reason" },
  { "Exit code", "exit_code" },
  { "Signal", "exit_signal" },
  { "Submitted", "submitted" },
  { "Began", "began" },
  { "Ended", "ended" },
  { "Waited", "waited" },
  { "Elapsed", "elapsed" },
  { "Time limit", "limit" },
  { "Nodes", "nodes" },
  { "Node list", "node_list" },
  { "CPUs", "cpus" },
  { "Accelerators", "gpus_alloc" },
  { "Memory", "mem_alloc" },
  { "UUID", "uuid" },
};

static const Line figures[] = {
  { "CPU time", "cpu_time" }, { "CPU efficiency", "eff" },
  { "Memory peak", "peak" },  { "Memory efficiency", "peak%" },
  { "Energy", "energy" },     { "Emissions", "co2" },
};

typedef struct
{
  JmcOptions options;
  char *job; /* an id, or NULL */
} Job;

static void
append_table (GString *text, const char *title, JmTextTable *table, gboolean color)
{
  g_autofree char *lines = NULL;

  if (jm_text_table_get_n_rows (table) == 0)
    return;
  jmc_job_page_append_title (text, title, color);
  jm_text_table_set_indent (table, INDENT);
  lines = jm_text_table_render (table, 0, FALSE);
  g_string_append (text, lines);
}

static void
append_lines (GString *text,
              const char *title,
              const Line *lines,
              guint n_lines,
              JmRun *run,
              gboolean color)
{
  g_autoptr (JmTextTable) table = jmc_pairs_new ();

  for (guint i = 0; i < n_lines; i++)
    {
      g_autoptr (JmTable) figure = jm_table_new_of_runs (lines[i].field, NULL);

      jm_table_add_run (figure, run, NULL, NULL);
      jmc_pairs_add_figure (table, lines[i].title, figure);
    }
  append_table (text, title, table, color);
}

/* --- its parts --- */

/* A column of a table of parts, which has it where some part has the figure. */
typedef struct
{
  const char *title;
  const char *quantity;
  JmFormat format;
} Column;

static const Column columns[] = {
  { "NAME", "name", JM_FORMAT_TEXT },
  { "NODE", "node", JM_FORMAT_TEXT },
  { "MODEL", "model", JM_FORMAT_TEXT },
  { "QUALITY", "quality", JM_FORMAT_TEXT },
  { "PROVIDER", "provider", JM_FORMAT_TEXT },
  { "ZONE", "zone", JM_FORMAT_TEXT },
  { "METHOD", "method", JM_FORMAT_TEXT },
  { "STATE", "state", JM_FORMAT_TEXT },
  { "BEGAN", "start_time", JM_FORMAT_TIME },
  { "ENDED", "end_time", JM_FORMAT_TIME },
  { "EXIT", "exit_code", JM_FORMAT_COUNT },
  { "NODES", "nodes", JM_FORMAT_COUNT },
  { "TASKS", "tasks", JM_FORMAT_COUNT },
  { "CPUS", "cpus", JM_FORMAT_COUNT },
  { "GPUS", "gpus_allocated", JM_FORMAT_COUNT },
  { "SHARE", "share_ratio", JM_FORMAT_RATIO },
  { "OBSERVED", "life_observed_percent", JM_FORMAT_PERCENT },
  { "CPU-TIME", "cpu_seconds", JM_FORMAT_DURATION },
  { "PEAK", "memory_peak_bytes", JM_FORMAT_BYTES },
  { "ENERGY", "energy_joules", JM_FORMAT_JOULES },
  { "CO2", "emissions_grams", JM_FORMAT_GRAMS },
};

static char *
format_part (const Column *column, JmRunPart *part)
{
  JmFigure figure;

  if (column->format == JM_FORMAT_TEXT)
    return g_strdup (jm_run_part_get_text (part, column->quantity));
  figure = jm_run_part_get_figure (part, column->quantity);
  if (!figure.is_known)
    return NULL;

  switch (column->format)
    {
    case JM_FORMAT_COUNT:
      return g_strdup_printf ("%.0f", figure.value);
    case JM_FORMAT_RATIO:
      return jm_format_to_string (JM_FORMAT_PERCENT, 100 * figure.value);
    default:
      return jm_format_to_string (column->format, figure.value);
    }
}

static void
add_part (JmTextTable *table, const Column *column, JmRunPart *part)
{
  if (column->format == JM_FORMAT_TEXT || column->format == JM_FORMAT_COUNT ||
      column->format == JM_FORMAT_RATIO)
    jm_text_table_take (table, format_part (column, part));
  else
    jmc_figure_cell_add (table, jm_run_part_get_figure (part, column->quantity),
                         column->format);
}

static gboolean
is_known (const Column *column, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    {
      g_autofree char *text = format_part (column, parts->pdata[i]);

      if (text != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
append_parts (GString *text, const char *title, GPtrArray *parts, gboolean color)
{
  JmTextColumn looks[G_N_ELEMENTS (columns)];
  const Column *shown[G_N_ELEMENTS (columns)];
  g_autoptr (JmTextTable) table = NULL;
  guint n_shown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (is_known (&columns[i], parts))
      {
        looks[n_shown].title = columns[i].title;
        looks[n_shown].align = columns[i].format == JM_FORMAT_TEXT
                                 ? JM_TEXT_ALIGN_LEFT
                                 : JM_TEXT_ALIGN_RIGHT;
        shown[n_shown++] = &columns[i];
      }
  if (n_shown == 0)
    return;

  table = jm_text_table_new (looks, n_shown);
  for (guint i = 0; i < parts->len; i++)
    for (guint k = 0; k < n_shown; k++)
      add_part (table, shown[k], parts->pdata[i]);
  append_table (text, title, table, color);
}

/* --- all of it --- */

/* What is not known is left out. */
static char *
render_page (JmRun *run, gboolean color)
{
  static const char *const titles[JM_RUN_PART_KIND_RECORD] = {
    [JM_RUN_PART_KIND_STEP] = "Steps",
    [JM_RUN_PART_KIND_NODE] = "Nodes",
    [JM_RUN_PART_KIND_DEVICE] = "Devices",
    [JM_RUN_PART_KIND_ENERGY] = "Energy and emissions",
  };
  GString *text = g_string_new (NULL);
  g_autofree char *title = g_strconcat ("Job ", jm_run_get_text (run, "jobid"), NULL);
  g_autoptr (GPtrArray) steps =
    jm_run_part_merge_steps (jm_run_get_parts (run, JM_RUN_PART_KIND_STEP));

  append_lines (text, title, identity, G_N_ELEMENTS (identity), run, color);
  append_lines (text, "What it used", figures, G_N_ELEMENTS (figures), run, color);
  for (guint i = 0; i < JM_RUN_PART_KIND_RECORD; i++)
    append_parts (text, titles[i],
                  i == JM_RUN_PART_KIND_STEP ? steps : jm_run_get_parts (run, i),
                  color);

  return g_string_free (text, FALSE);
}

static void
job_clear (Job *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->job, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

/* --- options --- */

static const JmSetting settings[] = {
  { .name = "cluster",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "NAME",
    .help = "Only runs on this cluster" },
  { .name = "uuid",
    .group = "selection",
    .kind = JM_SETTING_TEXT,
    .argument = "UUID",
    .help = "The run of this uuid, instead of a job id" },
};

static GOptionGroup *
make_group (Job *self)
{
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "path.rootfs", NULL);

  jmc_archive_options_add_settings (&self->options);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (&self->options, &settings[i], group);

  return group;
}

static gboolean
parse (Job *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB]");
  const char *uuid;

  g_option_context_set_summary (
    context,
    "Shows all that a site's archive knows of a run: the newest of JOB, which is\n"
    "an id such as 12345, 123_4 or 12+1, or that of a uuid. What runs on this\n"
    "node is shown by jobmetrics-cli show.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse (&self->options, context, &argc, &argv) ||
      !jmc_options_check (&self->options))
    return FALSE;

  uuid = jmc_options_get_text (&self->options, "uuid");
  if ((argc > 1) + (uuid != NULL) != 1 || argc > 2)
    jmc_output_complain ("one JOB, or --uuid=UUID (see jobmetrics-cli job --help)");
  else if (uuid != NULL && !g_uuid_string_is_valid (uuid))
    jmc_output_complain ("--uuid=%s: not a uuid", uuid);
  else
    {
      self->job = g_strdup (argv[1]);
      return TRUE;
    }

  return FALSE;
}

/* The uuid of the run that is meant; NULL with an error where there is none. */
static char *
choose (Job *self, JmArchive *archive, GError **error)
{
  const char *uuid = jmc_options_get_text (&self->options, "uuid");

  if (uuid != NULL)
    return g_strdup (uuid);

  return jmc_run_choice_find (archive, self->job,
                              jmc_options_get_text (&self->options, "cluster"), error);
}

/* --- output --- */

/* The document that a server has of it. */
static void
print_json (JmRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JmJsonWriter json = { .out = text, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_object (&json, NULL);
  jm_run_document_append (jm_json_writer_begin_value (&json, "job"), run);
  jm_run_document_add_parts (&json, run);
  jm_json_writer_end_object (&json);
  g_string_append_c (text, '\n');
  fputs (text->str, stdout);
}

static void
print (Job *self, JmRun *run)
{
  g_autofree char *page = NULL;

  if (self->options.json)
    {
      print_json (run);
      return;
    }

  page = render_page (run, jmc_output_has_color (self->options.color, STDOUT_FILENO));
  jmc_output_print (page);
}

static int
show (Job *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmRun) run = NULL;
  g_autofree char *uuid = NULL;
  int status;
  g_autoptr (JmArchive) archive = jmc_archive_options_open (&self->options, &status);

  if (archive == NULL)
    return status;

  uuid = choose (self, archive, &error);
  if (uuid != NULL)
    run = jm_archive_find_run (archive, uuid, NULL, &error);
  if (run == NULL)
    {
      jmc_output_complain ("%s", error != NULL ? error->message : "no such job");
      return JMC_EXIT_FAILURE;
    }
  print (self, run);

  return JMC_EXIT_OK;
}

int
jmc_job_main (int argc, char **argv)
{
  g_auto (Job) self = { 0 };

  return parse (&self, argc, argv) ? jmc_output_finish (show (&self)) : JMC_EXIT_USAGE;
}
