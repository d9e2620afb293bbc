/* jm-field-table-private.h: the fields that there are
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-field.h"
#include "core/jm-quantity-private.h"

G_BEGIN_DECLS

/* All fields: first those of a job's identity, by their numbers. Made of other tables
 * at the first call, and constant from then on. */
const JmField *jm_field_table_get (guint *n_fields);

/* NULL where it is not known. */
char *jm_field_get_text (const JmField *self, JmSnapshot *snapshot, guint subject);

/* A figure with its unit; NULL where it is not known. */
char *jm_field_to_string (const JmField *self, JmSnapshot *snapshot, guint subject);

G_END_DECLS
