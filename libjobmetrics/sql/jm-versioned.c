/* jm-versioned.c: values that a later program reads again
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sql/jm-versioned-private.h"

GBytes *
jm_versioned_pack (guint8 version, GVariant *value)
{
  GVariant *const parts[] = { g_variant_new_byte (version), value };
  g_autoptr (GVariant) all =
    g_variant_ref_sink (g_variant_new_tuple (parts, G_N_ELEMENTS (parts)));

  return g_variant_get_data_as_bytes (all);
}

GVariant *
jm_versioned_unpack (GBytes *bytes, guint8 version, const char *type)
{
  g_autofree char *whole = g_strconcat ("(y", type, ")", NULL);
  g_autoptr (GVariant) all = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (size == 0 || data[0] != version)
    return NULL;

  all = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (whole), bytes, FALSE));

  return g_variant_is_normal_form (all) ? g_variant_get_child_value (all, 1) : NULL;
}
