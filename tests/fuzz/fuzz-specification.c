/* fuzz-specification.c: any bytes as a power source or an emission provider with
 * settings
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "registry/jm-registry-private.h"

#define NOWHERE "/nonexistent"

/* A byte below their number stands for one of these: chance alone finds few names. */
static const char *const tokens[] = {
  "fixed",     "owid",     "global",     "rte",     "electricity-maps",
  "watttime",  "file",     "command",    "redfish", "ipmi",
  "estimate",  "hwmon",    ",",          "=",       "\"",
  "zone",      "factor",   "scope",      "method",  "quality",
  "interval",  "path",     "domain",     "unit",    "token",
  "url",       "FR",       "55",         "1e309",   "nan",
  "lifecycle", "marginal", "/etc/token", "0x1p3",   "http://[::1]:99999",
  "-0",
};

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static char *
make_text (const guint8 *data, gsize size)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < size; i++)
    if (data[i] < G_N_ELEMENTS (tokens))
      g_string_append (text, tokens[data[i]]);
    else
      g_string_append_c (text, (char) data[i]);

  return g_string_free (text, FALSE);
}

/* What asks others would do so here. */
static void
open_source (JmSource *source)
{
  g_autoptr (GError) error = NULL;

  if (!jm_source_reaches_out (source) &&
      !g_initable_init (G_INITABLE (source), NULL, &error))
    g_assert_true (error == NULL || error->domain == JM_ERROR);
}

static void
make_source (JmSourceKind kind, const char *specification)
{
  g_autoptr (JmHost) host = jm_host_new (NOWHERE);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSource) source = jm_registry_make (kind, specification, host, &error);

  if (source == NULL)
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  else if (kind == JM_SOURCE_KIND_EMISSIONS)
    open_source (source);
}

/* What GLib finds wrong with how it is called is a fault here. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);

  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = make_text (data, size);

  make_source (JM_SOURCE_KIND_EMISSIONS, text);
  make_source (JM_SOURCE_KIND_POWER, text);

  return 0;
}
