/* jmc-usage-group.c: what sums of a site are kept apart by
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-group.h"

#include "core/jm-error.h"

static char *
format_name (const char *name)
{
  return name != NULL && *name != '\0' ? g_strdup (name) : NULL;
}

static char *
format_cluster (JmUsage *usage)
{
  return format_name (jm_usage_get_cluster (usage));
}

static char *
format_user (JmUsage *usage)
{
  return format_name (jm_usage_get_user (usage));
}

static char *
format_account (JmUsage *usage)
{
  return format_name (jm_usage_get_account (usage));
}

static char *
format_partition (JmUsage *usage)
{
  return format_name (jm_usage_get_partition (usage));
}

static char *
format_day (JmUsage *usage)
{
  g_autoptr (GDateTime) day = g_date_time_new_from_unix_utc (jm_usage_get_day (usage));

  return day != NULL ? g_date_time_format (day, "%Y-%m-%d") : NULL;
}

/* Sums of days have none. */
static char *
format_month (JmUsage *usage)
{
  return NULL;
}

static const JmcUsageGroup groups[] = {
  { JM_USAGE_GROUPS_CLUSTER, "cluster", "CLUSTER", format_cluster },
  { JM_USAGE_GROUPS_USER, "user", "USER", format_user },
  { JM_USAGE_GROUPS_ACCOUNT, "account", "ACCOUNT", format_account },
  { JM_USAGE_GROUPS_PARTITION, "partition", "PARTITION", format_partition },
  { JM_USAGE_GROUPS_DAY, "day", "DAY", format_day },
  { JM_USAGE_GROUPS_MONTH, "month", "MONTH", format_month },
};

guint
jmc_usage_group_count (void)
{
  return G_N_ELEMENTS (groups);
}

const JmcUsageGroup *
jmc_usage_group_get (guint i)
{
  return &groups[i];
}

static gboolean
parse_one (const char *name, JmUsageGroups *all, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (g_str_equal (groups[i].name, name))
      {
        *all |= groups[i].group;
        return TRUE;
      }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               "'%s': none of cluster, user, account, partition, day and month", name);

  return FALSE;
}

gboolean
jmc_usage_group_parse (const char *text, JmUsageGroups *all, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  *all = JM_USAGE_GROUPS_NONE;
  for (char **name = names; *name != NULL; name++)
    if (!parse_one (*name, all, error))
      return FALSE;

  return TRUE;
}
