/* jm-examine-processes.c: what procfs shows of other users' processes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "doctor/jm-examination-private.h"

#include <string.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-parse-proc-private.h"
#include "host/jm-host-private.h"
#include "host/jm-source-private.h"
#include "sources/process/jm-bpf-process-source-private.h"

#define MOUNTINFO_MAX (64 * 1024 * 1024)
#define ENVIRON_MAX (1024 * 1024)

#define PRIVILEGES                                                                     \
 "CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH: copy process-details.conf from "             \
 "share/doc/jobmetrics to /etc/systemd/system/jobmetrics-exporter-node.service.d"
#define PRIVILEGES_OF_USERS                                                            \
 "Your own processes are read; an administrator can have the exporter read "           \
 "those "                                                                              \
 "of others (CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH)"

static gboolean
read_io (JmHost *host, const char *path, GError **error)
{
  char text[1024];

  return jm_host_read (host, path, text, sizeof text, error) >= 0;
}

static gboolean
read_fd (JmHost *host, const char *path, GError **error)
{
  g_auto (GStrv) names = jm_host_list_dir (host, path, error);

  return names != NULL;
}

static gboolean
read_environ (JmHost *host, const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = jm_host_read_all (host, path, ENVIRON_MAX, &length, error);

  return text != NULL;
}

static gboolean
read_exe (JmHost *host, const char *path, GError **error)
{
  g_autofree char *target = jm_host_read_link (host, path, error);

  return target != NULL;
}

static const struct
{
  JmTopic topic;
  const char *name;
  gboolean (*read) (JmHost *host, const char *path, GError **error);
  const char *figures;
} files[] = {
  { JM_TOPIC_PROC_IO, "io", read_io, "bytes that processes read and write" },
  { JM_TOPIC_PROC_FD, "fd", read_fd, "open files, and file systems in use" },
  { JM_TOPIC_PROC_ENVIRON, "environ", read_environ,
    "identity of jobs that no hook has reported" },
  { JM_TOPIC_PROC_EXE, "exe", read_exe,
    "paths of executables (they go by their short names)" },
};

/* A program of somebody else: threads of the kernel have no executable, and their files
 * say nothing about those of jobs. */
static gboolean
is_foreign_program (JmHost *host, const char *pid)
{
  g_autofree char *directory = g_strconcat ("/proc/", pid, NULL);
  g_autofree char *path = g_strconcat (directory, "/stat", NULL);
  char text[4096];
  JmProcStat stat;
  gssize length;
  guint uid;

  if (!g_ascii_isdigit (pid[0]) || !jm_host_get_owner (host, directory, &uid, NULL) ||
      uid == geteuid ())
    return FALSE;

  length = jm_host_read (host, path, text, sizeof text, NULL);

  return length >= 0 && jm_parse_proc_stat (text, (gsize) length, &stat) &&
         stat.state != 'Z' && (stat.flags & JM_PROC_FLAG_KTHREAD) == 0;
}

static void
tell_file (JmExamination *self, guint file, const char *path, const GError *error)
{
  if (error == NULL)
    jm_examination_add (self, files[file].topic, JM_SEVERITY_GOOD, NULL,
                        "%s of other users' processes can be read (as in %s)",
                        files[file].name, path);
  else
    jm_examination_add (self, files[file].topic, JM_SEVERITY_NOTE,
                        self->is_for_users ? PRIVILEGES_OF_USERS : PRIVILEGES,
                        "%s; not measured: %s", error->message, files[file].figures);
}

/* Returns whether the process was there to the end; else nothing is shown of it. */
static gboolean
examine_process (JmExamination *self, const char *pid)
{
  const guint n_before = self->findings->len;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strdup_printf ("/proc/%s/%s", pid, files[i].name);
      g_autoptr (GError) error = NULL;

      if (!files[i].read (self->host, path, &error) &&
          g_error_matches (error, JM_ERROR, JM_ERROR_ABSENT))
        {
          g_ptr_array_set_size (self->findings, (int) n_before);
          return FALSE;
        }
      tell_file (self, i, path, error);
    }

  return TRUE;
}

