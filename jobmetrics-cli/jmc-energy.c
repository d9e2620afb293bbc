/* jmc-energy.c: how well a job's energy is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-energy.h"

/* Whether any part of what is known of @metric is estimated. */
gboolean
jmc_energy_is_estimated (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, subject, metric);

  for (guint i = 0; i < all->len; i++)
    if (jm_metric_is_estimated (metric, all->pdata[i]))
      return TRUE;

  return FALSE;
}

/* The sum over domains, marked where it is estimated; NULL where it is not known. */
char *
jmc_energy_format (JmSnapshot *snapshot,
                   guint subject,
                   JmMetric metric,
                   char *(*format) (double value))
{
  g_autofree char *text =
    jmc_figure_format (jmc_figure_sum (snapshot, subject, metric), format);

  if (text == NULL || !jmc_energy_is_estimated (snapshot, subject, metric))
    return g_steal_pointer (&text);

  return g_strconcat (JMC_ENERGY_MARK, text, NULL);
}

JmcFigure
jmc_energy_get_labelled (JmSnapshot *snapshot,
                         guint subject,
                         JmMetric metric,
                         JmLabels *labels)
{
  JmcFigure figure = { FALSE, 0 };

  figure.is_known =
    jm_snapshot_get_labelled_value (snapshot, subject, metric, labels, &figure.value);

  return figure;
}

/* A domain that was estimated for a while and then measured is covered for both. */
static double
sum_covered (JmSnapshot *snapshot, guint subject, GPtrArray *all, const char *domain)
{
  const JmMetric metric = JM_METRIC_ENERGY_COVERED;
  double sum = 0;

  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (jm_metric_find_label (metric, all->pdata[i], "domain"), domain))
      sum += jmc_energy_get_labelled (snapshot, subject, metric, all->pdata[i]).value;

  return sum;
}

/* For how many seconds all domains were known: domains do not follow one another, they
 * run side by side. */
JmcFigure
jmc_energy_get_covered (JmSnapshot *snapshot, guint subject)
{
  const JmMetric metric = JM_METRIC_ENERGY_COVERED;
  g_autoptr (GPtrArray) all = jm_snapshot_list_labels (snapshot, subject, metric);
  JmcFigure least = { FALSE, 0 };

  for (guint i = 0; i < all->len; i++)
    {
      const char *domain = jm_metric_find_label (metric, all->pdata[i], "domain");
      double covered = sum_covered (snapshot, subject, all, domain);

      if (!least.is_known || covered < least.value)
        least = jmc_figure_known (covered);
    }

  return least;
}
