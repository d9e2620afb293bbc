/* jm-dcgm-client-private.h: a connection to NVIDIA's host engine
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "sources/gpu/jm-dcgm-fields-private.h"

G_BEGIN_DECLS

/* A GPU or an instance as the engine numbers it, which holds while the engine runs. */
typedef struct
{
  JmDcgmEntity entity;
  guint32 gpu;         /* the GPU that an instance is a part of; else itself */
  guint32 instance_id; /* the driver's number of the instance */
  guint32 n_slices;    /* of an instance; 0 where not known */
  guintptr group;      /* what the engine watches it in */
  guintptr events;     /* the group of fields that are events */
} JmDcgmDevice;

typedef struct _JmDcgmClient JmDcgmClient;

/* Connects to nobody yet. @period_s is how often the engine shall read the fields. */
JmDcgmClient *jm_dcgm_client_new (const JmDcgmApi *api,
                                  const char *address,
                                  double period_s,
                                  double timeout_s);
void jm_dcgm_client_free (JmDcgmClient *self);

/* Connects where there is no connection, and has the engine watch what is read.
 *
 * Returns: of JmDcgmDevice, each instance behind its GPU; the same array as before
 *   where the engine still has the same and knows it by the same numbers */
GArray *jm_dcgm_client_list (JmDcgmClient *self, GError **error);

/* The device's last values, to be freed; they are large. After a failure the next
 * jm_dcgm_client_list() connects anew. */
JmDcgmValue *jm_dcgm_client_read (JmDcgmClient *self,
                                  const JmDcgmDevice *device,
                                  guint *n_values,
                                  GError **error);

/* Calls @func with the GPU's events since then. */
gboolean jm_dcgm_client_read_events (JmDcgmClient *self,
                                     const JmDcgmDevice *device,
                                     gint64 since_us,
                                     JmDcgmSampleFunc func,
                                     gpointer user_data);

/* What the engine calls that failure. */
const char *jm_dcgm_client_explain (JmDcgmClient *self, JmDcgmStatus status);
const char *jm_dcgm_client_get_address (JmDcgmClient *self);

void jm_dcgm_client_disconnect (JmDcgmClient *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDcgmClient, jm_dcgm_client_free)

G_END_DECLS
