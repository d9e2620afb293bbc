/* jme-own-metrics.c: figures of the exporter itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-own-metrics.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/jm-parse-private.h"
#include "base/jm-parse-proc-private.h"
#include "base/jm-text-writer-private.h"
#include "daemon/jme-figures.h"
#include "host/jm-host.h"

/* What is asked when a figure is wanted. */
typedef struct
{
  const JmeOwnCounters *counters;
  JmHost *host; /* the exporter's own, whatever tree it looks at */
} Origin;

static gboolean
get_one (gconstpointer part, guint64 *value)
{
  *value = 1;

  return TRUE;
}

static gboolean
get_scrapes (gconstpointer part, guint64 *value)
{
  const Origin *origin = part;

  *value = origin->counters->n_scrapes;

  return TRUE;
}

static gboolean
get_encode_ns (gconstpointer part, guint64 *value)
{
  const Origin *origin = part;

  *value = origin->counters->encode_ns;

  return TRUE;
}

static guint64
microseconds (const struct timeval *time)
{
  return (guint64) time->tv_sec * G_USEC_PER_SEC + (guint64) time->tv_usec;
}

static gboolean
get_cpu_us (gconstpointer part, guint64 *value)
{
  struct rusage usage;

  if (getrusage (RUSAGE_SELF, &usage) != 0)
    return FALSE;

  *value = microseconds (&usage.ru_utime) + microseconds (&usage.ru_stime);

  return TRUE;
}

static gboolean
get_stat (JmHost *host, JmProcStat *stat)
{
  char text[1024];
  gssize length = jm_host_read (host, "/proc/self/stat", text, sizeof text, NULL);

  return length >= 0 && jm_parse_proc_stat (text, (gsize) length, stat);
}

static gboolean
get_start_us (gconstpointer part, guint64 *value)
{
  const Origin *origin = part;

  *value = (guint64) origin->counters->start_us;

  return origin->counters->start_us > 0;
}

/* The first two columns of statm: https://docs.kernel.org/filesystems/proc.html */
static gboolean
get_bytes (const Origin *origin, guint column, guint64 *value)
{
  char text[1024];
  gssize length =
    jm_host_read (origin->host, "/proc/self/statm", text, sizeof text, NULL);
  const char *cursor = text;
  guint64 n_pages;

  for (guint i = 0; i <= column; i++)
    if (length < 0 || !jm_parse_next_uint64 (&cursor, text + length, &n_pages))
      return FALSE;

  *value = n_pages * (guint64) sysconf (_SC_PAGESIZE);

  return TRUE;
}

static gboolean
get_virtual_bytes (gconstpointer part, guint64 *value)
{
  return get_bytes (part, 0, value);
}

static gboolean
get_resident_bytes (gconstpointer part, guint64 *value)
{
  return get_bytes (part, 1, value);
}

/* Since Linux 6.2 the size of the directory is the number of open files:
 * https://docs.kernel.org/filesystems/proc.html#proc-pid-fd-list-of-symlinks-to-open-files
 */
static gboolean
get_open_files (gconstpointer part, guint64 *value)
{
  g_autoptr (GDir) dir = NULL;
  guint64 n_files = 0;
  struct stat st;

  if (stat ("/proc/self/fd", &st) == 0 && st.st_size > 0)
    {
      *value = (guint64) st.st_size;
      return TRUE;
    }

  dir = g_dir_open ("/proc/self/fd", 0, NULL);
  if (dir == NULL)
    return FALSE;

  while (g_dir_read_name (dir) != NULL)
    n_files++;
  /* the directory itself is open only for this */
  *value = n_files - 1;

  return TRUE;
}

static gboolean
get_max_files (gconstpointer part, guint64 *value)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return FALSE;

  *value = limit.rlim_cur;

  return TRUE;
}

static const JmeFigure metrics[] = {
  { JM_FAMILY_KIND_INFO, "jobmetrics_build_info",
    "Version of the program and what it was built with.", 0, get_one },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_scrapes_total", "Scrapes that were answered.",
    0, get_scrapes },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_encode_seconds_total",
    "Time spent on writing answers to scrapes.", 9, get_encode_ns },
  { JM_FAMILY_KIND_COUNTER, "process_cpu_seconds_total",
    "CPU time of the exporter itself.", 6, get_cpu_us },
  { JM_FAMILY_KIND_GAUGE, "process_start_time_seconds",
    "When the exporter started, seconds since 1970.", 6, get_start_us },
  { JM_FAMILY_KIND_GAUGE, "process_virtual_memory_bytes",
    "Virtual memory of the exporter itself.", 0, get_virtual_bytes },
  { JM_FAMILY_KIND_GAUGE, "process_resident_memory_bytes",
    "Resident memory of the exporter itself.", 0, get_resident_bytes },
  { JM_FAMILY_KIND_GAUGE, "process_open_fds",
    "Open file descriptors of the exporter itself.", 0, get_open_files },
  { JM_FAMILY_KIND_GAUGE, "process_max_fds",
    "Most file descriptors that the exporter may open.", 0, get_max_files },
};

void
jme_own_counters_init (JmeOwnCounters *self)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  struct timespec since_boot;
  JmProcStat stat;
  gint64 age_us;

  *self = (JmeOwnCounters){ 0 };
  if (!get_stat (host, &stat) || clock_gettime (CLOCK_BOOTTIME, &since_boot) != 0)
    return;

  age_us = since_boot.tv_sec * G_USEC_PER_SEC + since_boot.tv_nsec / 1000 -
           (gint64) (stat.starttime_ticks * (JM_NS_PER_TICK / 1000));
  self->start_us = g_get_real_time () - age_us;
}

void
jme_own_metrics_append (const JmeOwnCounters *counters,
                        JmTextEncoder *encoder,
                        JmTextFormat format,
                        GString *out)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  const Origin origin = { counters, host };
  JmTextWriter writer;

  jm_text_writer_init (&writer, format == JM_TEXT_FORMAT_OPENMETRICS, out);
  jme_figures_append (metrics, G_N_ELEMENTS (metrics), &origin,
                      jm_text_encoder_get_selection (encoder), &writer);
}

gboolean
jme_own_metrics_match (const char *pattern)
{
  return jme_figures_match (metrics, G_N_ELEMENTS (metrics), pattern);
}
