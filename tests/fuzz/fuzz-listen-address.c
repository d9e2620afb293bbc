/* fuzz-listen-address.c: addresses to listen on, of whatever bytes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>
#include <sys/un.h>

#include "base/jm-error.h"
#include "web/jme-listen-address.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmeListenAddress) address = jme_listen_address_parse (text, &error);

  if (address == NULL)
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  else if (address->path != NULL)
    g_assert_true (address->path[0] == '/' &&
                   strlen (address->path) <
                     sizeof ((struct sockaddr_un *) NULL)->sun_path);
  else
    g_assert_true (address->host == NULL || *address->host != '\0');

  return 0;
}
