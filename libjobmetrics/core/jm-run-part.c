/* jm-run-part.c: a step, node or accelerator of a run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-run-part-private.h"

#include "core/jm-ledger-content-private.h"

#define MAX_TEXT 255
#define MAX_NUMBER (G_GINT64_CONSTANT (1) << 60)

G_DEFINE_BOXED_TYPE (JmRunPart, jm_run_part, jm_run_part_ref, jm_run_part_unref)

#include "core/jm-run-part-columns.inc"

static const struct
{
  const char *name;  /* of all of them */
  const char *table; /* of the archive */
  const JmRunPartColumn *columns;
  guint n_columns;
} kinds[JM_N_RUN_PART_KINDS] = {
#define KIND(name, table, columns)                                                     \
 {                                                                                     \
  name, table, columns, G_N_ELEMENTS (columns)                                         \
 }
  [JM_RUN_PART_KIND_STEP] = KIND ("steps", "run_step", step_columns),
  [JM_RUN_PART_KIND_NODE] = KIND ("nodes", "run_node", node_columns),
  [JM_RUN_PART_KIND_DEVICE] = KIND ("devices", "run_device", device_columns),
  [JM_RUN_PART_KIND_ENERGY] = KIND ("energy", "run_energy", energy_columns),
  [JM_RUN_PART_KIND_RECORD] = KIND ("records", "run_record", record_columns),
};

/* Creates a part of which nothing is known.
 *
 * Returns the part. */
JmRunPart *
jm_run_part_new (JmRunPartKind kind)
{
  JmRunPart *self;

  g_return_val_if_fail ((guint) kind < JM_N_RUN_PART_KINDS, NULL);

  self = g_atomic_rc_box_alloc0 (sizeof *self +
                                 kinds[kind].n_columns * sizeof *self->values);
  self->kind = kind;
  for (guint i = 0; i < kinds[kind].n_columns; i++)
    if (!kinds[kind].columns[i].is_text)
      self->values[i].number = JM_RUN_PART_UNKNOWN;

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

  for (guint i = 0; i < kinds[self->kind].n_columns; i++)
    if (kinds[self->kind].columns[i].is_text)
      g_free (self->values[i].text);
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

/* The column of a text, or of a number, counted from 1; 0 for none. */
static guint
find (const JmRunPart *self, JmQuantityId quantity, gboolean is_text)
{
  guint place = places[self->kind][quantity];

  return place > 0 && kinds[self->kind].columns[place - 1].is_text == is_text ? place
                                                                              : 0;
}

/* An empty text is not known. */
void
jm_run_part_set_text (JmRunPart *self, JmQuantityId quantity, const char *text)
{
  guint place = find (self, quantity, TRUE);
  char **kept;

  g_return_if_fail (place > 0);

  kept = &self->values[place - 1].text;
  g_clear_pointer (kept, g_free);
  if (text != NULL && *text != '\0')
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);
      glong length = g_utf8_strlen (valid, -1);

      if (quantity != JM_QUANTITY_CONTENT)
        length = MIN (length, MAX_TEXT);
      *kept = g_utf8_substring (valid, 0, length);
    }
}

/* A number that it cannot have is not known. */
void
jm_run_part_set_number (JmRunPart *self, JmQuantityId quantity, gint64 number)
{
  guint place = find (self, quantity, FALSE);

  g_return_if_fail (place > 0);

  self->values[place - 1].number =
    number < 0 || number > MAX_NUMBER ? JM_RUN_PART_UNKNOWN : number;
}

const char *
jm_run_part_peek_text (const JmRunPart *self, JmQuantityId quantity)
{
  guint place = find (self, quantity, TRUE);

  return place > 0 ? self->values[place - 1].text : NULL;
}

gint64
jm_run_part_peek (const JmRunPart *self, JmQuantityId quantity)
{
  guint place = find (self, quantity, FALSE);

  return place > 0 ? self->values[place - 1].number : JM_RUN_PART_UNKNOWN;
}

JmFigure
jm_run_part_peek_figure (const JmRunPart *self, JmQuantityId quantity)
{
  gint64 number = jm_run_part_peek (self, quantity);

  if (number == JM_RUN_PART_UNKNOWN)
    return (JmFigure){ 0 };

  return jm_figure_known (
    (double) number /
    kinds[self->kind].columns[places[self->kind][quantity] - 1].parts);
}

