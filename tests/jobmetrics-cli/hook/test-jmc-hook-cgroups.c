/* test-jmc-hook-cgroups.c: where a hook looks for cgroups, beside what definitions say
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fnmatch.h>
#include <string.h>

#include "hook/jmc-hook-steps.h"
#include "sources/jobs/jm-path-pattern-private.h"

#define SLICES "**.slice/"
#define ALL G_MAXUINT

/* What each scheduler passes to its hook about a job. */
typedef struct
{
  const char *scheduler;
  const char *environment[3];
  const char *words[3];
} Told;

static const Told all_told[] = {
  { "slurm", { "SLURM_JOB_ID=5", "SLURM_JOB_SLUID=s2NTMGRVH5X400" }, { NULL } },
  { "flux", { "FLUX_JOB_ID=f5" }, { NULL } },
  { "gridengine", { "JOB_ID=12", "SGE_TASK_ID=3" }, { NULL } },
  { "pbs", { NULL }, { "77.head", "alice" } },
  { "torque", { NULL }, { "77.head", "alice" } },
};

/* --- a definition --- */

/* Of JmPathPattern. */
static GPtrArray *
load_patterns (const char *scheduler)
{
  g_autofree char *name = g_strconcat (scheduler, ".conf", NULL);
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "data", "schedulers", name, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) texts = NULL;
  GPtrArray *patterns =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_path_pattern_free);

  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  texts = g_key_file_get_string_list (file, "Cgroup", "Job", NULL, &error);
  g_assert_no_error (error);
  for (char **text = texts; *text != NULL; text++)
    {
      g_ptr_array_add (patterns, jm_path_pattern_new (*text, ALL, &error));
      g_assert_no_error (error);
    }

  return patterns;
}

static gboolean
is_defined (GPtrArray *patterns, const char *path)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < patterns->len && !is_found; i++)
    {
      g_auto (JmPathMatch) match = { 0 };

      is_found = jm_path_pattern_match (patterns->pdata[i],
                                        (JmSlice){ path, strlen (path) }, &match);
    }

  return is_found;
}

/* --- a hook --- */

static JmcHookJob *
read_job (const Told *told)
{
  JmcHookJob *job = jmc_hook_job_read (told->scheduler, (char **) told->environment,
                                       (char **) told->words);

  g_assert_nonnull (job);

  return job;
}

static const char *
get_name (const JmcHookJob *job, guint i)
{
  const char *name = job->names[i];

  if (name != NULL && g_str_has_prefix (name, job->scheduler))
    name += strlen (job->scheduler) + 1;

  return name;
}

static char *
replace (const char *text, const char *what, const char *by)
{
  g_auto (GStrv) parts = g_strsplit (text, what, -1);

  return g_strjoinv (by, parts);
}

/* A path that the hook would look at. */
static char *
fill_in (const char *pattern, const char *slices, const char *name)
{
  g_autofree char *below = replace (pattern, SLICES, slices);
  g_autofree char *any = replace (below, "*", "1");
  g_autofree char *path = replace (any, "%j", name);

  return g_strconcat ("/", path, NULL);
}

static gboolean
is_defined_for (GPtrArray *patterns,
                const JmcHookJob *job,
                const char *pattern,
                const char *slices)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < JMC_HOOK_MAX_NAMES && get_name (job, i) != NULL; i++)
    {
      g_autofree char *path = fill_in (pattern, slices, get_name (job, i));

      is_found = is_found || is_defined (patterns, path);
    }

  return is_found;
}

/* Of a path whose slices, if any, stand for none. */
static gboolean
is_looked_for (const JmcHookJob *job, const char *path)
{
  for (const char *const *pattern = job->cgroups; *pattern != NULL; pattern++)
    {
      g_autofree char *bare = replace (*pattern, SLICES, "");
      g_autofree char *any = replace (bare, "%j", "*");

      if (fnmatch (any, path + 1, FNM_PATHNAME | FNM_PERIOD) == 0)
        return TRUE;
    }

  return FALSE;
}

/* --- both --- */

static void
test_every_scheduler_is_looked_at (void)
{
  const char *const *known = jmc_hook_job_list_schedulers ();

  g_assert_cmpuint (g_strv_length ((char **) known), ==, G_N_ELEMENTS (all_told));
  for (gsize i = 0; i < G_N_ELEMENTS (all_told); i++)
    g_assert_true (g_strv_contains (known, all_told[i].scheduler));
}

static void
test_what_a_hook_removes_is_a_job_by_the_definition (gconstpointer data)
{
  static const char *const depths[] = { "", "a.slice/", "a.slice/a-b.slice/c.slice/" };
  g_autoptr (GPtrArray) patterns = load_patterns (((const Told *) data)->scheduler);
  g_autoptr (JmcHookJob) job = read_job (data);

  for (const char *const *pattern = job->cgroups; *pattern != NULL; pattern++)
    for (gsize i = 0; i < G_N_ELEMENTS (depths); i++)
      if (!is_defined_for (patterns, job, *pattern, depths[i]))
        g_error ("%s: no job by the definition: %s", job->scheduler, *pattern);
}

/* What systemd makes, it removes. */
static gboolean
is_of_systemd (const char *path)
{
  return g_str_has_suffix (path, ".scope") || g_str_has_suffix (path, ".slice") ||
         strstr (path, "/user@") != NULL;
}

static void
test_what_the_definition_calls_a_job_a_hook_finds (gconstpointer data)
{
  g_autoptr (GPtrArray) patterns = load_patterns (((const Told *) data)->scheduler);
  g_autoptr (JmcHookJob) job = read_job (data);

  for (guint i = 0; i < patterns->len; i++)
    {
      g_autofree char *path = jm_path_pattern_make_example (patterns->pdata[i]);

      if (!is_of_systemd (path) && !is_looked_for (job, path))
        g_error ("%s: the hook does not look for %s", job->scheduler, path);
    }
}

static void
add (const char *name, const Told *told, GTestDataFunc test)
{
  g_autofree char *path =
    g_strdup_printf ("/hook-cgroups/%s/%s", told->scheduler, name);

  g_test_add_data_func (path, told, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/hook-cgroups/every-scheduler-is-looked-at",
                   test_every_scheduler_is_looked_at);
  for (gsize i = 0; i < G_N_ELEMENTS (all_told); i++)
    {
      add ("what-a-hook-removes-is-a-job-by-the-definition", &all_told[i],
           test_what_a_hook_removes_is_a_job_by_the_definition);
      add ("what-the-definition-calls-a-job-a-hook-finds", &all_told[i],
           test_what_the_definition_calls_a_job_a_hook_finds);
    }

  return g_test_run ();
}
