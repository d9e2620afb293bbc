/* fuzz-web-config.c: any bytes as a web.yml
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "web/jme-web-config.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmeWebConfig) config =
    jme_web_config_parse ("/etc/web.yml", (const char *) data, size, &error);

  g_assert_true ((config == NULL) == (error != NULL));
  if (config != NULL)
    g_free (jme_tls_config_get_priority (&config->tls));

  return 0;
}
