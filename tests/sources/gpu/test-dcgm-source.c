/* test-dcgm-source.c: NVIDIA's GPUs as its host engine (DCGM) reports them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "core/jm-gpu-report-private.h"
#include "tree.h"

/* Of what must happen; a test that fails waits so long. */
#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define INTERVAL_S 0.02
#define NOTHING -1

/* The engine numbers the second GPU otherwise than the driver does. */
#define TWO_GPUS                                                                       \
 "[library]\n"                                                                         \
 "driver=550.54.15\n"                                                                  \
 "%s\n"                                                                                \
 "[0]\n"                                                                               \
 "uuid=GPU-5fd4f087-86f3-7a43-b711-4771313afc50\n"                                     \
 "name=NVIDIA H100 80GB HBM3\n"                                                        \
 "pci=00000000:3B:00.0\n"                                                              \
 "minor=4\n"                                                                           \
 "max-slices=7\n"                                                                      \
 "field.203=93\n"                                                                      \
 "%s\n"                                                                                \
 "[1]\n"                                                                               \
 "engine-id=5\n"                                                                       \
 "uuid=GPU-b1d1f5a4-2f9e-11ef-9c3a-0242ac120002\n"                                     \
 "name=NVIDIA H100 80GB HBM3\n"                                                        \
 "pci=00000000:5E:00.0\n"                                                              \
 "field.203=7\n"                                                                       \
 "%s\n"

typedef struct
{
  Tree *tree;
  JmHost *host;
  char *library;
  char *script;
  JmGpuMapper *source; /* NULL before it is opened */
} Machine;

static void
write_script (Machine *self,
              const char *of_library,
              const char *of_first,
              const char *of_second)
{
  g_autofree char *text = g_strdup_printf (TWO_GPUS, of_library, of_first, of_second);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (self->script, text, -1, &error);
  g_assert_no_error (error);
}

static void
set_up (Machine *self, gconstpointer data)
{
  self->tree = tree_new ();
  self->host = jm_host_new (NULL);
  self->library =
    g_test_build_filename (G_TEST_BUILT, "stand-ins", "libdcgm.so.4", NULL);
  self->script = tree_path (self->tree, "dcgm.conf");
  write_script (self, "", "", "");
  g_setenv ("DCGM_STAND_IN", self->script, TRUE);
}

static void
tear_down (Machine *self, gconstpointer data)
{
  g_clear_object (&self->source);
  g_object_unref (self->host);
  g_free (self->library);
  g_free (self->script);
  tree_free (self->tree);
}

static JmGpuMapper *
make_source (Machine *self, GError **error)
{
  return g_initable_new (JM_TYPE_DCGM_SOURCE, NULL, error, "host", self->host,
                         "library", self->library, "interval", INTERVAL_S, "timeout",
                         30.0, NULL);
}

static void
open_source (Machine *self)
{
  g_autoptr (GError) error = NULL;

  self->source = make_source (self, &error);
  g_assert_no_error (error);
}

static JmGpuReport *
read_report (Machine *self, GError **error)
{
  JmGpuReport *report = jm_gpu_report_new ();

  jm_gpu_mapper_read_devices (self->source, report, error);

  return report;
}

/* --- what a report says --- */

static gint64
get_value (JmGpuReport *report, guint device, JmMetric metric, const char *label)
{
  guint n;
  const JmReading *readings = jm_gpu_report_get_readings (report, device, &n);

  for (guint i = 0; i < n; i++)
    if (readings[i].metric == metric &&
        (label == NULL ||
         g_str_equal (jm_labels_get_value (readings[i].labels, 0), label)))
      return (gint64) readings[i].value;

  return NOTHING;
}

/* Reads until a figure of a device is that. */
static JmGpuReport *
await_value (Machine *self,
             guint device,
             JmMetric metric,
             const char *label,
             gint64 expected)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      JmGpuReport *report = read_report (self, NULL);

      if (jm_gpu_report_get_n_devices (report) > device &&
          get_value (report, device, metric, label) == expected)
        return report;

      jm_gpu_report_unref (report);
      if (g_get_monotonic_time () > end_us)
        g_error ("no such figure: %" G_GINT64_FORMAT, expected);
      g_usleep (1000);
    }
}

static JmGpuReport *
open_and_read (Machine *self)
{
  open_source (self);

  return await_value (self, 0, JM_METRIC_GPU_UP, NULL, 1);
}

