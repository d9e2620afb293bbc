/* jmc-usage-group.h: what sums of a site are kept apart by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-usage.h"

G_BEGIN_DECLS

/* JmcUsageGroup:
 * @format: as people read it; NULL where it is not known */
typedef struct
{
  JmUsageGroups group;
  const char *name;
  const char *title;
  char *(*format) (JmUsage *usage);
} JmcUsageGroup;

guint jmc_usage_group_count (void);
const JmcUsageGroup *jmc_usage_group_get (guint i);

/* Reads names with commas between them. */
gboolean
jmc_usage_group_parse (const char *text, JmUsageGroups *groups, GError **error);

G_END_DECLS
