/* jm-dcgm-engine-private.h: what the engine of DCGM is asked and answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu.h"
#include "sources/gpu/jm-dcgm-api-private.h"

G_BEGIN_DECLS

/* Which entities have a field, and who makes it. */
typedef enum
{
  JM_DCGM_FIELDS_IDENTITY = 1 << 0,  /* what a device is */
  JM_DCGM_FIELDS_DEVICE = 1 << 1,    /* what a whole device does, as NVML reports it */
  JM_DCGM_FIELDS_INSTANCE = 1 << 2,  /* the same of an instance */
  JM_DCGM_FIELDS_PROFILING = 1 << 3, /* of both, from the profiling module */
  JM_DCGM_FIELDS_LINKS = 1 << 4,     /* of whole devices, from the same */
  JM_DCGM_FIELDS_EVENTS = 1 << 5,    /* of whole devices, with a value for each event */
} JmDcgmFieldKind;

/* As many as there may be of all kinds together. */
#define JM_DCGM_MAX_FIELDS 64

/* Fields of those kinds, into @ids of JM_DCGM_MAX_FIELDS.
 *
 * Returns: how many */
guint jm_dcgm_fields_list (guint kinds, guint16 *ids);

/* The place of one of them in the list of all. */
guint jm_dcgm_fields_find (guint16 id);

/* The labels of figures, made once. */
typedef struct _JmDcgmLabels JmDcgmLabels;

JmDcgmLabels *jm_dcgm_labels_new (void);
void jm_dcgm_labels_free (JmDcgmLabels *self);

/* Adds what a value says to the report; nothing where it is blank, failed, none of the
 * fields that are known, or not a number that the metric can have. */
void jm_dcgm_fields_tell (const JmDcgmLabels *labels,
                          const JmDcgmValue *value,
                          JmGpuReport *report);

/* Whether the value says something, and what. */
gboolean
jm_dcgm_value_get_number (const JmDcgmValue *value, double scale, guint64 *number);
char *jm_dcgm_value_get_text (const JmDcgmValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmDcgmLabels, jm_dcgm_labels_free)

/* The Xid errors of one GPU; of one thread at a time. */
typedef struct _JmDcgmXids JmDcgmXids;

/* Counts what happened at @since_us, by the engine's clock, and later. */
JmDcgmXids *jm_dcgm_xids_new (gint64 since_us);
JmDcgmXids *jm_dcgm_xids_ref (JmDcgmXids *self);
void jm_dcgm_xids_unref (JmDcgmXids *self);

/* What happened from then on was not counted yet. */
gint64 jm_dcgm_xids_get_since (JmDcgmXids *self);

/* A JmDcgmSampleFunc; @xids is one of these. */
int jm_dcgm_xids_take (guint32 entity_group,
                       guint32 entity,
                       JmDcgmSample *samples,
                       int n_samples,
                       void *xids);

void jm_dcgm_xids_tell (JmDcgmXids *self, JmGpuReport *report);

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
