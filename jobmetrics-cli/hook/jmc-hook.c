/* jmc-hook.c: what a scheduler runs as root when a job begins and when it ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "hook/jmc-hook-cgroups.h"
#include "hook/jmc-hook-directory.h"
#include "hook/jmc-hook-exchange.h"
#include "hook/jmc-hook-gpus.h"
#include "hook/jmc-hook-job.h"
#include "hook/jmc-hook-plan.h"

#define PROGRAM "jobmetrics-hook"
#define CGROUPS "/sys/fs/cgroup"
/* What files may take on top of the wait for the exporter, as on a file system that
 * hangs. */
#define FILES_US G_USEC_PER_SEC

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
write_files (const JmcHookPlan *plan, const JmcHookJob *job)
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
remove_files (const JmcHookPlan *plan, const JmcHookJob *job)
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
map_gpus (const JmcHookPlan *plan, const JmcHookJob *job)
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
tell_exporter (const JmcHookPlan *plan, const JmcHookJob *job)
{
  gint64 until_us = g_get_monotonic_time () + plan->wait_us;
  g_autoptr (GError) error = NULL;

  jmc_hook_exchange (plan->socket, plan->is_end ? "epilog" : "prolog", job->scheduler,
                     job->id, until_us, &error);
  report (error);
}

/* Who the job is stays until the exporter has read its last figures. */
static void
follow (const JmcHookPlan *plan, const JmcHookJob *job)
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
run (const JmcHookPlan *plan, char **environment)
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
  g_auto (JmcHookPlan) plan = { 0 };
  g_autoptr (GError) error = NULL;

  if (jmc_hook_plan_parse (&plan, argv, &error))
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
  g_auto (JmcHookPlan) plan = { 0 };

  g_set_prgname (PROGRAM);
  if (jmc_hook_plan_parse_link (&plan, path, argv))
    run (&plan, environment);
  else
    run_command (argv, environment);

  return 0;
}
