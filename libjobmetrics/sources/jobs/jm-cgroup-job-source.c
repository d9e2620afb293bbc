/* jm-cgroup-job-source.c: jobs that a scheduler keeps in cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#define G_LOG_DOMAIN "JobMetrics"

#include "sources/jobs/jm-cgroup-job-source.h"

#include "core/jm-error.h"
#include "core/jm-place-private.h"
#include "host/jm-path-error-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"
#include "sources/jobs/jm-cluster-file-private.h"
#include "sources/jobs/jm-job-claims-private.h"
#include "sources/jobs/jm-job-process-private.h"
#include "sources/jobs/jm-property-file-private.h"
#include "sources/jobs/jm-scheduler-definition-private.h"
#include "sources/jobs/jm-user-names-private.h"

#define COMPLAINTS_MAX 1024

/**
 * JmCgroupJobSource:
 *
 * The jobs of one scheduler, known by the paths of their cgroups as a
 * #JmSchedulerDefinition tells.
 *
 * Who a job is comes from the file that the scheduler's hook left, if only root can
 * have written it; what that does not tell, from the environment of one of its
 * processes, if that speaks of this very job; else from the path alone. The cluster,
 * the user and times are never what an environment says, see jm_origin_may_tell().
 *
 * Since: 0.1
 */
struct _JmCgroupJobSource
{
  JmSource parent_instance;

  JmSchedulerDefinition *definition;
  char *node_name;
  char *cluster;
  char *cluster_of_file; /* NULL until the scheduler's own file told it */
  JmUserNames *users;
  GHashTable *complaints;  /* what was already warned of */
  const JmJobSpool *spool; /* NULL where all jobs have cgroups */
  gpointer spool_data;
  GDestroyNotify spool_destroy;
};

typedef struct
{
  JmCgroupJobSource *self;
  const JmPathMatch *match;
  gboolean found;
} Search;

enum
{
  PROP_DEFINITION = 1,
  PROP_NODE_NAME,
  PROP_CLUSTER,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void job_source_iface_init (JmJobSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCgroupJobSource,
                               jm_cgroup_job_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_JOB_SOURCE,
                                                      job_source_iface_init))

/* A user who can provoke a message must not fill the log, nor our memory. */
static void
complain_once (JmCgroupJobSource *self, const char *about, const GError *error)
{
  if (g_hash_table_size (self->complaints) >= COMPLAINTS_MAX)
    g_hash_table_remove_all (self->complaints);

  if (g_hash_table_add (self->complaints, g_strdup (about)))
    g_warning ("%s", error->message);
}

static const JmCgroupLayout *
get_layout (JmCgroupJobSource *self)
{
  return jm_scheduler_definition_get_layout (self->definition);
}

static const JmIdentityRules *
get_rules (JmCgroupJobSource *self)
{
  return jm_scheduler_definition_get_identity_rules (self->definition);
}

static const JmVariableNames *
get_variables (JmCgroupJobSource *self)
{
  return jm_scheduler_definition_get_variables (self->definition);
}

/* Below what is a user's own, that user may make directories of any name. */
static gboolean
is_below_owner (JmCgroupJobSource *self, const JmPathMatch *match)
{
  const char *uid = match->fields[JM_PATH_FIELD_OWNER];
  guint64 value;

  return uid == NULL ||
         (jm_parse_uint64 (uid, strlen (uid), &value) &&
          jm_cgroup_layout_is_owner (get_layout (self),
                                     jm_user_names_get (self->users, (guint) value)));
}

static JmPlace *
jm_cgroup_job_source_match (JmJobSource *source, const char *path)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (source);
  g_auto (JmPathMatch) match = { 0 };
  const char *job;
  const char *step;
  JmPlace *place;
  JmCgroupKind kind =
    jm_cgroup_layout_match (get_layout (self), path, self->node_name, &match);

  if (kind == JM_CGROUP_OTHER || !is_below_owner (self, &match))
    return NULL;

  job = jm_path_match_get_name (&match);
  step = match.fields[JM_PATH_FIELD_STEP];
  place = kind == JM_CGROUP_HELPER
            ? jm_place_new_helper (job, step)
            : jm_place_new (job, step, match.fields[JM_PATH_FIELD_TASK]);
  jm_place_set_root (place, match.root);

  return place;
}

