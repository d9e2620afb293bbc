/* jm-quantity.c: what can be known of a subject
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-quantity-private.h"

static const JmQuantity quantities[JM_N_QUANTITIES] = {
#include "core/jm-quantities.inc"
};

static const JmRunQuantity of_runs[] = {
#include "core/jm-run-quantities.inc"
};

/* There is one of each, for good. */
static JmQuantity *
share (JmQuantity *self)
{
  return self;
}

static void
leave (JmQuantity *self)
{
}

G_DEFINE_BOXED_TYPE (JmQuantity, jm_quantity, share, leave)

const JmQuantity *
jm_quantity_get (JmQuantityId id)
{
  return &quantities[id];
}

JmQuantityId
jm_quantity_get_id (const JmQuantity *self)
{
  return (JmQuantityId) (self - quantities);
}

const JmRunQuantity *
jm_quantity_get_run_quantities (guint *n_quantities)
{
  *n_quantities = G_N_ELEMENTS (of_runs);

  return of_runs;
}

/**
 * jm_quantity_of_metric:
 * @metric: a metric
 *
 * Gets the quantity of which the metric has figures.
 *
 * Returns: (transfer none): the quantity
 * Since: 0.1
 */
const JmQuantity *
jm_quantity_of_metric (JmMetric metric)
{
  g_return_val_if_fail ((guint) metric < JM_N_METRICS, NULL);

  return &quantities[metric];
}

/**
 * jm_quantity_of_run:
 * @name: a name, such as `cpu_efficiency_percent`
 *
 * Looks up what a report of a run may have: see jm_run_report_get_value().
 *
 * Returns: (transfer none) (nullable): the quantity; %NULL where runs have none of this
 *   name
 * Since: 0.1
 */
const JmQuantity *
jm_quantity_of_run (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (of_runs); i++)
    if (g_str_equal (quantities[of_runs[i].id].name, name))
      return &quantities[of_runs[i].id];

  return NULL;
}

/**
 * jm_quantity_list_of_runs:
 *
 * Lists what a report of a run may have.
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_quantity_list_of_runs (void)
{
  GPtrArray *list = g_ptr_array_sized_new (G_N_ELEMENTS (of_runs));

  for (guint i = 0; i < G_N_ELEMENTS (of_runs); i++)
    g_ptr_array_add (list, (gpointer) &quantities[of_runs[i].id]);

  return list;
}

/* In capitals or not, as above a column, and as on /metrics. */
static gboolean
is_same_name (const char *name, const char *typed, JmFormat format)
{
  for (; *name != '\0' && *typed != '\0'; name++, typed++)
    if (*name != (*typed == '-' ? '_' : g_ascii_tolower (*typed)))
      return FALSE;

  return *name == '\0' && (*typed == '\0' || g_str_equal (typed, "_total") ||
                           (format == JM_FORMAT_PERCENT && g_str_equal (typed, "%")));
}

/**
 * jm_quantity_is_called:
 * @self: a quantity
 * @typed: a name as people type it
 *
 * Finds out whether the name is the quantity's, be it the short one or the heading, in
 * capitals or not.
 *
 * Returns: whether it is
 * Since: 0.1
 */
gboolean
jm_quantity_is_called (const JmQuantity *self, const char *typed)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (typed != NULL, FALSE);

  return g_ascii_strcasecmp (self->heading, typed) == 0 ||
         is_same_name (self->name, typed, self->format) ||
         (self->short_name != NULL &&
          is_same_name (self->short_name, typed, self->format));
}
