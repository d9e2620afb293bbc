/* jmc-show.c: jobmetrics-cli show: everything that is known about jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <unistd.h>

#include "base/jm-safe-text-private.h"
#include "jmc-json.h"
#include "jmc-options.h"
#include "jmc-selection.h"
#include "jmc-watch.h"
#include "pages/jmc-job-page.h"

/* What the page shows: no more is read. */
#define COLLECTORS                                                                     \
 JM_COLLECTOR_SET (JM_COLLECTOR_CPU, JM_COLLECTOR_MEMORY, JM_COLLECTOR_MEMORY_STAT,    \
                   JM_COLLECTOR_PRESSURE, JM_COLLECTOR_IO, JM_COLLECTOR_PROCESS,       \
                   JM_COLLECTOR_THREADS, JM_COLLECTOR_FILES, JM_COLLECTOR_POWER,       \
                   JM_COLLECTOR_EMISSIONS, JM_COLLECTOR_GPU)

typedef struct
{
  JmcOptions options;
  JmcSelection selection;
  JmcWatch watch;
  gboolean steps;
  gboolean tasks;
  char **ids; /* empty where the selection alone says which jobs */
  gboolean is_begun;
  gboolean is_missed; /* a job that was asked for is not there, nor was before */
} Show;

static void
show_clear (Show *self)
{
  jmc_options_clear (&self->options);
  jmc_selection_clear (&self->selection);
  jmc_watch_clear (&self->watch);
  g_clear_pointer (&self->ids, g_strfreev);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Show, show_clear)

/* --- options --- */

static GOptionGroup *
make_group (Show *self)
{
  const GOptionEntry entries[] = {
    { "steps", 0, 0, G_OPTION_ARG_NONE, &self->steps,
      "Show everything about each step, too", NULL },
    { "tasks", 0, 0, G_OPTION_ARG_NONE, &self->tasks,
      "Show everything about each step and task, too", NULL },
    { NULL },
  };
  GOptionGroup *group =
    jmc_options_make_group (&self->options, "output", "host", "jobs", "gpus",
                            JMC_ENERGY_SETTINGS, NULL);

  jmc_options_add_entries (group, entries);
  jmc_selection_add_entries (&self->selection, group);
  jmc_watch_add_entries (&self->watch, group);

  return group;
}

static gboolean
check_ids (Show *self)
{
  if (*self->ids != NULL || !jm_job_selection_is_everything (self->selection.jobs))
    return TRUE;

  jmc_output_complain ("show: name a JOB, or choose jobs with --user, --account or "
                       "--state (see jobmetrics-cli show --help)");

  return FALSE;
}

static gboolean
parse (Show *self, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("[JOB…]");
  g_auto (GStrv) arguments = jmc_watch_copy_arguments (argc, argv);

  g_option_context_set_summary (
    context,
    "Shows all figures of jobs: what they used so far, their steps and tasks. JOB is\n"
    "the scheduler's id, ARRAY_INDEX of a job array, HET+OFFSET of a heterogeneous\n"
    "job, a uuid, or the name of jobs.");
  g_option_context_set_main_group (context, make_group (self));
  if (!jmc_options_parse_strv (&self->options, context, &arguments))
    return FALSE;

  self->ids = g_strdupv (arguments + 1);
  self->watch.is_stream = self->options.json;

  return jmc_options_check (&self->options) && jmc_selection_parse (&self->selection) &&
         check_ids (self) && jmc_watch_parse (&self->watch);
}

static JmSubjectKind
get_depth (const Show *self)
{
  if (self->tasks)
    return JM_SUBJECT_KIND_TASK;

  return self->steps ? JM_SUBJECT_KIND_STEP : JM_SUBJECT_KIND_JOB;
}

/* --- which jobs --- */

static gboolean
is_called (JmSnapshot *snapshot, guint subject, const char *id)
{
  return jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_JOB &&
         jm_job_is_called (jm_snapshot_get_job (snapshot, subject), id);
}

static gboolean
has_same_owner (JmSnapshot *snapshot, guint a, guint b)
{
  static const JmJobField fields[] = { JM_JOB_FIELD_SCHEDULER, JM_JOB_FIELD_CLUSTER };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_strcmp0 (jm_job_get_field (jm_snapshot_get_job (snapshot, a), fields[i]),
                   jm_job_get_field (jm_snapshot_get_job (snapshot, b), fields[i])) !=
        0)
      return FALSE;

  return TRUE;
}

/* A job id that came back means the later run; that of another scheduler or cluster is
 * another job. */
static gboolean
is_superseded (JmSnapshot *snapshot, guint subject, const char *id)
{
  for (guint i = subject + 1; i < jm_snapshot_get_n_subjects (snapshot); i++)
    if (is_called (snapshot, i, id) && has_same_owner (snapshot, subject, i))
      return TRUE;

  return FALSE;
}

static gboolean
is_named (JmSnapshot *snapshot, guint subject, const char *name)
{
  return jm_snapshot_get_kind (snapshot, subject) == JM_SUBJECT_KIND_JOB &&
         g_strcmp0 (jm_job_get_field (jm_snapshot_get_job (snapshot, subject),
                                      JM_JOB_FIELD_NAME),
                    name) == 0;
}

