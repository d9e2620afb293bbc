/* jme-scrape.c: what one scrape asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "node/jme-scrape.h"

#include "core/jm-error.h"
#include "core/jm-metric.h"

static gboolean
parse_names (char **names, guint32 *mask, GError **error)
{
  *mask = 0;

  for (char **name = names; *name != NULL; name++)
    {
      JmCollector collector;

      if (!jm_collector_from_name (*name, &collector))
        {
          g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "no such collector: %s",
                       *name);
          return FALSE;
        }
      *mask |= 1u << collector;
    }

  return TRUE;
}

gboolean
jme_scrape_parse_collectors (JmeRequest *request, guint32 *collectors, GError **error)
{
  g_auto (GStrv) collect = jme_request_get_values (request, "collect[]");
  g_auto (GStrv) exclude = jme_request_get_values (request, "exclude[]");
  guint n_collect = g_strv_length (collect);
  guint n_exclude = g_strv_length (exclude);
  guint32 mask;

  if (n_collect > 0 && n_exclude > 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "collect[] and exclude[] cannot be combined");
      return FALSE;
    }

  if (!parse_names (n_collect > 0 ? collect : exclude, &mask, error))
    return FALSE;

  *collectors = n_collect > 0 ? mask : ~mask;

  return TRUE;
}
