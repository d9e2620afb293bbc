/* jm-meter-source.h: a site's own meter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source.h"

G_BEGIN_DECLS

#define JM_TYPE_METER_SOURCE (jm_meter_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmMeterSource,
                          jm_meter_source,
                          JM,
                          METER_SOURCE,
                          JmPolledSource)

/**
 * JmMeterSourceClass:
 * @parent_class: the parent class
 *
 * The class of a site's own meters.
 *
 * Since: 0.1
 */
struct _JmMeterSourceClass
{
  JmPolledSourceClass parent_class;

  /*< private >*/
  /* what the meter says now, in the thread that asks */
  char *(*read_text) (gpointer self,
                      GCancellable *cancellable,
                      gsize *length,
                      GError **error);

  gpointer padding[4];
};

G_END_DECLS
