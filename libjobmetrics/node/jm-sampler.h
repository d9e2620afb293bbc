/* jm-sampler.h: a node that is sampled in the background
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "node/jm-node.h"

G_BEGIN_DECLS

#define JM_TYPE_SAMPLER (jm_sampler_get_type ())

JM_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (JmSampler, jm_sampler, JM, SAMPLER, GObject)

JM_AVAILABLE_IN_ALL
JmSampler *jm_sampler_new (JmNode *node, guint interval_ms);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_sampler_get_latest (JmSampler *self);

JM_AVAILABLE_IN_ALL
JmSnapshot *jm_sampler_get_previous (JmSampler *self);

JM_AVAILABLE_IN_ALL
gint64 jm_sampler_get_busy_us (JmSampler *self);

JM_AVAILABLE_IN_ALL
void jm_sampler_sample_async (JmSampler *self,
                              guint max_age_ms,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

JM_AVAILABLE_IN_ALL
JmSnapshot *
jm_sampler_sample_finish (JmSampler *self, GAsyncResult *result, GError **error);

JM_AVAILABLE_IN_ALL
void jm_sampler_list_processes_async (JmSampler *self,
                                      const char *job,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_sampler_list_processes_finish (JmSampler *self,
                                             GAsyncResult *result,
                                             GError **error);

JM_AVAILABLE_IN_ALL
void jm_sampler_attend_async (JmSampler *self,
                              const char *job,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

JM_AVAILABLE_IN_ALL
gboolean
jm_sampler_attend_finish (JmSampler *self, GAsyncResult *result, GError **error);

JM_AVAILABLE_IN_ALL
void jm_sampler_stop (JmSampler *self);

JM_AVAILABLE_IN_ALL
gboolean jm_sampler_stop_within (JmSampler *self, guint timeout_ms);

G_END_DECLS