static gboolean
jm_cgroup_job_source_may_have_jobs (JmJobSource *source, const char *path)
{
  return jm_cgroup_layout_may_have_jobs (get_layout (JM_CGROUP_JOB_SOURCE (source)),
                                         path);
}

static void
complain_of_field (JmCgroupJobSource *self,
                   const JmJobClaims *claims,
                   const char *path,
                   JmJobField field)
{
  const char *name = jm_variable_names_get (get_variables (self), field);
  g_autoptr (GError) error = NULL;
  JmSlice value = { "", 0 };

  jm_job_claims_find (claims, field, &value);
  jm_path_error_set_malformed (&error, path, name, value.text, value.length);
  complain_once (self, path, error);
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
take_hook_file (JmCgroupJobSource *self,
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
    complain_once (self, path, error);

  if (!jm_job_claims_are_about (&claims, match) || !is_about_user (&claims, match))
    {
      g_autoptr (GError) other =
        g_error_new (JM_ERROR, JM_ERROR_MALFORMED, "%s: speaks of another job", path);

      complain_once (self, path, other);
      return FALSE;
    }

  if (!jm_job_claims_take (&claims, draft, &wrong))
    complain_of_field (self, &claims, path, wrong);

  return TRUE;
}

static gboolean
take_hook (JmCgroupJobSource *self, const JmPathMatch *match, JmJobDraft *draft)
{
  JmHost *host = jm_source_get_host (JM_SOURCE (self));
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
      if (error != NULL && !g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
        complain_once (self, error->message, error);
    }

  return FALSE;
}

static void
compare_cgroup (const JmProcCgroup *cgroup, gpointer user_data)
{
  Search *search = user_data;
  g_autofree char *path = g_strndup (cgroup->path.text, cgroup->path.length);
  g_auto (JmPathMatch) match = { 0 };
  const char *below;

  if (jm_cgroup_layout_find_job (get_layout (search->self), path,
                                 search->self->node_name, &match, &below) &&
      g_str_equal (jm_path_match_get_name (&match),
                   jm_path_match_get_name (search->match)))
    search->found = TRUE;
}

static gboolean
is_in_job (JmCgroupJobSource *self,
           const JmJobProcess *process,
           const char *path,
           const JmPathMatch *match)
{
  Search search = { self, match, FALSE };
  const char *status;
  gsize length;

  jm_job_process_foreach_cgroup (process, compare_cgroup, &search);
  if (search.found || self->spool == NULL)
    return search.found;

  status = jm_job_process_get_status (process, &length);

  return self->spool->has_member (path, status, length, self->spool_data);
}

static void
take_process (JmCgroupJobSource *self,
              const JmPathMatch *match,
              const JmJobProcess *process,
              JmJobDraft *draft)
{
  JmJobClaims claims = { get_variables (self), JM_ORIGIN_ENVIRONMENT, NULL, 0,
                         JM_NO_COMPONENT };
  gboolean knows_job;
  JmJobField wrong;
  JmSlice uid;

  claims.text = jm_job_process_get_environ (process, &claims.length);
  knows_job = jm_job_claims_are_about (&claims, match);
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

/* Returns: (nullable): what a process tells, if it is in the job */
static JmJobProcess *
read_process (JmCgroupJobSource *self,
              const char *path,
              const JmPathMatch *match,
              guint pid)
{
  g_autoptr (JmJobProcess) process = NULL;

  if (pid == 0)
    return NULL;

  process = jm_job_process_read (jm_source_get_host (JM_SOURCE (self)), pid);

  return is_in_job (self, process, path, match) ? g_steal_pointer (&process) : NULL;
}

static void
take_lookups (JmCgroupJobSource *self,
              const char *path,
              const JmPathMatch *match,
              const JmJobProcess *process,
              JmJobDraft *draft)
{
  guint owner = 0;
  g_autofree char *folder =
    self->spool != NULL ? self->spool->find_folder (path, &owner, self->spool_data)
                        : NULL;
  const JmLookupQuestion question = {
    jm_source_get_host (JM_SOURCE (self)), self->users, match, process, folder, owner
  };
  const JmLookup *lookup;

  for (guint i = 0;
       (lookup = jm_scheduler_definition_get_lookup (self->definition, i)) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!jm_lookup_ask (lookup, &question, draft, &error))
        complain_once (self, error->message, error);
    }
}

static void
take_path (JmCgroupJobSource *self, const JmPathMatch *match, JmJobDraft *draft)
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

/* Where nobody whom its user cannot deceive tells the id, the name that the path has is
 * what the job is called. */
static void
complete_id (JmCgroupJobSource *self, const JmPathMatch *match, JmJobDraft *draft)
{
  const char *name = jm_path_match_get_name (match);

  if (jm_job_draft_get (draft, JM_JOB_FIELD_ID) == NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_ID, JM_ORIGIN_PATH, name, -1);
  if (jm_path_match_has (match, JM_PATH_FIELD_KEY))
    jm_job_draft_set_alias (draft, name);
  jm_identity_rules_complete (get_rules (self), draft);
}

/* The scheduler's file may come later than the exporter, as where its daemon fetches it
 * when it starts. */
static const char *
get_cluster_of_file (JmCgroupJobSource *self)
{
  if (self->cluster_of_file == NULL)
    self->cluster_of_file =
      jm_cluster_file_read (jm_scheduler_definition_get_cluster_file (self->definition),
                            jm_source_get_host (JM_SOURCE (self)));

  return self->cluster_of_file;
}

static void
complete_cluster (JmCgroupJobSource *self, JmJobDraft *draft)
{
  jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_CONFIGURATION, self->cluster,
                    -1);
  if (jm_job_draft_get (draft, JM_JOB_FIELD_CLUSTER) == NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_CLUSTER, JM_ORIGIN_HOOK,
                      get_cluster_of_file (self), -1);
}

