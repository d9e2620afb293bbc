/* jm-run-part.c: a step, node or accelerator of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-part-private.h"

#include "core/jm-ledger-content-private.h"

#define MAX_TEXT 255
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 60)

#define OF(kind) (1u << JM_RUN_PART_KIND_##kind)

G_DEFINE_BOXED_TYPE (JmRunPart, jm_run_part, jm_run_part_ref, jm_run_part_unref)

static const struct
{
  JmQuantityId quantity;
  const char *name; /* of its column */
  guint kinds;
  /* the database's version that has it; 0 for one of the first tables */
  guint since[JM_N_RUN_PART_KINDS];
  guint parts; /* of the quantity's unit, in the column */
} fields[JM_N_RUN_PART_FIELDS] = {
#include "core/jm-run-part-fields.inc"
};

/* Gets the name of a field: that of its column.
 *
 * Returns the name. */
const char *
jm_run_part_field_get_name (JmRunPartField field)
{
  g_return_val_if_fail ((guint) field < JM_N_RUN_PART_FIELDS, NULL);

  return fields[field].name;
}

/* Creates a part of which nothing is known.
 *
 * Returns the part. */
JmRunPart *
jm_run_part_new (JmRunPartKind kind)
{
  JmRunPart *self;

  g_return_val_if_fail ((guint) kind < JM_N_RUN_PART_KINDS, NULL);

  self = g_atomic_rc_box_new0 (JmRunPart);
  self->kind = kind;
  for (guint i = 0; i < JM_N_RUN_PART_NUMBERS; i++)
    self->numbers[i] = JM_RUN_PART_UNKNOWN;

  return self;
}

/**
 * jm_run_part_ref:
 * @self: a part
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 * Since: 0.1
 */
JmRunPart *
jm_run_part_ref (JmRunPart *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmRunPart *self = data;

  for (guint i = 0; i < JM_N_RUN_PART_TEXTS; i++)
    g_free (self->texts[i]);
}

/**
 * jm_run_part_unref:
 * @self: (transfer full): a part
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_part_unref (JmRunPart *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_run_part_get_kind:
 * @self: a part
 *
 * Gets what of a run it is.
 *
 * Returns: the kind
 * Since: 0.1
 */
JmRunPartKind
jm_run_part_get_kind (JmRunPart *self)
{
  g_return_val_if_fail (self != NULL, JM_RUN_PART_KIND_STEP);

  return self->kind;
}

/* Sets a field. */
void
jm_run_part_set_text (JmRunPart *self, JmRunPartField field, const char *text)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((guint) field < JM_N_RUN_PART_TEXTS);
  g_return_if_fail (jm_run_part_kind_has (self->kind, field));

  g_free (self->texts[field]);
  self->texts[field] = NULL;
  if (text != NULL && *text != '\0')
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);
      glong length = g_utf8_strlen (valid, -1);

      if (field != JM_RUN_PART_FIELD_CONTENT)
        length = MIN (length, MAX_TEXT);
      self->texts[field] = g_utf8_substring (valid, 0, length);
    }
}

/* Sets a field. A number that it cannot have is not known. */
void
jm_run_part_set_number (JmRunPart *self, JmRunPartField field, gint64 number)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (field >= JM_N_RUN_PART_TEXTS && field < JM_N_RUN_PART_FIELDS);
  g_return_if_fail (jm_run_part_kind_has (self->kind, field));

  self->numbers[field - JM_N_RUN_PART_TEXTS] =
    number < 0 || number > MAX_NUMBER ? JM_RUN_PART_UNKNOWN : number;
}

/**
 * jm_run_part_get_text:
 * @self: a part
 * @field: a field that is text
 *
 * Gets a field.
 *
 * Returns: (nullable): what it is; %NULL where it is not known
 * Since: 0.1
 */
const char *
jm_run_part_get_text (JmRunPart *self, JmRunPartField field)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) field < JM_N_RUN_PART_TEXTS, NULL);

  return self->texts[field];
}

