/* fuzz-distinguished-name.c: any bytes as a certificate's subject
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "web/jme-identity.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Each byte by its number, which is another way to write the same. */
static char *
escape (const char *name)
{
  g_autoptr (GString) out = g_string_new ("CN=");

  for (const char *c = name; *c != '\0'; c++)
    g_string_append_printf (out, "\\%02x", (guint8) *c);

  return g_string_free (g_steal_pointer (&out), FALSE);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *subject = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = jme_distinguished_name_find_common_name (subject, &error);
  g_autofree char *twice = g_strconcat ("CN=x,", subject, NULL);

  g_assert_true ((name == NULL) == (error != NULL));
  if (name == NULL)
    return 0;

  g_assert_null (jme_distinguished_name_find_common_name (twice, NULL));
  if (strlen (name) < 1000)
    {
      g_autofree char *escaped = escape (name);
      g_autofree char *again = jme_distinguished_name_find_common_name (escaped, NULL);

      g_assert_cmpstr (again, ==, name);
    }

  return 0;
}
