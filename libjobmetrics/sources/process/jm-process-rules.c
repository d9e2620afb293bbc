/* jm-process-rules.c: which processes are a scheduler's own helpers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-rules-private.h"

#include "host/jm-file-private.h"
#include "host/jm-parse-private.h"

/* Its groups stand behind its ids, and this has room for hundreds of them. */
#define STATUS_SIZE 8192

static const JmProcessRule rules[] = {
  { "slurmstepd", NULL },
  /* holds the extern step open, so that logins by ssh have a cgroup to be put in */
  { "sleep", "sleep 100000000" },
};

static gssize
read_file (const JmDir *dir, const char *name, char *buffer, gsize size)
{
  JmFile file;
  gssize n = jm_file_open_at (&file, dir, name, JM_FILE_REOPEN);

  if (n < 0)
    return n;

  n = jm_file_read (&file, buffer, size);
  jm_file_close (&file);

  return n;
}

/* Real, effective, saved and of the file system: a program that is setuid root keeps
 * the real id of the user who started it. The owner of /proc/PID tells nothing, since
 * any process can have it made root's by prctl (PR_SET_DUMPABLE). */
static gboolean
is_root (const char *status, gssize length)
{
  JmSlice ids;
  const char *cursor;
  guint64 id;
  guint n_ids = 0;

  if (!jm_parse_find_line (status, (gsize) MAX (length, 0), "Uid:", &ids))
    return FALSE;

  for (cursor = ids.text; jm_parse_next_uint64 (&cursor, ids.text + ids.length, &id);)
    {
      if (id != 0)
        return FALSE;
      n_ids++;
    }

  return n_ids == 4;
}

static gboolean
has_arguments (const JmDir *process, const char *arguments)
{
  char text[256];
  gssize n = read_file (process, "cmdline", text, sizeof text);

  if (n <= 0)
    return FALSE;

  for (gssize i = 0; i < n - 1; i++)
    if (text[i] == '\0')
      text[i] = ' ';

  return g_str_equal (text, arguments);
}

/**
 * jm_process_is_root: (skip)
 * @process: an open `/proc/PID`
 *
 * Returns: whether all user ids of a process are root's
 */
gboolean
jm_process_is_root (const JmDir *process)
{
  char status[STATUS_SIZE];

  return is_root (status, read_file (process, "status", status, sizeof status));
}

static gboolean
is_named (const char *comm)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (rules[i].comm, comm))
      return TRUE;

  return FALSE;
}

/**
 * jm_process_rules_match: (skip)
 * @process: an open `/proc/PID`
 * @comm: its command name
 *
 * Tells the helpers of a scheduler, which run in a job's cgroup and are not the job's.
 *
 * Returns: whether the process is one
 */
gboolean
jm_process_rules_match (const JmDir *process, const char *comm)
{
  if (!is_named (comm) || !jm_process_is_root (process))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (rules[i].comm, comm) &&
        (rules[i].arguments == NULL || has_arguments (process, rules[i].arguments)))
      return TRUE;

  return FALSE;
}
