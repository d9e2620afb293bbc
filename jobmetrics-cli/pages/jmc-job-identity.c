/* jmc-job-identity.c: who a job is, as text
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "pages/jmc-job-tables.h"

#include "core/jm-job.h"
#include "pages/jmc-pairs.h"

static char *
format_user (JmJob *job)
{
  const char *user = jm_job_get_user (job);
  const char *uid = jm_job_get_field (job, JM_JOB_FIELD_UID);

  if (user != NULL && uid != NULL)
    return g_strdup_printf ("%s (%s)", user, uid);

  return g_strdup (user != NULL ? user : uid);
}

/* `hook: user, account`: the origin of which fields. */
static char *
format_origin (JmJob *job, JmOrigin origin)
{
  GString *text = g_string_new (jm_origin_get_name (origin));
  g_auto (GStrv) further = jm_job_list_further_fields (job);
  const char *separator = ": ";

  for (JmJobField i = 0; i < JM_N_JOB_FIELDS; i++)
    if (i != JM_JOB_FIELD_UUID && jm_job_get_origin (job, i) == origin)
      {
        g_string_append_printf (text, "%s%s", separator, jm_job_field_get_name (i));
        separator = ", ";
      }
  for (guint i = 0; further[i] != NULL; i++)
    if (jm_job_get_further_origin (job, further[i]) == origin)
      {
        g_string_append_printf (text, "%s%s", separator, further[i]);
        separator = ", ";
      }

  return g_string_free (text, FALSE);
}

/* These do not apply to most jobs, and are left out where they do not. */
static void
add_special_fields (JmTextTable *table, JmJob *job)
{
  static const struct
  {
    JmJobField field;
    const char *title;
  } fields[] = {
    { JM_JOB_FIELD_QOS, "QOS" },     { JM_JOB_FIELD_CLUSTER, "Cluster" },
    { JM_JOB_FIELD_NODES, "Nodes" }, { JM_JOB_FIELD_GPUS, "GPUs" },
    { JM_JOB_FIELD_SLUID, "SLUID" },
  };
  g_auto (GStrv) further = jm_job_list_further_fields (job);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const char *text = jm_job_get_field (job, fields[i].field);

      if (text != NULL)
        jmc_pairs_add (table, fields[i].title, text);
    }
  for (guint i = 0; further[i] != NULL; i++)
    jmc_pairs_add (table, further[i], jm_job_get_further_field (job, further[i]));
}

/* Rows of who the job is; those that most jobs lack only where they are known. */
void
jmc_job_identity_add (JmTextTable *table, JmJob *job)
{
  g_autofree char *id = jm_job_format_id (job);

  if (!g_str_equal (id, jm_job_get_id (job)))
    jmc_pairs_add (table, "Job id", jm_job_get_id (job));
  jmc_pairs_add (table, "Name", jm_job_get_field (job, JM_JOB_FIELD_NAME));
  jmc_pairs_take (table, "User", format_user (job));
  jmc_pairs_add (table, "Account", jm_job_get_field (job, JM_JOB_FIELD_ACCOUNT));
  jmc_pairs_add (table, "Partition", jm_job_get_field (job, JM_JOB_FIELD_PARTITION));
  jmc_pairs_add (table, "Scheduler", jm_job_get_field (job, JM_JOB_FIELD_SCHEDULER));
  add_special_fields (table, job);
}

void
jmc_job_identity_add_uuid (JmTextTable *table, JmJob *job)
{
  const char *note = jm_job_is_uuid_weak (job) ? " (weak: made without a time)" : "";

  jmc_pairs_take (table, "UUID", g_strconcat (jm_job_get_uuid (job), note, NULL));
}

/* A row for each origin that knows fields of the job. */
void
jmc_job_identity_add_origins (JmTextTable *table, JmJob *job)
{
  const char *title = "Known from";

  for (JmOrigin i = JM_N_ORIGINS - 1; i > JM_ORIGIN_NONE; i--)
    if (jm_job_count_fields (job, i) > 0)
      {
        jmc_pairs_take (table, title, format_origin (job, i));
        title = "and from";
      }
}
