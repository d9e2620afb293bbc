/* fuzz-jobs.c: any bytes as a source of jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "sources/jobs/jm-definition-groups-private.h"
#include "sources/jobs/jm-field-value-private.h"
#include "sources/jobs/jm-property-file-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"
#include "sources/jobs/jm-user-names-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define SEVERAL "/oar/%U_%j;/lsf/%c/job.%J.%i.%i;**.slice/q\\\\x2d%i\\\\x2d%k.scope"
#define JOBS                                                                           \
 "[Scheduler]\nName=x\n[Cgroup]\n"                                                     \
 "Job=/a_%n/%j;**/b/%S;**.d/%j_c;" SEVERAL "\nStep=%s\n"
#define BELOW "Task=%s/*/t%t\nHelper=h/%s\nExclude=/no;**/%n.no\n"
#define HOOKS "[Hook]\nDirectory=/run\nFile=%j;x%S\n"
#define FIELDS "[Environment]\njobid=J\n[Fields]\nwalltime=W\n"
#define LOOKUP "[Lookup]\nFile=/run/%k.xml\nFormat=xml\nname=a/b\n"
#define RULES "[Array]\nId=%j[%i].%x\n[Uuid]\nMoment=submit_time\n"
#define DEFINITION JOBS BELOW HOOKS FIELDS LOOKUP RULES

static void
assert_within (JmSlice slice, const char *text, gsize length)
{
  g_assert (slice.text >= text && slice.text + slice.length <= text + length);
}

/* Who follows the way to a job must not be turned back. */
static void
assert_leads_to (const JmCgroupLayout *layout, const char *path)
{
  for (gsize i = 0; path[i] != '\0'; i++)
    if (path[i] == '/')
      {
        g_autofree char *above = g_strndup (path, i);

        g_assert (jm_cgroup_layout_may_have_jobs (layout, above));
      }
  g_assert (jm_cgroup_layout_may_have_jobs (layout, path));
}

static void
match (JmSchedulerDefinition *definition, const char *path)
{
  const JmCgroupLayout *layout = jm_scheduler_definition_get_layout (definition);
  g_auto (GStrv) names = NULL;
  g_auto (JmPathMatch) found = { 0 };

  if (jm_cgroup_layout_match (layout, path, NULL, &found) == JM_CGROUP_OTHER)
    return;

  if (strstr (path, "//") == NULL)
    assert_leads_to (layout, path);
  g_assert (jm_path_match_get_name (&found) != NULL);
  for (guint i = 0; i < JM_N_PATH_FIELDS; i++)
    g_assert (found.fields[i] == NULL || strchr (found.fields[i], '/') == NULL);

  names = jm_scheduler_hook_list_files (jm_scheduler_definition_get_hook (definition),
                                        &found);
  for (guint i = 0; names[i] != NULL; i++)
    g_assert (strchr (names[i], '/') == NULL);
}

static void
read_as_definition (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_text ("x", text, length, &error);

  g_assert ((definition != NULL) != (error != NULL));
  if (definition == NULL)
    return;

  match (definition, "/system.slice/slurmstepd.scope/job_5/step_0/user/task_1");
  match (definition, "/slurm_n1/uid_1000/job_5/step_batch");

  for (const char *const *helper = jm_scheduler_definition_get_helpers (definition);
       helper != NULL && *helper != NULL; helper++)
    g_assert ((*helper)[0] != '\0' && (*helper)[0] != ' ');
}

static void
read_as_path (const char *text)
{
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_text ("x", DEFINITION, strlen (DEFINITION), NULL);

  match (definition, text);
}

static void
read_as_properties (const char *text, gsize length)
{
  JmSlice value;

  if (jm_properties_find (text, length, "SLURM_JOB_ID", &value))
    assert_within (value, text, length);
  if (jm_passwd_find (text, length, 1000, &value))
    assert_within (value, text, length);

  for (JmJobField field = 0; field < JM_N_JOB_FIELDS; field++)
    jm_field_value_check (field, jm_field_value_cut (field, (JmSlice){ text, length }));
}

static void
read_as_lookup (const char *text, gsize length)
{
  for (JmLookupFormat format = 0; format <= JM_LOOKUP_NAMES; format++)
    {
      g_autofree char *value =
        jm_lookup_text_find (format, text, length, "domain/uuid");

      g_assert (value == NULL || strlen (value) <= length);
    }
}

static void
read_as_id (const char *text)
{
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_text ("x", DEFINITION, strlen (DEFINITION), NULL);
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();

  jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, text, -1);
  jm_identity_rules_complete (jm_scheduler_definition_get_identity_rules (definition),
                              draft);
}

static void
read_as_cluster_file (const char *text, gsize length)
{
  JmSlice value;

  if (jm_cluster_file_find (text, length, "ClusterName", &value))
    assert_within (value, text, length);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  /* of its own, so that a read past its end is seen */
  g_autofree char *text = g_memdup2 (data, size);
  g_autofree char *string = g_strndup ((const char *) data, size);

  if (size == 0)
    return 0;

  read_as_definition (text, size);
  read_as_path (string);
  read_as_id (string);
  read_as_lookup (text, size);
  read_as_properties (text, size);
  read_as_cluster_file (text, size);

  return 0;
}
