/* jm-meter-source-private.h: what a site's own meters share
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source-private.h"

G_BEGIN_DECLS

#define JM_TYPE_METER_SOURCE (jm_meter_source_get_type ())

G_DECLARE_DERIVABLE_TYPE (JmMeterSource,
                          jm_meter_source,
                          JM,
                          METER_SOURCE,
                          JmPolledSource)

/*
 * JmMeterSourceClass:
 * @parent_class: the parent class
 *
 * The class of a site's own meters.
 */
struct _JmMeterSourceClass
{
  JmPolledSourceClass parent_class;

  /* what the meter says now, in the thread that asks */
  char *(*read_text) (gpointer self,
                      GCancellable *cancellable,
                      gsize *length,
                      GError **error);
};

/* The last step of open (): `INVALID` for an invalid setting. @what is the
 * meter, for messages. */
gboolean jm_meter_source_start (JmMeterSource *self, const char *what, GError **error);

G_END_DECLS
