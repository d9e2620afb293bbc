/* jm-filesystem-source.c: what jobs read and write of each file system
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include "base/jm-error.h"
#include "base/jm-parse-proc-private.h"
#include "core/jm-readings-private.h"
#include "sources/counters/jm-file-calls-private.h"

/* The unit of the exporter may have mounts of its own. */
#define MOUNTS "/proc/1/mountinfo"
#define MOUNTS_SIZE (4 * 1024 * 1024)
#define MAX_FILESYSTEMS 256

/* Counts reads, writes and opens of regular files by cgroup and file system, with a BPF
 * program that the kernel runs at the end of every system call (tracepoint sys_exit).
 *
 * - Shape: a figure for each file system on which the job did anything, by where it is
 *   mounted.
 * - Errors: ABSENT on a copied tree, and where kernel or build have no BPF; DENIED
 *   without CAP_BPF and CAP_PERFMON.
 * - Source: /proc/1/mountinfo for the names. */
struct _JmFilesystemSource
{
  JmSource parent_instance;

  JmFileCalls *calls;
  GArray *filesystems; /* of Filesystem */
};

typedef struct
{
  guint major;
  guint minor;
  JmLabels *labels;
  gboolean is_mounted;
} Filesystem;

static void counter_source_iface_init (JmCounterSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmFilesystemSource,
                               jm_filesystem_source,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_COUNTER_SOURCE,
                                                      counter_source_iface_init))

/* --- what is mounted --- */

/* Their files are made up by the kernel. */
static gboolean
is_made_up (JmSlice type)
{
  static const char *const types[] = {
    "autofs", "binfmt_misc", "bpf",        "cgroup",  "cgroup2", "configfs", "debugfs",
    "devpts", "devtmpfs",    "efivarfs",   "fusectl", "mqueue",  "nsfs",     "proc",
    "pstore", "rpc_pipefs",  "securityfs", "sysfs",   "tracefs",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (jm_slice_equal (type, types[i]))
      return TRUE;

  return FALSE;
}

static Filesystem *
find_filesystem (JmFilesystemSource *self, guint major, guint minor)
{
  for (guint i = 0; i < self->filesystems->len; i++)
    {
      Filesystem *one = &g_array_index (self->filesystems, Filesystem, i);

      if (one->major == major && one->minor == minor)
        return one;
    }

  return NULL;
}

/* Of several mounts of one file system the first gives it its name. One that has gone
 * keeps its own, until another with its number comes. */
static void
on_mount (const JmMount *mount, gpointer user_data)
{
  JmFilesystemSource *self = user_data;
  Filesystem *known = find_filesystem (self, mount->major, mount->minor);
  Filesystem new = { mount->major, mount->minor, NULL, TRUE };

  if (is_made_up (mount->type) || (known != NULL && known->is_mounted))
    return;

  if (known != NULL)
    {
      jm_labels_unref (known->labels);
      known->labels = jm_labels_of (mount->mount_point, NULL);
      known->is_mounted = TRUE;
    }
  else if (self->filesystems->len < MAX_FILESYSTEMS)
    {
      new.labels = jm_labels_of (mount->mount_point, NULL);
      g_array_append_val (self->filesystems, new);
    }
}

/* Where they cannot be read those of before still hold. */
static void
jm_filesystem_source_begin_round (JmCounterSource *source)
{
  JmFilesystemSource *self = JM_FILESYSTEM_SOURCE (source);
  JmHost *host = jm_source_get_host (JM_SOURCE (source));
  g_autofree char *text = NULL;
  gsize length;

  text = jm_host_read_all (host, MOUNTS, MOUNTS_SIZE, &length, NULL);
  if (text == NULL)
    return;

  for (guint i = 0; i < self->filesystems->len; i++)
    g_array_index (self->filesystems, Filesystem, i).is_mounted = FALSE;
  jm_parse_mountinfo (text, length, on_mount, self);
}

static void
filesystem_clear (gpointer data)
{
  jm_labels_unref (((Filesystem *) data)->labels);
}

/* --- cgroups --- */

static gboolean
jm_filesystem_source_open (JmSource *source, GError **error)
{
  JmFilesystemSource *self = JM_FILESYSTEM_SOURCE (source);

  self->calls = jm_file_calls_new (jm_source_get_host (source), error);
  if (self->calls == NULL)
    return FALSE;

  jm_filesystem_source_begin_round (JM_COUNTER_SOURCE (source));

  return TRUE;
}

static gpointer
jm_filesystem_source_open_cgroup (JmCounterSource *source,
                                  const char *dir,
                                  GError **error)
{
  return jm_file_count_new (JM_FILESYSTEM_SOURCE (source)->calls, dir, error);
}

static void
add_sum (JmReadings *readings, JmLabels *labels, const JmFileSum *sum)
{
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_READ_BYTES, labels,
                            sum->read_bytes);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_READS, labels, sum->reads);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_WRITE_BYTES, labels,
                            sum->written_bytes);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_WRITES, labels, sum->writes);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_OPENS, labels, sum->opens);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_CREATES, labels,
                            sum->creates);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_READ_ERRORS, labels,
                            sum->read_errors);
  jm_readings_add_labelled (readings, JM_METRIC_FILESYSTEM_WRITE_ERRORS, labels,
                            sum->write_errors);
}