static void
await_devices (Machine *self, guint n)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      g_autoptr (JmGpuReport) report = read_report (self, NULL);

      if (jm_gpu_report_get_n_devices (report) == n)
        return;
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

/* Reads until that fails. */
static GError *
await_error (Machine *self)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

  for (;;)
    {
      GError *error = NULL;
      G_GNUC_UNUSED g_autoptr (JmGpuReport) report = read_report (self, &error);

      if (error != NULL)
        return error;
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
}

static void
assert_field (JmGpuReport *report, guint device, JmGpuField field, const char *expected)
{
  g_assert_cmpstr (jm_gpu_get_field (jm_gpu_report_get_device (report, device), field),
                   ==, expected);
}

/* --- situations --- */

static void
test_each_gpu_reports_who_it_is (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = open_and_read (self);
  JmGpu *second = jm_gpu_report_get_device (report, 1);
  guint major, minor;

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 2);
  assert_field (report, 0, JM_GPU_FIELD_UUID,
                "GPU-5fd4f087-86f3-7a43-b711-4771313afc50");
  assert_field (report, 0, JM_GPU_FIELD_MODEL, "NVIDIA H100 80GB HBM3");
  assert_field (report, 0, JM_GPU_FIELD_VENDOR, "nvidia");
  assert_field (report, 0, JM_GPU_FIELD_PCI_ADDRESS, "0000:3b:00.0");
  assert_field (report, 0, JM_GPU_FIELD_DRIVER_VERSION, "550.54.15");
  assert_field (report, 0, JM_GPU_FIELD_PARENT, NULL);
  g_assert_true (
    jm_gpu_get_device_number (jm_gpu_report_get_device (report, 0), &major, &minor));
  g_assert_cmpuint (major, ==, 195);
  g_assert_cmpuint (minor, ==, 4);
  g_assert_cmpstr (jm_gpu_get_name (second), ==, "1");
  g_assert_cmpuint (jm_gpu_get_index (second), ==, 1);
}

/* Units as dcgm_fields.h has them; what is expected was reckoned by hand. */
static const struct
{
  const char *line;
  JmMetric metric;
  const char *label;
  gint64 expected;
} figures[] = {
  { "field.203=93", JM_METRIC_GPU_UTILIZATION, NULL, 930000 },
  { "field.204=41", JM_METRIC_GPU_MEMORY_UTILIZATION, NULL, 410000 },
  { "field.206=3", JM_METRIC_GPU_ENGINE_UTILIZATION, "encoder", 30000 },
  { "field.207=0", JM_METRIC_GPU_ENGINE_UTILIZATION, "decoder", 0 },
  { "field.250=81559", JM_METRIC_GPU_MEMORY_SIZE, NULL, 85520809984 },
  { "field.252=1024", JM_METRIC_GPU_MEMORY_USED, NULL, 1073741824 },
  { "field.155=412.503", JM_METRIC_GPU_POWER, NULL, 412503000 },
  { "field.164=700.0", JM_METRIC_GPU_POWER_LIMIT, NULL, 700000000 },
  { "field.156=36022719201", JM_METRIC_GPU_ENERGY, NULL, 36022719201000 },
  { "field.100=1980", JM_METRIC_GPU_CLOCK, "sm", 1980000000 },
  { "field.101=2619", JM_METRIC_GPU_CLOCK, "memory", 2619000000 },
  { "field.102=1545", JM_METRIC_GPU_CLOCK, "video", 1545000000 },
  { "field.150=61", JM_METRIC_GPU_TEMPERATURE, "gpu", 61000 },
  { "field.140=74", JM_METRIC_GPU_TEMPERATURE, "memory", 74000 },
  { "field.202=2", JM_METRIC_GPU_PCIE_REPLAYS, NULL, 2 },
  { "field.310=17", JM_METRIC_GPU_ECC_ERRORS, "corrected", 17 },
  { "field.311=1", JM_METRIC_GPU_ECC_ERRORS, "uncorrected", 1 },
  { "field.390=5", JM_METRIC_GPU_RETIRED_PAGES, "single_bit", 5 },
  { "field.391=6", JM_METRIC_GPU_RETIRED_PAGES, "double_bit", 6 },
  { "field.393=8", JM_METRIC_GPU_REMAPPED_ROWS, "uncorrected", 8 },
  { "field.394=9", JM_METRIC_GPU_REMAPPED_ROWS, "corrected", 9 },
  { "field.1001=0.25", JM_METRIC_GPU_ENGINE_UTILIZATION, "graphics", 250000 },
  { "field.1002=0.71", JM_METRIC_GPU_SM_ACTIVE, NULL, 710000 },
  { "field.1003=0.335", JM_METRIC_GPU_SM_OCCUPANCY, NULL, 335000 },
  { "field.1004=0.125", JM_METRIC_GPU_PIPE_ACTIVE, "tensor", 125000 },
  { "field.1005=0.5", JM_METRIC_GPU_DRAM_ACTIVE, NULL, 500000 },
  { "field.1006=0.0625", JM_METRIC_GPU_PIPE_ACTIVE, "fp64", 62500 },
  { "field.1007=1.0", JM_METRIC_GPU_PIPE_ACTIVE, "fp32", 1000000 },
  { "field.1008=0.0", JM_METRIC_GPU_PIPE_ACTIVE, "fp16", 0 },
  { "field.1009=1234567890", JM_METRIC_GPU_PCIE_TRAFFIC, "transmit", 1234567890 },
  { "field.1010=987654321", JM_METRIC_GPU_PCIE_TRAFFIC, "receive", 987654321 },
  { "field.1011=450000000000", JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit", 450000000000 },
  { "field.1012=1", JM_METRIC_GPU_NVLINK_TRAFFIC, "receive", 1 },
};

static char *
list_lines (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    g_string_append_printf (lines, "%s\n", figures[i].line);

  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static void
test_each_field_is_a_figure_in_its_own_unit (Machine *self, gconstpointer data)
{
  g_autofree char *lines = list_lines ();
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "", lines, "");
  report = open_and_read (self);

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      gint64 value = get_value (report, 0, figures[i].metric, figures[i].label);

      g_test_message ("%s", figures[i].line);
      g_assert_cmpint (value, ==, figures[i].expected);
    }
  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
}