/**
 * jm_run_part_get_number:
 * @self: a part
 * @field: a field that is a number
 * @number: (out): return location for it, in the field's unit
 *
 * Gets a field.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_part_get_number (JmRunPart *self, JmRunPartField field, gint64 *number)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (field >= JM_N_RUN_PART_TEXTS && field < JM_N_RUN_PART_FIELDS,
                        FALSE);
  g_return_val_if_fail (number != NULL, FALSE);

  *number = MAX (jm_run_part_peek (self, field), 0);

  return jm_run_part_peek (self, field) != JM_RUN_PART_UNKNOWN;
}

const JmQuantity *
jm_run_part_field_get_quantity (JmRunPartField field)
{
  return jm_quantity_get (fields[field].quantity);
}

JmFigure
jm_run_part_get_figure (JmRunPart *self, JmRunPartField field)
{
  gint64 number;

  if (field < JM_N_RUN_PART_TEXTS || !jm_run_part_get_number (self, field, &number))
    return (JmFigure){ 0 };

  return jm_figure_known ((double) number / fields[field].parts);
}

/* --- records --- */

gboolean
jm_run_part_set_record (JmRunPart *self, JmJobRecord *record)
{
  g_autoptr (GBytes) packed = jm_ledger_content_pack (record, NULL);
  g_autofree char *text = NULL;

  if (packed == NULL)
    return FALSE;
  text = g_base64_encode (g_bytes_get_data (packed, NULL), g_bytes_get_size (packed));
  jm_run_part_set_text (self, JM_RUN_PART_FIELD_CONTENT, text);

  return TRUE;
}

/* Unpacks the record of a node.
 *
 * - Errors: `MALFORMED`, with the node's name.
 *
 * Returns the record. */
JmJobRecord *
jm_run_part_get_record (JmRunPart *self, GError **error)
{
  const char *text;
  g_autoptr (GBytes) packed = NULL;
  guchar *data;
  gsize size;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (self->kind == JM_RUN_PART_KIND_RECORD, NULL);

  text = self->texts[JM_RUN_PART_FIELD_CONTENT];
  data = g_base64_decode (text != NULL ? text : "", &size);
  packed = g_bytes_new_take (data, size);

  return jm_ledger_content_unpack (packed, 0, self->texts[JM_RUN_PART_FIELD_NODE],
                                   error);
}

/* --- tables --- */

static const struct
{
  const char *name;  /* of all of them */
  const char *table; /* of the archive */
} kinds[JM_N_RUN_PART_KINDS] = {
  [JM_RUN_PART_KIND_STEP] = { "steps", "run_step" },
  [JM_RUN_PART_KIND_NODE] = { "nodes", "run_node" },
  [JM_RUN_PART_KIND_DEVICE] = { "devices", "run_device" },
  [JM_RUN_PART_KIND_ENERGY] = { "energy", "run_energy" },
  [JM_RUN_PART_KIND_RECORD] = { "records", "run_record" },
};

const char *
jm_run_part_kind_get_name (JmRunPartKind kind)
{
  return kinds[kind].name;
}

const char *
jm_run_part_kind_get_table (JmRunPartKind kind)
{
  return kinds[kind].table;
}

gboolean
jm_run_part_kind_has (JmRunPartKind kind, JmRunPartField field)
{
  return (fields[field].kinds & 1u << kind) != 0;
}

gboolean
jm_run_part_kind_find (JmRunPartKind kind, JmQuantityId quantity, JmRunPartField *field)
{
  for (guint i = 0; i < JM_N_RUN_PART_FIELDS; i++)
    if (fields[i].quantity == quantity && jm_run_part_kind_has (kind, i))
      {
        *field = i;
        return TRUE;
      }

  return FALSE;
}

void
jm_run_part_kind_append_columns (JmRunPartKind kind, GString *sql)
{
  g_string_append (sql, "run_id");
  for (guint i = 0; i < JM_N_RUN_PART_FIELDS; i++)
    if (jm_run_part_kind_has (kind, i))
      g_string_append_printf (sql, ", %s", fields[i].name);
}

guint
jm_run_part_get_last_version (void)
{
  guint last = 0;

  for (guint i = 0; i < JM_N_RUN_PART_FIELDS; i++)
    for (guint kind = 0; kind < JM_N_RUN_PART_KINDS; kind++)
      last = MAX (last, fields[i].since[kind]);

  return last;
}

void
jm_run_part_append_new_columns (guint version, GString *sql)
{
  for (guint kind = 0; kind < JM_N_RUN_PART_KINDS; kind++)
    for (guint i = 0; i < JM_N_RUN_PART_FIELDS; i++)
      if (jm_run_part_kind_has (kind, i) && fields[i].since[kind] == version)
        g_string_append_printf (sql, "ALTER TABLE %s ADD COLUMN %s %s;",
                                kinds[kind].table, fields[i].name,
                                i < JM_N_RUN_PART_TEXTS ? "TEXT" : "INTEGER");
}
