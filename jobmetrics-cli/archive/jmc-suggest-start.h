/* jmc-suggest-start.h: when the next run of a job emits least
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-json-writer-private.h"
#include "core/jm-emission-factor.h"
#include "core/jm-figure.h"
#include "host/jm-host.h"
#include "judge/jm-run-suggestion.h"

G_BEGIN_DECLS

/* JmcUsualWait:
 * @seconds: how long the runs waited in the median; not known of fewer than five */
typedef struct
{
  JmFigure seconds;
  guint n_runs;
} JmcUsualWait;

/* JmcSuggestStart:
 * @factor: the first of the forecast, which says whose it is; NULL without an advice
 * @start: seconds since 1970
 * @grams_per_kwh: the mean of the run's time from then on
 * @now_grams_per_kwh: the same of a start now
 * @length: how long the job's runs took in the median, seconds
 * @watts: what they drew in the median
 * @n_runs: of how many runs the length is
 * @wait: of runs that were submitted at about the hour of the start
 * @now_wait: of those that were at about the hour that it is now */
typedef struct
{
  JmEmissionFactor *factor;
  gint64 now;
  gint64 by;
  gint64 start;
  double grams_per_kwh;
  double now_grams_per_kwh;
  double length;
  JmFigure watts;
  guint n_runs;
  JmcUsualWait wait;
  JmcUsualWait now_wait;
} JmcSuggestStart;

/* Asks the providers, each `NAME[,SETTING=VALUE...]`, until one has a forecast.
 * @runs: of JmRun, of the job
 * @now: seconds since 1970
 * @by: when the run must have ended
 *
 * - Errors: `ABSENT` where the runs or the forecast do not do; those of the last
 *   provider. */
gboolean jmc_suggest_start_find (JmcSuggestStart *self,
                                 GPtrArray *runs,
                                 JmRunSuggestion *suggestion,
                                 const char *const *providers,
                                 JmHost *host,
                                 gint64 now,
                                 gint64 by,
                                 GError **error);

void jmc_suggest_start_clear (JmcSuggestStart *self);

/* A sentence. */
char *jmc_suggest_start_to_string (const JmcSuggestStart *self);

/* A member `start`. */
void jmc_suggest_start_add_json (const JmcSuggestStart *self, JmJsonWriter *json);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcSuggestStart, jmc_suggest_start_clear)

G_END_DECLS