static void
test_why_the_clocks_are_held_back_is_reported (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  /* SW_POWER_CAP and HW_THERMAL */
  write_script (self, "", "field.112=68", "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_THROTTLE, "sw_power_cap"), ==,
                   1);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_THROTTLE, "hw_thermal"), ==, 1);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_THROTTLE, "idle"), ==, 0);
  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_THROTTLE, "idle"), ==, NOTHING);
}

/* Also where it would not be too large for a figure. */
static void
test_a_blank_is_absent (Machine *self, gconstpointer data)
{
  static const struct
  {
    const char *line;
    JmMetric metric;
    const char *label;
  } blanks[] = {
    { "field.202=blank", JM_METRIC_GPU_PCIE_REPLAYS, NULL },
    { "field.310=not-found", JM_METRIC_GPU_ECC_ERRORS, "corrected" },
    { "field.311=not-supported", JM_METRIC_GPU_ECC_ERRORS, "uncorrected" },
    { "field.390=not-permissioned", JM_METRIC_GPU_RETIRED_PAGES, "single_bit" },
    { "field.1009=blank-double", JM_METRIC_GPU_PCIE_TRAFFIC, "transmit" },
    { "field.1010=not-found-double", JM_METRIC_GPU_PCIE_TRAFFIC, "receive" },
    { "field.1011=not-supported-double", JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit" },
    { "field.1012=not-permissioned-double", JM_METRIC_GPU_NVLINK_TRAFFIC, "receive" },
    { "field.252=not-supported", JM_METRIC_GPU_MEMORY_USED, NULL },
    { "field.1002=blank-double", JM_METRIC_GPU_SM_ACTIVE, NULL },
    /* of 32 bits */
    { "field.150=2147483632", JM_METRIC_GPU_TEMPERATURE, "gpu" },
    { "field.204=2147483635", JM_METRIC_GPU_MEMORY_UTILIZATION, NULL },
    { "field.206=4294967295", JM_METRIC_GPU_ENGINE_UTILIZATION, "encoder" },
    { "field.391=4294967294", JM_METRIC_GPU_RETIRED_PAGES, "double_bit" },
  };
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (JmGpuReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (blanks); i++)
    g_string_append_printf (lines, "%s\n", blanks[i].line);
  write_script (self, "", lines->str, "");
  report = open_and_read (self);

  for (guint i = 0; i < G_N_ELEMENTS (blanks); i++)
    {
      g_test_message ("%s", blanks[i].line);
      g_assert_cmpint (get_value (report, 0, blanks[i].metric, blanks[i].label), ==,
                       NOTHING);
    }
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_UTILIZATION, NULL), ==, 930000);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

