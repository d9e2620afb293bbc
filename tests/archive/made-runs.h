/* made-runs.h: a site's runs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "core/jm-run-field-private.h"

G_BEGIN_DECLS

#define DAY G_GINT64_CONSTANT (86400)
/* 2026-03-01, 00:00 UTC */
#define MIDNIGHT G_GINT64_CONSTANT (1772323200)

/* Of ada, in physics on alps, with four CPUs: submitted, begun and ended then, which is
 * 0 for not yet. */
static inline JmRun *
made_run (const char *raw_id, gint64 submit, gint64 start, gint64 end)
{
  JmRun *run = jm_run_new ("alps", raw_id);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, "ada");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 1000);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, "physics");
  jm_run_keep_text (run, JM_RUN_FIELD_PARTITION, "batch");
  jm_run_keep_text (run, JM_RUN_FIELD_STATE,
                    end > 0     ? "COMPLETED"
                    : start > 0 ? "RUNNING"
                                : "PENDING");
  jm_run_keep_number (run, JM_RUN_FIELD_SUBMIT_TIME, submit);
  jm_run_keep_number (run, JM_RUN_FIELD_START_TIME, start);
  jm_run_keep_number (run, JM_RUN_FIELD_END_TIME, end);
  jm_run_keep_number (run, JM_RUN_FIELD_CPUS, 4);

  return run;
}

/* One of hour @number, which lasts @length seconds and takes 7 + @number microjoules. */
static inline JmRun *
made_run_numbered (guint number, gint64 length)
{
  g_autofree char *id = g_strdup_printf ("%u", number);
  gint64 start = MIDNIGHT + 3600 * (gint64) number;
  JmRun *run = made_run (id, start - 60, start, start + length);

  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 7 + number);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 1000001);

  return run;
}

G_END_DECLS
