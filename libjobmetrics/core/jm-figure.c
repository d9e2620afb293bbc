/* jm-figure.c: a figure of a snapshot, which may be absent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-figure-private.h"

#include "core/jm-quantity-private.h"
#include "core/jm-snapshot-private.h"

#define NANO 1e9
/* Beyond this a double has no room for every whole number. */
#define MAX_WHOLE 0x1p53

/* The power source that measures nothing. */
#define ESTIMATE "estimate"

static const JmFigure absent = { 0, FALSE, FALSE };

/**
 * jm_figure_known: (skip)
 * @value: how much
 *
 * Makes a figure that is known, and measured.
 *
 * Returns: the figure
 * Since: 0.1
 */
JmFigure
jm_figure_known (double value)
{
  return (JmFigure){ value, TRUE, FALSE };
}

/* For how long a domain was known was measured, whatever the energy was. */
static gboolean
is_estimate (JmMetric metric, JmLabels *labels)
{
  if (metric == JM_METRIC_ENERGY_COVERED)
    return FALSE;

  return jm_metric_is_estimated (metric, labels) ||
         g_strcmp0 (jm_metric_find_label (metric, labels, "source"), ESTIMATE) == 0;
}

JmFigure
jm_figure_of_metric_label (JmSnapshot *snapshot,
                           guint subject,
                           JmMetric metric,
                           JmLabels *labels)
{
  double value;

  g_return_val_if_fail (labels != NULL, absent);

  if (!jm_snapshot_get_labelled_metric (snapshot, subject, metric, labels, &value))
    return absent;

  return (JmFigure){ value, TRUE, is_estimate (metric, labels) };
}

/* A sum of decimals to the nanosecond that they were counted in, so that 0.1 and 0.2
 * are 0.3. What is larger has no such digits left. */
static double
round_sum (double sum)
{
  double counted = sum * NANO;

  return counted < MAX_WHOLE ? (double) (guint64) (counted + 0.5) / NANO : sum;
}

static JmFigure
sum_labels (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_metric_labels (snapshot, subject, metric);
  JmFigure sum = absent;

  for (guint i = 0; i < all->len; i++)
    {
      sum = jm_figure_add (sum, jm_figure_of_metric_label (snapshot, subject, metric,
                                                           all->pdata[i]));
      sum.value = round_sum (sum.value);
    }

  return sum;
}

/* A domain that was estimated for a while and then measured is covered for both. */
static JmFigure
sum_covered (JmSnapshot *snapshot, guint subject, GPtrArray *all, const char *domain)
{
  const JmMetric metric = JM_METRIC_ENERGY_COVERED;
  JmFigure sum = absent;

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (jm_metric_find_label (metric, all->pdata[i], "domain"), domain))
      sum = jm_figure_add (sum, jm_figure_of_metric_label (snapshot, subject, metric,
                                                           all->pdata[i]));

  return sum;
}

/* Domains do not follow one another, they run side by side. */
static JmFigure
get_least_covered (JmSnapshot *snapshot, guint subject)
{
  const JmMetric metric = JM_METRIC_ENERGY_COVERED;
  g_autoptr (GPtrArray) all =
    jm_snapshot_list_metric_labels (snapshot, subject, metric);
  JmFigure least = absent;

  for (guint i = 0; i < all->len; i++)
    {
      const char *domain = jm_metric_find_label (metric, all->pdata[i], "domain");
      JmFigure covered = sum_covered (snapshot, subject, all, domain);

      if (!least.is_known || covered.value < least.value)
        least = covered;
    }

  return least;
}

JmFigure
jm_figure_of_metric (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  double value;

  if (metric == JM_METRIC_ENERGY_COVERED)
    return get_least_covered (snapshot, subject);

  if (jm_metric_get_info (metric)->n_labels > 0)
    return sum_labels (snapshot, subject, metric);

  if (!jm_snapshot_get_metric (snapshot, subject, metric, &value))
    return absent;

  return jm_figure_known (value);
}

/**
 * jm_figure_of_quantity: (skip)
 * @snapshot: a snapshot
 * @subject: what the figure is about
 * @quantity: a quantity: see jm_quantity_of_subject()
 *
 * Gets the figure of a quantity.
 *
 * - Of a quantity that has labels it is the sum over these, such as over all devices;
 *   of `energy_covered_seconds` it is the least of all domains, since these run side
 *   by side: for so long all of them were known.
 * - It is estimated where any part of the sum is.
 *
 * Returns: the figure, in the base unit; absent where nothing was read
 * Since: 0.1
 */
JmFigure
jm_figure_of_quantity (JmSnapshot *snapshot, guint subject, const JmQuantity *quantity)
{
  JmMetric metric;

  g_return_val_if_fail (quantity != NULL, absent);

  metric = jm_quantity_get_metric (quantity);
  g_return_val_if_fail (metric < JM_N_METRICS, absent);

  return jm_figure_of_metric (snapshot, subject, metric);
}

