/* jmc-run-field.h: whatever is known of a site's run, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-figure.h"
#include "core/jm-quantity-private.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* JmcRunField:
 * @field: what is kept of a run; JM_N_RUN_FIELDS where it is none of these
 * @get_figure: of what is reckoned, or NULL
 * @get_text: of other text, or NULL */
typedef struct
{
  JmQuantityId quantity;
  JmRunField field;
  JmFigure (*get_figure) (JmStoredRun *run);
  const char *(*get_text) (JmStoredRun *run);
} JmcRunField;

guint jmc_run_field_count (void);
const JmcRunField *jmc_run_field_get (guint i);
const JmcRunField *jmc_run_field_from_name (const char *name);
const JmQuantity *jmc_run_field_get_quantity (const JmcRunField *self);

/* As people and as programs read it; NULL where it is not known. */
char *jmc_run_field_format (const JmcRunField *self, JmStoredRun *run);
char *jmc_run_field_to_string (const JmcRunField *self, JmStoredRun *run);

/* As its user sees it. */
const char *jmc_run_field_get_job_id (JmStoredRun *run);

G_END_DECLS
