/* jmc-alert-finding.c: what the owner of a job should know
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-alert-plan.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "mail/jmc-mail-lines.h"

#define MAX_FILE_BYTES (64 * 1024 * 1024)
#define MAX_NAME_LENGTH 256
#define MAX_TEXT_LENGTH 4096

JmcAlertFinding *
jmc_alert_finding_new (const char *user,
                       const char *job,
                       const char *cluster,
                       const char *kind,
                       const char *text)
{
  JmcAlertFinding *self = g_new0 (JmcAlertFinding, 1);

  self->user = g_strdup (user);
  self->job = g_strdup (job);
  self->cluster = g_strdup (cluster);
  self->kind = g_strdup (kind);
  self->text = g_strdup (text);

  return self;
}

void
jmc_alert_finding_free (JmcAlertFinding *self)
{
  g_free (self->user);
  g_free (self->job);
  g_free (self->cluster);
  g_free (self->kind);
  g_free (self->text);
  g_free (self);
}

/* --- a file --- */

static gboolean
is_name (const char *text)
{
  if (text == NULL || *text == '\0' || strlen (text) > MAX_NAME_LENGTH)
    return FALSE;

  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_isspace (*c) || g_ascii_iscntrl (*c))
      return FALSE;

  return TRUE;
}

static JmcAlertFinding *
parse_line (const char *line, const char **problem)
{
  g_autoptr (JsonNode) json = json_from_string (line, NULL);
  const char *user, *job, *cluster, *kind, *text;

  *problem = "not an object";
  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    return NULL;

  user = jm_json_get_string (json, "user");
  job = jm_json_get_string (json, "job");
  cluster = jm_json_get_string (json, "cluster");
  kind = jm_json_get_string (json, "kind");
  text = jm_json_get_string (json, "text");
  *problem = "user, job and kind must be there, without blanks, and a text";
  if (!is_name (user) || !is_name (job) || !is_name (kind) || text == NULL ||
      strlen (text) > MAX_TEXT_LENGTH || (cluster != NULL && !is_name (cluster)))
    return NULL;

  return jmc_alert_finding_new (user, job, cluster, kind, text);
}

GPtrArray *
jmc_alert_finding_read_file (const char *path, GError **error)
{
  g_auto (GStrv) lines = jmc_mail_lines_read (path, MAX_FILE_BYTES, error);
  g_autoptr (GPtrArray) findings =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jmc_alert_finding_free);

  if (lines == NULL)
    return NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *problem;
      JmcAlertFinding *finding;

      if (*g_strstrip (lines[i]) == '\0')
        continue;
      finding = parse_line (lines[i], &problem);
      if (finding == NULL)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: line %u: %s", path,
                       i + 1, problem);
          return NULL;
        }
      g_ptr_array_add (findings, finding);
    }

  return g_steal_pointer (&findings);
}