static void
test_what_no_device_reaches_is_passed_over (Machine *self, gconstpointer data)
{
  static const struct
  {
    const char *line;
    JmMetric metric;
    const char *label;
  } values[] = {
    { "field.204=808334905", JM_METRIC_GPU_MEMORY_UTILIZATION, NULL },
    { "field.206=101", JM_METRIC_GPU_ENGINE_UTILIZATION, "encoder" },
    { "field.1003=2.5", JM_METRIC_GPU_SM_OCCUPANCY, NULL },
    { "field.1009=140000000000000", JM_METRIC_GPU_PCIE_TRAFFIC, "transmit" },
    { "field.150=201", JM_METRIC_GPU_TEMPERATURE, "gpu" },
    { "field.155=10001", JM_METRIC_GPU_POWER, NULL },
    { "field.100=100001", JM_METRIC_GPU_CLOCK, "sm" },
  };
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (JmGpuReport) report = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_string_append_printf (lines, "%s\n", values[i].line);
  write_script (self, "", lines->str, "");
  report = open_and_read (self);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_test_message ("%s", values[i].line);
      g_assert_cmpint (get_value (report, 0, values[i].metric, values[i].label), ==,
                       NOTHING);
    }
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_UTILIZATION, NULL), ==, 930000);
  g_assert_error (jm_gpu_report_get_error (report, 0), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_null (jm_gpu_report_get_error (report, 1));
}

/* The engine writes 0 into a value that it does not have. */
static void
test_the_0_of_a_value_that_failed_is_absent (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "", "field.155=status -6\nfield.252=status -13", "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_MEMORY_USED, NULL), ==, NOTHING);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

static void
test_what_no_figure_can_be_is_absent (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "", "field.155=nan\nfield.150=-40\nfield.100=NVIDIA", "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_TEMPERATURE, "gpu"), ==,
                   NOTHING);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_CLOCK, "sm"), ==, NOTHING);
}

static void
test_a_gpu_without_links_has_all_else (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "",
                "field.1002=0.5\nfield.1009=7\nfield.1011=8\nrefuse=1011;1012",
                "field.1011=9");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_SM_ACTIVE, NULL), ==, 500000);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_PCIE_TRAFFIC, "transmit"), ==,
                   7);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit"), ==,
                   NOTHING);
  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_NVLINK_TRAFFIC, "transmit"), ==,
                   9);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

static void
test_a_gpu_that_cannot_be_profiled_has_its_classic_figures (Machine *self,
                                                            gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "",
                "field.1002=0.5\nfield.155=99.0\nrefuse=1001;1002;1003;1004;1005;1006;"
                "1007;1008;1009;1010;1011;1012",
                "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_SM_ACTIVE, NULL), ==, NOTHING);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_POWER, NULL), ==, 99000000);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_UP, NULL), ==, 1);
  g_assert_null (jm_gpu_report_get_error (report, 0));
}

/* --- instances --- */

#define AN_INSTANCE                                                                    \
 "[0.3]\n"                                                                             \
 "slices=2\n"                                                                          \
 "field.250=19968\n"                                                                   \
 "field.1002=0.9\n"                                                                    \
 "field.155=1.0\n"

static void
test_an_instance_is_a_device_of_its_own (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;
  JmGpu *instance;
  guint n_slices, n_all;

  write_script (self, "", "field.1002=0.3\nfield.155=300.0\n" AN_INSTANCE, "");
  report = open_and_read (self);
  instance = jm_gpu_report_get_device (report, 1);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 3);
  g_assert_cmpstr (jm_gpu_get_name (instance), ==, "0.3");
  assert_field (report, 1, JM_GPU_FIELD_PARENT, "0");
  assert_field (report, 1, JM_GPU_FIELD_PCI_ADDRESS, "0000:3b:00.0");
  assert_field (report, 1, JM_GPU_FIELD_UUID, NULL);
  g_assert_true (jm_gpu_get_slices (instance, &n_slices, &n_all));
  g_assert_cmpuint (n_slices, ==, 2);
  g_assert_cmpuint (n_all, ==, 7);
  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_SM_ACTIVE, NULL), ==, 900000);
  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_MEMORY_SIZE, NULL), ==,
                   20937965568);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_SM_ACTIVE, NULL), ==, 300000);
}

