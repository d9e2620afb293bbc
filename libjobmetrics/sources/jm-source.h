/* jm-source.h: anything on a host that can be asked
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "core/jm-version-macros.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

#define JM_TYPE_SOURCE (jm_source_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (JmSource, jm_source, JM, SOURCE, GObject)

/**
 * JmSourceClass:
 * @parent_class: the parent class
 * @open: finds what the source is about on its host; %JM_ERROR_ABSENT where the host
 *   has none. Called by g_initable_init() until it succeeds; may be left out
 *
 * The class of sources.
 *
 * Since: 0.1
 */
struct _JmSourceClass
{
  GObjectClass parent_class;

  gboolean (*open) (JmSource *self, GError **error);

  gpointer padding[8];
};

JM_AVAILABLE_IN_ALL
JmHost *jm_source_get_host (JmSource *self);

G_END_DECLS