static gboolean
jm_filesystem_source_read (JmCounterSource *source,
                           gpointer cgroup,
                           JmReadings *readings,
                           GError **error)
{
  JmFilesystemSource *self = JM_FILESYSTEM_SOURCE (source);

  for (guint i = 0; i < self->filesystems->len; i++)
    {
      const Filesystem *one = &g_array_index (self->filesystems, Filesystem, i);
      JmFileSum sum;

      if (jm_file_count_read (cgroup, one->major, one->minor, &sum))
        add_sum (readings, one->labels, &sum);
    }

  return TRUE;
}

static void
jm_filesystem_source_close_cgroup (JmCounterSource *source, gpointer cgroup)
{
  JmFilesystemSource *self = JM_FILESYSTEM_SOURCE (source);

  for (guint i = 0; i < self->filesystems->len; i++)
    {
      const Filesystem *one = &g_array_index (self->filesystems, Filesystem, i);

      jm_file_count_forget (cgroup, one->major, one->minor);
    }
  jm_file_count_free (cgroup);
}

static void
counter_source_iface_init (JmCounterSourceInterface *iface)
{
  iface->collector = JM_COLLECTOR_FILESYSTEM;
  iface->controller = "cpuacct";
  iface->begin_round = jm_filesystem_source_begin_round;
  iface->open_cgroup = jm_filesystem_source_open_cgroup;
  iface->read = jm_filesystem_source_read;
  iface->close_cgroup = jm_filesystem_source_close_cgroup;
}

/* --- GObject --- */

static void
jm_filesystem_source_finalize (GObject *object)
{
  JmFilesystemSource *self = JM_FILESYSTEM_SOURCE (object);

  g_clear_pointer (&self->calls, jm_file_calls_free);
  g_array_unref (self->filesystems);

  G_OBJECT_CLASS (jm_filesystem_source_parent_class)->finalize (object);
}

static void
jm_filesystem_source_advise (JmSource *source, const GError *error, JmAdvice *advice)
{
  if (g_error_matches (error, JM_ERROR, JM_ERROR_DENIED))
    jm_advice_add (advice, "CAP_BPF and CAP_PERFMON", "filesystem.conf");
}

static void
jm_filesystem_source_class_init (JmFilesystemSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = jm_filesystem_source_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_filesystem_source_open;
  JM_SOURCE_CLASS (klass)->advise = jm_filesystem_source_advise;
}

static void
jm_filesystem_source_init (JmFilesystemSource *self)
{
  self->filesystems = g_array_new (FALSE, FALSE, sizeof (Filesystem));
  g_array_set_clear_func (self->filesystems, filesystem_clear);
}

JmFilesystemSource *
jm_filesystem_source_new (JmHost *host, GError **error)
{
  return g_initable_new (JM_TYPE_FILESYSTEM_SOURCE, NULL, error, "host", host, NULL);
}
