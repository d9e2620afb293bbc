/* jm-power-source.h: what a node's energy went into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_POWER_SOURCE (jm_power_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (JmPowerSource, jm_power_source, JM, POWER_SOURCE, JmSource)

/**
 * JmPowerSourceInterface:
 * @parent_iface: the parent interface
 * @read: see jm_power_source_read()
 * @is_estimate: see jm_power_source_is_estimate(); may be left out
 * @wait: see jm_power_source_wait(); may be left out
 *
 * A source of the node's energy or power.
 *
 * Since: 0.1
 */
struct _JmPowerSourceInterface
{
  GTypeInterface parent_iface;

  gboolean (*read) (JmPowerSource *self, JmReadings *readings, GError **error);
  gboolean (*is_estimate) (JmPowerSource *self);
  gboolean (*wait) (JmPowerSource *self, gint64 timeout_us);

  /*< private >*/
  /* as jm_power_source_trace() has it; may be left out */
  gboolean (*trace) (gpointer self, const char *domain, gpointer trace);

  gpointer padding[4];
};

JM_AVAILABLE_IN_ALL
gboolean
jm_power_source_read (JmPowerSource *self, JmReadings *readings, GError **error);

JM_AVAILABLE_IN_ALL
gboolean jm_power_source_is_estimate (JmPowerSource *self);

JM_AVAILABLE_IN_ALL
gboolean jm_power_source_wait (JmPowerSource *self, gint64 timeout_us);

G_END_DECLS
