/* jm-viewer.h: who asks, and what of a site's runs is shown to them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmViewer:
 *
 * Who asks an accounting database, and what they may see: nothing, until they are let.
 * The database itself applies it to every row.
 *
 * Since: 0.1
 */
typedef struct _JmViewer JmViewer;

#define JM_TYPE_VIEWER (jm_viewer_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_viewer_get_type (void);

JM_AVAILABLE_IN_ALL
JmViewer *jm_viewer_new (void);

JM_AVAILABLE_IN_ALL
JmViewer *jm_viewer_new_for_all (void);

JM_AVAILABLE_IN_ALL
JmViewer *jm_viewer_copy (JmViewer *self);

JM_AVAILABLE_IN_ALL
void jm_viewer_free (JmViewer *self);

JM_AVAILABLE_IN_ALL
void jm_viewer_let_own (JmViewer *self, const char *cluster, guint uid);

JM_AVAILABLE_IN_ALL
void jm_viewer_let_account (JmViewer *self, const char *cluster, const char *account);

JM_AVAILABLE_IN_ALL
void jm_viewer_hold_to_accounting (JmViewer *self, const char *cluster);

JM_AVAILABLE_IN_ALL
gboolean jm_viewer_sees_all (JmViewer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmViewer, jm_viewer_free)

G_END_DECLS
