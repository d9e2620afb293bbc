/* jmc-energy.c: how well a job's energy is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-energy.h"

#include <string.h>

#define OF_DOMAIN "_estimated"
#define OF_ENERGY "estimated"

/* Whether @label, of a domain or of energy that emitted, says that it is estimated. */
gboolean
jmc_energy_is_estimate (const char *label)
{
  return g_str_has_suffix (label, OF_DOMAIN) || g_str_equal (label, OF_ENERGY);
}

/* The domain without that. */
char *
jmc_energy_get_domain (const char *label)
{
  gsize length = strlen (label);

  if (g_str_has_suffix (label, OF_DOMAIN))
    length -= strlen (OF_DOMAIN);

  return g_strndup (label, length);
}

/* Whether any part of what is known of @metric is estimated. */
gboolean
jmc_energy_is_estimated (JmSnapshot *snapshot, guint subject, JmMetric metric)
{
  g_auto (GStrv) labels = jm_snapshot_list_labels (snapshot, subject, metric);

  for (char **label = labels; *label != NULL; label++)
    if (jmc_energy_is_estimate (*label))
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
                         const char *label)
{
  JmcFigure figure = { FALSE, 0 };

  figure.is_known =
    jm_snapshot_get_labelled_value (snapshot, subject, metric, label, &figure.value);

  return figure;
}

/* A domain that was estimated for a while and then measured is covered for both. */
static double
sum_covered (JmSnapshot *snapshot, guint subject, char **labels, const char *domain)
{
  double sum = 0;

  for (char **label = labels; *label != NULL; label++)
    {
      g_autofree char *other = jmc_energy_get_domain (*label);

      if (g_str_equal (other, domain))
        sum +=
          jmc_energy_get_labelled (snapshot, subject, JM_METRIC_ENERGY_COVERED, *label)
            .value;
    }

  return sum;
}

/* For how many seconds all domains were known: domains do not follow one another, they
 * run side by side. */
JmcFigure
jmc_energy_get_covered (JmSnapshot *snapshot, guint subject)
{
  g_auto (GStrv) labels =
    jm_snapshot_list_labels (snapshot, subject, JM_METRIC_ENERGY_COVERED);
  JmcFigure least = { FALSE, 0 };

  for (char **label = labels; *label != NULL; label++)
    {
      g_autofree char *domain = jmc_energy_get_domain (*label);
      double covered = sum_covered (snapshot, subject, labels, domain);

      if (!least.is_known || covered < least.value)
        least = jmc_figure_known (covered);
    }

  return least;
}
