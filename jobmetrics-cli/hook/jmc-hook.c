/* jmc-hook.c: what a scheduler runs as root when a job begins and when it ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "hook/jmc-hook-directory.h"
#include "hook/jmc-hook-steps.h"

/* Plan:
 * @is_end: whether the job ends; else it begins
 * @scheduler: one that is known
 * @directory: where property files are
 * @gpu_directory: (nullable): where files of accelerators are
 * @socket: the exporter's
 * @wait_us: how long the exporter is waited for
 * @removes_cgroups: whether empty cgroups of a job that ended are removed
 * @words: what the scheduler says on the command line
 *
 * One run of a hook. */
typedef struct
{
  gboolean is_end;
  char *scheduler;
  char *directory;
  char *gpu_directory;
  char *socket;
  gint64 wait_us;
  gboolean removes_cgroups;
  char **words;
} Plan;

#define DIRECTORY "/run/jobmetrics/jobs"
#define SCHEDULER "slurm"
#define WAIT_S 1.0
#define WAIT_MAX_S 30.0
#define LINKS_MAX 8

#define PROGRAM "jobmetrics-hook"
#define CGROUPS "/sys/fs/cgroup"
/* What files may take on top of the wait for the exporter, as on a file system that
 * hangs. */
#define FILES_US G_USEC_PER_SEC

static gboolean
is_known (const char *scheduler)
{
  return g_strv_contains (jmc_hook_job_list_schedulers (), scheduler);
}

/* --- the command line --- */

static gboolean
refuse (const char *option, const char *value, const char *reason, GError **error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s%s: %s", option,
               value, reason);

  return FALSE;
}

static gboolean
check (Plan *self, double wait, GError **error)
{
  g_autofree char *seconds = g_strdup_printf ("%g", wait);
  g_autofree char *known = g_strjoinv (", ", (char **) jmc_hook_job_list_schedulers ());
  g_autofree char *reason = g_strdup_printf ("not one of %s", known);

  if (!is_known (self->scheduler))
    return refuse ("--scheduler=", self->scheduler, reason, error);
  if (!(wait >= 0 && wait <= WAIT_MAX_S))
    return refuse ("--wait=", seconds, "not from 0 to 30 seconds", error);

  self->wait_us = (gint64) (wait * G_USEC_PER_SEC);

  return TRUE;
}

/* The word that says whether the job begins or ends, and those of the scheduler. */
static gboolean
take_words (Plan *self, GError **error)
{
  g_auto (GStrv) all = g_steal_pointer (&self->words);
  const char *event = all != NULL && all[0] != NULL ? all[0] : "";

  self->is_end = g_str_equal (event, "epilog");
  if (!self->is_end && !g_str_equal (event, "prolog"))
    return refuse ("", event, "prolog or epilog is wanted", error);

  self->words = g_strdupv (all + 1);

  return TRUE;
}

static void
set_defaults (Plan *self)
{
  if (self->scheduler == NULL)
    self->scheduler = g_strdup (SCHEDULER);
  if (self->directory == NULL)
    self->directory = g_strdup (DIRECTORY);
  if (self->socket == NULL)
    self->socket = g_strdup (JMC_HOOK_SOCKET);
}

/* Its options are in no configuration file, of which completions would ask. */
static gboolean
list_no_settings (const char *option, const char *value, gpointer data, GError **error)
{
  exit (0);
}

/* Reads the command line of `jobmetrics-cli hook`, from the word `hook` on.
 *
 * - Errors: #GOptionError. */
