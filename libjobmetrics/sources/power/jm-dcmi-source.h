/* jm-dcmi-source.h: a node's power, as its BMC tells it by IPMI
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-polled-source.h"

G_BEGIN_DECLS

#define JM_TYPE_DCMI_SOURCE (jm_dcmi_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmDcmiSource, jm_dcmi_source, JM, DCMI_SOURCE, JmPolledSource)

struct _JmDcmiReading;

/**
 * JmDcmiSourceClass:
 * @parent_class: the parent class
 *
 * The class of ways to ask a BMC by IPMI.
 *
 * Since: 0.1
 */
struct _JmDcmiSourceClass
{
  JmPolledSourceClass parent_class;

  /*< private >*/
  /* the setting that names what the BMC is asked by */
  const char *setting;
  /* opens that; gives what it is called in messages, or NULL with an error */
  const char *(*open_transport) (gpointer self, GError **error);
  /* Get Power Reading, in the thread that asks */
  gboolean (*ask) (gpointer self,
                   GCancellable *cancellable,
                   struct _JmDcmiReading *reading,
                   GError **error);

  gpointer padding[4];
};

G_END_DECLS
