/* jm-ended-run-private.h: what a job had used when it ended, as a file has it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "core/jm-readings-private.h"

G_BEGIN_DECLS

/* JSON: `{until, record}`: seconds since 1970 up to when it is displayed, and the
 * record of the job, which has no profile. */
char *jm_ended_run_format (JmJob *job,
                           gint64 end_us,
                           gint64 until_us,
                           const JmReading *readings,
                           guint n_readings);

/* A job of such a text. */
typedef struct
{
  JmJob *job;
  gint64 end_us;
  gint64 until_us; /* nobody may be there any more who takes the file away */
} JmEndedRun;

/* FALSE where it breaks the format in any place, or is about another run than @run_key.
 * The figures are added to @readings; those of metrics that are not known, or not
 * wanted, are passed over. */
gboolean jm_ended_run_parse (JmEndedRun *self,
                             const char *text,
                             gsize length,
                             const char *run_key,
                             JmReadings *readings);

void jm_ended_run_clear (JmEndedRun *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmEndedRun, jm_ended_run_clear)

G_END_DECLS
