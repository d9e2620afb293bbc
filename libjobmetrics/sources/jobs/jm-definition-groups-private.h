/* jm-definition-groups-private.h: what the groups of a scheduler's definition say
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-job-draft-private.h"
#include "host/jm-host.h"
#include "sources/jobs/jm-job-process-private.h"
#include "sources/jobs/jm-path-pattern-private.h"
#include "sources/jobs/jm-user-names-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupLayout:
 *
 * Which cgroups are jobs, and what is below a job: lists of patterns by the names
 * `Exclude`, `Job`, `Step`, `Task` and `Helper`.
 */
typedef struct _JmCgroupLayout JmCgroupLayout;

/**
 * JmCgroupKind:
 * @JM_CGROUP_OTHER: none of the others; below a job, it belongs to what is above it
 * @JM_CGROUP_OWN: a job, a step or a task, as the fields that were reported say
 * @JM_CGROUP_HELPER: the scheduler's own processes, below a job
 *
 * What a cgroup is.
 */
typedef enum
{
  JM_CGROUP_OTHER,
  JM_CGROUP_OWN,
  JM_CGROUP_HELPER,
} JmCgroupKind;

JmCgroupLayout *jm_cgroup_layout_new (void);
void jm_cgroup_layout_free (JmCgroupLayout *self);

gboolean jm_cgroup_layout_add (JmCgroupLayout *self,
                               const char *list,
                               const char *pattern,
                               GError **error);
gboolean jm_cgroup_layout_name_step (JmCgroupLayout *self,
                                     const char *name,
                                     const char *known_as,
                                     GError **error);
gboolean jm_cgroup_layout_check (const JmCgroupLayout *self, GError **error);
gboolean jm_cgroup_layout_is_owner (const JmCgroupLayout *self, const char *user);

gboolean jm_cgroup_layout_is_over_when_empty (const JmCgroupLayout *self);
gboolean jm_cgroup_layout_is_misplaced (const JmCgroupLayout *self, const char *path);
gboolean jm_cgroup_layout_is_hall (const JmCgroupLayout *self, const char *path);
gboolean jm_cgroup_layout_may_have_jobs (const JmCgroupLayout *self, const char *path);
gboolean jm_cgroup_layout_find_job (const JmCgroupLayout *self,
                                    const char *path,
                                    const char *node_name,
                                    JmPathMatch *match,
                                    const char **below);
char *jm_cgroup_layout_explain (const JmCgroupLayout *self,
                                const char *path,
                                const char *node_name);
char **jm_cgroup_layout_list_examples (const JmCgroupLayout *self);
JmCgroupKind jm_cgroup_layout_match (const JmCgroupLayout *self,
                                     const char *path,
                                     const char *node_name,
                                     JmPathMatch *match);
char *jm_cgroup_layout_find_helper (const JmCgroupLayout *self,
                                    const char *path,
                                    const char *node_name);
gboolean jm_cgroup_layout_match_command (const JmCgroupLayout *self,
                                         const char *command,
                                         JmPathMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupLayout, jm_cgroup_layout_free)

/**
 * JmIdentityRules:
 *
 * What the groups `Array`, `User` and `Uuid` of a definition say.
 */
typedef struct _JmIdentityRules JmIdentityRules;

JmIdentityRules *jm_identity_rules_new (void);
void jm_identity_rules_free (JmIdentityRules *self);

gboolean jm_identity_rules_has_group (const char *group);
gboolean jm_identity_rules_add (JmIdentityRules *self,
                                const char *group,
                                const char *key,
                                const char *value,
                                GError **error);

gboolean jm_identity_rules_believe_process (const JmIdentityRules *self);
void jm_identity_rules_complete (const JmIdentityRules *self, JmJobDraft *draft);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmIdentityRules, jm_identity_rules_free)

/**
 * JmSchedulerHook:
 *
 * What the group `Hook` of a definition says.
 */
typedef struct _JmSchedulerHook JmSchedulerHook;

JmSchedulerHook *jm_scheduler_hook_new (void);
void jm_scheduler_hook_free (JmSchedulerHook *self);

gboolean jm_scheduler_hook_add (JmSchedulerHook *self,
                                GKeyFile *file,
                                const char *key,
                                GError **error);
gboolean jm_scheduler_hook_check (const JmSchedulerHook *self, GError **error);

