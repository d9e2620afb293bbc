/* test-further-fields.c: what a site's definition reports beside a job's fields
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "sources/jobs/jm-scheduler-definition-private.h"
#include "tree.h"

#define JOB "/pbs/job_7"
#define DEFINITION                                                                     \
 "[Scheduler]\nName=pbs\n[Cgroup]\nJob=/pbs/job_%j\n"                                  \
 "[Environment]\njobid=PBS_JOB\n"                                                      \
 "[Fields]\nwalltime=PBS_WALLTIME\nproject=PBS_PROJECT\n"                              \
 "[Hook]\nDirectory=/run/pbs\nFile=%j\n"

typedef struct
{
  Tree *tree;
  JmJobSource *source;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmSchedulerDefinition) definition =
    jm_scheduler_definition_new_from_text ("pbs.conf", DEFINITION, strlen (DEFINITION),
                                           &error);

  g_assert_no_error (error);
  self->tree = tree_new ();
  self->source =
    JM_JOB_SOURCE (g_initable_new (JM_TYPE_CGROUP_JOB_SOURCE, NULL, &error, "host",
                                   self->tree->host, "definition", definition, NULL));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->source);
  tree_free (self->tree);
}

static void
assert_further (JmJob *job, const char *name, const char *value, JmOrigin origin)
{
  g_assert_cmpstr (jm_job_get_further_field (job, name), ==, value);
  g_assert_cmpint (jm_job_get_further_origin (job, name), ==, origin);
}

static void
test_a_hook_counts_for_more_than_an_environment (Fixture *self, gconstpointer data)
{
  static const char *const variables[] = { "PBS_JOB=7", "PBS_WALLTIME=99:00:00",
                                           "PBS_PROJECT=art", NULL };
  static const char *const expected[] = { "project", "walltime", NULL };
  g_autoptr (JmJob) job = NULL;
  g_auto (GStrv) names = NULL;

  tree_put (self->tree, "run/pbs/7", "PBS_JOB=7\nPBS_WALLTIME=01:00:00\n");
  tree_add_process (self->tree, 10, 1001, JOB, variables);
  job = identify (self->source, JOB, 10);
  names = jm_job_list_further_fields (job);

  g_assert_cmpstrv (names, expected);
  assert_further (job, "walltime", "01:00:00", JM_ORIGIN_HOOK);
  assert_further (job, "project", "art", JM_ORIGIN_ENVIRONMENT);
  assert_further (job, "queue", NULL, JM_ORIGIN_NONE);
}

static void
test_what_is_empty_too_long_or_of_another_job_is_not_taken (Fixture *self,
                                                            gconstpointer data)
{
  g_autofree char *filler = g_strnfill (1025, 'x');
  g_autofree char *text =
    g_strdup_printf ("PBS_JOB=7\nPBS_WALLTIME=\nPBS_PROJECT=%s\n", filler);
  static const char *const variables[] = { "PBS_JOB=8", "PBS_WALLTIME=1", NULL };
  g_autoptr (JmJob) job = NULL;
  g_auto (GStrv) names = NULL;

  tree_put (self->tree, "run/pbs/7", text);
  tree_add_process (self->tree, 10, 1001, JOB, variables);
  job = identify (self->source, JOB, 10);
  names = jm_job_list_further_fields (job);

  g_assert_null (names[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/further-fields/a-hook-counts-for-more-than-an-environment", Fixture,
              NULL, set_up, test_a_hook_counts_for_more_than_an_environment, tear_down);
  g_test_add ("/further-fields/what-is-empty-too-long-or-of-another-job-is-not-taken",
              Fixture, NULL, set_up,
              test_what_is_empty_too_long_or_of_another_job_is_not_taken, tear_down);

  return g_test_run ();
}
