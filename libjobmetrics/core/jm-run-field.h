/* jm-run-field.h: what an accounting database keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "core/jm-quantity.h"
#include "core/jm-run-field-id.h"
#include "core/jm-version-macros.h"

G_BEGIN_DECLS

/**
 * JmRunSource:
 * @JM_RUN_SOURCE_NONE: nobody: it is not known
 * @JM_RUN_SOURCE_ACCOUNTING: the scheduler's accounting, such as `sacct`
 * @JM_RUN_SOURCE_TIME_SERIES: a time series database
 * @JM_RUN_SOURCE_LEDGER: the ledgers of the nodes
 *
 * Who told something of a run. Of what a run has used the later of these is believed
 * before the earlier ones; of who and when it was the scheduler's accounting first,
 * then the ledger, then the time series.
 *
 * Since: 0.1
 */
typedef enum
{
  JM_RUN_SOURCE_NONE,
  JM_RUN_SOURCE_ACCOUNTING,
  JM_RUN_SOURCE_TIME_SERIES,
  JM_RUN_SOURCE_LEDGER,
} JmRunSource;

/**
 * JM_N_RUN_SOURCES:
 *
 * How many #JmRunSource there are.
 *
 * Since: 0.1
 */
#define JM_N_RUN_SOURCES (JM_RUN_SOURCE_LEDGER + 1)

JM_AVAILABLE_IN_ALL
const JmQuantity *jm_run_field_get_quantity (JmRunField field);

JM_AVAILABLE_IN_ALL
const char *jm_run_field_get_name (JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_from_name (const char *name, JmRunField *field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_is_text (JmRunField field);

JM_AVAILABLE_IN_ALL
gboolean jm_run_field_is_figure (JmRunField field);

JM_AVAILABLE_IN_ALL
const char *jm_run_source_get_name (JmRunSource source);

G_END_DECLS
