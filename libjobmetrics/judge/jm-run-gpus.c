/* jm-run-gpus.c: the accelerators that a run was given, by type
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-run-gpus-private.h"

#include <string.h>

#include "core/jm-run-derived-private.h"

#define PREFIX "gres/gpu:"

static void
run_gpus_clear (gpointer data)
{
  JmRunGpus *self = data;

  g_free (self->type);
}

/* `gres/gpu:a100=2`; at most as many as are @left. */
static void
add_word (GArray *list, const char *word, double *left)
{
  const char *equals = strchr (word, '=');
  JmRunGpus gpus;

  if (!g_str_has_prefix (word, PREFIX) || equals == NULL)
    return;
  gpus.n = MIN ((double) g_ascii_strtoull (equals + 1, NULL, 10), *left);
  if (gpus.n <= 0)
    return;
  word += strlen (PREFIX);
  gpus.type = g_ascii_strdown (word, equals - word);
  *left -= gpus.n;
  g_array_append_val (list, gpus);
}

GArray *
jm_run_gpus_list (JmRun *run)
{
  const JmFigure gpus = jm_run_derived_get_figure (run, JM_RUN_FIELD_GPUS_ALLOCATED);
  const char *tres = jm_run_peek_text (run, JM_RUN_FIELD_TRES);
  g_auto (GStrv) words = g_strsplit (tres != NULL ? tres : "", ",", -1);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (JmRunGpus));
  JmRunGpus others = { .n = gpus.is_known ? gpus.value : 0 };

  g_array_set_clear_func (list, run_gpus_clear);
  for (guint i = 0; words[i] != NULL; i++)
    add_word (list, words[i], &others.n);
  if (others.n > 0)
    g_array_append_val (list, others);

  return list;
}
