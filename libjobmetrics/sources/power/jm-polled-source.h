/* jm-polled-source.h: a meter that is asked in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_POLLED_SOURCE (jm_polled_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmPolledSource, jm_polled_source, JM, POLLED_SOURCE, JmSource)

/**
 * JmPolledSourceClass:
 * @parent_class: the parent class
 *
 * The class of meters that are asked in the background.
 *
 * Since: 0.1
 */
struct _JmPolledSourceClass
{
  JmSourceClass parent_class;

  /*< private >*/
  const char *thread_name;
  /* asks once, in a thread of its own; a JmPowerAnswer */
  gpointer (*poll) (gpointer self, GCancellable *cancellable, GError **error);

  gpointer padding[4];
};

G_END_DECLS
