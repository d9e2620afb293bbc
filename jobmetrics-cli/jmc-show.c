/* jmc-show.c: jobmetrics-cli show: everything that is known about one job
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jmc-show.h"

#include <unistd.h>

#include "jmc-json.h"
#include "jmc-options.h"
#include "jmc-portrait.h"
#include "jmc-snapshot.h"

/* What the portrait shows: no more is read. */
#define COLLECTORS                                                                     \
 (1u << JM_COLLECTOR_CPU | 1u << JM_COLLECTOR_MEMORY |                                 \
  1u << JM_COLLECTOR_MEMORY_STAT | 1u << JM_COLLECTOR_PRESSURE |                       \
  1u << JM_COLLECTOR_IO | 1u << JM_COLLECTOR_PROCESS | 1u << JM_COLLECTOR_THREADS |    \
  1u << JM_COLLECTOR_FILES)

static gboolean
parse (JmcOptions *options, int argc, char **argv, const char **id)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("JOBID");

  g_option_context_set_summary (
    context,
    "Shows everything that is known about one job: what it used so far, its steps and\n"
    "tasks. JOBID is the scheduler's id, ARRAY_INDEX of a job array, HET+OFFSET of a\n"
    "heterogeneous job, or a uuid.");
  g_option_context_set_main_group (context, jmc_options_make_group (options));
  if (!jmc_options_parse (context, &argc, &argv))
    return FALSE;

  if (argc != 2)
    {
      jmc_output_complain (argc < 2 ? "show: a job id is missing"
                                    : "show: more than one job id");
      return FALSE;
    }
  *id = argv[1];

  return jmc_options_check (options);
}

static void
print_portrait (JmSnapshot *snapshot, guint subject, JmcColor color)
{
  g_autofree char *text =
    jmc_portrait_render (snapshot, subject,
                         jmc_output_has_color (color, STDOUT_FILENO));

  jmc_output_print (text);
}

int
jmc_show_main (int argc, char **argv)
{
  g_auto (JmcOptions) options = { 0 };
  g_autoptr (JmSnapshot) snapshot = NULL;
  const char *id;
  guint subject;

  if (!parse (&options, argc, argv, &id))
    return JMC_EXIT_USAGE;

  snapshot = jmc_snapshot_take (&options, JM_LEVEL_TASK,
                                options.json ? JMC_ALL_COLLECTORS : COLLECTORS);
  if (snapshot == NULL)
    return JMC_EXIT_FAILURE;

  if (!jm_snapshot_find_job (snapshot, id, &subject))
    {
      jmc_output_complain ("%s: no such job on this node", id);
      return JMC_EXIT_FAILURE;
    }

  if (options.json)
    jmc_json_print_job (snapshot, subject);
  else
    print_portrait (snapshot, subject, options.color);

  return jmc_output_finish (JMC_EXIT_OK);
}
