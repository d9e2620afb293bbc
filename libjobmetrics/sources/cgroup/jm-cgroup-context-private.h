/* jm-cgroup-context-private.h: what all cgroups of one reader share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-file-private.h"
#include "sources/cgroup/jm-cgroup-labels-private.h"

G_BEGIN_DECLS

/**
 * JmCgroupHugetlbNames:
 * @used: bytes in use
 * @peak: (nullable): most bytes ever in use
 * @limit: hard limit
 * @events: (nullable): failed allocations, as the key `max`
 *
 * What follows `hugetlb.SIZE.` in the names of files.
 */
typedef struct
{
  const char *used;
  const char *peak;
  const char *limit;
  const char *events;
} JmCgroupHugetlbNames;

/**
 * JmCgroupHugetlb:
 *
 * The page sizes of a host and the names of their files.
 */
typedef struct _JmCgroupHugetlb JmCgroupHugetlb;

JmCgroupHugetlb *jm_cgroup_hugetlb_new (JmHost *host,
                                        const JmCgroupHugetlbNames *names);
void jm_cgroup_hugetlb_free (JmCgroupHugetlb *self);

/* As the values of labels; NULL behind the last. */
JmLabels *jm_cgroup_hugetlb_get_page_size (JmCgroupHugetlb *self, guint i);
guint jm_cgroup_hugetlb_get_n_files (JmCgroupHugetlb *self);
void jm_cgroup_hugetlb_read (JmCgroupHugetlb *self,
                             JmCgroupFile *files,
                             const JmDir *dir,
                             JmCgroupSweep *sweep);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupHugetlb, jm_cgroup_hugetlb_free)

/**
 * JmCgroupContext:
 * @host: the host; belongs to the reader
 * @labels: of devices and CPUs
 * @hugetlb: the page sizes
 * @text: for whatever is read to its end
 * @cpus: for the list of a cgroup's CPUs
 * @live: whether a kernel keeps the hierarchy: in a copied tree nothing changes
 * @memory_stat_interval_ms: for how long a memory.stat is good enough
 *
 * What cgroups need to be read, and keep from round to round.
 */
typedef struct
{
  JmHost *host;
  JmCgroupLabels *labels;
  JmCgroupHugetlb *hugetlb;
  GString *text;
  GString *cpus;
  gboolean live;
  guint memory_stat_interval_ms;
} JmCgroupContext;

/* Whoever makes a cgroup enables its controllers a moment later. */
#define JM_CGROUP_SETTLE_US (10 * G_USEC_PER_SEC)

static inline void
jm_cgroup_context_open (JmCgroupContext *self,
                        JmHost *host,
                        const JmCgroupHugetlbNames *names,
                        gboolean live)
{
  self->host = host;
  self->labels = jm_cgroup_labels_new (host);
  self->hugetlb = jm_cgroup_hugetlb_new (host, names);
  self->text = g_string_new (NULL);
  self->cpus = g_string_new (NULL);
  self->live = live;
}

/* @self may never have been opened. */
static inline void
jm_cgroup_context_close (JmCgroupContext *self)
{
  g_clear_pointer (&self->labels, jm_cgroup_labels_free);
  g_clear_pointer (&self->hugetlb, jm_cgroup_hugetlb_free);
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
  if (self->cpus != NULL)
    g_string_free (g_steal_pointer (&self->cpus), TRUE);
}

G_END_DECLS
