/* jm-cgroup-parse-private.h: what only cgroups' files look like
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"

G_BEGIN_DECLS

/* See jm-parse-private.h for what holds of all parsers. */

/**
 * JmCgroupBlkioOp:
 * @JM_CGROUP_BLKIO_OTHER: a sum, or an operation that is part of another one
 * @JM_CGROUP_BLKIO_READ: reads
 * @JM_CGROUP_BLKIO_WRITE: writes
 *
 * What a line of a blkio file counts.
 */
typedef enum
{
  JM_CGROUP_BLKIO_OTHER,
  JM_CGROUP_BLKIO_READ,
  JM_CGROUP_BLKIO_WRITE,
} JmCgroupBlkioOp;

/**
 * JmCgroupBlkio:
 * @op: what is counted
 * @major: of the device; not set for the sum over all devices
 * @minor: of the device; not set for the sum over all devices
 * @value: bytes or operations
 *
 * One line of a blkio file.
 */
typedef struct
{
  JmCgroupBlkioOp op;
  guint major;
  guint minor;
  guint64 value;
} JmCgroupBlkio;

/**
 * JM_CGROUP_PAGE_SIZE_MAX:
 *
 * Room for a page size as the kernel writes it, such as `2MB`.
 */
#define JM_CGROUP_PAGE_SIZE_MAX 24

typedef void (*JmCgroupPercpuFunc) (guint cpu, guint64 value_ns, gpointer user_data);

gboolean jm_cgroup_parse_blkio (const char *line, gsize length, JmCgroupBlkio *entry);
gboolean jm_cgroup_parse_pid (const char *line, gsize length, guint *pid);
gboolean jm_cgroup_parse_page_size (const char *name,
                                    char label[JM_CGROUP_PAGE_SIZE_MAX]);
gboolean jm_cgroup_parse_device_name (const char *text, gsize length, JmSlice *name);
gboolean jm_cgroup_parse_percpu (const char *text,
                                 gsize length,
                                 JmSlice possible,
                                 JmSlice wanted,
                                 JmCgroupPercpuFunc func,
                                 gpointer user_data);

G_END_DECLS
