/* jmc-run.c: jobmetrics-cli run: a command as a job, and what it used
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-commands.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "hook/jmc-hook-steps.h"
#include "jmc-options.h"
#include "run/jmc-affinity.h"
#include "run/jmc-child.h"
#include "run/jmc-local-job.h"
#include "run/jmc-process-tree.h"
#include "run/jmc-run-cgroup.h"
#include "run/jmc-run-parts.h"
#include "run/jmc-run-summary.h"

#define SAMPLE_MS 1000
#define PAUSE_US 10000
/* For how long at most an exporter is waited for. */
#define EXPORTER_US G_USEC_PER_SEC
#define MAX_PAUSES 50
#define MAX_NAMED_PIDS 5

/* One run of a command. */
typedef struct
{
  char **command;
  JmHost *host;
  JmcLocalJob *job;
  JmcProcessTree *tree;
  JmcChild *child;
  JmcRunCgroup *cgroup; /* NULL where we may not make one */
  JmcRunMeter *meter;
  JmcRunSummary *report;
  guint n_cpus; /* that the command may use, 0 where that is not known */
} Run;

typedef struct
{
  JmcOptions options;
  char *name;
  char *output;
} RunOptions;

static void
run_options_clear (RunOptions *self)
{
  jmc_options_clear (&self->options);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->output, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RunOptions, run_options_clear)

static void
run_init (Run *self, char **command, const char *name)
{
  g_autofree char *cpus = NULL;

  self->command = command;
  self->host = jm_host_new (NULL);
  self->job = jmc_local_job_new (name, command[0]);
  self->tree = jmc_process_tree_new (self->host);
  self->report = jmc_run_summary_new (self->job->id, self->job->name, command);
  cpus = jmc_affinity_read (self->host, &self->n_cpus);
}

static void
run_clear (Run *self)
{
  /* the meter reads what the others have */
  g_clear_pointer (&self->meter, jmc_run_meter_free);
  g_clear_pointer (&self->child, jmc_child_free);
  g_clear_pointer (&self->cgroup, jmc_run_cgroup_free);
  g_clear_pointer (&self->tree, jmc_process_tree_free);
  g_clear_pointer (&self->report, jmc_run_summary_free);
  g_clear_pointer (&self->job, jmc_local_job_free);
  g_clear_object (&self->host);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* The property file comes first: an exporter that sees the cgroup looks for it. */
static void
make_cgroup (Run *self)
{
  g_autoptr (GError) error = NULL;

  if (!jmc_local_job_publish (self->job, &error))
    jmc_run_summary_add_note (self->report, "%s", error->message);
  g_clear_error (&error);

  self->cgroup = jmc_run_cgroup_new (self->host, self->job->id,
                                     jmc_child_get_pid (self->child), &error);
  if (self->cgroup != NULL)
    {
      self->report->cgroup = g_strdup (jmc_run_cgroup_get_path (self->cgroup));
      return;
    }

  jmc_local_job_withdraw (self->job);
  jmc_process_tree_adopt_orphans (self->tree);
  jmc_run_summary_add_note (self->report,
                            "no cgroup of its own, the process tree was followed: %s",
                            error->message);
}

static void
note_pids (Run *self, GArray *pids)
{
  for (guint i = 0; i < pids->len; i++)
    jmc_process_tree_add (self->tree, g_array_index (pids, pid_t, i));
}

static GArray *
list_processes (Run *self)
{
  return self->cgroup != NULL ? jmc_run_cgroup_list_processes (self->cgroup)
                              : jmc_process_tree_list_processes (self->tree);
}

static gboolean
on_news (pid_t pid, gpointer data)
{
  Run *self = data;
  g_autoptr (GArray) pids = NULL;

  if (pid > 0)
    return jmc_process_tree_add (self->tree, pid);

  pids = list_processes (self);
  note_pids (self, pids);
  jmc_run_meter_look (self->meter);

  return TRUE;
}

/* An exporter that sweeps every few seconds has yet to read what a short command has
 * used. Where none listens, or not to this user, nothing is waited for. */
static void
let_exporter_read (Run *self)
{
  jmc_hook_exchange (JMC_HOOK_SOCKET, "epilog", JMC_LOCAL_JOB_SCHEDULER, self->job->id,
                     g_get_monotonic_time () + EXPORTER_US, NULL);
}

static void
remove_cgroup (Run *self)
{
  g_autoptr (GError) error = NULL;

  if (!jmc_run_cgroup_remove (self->cgroup, &error))
    jmc_run_summary_add_note (self->report, "%s", error->message);
  jmc_local_job_withdraw (self->job);
}

static void
add_note_of_remaining (Run *self, GArray *pids)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < MIN (pids->len, MAX_NAMED_PIDS); i++)
    g_string_append_printf (list, "%s%d", i > 0 ? ", " : "",
                            (int) g_array_index (pids, pid_t, i));

  jmc_run_summary_add_note (self->report, "%u of its processes still run (%s%s)%s%s",
                            pids->len, list->str,
                            pids->len > MAX_NAMED_PIDS ? ", …" : "",
                            self->cgroup != NULL ? "; they stay in " : "",
                            self->cgroup != NULL
                              ? jmc_run_cgroup_get_path (self->cgroup)
                              : "; what they use is not counted");
}

