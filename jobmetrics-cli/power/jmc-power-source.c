/* jmc-power-source.c: what a power source has reported
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "power/jmc-power-source.h"

#include <string.h>

#include "collect/jm-source-info.h"

/* The one that reckons with a table. */
#define ESTIMATE "estimate"

static void
domain_free (gpointer data)
{
  JmcPowerDomain *self = data;

  g_free (self->name);
  g_free (self);
}

static void
source_free (gpointer data)
{
  JmcPowerSource *self = data;

  g_free (self->name);
  g_free (self->reason);
  g_ptr_array_unref (self->domains);
  g_free (self);
}

static JmFigure
get_figure (JmSnapshot *snapshot, JmMetric metric, JmLabels *labels)
{
  return jm_figure_of_label (snapshot, JM_NODE_SUBJECT, metric, labels);
}

static JmcPowerDomain *
find_domain (JmcPowerSource *self, const char *name)
{
  JmcPowerDomain *domain;

  for (guint i = 0; i < self->domains->len; i++)
    {
      domain = self->domains->pdata[i];
      if (g_str_equal (domain->name, name))
        return domain;
    }

  domain = g_new0 (JmcPowerDomain, 1);
  domain->name = g_strdup (name);
  g_ptr_array_add (self->domains, domain);

  return domain;
}

static void
read_domains (JmcPowerSource *self, JmSnapshot *snapshot, JmMetric metric)
{
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, metric);

  for (guint i = 0; i < all->len; i++)
    {
      JmLabels *labels = all->pdata[i];
      JmcPowerDomain *domain;

      if (!g_str_equal (jm_metric_find_label (metric, labels, "source"), self->name))
        continue;

      domain = find_domain (self, jm_metric_find_label (metric, labels, "domain"));
      if (metric == JM_METRIC_NODE_POWER)
        domain->watts = get_figure (snapshot, metric, labels);
      else
        domain->joules = get_figure (snapshot, metric, labels);
    }
}

/* Why it does not answer, as the node has it. */
static char *
find_reason (const char *name, const GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      JmSourceInfo *info = infos->pdata[i];
      const GError *error = jm_source_info_get_error (info);

      if (jm_source_info_get_kind (info) == JM_SOURCE_KIND_POWER && error != NULL &&
          g_str_equal (jm_source_info_get_name (info), name))
        return g_strdup (error->message);
    }

  return NULL;
}

static JmcPowerSource *
read_source (JmLabels *labels, JmSnapshot *snapshot, const GPtrArray *infos)
{
  const char *name = jm_labels_get_value (labels, 0);
  JmcPowerSource *self = g_new0 (JmcPowerSource, 1);

  self->name = g_strdup (name);
  self->is_up = get_figure (snapshot, JM_METRIC_NODE_POWER_SOURCE_UP, labels).value > 0;
  self->is_estimate = g_str_equal (name, ESTIMATE);
  self->age = get_figure (snapshot, JM_METRIC_NODE_POWER_SOURCE_AGE, labels);
  self->reason = find_reason (name, infos);
  self->domains = g_ptr_array_new_with_free_func (domain_free);
  read_domains (self, snapshot, JM_METRIC_NODE_ENERGY);
  read_domains (self, snapshot, JM_METRIC_NODE_POWER);

  return self;
}

/* All that the node has, of JmcPowerSource; @infos, of JmSourceInfo, is how they fare; in the order in which they are read. */
GPtrArray *
jmc_power_source_list (JmSnapshot *snapshot, const GPtrArray *infos)
{
  GPtrArray *sources = g_ptr_array_new_with_free_func (source_free);
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_labels (snapshot, JM_NODE_SUBJECT, JM_METRIC_NODE_POWER_SOURCE_UP);

  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (sources, read_source (all->pdata[i], snapshot, infos));

  return sources;
}
