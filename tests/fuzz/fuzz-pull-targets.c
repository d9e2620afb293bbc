/* fuzz-pull-targets.c: any bytes as a list of nodes whose ledgers are read
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/import/jm-pull-targets-private.h"
#include "base/jm-error.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Whatever stands there, the ledger of some host is asked for and nothing else. */
static void
check (const JmPullTarget *target)
{
  g_autoptr (GUri) uri = g_uri_parse (target->url, G_URI_FLAGS_NONE, NULL);

  g_assert_nonnull (target->cluster);
  g_assert_nonnull (target->node);
  if (uri == NULL)
    return; /* such as a port that is none */
  g_assert_cmpstr (g_uri_get_path (uri), ==, "/ledger");
  g_assert_null (g_uri_get_query (uri));
  g_assert_null (g_uri_get_userinfo (uri));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) targets =
    jm_pull_targets_parse ("nodes.json", (const char *) data, size, &error);

  if (targets == NULL)
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  for (guint i = 0; targets != NULL && i < targets->len; i++)
    check (targets->pdata[i]);

  return 0;
}