/* It is the whole GPU's. */
static void
test_an_instance_has_no_power (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "", "field.155=300.0\n" AN_INSTANCE, "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 1, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_POWER, NULL), ==, 300000000);
}

static void
test_instances_come_and_go (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = open_and_read (self);

  g_assert_cmpuint (jm_gpu_report_get_n_devices (report), ==, 2);
  write_script (self, "", AN_INSTANCE, "");
  await_devices (self, 3);
  g_clear_pointer (&report, jm_gpu_report_unref);
  report = await_value (self, 1, JM_METRIC_GPU_SM_ACTIVE, NULL, 900000);
  write_script (self, "", "", "");
  await_devices (self, 2);
}

/* --- the engine --- */

static void
test_without_the_library_there_is_none (Machine *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_free (self->library);
  self->library = g_strdup ("/nowhere/libdcgm.so.4");
  g_assert_null (make_source (self, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_without_an_engine_one_line_says_so (Machine *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_script (self, "engine=away", "", "");
  g_assert_null (make_source (self, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "nv-hostengine at localhost: cannot be connected to: The connection "
                   "to the host engine is not valid any longer (-21)");
}

static void
test_whoever_administers_learns_what_to_start (Machine *self, gconstpointer data)
{
  g_autoptr (JmSource) source =
    g_object_new (JM_TYPE_DCGM_SOURCE, "host", self->host, NULL);
  g_autoptr (GError) away = g_error_new (JM_ERROR, JM_ERROR_UNAVAILABLE, "away");
  g_autoptr (GError) absent = g_error_new (JM_ERROR, JM_ERROR_ABSENT, "absent");
  g_autoptr (JmAdvice) start = jm_advice_new ();
  g_autoptr (JmAdvice) install = jm_advice_new ();
  g_autofree char *start_text = NULL;
  g_autofree char *install_text = NULL;

  jm_source_advise (source, away, start);
  jm_source_advise (source, absent, install);
  start_text = jm_advice_get_text (start);
  install_text = jm_advice_get_text (install);

  g_assert_true (g_str_has_prefix (start_text, "systemctl enable --now nvidia-dcgm"));
  g_assert_nonnull (strstr (install_text, "datacenter-gpu-manager"));
}

static void
test_an_engine_that_listens_elsewhere_is_found_there (Machine *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  write_script (self, "address=/run/nvidia-dcgm/nv-hostengine", "", "");
  self->source =
    g_initable_new (JM_TYPE_DCGM_SOURCE, NULL, &error, "host", self->host, "library",
                    self->library, "interval", INTERVAL_S, "address",
                    "unix:///run/nvidia-dcgm/nv-hostengine", NULL);
  g_assert_no_error (error);
}

static void
test_an_engine_that_goes_away_is_down_and_then_back (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) before = open_and_read (self);
  g_autoptr (JmGpuReport) after = NULL;
  g_autoptr (GError) error = NULL;

  write_script (self, "engine=away", "", "");
  error = await_error (self);
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "nv-hostengine at localhost: "));

  write_script (self, "", "field.155=50.0", "");
  after = await_value (self, 0, JM_METRIC_GPU_POWER, NULL, 50000000);
  g_assert_cmpint (get_value (before, 0, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
}

/* It knows nothing any more of what it shall watch, and numbers the GPUs anew. */
static void
test_an_engine_that_was_started_anew_watches_again (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) before = open_and_read (self);
  g_autoptr (JmGpuReport) after = NULL;

  write_script (self, "start=2", "engine-id=9\nfield.1002=0.4", "");
  after = await_value (self, 0, JM_METRIC_GPU_SM_ACTIVE, NULL, 400000);
  assert_field (after, 0, JM_GPU_FIELD_UUID,
                "GPU-5fd4f087-86f3-7a43-b711-4771313afc50");
  g_assert_cmpint (get_value (before, 0, JM_METRIC_GPU_UP, NULL), ==, 1);
}

/* The engine goes on reporting what it read last. */
static void
test_a_gpu_that_is_no_longer_read_is_down (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) before = NULL;
  g_autoptr (JmGpuReport) after = NULL;
  g_autofree char *frozen =
    g_strdup_printf ("field.155=50.0\ntime=%" G_GINT64_FORMAT, g_get_real_time ());

  write_script (self, "", "field.155=50.0", "");
  before = open_and_read (self);
  write_script (self, "", frozen, "");
  after = await_value (self, 0, JM_METRIC_GPU_UP, NULL, 0);

  g_assert_cmpint (get_value (after, 0, JM_METRIC_GPU_POWER, NULL), ==, NOTHING);
  g_assert_cmpstr (jm_gpu_report_get_error (after, 0)->message, ==,
                   "nv-hostengine at localhost: GPU 0: no values of now");
  g_assert_cmpint (get_value (after, 1, JM_METRIC_GPU_UP, NULL), ==, 1);
}

static void
test_a_gpu_without_any_value_is_down_with_the_reason (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  open_source (self);
  report = await_value (self, 1, JM_METRIC_GPU_UP, NULL, 1);
  g_clear_pointer (&report, jm_gpu_report_unref);

  write_script (self, "", "", "error.dcgmEntitiesGetLatestValues=-18");
  report = await_value (self, 1, JM_METRIC_GPU_UP, NULL, 0);
  g_assert_nonnull (
    strstr (jm_gpu_report_get_error (report, 1)->message, "GPU is lost"));
  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_UP, NULL), ==, 1);
}

