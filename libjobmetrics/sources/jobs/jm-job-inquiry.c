/* jm-job-inquiry.c: where a job's identity is read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/jobs/jm-job-inquiry-private.h"

#include "base/jm-complaints-private.h"
#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "sources/jobs/jm-job-process-private.h"
#include "sources/jobs/jm-property-file-private.h"
#include "sources/jobs/jm-user-names-private.h"

/* Where systemd mounts cgroup v2. */
#define CGROUPS "/sys/fs/cgroup"
#define MAX_LIST_BYTES 65536

struct _JmJobInquiry
{
  JmHost *host;
  JmSchedulerDefinition *definition;
  char *node_name;
  char *cluster;
  char *cluster_of_file; /* NULL until it was read of the scheduler's own file */
  JmUserNames *users;
  JmComplaints *complaints; /* what was already warned of */
  JmJobSpool spool;         /* of nothing where all jobs have cgroups */
  gpointer spool_data;
  GDestroyNotify spool_destroy;
};

typedef struct
{
  JmJobInquiry *self;
  const JmPathMatch *match;
  gboolean found;
  gboolean is_helper;
} Search;

/**
 * jm_job_inquiry_new: (skip)
 * @host: the host
 * @definition: how the scheduler's jobs are known
 * @node_name: (nullable): the only node whose jobs are wanted
 * @cluster: (nullable): what the cluster is called, where that is configured
 *
 * Returns: (transfer full): an inquiry
 */
JmJobInquiry *
jm_job_inquiry_new (JmHost *host,
                    JmSchedulerDefinition *definition,
                    const char *node_name,
                    const char *cluster)
{
  JmJobInquiry *self = g_new0 (JmJobInquiry, 1);

  self->host = g_object_ref (host);
  self->definition = jm_scheduler_definition_ref (definition);
  self->node_name = g_strdup (node_name);
  self->cluster = g_strdup (cluster);
  self->users = jm_user_names_new (host);
  self->complaints = jm_complaints_new ();

  return self;
}

/**
 * jm_job_inquiry_free: (skip)
 * @self: (transfer full): an inquiry
 */
void
jm_job_inquiry_free (JmJobInquiry *self)
{
  if (self->spool_destroy != NULL)
    self->spool_destroy (self->spool_data);
  jm_complaints_free (self->complaints);
  jm_user_names_free (self->users);
  g_free (self->cluster_of_file);
  g_free (self->cluster);
  g_free (self->node_name);
  jm_scheduler_definition_unref (self->definition);
  g_object_unref (self->host);
  g_free (self);
}

/**
 * jm_job_inquiry_set_spool: (skip)
 * @self: an inquiry
 * @spool: who is asked from here on of jobs without cgroups
 * @user_data: for @spool
 * @destroy: frees @user_data
 */
void
jm_job_inquiry_set_spool (JmJobInquiry *self,
                          const JmJobSpool *spool,
                          gpointer user_data,
                          GDestroyNotify destroy)
{
  self->spool = *spool;
  self->spool_data = user_data;
  self->spool_destroy = destroy;
}

static const JmCgroupLayout *
get_layout (JmJobInquiry *self)
{
  return jm_scheduler_definition_get_layout (self->definition);
}

static const JmIdentityRules *
get_rules (JmJobInquiry *self)
{
  return jm_scheduler_definition_get_identity_rules (self->definition);
}

static const JmVariableNames *
get_variables (JmJobInquiry *self)
{
  return jm_scheduler_definition_get_variables (self->definition);
}

/**
 * jm_job_inquiry_knows_owner: (skip)
 * @self: an inquiry
 * @match: what a path reported
 *
 * Below what is a user's own, that user may make directories of any name.
 *
 * Returns: whether the path is below no directories but those of the definition's
 *   `Owner=`
 */
gboolean
jm_job_inquiry_knows_owner (JmJobInquiry *self, const JmPathMatch *match)
{
  const char *uid = match->fields[JM_PATH_FIELD_OWNER];
  guint64 value;

  return uid == NULL ||
         (jm_parse_uint64 (uid, strlen (uid), &value) &&
          jm_cgroup_layout_is_owner (get_layout (self),
                                     jm_user_names_get (self->users, (guint) value,
                                                        NULL)));
}

