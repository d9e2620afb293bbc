/* jm-counter-source.c: what is counted of a cgroup besides its own files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-counter-source-private.h"

/* The kernel counts little of a cgroup by itself; the rest it counts only for as long
 * as somebody asks it to. Such a source has a collector of its own, which is off unless
 * somebody turns it on. */
G_DEFINE_INTERFACE (JmCounterSource, jm_counter_source, JM_TYPE_SOURCE)

static void
jm_counter_source_default_init (JmCounterSourceInterface *iface)
{
}

JmCollector
jm_counter_source_get_collector (JmCounterSource *self)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->collector;
}

const char *
jm_counter_source_get_controller (JmCounterSource *self)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->controller;
}

void
jm_counter_source_begin_round (JmCounterSource *self)
{
  JmCounterSourceInterface *iface = JM_COUNTER_SOURCE_GET_IFACE (self);

  if (iface->begin_round != NULL)
    iface->begin_round (self);
}

gpointer
jm_counter_source_open_cgroup (JmCounterSource *self, const char *dir, GError **error)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->open_cgroup (self, dir, error);
}

gboolean
jm_counter_source_read (JmCounterSource *self,
                        gpointer cgroup,
                        JmReadings *readings,
                        GError **error)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->read (self, cgroup, readings, error);
}

void
jm_counter_source_close_cgroup (JmCounterSource *self, gpointer cgroup)
{
  JM_COUNTER_SOURCE_GET_IFACE (self)->close_cgroup (self, cgroup);
}

gboolean
jm_counter_source_can_read_node (JmCounterSource *self)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->read_node != NULL;
}

gboolean
jm_counter_source_read_node (JmCounterSource *self,
                             JmReadings *readings,
                             GError **error)
{
  return JM_COUNTER_SOURCE_GET_IFACE (self)->read_node (self, readings, error);
}
