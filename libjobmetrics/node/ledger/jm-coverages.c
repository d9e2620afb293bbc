/* jm-coverages.c: how much of a job is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-metric-private.h"
#include "node/ledger/jm-job-history-private.h"

#include "core/jm-snapshot-private.h"

void
jm_coverages_add (JmCoverages *self,
                  const char *what,
                  double ratio,
                  JmTotalMethod method)
{
  if (self->n == JM_RECORD_MAX_COVERAGES || !jm_coverage_check_name (what))
    return;

  self->coverages[self->n++] =
    (JmCoverage){ g_intern_string (what), CLAMP (ratio, 0, 1), method };
}

static double
get_part (const JmWatched *watched, double known_us)
{
  return watched->life_us > 0 ? known_us / (double) watched->life_us : 1;
}

void
jm_coverages_add_life (JmCoverages *self, const JmWatched *watched, gboolean is_read)
{
  jm_coverages_add (self, "life",
                    watched->life_us > 0
                      ? get_part (watched, (double) watched->observed_us)
                      : is_read,
                    watched->method);
}

/* --- energy --- */

static const char *
get_label (const JmReading *reading, const char *name)
{
  return jm_metric_find_label (reading->metric, reading->labels, name);
}

/* Both what was measured and what was estimated is known. */
static void
add_domain (JmCoverages *self, const JmWatched *watched, const JmReading *covered)
{
  gboolean is_estimated = jm_metric_is_estimated (covered->metric, covered->labels);
  g_autofree char *what = g_strconcat ("energy.", get_label (covered, "domain"),
                                       is_estimated ? ".estimated" : "", NULL);

  jm_coverages_add (self, what, get_part (watched, (double) covered->value),
                    watched->method);
}

/* A program that was gone for a while knows the energy of it, but did not watch. */
static gint64
get_known_us (const JmWatched *watched,
              const JmReading *readings,
              guint n,
              const char *domain)
{
  gint64 known_us = watched->observed_us;

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == JM_METRIC_ENERGY_COVERED &&
        g_str_equal (get_label (&readings[i], "domain"), domain))
      known_us = MAX (known_us, (gint64) readings[i].value);

  return known_us;
}

static void
add_socket (JmCoverages *self,
            const JmWatched *watched,
            const JmReading *unread,
            gint64 known_us)
{
  g_autofree char *what = g_strconcat ("energy.", get_label (unread, "domain"),
                                       ".socket", get_label (unread, "socket"), NULL);

  jm_coverages_add (self, what,
                    get_part (watched, (double) known_us - (double) unread->value),
                    watched->method);
}

void
jm_coverages_add_energy (JmCoverages *self,
                         const JmWatched *watched,
                         JmSnapshot *snapshot,
                         guint subject)
{
  guint n;
  const JmReading *readings = jm_snapshot_get_readings_of (snapshot, subject, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == JM_METRIC_ENERGY_COVERED)
      add_domain (self, watched, &readings[i]);
    else if (readings[i].metric == JM_METRIC_ENERGY_UNREAD)
      add_socket (self, watched, &readings[i],
                  get_known_us (watched, readings, n,
                                get_label (&readings[i], "domain")));
}