static void
examine_details (JmExamination *self)
{
  g_auto (GStrv) names = jm_host_list_dir (self->host, "/proc", NULL);

  for (char **name = names; name != NULL && *name != NULL; name++)
    if (is_foreign_program (self->host, *name) && examine_process (self, *name))
      return;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    jm_examination_add (self, files[i].topic, JM_SEVERITY_NOTE,
                        "Look again while a job runs",
                        "No process of another user is seen: cannot determine whether "
                        "its %s can be read",
                        files[i].name);
}

/* --- by the kernel itself --- */

/* Nobody need have it, so it is no more than a note where it cannot be had. */
static void
examine_bpf (JmExamination *self)
{
  g_autoptr (JmSource) source =
    g_object_new (JM_TYPE_BPF_PROCESS_SOURCE, "host", self->host, NULL);

  if (g_initable_init (G_INITABLE (source), NULL, NULL))
    jm_examination_add (self, JM_TOPIC_PROC_BPF, JM_SEVERITY_GOOD, NULL,
                        "BPF programs can be run: --collector.process.bpf reads all "
                        "processes at once and misses none that is short");
  else
    jm_examination_add_failure (self, JM_TOPIC_PROC_BPF, JM_SEVERITY_NOTE,
                                "processes by BPF", source,
                                jm_source_get_error (source), NULL);
}

/* --- how it is mounted --- */

static void
take_hidepid (const JmMount *mount, gpointer user_data)
{
  char **hidepid = user_data;
  JmSlice value;

  if (!jm_slice_equal (mount->type, "proc") ||
      strcmp (mount->mount_point, "/proc") != 0)
    return;

  g_clear_pointer (hidepid, g_free);
  if (jm_parse_option (mount->super_options, "hidepid", &value) &&
      !jm_slice_equal (value, "0") && !jm_slice_equal (value, "off"))
    *hidepid = g_strndup (value.text, value.length);
}

static char *
find_hidepid (JmHost *host)
{
  gsize length;
  g_autofree char *text =
    jm_host_read_all (host, "/proc/self/mountinfo", MOUNTINFO_MAX, &length, NULL);
  char *hidepid = NULL;

  if (text != NULL)
    jm_parse_mountinfo (text, length, take_hidepid, &hidepid);

  return hidepid;
}

static void
examine_hidepid (JmExamination *self)
{
  g_autofree char *hidepid = find_hidepid (self->host);
  gboolean sees_init = jm_host_exists (self->host, "/proc/1/stat");

  if (hidepid == NULL)
    jm_examination_add (self, JM_TOPIC_PROC_HIDEPID, JM_SEVERITY_GOOD, NULL,
                        "/proc hides no processes");
  else
    jm_examination_add (
      self, JM_TOPIC_PROC_HIDEPID,
      self->is_kernels_own && !sees_init ? JM_SEVERITY_PROBLEM : JM_SEVERITY_NOTE,
      "mount -o remount,gid=GROUP /proc, with SupplementaryGroups=GROUP in the "
      "daemon's "
      "unit; or CAP_SYS_PTRACE, as process-details.conf grants it",
      "/proc is mounted with hidepid=%s: who is neither root nor in its group sees no "
      "processes of jobs",
      hidepid);
}

static gboolean
examine_mount (JmExamination *self)
{
  g_autofree char *real = jm_host_resolve (self->host, "/proc");
  g_autoptr (GError) error = NULL;
  char text[64];

  if (jm_host_read (self->host, "/proc/uptime", text, sizeof text, &error) >= 0)
    {
      jm_examination_add (self, JM_TOPIC_PROC_MOUNT, JM_SEVERITY_GOOD, NULL,
                          "procfs at %s", real);
      return TRUE;
    }

  jm_examination_add (self, JM_TOPIC_PROC_MOUNT, JM_SEVERITY_PROBLEM,
                      "mount -t proc proc /proc, without subset=pid. In a container, "
                      "mount the machine's "
                      "own and name it: --path.procfs=DIR",
                      "%s: there are no figures of processes, nor of the node",
                      error->message);

  return FALSE;
}

/* What procfs shows, above all of processes that are not one's own. */
void
jm_examine_processes (JmExamination *self)
{
  if (!examine_mount (self))
    return;

  examine_hidepid (self);
  if (self->is_kernels_own)
    {
      examine_details (self);
      examine_bpf (self);
    }
}
