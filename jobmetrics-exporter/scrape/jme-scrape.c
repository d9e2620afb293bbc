/* jme-scrape.c: what one scrape asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "scrape/jme-scrape.h"

#include "core/jm-error.h"

gboolean
jme_scrape_parse_collectors (JmeRequest *request,
                             JmCollectorSet *collectors,
                             GError **error)
{
  g_auto (GStrv) collect = jme_request_get_values (request, "collect[]");
  g_auto (GStrv) exclude = jme_request_get_values (request, "exclude[]");
  guint n_collect = g_strv_length (collect);
  guint n_exclude = g_strv_length (exclude);
  JmCollectorSet named = { { 0 } };

  if (n_collect > 0 && n_exclude > 0)
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID,
                           "collect[] and exclude[] cannot be combined");
      return FALSE;
    }

  if (!jm_collector_set_add_names (&named,
                                   (const char *const *) (n_collect > 0 ? collect
                                                                        : exclude),
                                   error))
    return FALSE;

  *collectors = n_collect > 0 ? named : *jm_collector_set_get_all ();
  if (n_collect == 0)
    jm_collector_set_subtract (collectors, &named);

  return TRUE;
}