static void
complain_of_field (JmJobInquiry *self,
                   const JmJobClaims *claims,
                   const char *path,
                   JmJobField field)
{
  const char *name = jm_variable_names_get (get_variables (self), field);
  g_autoptr (GError) error = NULL;
  JmSlice value = { "", 0 };

  jm_job_claims_find (claims, field, &value);
  jm_path_error_set_malformed (&error, path, name, value.text, value.length);
  jm_complaints_warn (self->complaints, path, error->message);
}

/* A file may be left over from a job of the same id, or written by hand. */
static gboolean
is_about_user (const JmJobClaims *claims, const JmPathMatch *match)
{
  JmSlice uid;

  return !jm_path_match_has (match, JM_PATH_FIELD_UID) ||
         !jm_job_claims_find (claims, JM_JOB_FIELD_UID, &uid) ||
         jm_slice_equal (uid, match->fields[JM_PATH_FIELD_UID]);
}

static gboolean
take_hook_file (JmJobInquiry *self,
                const JmPropertyFile *file,
                const JmPathMatch *match,
                JmJobDraft *draft)
{
  const char *path = jm_property_file_get_path (file);
  JmJobClaims claims = { get_variables (self), JM_ORIGIN_HOOK, NULL, 0,
                         JM_NO_COMPONENT };
  g_autoptr (GError) error = NULL;
  JmJobField wrong;

  claims.text = jm_property_file_get_text (file, &claims.length);
  if (!jm_property_file_check (file, &error))
    jm_complaints_warn (self->complaints, path, error->message);

  if (!jm_job_claims_are_about (&claims, match) || !is_about_user (&claims, match))
    {
      g_autoptr (GError) other =
        g_error_new (JM_ERROR, JM_ERROR_MALFORMED, "%s: speaks of another job", path);

      jm_complaints_warn (self->complaints, path, other->message);
      return FALSE;
    }

  if (!jm_job_claims_take (&claims, draft, &wrong))
    complain_of_field (self, &claims, path, wrong);

  return TRUE;
}

static gboolean
take_hook (JmJobInquiry *self, const JmPathMatch *match, JmJobDraft *draft)
{
  JmHost *host = self->host;
  const JmSchedulerHook *hook = jm_scheduler_definition_get_hook (self->definition);
  const char *directory = jm_scheduler_hook_get_directory (hook);
  g_auto (GStrv) names = jm_scheduler_hook_list_files (hook, match);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JmPropertyFile) file =
        jm_property_file_read (host, directory, names[i], &error);

      if (file != NULL && take_hook_file (self, file, match, draft))
        return TRUE;
      if (g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE))
        jm_job_draft_set_partial (draft);
      if (error != NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
        jm_complaints_warn (self->complaints, error->message, error->message);
    }

  return FALSE;
}

static void
compare_cgroup (const JmProcCgroup *cgroup, gpointer user_data)
{
  Search *search = user_data;
  g_autofree char *path = g_strndup (cgroup->path.text, cgroup->path.length);
  g_auto (JmPathMatch) match = { 0 };
  JmCgroupKind kind = jm_cgroup_layout_match (get_layout (search->self), path,
                                              search->self->node_name, &match);

  if (g_strcmp0 (jm_path_match_get_name (&match),
                 jm_path_match_get_name (search->match)) != 0)
    return;

  search->found = TRUE;
  search->is_helper = search->is_helper || kind == JM_CGROUP_HELPER;
}

static gboolean
is_in_job (JmJobInquiry *self,
           const JmJobProcess *process,
           const char *path,
           const JmPathMatch *match)
{
  Search search = { self, match, FALSE, FALSE };
  const char *status;
  gsize length;

  jm_job_process_foreach_cgroup (process, compare_cgroup, &search);
  if (search.found || self->spool.has_member == NULL)
    return search.found;

  status = jm_job_process_get_status (process, &length);

  return self->spool.has_member (path, status, length, self->spool_data);
}

static gboolean
take_command (JmJobInquiry *self,
              const JmPathMatch *match,
              const JmJobProcess *process,
              JmJobDraft *draft)
{
  const char *command = jm_job_process_get_roots_command (process);
  Search search = { self, match, FALSE, FALSE };
  g_auto (JmPathMatch) named = { 0 };

  jm_job_process_foreach_cgroup (process, compare_cgroup, &search);

  return search.is_helper && command != NULL &&
         jm_cgroup_layout_match_command (get_layout (self), command, &named) &&
         jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_KERNEL,
                           named.fields[JM_PATH_FIELD_JOB], -1);
}

