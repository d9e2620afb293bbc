/* jm-cgroup-labels-private.h: labels that stand in every round, made once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "core/jm-labels.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JmCgroupLabels:
 *
 * The labels of block devices, RDMA devices and CPUs, which belong to it.
 */
typedef struct _JmCgroupLabels JmCgroupLabels;

JmCgroupLabels *jm_cgroup_labels_new (JmHost *host);
void jm_cgroup_labels_free (JmCgroupLabels *self);

JmLabels *
jm_cgroup_labels_get_block_device (JmCgroupLabels *self, guint major, guint minor);
JmLabels *jm_cgroup_labels_get_name (JmCgroupLabels *self, JmSlice name);
JmLabels *jm_cgroup_labels_get_cpu (JmCgroupLabels *self, guint cpu);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmCgroupLabels, jm_cgroup_labels_free)

G_END_DECLS
