/* jm-further-fields-private.h: what a scheduler reports of a job beside its fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"

G_BEGIN_DECLS

#define JM_MAX_FURTHER_FIELDS 8
#define JM_FURTHER_FIELD_MAX_BYTES 1024 /* of a value */
/* of their names in labels, where they stand beside a job's other fields */
#define JM_FURTHER_FIELD_PREFIX "field_"

typedef struct
{
  char *name;
  char *value;
  JmOrigin origin;
} JmFurtherField;

/* What a definition declares beside the fields of #JmJobField, by name. */
typedef struct
{
  JmFurtherField fields[JM_MAX_FURTHER_FIELDS]; /* sorted */
  guint n_fields;
} JmFurtherFields;

/* Whether a further field may have that name: small letters, digits and `_`, at most
 * 32, a letter first, and not the name of a #JmJobField. */
gboolean jm_further_field_check_name (const char *name);

void jm_further_fields_clear (JmFurtherFields *self);

/* Sets a field, unless @origin may not set it, one that is as reliable has set it
 * already, it is too long, or there are too many.
 *
 * Returns: whether it was taken */
gboolean jm_further_fields_set (JmFurtherFields *self,
                                const char *name,
                                JmOrigin origin,
                                const char *value,
                                gssize length);

/* Sets all that @other has.
 *
 * Returns: whether anything was taken */
gboolean jm_further_fields_merge (JmFurtherFields *self, const JmFurtherFields *other);

const JmFurtherField *jm_further_fields_find (const JmFurtherFields *self,
                                              const char *name);

G_END_DECLS
