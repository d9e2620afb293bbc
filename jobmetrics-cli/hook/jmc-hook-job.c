/* jmc-hook-job.c: which job a hook of a scheduler is about, and who it is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-steps.h"

#include <string.h>

/* What a user makes longer is left out: it shall not make the file too long to be read.
 */
#define VALUE_MAX 4096
#define JOB_ID_MAX 128
/* Of 2^64. */
#define NUMBER_MAX 19
#define F58_MAX 12
#define F58_DIGITS "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
/* Flux writes the letter where the locale has it. */
#define FLORIN "\306\222"
#define SLUID_LENGTH 14
#define SLUID_CHARACTERS "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#define WORDS_MAX 10

typedef struct
{
  JmcHookJob *job;
  char **environment;
  char **words;
} Reader;

typedef struct
{
  const char *name;
  gboolean (*read) (const Reader *reader);
  const char *const *cgroups;
} Scheduler;

/* --- words --- */

static const char *
get (const Reader *self, const char *name)
{
  const char *value = g_environ_getenv (self->environment, name);

  return value != NULL ? value : "";
}

static gboolean
is_number (const char *text, gsize max_digits)
{
  gsize length = strlen (text);

  return length > 0 && length <= max_digits && strspn (text, "0123456789") == length;
}

/* A value stays on its line. What is not set is not written. */
static void
add_value (const Reader *self, const char *name, const char *value)
{
  GString *text = self->job->properties;
  gsize length = strlen (value);

  if (length == 0 || length > VALUE_MAX)
    return;

  g_string_append_printf (text, "%s=", name);
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_iscntrl (value[i]))
      g_string_append_c (text, value[i]);
  g_string_append_c (text, '\n');
}

static void
add (const Reader *self, const char *name)
{
  add_value (self, name, get (self, name));
}

/* --- Slurm --- */

static gboolean
is_sluid (const char *text)
{
  return strlen (text) == SLUID_LENGTH && text[0] == 's' &&
         strspn (text + 1, SLUID_CHARACTERS) == SLUID_LENGTH - 1;
}

/* What Slurm sets depends on its version. */
static const char *const slurm_variables[] = {
  "SLURM_JOB_ID",
  "SLURM_JOB_SLUID",
  "SLURM_CLUSTER_NAME",
  "SLURM_JOB_USER",
  "SLURM_JOB_UID",
  "SLURM_JOB_ACCOUNT",
  "SLURM_JOB_PARTITION",
  "SLURM_JOB_QOS",
  "SLURM_JOB_NAME",
  "SLURM_ARRAY_JOB_ID",
  "SLURM_ARRAY_TASK_ID",
  "SLURM_HET_JOB_ID",
  "SLURM_HET_JOB_OFFSET",
  "SLURM_JOB_NUM_NODES",
  "SLURM_JOB_CPUS_PER_NODE",
  "SLURM_JOB_GPUS",
  "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
  "SLURM_SHARDS_ON_NODE",
  "SLURM_JOB_SUBMIT_TIME",
  "SLURM_JOB_START_TIME",
};

static gboolean
read_slurm (const Reader *self)
{
  const char *id = get (self, "SLURM_JOB_ID");
  const char *sluid = get (self, "SLURM_JOB_SLUID");
  g_autofree char *now = NULL;

  if (!is_number (id, JOB_ID_MAX))
    return FALSE;

  self->job->id = g_strdup (id);
  self->job->names[0] = g_strdup (id);
  /* From 26.05 on a job's cgroup is called by its SLUID, which contains no id.
   * A second file, for a link would have to be followed by a reader that trusts none.
   */
  if (is_sluid (sluid))
    self->job->names[1] = g_strdup (sluid);
  for (gsize i = 0; i < G_N_ELEMENTS (slurm_variables); i++)
    add (self, slurm_variables[i]);
  /* Not SLURM_JOB_START_TIME: each node has its own, and the job's uuid is made from
   * what all nodes know alike. */
  now = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_real_time () / G_USEC_PER_SEC);
  add_value (self, "JOBMETRICS_PROLOG_TIME", now);
  self->job->gpus = g_strdup (get (self, "SLURM_JOB_GPUS"));

  return TRUE;
}

/* --- Flux --- */

/* The unit of a job is called by its id in base 58 behind an f. */
static char *
make_f58 (guint64 number)
{
  char digits[F58_MAX + 1] = "";
  gsize at = F58_MAX;

  do
    {
      digits[--at] = F58_DIGITS[number % 58];
      number /= 58;
    }
  while (number > 0);

  return g_strconcat ("f", digits + at, NULL);
}

/* Flux writes an id as a number, or in base 58 behind an f. */
static char *
read_flux_id (const char *text)
{
  g_autofree char *id = g_str_has_prefix (text, FLORIN)
                          ? g_strconcat ("f", text + strlen (FLORIN), NULL)
                          : g_strdup (text);
  gsize length = strlen (id);

  if (is_number (id, NUMBER_MAX))
    return make_f58 (g_ascii_strtoull (id, NULL, 10));
  if (length < 2 || length > F58_MAX || id[0] != 'f' ||
      strspn (id + 1, F58_DIGITS) != length - 1)
    return NULL;

  return g_steal_pointer (&id);
}

