/* jm-dcgm-fields-private.h: from DCGM's fields to figures
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-gpu-report.h"
#include "sources/gpu/jm-dcgm-api-private.h"

G_BEGIN_DECLS

/* Which entities have a field, and who makes it. */
typedef enum
{
  JM_DCGM_FIELDS_IDENTITY = 1 << 0,  /* what a device is */
  JM_DCGM_FIELDS_DEVICE = 1 << 1,    /* what a whole device does, as NVML tells it */
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

G_END_DECLS
