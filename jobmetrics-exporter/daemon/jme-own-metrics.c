/* jme-own-metrics.c: figures of the exporter itself
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-own-metrics.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "expose/jm-text-writer-private.h"
#include "host/jm-dir-private.h"
#include "host/jm-host.h"
#include "host/jm-parse-private.h"
#include "host/jm-parse-proc-private.h"
#include "jme-config.h"

/* What is asked when a figure is wanted. */
typedef struct
{
  const JmeOwnCounters *counters;
  JmHost *host; /* the exporter's own, whatever tree it looks at */
} Origin;

typedef struct
{
  JmFamilyKind kind;
  const char *name;
  const char *help;
  guint n_decimals;
  gboolean (*get) (const Origin *origin, guint64 *value);
} OwnMetric;

static gboolean
get_one (const Origin *origin, guint64 *value)
{
  *value = 1;

  return TRUE;
}

static gboolean
get_scrapes (const Origin *origin, guint64 *value)
{
  *value = origin->counters->n_scrapes;

  return TRUE;
}

static gboolean
get_encode_ns (const Origin *origin, guint64 *value)
{
  *value = origin->counters->encode_ns;

  return TRUE;
}

static gboolean
get_push_up (const Origin *origin, guint64 *value)
{
  *value = origin->counters->is_push_up;

  return origin->counters->pushes;
}

static gboolean
get_push_failures (const Origin *origin, guint64 *value)
{
  *value = origin->counters->n_push_failures;

  return origin->counters->pushes;
}

static gboolean
get_push_success_us (const Origin *origin, guint64 *value)
{
  *value = (guint64) origin->counters->push_success_us;

  return origin->counters->pushes && origin->counters->push_success_us > 0;
}

static guint64
microseconds (const struct timeval *time)
{
  return (guint64) time->tv_sec * G_USEC_PER_SEC + (guint64) time->tv_usec;
}

static gboolean
get_cpu_us (const Origin *origin, guint64 *value)
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
get_start_us (const Origin *origin, guint64 *value)
{
  *value = (guint64) origin->counters->start_us;

  return origin->counters->start_us > 0;
}

static gboolean
get_virtual_bytes (const Origin *origin, guint64 *value)
{
  char text[1024];
  gssize length =
    jm_host_read (origin->host, "/proc/self/statm", text, sizeof text, NULL);
  const char *cursor = text;
  guint64 n_pages;

  if (length < 0 || !jm_parse_next_uint64 (&cursor, text + length, &n_pages))
    return FALSE;

  *value = n_pages * (guint64) sysconf (_SC_PAGESIZE);

  return TRUE;
}

static gboolean
get_resident_bytes (const Origin *origin, guint64 *value)
{
  JmProcStat stat;

  if (!get_stat (origin->host, &stat))
    return FALSE;

  *value = stat.rss_pages * (guint64) sysconf (_SC_PAGESIZE);

  return TRUE;
}

static gboolean
get_open_files (const Origin *origin, guint64 *value)
{
  JmDir dir = JM_DIR_INIT;
  gssize n_files;

  if (jm_dir_open (&dir, origin->host, "/proc/self/fd") < 0)
    return FALSE;

  n_files = jm_dir_count_open_files (&dir);
  jm_dir_close (&dir);
  if (n_files < 0)
    return FALSE;

  *value = (guint64) n_files;

  return TRUE;
}

static gboolean
get_max_files (const Origin *origin, guint64 *value)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return FALSE;

  *value = limit.rlim_cur;

  return TRUE;
}

static const OwnMetric metrics[] = {
  { JM_FAMILY_KIND_INFO, "jobmetrics_build_info",
    "Version of the program and what it was built with.", 0, get_one },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_scrapes_total", "Scrapes that were answered.",
    0, get_scrapes },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_encode_seconds_total",
    "Time spent on writing answers to scrapes.", 9, get_encode_ns },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_push_up",
    "Whether the pushgateway took what was pushed last.", 0, get_push_up },
  { JM_FAMILY_KIND_COUNTER, "jobmetrics_push_failures_total",
    "Times that the pushgateway did not take what was pushed.", 0, get_push_failures },
  { JM_FAMILY_KIND_GAUGE, "jobmetrics_push_last_success_time_seconds",
    "When it took everything last, seconds since 1970.", 6, get_push_success_us },
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

static void
append (JmTextWriter *writer, const OwnMetric *metric, guint64 value)
{
  jm_text_writer_begin_family (writer, metric->kind, metric->name, metric->help);
  jm_text_writer_begin_sample (writer);
  if (metric->kind == JM_FAMILY_KIND_INFO)
    {
      jm_text_writer_add_label (writer, "version", JME_VERSION);
      jm_text_writer_add_label (writer, "compiler", JME_COMPILER);
    }
  jm_text_writer_end_with_decimal (writer, value, metric->n_decimals);
}

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
  JmMetricSelection *selection = jm_text_encoder_get_selection (encoder);
  JmTextWriter writer;

  jm_text_writer_init (&writer, format, out);
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      guint64 value;

      if (jm_metric_selection_has_name (selection, metrics[i].name) &&
          metrics[i].get (&origin, &value))
        append (&writer, &metrics[i], value);
    }
}

gboolean
jme_own_metrics_match (const char *pattern)
{
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    if (g_pattern_match_simple (pattern, metrics[i].name))
      return TRUE;

  return FALSE;
}