static gboolean
plan_parse (Plan *self, char **arguments, GError **error)
{
  double wait = WAIT_S;
  const GOptionEntry entries[] = {
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &self->scheduler,
      "Scheduler of the job: slurm, flux, gridengine, pbs, torque (default: slurm)",
      "NAME" },
    { "directory", 0, 0, G_OPTION_ARG_FILENAME, &self->directory,
      "Where files of jobs are (default: " DIRECTORY ")", "DIR" },
    { "gpu-directory", 0, 0, G_OPTION_ARG_FILENAME, &self->gpu_directory,
      "Where a file for each accelerator names its jobs (default: none)", "DIR" },
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "The exporter's local socket (default: " JMC_HOOK_SOCKET ")", "PATH" },
    { "wait", 0, 0, G_OPTION_ARG_DOUBLE, &wait,
      "Time to wait for the exporter (default: 1)", "SECONDS" },
    { "remove-empty-cgroups", 0, 0, G_OPTION_ARG_NONE, &self->removes_cgroups,
      "When the job ends, remove its cgroups that are left and empty", NULL },
    { "list-settings", 0, G_OPTION_FLAG_NO_ARG | G_OPTION_FLAG_HIDDEN,
      G_OPTION_ARG_CALLBACK, list_no_settings, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->words, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("prolog|epilog [WORD...]");
  g_auto (GStrv) copy = g_strdupv (arguments);

  g_option_context_set_summary (context,
                                "For a scheduler's prolog and epilog: records a job's "
                                "identity for the exporter.\n"
                                "The exit status is always 0, and no job waits longer "
                                "than the hook's time limit.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse_strv (context, &copy, error))
    return FALSE;

  set_defaults (self);

  return check (self, wait, error) && take_words (self, error);
}

/* --- the name --- */

static gboolean
take_event (Plan *self, const char *name)
{
  self->is_end = strstr (name, "epilog") != NULL;

  return self->is_end || strstr (name, "prolog") != NULL;
}

static void
take_scheduler (Plan *self, const char *name)
{
  const char *const *known = jmc_hook_job_list_schedulers ();

  for (; *known != NULL && self->scheduler == NULL; known++)
    if (strstr (name, *known) != NULL)
      self->scheduler = g_strdup (*known);
}

/* NULL where it is no link. */
static char *
follow_link (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  if (target == NULL || g_path_is_absolute (target))
    return g_steal_pointer (&target);

  return g_build_filename (folder, target, NULL);
}

/* Reads the command line of a program that is called like what it is to do: @path, or
 * what that is a link to, has `prolog` or `epilog` in its name, and may have a
 * scheduler's. FALSE where it has none of the two. A site may call its link as it
 * likes, if the one that it leads to is ours. */
static gboolean
plan_parse_link (Plan *self, const char *path, char **arguments)
{
  g_autofree char *link = g_strdup (path);
  gboolean is_told = FALSE;

  for (guint i = 0; i < LINKS_MAX && link != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (link);
      char *next = follow_link (link);

      is_told = is_told || take_event (self, name);
      take_scheduler (self, name);
      g_free (link);
      link = next;
    }
  if (!is_told)
    return FALSE;

  if (arguments[0] != NULL && arguments[1] != NULL)
    self->directory = g_strdup (arguments[1]);
  self->wait_us = (gint64) (WAIT_S * G_USEC_PER_SEC);
  set_defaults (self);

  return TRUE;
}

static void
plan_clear (Plan *self)
{
  g_free (self->scheduler);
  g_free (self->directory);
  g_free (self->gpu_directory);
  g_free (self->socket);
  g_strfreev (self->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* --- what can go wrong --- */

/* Nobody is harmed where nobody hears it. */
static void
complain (const char *text)
{
  g_autofree char *line = g_strconcat (g_get_prgname (), ": ", text, "\n", NULL);

  (void) !write (STDERR_FILENO, line, strlen (line));
}

static void
report (const GError *error)
{
  if (error != NULL)
    complain (error->message);
}

static void
on_alarm (int number)
{
  static const char text[] = PROGRAM ": it took too long\n";

  (void) !write (STDERR_FILENO, text, sizeof text - 1);
  _exit (0);
}

/* Whatever hangs, the job goes on. */
static void
set_alarm (gint64 us)
{
  const struct itimerval timer = {
    .it_value = { .tv_sec = us / G_USEC_PER_SEC, .tv_usec = us % G_USEC_PER_SEC },
  };
  const struct sigaction action = { .sa_handler = on_alarm };
  sigset_t alarm;

  sigaction (SIGALRM, &action, NULL);
  sigemptyset (&alarm);
  sigaddset (&alarm, SIGALRM);
  sigprocmask (SIG_UNBLOCK, &alarm, NULL);
  setitimer (ITIMER_REAL, &timer, NULL);
}

/* A file that is opened shall not become what messages are written to. */
static void
open_standard_streams (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO)
    close (fd);
}

/* The environment may be a job's user's: it is taken once, and nothing else goes by it.
 */
static GStrv
take_environment (void)
{
  GStrv environment = g_get_environ ();

  clearenv ();

  return environment;
}

/* --- files --- */

static void
write_files (const Plan *plan, const JmcHookJob *job)
{
  g_auto (JmcHookDirectory) directory = JMC_HOOK_DIRECTORY_INIT;
  g_autoptr (GError) error = NULL;
  gboolean is_open =
    jmc_hook_directory_open (&directory, plan->directory, TRUE, &error);

  for (guint i = 0; is_open && i < JMC_HOOK_MAX_NAMES && job->names[i] != NULL; i++)
    jmc_hook_directory_write (&directory, job->names[i], job->properties,
                              error == NULL ? &error : NULL);
  report (error);
}

static void
remove_files (const Plan *plan, const JmcHookJob *job)
{
  g_auto (JmcHookDirectory) directory = JMC_HOOK_DIRECTORY_INIT;
  g_autoptr (GError) error = NULL;
  gboolean is_open =
    jmc_hook_directory_open (&directory, plan->directory, FALSE, &error);

  for (guint i = 0; is_open && i < JMC_HOOK_MAX_NAMES && job->names[i] != NULL; i++)
    jmc_hook_directory_remove (&directory, job->names[i],
                               error == NULL ? &error : NULL);
  report (error);
}

static void
map_gpus (const Plan *plan, const JmcHookJob *job)
{
  gint64 until_us = g_get_monotonic_time () + FILES_US / 2;
  g_auto (JmcHookDirectory) directory = JMC_HOOK_DIRECTORY_INIT;
  g_autoptr (GError) error = NULL;

  if (plan->gpu_directory == NULL)
    return;

  if (jmc_hook_directory_open (&directory, plan->gpu_directory, !plan->is_end, &error))
    {
      if (plan->is_end)
        jmc_hook_gpus_remove (&directory, job->id, until_us, &error);
      else
        jmc_hook_gpus_add (&directory, job->gpus, job->id, until_us, &error);
    }
  report (error);
}

static void
remove_cgroups (const JmcHookJob *job)
{
  for (guint i = 0; i < JMC_HOOK_MAX_NAMES && job->names[i] != NULL; i++)
    {
      const char *name = job->names[i];

      /* The file of a job of Grid Engine has a word before it. */
      if (g_str_has_prefix (name, job->scheduler))
        name += strlen (job->scheduler) + 1;
      jmc_hook_cgroups_remove (CGROUPS, job->cgroups, name);
    }
}

/* --- the hook --- */

static void
tell_exporter (const Plan *plan, const JmcHookJob *job)
{
  gint64 until_us = g_get_monotonic_time () + plan->wait_us;
  g_autoptr (GError) error = NULL;

  jmc_hook_exchange (plan->socket, plan->is_end ? "epilog" : "prolog", job->scheduler,
                     job->id, until_us, &error);
  report (error);
}

/* Who the job is stays until the exporter has read its last figures. */
static void
follow (const Plan *plan, const JmcHookJob *job)
{
  if (!plan->is_end)
    {
      write_files (plan, job);
      map_gpus (plan, job);
      tell_exporter (plan, job);
      return;
    }

  tell_exporter (plan, job);
  remove_files (plan, job);
  map_gpus (plan, job);
  if (plan->removes_cgroups)
    remove_cgroups (job);
}

static void
run (const Plan *plan, char **environment)
{
  g_autoptr (JmcHookJob) job =
    jmc_hook_job_read (plan->scheduler, environment, plan->words);

  set_alarm (plan->wait_us + FILES_US);
  if (job != NULL)
    follow (plan, job);
  else
    complain ("the scheduler gives no job");
}

static GStrv
begin (void)
{
  signal (SIGPIPE, SIG_IGN);
  /* of a limit on the size of files, which a full disk is like */
  signal (SIGXFSZ, SIG_IGN);
  umask (022);
  open_standard_streams ();

  return take_environment ();
}

static void
run_command (char **argv, char **environment)
{
  g_auto (Plan) plan = { 0 };
  g_autoptr (GError) error = NULL;

  if (plan_parse (&plan, argv, &error))
    run (&plan, environment);
  else
    report (error);
}

int
jmc_hook_main (int argc, char **argv)
{
  g_auto (GStrv) environment = begin ();

  g_set_prgname ("jobmetrics-cli hook");
  run_command (argv, environment);

  return 0;
}

int
jmc_hook_main_by_name (const char *path, int argc, char **argv)
{
  g_auto (GStrv) environment = begin ();
  g_auto (Plan) plan = { 0 };

  g_set_prgname (PROGRAM);
  if (plan_parse_link (&plan, path, argv))
    run (&plan, environment);
  else
    run_command (argv, environment);

  return 0;
}