static gboolean
read_flux (const Reader *self)
{
  const char *user = get (self, "FLUX_JOB_USERID");
  char *id = read_flux_id (get (self, "FLUX_JOB_ID"));

  if (id == NULL)
    return FALSE;

  self->job->id = id;
  self->job->names[0] = g_strdup (id);
  add_value (self, "FLUX_JOB_ID", id);
  if (is_number (user, NUMBER_MAX))
    add_value (self, "FLUX_JOB_USERID", user);

  return TRUE;
}

/* --- Grid Engine --- */

static const char *const gridengine_variables[] = {
  "USER", "JOB_NAME", "QUEUE", "SGE_ACCOUNT", "NSLOTS", "PE",
};

/* A job that is no array has the task "undefined"; its folder is called as that of
 * task 1. */
static gboolean
read_gridengine (const Reader *self)
{
  const char *id = get (self, "JOB_ID");
  const char *task = get (self, "SGE_TASK_ID");
  gboolean is_array = is_number (task, NUMBER_MAX);

  if (!is_number (id, NUMBER_MAX))
    return FALSE;

  self->job->id = is_array ? g_strconcat (id, ".", task, NULL) : g_strdup (id);
  self->job->names[0] =
    g_strconcat ("gridengine-", id, ".", is_array ? task : "1", NULL);
  add_value (self, "JOB_ID", self->job->id);
  for (gsize i = 0; i < G_N_ELEMENTS (gridengine_variables); i++)
    add (self, gridengine_variables[i]);

  return TRUE;
}

/* --- PBS and TORQUE --- */

/* `1234.pbs01`, or `1235[7].pbs01` of an array. */
static gboolean
is_pbs_id (const char *text)
{
  gsize length = strlen (text);
  gsize digits = strspn (text, "0123456789");
  const char *p = text + digits;

  if (digits == 0 || length > JOB_ID_MAX)
    return FALSE;
  if (*p == '[')
    {
      gsize index = strspn (p + 1, "0123456789");

      if (index == 0 || p[1 + index] != ']')
        return FALSE;
      p += index + 2;
    }
  if (*p == '\0')
    return TRUE;

  return *p == '.' && p[1] != '\0' &&
         strspn (p + 1, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_.-") ==
           strlen (p + 1);
}

/* The words of a prologue by their place; TORQUE has more than PBS. */
static const char *const pbs_words[] = {
  "PBS_JOBID",       "PBS_JOB_USER", NULL /* group */,  "PBS_JOBNAME",
  NULL /* limits */, "PBS_QUEUE",    "PBS_JOB_ACCOUNT",
};

static gboolean
read_pbs (const Reader *self)
{
  gsize n_words = 0;

  while (n_words < WORDS_MAX && self->words != NULL && self->words[n_words] != NULL)
    n_words++;
  if (n_words == 0 || !is_pbs_id (self->words[0]))
    return FALSE;

  self->job->id = g_strdup (self->words[0]);
  self->job->names[0] = g_strdup (self->words[0]);
  for (gsize i = 0; i < MIN (n_words, G_N_ELEMENTS (pbs_words)); i++)
    if (pbs_words[i] != NULL)
      add_value (self, pbs_words[i], self->words[i]);

  return TRUE;
}

/* --- schedulers --- */

static const char *const slurm_cgroups[] = {
  "slurm/uid_*/job_%j",
  "slurm_*/uid_*/job_%j",
  "**.slice/slurmstepd.scope/job_%j",
  "**.slice/*_slurmstepd.scope/job_%j",
  "**.slice/slurmstepd.scope/%j",
  "**.slice/*_slurmstepd.scope/%j",
  NULL,
};
static const char *const gridengine_cgroups[] = { "gridengine/%j", "sge.*/%j", NULL };
static const char *const pbs_cgroups[] = {
  "pbs_jobs.service/jobid/%j",
  "pbs_jobs.service/jobs/%j",
  "pbspro/%j",
  NULL,
};
static const char *const torque_cgroups[] = { "torque/%j", NULL };
/* systemd removes those of units. */
static const char *const no_cgroups[] = { NULL };

static const Scheduler schedulers[] = {
  { "slurm", read_slurm, slurm_cgroups },
  { "flux", read_flux, no_cgroups },
  { "gridengine", read_gridengine, gridengine_cgroups },
  { "pbs", read_pbs, pbs_cgroups },
  { "torque", read_pbs, torque_cgroups },
};

const char *const *
jmc_hook_job_list_schedulers (void)
{
  static const char *const names[] = { "slurm", "flux",   "gridengine",
                                       "pbs",   "torque", NULL };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == G_N_ELEMENTS (schedulers) + 1);

  return names;
}

JmcHookJob *
jmc_hook_job_read (const char *scheduler, char **environment, char **words)
{
  g_autoptr (JmcHookJob) job = g_new0 (JmcHookJob, 1);
  Reader reader = { job, environment, words };

  job->properties = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (schedulers); i++)
    if (g_str_equal (schedulers[i].name, scheduler))
      {
        job->scheduler = schedulers[i].name;
        job->cgroups = schedulers[i].cgroups;

        return schedulers[i].read (&reader) ? g_steal_pointer (&job) : NULL;
      }

  return NULL;
}

void
jmc_hook_job_free (JmcHookJob *self)
{
  g_free (self->id);
  for (gsize i = 0; i < JMC_HOOK_MAX_NAMES; i++)
    g_free (self->names[i]);
  g_string_free (self->properties, TRUE);
  g_free (self->gpus);
  g_free (self);
}