static void
complete_user (JmCgroupJobSource *self, JmJobDraft *draft)
{
  const char *uid = jm_job_draft_get (draft, JM_JOB_FIELD_UID);

  if (uid != NULL && jm_job_draft_get (draft, JM_JOB_FIELD_USER) == NULL)
    jm_job_draft_set (draft, JM_JOB_FIELD_USER,
                      jm_job_draft_get_origin (draft, JM_JOB_FIELD_UID),
                      jm_user_names_get (self->users,
                                         (guint) g_ascii_strtoull (uid, NULL, 10)),
                      -1);
}

static JmJob *
jm_cgroup_job_source_identify (JmJobSource *source,
                               const char *path,
                               JmPlace *place,
                               guint pid)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (source);
  g_autoptr (JmJobDraft) draft = jm_job_draft_new ();
  g_autoptr (JmJobProcess) process = NULL;
  g_auto (JmPathMatch) match = { 0 };
  const char *below;

  if (!jm_cgroup_layout_find_job (get_layout (self), path, self->node_name, &match,
                                  &below))
    return NULL;

  take_path (self, &match, draft);
  take_hook (self, &match, draft);
  process = read_process (self, path, &match, pid);
  take_lookups (self, path, &match, process, draft);
  if (process != NULL)
    take_process (self, &match, process, draft);
  complete_id (self, &match, draft);
  complete_cluster (self, draft);
  complete_user (self, draft);

  return jm_job_draft_to_job (draft);
}

static void
job_source_iface_init (JmJobSourceInterface *iface)
{
  iface->match = jm_cgroup_job_source_match;
  iface->may_have_jobs = jm_cgroup_job_source_may_have_jobs;
  iface->identify = jm_cgroup_job_source_identify;
}

static gboolean
jm_cgroup_job_source_open (JmSource *source, GError **error)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (source);

  if (self->definition == NULL)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "definition: missing");
      return FALSE;
    }

  self->users = jm_user_names_new (jm_source_get_host (source));

  return TRUE;
}

