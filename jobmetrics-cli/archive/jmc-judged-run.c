/* jmc-judged-run.c: a run of a list, with its verdict
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-judged-run.h"

#include "judge/jm-run-report-private.h"

JmcJudgedRun *
jmc_judged_run_new (JmRun *run)
{
  JmcJudgedRun *self = g_new0 (JmcJudgedRun, 1);

  self->run = jm_run_ref (run);

  return self;
}

gboolean
jmc_judged_run_is_of_siblings (const JmQuantity *quantity)
{
  static const JmQuantityId of_siblings[] = {
    JM_QUANTITY_SIBLINGS,
    JM_QUANTITY_USUAL_ELAPSED,
    JM_QUANTITY_ELAPSED_OF_USUAL,
    JM_QUANTITY_ELAPSED_DEVIATION,
    JM_QUANTITY_USUAL_CPU_EFFICIENCY,
    JM_QUANTITY_CPU_EFFICIENCY_OF_USUAL,
    JM_QUANTITY_CPU_EFFICIENCY_DEVIATION,
    JM_QUANTITY_USUAL_ENERGY,
    JM_QUANTITY_ENERGY_OF_USUAL,
    JM_QUANTITY_ENERGY_DEVIATION,
    JM_QUANTITY_USUAL_MEMORY_ALLOCATED,
    JM_QUANTITY_MEMORY_SAVED,
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_siblings); i++)
    if (jm_quantity_get (of_siblings[i]) == quantity)
      return TRUE;

  return FALSE;
}

gboolean
jmc_judged_run_judge (JmcJudgedRun *self,
                      JmArchive *archive,
                      JmRunRules *rules,
                      gboolean has_siblings,
                      JmPriceList *prices,
                      GError **error)
{
  const char *uuid = jm_run_get_text (self->run, "uuid");
  g_autoptr (GPtrArray) advice = NULL;

  self->report = uuid != NULL ? jm_archive_read_report (archive, uuid, NULL, error)
                              : jm_run_report_new (self->run, NULL);
  if (self->report == NULL ||
      (has_siblings && !jm_archive_add_siblings (archive, self->report, NULL, error)))
    return FALSE;
  if (prices != NULL)
    jm_price_list_add_cost (prices, self->report);

  advice = jm_run_rules_judge (rules, self->report);
  self->verdict = jm_run_verdict_new (self->report, advice);

  return TRUE;
}

void
jmc_judged_run_free (JmcJudgedRun *self)
{
  jm_run_unref (self->run);
  g_clear_pointer (&self->report, jm_run_report_unref);
  g_clear_pointer (&self->verdict, jm_run_verdict_unref);
  g_free (self);
}

JmFigure
jmc_judged_run_get (const JmcJudgedRun *self, const JmQuantity *quantity)
{
  return jm_run_report_find_figure (self->report, self->run,
                                    jm_quantity_get_id (quantity));
}
