/* jm-machine.c: the node's own totals
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/machine/jm-machine-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-private.h"
#include "base/jm-parse-proc-private.h"
#include "core/jm-readings-private.h"
#include "host/jm-file-private.h"
#include "host/jm-node-cpu-private.h"

#define PROC_STAT "/proc/stat"
#define PROC_MEMINFO "/proc/meminfo"
#define CPU_ONLINE "/sys/devices/system/cpu/online"

#define MEMINFO_SIZE 16384
#define ONLINE_SIZE 4096

#define BYTES_PER_KIB 1024
#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* The node's own totals, of which the figures of jobs are shares.
 *
 * - Units: those of the metric table; CPU time has a resolution of 10 ms.
 * - Errors: go to the readings. A file that this kernel does not have leaves its
 *   figures out; so does one that cannot be read, which is reported.
 * - Source: `/proc/stat`, `/proc/meminfo`, `/sys/devices/system/cpu/online` and the
 *   `topology` of each CPU there, which is read again when another set of CPUs is
 *   online. */
struct _JmMachine
{
  JmSource parent_instance;

  JmFile stat;
  JmFile meminfo;
  JmFile online;
  GString *text; /* of /proc/stat */
  gboolean has_fresh_text;

  JmLabels *modes[JM_N_CPU_MODES];
  guint64 ticks[JM_N_CPU_MODES];
  guint64 boot_time; /* seconds since 1970 */
  gboolean has_boot_time;

  char *online_text; /* for which the topology was read */
  JmTopology topology;
};

G_DEFINE_FINAL_TYPE (JmMachine, jm_machine, JM_TYPE_SOURCE)

static void
report_failure (JmReadings *readings, const JmFile *file, gssize result)
{
  g_autoptr (GError) error = NULL;

  jm_file_set_error (file, result, &error);
  jm_readings_add_error (readings, error);
}

static void
report_malformed (JmReadings *readings,
                  const JmFile *file,
                  const char *text,
                  gsize length)
{
  g_autoptr (GError) error = NULL;

  jm_file_set_malformed (file, "not in its format", text, length, &error);
  jm_readings_add_error (readings, error);
}

/* The line of @key where there is one, else the whole. */
static void
report_line (JmReadings *readings,
             const JmFile *file,
             const char *key,
             const char *text,
             gsize length)
{
  JmSlice line = { text, length };

  jm_parse_find_line (text, length, key, &line);
  report_malformed (readings, file, line.text, line.length);
}

static gboolean
is_open (const JmFile *file)
{
  return file->name != NULL;
}

/* The kernel takes some modes back by a little, or by all when a CPU goes offline:
 * https://docs.kernel.org/filesystems/proc.html#miscellaneous-kernel-statistics-in-proc-stat.
 * A counter may not. */
static void
take_cpu (JmMachine *self, const JmNodeCpu *cpu, JmReadings *readings)
{
  for (guint i = 0; i < cpu->n_modes; i++)
    {
      self->ticks[i] = MAX (self->ticks[i], cpu->ticks[i]);
      jm_readings_add_labelled (readings, JM_METRIC_NODE_CPU, self->modes[i],
                                self->ticks[i] * JM_NS_PER_TICK);
    }
}

/* Taken once: it moves with the clock, though there was but one boot. */
static void
read_boot_time (JmMachine *self, JmReadings *readings)
{
  const char *text = self->text->str;
  gsize length = self->text->len;

  if (!self->has_boot_time)
    self->has_boot_time = jm_parse_boot_time (text, length, &self->boot_time);

  if (self->has_boot_time)
    jm_readings_add (readings, JM_METRIC_NODE_BOOT_TIME,
                     self->boot_time * NS_PER_SECOND);
  else
    report_line (readings, &self->stat, "btime", text, length);
}

static gboolean
read_stat_text (JmMachine *self, JmReadings *readings)
{
  gssize n;

  if (!is_open (&self->stat))
    return FALSE;

  n = jm_file_read_all (&self->stat, self->text, JM_PROC_STAT_MAX);
  if (n < 0)
    report_failure (readings, &self->stat, n);
  self->has_fresh_text = n >= 0;

  return self->has_fresh_text;
}