static const JmRunPartColumn *
find_named (const JmRunPart *self, const char *name)
{
  for (guint i = 0; i < kinds[self->kind].n_columns; i++)
    if (g_str_equal (jm_quantity_get (kinds[self->kind].columns[i].quantity)->name,
                     name))
      return &kinds[self->kind].columns[i];

  return NULL;
}

/**
 * jm_run_part_get_text:
 * @self: a part
 * @quantity: the name of a quantity, such as `node`
 *
 * Gets a text.
 *
 * Returns: (nullable): the text; %NULL where it is not known, or @quantity is no text
 *   of such a part
 * Since: 0.1
 */
const char *
jm_run_part_get_text (JmRunPart *self, const char *quantity)
{
  const JmRunPartColumn *column;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (quantity != NULL, NULL);

  column = find_named (self, quantity);

  return column != NULL ? jm_run_part_peek_text (self, column->quantity) : NULL;
}

/**
 * jm_run_part_get_value:
 * @self: a part
 * @quantity: the name of a quantity, such as `cpu_seconds`
 * @value: (out): return location for it, in the base unit that the name ends in
 *
 * Gets a figure.
 *
 * Returns: whether it is known
 * Since: 0.1
 */
gboolean
jm_run_part_get_value (JmRunPart *self, const char *quantity, double *value)
{
  JmFigure figure;

  g_return_val_if_fail (value != NULL, FALSE);

  figure = jm_run_part_get_figure (self, quantity);
  *value = figure.value;

  return figure.is_known;
}

/**
 * jm_run_part_get_figure: (skip)
 * @self: a part
 * @quantity: the name of a quantity, such as `cpu_seconds`
 *
 * Gets a figure.
 *
 * Returns: the figure, in the base unit that the name ends in; absent where it is not
 *   known, or @quantity is no figure of such a part
 * Since: 0.1
 */
JmFigure
jm_run_part_get_figure (JmRunPart *self, const char *quantity)
{
  const JmRunPartColumn *column;

  g_return_val_if_fail (self != NULL, (JmFigure){ 0 });
  g_return_val_if_fail (quantity != NULL, (JmFigure){ 0 });

  column = find_named (self, quantity);

  return column != NULL ? jm_run_part_peek_figure (self, column->quantity)
                        : (JmFigure){ 0 };
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
  jm_run_part_set_text (self, JM_QUANTITY_CONTENT, text);

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

  text = jm_run_part_peek_text (self, JM_QUANTITY_CONTENT);
  data = g_base64_decode (text != NULL ? text : "", &size);
  packed = g_bytes_new_take (data, size);

  return jm_ledger_content_unpack (packed, 0,
                                   jm_run_part_peek_text (self, JM_QUANTITY_NODE),
                                   error);
}

/* --- tables --- */

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
jm_run_part_kind_has (JmRunPartKind kind, JmQuantityId quantity)
{
  return places[kind][quantity] > 0;
}

const JmRunPartColumn *
jm_run_part_kind_get_columns (JmRunPartKind kind, guint *n_columns)
{
  *n_columns = kinds[kind].n_columns;

  return kinds[kind].columns;
}

void
jm_run_part_kind_append_columns (JmRunPartKind kind, GString *sql)
{
  g_string_append (sql, "run_id");
  for (guint i = 0; i < kinds[kind].n_columns; i++)
    g_string_append_printf (sql, ", %s", kinds[kind].columns[i].name);
}

/**
 * jm_run_part_kind_list_quantities:
 * @kind: a kind of parts
 *
 * Lists what may be known of such parts: what says which part it is comes first.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_run_part_kind_list_quantities (JmRunPartKind kind)
{
  GPtrArray *list;

  g_return_val_if_fail ((guint) kind < JM_N_RUN_PART_KINDS, NULL);

  list = g_ptr_array_sized_new (kinds[kind].n_columns);
  for (guint i = 0; i < kinds[kind].n_columns; i++)
    g_ptr_array_add (list,
                     (gpointer) jm_quantity_get (kinds[kind].columns[i].quantity));

  return list;
}
