/* jm-examination-private.h: a node that is being examined
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "doctor/jm-doctor.h"
#include "host/jm-source.h"
#include "node/jm-node.h"
#include "registry/jm-registry.h"
#include "sources/cgroup/jm-cgroup-mounts-private.h"
#include "sources/jobs/jm-cgroup-job-source-private.h"
#include "sources/jobs/jm-path-pattern-private.h"

G_BEGIN_DECLS

/* The definition of what `jobmetrics-cli run` starts. */
#define JM_OWN_SCHEDULER "local"

/* What mends a setting that is wrong. */
#define JM_CORRECT_SETTING                                                             \
 "Correct the setting; the manual has a page for each family of sources, with "        \
 "settings and rights"

/* What a finding can be about; their names are in the .c file. */
typedef enum
{
  JM_TOPIC_HOST_LIVE,
  JM_TOPIC_HOST_USER,
  JM_TOPIC_CGROUP_VERSION,
  JM_TOPIC_CGROUP_CPUACCT,
  JM_TOPIC_CGROUP_CPU,
  JM_TOPIC_CGROUP_CPUSET,
  JM_TOPIC_CGROUP_MEMORY,
  JM_TOPIC_CGROUP_IO,
  JM_TOPIC_CGROUP_PIDS,
  JM_TOPIC_MEMORY_PEAK,
  JM_TOPIC_MEMORY_SWAP,
  JM_TOPIC_PRESSURE,
  JM_TOPIC_INOTIFY,
  JM_TOPIC_FILES_LIMIT,
  JM_TOPIC_PROC_MOUNT,
  JM_TOPIC_PROC_HIDEPID,
  JM_TOPIC_PROC_IO,
  JM_TOPIC_PROC_FD,
  JM_TOPIC_PROC_ENVIRON,
  JM_TOPIC_PROC_EXE,
  JM_TOPIC_PROC_BPF,
  JM_TOPIC_HOOKS_DIRECTORY,
  JM_TOPIC_HOOKS_FILES,
  JM_TOPIC_HOOKS_PROLOG,
  JM_TOPIC_HOOKS_EPILOG,
  JM_TOPIC_SPOOL_DIRECTORY,
  JM_TOPIC_SCHEDULERS_FILES,
  JM_TOPIC_SCHEDULERS_OVERLAP,
  JM_TOPIC_SCHEDULERS_PATHS,
  JM_TOPIC_JOBS_FOUND,
  JM_TOPIC_JOBS_IDENTITY,
  JM_TOPIC_POWER_METERS,
  JM_TOPIC_POWER_MISSING,
  JM_TOPIC_POWER_SOURCES,
  JM_TOPIC_GPU_LIBRARIES,
  JM_TOPIC_GPU_MISSING,
  JM_TOPIC_GPU_JOBS,
  JM_TOPIC_GPU_SOURCES,
  JM_TOPIC_EMISSIONS_PROVIDERS,
  JM_TOPIC_DATA_TABLES,
  JM_TOPIC_LEDGER,
  JM_TOPIC_COLLECTORS,
  JM_TOPIC_CLOCK,
} JmTopic;

#define JM_N_TOPICS (JM_TOPIC_CLOCK + 1)

/* The cgroup of a job, as a definition's patterns know it. */
typedef struct
{
  JmCgroupJobSource *source; /* not owned */
  char *path;
  JmPathMatch match; /* what @path says */
} JmExaminedJob;

typedef struct
{
  JmHost *host;
  const char *const *schedulers; /* as #JmNode:schedulers; not owned */
  const char *node_name;
  gboolean is_kernels_own; /* procfs is the running kernel's, and not a copy */
  gboolean is_for_users;   /* who looks administers nothing here */

  JmCgroupMounts *mounts;
  GError *cgroup_error; /* why no cgroups are read, or NULL */
  gboolean is_unified;  /* whether v2 is what is read */
  guint n_cgroups;

  GPtrArray *sources;  /* of JmCgroupJobSource */
  GPtrArray *problems; /* of GError: definitions that are broken */
  GPtrArray *jobs;     /* of JmExaminedJob */
  GPtrArray *halls;    /* of char *: cgroups in which jobs would be */
  GHashTable *present; /* of JmCgroupJobSource: schedulers that have one, or a job */
  GPtrArray *overlaps; /* of char *: what two definitions call a job */

  JmNode *node;         /* NULL where it could not be opened */
  JmSnapshot *snapshot; /* NULL where there is none */
  GError *node_error;

  GPtrArray *findings; /* of JmFinding */
} JmExamination;

const char *jm_topic_get_name (JmTopic topic);
gboolean jm_examination_is_kernels_own (JmHost *host);

JmExamination *
jm_examination_new (JmHost *host, const char *const *schedulers, const char *node_name);
void jm_examination_free (JmExamination *self);
JmNode *jm_examination_open_node (JmExamination *self,
                                  const char *const *gpu_sources,
                                  GError **error);

void jm_examination_add (JmExamination *self,
                         JmTopic topic,
                         JmSeverity severity,
                         const char *remedy,
                         const char *format,
                         ...) G_GNUC_PRINTF (5, 6);

JmExaminedJob *jm_examination_get_first_job (JmExamination *self,
                                             JmCgroupJobSource *source);
JmExaminedJob *jm_examination_get_any_job (JmExamination *self);
const char *jm_examination_get_scheduler (JmCgroupJobSource *source);
char *jm_examination_join (GPtrArray *names);

/* Of JmSourceEntry, which stay the node's: those of a kind that the node looks for by
 * itself, and that none which works supersedes. */
GPtrArray *jm_examination_list_found (JmExamination *self, JmSourceKind kind);
char *jm_examination_get_remedy (JmExamination *self, JmAdvice *advice);
void jm_examination_add_failure (JmExamination *self,
                                 JmTopic topic,
                                 JmSeverity severity,
                                 const char *name,
                                 JmSource *source,
                                 const GError *error,
                                 const char *remedy);
char *jm_examination_advise (JmExamination *self,
                             JmCgroupJobSource *source,
                             const char *topic,
                             const char *remedy);

void jm_examine_cgroups (JmExamination *self);
void jm_examine_kernel (JmExamination *self);
void jm_examine_processes (JmExamination *self);
void jm_examine_hooks (JmExamination *self);
void jm_examine_spools (JmExamination *self);
void jm_examine_jobs (JmExamination *self);
void jm_examine_power (JmExamination *self);
void jm_examine_power_sources (JmExamination *self, const char *const *specifications);
void jm_examine_gpus (JmExamination *self);
void jm_examine_gpu_sources (JmExamination *self, const char *const *specifications);
void jm_examine_tables (JmExamination *self);
void jm_examine_emission_providers (JmExamination *self,
                                    const char *const *specifications);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmExamination, jm_examination_free)

JmFinding *jm_finding_new (JmSeverity severity,
                           const char *topic,
                           const char *seen,
                           const char *remedy);

/* The topics, sorted by name. */
char **jm_doctor_list_topics (void);

G_END_DECLS
