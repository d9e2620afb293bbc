/* jm-nvml-events-private.h: the errors that NVIDIA's driver tells of, counted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-nvml-api-private.h"

G_BEGIN_DECLS

/* What happened to one device since it is listened to. */
typedef struct
{
  JmNvmlEventSet *set; /* NULL where it cannot tell */
  GHashTable *xids;    /* how many, by number */
} JmNvmlEvents;

void jm_nvml_events_init (JmNvmlEvents *self);
void jm_nvml_events_clear (JmNvmlEvents *self);

void
jm_nvml_events_listen (JmNvmlEvents *self, const JmNvmlApi *api, JmNvmlHandle *handle);

/* Ends that, while the library may be called. */
void jm_nvml_events_stop (JmNvmlEvents *self, const JmNvmlApi *api);

gboolean jm_nvml_events_can_take (const JmNvmlEvents *self, const JmNvmlApi *api);

/* Counts those that came since it was asked last. Returns the last result. */
int jm_nvml_events_take (JmNvmlEvents *self, const JmNvmlApi *api);

G_END_DECLS
