/* fuzz-rapl.c: any bytes for the names, events and scales of energy counters
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>

#include "sources/power/jm-rapl-perf-source-private.h"
#include "sources/power/jm-rapl-powercap-source-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
name_domain (JmSlice name, const JmSlice *parent)
{
  char *domain = jm_powercap_name_domain (name, parent);

  if (domain == NULL)
    return;

  g_assert (domain[0] != '\0' && g_str_is_ascii (domain));
  g_ref_string_release (domain);
}

static void
parse_powercap (const char *text, gsize length)
{
  g_autofree char *directory = g_strndup (text, length);
  const char *newline = memchr (text, '\n', length);
  gsize first = newline != NULL ? (gsize) (newline - text) : length;
  JmSlice name = { text, first };
  JmSlice parent = { text + first, length - first };
  JmPowercapAddress address;

  jm_powercap_parse_address (directory, &address);
  name_domain (name, NULL);
  name_domain (parent, &name);
  name_domain (name, &parent);
}

static void
parse_perf (const char *text, gsize length)
{
  guint64 config;
  guint64 factor;
  guint shift;

  if (jm_perf_parse_config (text, length, &config))
    g_assert (config <= 0xff);
  if (jm_perf_parse_scale (text, length, &factor, &shift))
    g_assert (factor > 0 && factor >> 40 == 0 && shift < 128);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;

  parse_powercap (text, size);
  parse_perf (text, size);
  return 0;
}