/* Returns: the scheduler's own process of the step that a path is of, or 0 */
static guint
find_helper (JmJobInquiry *self, const char *path)
{
  g_autofree char *helper =
    jm_cgroup_layout_find_helper (get_layout (self), path, self->node_name);
  g_autofree char *file = NULL;
  g_autofree char *text = NULL;
  const char *cursor;
  gsize length;
  JmSlice word;
  guint64 pid = 0;

  if (helper == NULL)
    return 0;

  file = g_strconcat (CGROUPS, helper, "/cgroup.procs", NULL);
  text = jm_host_read_all (self->host, file, MAX_LIST_BYTES, &length, NULL);
  cursor = text;

  return text != NULL && jm_parse_next_word (&cursor, text + length, &word) &&
             jm_parse_uint64 (word.text, word.length, &pid) && pid <= G_MAXINT
           ? (guint) pid
           : 0;
}

/* Of jobs whose paths have no id. Any user may write any command line, and run programs
 * as root by it; but in a helper's cgroup only root puts processes. */
static void
take_helper (JmJobInquiry *self,
             const char *path,
             const JmPathMatch *match,
             JmJobDraft *draft)
{
  g_autoptr (JmJobProcess) process = NULL;
  guint pid;

  if (!jm_path_match_has (match, JM_PATH_FIELD_SLUID) ||
      jm_job_draft_get (draft, JM_JOB_FIELD_ID) != NULL)
    return;

  pid = find_helper (self, path);
  if (pid == 0)
    return;

  process = jm_job_process_read_command (self->host, pid);
  if (!take_command (self, match, process, draft) &&
      jm_job_process_is_partial (process))
    jm_job_draft_set_partial (draft);
}

static void
take_process (JmJobInquiry *self,
              const JmPathMatch *match,
              const JmJobProcess *process,
              JmJobDraft *draft)
{
  JmJobClaims claims = { get_variables (self), JM_ORIGIN_ENVIRONMENT, NULL, 0,
                         JM_NO_COMPONENT };
  JmPathMatch known = *match;
  gboolean knows_job;
  JmJobField wrong;
  JmSlice uid;

  /* by which a component of a heterogeneous job is found */
  if (jm_path_match_has (match, JM_PATH_FIELD_SLUID))
    known.fields[JM_PATH_FIELD_JOB] =
      (char *) jm_job_draft_get (draft, JM_JOB_FIELD_ID);

  claims.text = jm_job_process_get_environ (process, &claims.length);
  knows_job = jm_job_claims_are_about (&claims, &known);
  /* no word of what is wrong: any user could fill the log */
  if (knows_job)
    jm_job_claims_take (&claims, draft, &wrong);

  /* Whom the scheduler made the job's directory for is its user, not whom a process has
   * become; and its own helpers run as root, and know nothing of the job. */
  if (jm_job_draft_get (draft, JM_JOB_FIELD_UID) == NULL &&
      jm_identity_rules_believe_process (get_rules (self)) &&
      jm_job_process_get_uid (process, &uid) &&
      (knows_job || !jm_slice_equal (uid, "0")))
    jm_job_draft_set (draft, JM_JOB_FIELD_UID, JM_ORIGIN_KERNEL, uid.text,
                      (gssize) uid.length);
}

/* Returns: (nullable): what a process has, if it is in the job */
static JmJobProcess *
read_process (JmJobInquiry *self,
              const char *path,
              const JmPathMatch *match,
              guint pid,
              JmJobDraft *draft)
{
  g_autoptr (JmJobProcess) process = NULL;

  if (pid == 0)
    return NULL;

  process = jm_job_process_read (self->host, pid);
  if (jm_job_process_is_partial (process))
    jm_job_draft_set_partial (draft);

  return is_in_job (self, process, path, match) ? g_steal_pointer (&process) : NULL;
}

static void
take_lookups (JmJobInquiry *self,
              const char *path,
              const JmPathMatch *match,
              const JmJobProcess *process,
              JmJobDraft *draft)
{
  guint owner = 0;
  g_autofree char *folder = self->spool.find_folder != NULL
                              ? self->spool.find_folder (path, &owner, self->spool_data)
                              : NULL;
  JmLookupQuestion question = { self->host, self->users, match, process,
                                folder,     owner,       NULL };
  const JmLookup *lookup;

  for (guint i = 0;
       (lookup = jm_scheduler_definition_get_lookup (self->definition, i)) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!jm_lookup_ask (lookup, &question, draft, &error))
        jm_complaints_warn (self->complaints, error->message, error->message);
    }
  g_free (question.claimed_id);
}

