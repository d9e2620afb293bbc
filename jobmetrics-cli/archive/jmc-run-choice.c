/* jmc-run-choice.c: which run of the archive an id means
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-run-choice.h"

#include "base/jm-error.h"
#include "jmc-output.h"

char *
jmc_run_choice_find (JmArchive *archive,
                     const char *job,
                     const char *cluster,
                     GError **error)
{
  guint n_runs = 0;
  g_autoptr (JmRun) run =
    jm_archive_find_job (archive, job, cluster, &n_runs, NULL, error);
  const char *uuid = run != NULL ? jm_run_get_text (run, "uuid") : NULL;

  if (uuid == NULL && run != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: its run has no uuid",
                 jm_run_get_text (run, "raw_id"));
  if (uuid != NULL && job != NULL && n_runs > 1)
    jmc_output_complain ("%s: the newest of %u runs; the others: jobmetrics-cli "
                         "history --job=%s --columns=jobid,began,state,uuid",
                         job, n_runs, job);

  return g_strdup (uuid);
}
