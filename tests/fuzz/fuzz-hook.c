/* fuzz-hook.c: what a hook sends the exporter, what that answers, and what a scheduler
 * gives a hook, byte by byte
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "hook/jmc-hook-steps.h"
#include "node/jme-node-answers.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
parse_call (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) body = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (JmeHookCall) call = jme_hook_call_parse (body, &error);

  g_assert_true ((call == NULL) == (error != NULL));
  if (call != NULL)
    g_assert_null (strpbrk (call->job, "\"\\/\n"));
  else
    g_assert_null (strchr (error->message, '\n'));
}

static void
parse_answer (const guint8 *data, gsize size)
{
  JmcHookAnswer answer;

  if (!jmc_hook_answer_parse ((const char *) data, size, &answer))
    return;

  g_assert_cmpuint (answer.status, >=, 100);
  g_assert_cmpuint (answer.status, <=, 999);
  for (const char *p = answer.reason; *p != '\0'; p++)
    g_assert_true (g_ascii_isprint (*p));
}

/* A name never leads out of the folder, and each property is one line. */
static void
check_job (const JmcHookJob *job)
{
  for (guint i = 0; i < JMC_HOOK_MAX_NAMES && job->names[i] != NULL; i++)
    {
      g_assert_null (strchr (job->names[i], '/'));
      g_assert_cmpint (job->names[i][0], !=, '.');
      g_assert_cmpint (job->names[i][0], !=, '\0');
    }
  for (const char *p = job->properties->str; *p != '\0'; p = strchr (p, '\n') + 1)
    g_assert_true (g_ascii_isupper (*p) && strchr (p, '\n') != NULL);
}

static void
read_job (const char *text)
{
  static const char *const names[] = {
    "SLURM_JOB_ID", "SLURM_JOB_SLUID", "SLURM_JOB_NAME", "FLUX_JOB_ID",
    "JOB_ID",       "SGE_TASK_ID",     "QUEUE",
  };
  const char *const *schedulers = jmc_hook_job_list_schedulers ();
  g_auto (GStrv) words = g_strsplit (text, "\t", -1);
  g_auto (GStrv) environment = NULL;
  gsize n_words = g_strv_length (words);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    environment =
      g_environ_setenv (environment, names[i], i < n_words ? words[i] : text, TRUE);
  for (; *schedulers != NULL; schedulers++)
    {
      g_autoptr (JmcHookJob) job = jmc_hook_job_read (*schedulers, environment, words);

      if (job != NULL)
        check_job (job);
    }
}

static void
list_gpus (const char *text)
{
  g_auto (GStrv) names = jmc_hook_gpus_list (text);

  g_assert_cmpuint (g_strv_length (names), <=, 1024);
  for (char **name = names; *name != NULL; name++)
    g_assert_true (strchr (*name, '/') == NULL && **name != '.' && **name != '\0');
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);

  parse_call (data, size);
  parse_answer (data, size);
  read_job (text);
  list_gpus (text);

  return 0;
}