/* Others in the process may use the library too. */
static void
test_a_source_that_ends_takes_nothing_from_another (Machine *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmGpuMapper) other = make_source (self, &error);
  G_GNUC_UNUSED g_autoptr (JmGpuReport) report = open_and_read (self);
  g_autoptr (JmGpuReport) later = NULL;

  g_assert_no_error (error);
  g_clear_object (&other);
  write_script (self, "", "field.155=50.0", "");
  later = await_value (self, 0, JM_METRIC_GPU_POWER, NULL, 50000000);
}

/* --- errors that the driver reported --- */

static void
test_each_xid_is_counted (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) first = NULL;
  g_autoptr (JmGpuReport) second = NULL;
  g_autoptr (JmGpuReport) opened = open_and_read (self);

  write_script (self, "", "xid=79", "");
  first = await_value (self, 0, JM_METRIC_GPU_XID_ERRORS, "79", 1);
  write_script (self, "", "xid=79;31;31;45", "");
  second = await_value (self, 0, JM_METRIC_GPU_XID_ERRORS, "31", 2);

  g_assert_cmpint (get_value (second, 0, JM_METRIC_GPU_XID_ERRORS, "79"), ==, 1);
  g_assert_cmpint (get_value (second, 0, JM_METRIC_GPU_XID_ERRORS, "45"), ==, 1);
  g_assert_cmpint (get_value (opened, 0, JM_METRIC_GPU_XID_ERRORS, NULL), ==, NOTHING);
  g_assert_cmpint (get_value (second, 1, JM_METRIC_GPU_XID_ERRORS, NULL), ==, NOTHING);
}

static void
test_an_xid_of_before_is_not_counted (Machine *self, gconstpointer data)
{
  g_autoptr (JmGpuReport) report = NULL;

  write_script (self, "", "xid=79", "");
  report = open_and_read (self);

  g_assert_cmpint (get_value (report, 0, JM_METRIC_GPU_XID_ERRORS, NULL), ==, NOTHING);
}

static void
test_what_was_counted_outlives_the_engine (Machine *self, gconstpointer data)
{
  G_GNUC_UNUSED g_autoptr (JmGpuReport) opened = open_and_read (self);
  g_autoptr (JmGpuReport) before = NULL;
  g_autoptr (JmGpuReport) after = NULL;

  write_script (self, "", "xid=79", "");
  before = await_value (self, 0, JM_METRIC_GPU_XID_ERRORS, "79", 1);
  write_script (self, "start=2", "xid=79\nfield.155=50.0", "");
  after = await_value (self, 0, JM_METRIC_GPU_POWER, NULL, 50000000);

  g_assert_cmpint (get_value (after, 0, JM_METRIC_GPU_XID_ERRORS, "79"), ==, 1);
}

/* --- what it costs --- */