const char *jm_scheduler_hook_get_directory (const JmSchedulerHook *self);
char **jm_scheduler_hook_list_files (const JmSchedulerHook *self,
                                     const JmPathMatch *match);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSchedulerHook, jm_scheduler_hook_free)

/**
 * JmLookupFormat:
 * @JM_LOOKUP_LINES: lines `NAME=VALUE`
 * @JM_LOOKUP_CLASSAD: HTCondor's lines `Name = value`, strings between double quotes
 *   (https://htcondor.readthedocs.io/en/latest/classads/classad-mechanism.html)
 * @JM_LOOKUP_XML: elements; a name is a path of them, such as `domain/uuid`
 * @JM_LOOKUP_NAMES: no text, but the name that the file itself has
 *
 * How a file reports its facts.
 */
typedef enum
{
  JM_LOOKUP_LINES,
  JM_LOOKUP_CLASSAD,
  JM_LOOKUP_XML,
  JM_LOOKUP_NAMES,
} JmLookupFormat;

gboolean jm_lookup_format_from_name (const char *name, JmLookupFormat *format);

char *jm_lookup_text_find (JmLookupFormat format,
                           const char *text,
                           gsize length,
                           const char *name);

/**
 * JmLookup:
 *
 * What a group `Lookup` of a definition says: where the file about a job is, how it
 * reports its facts, and whose it may be.
 */
typedef struct _JmLookup JmLookup;

/**
 * JmLookupQuestion:
 * @host: where files are
 * @users: what their owners are called
 * @match: what the job's path reported
 * @process: (nullable): one of the job's
 * @folder: (nullable): the logical path of the job's own in its scheduler's spool
 * @folder_owner: whose word counts as root's in @folder
 * @claimed_id: (inout): the job id that a file of the job's user has reported, owned
 *
 * Which job is asked about.
 */
typedef struct
{
  JmHost *host;
  JmUserNames *users;
  const JmPathMatch *match;
  const JmJobProcess *process;
  const char *folder;
  guint folder_owner;
  char *claimed_id;
} JmLookupQuestion;

JmLookup *jm_lookup_new (void);
void jm_lookup_free (JmLookup *self);

gboolean
jm_lookup_add (JmLookup *self, const char *key, const char *value, GError **error);
gboolean jm_lookup_check (const JmLookup *self, GError **error);

gboolean jm_lookup_ask (const JmLookup *self,
                        JmLookupQuestion *question,
                        JmJobDraft *draft,
                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLookup, jm_lookup_free)

/* Finds the first line `KEY = VALUE` of a text, however KEY's letters are written,
 * where VALUE may be a cluster's name: letters, digits and `_.-`, at most 64, in quotes
 * or not. What follows a `#` is no part of a line. Without a key, the first line has to
 * be the name. */
gboolean
jm_cluster_file_find (const char *text, gsize length, const char *key, JmSlice *value);

/* What the group `Cluster` of a definition says. */
typedef struct _JmClusterFile JmClusterFile;

JmClusterFile *jm_cluster_file_new (void);
void jm_cluster_file_free (JmClusterFile *self);

/* Understands a key of that group; what is wrong is reported, and the value. */
gboolean jm_cluster_file_add (JmClusterFile *self,
                              GKeyFile *file,
                              const char *key,
                              GError **error);
gboolean jm_cluster_file_check (const JmClusterFile *self, GError **error);

/* What the first of the files that is there and has the key calls the cluster, in small
 * letters, as Slurm's daemons and accounting have it; NULL where none has it. Of a file
 * 1 MiB is read. */
char *jm_cluster_file_read (const JmClusterFile *self, JmHost *host);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmClusterFile, jm_cluster_file_free)

/**
 * JmSchedulerSpool:
 * @directories: patterns of the directories of folders; %NULL where there are none
 * @group: the file in a folder that has the group of the job's processes
 *
 * The group `Spool` of a definition: how jobs are known that have no cgroups.
 */
typedef struct
{
  char **directories;
  char *group;
} JmSchedulerSpool;

void jm_scheduler_spool_clear (JmSchedulerSpool *self);

gboolean jm_scheduler_spool_add (JmSchedulerSpool *self,
                                 GKeyFile *file,
                                 const char *key,
                                 GError **error);

/* Whether it is there as a whole, or not at all. */
gboolean jm_scheduler_spool_check (const JmSchedulerSpool *self, GError **error);

G_END_DECLS
