/* jmc-process-tree.c: the processes that come from a command
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "run/jmc-process-tree.h"

#include <sys/prctl.h>
#include <unistd.h>

#define MAX_TEXT (1 << 20)

struct _JmcProcessTree
{
  JmHost *host;
  GHashTable *strangers; /* children that we had before the command */
  GHashTable *seen;      /* every pid that was ever found */
};

static void
append_children_of_thread (JmcProcessTree *self,
                           pid_t pid,
                           const char *tid,
                           GArray *pids)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%s/children", (int) pid, tid);
  gsize length;
  g_autofree char *text = jm_host_read_all (self->host, path, MAX_TEXT, &length, NULL);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", " ", -1);

  for (char **word = words; *word != NULL; word++)
    {
      pid_t child = (pid_t) g_ascii_strtoull (*word, NULL, 10);

      if (child > 0)
        g_array_append_val (pids, child);
    }
}

/* A process that vanishes meanwhile simply has no children. */
static void
append_children (JmcProcessTree *self, pid_t pid, GArray *pids)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", (int) pid);
  g_auto (GStrv) tids = jm_host_list_dir (self->host, path, NULL);

  for (char **tid = tids; tid != NULL && *tid != NULL; tid++)
    append_children_of_thread (self, pid, *tid, pids);
}

/* The pids of those that are there now. */
GArray *
jmc_process_tree_list_processes (JmcProcessTree *self)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (pid_t));

  append_children (self, getpid (), pids);
  for (guint i = 0; i < pids->len;)
    {
      pid_t pid = g_array_index (pids, pid_t, i);

      if (g_hash_table_contains (self->strangers, GINT_TO_POINTER (pid)))
        {
          g_array_remove_index (pids, i);
          continue;
        }
      append_children (self, pid, pids);
      i++;
    }

  return pids;
}

/* FALSE of one that is gone. */
gboolean
jmc_process_tree_read_stat (JmcProcessTree *self, pid_t pid, JmProcStat *stat)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid);
  gsize length;
  g_autofree char *text = jm_host_read_all (self->host, path, MAX_TEXT, &length, NULL);

  return text != NULL && jm_parse_proc_stat (text, length, stat);
}

/* What those have used that are there now, and those that they waited for. */
void
jmc_process_tree_get_cpu_times (JmcProcessTree *self,
                                guint64 *user_ns,
                                guint64 *system_ns)
{
  g_autoptr (GArray) pids = jmc_process_tree_list_processes (self);

  *user_ns = *system_ns = 0;
  for (guint i = 0; i < pids->len; i++)
    {
      JmProcStat stat;

      if (!jmc_process_tree_read_stat (self, g_array_index (pids, pid_t, i), &stat))
        continue;

      *user_ns += (stat.utime_ticks + stat.cutime_ticks) * JM_NS_PER_TICK;
      *system_ns += (stat.stime_ticks + stat.cstime_ticks) * JM_NS_PER_TICK;
    }
}

/* To be called before the command is started: what is there already is not of it. */
JmcProcessTree *
jmc_process_tree_new (JmHost *host)
{
  JmcProcessTree *self = g_new0 (JmcProcessTree, 1);
  g_autoptr (GArray) pids = NULL;

  self->host = g_object_ref (host);
  self->strangers = g_hash_table_new (NULL, NULL);
  self->seen = g_hash_table_new (NULL, NULL);

  pids = jmc_process_tree_list_processes (self);
  for (guint i = 0; i < pids->len; i++)
    g_hash_table_add (self->strangers,
                      GINT_TO_POINTER (g_array_index (pids, pid_t, i)));

  return self;
}

void
jmc_process_tree_free (JmcProcessTree *self)
{
  g_object_unref (self->host);
  g_hash_table_unref (self->strangers);
  g_hash_table_unref (self->seen);
  g_free (self);
}

/* Makes us the parent of our descendants' orphans, so that none is lost from sight. */
void
jmc_process_tree_adopt_orphans (JmcProcessTree *self)
{
  prctl (PR_SET_CHILD_SUBREAPER, 1);
}

/* Counts a process as seen. Returns FALSE for one that is not of the command. */
gboolean
jmc_process_tree_add (JmcProcessTree *self, pid_t pid)
{
  if (g_hash_table_contains (self->strangers, GINT_TO_POINTER (pid)))
    return FALSE;

  g_hash_table_add (self->seen, GINT_TO_POINTER (pid));

  return TRUE;
}

guint
jmc_process_tree_get_n_seen (JmcProcessTree *self)
{
  return g_hash_table_size (self->seen);
}
