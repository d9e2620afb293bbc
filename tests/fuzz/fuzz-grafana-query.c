/* fuzz-grafana-query.c: any bytes as what a panel of Grafana asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/dialects/jm-grafana-query-private.h"
#include "base/jm-error.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check_target (const JmGrafanaTarget *target)
{
  g_assert_nonnull (target->filter);
  g_assert_cmpuint (target->top, >=, 1);
  g_assert_cmpuint (target->top, <=, 100);
  g_assert_cmpuint (target->quantity, <, JM_N_USAGE_QUANTITIES);
  g_assert_true (target->kind != JM_GRAFANA_JOBS ||
                 target->group == JM_USAGE_GROUPS_NONE);
}

/* A refusal has its reason; what is taken can be asked for. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) body = g_bytes_new (data, size);
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_auto (JmGrafanaQuery) query = { 0 };
  g_auto (JmGrafanaQuery) annotations = { 0 };
  g_autoptr (GError) error = NULL;
  JmUsageGroups kind;

  if (!jm_grafana_query_init (&query, body, &error))
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_clear_error (&error);
    }
  else
    for (guint i = 0; i < query.targets->len; i++)
      check_target (query.targets->pdata[i]);
  if (!jm_grafana_query_init_annotations (&annotations, filter, body, &error))
    {
      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_clear_error (&error);
    }
  if (!jm_grafana_query_find_choice (body, &kind, &error))
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);

  return 0;
}
