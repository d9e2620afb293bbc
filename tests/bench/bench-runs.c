/* bench-runs.c: a site's runs that a bench makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-runs.h"

#include "../archive/made-runs.h"

JmRun *
bench_run_make (guint number, gint64 start)
{
  g_autofree char *id = g_strdup_printf ("%u", 1000000 + number);
  g_autofree char *user = g_strdup_printf ("user%03u", number * 7919 % BENCH_N_USERS);
  g_autofree char *account =
    g_strdup_printf ("project%02u", number * 7919 % BENCH_N_USERS / 10);
  g_autofree char *nodes =
    g_strdup_printf ("node[%u-%u]", number % 900, number % 900 + 1);
  JmRun *run = made_run (id, start - 100, start, start + 60 + number % 7200);

  jm_run_keep_text (run, JM_RUN_FIELD_USER, user);
  jm_run_keep_text (run, JM_RUN_FIELD_ACCOUNT, account);
  jm_run_keep_text (run, JM_RUN_FIELD_QOS, "normal");
  jm_run_keep_text (run, JM_RUN_FIELD_NAME, "simulate.sh");
  jm_run_keep_text (run, JM_RUN_FIELD_NODE_LIST, nodes);
  jm_run_keep_text (run, JM_RUN_FIELD_TRES, "billing=8,cpu=8,mem=32G,node=2");
  jm_run_keep_number (run, JM_RUN_FIELD_UID, 10000 + number * 7919 % BENCH_N_USERS);
  jm_run_keep_number (run, JM_RUN_FIELD_ELIGIBLE_TIME, start - 100);
  jm_run_keep_number (run, JM_RUN_FIELD_TIME_LIMIT, 86400);
  jm_run_keep_number (run, JM_RUN_FIELD_EXIT_CODE, 0);
  jm_run_keep_number (run, JM_RUN_FIELD_NODES, 2);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_REQUESTED, (gint64) 32 << 30);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED, (gint64) 32 << 30);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_TOTAL, 400000000 + number);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_USER, 300000000 + number);
  jm_run_keep_number (run, JM_RUN_FIELD_CPU_SYSTEM, 100000000);
  jm_run_keep_number (run, JM_RUN_FIELD_MEMORY_PEAK, 9000000000 + number);
  jm_run_keep_number (run, JM_RUN_FIELD_ENERGY, 700000000 + number);

  return run;
}