static void
read_stat (JmMachine *self, JmReadings *readings)
{
  JmNodeCpu cpu;

  if (!read_stat_text (self, readings))
    return;

  if (jm_parse_node_cpu (self->text->str, self->text->len, &cpu))
    take_cpu (self, &cpu, readings);
  else
    report_line (readings, &self->stat, "cpu", self->text->str, self->text->len);

  read_boot_time (self, readings);
}

static const struct
{
  JmFlatKey key;
  JmMetric metric;
} memory_keys[] = {
  { JM_FLAT_KEY ("MemTotal:"), JM_METRIC_NODE_MEMORY_SIZE },
  { JM_FLAT_KEY ("MemFree:"), JM_METRIC_NODE_MEMORY_FREE },
  { JM_FLAT_KEY ("MemAvailable:"), JM_METRIC_NODE_MEMORY_AVAILABLE },
  { JM_FLAT_KEY ("Cached:"), JM_METRIC_NODE_MEMORY_CACHE },
  { JM_FLAT_KEY ("SwapTotal:"), JM_METRIC_NODE_SWAP_SIZE },
  { JM_FLAT_KEY ("SwapFree:"), JM_METRIC_NODE_SWAP_FREE },
};

/* Names the lines that are not in their format; where none is, the text was cut short.
 */
static void
report_meminfo (JmMachine *self,
                guint64 found,
                const char *text,
                gsize length,
                JmReadings *readings)
{
  gboolean told = FALSE;
  JmSlice line;

  for (guint i = 0; i < G_N_ELEMENTS (memory_keys); i++)
    if ((found >> i & 1) == 0 &&
        jm_parse_find_line (text, length, memory_keys[i].key.name, &line))
      {
        report_malformed (readings, &self->meminfo, line.text, line.length);
        told = TRUE;
      }

  if (!told)
    report_malformed (readings, &self->meminfo, text, length);
}

static void
take_meminfo (JmMachine *self, const char *text, gsize length, JmReadings *readings)
{
  JmFlatKey keys[G_N_ELEMENTS (memory_keys)];
  guint64 values[G_N_ELEMENTS (memory_keys)];
  guint64 found;
  gboolean sound;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    keys[i] = memory_keys[i].key;

  sound = jm_parse_flat_keyed (text, length, keys, G_N_ELEMENTS (keys), values, &found);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if ((found >> i & 1) == 0)
        continue;

      if (values[i] <= G_MAXUINT64 / BYTES_PER_KIB)
        jm_readings_add (readings, memory_keys[i].metric, values[i] * BYTES_PER_KIB);
      else
        {
          found &= ~(G_GUINT64_CONSTANT (1) << i);
          sound = FALSE;
        }
    }

  if (!sound)
    report_meminfo (self, found, text, length, readings);
}

static void
read_meminfo (JmMachine *self, JmReadings *readings)
{
  char text[MEMINFO_SIZE];
  gssize n;

  if (!is_open (&self->meminfo))
    return;

  n = jm_file_read (&self->meminfo, text, sizeof text);
  if (n >= 0)
    take_meminfo (self, text, (gsize) n, readings);
  else
    report_failure (readings, &self->meminfo, n);
}

static void
refresh_topology (JmMachine *self, const char *text, gsize length, JmReadings *readings)
{
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (text, self->online_text) == 0)
    return;

  g_free (self->online_text);
  self->online_text = g_strdup (text);
  if (!jm_topology_read (&self->topology, jm_source_get_host (JM_SOURCE (self)), text,
                         length, &error))
    jm_readings_add_error (readings, error);
  /* what could not be read just now may be so the next time */
  if (g_error_matches (error, JM_ERROR, JM_ERROR_UNAVAILABLE) ||
      g_error_matches (error, JM_ERROR, JM_ERROR_MALFORMED))
    g_clear_pointer (&self->online_text, g_free);
}

/* Returns how many CPUs are online; 0 where that is not known. */
static guint
read_online (JmMachine *self, JmReadings *readings)
{
  char text[ONLINE_SIZE];
  guint n_cpus;
  gssize n;

  if (!is_open (&self->online))
    return 0;

  n = jm_file_read (&self->online, text, sizeof text);
  if (n < 0)
    {
      report_failure (readings, &self->online, n);
      return 0;
    }
  if (!jm_parse_cpu_count (text, (gsize) n, &n_cpus) || n_cpus == 0)
    {
      report_malformed (readings, &self->online, text, (gsize) n);
      return 0;
    }

  refresh_topology (self, text, (gsize) n, readings);

  return n_cpus;
}

