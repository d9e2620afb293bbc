/* jmc-local-job.c: a command as a job of the scheduler definition local
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-local-job.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/jm-safe-text-private.h"

#define FOLDER "/run/jobmetrics/jobs"
/* No scheduler's job has such a name, so that none is taken for one of those. */
#define ID_PREFIX "run-"
#define LEAST_ID 100000
#define MAX_ID 999999

/* Short enough to be typed. Not the pid, which is no other's in its own container
 * alone. */
static char *
make_id (void)
{
  return g_strdup_printf (ID_PREFIX "%d", g_random_int_range (LEAST_ID, MAX_ID + 1));
}

/* Makes a job of a command; @name may be NULL, then the command gives its own. */
JmcLocalJob *
jmc_local_job_new (const char *name, const char *command)
{
  JmcLocalJob *self = g_new0 (JmcLocalJob, 1);
  g_autofree char *base = g_path_get_basename (command);

  self->start_time = g_get_real_time () / G_USEC_PER_SEC;
  self->id = make_id ();
  self->name = jm_safe_text_make (name != NULL ? name : base);

  return self;
}

void
jmc_local_job_free (JmcLocalJob *self)
{
  g_free (self->id);
  g_free (self->name);
  g_free (self->file);
  g_free (self);
}

/* The environment that the command is to have: what an exporter without the property
 * file identifies the job by. */
char **
jmc_local_job_make_environment (const JmcLocalJob *self)
{
  g_autofree char *start_time = g_strdup_printf ("%" G_GINT64_FORMAT, self->start_time);
  char **environment = g_get_environ ();

  environment = g_environ_setenv (environment, "JOBMETRICS_JOB_ID", self->id, TRUE);
  environment = g_environ_setenv (environment, "JOBMETRICS_JOB_NAME", self->name, TRUE);

  return g_environ_setenv (environment, "JOBMETRICS_JOB_START_TIME", start_time, TRUE);
}

/* The text of the property file, one KEY=VALUE to a line. */
char *
jmc_local_job_format (const JmcLocalJob *self)
{
  g_autofree char *user = jm_safe_text_make (g_get_user_name ());

  return g_strdup_printf ("JOBMETRICS_JOB_ID=%s\n"
                          "JOBMETRICS_JOB_NAME=%s\n"
                          "JOBMETRICS_JOB_USER=%s\n"
                          "JOBMETRICS_JOB_UID=%u\n"
                          "JOBMETRICS_JOB_START_TIME=%" G_GINT64_FORMAT "\n",
                          self->id, self->name, user, (guint) getuid (),
                          self->start_time);
}

static char *
make_path (const char *id)
{
  return g_strdup_printf (FOLDER "/local-%s", id);
}

/* Writes the property file that the exporter trusts, which only root may. */
gboolean
jmc_local_job_publish (JmcLocalJob *self, GError **error)
{
  g_autofree char *path = make_path (self->id);
  g_autofree char *text = jmc_local_job_format (self);

  if (geteuid () != 0)
    return TRUE;

  /* Where that fails, the next step says why. */
  g_mkdir_with_parents (FOLDER, 0755);
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0644,
                                 error))
    return FALSE;

  self->file = g_steal_pointer (&path);

  return TRUE;
}

void
jmc_local_job_withdraw (JmcLocalJob *self)
{
  if (self->file != NULL)
    g_unlink (self->file);
  g_clear_pointer (&self->file, g_free);
}

/* The same for the job of a run that could not do so itself. */
void
jmc_local_job_withdraw_id (const char *id)
{
  g_autofree char *path = make_path (id);

  g_unlink (path);
}
