/* jm-report-hints.c: advice on a run as a report shows it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "report/page/jm-report-hints-private.h"

#include "base/jm-safe-text-private.h"
#include "judge/jm-run-advice-private.h"

static const JmReportTone tones[JM_N_ADVICE_LEVELS] = {
  [JM_ADVICE_LEVEL_NOTE] = JM_REPORT_TONE_PLAIN,
  [JM_ADVICE_LEVEL_WARNING] = JM_REPORT_TONE_FAIR,
  [JM_ADVICE_LEVEL_ACT] = JM_REPORT_TONE_POOR,
};

static void
hint_clear (gpointer data)
{
  JmReportHint *self = data;

  g_free (self->title);
  g_free (self->reason);
  g_free (self->action);
}

static char *
make_safe (const char *text)
{
  return text != NULL && *text != '\0' ? jm_safe_text_make (text) : NULL;
}

/* What is to be done may have lines of its own, such as those of a batch script. */
static char *
make_safe_lines (const char *text)
{
  GString *lines;

  if (text == NULL || *text == '\0')
    return NULL;

  lines = g_string_new (text);
  jm_safe_text_make_lines (lines);

  return g_string_free (lines, FALSE);
}

GArray *
jm_report_hints_list (GPtrArray *advice)
{
  GArray *hints = g_array_new (FALSE, FALSE, sizeof (JmReportHint));

  g_array_set_clear_func (hints, hint_clear);
  for (guint i = 0; advice != NULL && i < MIN (advice->len, JM_REPORT_MAX_HINTS); i++)
    {
      JmRunAdvice *piece = advice->pdata[i];
      const JmAdviceLevel level = jm_run_advice_get_level (piece);
      const JmReportHint hint = { jm_advice_level_get_name (level), tones[level],
                                  make_safe (jm_run_advice_get_title (piece)),
                                  make_safe_lines (jm_run_advice_get_reason (piece)),
                                  make_safe_lines (jm_run_advice_get_action (piece)) };

      g_array_append_val (hints, hint);
    }

  return hints;
}
