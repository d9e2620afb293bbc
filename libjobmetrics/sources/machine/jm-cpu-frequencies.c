/* jm-cpu-frequencies.c: how fast busy CPUs run
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/machine/jm-machine-private.h"

#include <math.h>

#include "base/jm-parse-private.h"
#include "host/jm-file-private.h"

#define CPUFREQ "/sys/devices/system/cpu/cpu%u/cpufreq/%s"

/* Enough of them to know each package, and no longer than is noticed. */
#define MAX_READS 32
#define MAX_TIME_US 2000

/* A CPU that was idle shows what it ran at when it was not. */
#define IS_BUSY(busy_ns, interval_ns) ((busy_ns) > (interval_ns) / 10)

typedef struct
{
  JmFile current;
  gboolean is_looked_for;
  double nominal_khz; /* 0 where it is not known */
} Cpu;

struct _JmCpuFrequencies
{
  JmHost *host;
  gboolean is_told;
  GArray *cpus;        /* of Cpu, by number */
  GArray *frequencies; /* of double */
  guint next;          /* the CPU whose turn it is */
};

static void
cpu_clear (gpointer cpu)
{
  jm_file_close (&((Cpu *) cpu)->current);
}

static char *
make_path (guint cpu, const char *name)
{
  return g_strdup_printf (CPUFREQ, cpu, name);
}

static gboolean
is_told (JmHost *host)
{
  g_autofree char *path = make_path (0, "scaling_cur_freq");

  return jm_host_exists (host, path);
}

JmCpuFrequencies *
jm_cpu_frequencies_new (JmHost *host)
{
  JmCpuFrequencies *self = g_new0 (JmCpuFrequencies, 1);

  self->host = g_object_ref (host);
  self->is_told = is_told (host);
  self->cpus = g_array_new (FALSE, TRUE, sizeof (Cpu));
  g_array_set_clear_func (self->cpus, cpu_clear);
  self->frequencies = g_array_new (FALSE, FALSE, sizeof (double));

  return self;
}

void
jm_cpu_frequencies_free (JmCpuFrequencies *self)
{
  g_array_unref (self->cpus);
  g_array_unref (self->frequencies);
  g_object_unref (self->host);
  g_free (self);
}

/* Drivers that boost have the frequency without it; of the others the highest is it. */
static double
read_nominal (JmHost *host, guint cpu)
{
  static const char *const names[] = { "base_frequency", "cpuinfo_max_freq" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = make_path (cpu, names[i]);
      guint64 khz;

      if (jm_host_read_uint64 (host, path, &khz, NULL) && khz > 0)
        return (double) khz;
    }

  return 0;
}

static void
open_cpu (JmCpuFrequencies *self, guint number)
{
  Cpu *cpu = &g_array_index (self->cpus, Cpu, number);
  g_autofree char *path = make_path (number, "scaling_cur_freq");

  cpu->is_looked_for = TRUE;
  cpu->nominal_khz = read_nominal (self->host, number);
  if (cpu->nominal_khz > 0 &&
      jm_file_open (&cpu->current, self->host, path, JM_FILE_KEEP) < 0)
    cpu->nominal_khz = 0;
}

static double
read_cpu (JmCpuFrequencies *self, guint number)
{
  Cpu *cpu = &g_array_index (self->cpus, Cpu, number);
  char text[64];
  guint64 khz;
  gssize n;

  if (!cpu->is_looked_for)
    open_cpu (self, number);
  if (cpu->nominal_khz <= 0)
    return NAN;

  n = jm_file_read (&cpu->current, text, sizeof text);
  if (n < 0 || !jm_parse_uint64 (text, (gsize) n, &khz))
    return NAN;

  return (double) khz / cpu->nominal_khz;
}

static void
make_room (JmCpuFrequencies *self, guint n_cpus)
{
  guint n = self->cpus->len;

  g_array_set_size (self->cpus, MAX (n, n_cpus));
  for (; n < n_cpus; n++)
    jm_file_init (&g_array_index (self->cpus, Cpu, n).current);

  g_array_set_size (self->frequencies, n_cpus);
  for (guint i = 0; i < n_cpus; i++)
    g_array_index (self->frequencies, double, i) = NAN;
}

const double *
jm_cpu_frequencies_read (JmCpuFrequencies *self,
                         const guint64 *busy_ns,
                         guint n_cpus,
                         guint64 interval_ns)
{
  gint64 end_us = g_get_monotonic_time () + MAX_TIME_US;
  guint n_reads = 0;
  guint i;

  if (!self->is_told || n_cpus == 0 || interval_ns == 0)
    return NULL;

  make_room (self, n_cpus);
  for (i = 0; i < n_cpus && n_reads < MAX_READS && g_get_monotonic_time () < end_us;
       i++)
    {
      guint cpu = (self->next + i) % n_cpus;

      if (!IS_BUSY (busy_ns[cpu], interval_ns))
        continue;
      g_array_index (self->frequencies, double, cpu) = read_cpu (self, cpu);
      n_reads++;
    }
  self->next = (self->next + i) % n_cpus;

  return (const double *) (gpointer) self->frequencies->data;
}
