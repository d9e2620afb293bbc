/* jm-record-field-private.h: whatever is known of a record, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-field.h"
#include "core/jm-job-record.h"

G_BEGIN_DECLS

/* Something that may be known of a record. What a record knows itself, such as its
 * times, supersedes the job's field of the same name. */
typedef struct
{
  const JmQuantity *quantity;
  const JmField *field; /* of the job, or NULL where the record knows it */
} JmRecordField;

gboolean jm_record_field_from_name (const char *name, JmRecordField *field);
GArray *jm_record_field_list (void); /* of JmRecordField */

JmFigure jm_record_field_get_figure (const JmRecordField *self, JmJobRecord *record);

/* As people and as programs read it; NULL where it is not known. */
char *jm_record_field_format (const JmRecordField *self, JmJobRecord *record);
char *jm_record_field_to_string (const JmRecordField *self, JmJobRecord *record);

G_END_DECLS
