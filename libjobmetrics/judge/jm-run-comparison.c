/* jm-run-comparison.c: the figures of several runs side by side
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-comparison.h"

#include <math.h>

#include "core/jm-quantity-private.h"
#include "judge/jm-run-figures-private.h"

/* Changes of less than so many per cent have a decimal. */
#define WHOLE_PERCENT 10
/* A difference that would be shown as zero. */
#define LEAST_PERCENT 0.05

struct _JmRunComparison
{
  GPtrArray *reports; /* of JmRunReport */
};

G_DEFINE_BOXED_TYPE (JmRunComparison,
                     jm_run_comparison,
                     g_atomic_rc_box_acquire,
                     jm_run_comparison_unref)

static JmFigure
get_figure (JmRunComparison *self, const JmQuantity *quantity, guint run)
{
  const JmRunReport *report = self->reports->pdata[run];

  return jm_figures_get (report->figures, jm_quantity_get_id (quantity));
}

/* Codes and signals have no more and no less. */
static gboolean
is_code (const JmQuantity *quantity)
{
  const JmQuantityId id = jm_quantity_get_id (quantity);

  return id == JM_QUANTITY_EXIT_CODE || id == JM_QUANTITY_EXIT_SIGNAL;
}

/**
 * jm_run_comparison_new:
 * @reports: (element-type JmRunReport): two to %JM_RUN_COMPARISON_MAX_RUNS reports
 *
 * Compares runs with the first of them.
 *
 * Returns: (transfer full): the comparison
 * Since: 0.1
 */
JmRunComparison *
jm_run_comparison_new (GPtrArray *reports)
{
  JmRunComparison *self;

  g_return_val_if_fail (reports != NULL, NULL);
  g_return_val_if_fail (reports->len >= 2 && reports->len <= JM_RUN_COMPARISON_MAX_RUNS,
                        NULL);

  self = g_atomic_rc_box_new0 (JmRunComparison);
  self->reports = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_report_unref);
  for (guint i = 0; i < reports->len; i++)
    g_ptr_array_add (self->reports, jm_run_report_ref (reports->pdata[i]));

  return self;
}

static void
clear (gpointer self)
{
  g_ptr_array_unref (((JmRunComparison *) self)->reports);
}

/**
 * jm_run_comparison_unref:
 * @self: (transfer full): a comparison
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
jm_run_comparison_unref (JmRunComparison *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * jm_run_comparison_get_n_runs:
 * @self: a comparison
 *
 * Gets how many runs are compared.
 *
 * Returns: their number
 * Since: 0.1
 */
guint
jm_run_comparison_get_n_runs (JmRunComparison *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->reports->len;
}

/**
 * jm_run_comparison_get_report:
 * @self: a comparison
 * @run: number of a run, from 0 on
 *
 * Gets the report of one of the runs, in the order in which they were given.
 *
 * Returns: (transfer none): the report
 * Since: 0.1
 */
JmRunReport *
jm_run_comparison_get_report (JmRunComparison *self, guint run)
{
  g_return_val_if_fail (self != NULL && run < self->reports->len, NULL);

  return self->reports->pdata[run];
}

/**
 * jm_run_comparison_list_quantities:
 * @self: a comparison
 *
 * Lists the quantities of which at least one run has a figure, in the order of
 * jm_quantity_list_of_runs().
 *
 * Returns: (transfer container) (element-type JmQuantity): the quantities
 * Since: 0.1
 */
GPtrArray *
jm_run_comparison_list_quantities (JmRunComparison *self)
{
  g_autoptr (GPtrArray) all = jm_quantity_list_of_runs ();
  GPtrArray *known;

  g_return_val_if_fail (self != NULL, NULL);

  known = g_ptr_array_new ();
  for (guint i = 0; i < all->len; i++)
    for (guint run = 0; run < self->reports->len; run++)
      if (get_figure (self, all->pdata[i], run).is_known)
        {
          g_ptr_array_add (known, all->pdata[i]);
          break;
        }

  return known;
}

/**
 * jm_run_comparison_get_difference:
 * @self: a comparison
 * @quantity: one of jm_quantity_list_of_runs()
 * @run: number of a run, from 0 on
 * @difference: (out): return location for the run's figure minus that of the first
 *
 * Gets how much more or less a run has of a quantity than the first run.
 *
 * - Units: the base unit that the quantity's name ends in.
 *
 * Returns: whether it is known: not for the first run, not where one of the two figures
 *   is absent, and not for exit codes and signals
 * Since: 0.1
 */
gboolean
jm_run_comparison_get_difference (JmRunComparison *self,
                                  const JmQuantity *quantity,
                                  guint run,
                                  double *difference)
{
  JmFigure first, other;

  g_return_val_if_fail (self != NULL && run < self->reports->len, FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (difference != NULL, FALSE);

  first = get_figure (self, quantity, 0);
  other = get_figure (self, quantity, run);
  *difference = other.value - first.value;

  return run > 0 && first.is_known && other.is_known && !is_code (quantity);
}

/**
 * jm_run_comparison_format_value:
 * @self: a comparison
 * @quantity: one of jm_quantity_list_of_runs()
 * @run: number of a run, from 0 on
 *
 * Formats a figure of a run for people, as its report does.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where the figure is absent
 * Since: 0.1
 */
char *
jm_run_comparison_format_value (JmRunComparison *self,
                                const JmQuantity *quantity,
                                guint run)
{
  g_return_val_if_fail (self != NULL && run < self->reports->len, NULL);
  g_return_val_if_fail (quantity != NULL, NULL);

  return jm_run_figures_format (jm_quantity_get_id (quantity),
                                get_figure (self, quantity, run));
}

static char *
format_percent (double percent)
{
  if (fabs (percent) < LEAST_PERCENT)
    return g_strdup ("0%");

  return g_strdup_printf (fabs (percent) < WHOLE_PERCENT ? "%+.1f%%" : "%+.0f%%",
                          percent);
}

static char *
format_amount (JmQuantityId quantity, double difference)
{
  g_autofree char *amount =
    jm_run_figures_format (quantity, jm_figure_known (fabs (difference)));

  return g_strconcat (difference < 0 ? "-" : "+", amount, NULL);
}

/**
 * jm_run_comparison_format_difference:
 * @self: a comparison
 * @quantity: one of jm_quantity_list_of_runs()
 * @run: number of a run, from 0 on
 *
 * Formats the difference of a run to the first for people: in per cent of the first
 * run's figure, `+25%`; of shares in percentage points, `-3.0 pp`; as an amount,
 * `+2`, where the first run has zero; and `=` where there is none.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where it is not known
 * Since: 0.1
 */
char *
jm_run_comparison_format_difference (JmRunComparison *self,
                                     const JmQuantity *quantity,
                                     guint run)
{
  double difference, first;

  g_return_val_if_fail (self != NULL && run < self->reports->len, NULL);
  g_return_val_if_fail (quantity != NULL, NULL);

  if (!jm_run_comparison_get_difference (self, quantity, run, &difference))
    return NULL;
  if (difference == 0)
    return g_strdup ("=");
  if (quantity->format == JM_FORMAT_PERCENT)
    return g_strdup_printf ("%+.1f pp", difference);

  first = get_figure (self, quantity, 0).value;
  if (first == 0)
    return format_amount (jm_quantity_get_id (quantity), difference);

  return format_percent (100 * difference / fabs (first));
}
