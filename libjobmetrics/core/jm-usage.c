/* jm-usage.c: what users and accounts have used over days
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-usage-private.h"

#include <math.h>

#include "core/jm-quantity-private.h"

#define MILLION 1000000
#define DAY_SECONDS 86400
#define MAX_WHOLE 9.2e18 /* that 64 bits hold */

static const struct
{
  JmQuantityId quantity;
  const char *column;
  const char *count; /* column of the runs that it was measured of */
  gboolean is_in_millionths;
  guint unit; /* of the column, in that of the quantity */
} quantities[JM_N_USAGE_QUANTITIES] = {
#include "core/jm-usage.inc"
};

/**
 * jm_usage_quantity_get_quantity:
 * @quantity: what is added up
 *
 * Gets its name, and what people read of it.
 *
 * Returns: (transfer none): the quantity
 * Since: 0.1
 */
const JmQuantity *
jm_usage_quantity_get_quantity (JmUsageQuantity quantity)
{
  g_return_val_if_fail ((guint) quantity < JM_N_USAGE_QUANTITIES, NULL);

  return jm_quantity_get (quantities[quantity].quantity);
}

G_DEFINE_BOXED_TYPE (JmUsage, jm_usage, jm_usage_ref, jm_usage_unref)

/**
 * jm_usage_ref:
 * @self: a sum
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 * Since: 0.1
 */
JmUsage *
jm_usage_ref (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  JmUsage *self = data;

  g_free (self->cluster);
  g_free (self->user);
  g_free (self->account);
  g_free (self->partition);
}

/**
 * jm_usage_unref:
 * @self: (transfer full): a sum
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_usage_unref (JmUsage *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_usage_get_cluster:
 * @self: a sum
 *
 * Gets the cluster of it.
 *
 * Returns: (nullable): its name; %NULL where it is of all
 * Since: 0.1
 */
const char *
jm_usage_get_cluster (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->cluster;
}

/**
 * jm_usage_get_user:
 * @self: a sum
 *
 * Gets the user of it.
 *
 * Returns: (nullable): the name, which is empty where none is known; %NULL where it is
 *   of all
 * Since: 0.1
 */
const char *
jm_usage_get_user (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->user;
}

/**
 * jm_usage_get_account:
 * @self: a sum
 *
 * Gets the account of it.
 *
 * Returns: (nullable): the name, which is empty where none is known; %NULL where it is
 *   of all
 * Since: 0.1
 */
const char *
jm_usage_get_account (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->account;
}

/**
 * jm_usage_get_partition:
 * @self: a sum
 *
 * Gets the partition of it.
 *
 * Returns: (nullable): the name, which is empty where none is known; %NULL where it is
 *   of all
 * Since: 0.1
 */
const char *
jm_usage_get_partition (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->partition;
}

/**
 * jm_usage_get_day:
 * @self: a sum
 *
 * Gets the day of it.
 *
 * Returns: when it begins by UTC, seconds since 1970; -1 where it is of all days
 * Since: 0.1
 */
gint64
jm_usage_get_day (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->day < 0 ? -1 : self->day * DAY_SECONDS;
}

/* Of runs that were deleted before they were counted there is the sum alone. */
static gboolean
is_known (const JmUsage *self, JmUsageQuantity quantity)
{
  return quantity < JM_USAGE_FIRST_MEASURED || self->whole[quantity] != 0 ||
         self->millionths[quantity] != 0 ||
         self->n_measured[quantity - JM_USAGE_FIRST_MEASURED] > 0;
}

/**
 * jm_usage_get_amount:
 * @self: a sum
 * @quantity: of what
 *
 * Gets how much it is. What nobody knew of a run counts for nothing in it.
 *
 * Returns: the amount, in the quantity's unit; NaN for CPU time, energy and emissions
 *   where nobody knew it of any run
 * Since: 0.1
 */
double
jm_usage_get_amount (JmUsage *self, JmUsageQuantity quantity)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail ((guint) quantity < JM_N_USAGE_QUANTITIES, 0);

  if (!is_known (self, quantity))
    return NAN;

  return (double) self->whole[quantity] * quantities[quantity].unit +
         (double) self->millionths[quantity] / MILLION;
}

JmUsage *
jm_usage_new (void)
{
  JmUsage *self = g_atomic_rc_box_new0 (JmUsage);

  self->day = -1;

  return self;
}

gboolean
jm_usage_set_amount (JmUsage *self, JmUsageQuantity quantity, double amount)
{
  double whole = floor (amount / quantities[quantity].unit);
  gint64 millionths;

  if (!(whole >= 0 && whole < MAX_WHOLE))
    return FALSE;

  millionths = quantities[quantity].is_in_millionths
                 ? (gint64) round ((amount - whole) * MILLION)
                 : 0;
  self->whole[quantity] = (gint64) whole + millionths / MILLION;
  self->millionths[quantity] = millionths % MILLION;
  if (quantity >= JM_USAGE_FIRST_MEASURED)
    self->n_measured[quantity - JM_USAGE_FIRST_MEASURED] = 1;

  return TRUE;
}

const char *
jm_usage_get_column (guint column)
{
  return column < JM_N_USAGE_QUANTITIES
           ? quantities[column].column
           : quantities[column - JM_N_USAGE_MEASURED].count;
}

gboolean
jm_usage_quantity_is_in_millionths (JmUsageQuantity quantity)
{
  return quantities[quantity].is_in_millionths;
}
