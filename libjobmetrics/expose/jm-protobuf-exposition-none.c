/* jm-protobuf-exposition-none.c: no figures as protobuf, without its library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "expose/jm-protobuf-exposition-private.h"

gboolean
jm_protobuf_exposition_is_wanted (const char *accept)
{
  return FALSE;
}

GBytes *
jm_protobuf_exposition_encode (const char *text, gsize length, GError **error)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_ABSENT,
                       "this build of jobmetrics has no protobuf");

  return NULL;
}
