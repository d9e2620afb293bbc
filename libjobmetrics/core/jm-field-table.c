/* jm-field-table.c: the fields that there are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-field-table-private.h"

#include "core/jm-job-private.h"
#include "core/jm-metric-private.h"

/* Of those behind the metrics: what follows from a snapshot. */
static const JmQuantityId derived[] = {
  JM_QUANTITY_STATE,
  JM_QUANTITY_STEP,
  JM_QUANTITY_AGE,
  JM_QUANTITY_CPU_EFFICIENCY,
  JM_QUANTITY_MEMORY_USED_SHARE,
  JM_QUANTITY_END_TIME,
  JM_QUANTITY_TIME,
  JM_QUANTITY_GPU_DEVICES,
  JM_QUANTITY_GPU_UTILIZATION_SHARE,
  JM_QUANTITY_GPU_MEMORY_USED_ALL,
  JM_QUANTITY_CPUS_USED,
};

#define MAX_FIELDS (JM_N_JOB_FIELDS + G_N_ELEMENTS (derived) + JM_N_METRICS)

typedef struct
{
  JmField fields[MAX_FIELDS];
  guint n_fields;
} Table;

static void
add (Table *self, const JmQuantity *quantity, JmFieldSource source, guint number)
{
  self->fields[self->n_fields++] = (JmField){ quantity, source, number };
}

static void
fill (Table *self)
{
  for (guint i = 0; i < JM_N_JOB_FIELDS; i++)
    add (self, jm_job_field_get_quantity (i), JM_FIELD_SOURCE_IDENTITY, i);
  for (guint i = 0; i < G_N_ELEMENTS (derived); i++)
    add (self, jm_quantity_get (derived[i]), JM_FIELD_SOURCE_DERIVED, derived[i]);
  for (guint i = 0; i < JM_N_METRICS; i++)
    if (jm_metric_is_about (i, JM_SUBJECT_KIND_JOB))
      add (self, jm_quantity_of_metric (i), JM_FIELD_SOURCE_METRIC, i);
}

const JmField *
jm_field_table_get (guint *n_fields)
{
  static Table table;
  static gsize is_filled;

  if (g_once_init_enter (&is_filled))
    {
      fill (&table);
      g_once_init_leave (&is_filled, 1);
    }

  *n_fields = table.n_fields;

  return table.fields;
}
