/* jm-run-part-private.h: a step, node or accelerator of a run, field by field
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-field-counts-private.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

#define JM_N_RUN_PART_NUMBERS (JM_N_RUN_PART_FIELDS - JM_N_RUN_PART_TEXTS)
/* A number that is not known. */
#define JM_RUN_PART_UNKNOWN -1

struct _JmRunPart
{
  JmRunPartKind kind;
  char *texts[JM_N_RUN_PART_TEXTS];
  gint64 numbers[JM_N_RUN_PART_NUMBERS];
};

/* Whose parts these are where no ledger told them but a time series database. */
#define JM_RUN_KEY_TIME_SERIES "time-series"

static inline gint64
jm_run_part_peek (const JmRunPart *self, JmRunPartField field)
{
  return self->numbers[field - JM_N_RUN_PART_TEXTS];
}

const JmQuantity *jm_run_part_field_get_quantity (JmRunPartField field);

/* A number in the base unit of its quantity; absent of text. */
JmFigure jm_run_part_get_figure (JmRunPart *self, JmRunPartField field);

/* What documents call all parts of a kind, such as `steps`. */
const char *jm_run_part_kind_get_name (JmRunPartKind kind);
const char *jm_run_part_kind_get_table (JmRunPartKind kind);
gboolean jm_run_part_kind_has (JmRunPartKind kind, JmRunPartField field);

/* The field in which parts of that kind keep a quantity; FALSE where they do not. */
gboolean jm_run_part_kind_find (JmRunPartKind kind,
                                JmQuantityId quantity,
                                JmRunPartField *field);

/* As those of runs: jm_run_field_append_new_columns(). */
guint jm_run_part_get_last_version (void);
void jm_run_part_append_new_columns (guint version, GString *sql);

/* The steps among the parts of a run, each once: who and when by the scheduler's word,
 * what it used by that of all its nodes. */
GPtrArray *jm_run_part_merge_steps (const GPtrArray *parts);

/* Packs a node's record into a part of that kind; FALSE where it is too large. */
gboolean jm_run_part_set_record (JmRunPart *self, JmJobRecord *record);

/* `run_id` and the fields. */
void jm_run_part_kind_append_columns (JmRunPartKind kind, GString *sql);

JmRunPart *jm_run_part_new (JmRunPartKind kind);

void jm_run_part_set_text (JmRunPart *self, JmRunPartField field, const char *text);

void jm_run_part_set_number (JmRunPart *self, JmRunPartField field, gint64 number);

JmJobRecord *jm_run_part_get_record (JmRunPart *self, GError **error);

void jm_run_add_part (JmRun *self, JmRunPart *part);

const char *jm_run_part_field_get_name (JmRunPartField field);

G_END_DECLS
