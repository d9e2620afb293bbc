/* jm-cgroup-figures.c: figures that more than one version of cgroups has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/cgroup/jm-cgroup-figures-private.h"

#include <errno.h>

#include "base/jm-error.h"
#include "sources/cgroup/jm-cgroup-parse-private.h"

#define NS_PER_US 1000

/* 4 million processes, the most that a kernel has, of 8 bytes each. */
#define PROCESSES_TEXT_MAX (32 * 1024 * 1024)

/* Adds CPU time and throttling from a cpu.stat of v2. The last three keys are there
 * only where the cpu controller is enabled. */
void
jm_cgroup_add_unified_cpu_stat (JmCgroupFile *file, JmCgroupSweep *sweep)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("usage_usec"),   JM_FLAT_KEY ("user_usec"),
    JM_FLAT_KEY ("system_usec"),  JM_FLAT_KEY ("nr_periods"),
    JM_FLAT_KEY ("nr_throttled"), JM_FLAT_KEY ("throttled_usec"),
  };
  static const JmCgroupFigure figures[] = {
    { JM_METRIC_CPU_TOTAL, NS_PER_US },     { JM_METRIC_CPU_USER, NS_PER_US },
    { JM_METRIC_CPU_SYSTEM, NS_PER_US },    { JM_METRIC_CPU_PERIODS, 1 },
    { JM_METRIC_CPU_THROTTLED_PERIODS, 1 }, { JM_METRIC_CPU_THROTTLED, NS_PER_US },
  };

  jm_cgroup_file_add_keys (file, sweep, keys, figures, G_N_ELEMENTS (keys), NULL);
}

/* Reads how many CPUs a list names: 0 where it could not be read, is broken, or names
 * none, as a cpuset that was not set yet. @text keeps the list, and is empty then. */
guint
jm_cgroup_count_cpus (JmCgroupFile *file, JmCgroupSweep *sweep, GString *text)
{
  gssize length = jm_cgroup_file_read_all (file, sweep, text);
  guint count = 0;

  if (length >= 0 && !jm_parse_cpu_count (text->str, text->len, &count))
    jm_cgroup_file_report (file, sweep, "not a list of CPUs",
                           (JmSlice){ text->str, text->len });
  if (count > 0)
    jm_readings_add_cpus (sweep->readings, text->str);
  else
    g_string_truncate (text, 0);

  return count;
}

/* Adds the totals of a pressure file. */
void
jm_cgroup_add_pressure (JmCgroupFile *file,
                        JmCgroupSweep *sweep,
                        JmMetric some,
                        JmMetric full)
{
  char text[1024];
  gssize length = jm_cgroup_file_read (file, sweep, text, sizeof text);
  JmPressure pressure;

  if (length < 0)
    return;

  if (!jm_parse_pressure (text, (gsize) length, &pressure) ||
      (!pressure.has_some && !pressure.has_full))
    jm_cgroup_file_report (file, sweep, "not a pressure file",
                           (JmSlice){ text, (gsize) length });

  if (pressure.has_some)
    jm_readings_add (sweep->readings, some, pressure.some_us);
  if (pressure.has_full)
    jm_readings_add (sweep->readings, full, pressure.full_us);
}

static gboolean
add_rdma_line (JmSlice line, JmCgroupSweep *sweep, JmCgroupLabels *labels)
{
  static const JmFlatKey keys[] = {
    JM_FLAT_KEY ("hca_handle"),
    JM_FLAT_KEY ("hca_object"),
  };
  static const JmMetric metrics[] = { JM_METRIC_RDMA_HANDLES, JM_METRIC_RDMA_OBJECTS };
  guint64 values[G_N_ELEMENTS (keys)];
  guint64 found;
  JmSlice name;
  gboolean sound = jm_parse_nested_keyed (line.text, line.length, &name, keys,
                                          G_N_ELEMENTS (keys), values, &found);

  if (name.length == 0)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if ((found & (1u << i)) != 0 && values[i] != JM_LIMIT_NONE)
      jm_readings_add_labelled (sweep->readings, metrics[i],
                                jm_cgroup_labels_get_name (labels, name), values[i]);

  return sound;
}

/* Adds the handles and objects of each device, from rdma.current. */
void
jm_cgroup_add_rdma (JmCgroupFile *file,
                    JmCgroupSweep *sweep,
                    GString *text,
                    JmCgroupLabels *labels)
{
  const char *cursor;
  JmSlice line;

  if (jm_cgroup_file_read_all (file, sweep, text) < 0)
    return;

  cursor = text->str;
  while (jm_parse_next_whole_line (&cursor, text->str + text->len, &line))
    if (!add_rdma_line (line, sweep, labels))
      jm_cgroup_file_report (file, sweep, "not figures of an RDMA device", line);
}

static gboolean
add_blkio_line (JmSlice line,
                JmCgroupSweep *sweep,
                JmCgroupLabels *labels,
                JmMetric reads,
                JmMetric writes)
{
  JmCgroupBlkio entry;

  if (!jm_cgroup_parse_blkio (line.text, line.length, &entry))
    return FALSE;

  if (entry.op != JM_CGROUP_BLKIO_OTHER)
    jm_readings_add_labelled (sweep->readings,
                              entry.op == JM_CGROUP_BLKIO_READ ? reads : writes,
                              jm_cgroup_labels_get_block_device (labels, entry.major,
                                                                 entry.minor),
                              entry.value);

  return TRUE;
}

/* Adds what was read and written by device, from a file of the blkio controller. */
void
jm_cgroup_add_blkio (JmCgroupFile *file,
                     JmCgroupSweep *sweep,
                     GString *text,
                     JmCgroupLabels *labels,
                     JmMetric reads,
                     JmMetric writes)
{
  const char *cursor;
  JmSlice line;

  if (jm_cgroup_file_read_all (file, sweep, text) < 0)
    return;

  cursor = text->str;
  while (jm_parse_next_whole_line (&cursor, text->str + text->len, &line))
    if (!add_blkio_line (line, sweep, labels, reads, writes))
      jm_cgroup_file_report (file, sweep, "not a figure of a device", line);
}

/* The first goes to @error, the others to @readings. */
static void
report_pid (JmFile *file, JmReadings *readings, JmSlice line, GError **error)
{
  g_autoptr (GError) problem = NULL;

  jm_file_set_malformed (file, "not a process id", line.text, line.length, &problem);
  if (error != NULL && *error == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  else
    jm_readings_add_error (readings, problem);
}

/* Adds the processes of a cgroup.procs. FALSE where the cgroup was removed, or where
 * some lines of it name no process: then these are not all. A cgroup that holds threads
 * only has no processes, and that is no error. */
gboolean
jm_cgroup_add_processes (JmFile *file,
                         JmReadings *readings,
                         GString *text,
                         GError **error)
{
  gssize length = jm_file_read_all (file, text, PROCESSES_TEXT_MAX);
  const char *cursor = text->str;
  gboolean is_whole = TRUE;
  JmSlice line;
  guint pid;

  if (length < 0)
    {
      if (length == -EOPNOTSUPP)
        return TRUE;

      jm_file_set_error (file, length, error);
      return FALSE;
    }

  while (jm_parse_next_whole_line (&cursor, text->str + text->len, &line))
    if (!jm_cgroup_parse_pid (line.text, line.length, &pid))
      {
        report_pid (file, readings, line, error);
        is_whole = FALSE;
      }
    else if (pid != 0) /* 0 is a process that our /proc does not show */
      jm_readings_add_process (readings, pid);

  return is_whole;
}
