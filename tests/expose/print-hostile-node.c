/* print-hostile-node.c: prints a node with the worst labels that there can be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "expose/jm-text-encoder.h"
#include "jm-snapshot-builder.h"

int
main (int argc, char *argv[])
{
  g_autoptr (JmTextEncoder) encoder = jm_text_encoder_new ();
  g_autoptr (JmSnapshot) snapshot = jm_test_snapshot_of_a_hostile_node ();
  gboolean is_openmetrics = argc > 1 && g_str_equal (argv[1], "openmetrics");
  g_autofree char *text =
    jm_text_encoder_to_string (encoder, snapshot,
                               is_openmetrics ? JM_TEXT_FORMAT_OPENMETRICS
                                              : JM_TEXT_FORMAT_PROMETHEUS);

  /* g_print() would convert to the locale's character set. */
  return fwrite (text, 1, strlen (text), stdout) == strlen (text) ? 0 : 1;
}
