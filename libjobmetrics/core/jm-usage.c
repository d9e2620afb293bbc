/* jm-usage.c: what users and accounts have used over days
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-usage-private.h"

#include <math.h>

#include "base/jm-error.h"
#include "core/jm-quantity-private.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-private.h"

#define MILLION 1000000
#define DAY_SECONDS 86400
#define MAX_WHOLE 9.2e18 /* that 64 bits hold */

/* --- groups --- */

static JmUsageGroups
find_group (const char *name)
{
  static const struct
  {
    const char *name;
    JmUsageGroups group;
  } groups[] = {
    { "cluster", JM_USAGE_GROUPS_CLUSTER }, { "user", JM_USAGE_GROUPS_USER },
    { "account", JM_USAGE_GROUPS_ACCOUNT }, { "partition", JM_USAGE_GROUPS_PARTITION },
    { "node", JM_USAGE_GROUPS_NODE },       { "day", JM_USAGE_GROUPS_DAY },
    { "month", JM_USAGE_GROUPS_MONTH },     { "name", JM_USAGE_GROUPS_NAME },
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (g_str_equal (groups[i].name, name))
      return groups[i].group;

  return JM_USAGE_GROUPS_NONE;
}

/**
 * jm_usage_groups_parse:
 * @text: names with commas between them, such as `account,month`
 * @groups: (out): what they stand for
 * @error: return location for an error
 *
 * Reads what sums are to be kept apart by.
 *
 * Returns: (skip): whether all names are those of groups; else %JM_ERROR_INVALID is
 *   set
 * Since: 0.1
 */
gboolean
jm_usage_groups_parse (const char *text, JmUsageGroups *groups, GError **error)
{
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (groups != NULL, FALSE);

  names = g_strsplit (text, ",", -1);
  *groups = JM_USAGE_GROUPS_NONE;
  for (char **name = names; *name != NULL; name++)
    {
      const JmUsageGroups group = find_group (*name);

      if (group == JM_USAGE_GROUPS_NONE)
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                       "'%s': none of cluster, user, account, partition, node, day, "
                       "month and name",
                       *name);
          return FALSE;
        }
      *groups |= group;
    }

  return TRUE;
}

/* --- sums of days --- */

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

const JmQuantity *
jm_usage_quantity_get_quantity (JmUsageQuantity quantity)
{
  g_return_val_if_fail ((guint) quantity < JM_N_USAGE_QUANTITIES, NULL);

  return jm_quantity_get (quantities[quantity].quantity);
}

G_DEFINE_BOXED_TYPE (JmUsage, jm_usage, jm_usage_ref, jm_usage_unref)

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

const char *
jm_usage_get_cluster (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->cluster;
}

const char *
jm_usage_get_user (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->user;
}

const char *
jm_usage_get_account (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->account;
}

const char *
jm_usage_get_partition (JmUsage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->partition;
}

/**
 * jm_usage_get_name:
 * @self: a sum
 * @group: one of cluster, user, account and partition
 *
 * Gets whose it is.
 *
 * Returns: (nullable): the name, which is empty where none is known; %NULL where it is
 *   of all
 * Since: 0.1
 */