/* Adds the job of that id, else all of that name. Returns whether there is any. */
static gboolean
add_jobs (Show *self, JmSnapshot *snapshot, const char *id, GArray *jobs)
{
  guint job;
  const gboolean is_id = jm_snapshot_find_job (snapshot, id, &job);
  gboolean is_found = is_id;

  for (guint i = 0; i < jm_snapshot_get_n_subjects (snapshot); i++)
    {
      gboolean is_asked_for =
        is_id ? is_called (snapshot, i, id) && !is_superseded (snapshot, i, id)
              : is_named (snapshot, i, id);

      is_found |= is_asked_for;
      if (is_asked_for && jm_job_selection_has (self->selection.jobs, snapshot, i))
        g_array_append_val (jobs, i);
    }

  return is_found;
}

/* The jobs that were asked for, in that order, as far as they are there and meant. */
static GArray *
list_jobs (Show *self, JmSnapshot *snapshot)
{
  GArray *jobs;

  if (*self->ids == NULL)
    return jm_job_selection_list (self->selection.jobs, snapshot);

  jobs = g_array_new (FALSE, FALSE, sizeof (guint));
  for (char **id = self->ids; *id != NULL; id++)
    add_jobs (self, snapshot, *id, jobs);

  return jobs;
}

/* Those that are not there: a line for each, without an end. */
static GPtrArray *
list_missed (Show *self, JmSnapshot *snapshot)
{
  GPtrArray *remarks = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) jobs = list_jobs (self, snapshot);

  for (char **id = self->ids; *id != NULL; id++)
    {
      g_autoptr (GArray) ignored = g_array_new (FALSE, FALSE, sizeof (guint));

      if (!add_jobs (self, snapshot, *id, ignored))
        g_ptr_array_add (remarks,
                         g_strdup_printf ("%s: no such job on this node", *id));
    }
  if (jobs->len == 0 && remarks->len == 0)
    g_ptr_array_add (remarks, g_strdup ("no job on this node matches"));

  return remarks;
}

/* --- output --- */

static void
append_json (Show *self, JmSnapshot *snapshot, GArray *jobs, GString *text)
{
  gboolean pretty = self->watch.text == NULL;

  /* who asks for one job gets one */
  if (g_strv_length (self->ids) != 1 || jobs->len > 1)
    jmc_json_append_jobs (text, snapshot, jobs, pretty);
  else if (jobs->len > 0)
    jmc_json_append_job (text, snapshot, g_array_index (jobs, guint, 0), pretty);
}

static void
append_pages (Show *self, JmSnapshot *snapshot, GArray *jobs, GString *text)
{
  gboolean color = jmc_output_has_color (self->options.color, STDOUT_FILENO);

  for (guint i = 0; i < jobs->len; i++)
    {
      g_autofree char *page =
        jmc_job_page_render (snapshot, g_array_index (jobs, guint, i), get_depth (self),
                             color);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : "\n", page);
    }
}

static void
append_missed (Show *self, JmSnapshot *snapshot, GString *text)
{
  g_autoptr (GPtrArray) remarks = list_missed (self, snapshot);

  for (guint i = 0; i < remarks->len; i++)
    {
      g_autofree char *safe = jm_safe_text_make (remarks->pdata[i]);

      g_string_append_printf (text, "\n%s\n", safe);
    }
}

/* Once all jobs are gone there is nothing left to watch. */
static gboolean
draw (JmSnapshot *snapshot, gboolean is_page, GString *text, gpointer data)
{
  Show *self = data;
  g_autoptr (GArray) jobs = list_jobs (self, snapshot);
  g_autoptr (GPtrArray) missed = list_missed (self, snapshot);

  self->is_missed = self->is_begun ? self->is_missed : missed->len > 0;
  self->is_begun = TRUE;
  if (self->options.json)
    append_json (self, snapshot, jobs, text);
  else
    append_pages (self, snapshot, jobs, text);
  if (is_page)
    append_missed (self, snapshot, text);

  return jobs->len > 0;
}

static void
complain (JmSnapshot *snapshot, gpointer data)
{
  g_autoptr (GPtrArray) missed = list_missed (data, snapshot);

  for (guint i = 0; i < missed->len; i++)
    jmc_output_complain ("%s", (const char *) missed->pdata[i]);
}

int
jmc_show_main (int argc, char **argv)
{
  g_auto (Show) self = { .options.metering.meters = JMC_METERS_TOLD };
  g_autoptr (JmCollectorSet) usual = jm_collector_set_new_usual ();
  const JmcView view = { draw, complain, &self };
  JmCollectorSet collectors;
  int status;

  if (!parse (&self, argc, argv))
    return JMC_EXIT_USAGE;

  collectors = *COLLECTORS;
  jm_job_selection_add_collectors (self.selection.jobs, &collectors);
  status = jmc_watch_run (&self.watch, &self.options, JM_SUBJECT_KIND_TASK,
                          self.options.json ? usual : &collectors, &view);

  return status == JMC_EXIT_OK && self.is_missed ? JMC_EXIT_FAILURE : status;
}
