/* jm-nvml-records.c: what NVIDIA's management library writes, in our terms
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-records-private.h"

#include <string.h>

#define MIB_PER_GIB 1024
#define PPM_PER_PERCENT 10000
#define INSTANCE_MARK " MIG "

/* Where in a record what stands; the rest is of no use here. */
#define MEMORY_OFFSET 8
#define FIRST_SIZE 16
#define SECOND_SIZE 24
#define FIRST_WITH_INSTANCES 1
#define NOT_AVAILABLE G_MAXUINT64

/* --- processes --- */

/* The last record ends where nothing more was written. */
static gsize
get_record_size (const guint8 *bytes, gsize n_bytes, guint n, guint version)
{
  gsize size = version < FIRST_WITH_INSTANCES ? FIRST_SIZE : SECOND_SIZE;

  if (size == SECOND_SIZE && n_bytes / JM_NVML_PROCESS_BYTES >= n)
    for (gsize i = n * size; i < (gsize) n * JM_NVML_PROCESS_BYTES; i++)
      if (bytes[i] != JM_NVML_UNWRITTEN)
        return JM_NVML_PROCESS_BYTES;

  return size;
}

static JmNvmlProcess *
find_process (GArray *processes, guint pid)
{
  for (guint i = 0; i < processes->len; i++)
    {
      JmNvmlProcess *process = &g_array_index (processes, JmNvmlProcess, i);

      if (process->pid == pid)
        return process;
    }

  return NULL;
}

/* One that computes and draws is listed twice, each time with all of its memory. */
static void
add_process (GArray *processes, const guint8 *record)
{
  JmNvmlProcess process = { .memory_bytes = -1, .utilization_ppm = -1 };
  guint64 memory;
  JmNvmlProcess *known;

  memcpy (&process.pid, record, sizeof process.pid);
  memcpy (&memory, record + MEMORY_OFFSET, sizeof memory);
  if (process.pid == 0)
    return;
  if (memory != NOT_AVAILABLE)
    process.memory_bytes = (gint64) MIN (memory, (guint64) G_MAXINT64);

  known = find_process (processes, process.pid);
  if (known != NULL)
    known->memory_bytes = MAX (known->memory_bytes, process.memory_bytes);
  else
    g_array_append_val (processes, process);
}

void
jm_nvml_add_processes (GArray *processes,
                       const guint8 *bytes,
                       gsize n_bytes,
                       guint n,
                       guint version)
{
  gsize size = get_record_size (bytes, n_bytes, n, version);

  for (guint i = 0; i < n && (i + 1) * size <= n_bytes; i++)
    add_process (processes, bytes + i * size);
}

void
jm_nvml_add_samples (GArray *processes, const JmNvmlSample *samples, guint n)
{
  for (guint i = 0; i < processes->len; i++)
    {
      JmNvmlProcess *process = &g_array_index (processes, JmNvmlProcess, i);
      guint64 sum = 0;
      guint n_own = 0;

      /* some drivers write what is no percentage */
      for (guint j = 0; j < n; j++)
        if (samples[j].pid == process->pid && samples[j].sm_percent <= 100)
          {
            sum += samples[j].sm_percent;
            n_own++;
          }
      process->utilization_ppm =
        n_own > 0 ? (gint64) (sum * PPM_PER_PERCENT / n_own) : 0;
    }
}

/* --- instances --- */

static char *
describe (const JmNvmlAttributes *attributes)
{
  guint64 gib = attributes->memory_mib / MIB_PER_GIB +
                (attributes->memory_mib % MIB_PER_GIB > 0 ? 1 : 0);

  if (attributes->n_gpu_slices == 0)
    return NULL;
  if (attributes->n_compute_slices != attributes->n_gpu_slices)
    return g_strdup_printf ("%uc.%ug.%" G_GUINT64_FORMAT "gb",
                            attributes->n_compute_slices, attributes->n_gpu_slices,
                            gib);

  return g_strdup_printf ("%ug.%" G_GUINT64_FORMAT "gb", attributes->n_gpu_slices, gib);
}

char *
jm_nvml_make_profile (const char *name, const JmNvmlAttributes *attributes)
{
  const char *mark = strstr (name, INSTANCE_MARK);

  return mark != NULL ? g_strdup (mark + strlen (INSTANCE_MARK))
                      : describe (attributes);
}

char *
jm_nvml_make_model (const char *name)
{
  const char *mark = strstr (name, INSTANCE_MARK);

  return g_strndup (name, mark != NULL ? (gsize) (mark - name) : strlen (name));
}

/* --- numbers --- */

static gboolean
take_signed (gint64 number, guint64 *value)
{
  *value = (guint64) number;

  return number >= 0;
}

gboolean
jm_nvml_field_get (const JmNvmlField *field, guint64 *value)
{
  *value = 0;
  if (field->result != JM_NVML_SUCCESS)
    return FALSE;

  switch (field->type)
    {
    case JM_NVML_UNSIGNED_INT:
      *value = field->value.natural;
      return TRUE;
    case JM_NVML_UNSIGNED_LONG:
      *value = field->value.long_natural;
      return TRUE;
    case JM_NVML_UNSIGNED_LONG_LONG:
      *value = field->value.large_natural;
      return TRUE;
    case JM_NVML_UNSIGNED_SHORT:
      *value = field->value.short_natural;
      return TRUE;
    case JM_NVML_SIGNED_LONG_LONG:
      return take_signed (field->value.large_integer, value);
    case JM_NVML_SIGNED_INT:
      return take_signed (field->value.integer, value);
    default:
      return FALSE;
    }
}

const char *
jm_nvml_get_reason (guint bit)
{
  static const char *const reasons[JM_NVML_N_REASONS] = {
    "idle",       "clocks_setting", "sw_power_cap",   "hw_slowdown",    "sync_boost",
    "sw_thermal", "hw_thermal",     "hw_power_brake", "display_clocks",
  };

  return bit < JM_NVML_N_REASONS ? reasons[bit] : NULL;
}
