/* fuzz-node-list.c: any bytes as a list of nodes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>
#include <stdint.h>

#include "base/jm-node-list-private.h"

#define NAMES_MAX 1000

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) names = jm_node_list_expand (text, NAMES_MAX);

  if (names == NULL)
    return 0;

  g_assert_cmpuint (g_strv_length (names), <=, NAMES_MAX);
  for (char **name = names; *name != NULL; name++)
    g_assert_true (**name != '\0');

  return 0;
}
