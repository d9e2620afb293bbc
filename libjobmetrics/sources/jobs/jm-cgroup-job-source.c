/* jm-cgroup-job-source.c: jobs that a scheduler keeps in cgroups
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/jobs/jm-cgroup-job-source-private.h"

#include "base/jm-error.h"
#include "core/jm-job-private.h"
#include "core/jm-place-private.h"
#include "host/jm-source-private.h"

/*
 * JmCgroupJobSource:
 *
 * The jobs of one scheduler, known by the paths of their cgroups as a
 * #JmSchedulerDefinition says.
 *
 * Who a job is comes from the file that the scheduler's hook left, if only root can
 * have written it; what that does not have, from the environment of one of its
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
  JmJobInquiry *inquiry; /* NULL before it is opened */
};

static void job_source_iface_init (JmJobSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmCgroupJobSource,
                               jm_cgroup_job_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_JOB_SOURCE,
                                                      job_source_iface_init))

static const JmCgroupLayout *
get_layout (JmCgroupJobSource *self)
{
  return jm_scheduler_definition_get_layout (self->definition);
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

  if (kind == JM_CGROUP_OTHER || !jm_job_inquiry_knows_owner (self->inquiry, &match))
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

static JmJob *
jm_cgroup_job_source_identify (JmJobSource *source,
                               const char *path,
                               JmPlace *place,
                               guint pid)
{
  return jm_job_inquiry_ask (JM_CGROUP_JOB_SOURCE (source)->inquiry, path, pid);
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

  self->inquiry = jm_job_inquiry_new (jm_source_get_host (source), self->definition,
                                      self->node_name, self->cluster);

  return TRUE;
}

static void
jm_cgroup_job_source_finalize (GObject *object)
{
  JmCgroupJobSource *self = JM_CGROUP_JOB_SOURCE (object);

  g_clear_pointer (&self->inquiry, jm_job_inquiry_free);

  G_OBJECT_CLASS (jm_cgroup_job_source_parent_class)->finalize (object);
}

static void
jm_cgroup_job_source_class_init (JmCgroupJobSourceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_cgroup_job_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_cgroup_job_source_open;

  /*
   * JmCgroupJobSource:definition:
   *
   * How the scheduler's jobs are known.
   *
   * Since: 0.1
   */
  jm_source_class_add_boxed (object_class, "definition",
                             G_STRUCT_OFFSET (JmCgroupJobSource, definition),
                             JM_TYPE_SCHEDULER_DEFINITION);

  /*
   * JmCgroupJobSource:node-name:
   *
   * The scheduler's name of this node. Where one machine plays several nodes, whose
   * names are in the paths, only jobs of this one are taken; %NULL takes all.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "node-name",
                            G_STRUCT_OFFSET (JmCgroupJobSource, node_name), NULL);

  /*
   * JmCgroupJobSource:cluster:
   *
   * The name of the cluster; %NULL for what the hook's file, or else the scheduler's
   * own configuration, says.
   *
   * Since: 0.1
   */
  jm_source_class_add_text (object_class, "cluster",
                            G_STRUCT_OFFSET (JmCgroupJobSource, cluster), NULL);
}

static void
jm_cgroup_job_source_init (JmCgroupJobSource *self)
{
}

void
jm_cgroup_job_source_set_spool (JmCgroupJobSource *self,
                                const JmJobSpool *spool,
                                gpointer user_data,
                                GDestroyNotify destroy)
{
  jm_job_inquiry_set_spool (self->inquiry, spool, user_data, destroy);
}

/*
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

/* Whether jobs of any source without any process do not run: FALSE where nobody says
 * so. */
gboolean
jm_cgroup_job_source_is_over_when_empty (JmJobSource *source)
{
  return JM_IS_CGROUP_JOB_SOURCE (source) &&
         jm_cgroup_layout_is_over_when_empty (
           get_layout (JM_CGROUP_JOB_SOURCE (source)));
}
