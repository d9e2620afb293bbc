/* jmc-hook-plan.c: what a hook is to do, by its command line or by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-plan.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook/jmc-hook-job.h"

#define DIRECTORY "/run/jobmetrics/jobs"
#define SOCKET "/run/jobmetrics-exporter/socket"
#define SCHEDULER "slurm"
#define WAIT_S 1.0
#define WAIT_MAX_S 30.0
#define LINKS_MAX 8

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
check (JmcHookPlan *self, double wait, GError **error)
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
take_words (JmcHookPlan *self, GError **error)
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
set_defaults (JmcHookPlan *self)
{
  if (self->scheduler == NULL)
    self->scheduler = g_strdup (SCHEDULER);
  if (self->directory == NULL)
    self->directory = g_strdup (DIRECTORY);
  if (self->socket == NULL)
    self->socket = g_strdup (SOCKET);
}

/* Its options are in no configuration file, of which completions would ask. */
static gboolean
list_no_settings (const char *option, const char *value, gpointer data, GError **error)
{
  exit (0);
}

gboolean
jmc_hook_plan_parse (JmcHookPlan *self, char **arguments, GError **error)
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
      "The exporter's local socket (default: " SOCKET ")", "PATH" },
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
take_event (JmcHookPlan *self, const char *name)
{
  self->is_end = strstr (name, "epilog") != NULL;

  return self->is_end || strstr (name, "prolog") != NULL;
}

static void
take_scheduler (JmcHookPlan *self, const char *name)
{
  const char *const *known = jmc_hook_job_list_schedulers ();

  for (; *known != NULL && self->scheduler == NULL; known++)
    if (strstr (name, *known) != NULL)
      self->scheduler = g_strdup (*known);
}

/* NULL where it is no link. */
static char *
follow (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  if (target == NULL || g_path_is_absolute (target))
    return g_steal_pointer (&target);

  return g_build_filename (folder, target, NULL);
}

/* A site may call its link as it likes, if the one that it leads to is ours. */
gboolean
jmc_hook_plan_parse_link (JmcHookPlan *self, const char *path, char **arguments)
{
  g_autofree char *link = g_strdup (path);
  gboolean is_told = FALSE;

  for (guint i = 0; i < LINKS_MAX && link != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (link);
      char *next = follow (link);

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

void
jmc_hook_plan_clear (JmcHookPlan *self)
{
  g_free (self->scheduler);
  g_free (self->directory);
  g_free (self->gpu_directory);
  g_free (self->socket);
  g_strfreev (self->words);
}