/**
 * jm_figure_of_name: (skip)
 * @snapshot: a snapshot
 * @subject: what the figure is about
 * @name: a name, as jm_quantity_of_subject() takes it
 *
 * Gets the figure of the quantity of that name.
 *
 * Returns: the figure, in the base unit; absent where nothing was read, or where such
 *   subjects have no quantity of this name
 * Since: 0.1
 */
JmFigure
jm_figure_of_name (JmSnapshot *snapshot, guint subject, const char *name)
{
  const JmQuantity *quantity = jm_snapshot_find_quantity (snapshot, subject, name);

  return quantity != NULL ? jm_figure_of_quantity (snapshot, subject, quantity)
                          : absent;
}

/**
 * jm_figure_of_label: (skip)
 * @snapshot: a snapshot
 * @subject: what the figure is about
 * @quantity: a quantity that has labels: see jm_quantity_of_subject()
 * @labels: their values
 *
 * Gets one of the figures of a quantity that has several, such as that of one device.
 *
 * Returns: the figure, in the base unit; absent where it was not read
 * Since: 0.1
 */
JmFigure
jm_figure_of_label (JmSnapshot *snapshot,
                    guint subject,
                    const JmQuantity *quantity,
                    JmLabels *labels)
{
  JmMetric metric;

  g_return_val_if_fail (quantity != NULL, absent);

  metric = jm_quantity_get_metric (quantity);
  g_return_val_if_fail (metric < JM_N_METRICS, absent);

  return jm_figure_of_metric_label (snapshot, subject, metric, labels);
}

JmFigure
jm_figure_add (JmFigure a, JmFigure b)
{
  if (!b.is_known)
    return a;

  return (JmFigure){ a.value + b.value, TRUE, a.is_estimated || b.is_estimated };
}

/**
 * jm_figure_get_share: (skip)
 * @part: a figure
 * @whole: what it is a part of
 *
 * Divides a part by the whole.
 *
 * Returns: the share in per cent, which may be above 100; absent where either is, or
 *   where the whole is nothing
 * Since: 0.1
 */
JmFigure
jm_figure_get_share (JmFigure part, JmFigure whole)
{
  if (!part.is_known || !whole.is_known || whole.value <= 0)
    return absent;

  return (JmFigure){ 100 * part.value / whole.value, TRUE,
                     part.is_estimated || whole.is_estimated };
}

/**
 * jm_figure_get_rate: (skip)
 * @now: what a counter says
 * @before: what it said earlier
 * @seconds: the time between the two
 *
 * Divides what a counter grew by the time in which it did.
 *
 * Returns: the rate per second; absent where either figure is, where no time has gone
 *   by, or where the counter fell: it is another one under the same name then
 * Since: 0.1
 */
JmFigure
jm_figure_get_rate (JmFigure now, JmFigure before, double seconds)
{
  if (!now.is_known || !before.is_known || seconds <= 0 || now.value < before.value)
    return absent;

  return (JmFigure){ (now.value - before.value) / seconds, TRUE,
                     now.is_estimated || before.is_estimated };
}

/**
 * jm_figure_compare: (skip)
 * @a: a figure
 * @b: another of the same quantity
 * @descending: whether the larger one comes first
 *
 * Finds which of two figures comes first in a list. An absent one comes last, whatever
 * the direction.
 *
 * Returns: below 0 where @a comes first, above 0 where @b does, else 0
 * Since: 0.1
 */
int
jm_figure_compare (JmFigure a, JmFigure b, gboolean descending)
{
  int order = (a.value > b.value) - (a.value < b.value);

  if (!a.is_known || !b.is_known)
    return (b.is_known != FALSE) - (a.is_known != FALSE);

  return descending ? -order : order;
}

/**
 * jm_figure_format: (skip)
 * @self: a figure
 * @format: what it measures
 *
 * Makes of a figure what people read, as jm_format_to_string() does, with
 * %JM_FIGURE_ESTIMATE_MARK before it where it is estimated: `~31J`.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where the figure is absent
 * Since: 0.1
 */
char *
jm_figure_format (JmFigure self, JmFormat format)
{
  return jm_figure_format_beside (self, format, self.value);
}

/**
 * jm_figure_format_beside: (skip)
 * @self: a figure
 * @format: what it measures
 * @greatest: the greatest value of the column that the text is in
 *
 * Makes of a figure what people read in a column, as jm_format_to_string_beside()
 * does, with %JM_FIGURE_ESTIMATE_MARK before it where it is estimated.
 *
 * Returns: (transfer full) (nullable): the text; %NULL where the figure is absent
 * Since: 0.1
 */
char *
jm_figure_format_beside (JmFigure self, JmFormat format, double greatest)
{
  g_autofree char *text = NULL;

  if (!self.is_known)
    return NULL;

  text = jm_format_to_string_beside (format, self.value, greatest);

  return g_strconcat (self.is_estimated ? JM_FIGURE_ESTIMATE_MARK : "", text, NULL);
}