static void
read_topology (JmMachine *self, JmReadings *readings)
{
  guint n_cpus = read_online (self, readings);

  if (n_cpus == 0)
    return;

  jm_readings_add (readings, JM_METRIC_NODE_CPUS, n_cpus);
  if (self->topology.n_cores > 0)
    jm_readings_add (readings, JM_METRIC_NODE_CORES, self->topology.n_cores);
  if (self->topology.n_sockets > 0)
    jm_readings_add (readings, JM_METRIC_NODE_SOCKETS, self->topology.n_sockets);
}

static int
open_file (JmMachine *self, JmFile *file, const char *path)
{
  return jm_file_open (file, jm_source_get_host (JM_SOURCE (self)), path, JM_FILE_KEEP);
}

static gboolean
jm_machine_open (JmSource *source, GError **error)
{
  JmMachine *self = JM_MACHINE (source);
  int stat_result = open_file (self, &self->stat, PROC_STAT);
  int meminfo_result = open_file (self, &self->meminfo, PROC_MEMINFO);

  open_file (self, &self->online, CPU_ONLINE);

  /* with one of them there is something to read; a procfs has both */
  if (stat_result < 0 && meminfo_result < 0)
    {
      g_autofree char *path = jm_host_resolve (jm_source_get_host (source), PROC_STAT);

      g_set_error (error, JM_ERROR, (int) jm_error_from_errno (-stat_result), "%s: %s",
                   path, g_strerror (-stat_result));
      return FALSE;
    }

  return TRUE;
}

static void
jm_machine_finalize (GObject *object)
{
  JmMachine *self = JM_MACHINE (object);

  jm_file_close (&self->stat);
  jm_file_close (&self->meminfo);
  jm_file_close (&self->online);
  g_string_free (self->text, TRUE);
  g_free (self->online_text);
  jm_topology_clear (&self->topology);
  for (guint i = 0; i < JM_N_CPU_MODES; i++)
    jm_labels_unref (self->modes[i]);

  G_OBJECT_CLASS (jm_machine_parent_class)->finalize (object);
}

static void
jm_machine_class_init (JmMachineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_machine_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_machine_open;
}

static void
jm_machine_init (JmMachine *self)
{
  jm_file_init (&self->stat);
  jm_file_init (&self->meminfo);
  jm_file_init (&self->online);
  self->text = g_string_new (NULL);
  self->topology.seats = g_array_new (FALSE, FALSE, sizeof (JmCpuSeat));
  for (guint i = 0; i < JM_N_CPU_MODES; i++)
    self->modes[i] = jm_labels_of (jm_cpu_mode_get_name (i), NULL);
}

/* Reads the node's totals, where JM_COLLECTOR_NODE is wanted.
 *
 * - Shape: CPU time by mode: those that the kernel has of `user`, `nice`, `system`,
 *   `idle`, `iowait`, `irq`, `softirq`, `steal`, `guest` and `guest_nice`. They add up
 *   to all CPU time: the kernel counts what virtual machines use twice, as guest and as
 *   user, and here it is taken out of `user` and `nice`. The others are one figure
 *   each. */
void
jm_machine_read (JmMachine *self, JmReadings *readings)
{
  g_return_if_fail (JM_IS_MACHINE (self));
  g_return_if_fail (readings != NULL);

  if (!jm_readings_begin (readings, JM_COLLECTOR_NODE))
    return;

  read_stat (self, readings);
  read_meminfo (self, readings);
  read_topology (self, readings);
  jm_readings_end (readings);
}

const GArray *
jm_machine_get_seats (JmMachine *self)
{
  return self->topology.seats;
}

gboolean
jm_machine_read_cpu_times (JmMachine *self, GArray *busy_ns, JmReadings *readings)
{
  if (!self->has_fresh_text)
    {
      read_online (self, readings);
      if (!read_stat_text (self, readings))
        return FALSE;
    }

  self->has_fresh_text = FALSE;
  if (!jm_parse_cpu_times (self->text->str, self->text->len, busy_ns))
    {
      report_line (readings, &self->stat, "cpu0", self->text->str, self->text->len);
      return FALSE;
    }

  for (guint i = 0; i < busy_ns->len; i++)
    g_array_index (busy_ns, guint64, i) *= JM_NS_PER_TICK;

  return TRUE;
}