/* The last processes of a pipeline end shortly after the command does: waits for them,
 * not for long. Returns those that are still there. */
static GArray *
wait_for_last (Run *self)
{
  GArray *pids = list_processes (self);

  for (guint i = 0; i < MAX_PAUSES && pids->len > 0; i++)
    {
      g_array_unref (pids);
      g_usleep (PAUSE_US);
      jmc_child_reap (self->child, on_news, self);
      pids = list_processes (self);
    }

  return pids;
}

/* Whatever the command has left running is not ours to end. */
static void
take_leave (Run *self)
{
  g_autoptr (GArray) remaining = wait_for_last (self);

  note_pids (self, remaining);
  if (remaining->len > 0)
    add_note_of_remaining (self, remaining);

  jmc_run_meter_report (self->meter, self->report);
  if (self->cgroup != NULL && remaining->len == 0)
    {
      let_exporter_read (self);
      remove_cgroup (self);
    }
}

static void
fill_in_report (Run *self)
{
  JmcRunSummary *report = self->report;

  report->is_signaled = jmc_child_is_signaled (self->child);
  report->code = jmc_child_get_code (self->child);
  jmc_run_summary_take_usage (report, jmc_child_get_usage (self->child));
  jmc_run_summary_take_sampled_peak (report,
                                     jmc_run_meter_get_memory_peak (self->meter));
  jmc_run_summary_set (report, JMC_RUN_SUMMARY_PROCESSES,
                       jm_figure_known (jmc_process_tree_get_n_seen (self->tree)),
                       JMC_SOURCE_SAMPLES_AT_LEAST);
  if (self->n_cpus > 0)
    jmc_run_summary_set (report, JMC_RUN_SUMMARY_CPUS, jm_figure_known (self->n_cpus),
                         JMC_SOURCE_AFFINITY);
  jmc_run_summary_finish (report);
}

/* The command could not be executed: nothing was used, so nothing is reported. */
static int
give_up (Run *self, int code)
{
  jmc_child_wait (self->child, SAMPLE_MS, on_news, self);
  if (self->cgroup != NULL)
    remove_cgroup (self);
  jmc_output_complain ("%s: %s", self->command[0], g_strerror (code));

  return code == ENOENT ? JMC_EXIT_NOT_FOUND : JMC_EXIT_NOT_EXECUTABLE;
}

/* A cgroup that cannot be read is as good as none. */
static void
begin_metering (Run *self)
{
  const JmcRunUnit unit = { self->job->id, self->cgroup, self->tree, self->child };
  const JmcRunUnit without_cgroup = { self->job->id, NULL, self->tree, self->child };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmcRunReader) reader = jmc_run_reader_new (self->host, &unit, &error);

  if (reader == NULL)
    {
      jmc_run_summary_add_note (self->report, "%s", error->message);
      reader = jmc_run_reader_new (self->host, &without_cgroup, NULL);
    }
  jmc_run_meter_follow (self->meter, reader, self->job->id);
}

/* Runs the command to its end. Returns whether it was started; @status is set to what
 * the program is to exit with. */
