/* jm-tsdb-series.c: values over time, as a time series database has them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-tsdb-series-private.h"

G_DEFINE_BOXED_TYPE (JmTsdbSeries,
                     jm_tsdb_series,
                     jm_tsdb_series_ref,
                     jm_tsdb_series_unref)

JmTsdbSeries *
jm_tsdb_series_new (void)
{
  JmTsdbSeries *self = g_atomic_rc_box_new0 (JmTsdbSeries);

  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->points = g_array_new (FALSE, FALSE, sizeof (JmTsdbPoint));

  return self;
}

JmTsdbSeries *
jm_tsdb_series_ref (JmTsdbSeries *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmTsdbSeries *self = data;

  g_free (self->name);
  g_hash_table_unref (self->labels);
  g_array_unref (self->points);
}

/**
 * jm_tsdb_series_unref:
 * @self: (transfer full): a series
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_tsdb_series_unref (JmTsdbSeries *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_tsdb_series_get_name:
 * @self: a series
 *
 * Gets what a series is called: its metric, or of the course of a run what it is,
 * such as `cpu`.
 *
 * Returns: (nullable): the name; %NULL of what has been reckoned
 * Since: 0.1
 */
const char *
jm_tsdb_series_get_name (JmTsdbSeries *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * jm_tsdb_series_get_unit:
 * @self: a series
 *
 * Gets what the values of a series are counted in, such as `watts`.
 *
 * Returns: (nullable): the unit; %NULL where it is unknown
 * Since: 0.1
 */
const char *
jm_tsdb_series_get_unit (JmTsdbSeries *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->unit;
}

/**
 * jm_tsdb_series_get_label:
 * @self: a series
 * @label: name of a label
 *
 * Gets the value of a label.
 *
 * Returns: (nullable): the value; %NULL where it has no such label
 * Since: 0.1
 */
const char *
jm_tsdb_series_get_label (JmTsdbSeries *self, const char *label)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (label != NULL, NULL);

  return g_hash_table_lookup (self->labels, label);
}

static int
compare (gconstpointer one, gconstpointer other)
{
  return g_strcmp0 (*(char *const *) one, *(char *const *) other);
}

/**
 * jm_tsdb_series_list_labels:
 * @self: a series
 *
 * Lists the labels of a series, sorted.
 *
 * Returns: (transfer full): their names
 * Since: 0.1
 */
char **
jm_tsdb_series_list_labels (JmTsdbSeries *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_return_val_if_fail (self != NULL, NULL);

  g_hash_table_iter_init (&iter, self->labels);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare);
  g_ptr_array_add (names, NULL);

  return (char **) g_ptr_array_steal (names, NULL);
}

/**
 * jm_tsdb_series_get_n_points:
 * @self: a series
 *
 * Counts the points of a series.
 *
 * Returns: how many
 * Since: 0.1
 */
guint
jm_tsdb_series_get_n_points (JmTsdbSeries *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->points->len;
}

/**
 * jm_tsdb_series_get_point:
 * @self: a series
 * @i: which point, counted from 0
 * @time: (out): return location for when it was, seconds since 1970
 * @value: (out): return location for what it was then, which may be no number, or none
 *   that ends
 *
 * Gets a point.
 *
 * Since: 0.1
 */
void
jm_tsdb_series_get_point (JmTsdbSeries *self, guint i, double *time, double *value)
{
  const JmTsdbPoint *point;

  g_return_if_fail (self != NULL);
  g_return_if_fail (i < self->points->len);
  g_return_if_fail (time != NULL && value != NULL);

  point = jm_tsdb_series_peek (self, i);
  *time = point->time;
  *value = point->value;
}
