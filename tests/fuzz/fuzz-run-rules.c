/* fuzz-run-rules.c: any bytes as rules of advice, and runs judged by them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "judge/jm-run-rule-private.h"
#include "made-report.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Most inputs are not understood; these words let some be. */
static const char *const tokens[] = {
  "[Thresholds]\n",
  "[low]\n",
  "[high]\n",
  "many=4\n",
  "observed=50\n",
  "When=",
  "Level=note\n",
  "Title=T",
  "Reason=R",
  "Action=A",
  "Observed=0\n",
  "Supersedes=low\n",
  "Supersedes=high\n",
  "cpus > 1",
  " && ",
  " || ",
  "!",
  "$many",
  "{cpus}",
  "{memory_suggested}",
  "{time_more}",
  "[ ",
  "]",
  "state ~ C*",
  "used_gpus == 0",
  "cpus < $many",
  "\n",
  "\\n",
  "cluster == alps",
  "running == 0",
  "memory_peak_bytes > 1GiB",
  "{user}",
};

static char *
make_text (const guint8 *data, gsize size)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < size; i++)
    if (data[i] < G_N_ELEMENTS (tokens) && data[i] != '\n')
      g_string_append (text, tokens[data[i]]);
    else
      g_string_append_c (text, (char) data[i]);

  return g_string_free (text, FALSE);
}

static void
judge (JmRunRules *rules, const char *facts)
{
  g_autoptr (JmRunReport) report = made_report_new (facts);
  g_autoptr (GPtrArray) advice = jm_run_rules_judge (rules, report);

  for (guint i = 0; i < advice->len; i++)
    {
      g_assert_true (
        g_utf8_validate (jm_run_advice_get_title (advice->pdata[i]), -1, NULL));
      g_assert_true (
        g_utf8_validate (jm_run_advice_get_reason (advice->pdata[i]), -1, NULL));
      g_assert_true (
        g_utf8_validate (jm_run_advice_get_action (advice->pdata[i]), -1, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = make_text (data, size);
  g_autoptr (JmRunRules) rules =
    jm_run_rules_new_from_text ("fuzz.conf", text, strlen (text), &error);

  g_assert_true ((rules == NULL) == (error != NULL));
  if (rules == NULL)
    {
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }

  judge (rules, "");
  judge (rules, "cpus=4 state=COMPLETED gpus_allocated=2 unused_gpus=2 nodes=1 "
                "elapsed_seconds=1d "
                "memory_peak_bytes=3GiB memory_allocated_bytes=100GiB "
                "time_limit_seconds=2d observed_percent=60 user_name=ada");

  return 0;
}