static gboolean
run_command (Run *self, int *status)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = jmc_local_job_make_environment (self->job);
  gint64 began_us;
  int code;

  self->child = jmc_child_new (self->command, environment, &error);
  if (self->child == NULL)
    {
      jmc_output_complain ("%s", error->message);
      *status = JMC_EXIT_CANNOT_RUN;
      return FALSE;
    }
  /* an exporter sees each cgroup as a job, also that of a command that never ran */
  if (jmc_child_can_become (self->command[0]))
    make_cgroup (self);
  begin_metering (self);

  self->report->start_time_us = g_get_real_time ();
  began_us = g_get_monotonic_time ();
  code = jmc_child_release (self->child);
  if (code != 0)
    {
      *status = give_up (self, code);
      return FALSE;
    }

  jmc_child_wait (self->child, SAMPLE_MS, on_news, self);
  self->report->elapsed = (double) (g_get_monotonic_time () - began_us) / 1e6;
  take_leave (self);
  fill_in_report (self);
  *status =
    self->report->code + (self->report->is_signaled ? (int) JMC_EXIT_SIGNAL : 0);

  return TRUE;
}

static void
print_report (JmcRunSummary *report, const JmcOptions *options, FILE *file)
{
  gboolean color = jmc_output_has_color (options->color, fileno (file));
  g_autofree char *text = options->json ? jmc_run_summary_to_json (report)
                                        : jmc_run_summary_render (report, color);

  fputs (text, file);
  if (fflush (file) != 0)
    jmc_output_complain ("cannot write the report: %s", g_strerror (errno));
}

static FILE *
open_output (const char *path)
{
  FILE *file = path != NULL ? fopen (path, "we") : stderr;

  if (file == NULL)
    jmc_output_complain ("--output=%s: %s", path, g_strerror (errno));

  return file;
}

static gboolean
parse (RunOptions *self, int argc, char **argv, char ***command)
{
  const GOptionEntry entries[] = {
    { "name", 0, 0, G_OPTION_ARG_STRING, &self->name,
      "What the job is called (default the command's name)", "NAME" },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &self->output,
      "File for the report (default the standard error)", "FILE" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("-- COMMAND…");
  GOptionGroup *group;

  g_option_context_set_summary (context, "Runs a command as a job, in a cgroup of its "
                                         "own where that may be made, and reports\n"
                                         "at its end what it used. The exit status is "
                                         "that of the command, 128 and the number\n"
                                         "of the signal that ended it, 126 or 127 "
                                         "where it could not be executed or found.");
  group = jmc_options_make_group (&self->options, "output", "power", "emissions", NULL);
  g_option_context_set_main_group (context, group);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_strict_posix (context, TRUE);
  if (!jmc_options_parse (&self->options, context, &argc, &argv))
    return FALSE;

  *command = argv + 1;
  if (g_strcmp0 (**command, "--") == 0)
    (*command)++;
  if (**command == NULL)
    jmc_output_complain ("run: a command is missing");

  return **command != NULL && jmc_run_meter_check (&self->options.metering);
}

/* Returns the exit status: other than that of a good end where there is no meter, and
 * has reported why. */
static int
open_meter (Run *self, const JmcOptions *options)
{
  g_autoptr (GError) error = NULL;

  self->meter = jmc_run_meter_new (options, &error);
  if (self->meter != NULL)
    return JMC_EXIT_OK;

  return jmc_options_refuse_node (error) == JMC_EXIT_USAGE ? JMC_EXIT_USAGE
                                                           : JMC_EXIT_CANNOT_RUN;
}

int
jmc_run_main (int argc, char **argv)
{
  g_auto (RunOptions) options = { .options.metering.meters = JMC_METERS_SOURCES };
  g_auto (Run) run = { 0 };
  char **command;
  FILE *file;
  int status;

  if (!parse (&options, argc, argv, &command))
    return JMC_EXIT_USAGE;

  file = open_output (options.output);
  if (file == NULL)
    return JMC_EXIT_CANNOT_RUN;

  run_init (&run, command, options.name);
  status = open_meter (&run, &options.options);
  if (status == JMC_EXIT_OK && run_command (&run, &status))
    {
      /* the terminal's signals are for us again */
      g_clear_pointer (&run.meter, jmc_run_meter_free);
      g_clear_pointer (&run.child, jmc_child_free);
      print_report (run.report, &options.options, file);
    }

  if (file != stderr)
    fclose (file);

  return status;
}
