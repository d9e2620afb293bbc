/* jmc-trace-sampler.c: what a command and all that came of it use
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "trace/jmc-trace-parts.h"

#include <unistd.h>

#define IO_MAX 4096
#define US_PER_TICK (JM_NS_PER_TICK / 1000)

struct _JmcTraceSampler
{
  JmHost *host;
  JmcProcessTree *tree;
  JmcChild *child;
  GHashTable *io; /* JmProcIo by pid, as last seen */
  JmProcIo ended; /* of those that were waited for */
  guint64 cpu_us; /* at the last sample */
  gint64 sampled_us;
};

JmcTraceSampler *
jmc_trace_sampler_new (JmHost *host, JmcProcessTree *tree, JmcChild *child)
{
  JmcTraceSampler *self = g_new0 (JmcTraceSampler, 1);

  self->host = g_object_ref (host);
  self->tree = tree;
  self->child = child;
  self->io = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->sampled_us = g_get_monotonic_time ();

  return self;
}

void
jmc_trace_sampler_free (JmcTraceSampler *self)
{
  g_hash_table_unref (self->io);
  g_object_unref (self->host);
  g_free (self);
}

/* --- input and output --- */

static gboolean
read_io (JmcTraceSampler *self, pid_t pid, JmProcIo *io)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/io", (int) pid);
  gsize length;
  g_autofree char *text = jm_host_read_all (self->host, path, IO_MAX, &length, NULL);

  return text != NULL && jm_parse_proc_io (text, length, io);
}

/* One that ended and was not waited for yet may not be read any more. */
static void
add_io (JmcTraceSampler *self, pid_t pid, GHashTable *next, JmTraceRecord *record)
{
  const JmProcIo *last = g_hash_table_lookup (self->io, GINT_TO_POINTER (pid));
  JmProcIo io = { 0 };

  if (!read_io (self, pid, &io) && last != NULL)
    io = *last;
  record->read_bytes += io.read_bytes;
  record->write_bytes += io.write_bytes;
  g_hash_table_insert (next, GINT_TO_POINTER (pid), g_memdup2 (&io, sizeof io));
}

void
jmc_trace_sampler_note_end (JmcTraceSampler *self, pid_t pid)
{
  const JmProcIo *io = g_hash_table_lookup (self->io, GINT_TO_POINTER (pid));

  if (io == NULL)
    return;

  self->ended.read_bytes += io->read_bytes;
  self->ended.write_bytes += io->write_bytes;
  g_hash_table_remove (self->io, GINT_TO_POINTER (pid));
}

/* --- CPU time --- */

static guint64
to_us (const struct timeval *time)
{
  return (guint64) time->tv_sec * G_USEC_PER_SEC + (guint64) time->tv_usec;
}

static guint64
get_ended_cpu_us (JmcTraceSampler *self)
{
  const struct rusage *usage = jmc_child_get_usage (self->child);

  return to_us (&usage->ru_utime) + to_us (&usage->ru_stime);
}

/* Less than before is what was missed between the end of a process and its parent's
 * word: no time was given back. */
static void
set_cpus (JmcTraceSampler *self, guint64 cpu_us, JmTraceRecord *record)
{
  gint64 now_us = g_get_monotonic_time ();
  guint64 new_us = cpu_us > self->cpu_us ? cpu_us - self->cpu_us : 0;

  record->cpus = 100.0 * (double) new_us / (double) MAX (now_us - self->sampled_us, 1);
  self->cpu_us = MAX (cpu_us, self->cpu_us);
  self->sampled_us = now_us;
}

/* --- the sum --- */

static guint64
add_process (const JmProcStat *stat, JmTraceRecord *record)
{
  if (stat->state != 'Z' && stat->state != 'X')
    {
      record->threads += stat->n_threads;
      record->memory += stat->rss_pages * (guint64) sysconf (_SC_PAGESIZE);
    }

  return (stat->utime_ticks + stat->stime_ticks + stat->cutime_ticks +
          stat->cstime_ticks) *
         US_PER_TICK;
}

void
jmc_trace_sampler_take (JmcTraceSampler *self, JmTraceRecord *record)
{
  g_autoptr (GArray) pids = jmc_process_tree_list_processes (self->tree);
  GHashTable *next = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint64 cpu_us = get_ended_cpu_us (self);

  record->threads = record->memory = 0;
  record->read_bytes = self->ended.read_bytes;
  record->write_bytes = self->ended.write_bytes;
  for (guint i = 0; i < pids->len; i++)
    {
      pid_t pid = g_array_index (pids, pid_t, i);
      JmProcStat stat;

      if (!jmc_process_tree_read_stat (self->tree, pid, &stat))
        continue;

      cpu_us += add_process (&stat, record);
      add_io (self, pid, next, record);
    }
  g_hash_table_unref (self->io);
  self->io = next;
  set_cpus (self, cpu_us, record);
}
