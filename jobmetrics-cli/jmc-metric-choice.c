/* jmc-metric-choice.c: the options that say which metrics are shown
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-metric-choice.h"

#include "jmc-options.h"
#include "jmc-output.h"

void
jmc_metric_choice_clear (JmcMetricChoice *self)
{
  g_clear_pointer (&self->include, g_strfreev);
  g_clear_pointer (&self->exclude, g_strfreev);
}

void
jmc_metric_choice_add_entries (JmcMetricChoice *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "metrics.include", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->include,
      "Only metrics of these names, with * and ?, several times", "PATTERN" },
    { "metrics.exclude", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->exclude,
      "No metrics of these names, several times", "PATTERN" },
    { NULL },
  };

  jmc_options_add_entries (group, entries);
}

static gboolean
check_patterns (const char *option, char **patterns)
{
  for (char **pattern = patterns; pattern != NULL && *pattern != NULL; pattern++)
    {
      g_autoptr (GError) error = NULL;

      if (!jm_metric_selection_check_pattern (*pattern, &error))
        {
          jmc_output_complain ("--%s: %s", option, error->message);
          return FALSE;
        }
    }

  return TRUE;
}

/* FALSE, and has reported why, where a pattern means no metric. */
gboolean
jmc_metric_choice_check (const JmcMetricChoice *self)
{
  return check_patterns ("metrics.include", self->include) &&
         check_patterns ("metrics.exclude", self->exclude);
}

gboolean
jmc_metric_choice_is_made (const JmcMetricChoice *self)
{
  return self->include != NULL || self->exclude != NULL;
}

/* Takes a reference; of all metrics where nothing was chosen. */
JmMetricSelection *
jmc_metric_choice_get_selection (const JmcMetricChoice *self)
{
  return jm_metric_selection_new ((const char *const *) self->include,
                                  (const char *const *) self->exclude);
}
