/* test-nvml-records.c: what NVIDIA's management library writes, in our terms
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-nvml-records-private.h"

#include <string.h>

#define FIRST 0
#define SECOND 1
#define THIRD 2

/* Room for that many records, as the library finds it. */
static GByteArray *
make_room (guint n)
{
  GByteArray *room = g_byte_array_new ();

  g_byte_array_set_size (room, n * JM_NVML_PROCESS_BYTES);
  memset (room->data, JM_NVML_UNWRITTEN, room->len);

  return room;
}

static void
put (GByteArray *room, gsize offset, guint32 pid, guint64 memory, gsize size)
{
  memset (room->data + offset, 0xff, size);
  memcpy (room->data + offset, &pid, sizeof pid);
  memcpy (room->data + offset + 8, &memory, sizeof memory);
}

static GArray *
read_records (GByteArray *room, guint n, guint version)
{
  GArray *processes = g_array_new (FALSE, FALSE, sizeof (JmNvmlProcess));

  jm_nvml_add_processes (processes, room->data, room->len, n, version);

  return processes;
}

static void
assert_process (GArray *processes, guint i, guint pid, gint64 memory)
{
  const JmNvmlProcess *process = &g_array_index (processes, JmNvmlProcess, i);

  g_assert_cmpuint (i, <, processes->len);
  g_assert_cmpuint (process->pid, ==, pid);
  g_assert_cmpint (process->memory_bytes, ==, memory);
}

static void
check_size (gsize size, guint version)
{
  g_autoptr (GByteArray) room = make_room (8);
  g_autoptr (GArray) processes = NULL;

  for (guint i = 0; i < 3; i++)
    put (room, i * size, 10 + i, 1000 * (i + 1), size);
  processes = read_records (room, 3, version);

  g_assert_cmpuint (processes->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    assert_process (processes, i, 10 + i, 1000 * (i + 1));
}

static void
test_records_of_each_version_are_read (void)
{
  check_size (16, FIRST);
  check_size (24, SECOND);
  check_size (24, THIRD);
}

/* nvmlProcessInfo_t of the drivers 535.43 to 535.98 has one more number */
static void
test_a_longer_record_is_reported_by_what_was_written (void)
{
  check_size (32, THIRD);
}

static void
test_a_process_is_counted_once (void)
{
  g_autoptr (GByteArray) room = make_room (4);
  g_autoptr (GArray) processes = NULL;

  put (room, 0, 10, 500, 24);
  put (room, 24, 10, 700, 24);
  put (room, 48, 0, 900, 24);
  processes = read_records (room, 3, THIRD);

  g_assert_cmpuint (processes->len, ==, 1);
  assert_process (processes, 0, 10, 700);
}

static void
test_more_records_than_there_is_room_for_are_not_believed (void)
{
  g_autoptr (GByteArray) room = make_room (2);
  g_autoptr (GArray) processes = NULL;

  put (room, 0, 10, 500, 24);
  put (room, 24, 11, 700, 24);
  processes = read_records (room, G_MAXUINT, THIRD);

  g_assert_cmpuint (processes->len, <=, 2);
}

static void
test_a_process_has_the_mean_of_its_samples (void)
{
  const JmNvmlSample samples[] = {
    { .pid = 10, .sm_percent = 20 },
    { .pid = 10, .sm_percent = 41 },
    { .pid = 10, .sm_percent = 4000000 },
    { .pid = 12, .sm_percent = 7 },
  };
  JmNvmlProcess known[] = { { .pid = 10, .utilization_ppm = -1 },
                            { .pid = 11, .utilization_ppm = -1 } };
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (JmNvmlProcess));

  g_array_append_vals (processes, known, G_N_ELEMENTS (known));
  jm_nvml_add_samples (processes, samples, G_N_ELEMENTS (samples));

  g_assert_cmpint (g_array_index (processes, JmNvmlProcess, 0).utilization_ppm, ==,
                   305000);
  g_assert_cmpint (g_array_index (processes, JmNvmlProcess, 1).utilization_ppm, ==, 0);
}

