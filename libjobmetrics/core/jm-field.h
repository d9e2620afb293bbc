/* jm-field.h: whatever is known of a job, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/jm-version-macros.h"
#include "core/jm-collector-set.h"
#include "core/jm-figure.h"
#include "core/jm-quantity.h"
#include "core/jm-snapshot.h"

G_BEGIN_DECLS

/**
 * JmFieldSource:
 * @JM_FIELD_SOURCE_IDENTITY: who the job is: a #JmJobField
 * @JM_FIELD_SOURCE_METRIC: what was measured
 * @JM_FIELD_SOURCE_DERIVED: what follows from these, such as the age
 *
 * Where a field is taken from.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_FIELD_SOURCE_IDENTITY,
  JM_FIELD_SOURCE_METRIC,
  JM_FIELD_SOURCE_DERIVED,
} JmFieldSource;

/**
 * JmField:
 * @quantity: what it is, with names, help and format
 * @source: where it is taken from
 * @number: the #JmJobField of a field of identity; of others the library's own number
 *
 * A property of a job, step or task: a column, a sort key, one side of a comparison.
 * There is one of each, which is static: do not free it.
 *
 * Since: 0.1
 */
typedef struct
{
  const JmQuantity *quantity;
  JmFieldSource source;
  guint number;
} JmField;

#define JM_TYPE_FIELD (jm_field_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_field_get_type (void);

JM_AVAILABLE_IN_ALL
GPtrArray *jm_field_list (void);

JM_AVAILABLE_IN_ALL
const JmField *jm_field_from_name (const char *name);

JM_AVAILABLE_IN_ALL
const JmField *jm_field_of_identity (JmJobField field);

JM_AVAILABLE_IN_ALL
void jm_field_add_collectors (const JmField *self, JmCollectorSet *collectors);

JM_AVAILABLE_IN_ALL
JmFigure jm_field_get_figure (const JmField *self, JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
gboolean jm_field_get_value (const JmField *self,
                             JmSnapshot *snapshot,
                             guint subject,
                             double *value);

JM_AVAILABLE_IN_ALL
char *jm_field_format (const JmField *self, JmSnapshot *snapshot, guint subject);

JM_AVAILABLE_IN_ALL
int jm_field_compare (const JmField *self,
                      JmSnapshot *snapshot,
                      guint a,
                      guint b,
                      gboolean descending);

G_END_DECLS
