/* jmc-run-field.h: whatever is known of a site's run, by its name
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "report/jm-figure.h"
#include "store/jm-stored-run.h"

G_BEGIN_DECLS

/* JmcRunField:
 * @name: as in the server's documents
 * @short_name: what it is called in a hurry, or NULL
 * @get_figure: of what is reckoned; NULL of what is kept, which is @field */
typedef struct
{
  const char *name;
  const char *short_name;
  const char *title;
  const char *help;
  JmFormat format;
  JmRunField field;
  JmFigure (*get_figure) (JmStoredRun *run);
} JmcRunField;

guint jmc_run_field_count (void);
const JmcRunField *jmc_run_field_get (guint i);
const JmcRunField *jmc_run_field_from_name (const char *name);

/* As people and as programs read it; NULL where it is not known. */
char *jmc_run_field_format (const JmcRunField *self, JmStoredRun *run);
char *jmc_run_field_to_string (const JmcRunField *self, JmStoredRun *run);

/* As its user sees it. */
const char *jmc_run_field_get_job_id (JmStoredRun *run);

G_END_DECLS
