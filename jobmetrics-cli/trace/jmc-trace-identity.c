/* jmc-trace-identity.c: of which job a traced command is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jmc-trace-identity.h"

#include <string.h>

#include "host/jm-parse-private.h"

#define USUAL_URL "http://localhost:9011"
#define PATH "/trace"

/* The first variable of two names that says something. */
static const char *
get_variable (const char *name, const char *other_name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0' ? value : g_getenv (other_name);
}

static char *
copy_variable (const char *name, const char *other_name)
{
  const char *value = get_variable (name, other_name);

  return g_strdup (value != NULL ? value : "");
}

gboolean
jmc_trace_identity_fill (JmTraceRecord *record, const char *job)
{
  if (job == NULL)
    job = get_variable ("SLURM_JOB_ID", "SLURM_JOBID");
  if (job == NULL || !jm_parse_uint64 (job, strlen (job), &record->job_id) ||
      record->job_id == 0 || record->job_id > G_MAXINT64)
    return FALSE;

  record->cluster = copy_variable ("SLURM_CLUSTER_NAME", "SLURM_CLUSTERS");
  record->step = copy_variable ("SLURM_STEP_ID", "SLURM_STEPID");
  record->host = g_strdup (g_get_host_name ());
  record->user = g_strdup (g_get_user_name ());

  return TRUE;
}

/* Wrappers of others leave the scheme and the path out. */
char *
jmc_trace_identity_find_url (const char *text)
{
  const char *given = text != NULL ? text : g_getenv ("SLURM_EXPORTER");
  const char *url = given != NULL && *given != '\0' ? given : USUAL_URL;
  const char *scheme = strstr (url, "://") != NULL ? "" : "http://";
  const char *host = *scheme != '\0' ? url : strstr (url, "://") + strlen ("://");
  const char *path = strchr (host, '/');

  if (path == NULL)
    return g_strconcat (scheme, url, PATH, NULL);
  if (path[1] == '\0')
    return g_strconcat (scheme, url, &PATH[1], NULL);

  return g_strconcat (scheme, url, NULL);
}
