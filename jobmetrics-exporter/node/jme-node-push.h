/* jme-node-push.h: a node's jobs, pushed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "scrape/jme-outlets.h"

G_BEGIN_DECLS

typedef struct _JmeNodePush JmeNodePush;

void jme_node_push_add_settings (JmSettings *settings);

/* Sets *self to NULL where no gateway is set. Errors: `INVALID` for a setting, and what
 * a password's file has to say. */
gboolean jme_node_push_open (JmeNodePush **self,
                             const JmSettings *settings,
                             JmeOutlets *outlets,
                             GError **error);
void jme_node_push_free (JmeNodePush *self);

/* From now on its groups are this program's, and go with it. */
void jme_node_push_start (JmeNodePush *self);

/* Whether a metric of it has a name that @pattern means. */
gboolean jme_node_push_match (const char *pattern);

/* Once per sweep: pushes where it is time to. */
void jme_node_push_sweep (JmeNodePush *self, JmSnapshot *snapshot);

G_END_DECLS
