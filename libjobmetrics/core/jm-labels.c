/* jm-labels.c: the values that distinguish the figures of one metric
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-labels.h"

#include <stdarg.h>
#include <string.h>

#define MAX_SIZE 16

struct _JmLabels
{
  int n_refs;
  guint size;
  guint hash;
  const char *const
    *values; /* NULL-terminated; behind the record, as their bytes are */
};

G_DEFINE_BOXED_TYPE (JmLabels, jm_labels, jm_labels_ref, jm_labels_unref)

/* All labels that somebody holds, without a reference of its own. It is no state that
 * anybody could observe but by the address of labels, which is what it is for: what is
 * in it never changes, and what nobody holds is not in it. */
static GHashTable *labels_held;
static GMutex labels_lock;

/* FNV-1a; the byte that ends a value keeps ("ab", "c") and ("a", "bc") apart. */
static guint
hash_values (const char *const *values, guint size)
{
  guint hash = 2166136261u;

  for (guint i = 0; i < size; i++)
    {
      const char *p = values[i];

      do
        hash = (hash ^ (guint8) *p) * 16777619u;
      while (*p++ != '\0');
    }

  return hash;
}

static guint
hash_held (gconstpointer self)
{
  return ((const JmLabels *) self)->hash;
}

static gboolean
equal_held (gconstpointer a, gconstpointer b)
{
  const JmLabels *one = a;
  const JmLabels *other = b;

  if (one->size != other->size || one->hash != other->hash)
    return FALSE;

  for (guint i = 0; i < one->size; i++)
    if (strcmp (one->values[i], other->values[i]) != 0)
      return FALSE;

  return TRUE;
}

/* One block holds the record, the pointers and the bytes that they point to. */
static JmLabels *
copy_labels (const JmLabels *other)
{
  gsize n_pointers = sizeof (JmLabels) + (other->size + 1) * sizeof (char *);
  gsize length = n_pointers;
  JmLabels *self;
  const char **values;
  char *text;

  for (guint i = 0; i < other->size; i++)
    length += strlen (other->values[i]) + 1;

  self = g_malloc (length);
  values = (const char **) (self + 1);
  text = (char *) self + n_pointers;
  *self = (JmLabels){ 1, other->size, other->hash, values };
  for (guint i = 0; i < other->size; i++)
    {
      values[i] = text;
      text = g_stpcpy (text, other->values[i]) + 1;
    }
  values[other->size] = NULL;

  return self;
}

/* Takes a reference of the labels of @wanted's values, or copies them. */
static JmLabels *
intern (const JmLabels *wanted, gboolean may_copy)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&labels_lock);
  JmLabels *self;

  if (labels_held == NULL)
    labels_held = g_hash_table_new (hash_held, equal_held);

  self = g_hash_table_lookup (labels_held, wanted);
  if (self != NULL)
    return jm_labels_ref (self);
  if (!may_copy)
    return NULL;

  self = copy_labels (wanted);
  g_hash_table_add (labels_held, self);

  return self;
}

static gboolean
are_valid (const char *const *values)
{
  for (guint i = 0; values[i] != NULL; i++)
    if (!g_utf8_validate (values[i], -1, NULL))
      return FALSE;

  return TRUE;
}

static JmLabels *
new_of_valid (const char *const *values, guint size)
{
  JmLabels wanted = { 0, size, hash_values (values, size), values };

  return intern (&wanted, TRUE);
}

static JmLabels *
new_of_any (const char *const *values, guint size)
{
  g_auto (GStrv) valid = g_new0 (char *, size + 1);

  for (guint i = 0; i < size; i++)
    valid[i] = g_utf8_make_valid (values[i], -1);

  return new_of_valid ((const char *const *) valid, size);
}

/**
 * jm_labels_new: (constructor)
 * @values: (array zero-terminated=1): the values, at least one; what is no UTF-8 in one
 *   is replaced by U+FFFD
 *
 * Takes a reference of the labels of those values, which are made if there are none.
 *
 * Returns: (transfer full): the labels
 * Since: 0.1
 */
JmLabels *
jm_labels_new (const char *const *values)
{
  guint size;
  JmLabels *self;
  JmLabels wanted;

  g_return_val_if_fail (values != NULL, NULL);
  g_return_val_if_fail (values[0] != NULL, NULL);

  size = g_strv_length ((char **) values);
  wanted = (JmLabels){ 0, size, hash_values (values, size), values };

  /* those that are held are valid: what equals them needs no second look */
  self = intern (&wanted, FALSE);
  if (self != NULL)
    return self;

  return are_valid (values) ? new_of_valid (values, size) : new_of_any (values, size);
}

/**
 * jm_labels_of: (skip)
 * @value: the first value
 * @...: the others, at most 15, and %NULL
 *
 * Does what jm_labels_new() does, for values that are known one by one.
 *
 * Returns: (transfer full): the labels
 * Since: 0.1
 */
JmLabels *
jm_labels_of (const char *value, ...)
{
  const char *values[MAX_SIZE + 1] = { value };
  guint size = 0;
  va_list others;

  va_start (others, value);
  while (values[size] != NULL && size < MAX_SIZE)
    values[++size] = va_arg (others, const char *);
  va_end (others);

  g_return_val_if_fail (values[size] == NULL, NULL);

  return jm_labels_new (values);
}

/**
 * jm_labels_ref:
 * @self: labels
 *
 * Takes a reference; another thread may do so too.
 *
 * Returns: (transfer full): the same labels
 * Since: 0.1
 */
JmLabels *
jm_labels_ref (JmLabels *self)
{
  g_atomic_int_inc (&self->n_refs);

  return self;
}

/* The last reference is given back under the lock, so that nobody finds labels that are
 * about to go. */
static gboolean
unref_shared (JmLabels *self)
{
  int n_refs = g_atomic_int_get (&self->n_refs);

  while (n_refs > 1)
    {
      if (g_atomic_int_compare_and_exchange (&self->n_refs, n_refs, n_refs - 1))
        return TRUE;
      n_refs = g_atomic_int_get (&self->n_refs);
    }

  return FALSE;
}

/**
 * jm_labels_unref:
 * @self: (transfer full): labels
 *
 * Gives a reference back.
 *
 * Since: 0.1
 */
void
jm_labels_unref (JmLabels *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  if (unref_shared (self))
    return;

  locker = g_mutex_locker_new (&labels_lock);
  if (!g_atomic_int_dec_and_test (&self->n_refs))
    return;

  g_hash_table_remove (labels_held, self);
  g_free (self);
}

/**
 * jm_labels_get_size:
 * @self: labels
 *
 * Gets how many values there are.
 *
 * Returns: the number, at least 1
 * Since: 0.1
 */
guint
jm_labels_get_size (JmLabels *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->size;
}

/**
 * jm_labels_get_value:
 * @self: labels
 * @i: which of them, the first being 0
 *
 * Gets one value.
 *
 * Returns: the value, valid UTF-8
 * Since: 0.1
 */
const char *
jm_labels_get_value (JmLabels *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->size, NULL);

  return self->values[i];
}

/**
 * jm_labels_get_values:
 * @self: labels
 *
 * Gets all values.
 *
 * Returns: (transfer none) (array zero-terminated=1): the values, valid UTF-8
 * Since: 0.1
 */
const char *const *
jm_labels_get_values (JmLabels *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->values;
}