static void
jm_cgroup_job_source_get_property (GObject *object,
                                   guint id,
                                   GValue *value,
                                   GParamSpec *pspec)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (object);

  switch (id)
    {
    case PROP_DEFINITION:
      g_value_set_boxed (value, self->definition);
      break;
    case PROP_NODE_NAME:
      g_value_set_string (value, self->node_name);
      break;
    case PROP_CLUSTER:
      g_value_set_string (value, self->cluster);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_cgroup_job_source_set_property (GObject *object,
                                   guint id,
                                   const GValue *value,
                                   GParamSpec *pspec)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (object);

  switch (id)
    {
    case PROP_DEFINITION:
      self->definition = g_value_dup_boxed (value);
      break;
    case PROP_NODE_NAME:
      self->node_name = g_value_dup_string (value);
      break;
    case PROP_CLUSTER:
      self->cluster = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
jm_cgroup_job_source_finalize (GObject *object)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (object);

  g_clear_pointer (&self->definition, jm_scheduler_definition_unref);
  g_clear_pointer (&self->users, jm_user_names_free);
  g_clear_pointer (&self->complaints, g_hash_table_unref);
  g_free (self->node_name);
  g_free (self->cluster);
  g_free (self->cluster_of_file);

  if (self->spool_destroy != NULL)
    self->spool_destroy (self->spool_data);

  G_OBJECT_CLASS (jm_cgroup_job_source_parent_class)->finalize (object);
}

static void
jm_cgroup_job_source_class_init (JmCgroupJobSourceClass *klass)
{
  const GParamFlags flags =
    G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = jm_cgroup_job_source_get_property;
  object_class->set_property = jm_cgroup_job_source_set_property;
  object_class->finalize = jm_cgroup_job_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_job_source_open;

  /**
   * JmCgroupJobSource:definition:
   *
   * How the scheduler's jobs are known.
   *
   * Since: 0.1
   */
  properties[PROP_DEFINITION] =
    g_param_spec_boxed ("definition", NULL, NULL, JM_TYPE_SCHEDULER_DEFINITION, flags);

  /**
   * JmCgroupJobSource:node-name:
   *
   * The scheduler's name of this node. Where one machine plays several nodes, whose
   * names are in the paths, only jobs of this one are taken; %NULL takes all.
   *
   * Since: 0.1
   */
  properties[PROP_NODE_NAME] =
    g_param_spec_string ("node-name", NULL, NULL, NULL, flags);

  /**
   * JmCgroupJobSource:cluster:
   *
   * The name of the cluster; %NULL for what the hook's file, or else the scheduler's
   * own configuration, says.
   *
   * Since: 0.1
   */
  properties[PROP_CLUSTER] = g_param_spec_string ("cluster", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
jm_cgroup_job_source_init (JmCgroupJobSource *self)
{
  self->complaints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
jm_cgroup_job_source_set_spool (JmCgroupJobSource *self,
                                const JmJobSpool *spool,
                                gpointer user_data,
                                GDestroyNotify destroy)
{
  self->spool = spool;
  self->spool_data = user_data;
  self->spool_destroy = destroy;
}

/**
 * jm_cgroup_job_source_new:
 * @host: the host
 * @definition: how the scheduler's jobs are known
 * @error: return location for an error
 *
 * Makes a source of one scheduler's jobs.
 *
 * - Errors: none are known; whether the scheduler is there shows when jobs are.
 *
 * Returns: (transfer full): the source
 * Since: 0.1
 */
JmCgroupJobSource *
jm_cgroup_job_source_new (JmHost *host,
                          JmSchedulerDefinition *definition,
                          GError **error)
{
  return g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, error, "host", host,
                         "definition", definition, NULL);
}

/**
 * jm_cgroup_job_source_get_definition:
 * @self: a source
 *
 * Gets how the scheduler's jobs are known.
 *
 * Returns: (transfer none): the definition
 * Since: 0.1
 */
JmSchedulerDefinition *
jm_cgroup_job_source_get_definition (JmCgroupJobSource *self)
{
  g_return_val_if_fail (JM_IS_CGROUP_JOB_SOURCE (self), NULL);

  return self->definition;
}

/**
 * jm_cgroup_job_source_get_node_name:
 * @self: a source
 *
 * Gets the scheduler's name of this node.
 *
 * Returns: (nullable): the name
 * Since: 0.1
 */
const char *
jm_cgroup_job_source_get_node_name (JmCgroupJobSource *self)
{
  g_return_val_if_fail (JM_IS_CGROUP_JOB_SOURCE (self), NULL);

  return self->node_name;
}

/**
 * jm_cgroup_job_source_get_cluster:
 * @self: a source
 *
 * Gets the configured name of the cluster.
 *
 * Returns: (nullable): the name
 * Since: 0.1
 */
const char *
jm_cgroup_job_source_get_cluster (JmCgroupJobSource *self)
{
  g_return_val_if_fail (JM_IS_CGROUP_JOB_SOURCE (self), NULL);

  return self->cluster;
}
