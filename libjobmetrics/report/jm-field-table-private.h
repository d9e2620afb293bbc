/* jm-field-table-private.h: the fields that there are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/jm-field.h"

G_BEGIN_DECLS

/* What follows from a snapshot besides its fields and metrics. */
typedef enum
{
  JM_DERIVED_FIELD_STATE,
  JM_DERIVED_FIELD_STEP,
  JM_DERIVED_FIELD_AGE,
  JM_DERIVED_FIELD_EFFICIENCY,
  JM_DERIVED_FIELD_MEMORY_SHARE,
  JM_DERIVED_FIELD_END_TIME,
  JM_DERIVED_FIELD_TIME,
  JM_DERIVED_FIELD_GPU_DEVICES,
  JM_DERIVED_FIELD_GPU_UTILIZATION,
  JM_DERIVED_FIELD_GPU_MEMORY_USED,
  JM_N_DERIVED_FIELDS,
} JmDerivedField;

/* All fields: first those of a job's identity, by their numbers. Made of other tables
 * at the first call, and constant from then on. */
const JmField *jm_field_table_get (guint *n_fields);

/* Whether people mean it by that: its name, its short name or its title. */
gboolean jm_field_is_called (const JmField *self, const char *typed);

G_END_DECLS
