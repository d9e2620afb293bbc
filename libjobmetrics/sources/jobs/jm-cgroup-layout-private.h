/* jm-cgroup-layout-private.h: where a scheduler keeps its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/jobs/jm-path-pattern-private.h"

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
 * @JM_CGROUP_OWN: a job, a step or a task, as the fields that were told say
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupLayout, jm_cgroup_layout_free)

G_END_DECLS
