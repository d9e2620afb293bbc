/* jme-targets.h: what a site has agreed that somebody gets, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "server/jme-answer.h"

G_BEGIN_DECLS

/* Allocation targets, as the cluster role's file has them. */
typedef struct _JmeTargets JmeTargets;

void jme_targets_add_settings (JmSettings *settings);

/* - Errors: `INVALID` for a file that cannot be read or meant. */
JmeTargets *jme_targets_new (const JmSettings *settings, GError **error);
void jme_targets_free (JmeTargets *self);

/* Those of @cluster, or of all where it is NULL, of which somebody may see runs;
 * nothing where there is none.
 *
 * - Errors: those of the store. */
gboolean jme_targets_append (const JmeTargets *self,
                             JmeAnswer *answer,
                             const char *cluster,
                             GError **error);

G_END_DECLS