static void
take_path (JmJobInquiry *self, const JmPathMatch *match, JmJobDraft *draft)
{
  static const struct
  {
    JmPathField told;
    JmJobField field;
  } facts[] = {
    { JM_PATH_FIELD_JOB, JM_JOB_FIELD_ID },
    { JM_PATH_FIELD_SLUID, JM_JOB_FIELD_SLUID },
    { JM_PATH_FIELD_UID, JM_JOB_FIELD_UID },
    { JM_PATH_FIELD_USER, JM_JOB_FIELD_USER },
    { JM_PATH_FIELD_CLUSTER, JM_JOB_FIELD_CLUSTER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    jm_job_draft_set (draft, facts[i].field, JM_ORIGIN_PATH,
                      match->fields[facts[i].told], -1);

  jm_job_draft_set (draft, JM_JOB_FIELD_SCHEDULER, JM_ORIGIN_PATH,
                    jm_scheduler_definition_get_name (self->definition), -1);
}

/* Where no source that its user cannot forge has the id, the name that the path has is
 * what the job is called. */
static void
complete_id (JmJobInquiry *self, const JmPathMatch *match, JmJobDraft *draft)
{
  const char *name = jm_path_match_get_name (match);

  if (jm_job_draft_get (draft, JM_JOB_FIELD_ID) == NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, name, -1);
  if (!jm_path_match_has (match, JM_PATH_FIELD_JOB))
    jm_job_draft_set_alias (draft, name);
  jm_identity_rules_complete (get_rules (self), draft);
}

/* The scheduler's file may come later than the exporter, as where its daemon fetches it
 * when it starts. */
static const char *
get_cluster_of_file (JmJobInquiry *self)
{
  if (self->cluster_of_file == NULL)
    self->cluster_of_file =
      jm_cluster_file_read (jm_scheduler_definition_get_cluster_file (self->definition),
                            self->host);

  return self->cluster_of_file;
}

static void
complete_cluster (JmJobInquiry *self, JmJobDraft *draft)
{
  jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_CONFIGURATION, self->cluster,
                    -1);
  if (jm_job_draft_get (draft, JM_JOB_FIELD_CLUSTER) == NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_HOOK,
                      get_cluster_of_file (self), -1);
}

static void
complete_user (JmJobInquiry *self, JmJobDraft *draft)
{
  const char *uid = jm_job_draft_get (draft, JM_JOB_FIELD_UID);
  const char *name;
  gboolean is_late;

  if (uid == NULL || jm_job_draft_get (draft, JM_JOB_FIELD_USER) != NULL)
    return;

  name =
    jm_user_names_get (self->users, (guint) g_ascii_strtoull (uid, NULL, 10), &is_late);
  jm_job_draft_set (draft, JM_JOB_FIELD_USER,
                    jm_job_draft_get_origin (draft, JM_JOB_FIELD_UID), name, -1);
  if (is_late)
    jm_job_draft_set_partial (draft);
}

/**
 * jm_job_inquiry_ask: (skip)
 * @self: an inquiry
 * @path: of a cgroup
 * @pid: a process of it; 0 where there is none
 *
 * Asks all that may report, and joins the answers, the most reliable first.
 *
 * Returns: (transfer full) (nullable): the job; %NULL where the cgroup is in none
 */
JmJob *
jm_job_inquiry_ask (JmJobInquiry *self, const char *path, guint pid)
{
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJobProcess) process = NULL;
  g_auto (JmPathMatch) match = { 0 };
  const char *below;

  if (!jm_cgroup_layout_find_job (get_layout (self), path, self->node_name, &match,
                                  &below))
    return NULL;

  take_path (self, &match, draft);
  take_hook (self, &match, draft);
  take_helper (self, path, &match, draft);
  process = read_process (self, path, &match, pid, draft);
  take_lookups (self, path, &match, process, draft);
  if (process != NULL)
    take_process (self, &match, process, draft);
  complete_id (self, &match, draft);
  complete_cluster (self, draft);
  complete_user (self, draft);

  return jm_job_draft_to_job (draft);
}
