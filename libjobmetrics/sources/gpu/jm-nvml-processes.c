/* jm-nvml-processes.c: who uses a device of NVIDIA's management library
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-nvml-device-private.h"

#include <string.h>

#include "sources/gpu/jm-nvml-records-private.h"

/* A driver that lists more is not believed. */
#define MAX_PROCESSES 4096
#define MAX_SAMPLES 16384
/* There is room for as many as there were, and some more. */
#define FEW 32
/* The library takes a sample of each process six times a second, or only once. */
#define LONGEST_SAMPLE_US G_USEC_PER_SEC
#define N_VERSIONS G_N_ELEMENTS (((JmNvmlApi *) NULL)->get_compute_processes)

void
jm_nvml_processes_init (JmNvmlProcesses *self)
{
  self->room = g_array_new (FALSE, FALSE, 1);
  self->samples = g_array_new (FALSE, FALSE, sizeof (JmNvmlSample));
  self->found = g_array_new (FALSE, FALSE, sizeof (JmNvmlProcess));
}

void
jm_nvml_processes_clear (JmNvmlProcesses *self)
{
  g_array_unref (self->room);
  g_array_unref (self->samples);
  g_array_unref (self->found);
}

void
jm_nvml_processes_begin (JmNvmlProcesses *self)
{
  g_array_set_size (self->found, 0);
}

/* --- which there are --- */

/* The newest that the library has; N_VERSIONS where it has none. */
static guint
find_version (const JmNvmlGetProcesses *versions)
{
  for (guint i = N_VERSIONS; i > 0; i--)
    if (versions[i - 1] != NULL)
      return i - 1;

  return N_VERSIONS;
}

gboolean
jm_nvml_processes_can_list (const JmNvmlGetProcesses *versions)
{
  return find_version (versions) < N_VERSIONS;
}

static int
list_into (JmNvmlProcesses *self,
           JmNvmlGetProcesses function,
           JmNvmlHandle *handle,
           guint room,
           guint *n)
{
  g_array_set_size (self->room, room * JM_NVML_PROCESS_BYTES);
  memset (self->room->data, JM_NVML_UNWRITTEN, self->room->len);
  *n = room;

  return function (handle, n, self->room->data);
}

int
jm_nvml_processes_list (JmNvmlProcesses *self,
                        const JmNvmlGetProcesses *versions,
                        JmNvmlHandle *handle)
{
  guint version = find_version (versions);
  guint room = MAX (self->room->len / JM_NVML_PROCESS_BYTES, FEW);
  guint n;
  int result = list_into (self, versions[version], handle, room, &n);

  if (result == JM_NVML_INSUFFICIENT_SIZE && n < MAX_PROCESSES)
    {
      room = n + FEW;
      result = list_into (self, versions[version], handle, room, &n);
    }
  if (result == JM_NVML_SUCCESS)
    jm_nvml_add_processes (self->found, (const guint8 *) self->room->data,
                           self->room->len, MIN (n, room), version);

  return result;
}

/* --- how much they ran --- */

static int
sample_into (JmNvmlProcesses *self,
             const JmNvmlApi *api,
             JmNvmlHandle *handle,
             guint room,
             guint *n)
{
  g_array_set_size (self->samples, room);
  memset (self->samples->data, 0, room * sizeof (JmNvmlSample));
  *n = room;

  return api->get_samples (handle, (gpointer) self->samples->data, n, self->since_us);
}

/* Where it is asked again soon, no sample need have come since. */
static gboolean
is_due (const JmNvmlProcesses *self, gint64 now_us)
{
  return now_us - self->found_at_us >= LONGEST_SAMPLE_US;
}

static void
take_samples (JmNvmlProcesses *self, guint n, gint64 now_us)
{
  const JmNvmlSample *samples = (gpointer) self->samples->data;
  guint64 newest_us = self->newest_us;

  for (guint i = 0; i < n; i++)
    newest_us = MAX (newest_us, samples[i].time_us);
  if (is_due (self, now_us))
    {
      self->newest_us = newest_us;
      self->found_at_us = now_us;
    }

  jm_nvml_add_samples (self->found, samples, n);
}

/* Where it finds none, none ran. */
int
jm_nvml_processes_sample (JmNvmlProcesses *self,
                          const JmNvmlApi *api,
                          JmNvmlHandle *handle)
{
  gint64 now_us = g_get_monotonic_time ();
  guint room = MAX (self->samples->len, FEW);
  guint n;
  int result;

  if (is_due (self, now_us))
    self->since_us = self->newest_us;
  result = sample_into (self, api, handle, room, &n);
  if (result == JM_NVML_INSUFFICIENT_SIZE && n < MAX_SAMPLES)
    {
      room = n + FEW;
      result = sample_into (self, api, handle, room, &n);
    }
  if (result == JM_NVML_SUCCESS || result == JM_NVML_NOT_FOUND)
    take_samples (self, result == JM_NVML_SUCCESS ? MIN (n, room) : 0, now_us);

  return result;
}

void
jm_nvml_processes_tell (const JmNvmlProcesses *self, JmGpuReport *report)
{
  for (guint i = 0; i < self->found->len; i++)
    {
      const JmNvmlProcess *process = &g_array_index (self->found, JmNvmlProcess, i);

      jm_gpu_report_add_process (report, process->pid, process->memory_bytes,
                                 process->utilization_ppm);
    }
}
