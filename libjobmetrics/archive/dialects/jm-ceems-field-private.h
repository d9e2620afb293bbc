/* jm-ceems-field-private.h: fields of CEEMS, of which a client chooses some
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "archive/dialects/jm-ceems-answer-private.h"

G_BEGIN_DECLS

/* JmCeemsRow:
 * @site: (nullable): where the archive is
 * @zone: in which times are written
 * @run: (nullable): a job
 * @energies: (nullable): of JmRunPart: its energy in detail
 * @devices: (nullable): of JmRunPart: its accelerators
 * @nodes: (nullable): of JmRunPart: its nodes
 * @usage: (nullable): sums
 * @means: (nullable): of the jobs of @usage
 * @is_mixed: whether @usage has energy of accelerators, and nobody read how much
 *
 * What the fields of a row are read from. */
typedef struct
{
  const JmArchiveSite *site;
  GTimeZone *zone;
  JmRun *run;
  GPtrArray *energies;
  GPtrArray *devices;
  GPtrArray *nodes;
  JmUsage *usage;
  const struct _JmCeemsMeans *means;
  gboolean is_mixed;
} JmCeemsRow;

typedef void (*JmCeemsAppendFunc) (JmJsonWriter *json,
                                   const char *name,
                                   const JmCeemsRow *row);

/* JmCeemsField:
 * @name: what it is called in answers and questions
 * @append: appends it where it is known; NULL for what nobody measures here
 * @is_always: whether it is there though it was not chosen
 * @is_of_energy: whether it takes energy in detail
 * @is_of_devices: whether it takes accelerators
 * @is_of_nodes: whether it takes nodes */
typedef struct
{
  const char *name;
  JmCeemsAppendFunc append;
  gboolean is_always;
  gboolean is_of_energy;
  gboolean is_of_devices;
  gboolean is_of_nodes;
} JmCeemsField;

/* JmCeemsFields:
 * @table: up to one without a name
 * @is_chosen: for each of @table
 * @has_energy: whether one that is chosen takes energy in detail
 * @has_devices: whether one takes accelerators
 * @has_nodes: whether one takes nodes */
typedef struct
{
  const JmCeemsField *table;
  gboolean *is_chosen;
  gboolean has_energy;
  gboolean has_devices;
  gboolean has_nodes;
} JmCeemsFields;

/* All where the query names none; a warning lists names that are not known.
 *
 * - Errors: `INVALID` where none of the names is known. */
gboolean jm_ceems_fields_init (JmCeemsFields *self,
                               const JmCeemsField *table,
                               JmCeemsAnswer *answer,
                               GError **error);

/* An object. */
void jm_ceems_fields_append (const JmCeemsFields *self,
                             GString *text,
                             const JmCeemsRow *row);

void jm_ceems_fields_clear (JmCeemsFields *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmCeemsFields, jm_ceems_fields_clear)

G_END_DECLS
