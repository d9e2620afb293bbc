/* test-gpu.c: who an accelerator is, what is reported of it, and whose it is said to be
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "core/jm-gpu-grants-private.h"
#include "core/jm-gpu-private.h"
#include "core/jm-gpu-report-private.h"

static void
test_a_pci_address_has_the_kernels_form (void)
{
  static const struct
  {
    const char *told;
    const char *kernel;
  } cases[] = {
    { "00000000:3B:00.0", "0000:3b:00.0" },
    { "0000:3b:00.0", "0000:3b:00.0" },
    { "10000:01:1f.7", "10000:01:1f.7" },
    { "0:0:0.0", "0000:00:00.0" },
    { "", NULL },
    { "3b:00.0", NULL },
    { "0000:3b:00", NULL },
    { "0000:3b:00.0 ", NULL },
    { "0000:3b:20.0", NULL },
    { "0000:100:00.0", NULL },
    { "0000:3b:00.8", NULL },
    { "100000000:3b:00.0", NULL },
    { ":::.", NULL },
    { "-1:3b:00.0", NULL },
    { "0000:+b:00.0", NULL },
    { "GPU-12", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *kernel = jm_gpu_format_pci_address (cases[i].told);

      g_assert_cmpstr (kernel, ==, cases[i].kernel);
    }
}

static void
test_what_is_not_known_of_a_device_is_absent (void)
{
  g_autoptr (JmGpu) gpu = jm_gpu_new ("0", 0);
  guint a, b;

  jm_gpu_set_field (gpu, JM_GPU_FIELD_MODEL, "");
  jm_gpu_set_field (gpu, JM_GPU_FIELD_PCI_ADDRESS, "nowhere");

  for (guint i = 0; i < JM_N_GPU_FIELDS; i++)
    g_assert_null (jm_gpu_get_field (gpu, i));
  g_assert_false (jm_gpu_get_device_number (gpu, &a, &b));
  g_assert_false (jm_gpu_get_slices (gpu, &a, &b));
}

static void
test_what_a_library_says_of_a_device_is_text (void)
{
  g_autoptr (JmGpu) gpu = jm_gpu_new ("\xff", 3);

  jm_gpu_set_field (gpu, JM_GPU_FIELD_MODEL, "Tesla \xfe");

  g_assert_true (g_utf8_validate (jm_gpu_get_name (gpu), -1, NULL));
  g_assert_true (
    g_utf8_validate (jm_gpu_get_field (gpu, JM_GPU_FIELD_MODEL), -1, NULL));
  g_assert_cmpuint (jm_gpu_get_index (gpu), ==, 3);
}

static void
test_each_device_of_a_report_has_its_own_figures (void)
{
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  g_autoptr (JmGpu) first = jm_gpu_new ("0", 0);
  g_autoptr (JmGpu) second = jm_gpu_new ("1", 1);
  g_autoptr (GError) lost =
    g_error_new_literal (JM_ERROR, JM_ERROR_UNAVAILABLE, "fell off the bus");
  guint n;

  jm_gpu_report_add_device (report, first);
  jm_gpu_report_add (report, JM_METRIC_GPU_UTILIZATION, 250000);
  jm_gpu_report_add_process (report, 17, 4096, -1);
  jm_gpu_report_add_device (report, second);
  jm_gpu_report_add_error (report, lost);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 2);
  g_assert_cmpuint (jm_gpu_report_find (report, 0, JM_METRIC_GPU_UTILIZATION)->value,
                    ==, 250000);
  g_assert_null (jm_gpu_report_get_error (report, 0));
  g_assert_cmpint (jm_gpu_report_get_processes (report, 0, &n)->memory_bytes, ==, 4096);
  g_assert_null (jm_gpu_report_find (report, 1, JM_METRIC_GPU_UTILIZATION));
  g_assert_error (jm_gpu_report_get_error (report, 1), JM_ERROR, JM_ERROR_UNAVAILABLE);
  jm_gpu_report_get_processes (report, 1, &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_a_report_may_go_on_with_what_another_says (void)
{
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  g_autoptr (JmGpuReport) other = jm_gpu_report_new ();
  g_autoptr (JmGpu) gpu = jm_gpu_new ("0", 0);

  jm_gpu_report_add_device (other, gpu);
  jm_gpu_report_add (other, JM_METRIC_GPU_POWER, 300000000);
  jm_gpu_report_append (report, other);
  jm_gpu_report_reset (other);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (other), ==, 0);
  g_assert_cmpuint (jm_gpu_report_find (report, 0, JM_METRIC_GPU_POWER)->value, ==,
                    300000000);
}

static void
test_no_more_is_believed_than_a_node_can_have (void)
{
  g_autoptr (JmGpuReport) report = jm_gpu_report_new ();
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  g_autoptr (JmGpu) gpu = jm_gpu_new ("0", 0);
  guint n;

  for (guint i = 0; i < 100000; i++)
    {
      jm_gpu_report_add_device (report, gpu);
      jm_gpu_grants_add_index (grants, JM_GPU_ORIGIN_ENVIRONMENT, i, 1);
    }

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 1024);
  jm_gpu_grants_get (grants, &n);
  g_assert_cmpuint (n, ==, 4096);
}

static void
test_a_share_is_between_nothing_and_all (void)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  const JmGpuGrant *told;
  guint n;

  jm_gpu_grants_add (grants, JM_GPU_ORIGIN_HOOK, "GPU-1", 7);
  jm_gpu_grants_add (grants, JM_GPU_ORIGIN_CGROUP, "195:0", -1);
  jm_gpu_grants_add_index (grants, JM_GPU_ORIGIN_ENVIRONMENT, 3, 0.25);

  told = jm_gpu_grants_get (grants, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (told[0].share, ==, 1);
  g_assert_cmpfloat (told[1].share, ==, 0);
  g_assert_null (told[2].device);
  g_assert_cmpuint (told[2].index, ==, 3);
  g_assert_cmpfloat (told[2].share, ==, 0.25);
}

static void
test_who_is_believed_more_comes_later (void)
{
  g_assert_cmpstr (jm_gpu_origin_get_name (JM_GPU_ORIGIN_ENVIRONMENT), ==,
                   "environment");
  g_assert_cmpint (JM_GPU_ORIGIN_ENVIRONMENT, <, JM_GPU_ORIGIN_DRIVER);
  g_assert_cmpint (JM_GPU_ORIGIN_DRIVER, <, JM_GPU_ORIGIN_CGROUP);
  g_assert_cmpint (JM_GPU_ORIGIN_CGROUP, <, JM_GPU_ORIGIN_HOOK);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/gpu/a-pci-address-has-the-kernels-form",
                   test_a_pci_address_has_the_kernels_form);
  g_test_add_func ("/gpu/what-is-not-known-of-a-device-is-absent",
                   test_what_is_not_known_of_a_device_is_absent);
  g_test_add_func ("/gpu/what-a-library-says-of-a-device-is-text",
                   test_what_a_library_says_of_a_device_is_text);
  g_test_add_func ("/gpu/each-device-of-a-report-has-its-own-figures",
                   test_each_device_of_a_report_has_its_own_figures);
  g_test_add_func ("/gpu/a-report-may-go-on-with-what-another-says",
                   test_a_report_may_go_on_with_what_another_says);
  g_test_add_func ("/gpu/no-more-is-believed-than-a-node-can-have",
                   test_no_more_is_believed_than_a_node_can_have);
  g_test_add_func ("/gpu/a-share-is-between-nothing-and-all",
                   test_a_share_is_between_nothing_and_all);
  g_test_add_func ("/gpu/who-is-believed-more-comes-later",
                   test_who_is_believed_more_comes_later);

  return g_test_run ();
}
