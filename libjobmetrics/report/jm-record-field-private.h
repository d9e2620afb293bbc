/* jm-record-field-private.h: whatever is known of a record, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "report/jm-field.h"

G_BEGIN_DECLS

/* What a record has beside the fields of its job. */
typedef enum
{
  JM_RECORD_FACT_NONE, /* a field of the job */
  JM_RECORD_FACT_STATE,
  JM_RECORD_FACT_NODE,
  JM_RECORD_FACT_POSITION,
  JM_RECORD_FACT_KEY,
  JM_RECORD_FACT_BEGIN_TIME,
  JM_RECORD_FACT_END_TIME,
  JM_RECORD_FACT_ELAPSED,
  JM_RECORD_FACT_EFFICIENCY,
  JM_RECORD_FACT_LIFE_OBSERVED,
  JM_RECORD_FACT_CPU_OBSERVED,
  JM_RECORD_FACT_ENERGY_OBSERVED,
  JM_RECORD_FACT_CPU_METHOD,
} JmRecordFact;

#define JM_N_RECORD_FACTS (JM_RECORD_FACT_CPU_METHOD + 1)

/* Something that may be known of a record. A fact supersedes the job's field of the
 * same name: a record knows its own times. */
typedef struct
{
  JmRecordFact fact;
  const JmField *field; /* its names and format */
} JmRecordField;

gboolean jm_record_field_from_name (const char *name, JmRecordField *field);
GArray *jm_record_field_list (void); /* of JmRecordField */

JmFigure jm_record_field_get_figure (const JmRecordField *self, JmJobRecord *record);

/* As people and as programs read it; NULL where it is not known. */
char *jm_record_field_format (const JmRecordField *self, JmJobRecord *record);
char *jm_record_field_to_string (const JmRecordField *self, JmJobRecord *record);

G_END_DECLS
