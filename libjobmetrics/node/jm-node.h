/* jm-node.h: the whole truth about a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "base/jm-setting.h"
#include "core/jm-process.h"
#include "core/jm-snapshot.h"
#include "host/jm-host.h"
#include "host/jm-source.h"

G_BEGIN_DECLS

#define JM_TYPE_NODE (jm_node_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmNode, jm_node, JM, NODE, GObject)

JM_AVAILABLE_IN_ALL
JmNode *jm_node_new_full (JmHost *host, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_node_list_settings (void);

JM_AVAILABLE_IN_ALL
void jm_node_add_source (JmNode *self, JmSource *source);

JM_AVAILABLE_IN_ALL
void jm_node_publish (JmNode *self);

JM_AVAILABLE_IN_ALL
void jm_node_wait_for_answers (JmNode *self, guint timeout_ms);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_node_sample (JmNode *self, GCancellable *cancellable, GError **error);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_node_list_processes (JmNode *self,
                                   const char *job,
                                   GCancellable *cancellable,
                                   GError **error);

JM_AVAILABLE_IN_ALL
int jm_node_get_event_fd (JmNode *self);

JM_AVAILABLE_IN_ALL
void jm_node_follow (JmNode *self);

JM_AVAILABLE_IN_ALL
gboolean jm_node_attend (JmNode *self, const char *job);

JM_AVAILABLE_IN_ALL
char **jm_node_list_problems (JmNode *self);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_node_list_sources (JmNode *self);

JM_AVAILABLE_IN_ALL
void jm_node_close (JmNode *self);

G_END_DECLS
