/* jm-run-part-private.h: a step, node or accelerator of a run, with its figures by
 * quantity
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* A number that is not known. */
#define JM_RUN_PART_UNKNOWN -1

/* JmRunPartColumn:
 * @quantity: what it is
 * @name: what the database and documents call it
 * @is_key: whether it says which part it is
 * @is_text: whether it is text, not a number
 * @parts: how many of its units are one of the quantity's
 *
 * How a quantity of a kind of parts is kept. */
typedef struct
{
  JmQuantityId quantity;
  const char *name;
  gboolean is_key;
  gboolean is_text;
  guint parts;
} JmRunPartColumn;

typedef union
{
  char *text;
  gint64 number;
} JmRunPartValue;

struct _JmRunPart
{
  JmRunPartKind kind;
  JmRunPartValue values[]; /* of each column of its kind */
};

/* Whose parts these are where they come from a time series database, not a ledger. */
#define JM_RUN_KEY_TIME_SERIES "time-series"

JmRunPart *jm_run_part_new (JmRunPartKind kind);

/* In the unit of the column; JM_RUN_PART_UNKNOWN where it is not known. */
gint64 jm_run_part_peek (const JmRunPart *self, JmQuantityId quantity);
/* NULL where it is not known. */
const char *jm_run_part_peek_text (const JmRunPart *self, JmQuantityId quantity);
/* A number in the base unit of its quantity; absent of text. */
JmFigure jm_run_part_peek_figure (const JmRunPart *self, JmQuantityId quantity);

void jm_run_part_set_number (JmRunPart *self, JmQuantityId quantity, gint64 number);
void jm_run_part_set_text (JmRunPart *self, JmQuantityId quantity, const char *text);

/* Packs a node's record into a part of that kind; FALSE where it is too large. */
gboolean jm_run_part_set_record (JmRunPart *self, JmJobRecord *record);

JmJobRecord *jm_run_part_get_record (JmRunPart *self, GError **error);

void jm_run_add_part (JmRun *self, JmRunPart *part);

/* What documents call all parts of a kind, such as `steps`. */
const char *jm_run_part_kind_get_name (JmRunPartKind kind);
const char *jm_run_part_kind_get_table (JmRunPartKind kind);
gboolean jm_run_part_kind_has (JmRunPartKind kind, JmQuantityId quantity);

/* Those of its table behind `run_id`, in their order. */
const JmRunPartColumn *jm_run_part_kind_get_columns (JmRunPartKind kind,
                                                     guint *n_columns);

/* `run_id` and the columns. */
void jm_run_part_kind_append_columns (JmRunPartKind kind, GString *sql);

G_END_DECLS
