/* fuzz-nvml.c: any bytes for what NVIDIA's management library writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "sources/gpu/jm-nvml-records-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The first byte says how many there are said to be, the second by which function. */
static void
add_processes (GArray *processes, const uint8_t *data, size_t size)
{
  jm_nvml_add_processes (processes, data + 2, size - 2, data[0], data[1] % 3);

  g_assert_cmpuint (processes->len, <=, size / 16);
  for (guint i = 0; i < processes->len; i++)
    {
      const JmNvmlProcess *process = &g_array_index (processes, JmNvmlProcess, i);

      g_assert_cmpuint (process->pid, >, 0);
      g_assert_cmpint (process->memory_bytes, >=, -1);
    }
}

static void
add_samples (GArray *processes, const uint8_t *data, size_t size)
{
  g_autofree JmNvmlSample *samples = g_new (JmNvmlSample, size / sizeof *samples + 1);
  guint n = (guint) (size / sizeof *samples);

  memcpy (samples, data, n * sizeof *samples);
  jm_nvml_add_samples (processes, samples, n);
  for (guint i = 0; i < processes->len; i++)
    g_assert_cmpint (g_array_index (processes, JmNvmlProcess, i).utilization_ppm, <=,
                     1000000);
}

static void
read_field (const uint8_t *data, size_t size)
{
  JmNvmlField field = { 0 };
  guint64 value;

  memcpy (&field, data, MIN (size, sizeof field));
  jm_nvml_field_get (&field, &value);
}

static void
name_instance (const uint8_t *data, size_t size)
{
  g_autofree char *name = g_strndup ((const char *) data, size);
  g_autofree char *profile = NULL;
  g_autofree char *model = jm_nvml_make_model (name);
  JmNvmlAttributes attributes = { 0 };

  memcpy (&attributes, data, MIN (size, sizeof attributes));
  profile = jm_nvml_make_profile (name, &attributes);
  g_assert_true (g_str_has_prefix (name, model));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GArray) processes = g_array_new (FALSE, FALSE, sizeof (JmNvmlProcess));

  if (size < 2)
    return 0;

  add_processes (processes, data, size);
  add_samples (processes, data, size);
  read_field (data, size);
  name_instance (data, size);

  return 0;
}