/* Sizes as nvidia-smi reports them of real instances. */
static void
test_an_instance_is_named_by_its_size (void)
{
  static const struct
  {
    guint gpu;
    guint compute;
    guint64 mib;
    const char *expected;
  } instances[] = {
    { 1, 1, 4864, "1g.5gb" },      { 2, 2, 9984, "2g.10gb" },
    { 3, 3, 20096, "3g.20gb" },    { 7, 7, 81037, "7g.80gb" },
    { 3, 1, 20096, "1c.3g.20gb" }, { 0, 0, 4864, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (instances); i++)
    {
      const JmNvmlAttributes attributes = { .n_gpu_slices = instances[i].gpu,
                                            .n_compute_slices = instances[i].compute,
                                            .memory_mib = instances[i].mib };
      g_autofree char *profile = jm_nvml_make_profile ("NVIDIA A100", &attributes);

      g_assert_cmpstr (profile, ==, instances[i].expected);
    }
}

static void
test_the_library_s_own_name_of_an_instance_comes_first (void)
{
  const char *name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb+me";
  const JmNvmlAttributes attributes = { .n_gpu_slices = 1, .n_compute_slices = 1 };
  g_autofree char *profile = jm_nvml_make_profile (name, &attributes);
  g_autofree char *model = jm_nvml_make_model (name);
  g_autofree char *whole = jm_nvml_make_model ("NVIDIA H200");

  g_assert_cmpstr (profile, ==, "1g.5gb+me");
  g_assert_cmpstr (model, ==, "NVIDIA A100-SXM4-40GB");
  g_assert_cmpstr (whole, ==, "NVIDIA H200");
}

static void
test_a_field_is_read_as_what_it_is (void)
{
  JmNvmlField field = { .type = JM_NVML_UNSIGNED_LONG_LONG };
  guint64 value;

  field.value.large_natural = G_MAXUINT64;
  g_assert_true (jm_nvml_field_get (&field, &value));
  g_assert_cmpuint (value, ==, G_MAXUINT64);

  field.type = JM_NVML_UNSIGNED_INT;
  g_assert_true (jm_nvml_field_get (&field, &value));
  g_assert_cmpuint (value, ==, G_MAXUINT32);

  field.type = JM_NVML_UNSIGNED_SHORT;
  g_assert_true (jm_nvml_field_get (&field, &value));
  g_assert_cmpuint (value, ==, G_MAXUINT16);
}

static void
test_a_field_that_is_no_number_is_none (void)
{
  JmNvmlField field = { .type = JM_NVML_SIGNED_LONG_LONG };
  guint64 value;

  field.value.large_integer = -1;
  g_assert_false (jm_nvml_field_get (&field, &value));
  field.type = JM_NVML_SIGNED_INT;
  g_assert_false (jm_nvml_field_get (&field, &value));
  field.type = JM_NVML_DOUBLE;
  g_assert_false (jm_nvml_field_get (&field, &value));
  field.type = 77;
  g_assert_false (jm_nvml_field_get (&field, &value));
  field.type = JM_NVML_UNSIGNED_INT;
  field.result = JM_NVML_NO_DATA;
  g_assert_false (jm_nvml_field_get (&field, &value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/nvml-records/" name, test_##function)

  SITUATION ("records-of-each-version-are-read", records_of_each_version_are_read);
  SITUATION ("a-longer-record-is-reported-by-what-was-written",
             a_longer_record_is_reported_by_what_was_written);
  SITUATION ("a-process-is-counted-once", a_process_is_counted_once);
  SITUATION ("more-records-than-there-is-room-for-are-not-believed",
             more_records_than_there_is_room_for_are_not_believed);
  SITUATION ("a-process-has-the-mean-of-its-samples",
             a_process_has_the_mean_of_its_samples);
  SITUATION ("an-instance-is-named-by-its-size", an_instance_is_named_by_its_size);
  SITUATION ("the-library-s-own-name-of-an-instance-comes-first",
             the_library_s_own_name_of_an_instance_comes_first);
  SITUATION ("a-field-is-read-as-what-it-is", a_field_is_read_as_what_it_is);
  SITUATION ("a-field-that-is-no-number-is-none", a_field_that_is_no_number_is_none);

  return g_test_run ();
}