static guint
count_calls (const char *path, const char *function)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], function) &&
        (function[0] == '\0' || lines[i][strlen (function)] == ' '))
      n += (guint) g_ascii_strtoull (strrchr (lines[i], ' ') != NULL
                                       ? strrchr (lines[i], ' ')
                                       : "0",
                                     NULL, 10);

  return n;
}

/* However many figures it has; and every now and then two more for all together. */
static void
test_a_round_takes_one_call_for_each_device (Machine *self, gconstpointer data)
{
  g_autofree char *path = tree_path (self->tree, "calls");
  g_autofree char *line = g_strconcat ("calls=", path, NULL);
  g_autofree char *lines = list_lines ();
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (JmGpuReport) report = NULL;
  guint began, n_before, n_after;

  write_script (self, line, lines, "");
  report = open_and_read (self);
  began = count_calls (path, "dcgmEntitiesGetLatestValues");
  n_before = count_calls (path, "") - began;
  while (count_calls (path, "dcgmEntitiesGetLatestValues") < began + 48)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (1000);
    }
  g_clear_object (&self->source);
  n_after = count_calls (path, "") - count_calls (path, "dcgmEntitiesGetLatestValues");

  /* some 24 rounds of 2 devices; two lists of two calls each, or three, and the end */
  g_assert_cmpuint (n_after - n_before, <=, 3 * 2 + 1);
  g_assert_cmpuint (count_calls (path, "dcgmShutdown"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add ("/dcgm-source/" name, Machine, NULL, set_up, test_##function, tear_down)

  SITUATION ("each-gpu-reports-who-it-is", each_gpu_reports_who_it_is);
  SITUATION ("each-field-is-a-figure-in-its-own-unit",
             each_field_is_a_figure_in_its_own_unit);
  SITUATION ("why-the-clocks-are-held-back-is-reported",
             why_the_clocks_are_held_back_is_reported);
  SITUATION ("a-blank-is-absent", a_blank_is_absent);
  SITUATION ("what-no-device-reaches-is-passed-over",
             what_no_device_reaches_is_passed_over);
  SITUATION ("the-0-of-a-value-that-failed-is-absent",
             the_0_of_a_value_that_failed_is_absent);
  SITUATION ("what-no-figure-can-be-is-absent", what_no_figure_can_be_is_absent);
  SITUATION ("a-gpu-without-links-has-all-else", a_gpu_without_links_has_all_else);
  SITUATION ("a-gpu-that-cannot-be-profiled-has-its-classic-figures",
             a_gpu_that_cannot_be_profiled_has_its_classic_figures);
  SITUATION ("an-instance-is-a-device-of-its-own", an_instance_is_a_device_of_its_own);
  SITUATION ("an-instance-has-no-power", an_instance_has_no_power);
  SITUATION ("instances-come-and-go", instances_come_and_go);
  SITUATION ("without-the-library-there-is-none", without_the_library_there_is_none);
  SITUATION ("without-an-engine-one-line-says-so", without_an_engine_one_line_says_so);
  SITUATION ("whoever-administers-learns-what-to-start",
             whoever_administers_learns_what_to_start);
  SITUATION ("an-engine-that-listens-elsewhere-is-found-there",
             an_engine_that_listens_elsewhere_is_found_there);
  SITUATION ("an-engine-that-goes-away-is-down-and-then-back",
             an_engine_that_goes_away_is_down_and_then_back);
  SITUATION ("an-engine-that-was-started-anew-watches-again",
             an_engine_that_was_started_anew_watches_again);
  SITUATION ("a-gpu-that-is-no-longer-read-is-down",
             a_gpu_that_is_no_longer_read_is_down);
  SITUATION ("a-gpu-without-any-value-is-down-with-the-reason",
             a_gpu_without_any_value_is_down_with_the_reason);
  SITUATION ("a-source-that-ends-takes-nothing-from-another",
             a_source_that_ends_takes_nothing_from_another);
  SITUATION ("each-xid-is-counted", each_xid_is_counted);
  SITUATION ("an-xid-of-before-is-not-counted", an_xid_of_before_is_not_counted);
  SITUATION ("what-was-counted-outlives-the-engine",
             what_was_counted_outlives_the_engine);
  SITUATION ("a-round-takes-one-call-for-each-device",
             a_round_takes_one_call_for_each_device);

  return g_test_run ();
}
