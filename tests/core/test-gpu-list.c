/* test-gpu-list.c: devices as schedulers and their jobs' variables list them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-gpu-grants-private.h"
#include "core/jm-gpu-list-private.h"

/* The devices of a list, with blanks between; a number of the scheduler's has a #
 * before it, and a list of which some was not understood a ? behind it. */
static char *
describe (const char *text, JmGpuNumbers numbers)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  gboolean is_sound =
    jm_gpu_list_take (text, numbers, JM_GPU_ORIGIN_ENVIRONMENT, grants);
  GString *found = g_string_new (NULL);
  guint n_grants;
  const JmGpuGrant *grant = jm_gpu_grants_get (grants, &n_grants);

  for (guint i = 0; i < n_grants; i++)
    {
      g_assert_cmpfloat (grant[i].share, ==, 1);
      g_assert_cmpint (grant[i].origin, ==, JM_GPU_ORIGIN_ENVIRONMENT);
      if (grant[i].device != NULL)
        g_string_append_printf (found, "%s ", grant[i].device);
      else
        g_string_append_printf (found, "#%u ", grant[i].index);
    }
  if (!is_sound)
    g_string_append (found, "? ");
  if (found->len > 0)
    g_string_truncate (found, found->len - 1);

  return g_string_free (found, FALSE);
}

static void
assert_list (const char *text, JmGpuNumbers numbers, const char *expected)
{
  g_autofree char *found = describe (text, numbers);

  g_assert_cmpstr (found, ==, expected);
}

static void
assert_of_scheduler (const char *text, const char *expected)
{
  assert_list (text, JM_GPU_NUMBERS_OF_SCHEDULER, expected);
}

static void
test_numbers_are_the_scheduler_s (void)
{
  assert_of_scheduler ("0,1", "#0 #1");
  assert_of_scheduler ("3", "#3");
  assert_of_scheduler ("0-3", "#0 #1 #2 #3");
  assert_of_scheduler ("CUDA0,CUDA3", "#0 #3");
  assert_of_scheduler ("0-1,7", "#0 #1 #7");
  assert_of_scheduler (" 2 4\n", "#2 #4");
}

static void
test_numbers_of_the_driver_are_names (void)
{
  assert_list ("2", JM_GPU_NUMBERS_OF_DRIVER, "2");
  assert_list ("0-1", JM_GPU_NUMBERS_OF_DRIVER, "0 1");
  assert_list ("0.7", JM_GPU_NUMBERS_OF_DRIVER, "0.7");
}

/* Within a job devices may be numbered anew. */
static void
test_numbers_of_a_job_mean_nothing (void)
{
  assert_list ("0,1", JM_GPU_NUMBERS_OF_JOB, "");
  assert_list ("0-3", JM_GPU_NUMBERS_OF_JOB, "");
  assert_list ("1,GPU-8f6d0a52-1111-2222-3333-444455556666", JM_GPU_NUMBERS_OF_JOB,
               "GPU-8f6d0a52-1111-2222-3333-444455556666");
}

static void
test_names_are_those_of_makers (void)
{
  assert_of_scheduler ("GPU-8f6d0a52-1111-2222-3333-444455556666,GPU-8f6d0a52",
                       "GPU-8f6d0a52-1111-2222-3333-444455556666 GPU-8f6d0a52");
  assert_of_scheduler ("MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f",
                       "MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f");
  assert_of_scheduler ("MIG-GPU-8f6d0a52-1111-2222-3333-444455556666/1/0",
                       "MIG-GPU-8f6d0a52-1111-2222-3333-444455556666/1/0");
  assert_of_scheduler ("0000:3b:00.0;00000000:AF:00.0",
                       "0000:3b:00.0 00000000:AF:00.0");
  assert_of_scheduler ("amd0,intel1,0.3", "amd0 intel1 0.3");
}

static void
test_files_have_the_kernel_s_numbers (void)
{
  assert_of_scheduler ("/dev/nvidia0,nvidia3", "195:0 195:3");
  assert_of_scheduler ("/dev/dri/renderD129 card1", "226:129 226:1");
}

static void
test_slurm_says_which_of_a_kind (void)
{
  assert_of_scheduler ("gpu:a100:2(IDX:0,3)", "#0 #3");
  assert_of_scheduler ("gpu:2(IDX:0-1),gpu:v100:1(IDX:5)", "#0 #1 #5");
  assert_of_scheduler ("gpu:a100:2(S:0-1)", "");
  assert_of_scheduler ("gpu:2", "");
}

static void
test_words_for_none_name_none (void)
{
  assert_of_scheduler ("", "");
  assert_of_scheduler ("-1", "");
  assert_of_scheduler ("NoDevFiles", "");
  assert_list ("all", JM_GPU_NUMBERS_OF_JOB, "");
  assert_list ("void", JM_GPU_NUMBERS_OF_JOB, "");
}

static void
test_what_is_no_device_is_said_and_costs_only_itself (void)
{
  assert_of_scheduler ("0,x,1", "#0 #1 ?");
  assert_of_scheduler ("3-1", "?");
  assert_of_scheduler ("0-", "?");
  assert_of_scheduler ("1.2.3", "?");
  assert_of_scheduler ("99999", "?");
  assert_of_scheduler ("18446744073709551616", "?");
  assert_of_scheduler ("0-99999", "?");
  assert_of_scheduler ("GPU-1;rm -rf", "GPU-1 ?");
  assert_of_scheduler ("gpu:1(IDX:0", "?");
  assert_of_scheduler ("nvidia", "?");
  assert_of_scheduler ("../0", "?");
}

/* A user may write what he likes. */
static void
test_a_list_without_end_is_none (void)
{
  g_autofree char *text = g_strnfill (1 << 20, '1');

  assert_of_scheduler (text, "?");
}

static void
test_no_more_devices_are_taken_than_a_node_may_have (void)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_grants;

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "0-4095,");
  jm_gpu_list_take (text->str, JM_GPU_NUMBERS_OF_SCHEDULER, JM_GPU_ORIGIN_ENVIRONMENT,
                    grants);
  jm_gpu_grants_get (grants, &n_grants);

  g_assert_cmpuint (n_grants, ==, 4096);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/gpu-list/numbers-are-the-scheduler-s",
                   test_numbers_are_the_scheduler_s);
  g_test_add_func ("/gpu-list/numbers-of-the-driver-are-names",
                   test_numbers_of_the_driver_are_names);
  g_test_add_func ("/gpu-list/numbers-of-a-job-mean-nothing",
                   test_numbers_of_a_job_mean_nothing);
  g_test_add_func ("/gpu-list/names-are-those-of-makers",
                   test_names_are_those_of_makers);
  g_test_add_func ("/gpu-list/files-have-the-kernel-s-numbers",
                   test_files_have_the_kernel_s_numbers);
  g_test_add_func ("/gpu-list/slurm-says-which-of-a-kind",
                   test_slurm_says_which_of_a_kind);
  g_test_add_func ("/gpu-list/words-for-none-name-none", test_words_for_none_name_none);
  g_test_add_func ("/gpu-list/what-is-no-device-is-said-and-costs-only-itself",
                   test_what_is_no_device_is_said_and_costs_only_itself);
  g_test_add_func ("/gpu-list/a-list-without-end-is-none",
                   test_a_list_without_end_is_none);
  g_test_add_func ("/gpu-list/no-more-devices-are-taken-than-a-node-may-have",
                   test_no_more_devices_are_taken_than_a_node_may_have);

  return g_test_run ();
}
