/* jme-node-push.h: figures that the node role sends by itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-settings-private.h"
#include "scrape/jme-answers.h"
#include "scrape/jme-outlets.h"
#include "scrape/jme-sender.h"

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

void jme_node_remote_write_add_settings (JmSettings *settings);

/* Whether the settings ask for it, and can be meant. Nothing is opened yet.
 *
 * Errors: `INVALID`. */
gboolean jme_node_remote_write_check (const JmSettings *settings, GError **error);

/* Begins to send what @answers has; %NULL where nobody asked for it, or, after a
 * warning, where it cannot be. */
JmeSender *jme_node_remote_write_start (const JmSettings *settings,
                                        JmeAnswers *answers);

/* Whether a metric of it has a name that @pattern means. */
gboolean jme_node_remote_write_match (const char *pattern);

G_END_DECLS