const char *
jm_usage_get_name (JmUsage *self, JmUsageGroups group)
{
  g_return_val_if_fail (self != NULL, NULL);

  switch (group)
    {
    case JM_USAGE_GROUPS_CLUSTER:
      return self->cluster;
    case JM_USAGE_GROUPS_USER:
      return self->user;
    case JM_USAGE_GROUPS_ACCOUNT:
      return self->account;
    case JM_USAGE_GROUPS_PARTITION:
      return self->partition;
    default:
      return NULL;
    }
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
 * Gets how much it is. An unknown figure of a run counts for nothing in it.
 *
 * Returns: the amount, in the quantity's unit; NaN for CPU time, energy and emissions
 *   where it is unknown of all runs
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

/* --- sums of runs --- */

static const struct
{
  JmUsageGroups group;
  JmRunField field; /* JM_N_RUN_FIELDS for what is no text of runs */
} named[JM_N_USAGE_NAMES] = {
  { JM_USAGE_GROUPS_CLUSTER, JM_N_RUN_FIELDS },
  { JM_USAGE_GROUPS_USER, JM_RUN_FIELD_USER },
  { JM_USAGE_GROUPS_ACCOUNT, JM_RUN_FIELD_ACCOUNT },
  { JM_USAGE_GROUPS_PARTITION, JM_RUN_FIELD_PARTITION },
  { JM_USAGE_GROUPS_NAME, JM_RUN_FIELD_NAME },
  { JM_USAGE_GROUPS_NODE, JM_N_RUN_FIELDS },
};

void
jm_run_totals_get_names (JmRun *run,
                         JmUsageGroups groups,
                         const char *node,
                         char *names[JM_N_USAGE_NAMES])
{
  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    {
      const char *name =
        named[i].field != JM_N_RUN_FIELDS ? jm_run_peek_text (run, named[i].field)
        : named[i].group == JM_USAGE_GROUPS_NODE ? node
                                                 : jm_run_get_cluster (run);

      names[i] = (groups & named[i].group) == 0 ? NULL
                 : name != NULL                 ? (char *) name
                                                : (char *) "";
    }
}

guint
jm_run_totals_hash (const JmRunTotals *self)
{
  guint hash = g_int64_hash (&self->month);

  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    hash = hash * 31 + (self->names[i] != NULL ? g_str_hash (self->names[i]) : 0);

  return hash;
}

int
jm_run_totals_compare (const JmRunTotals *self, const JmRunTotals *other)
{
  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    {
      const int order = g_strcmp0 (self->names[i], other->names[i]);

      if (order != 0)
        return order;
    }

  return (self->month > other->month) - (self->month < other->month);
}

G_DEFINE_BOXED_TYPE (JmRunTotals, jm_run_totals, jm_run_totals_ref, jm_run_totals_unref)

JmRunTotals *
jm_run_totals_new (char *const names[JM_N_USAGE_NAMES],
                   gint64 month,
                   const char *currency)
{
  JmRunTotals *self = g_atomic_rc_box_new0 (JmRunTotals);

  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    self->names[i] = g_strdup (names[i]);
  self->month = month;
  self->currency = g_strdup (currency);
  self->figures = jm_figures_new ();

  return self;
}

JmRunTotals *
jm_run_totals_ref (JmRunTotals *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear_totals (gpointer data)
{
  JmRunTotals *self = data;

  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    g_free (self->names[i]);
  g_free (self->currency);
  jm_figures_free (self->figures);
}

/**
 * jm_run_totals_unref:
 * @self: (transfer full): sums
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_totals_unref (JmRunTotals *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear_totals);
}

/**
 * jm_run_totals_get_name:
 * @self: sums
 * @group: one of cluster, user, account, partition, name and node
 *
 * Gets whose they are.
 *
 * Returns: (nullable): the name, which is empty where none is known; %NULL where they
 *   are of all
 * Since: 0.1
 */
const char *
jm_run_totals_get_name (JmRunTotals *self, JmUsageGroups group)
{
  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < JM_N_USAGE_NAMES; i++)
    if (group == named[i].group)
      return self->names[i];

  return NULL;
}

/**
 * jm_run_totals_get_month:
 * @self: sums
 *
 * Gets of which month they are.
 *
 * Returns: when it begins by UTC, seconds since 1970; -1 where they are of all months
 * Since: 0.1
 */
gint64
jm_run_totals_get_month (JmRunTotals *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->month;
}

/**
 * jm_run_totals_get_figure: (skip)
 * @self: sums
 * @quantity: one of jm_run_totals_list_quantities()
 *
 * Gets a sum, of the runs of which it is known.
 *
 * Returns: the figure, in the base unit that its name ends in; absent where it is not
 *   known of any
 * Since: 0.1
 */
JmFigure
jm_run_totals_get_figure (JmRunTotals *self, const JmQuantity *quantity)
{
  g_return_val_if_fail (self != NULL, (JmFigure){ 0 });
  g_return_val_if_fail (quantity != NULL, (JmFigure){ 0 });

  return jm_figures_get (self->figures, jm_quantity_get_id (quantity));
}

/**
 * jm_run_totals_get_value:
 * @self: sums
 * @quantity: one of jm_run_totals_list_quantities()
 * @value: (out): return location for it, in the base unit that its name ends in
 *
 * Gets a sum, of the runs of which it is known.
 *
 * Returns: whether it is known of any
 * Since: 0.1
 */
gboolean
jm_run_totals_get_value (JmRunTotals *self, const JmQuantity *quantity, double *value)
{
  JmFigure figure;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);

  figure = jm_figures_get (self->figures, jm_quantity_get_id (quantity));
  *value = figure.value;

  return figure.is_known;
}
