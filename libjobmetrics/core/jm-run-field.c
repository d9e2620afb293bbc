/* jm-run-field.c: what an accounting database keeps of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-field-private.h"

#include "core/jm-quantity-private.h"

static const struct
{
  JmQuantityId quantity;
  const char *name;
  gint64 max;
  guint place; /* of its origin, in the column of origins */
  guint parts; /* of the quantity's unit, in the column */
} fields[JM_N_RUN_FIELDS] = {
#include "core/jm-run-fields.inc"
};

const JmQuantity *
jm_run_field_get_quantity (JmRunField field)
{
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS, NULL);

  return jm_quantity_get (fields[field].quantity);
}

/* Gets the name of a field: that of its column.
 *
 * Returns the name. */
const char *
jm_run_field_get_name (JmRunField field)
{
  g_return_val_if_fail ((guint) field < JM_N_RUN_FIELDS, NULL);

  return fields[field].name;
}

/* Looks a field up by its name.
 *
 * Returns whether there is one. */
gboolean
jm_run_field_from_name (const char *name, JmRunField *field)
{
  g_return_val_if_fail (name != NULL, FALSE);

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    if (g_str_equal (fields[i].name, name))
      {
        if (field != NULL)
          *field = (JmRunField) i;
        return TRUE;
      }

  return FALSE;
}

/* Whether a field is what a run has used; else it is who or when the run was.
 *
 * Returns whether it is. */
gboolean
jm_run_field_is_figure (JmRunField field)
{
  return field >= JM_FIRST_RUN_FIGURE && field < JM_N_RUN_FIELDS;
}

/* Gets the name of a source, such as `ledger`.
 *
 * Returns the name. */
const char *
jm_run_source_get_name (JmRunSource source)
{
  static const char *const names[JM_N_RUN_SOURCES] = { "none", "accounting",
                                                       "time-series", "ledger" };

  g_return_val_if_fail ((guint) source < JM_N_RUN_SOURCES, NULL);

  return names[source];
}

guint
jm_run_field_get_place (JmRunField field)
{
  return fields[field].place;
}

guint
jm_run_field_get_parts (JmRunField field)
{
  return fields[field].parts;
}

gint64
jm_run_field_get_max (JmRunField field)
{
  return fields[field].max;
}

gboolean
jm_run_field_is_time (JmRunField field)
{
  return jm_quantity_get (fields[field].quantity)->format == JM_FORMAT_TIME;
}

guint
jm_run_field_get_rank (JmRunField field, JmRunSource source)
{
  static const guint of_facts[JM_N_RUN_SOURCES] = {
    [JM_RUN_SOURCE_TIME_SERIES] = 1,
    [JM_RUN_SOURCE_LEDGER] = 2,
    [JM_RUN_SOURCE_ACCOUNTING] = 3,
  };

  return jm_run_field_is_figure (field) ? source : of_facts[source];
}

void
jm_run_field_append_columns (GString *sql)
{
  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", fields[i].name);
}
