/* jmc-json.c: snapshots as JSON
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-json.h"

#include <stdio.h>

#include "expose/jm-json.h"

/* JSON is UTF-8 whatever the locale says. */
static void
print (JsonNode *node)
{
  g_autofree char *text = json_to_string (node, TRUE);

  fputs (text, stdout);
  fputc ('\n', stdout);
}

/* Prints everything that was read of the node. */
void
jmc_json_print (JmSnapshot *snapshot)
{
  g_autoptr (JsonNode) node = jm_json_encode_snapshot (snapshot);

  print (node);
}

/* Prints one job, with its steps and tasks. */
void
jmc_json_print_job (JmSnapshot *snapshot, guint subject)
{
  g_autoptr (JsonNode) node = jm_json_encode_job (snapshot, subject);

  print (node);
}
