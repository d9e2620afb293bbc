/* jm-run-field-private.h: what may be kept in a run's fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run-field-id-private.h"
#include "core/jm-run.h"

G_BEGIN_DECLS

/* The source of a figure or field of a run. For usage, later values have precedence;
 * for identity and times the scheduler's accounting, then the ledger, then the time
 * series. */
typedef enum
{
  JM_RUN_SOURCE_NONE,
  JM_RUN_SOURCE_ACCOUNTING,
  JM_RUN_SOURCE_TIME_SERIES,
  JM_RUN_SOURCE_LEDGER, /* those of the nodes */
} JmRunSource;

#define JM_N_RUN_SOURCES (JM_RUN_SOURCE_LEDGER + 1)

#define JM_N_RUN_NUMBERS (JM_N_RUN_FIELDS - JM_N_RUN_TEXTS)

/* A number that is not known. */
#define JM_RUN_UNKNOWN G_MININT64

/* 9999-12-31: later ones are a mistake. */
#define JM_RUN_TIME_MAX G_GINT64_CONSTANT (253402300799)
/* So that days stay countable: ten years. */
#define JM_RUN_LENGTH_MAX G_GINT64_CONSTANT (316224000)

/* For the compiler to see what it is. */
static inline gboolean
jm_run_field_holds_text (JmRunField field)
{
  return (guint) field < JM_N_RUN_TEXTS;
}

/* Bytes that are kept of a text; the greatest number. */
gint64 jm_run_field_get_max (JmRunField field);

/* How many of the column's units are one of the quantity's. */
guint jm_run_field_get_parts (JmRunField field);

/* Whether it says when something was: 0 is not known. */
gboolean jm_run_field_is_time (JmRunField field);

/* The more is believed the more. */
guint jm_run_field_get_rank (JmRunField field, JmRunSource source);

/* In that order, between commas. */
void jm_run_field_append_columns (GString *sql);

/* Where the column of origins has that of the field, whatever the order of the
 * enumeration. */
guint jm_run_field_get_place (JmRunField field);

const JmQuantity *jm_run_field_get_quantity (JmRunField field);

const char *jm_run_field_get_name (JmRunField field);

gboolean jm_run_field_from_name (const char *name, JmRunField *field);

gboolean jm_run_field_is_figure (JmRunField field);

const char *jm_run_source_get_name (JmRunSource source);

const char *jm_run_get_cluster (JmRun *self);
const char *jm_run_get_raw_id (JmRun *self);
void jm_run_keep_text (JmRun *self, JmRunField field, const char *text);
void jm_run_keep_number (JmRun *self, JmRunField field, gint64 number);
const char *jm_run_peek_text (JmRun *self, JmRunField field);
gboolean jm_run_get_number (JmRun *self, JmRunField field, gint64 *number);
JmRunSource jm_run_peek_source (JmRun *self, JmRunField field);

G_END_DECLS
