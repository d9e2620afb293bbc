/* jm-counter-source-private.h: what is counted of a cgroup besides its own files
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_COUNTER_SOURCE (jm_counter_source_get_type ())

G_DECLARE_INTERFACE (JmCounterSource, jm_counter_source, JM, COUNTER_SOURCE, JmSource)

struct _JmCounterSourceInterface
{
  GTypeInterface parent_iface;

  JmCollector collector;  /* that its figures are of, and no others */
  const char *controller; /* in whose hierarchy its cgroups are; NULL for version 2 */

  void (*begin_round) (JmCounterSource *self); /* may be left out */
  gpointer (*open_cgroup) (JmCounterSource *self, const char *dir, GError **error);
  gboolean (*read) (JmCounterSource *self,
                    gpointer cgroup,
                    JmReadings *readings,
                    GError **error);
  void (*close_cgroup) (JmCounterSource *self, gpointer cgroup);
  /* may be left out */
  gboolean (*read_node) (JmCounterSource *self, JmReadings *readings, GError **error);
};

JmCollector jm_counter_source_get_collector (JmCounterSource *self);
const char *jm_counter_source_get_controller (JmCounterSource *self);

/* Before the cgroups of a round are read. */
void jm_counter_source_begin_round (JmCounterSource *self);

/* Begins to count what the processes in a cgroup do, and in those below it; from here
 * on, for nobody has counted before. @dir is its directory. Errors: ABSENT where it has
 * gone, else why it cannot be counted now. */
gpointer
jm_counter_source_open_cgroup (JmCounterSource *self, const char *dir, GError **error);

/* Adds what was counted since then. What could not be counted whole is left out. */
gboolean jm_counter_source_read (JmCounterSource *self,
                                 gpointer cgroup,
                                 JmReadings *readings,
                                 GError **error);

void jm_counter_source_close_cgroup (JmCounterSource *self, gpointer cgroup);

gboolean jm_counter_source_can_read_node (JmCounterSource *self);

/* Adds what was counted of all processes of the node since this was asked first: of
 * those figures alone by which a node's energy is divided, for the rest would take the
 * processor's counters away from the cgroups. */
gboolean jm_counter_source_read_node (JmCounterSource *self,
                                      JmReadings *readings,
                                      GError **error);

G_END_DECLS
