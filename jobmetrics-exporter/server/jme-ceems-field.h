/* jme-ceems-field.h: fields of CEEMS, of which a client chooses some
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "core/jm-usage.h"
#include "server/jme-ceems-answer.h"

G_BEGIN_DECLS

/* JmeCeemsRow:
 * @site: the archive
 * @zone: in which times are told
 * @run: (nullable): a job
 * @energies: (nullable): of JmRunPart: its energy in detail
 * @devices: (nullable): of JmRunPart: its accelerators
 * @usage: (nullable): sums
 *
 * What fields are told of. */
typedef struct
{
  JmeCeemsSite *site;
  GTimeZone *zone;
  JmRun *run;
  GPtrArray *energies;
  GPtrArray *devices;
  JmUsage *usage;
} JmeCeemsRow;

typedef void (*JmeCeemsAppendFunc) (JmJsonWriter *json,
                                    const char *name,
                                    const JmeCeemsRow *row);

/* JmeCeemsField:
 * @name: what it is called in answers and questions
 * @append: appends it where it is known; NULL for what nobody measures here
 * @is_always: whether it is told though it was not chosen
 * @is_of_energy: whether it takes energy in detail
 * @is_of_devices: whether it takes accelerators */
typedef struct
{
  const char *name;
  JmeCeemsAppendFunc append;
  gboolean is_always;
  gboolean is_of_energy;
  gboolean is_of_devices;
} JmeCeemsField;

/* JmeCeemsFields:
 * @table: up to one without a name
 * @is_chosen: for each of @table
 * @has_energy: whether one that is chosen takes energy in detail
 * @has_devices: whether one takes accelerators */
typedef struct
{
  const JmeCeemsField *table;
  gboolean *is_chosen;
  gboolean has_energy;
  gboolean has_devices;
} JmeCeemsFields;

/* All where the query names none; a name that is not known is told of in a warning.
 *
 * - Errors: `INVALID` where none of the names is known. */
gboolean jme_ceems_fields_init (JmeCeemsFields *self,
                                const JmeCeemsField *table,
                                JmeCeemsAnswer *answer,
                                GError **error);

/* An object. */
void jme_ceems_fields_append (const JmeCeemsFields *self,
                              GString *text,
                              const JmeCeemsRow *row);

void jme_ceems_fields_clear (JmeCeemsFields *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeCeemsFields, jme_ceems_fields_clear)

G_END_DECLS
