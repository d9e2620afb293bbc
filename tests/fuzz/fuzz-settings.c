/* fuzz-settings.c: a configuration file of whatever bytes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "node/jm-node-settings-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (JmSettings) settings = jm_settings_new ();
  g_autoptr (GError) error = NULL;

  jm_node_settings_add (settings);
  if (!jm_settings_read_text (settings, "node.conf", (const char *) data, size, "node",
                              &error))
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);

  return 0;
}
