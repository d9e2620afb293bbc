/* jm-process-rules.c: which processes are a scheduler's own helpers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-rules-private.h"

#include <errno.h>
#include <string.h>

#include "base/jm-parse-private.h"
#include "host/jm-file-private.h"

/* Its groups stand behind its ids, and this has room for hundreds of them. */
#define STATUS_SIZE 8192

struct _JmProcessRules
{
  char **helpers; /* a command name, or a whole command line; NULL is none */
};

JmProcessRules *
jm_process_rules_new (void)
{
  return g_new0 (JmProcessRules, 1);
}

void
jm_process_rules_free (JmProcessRules *self)
{
  g_strfreev (self->helpers);
  g_free (self);
}

/* @helpers are as jm_process_source_set_helpers() takes them. */
void
jm_process_rules_set (JmProcessRules *self, const char *const *helpers)
{
  g_strfreev (self->helpers);
  self->helpers = g_strdupv ((char **) helpers);
}

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
 * the real id of the user who started it. The owner of /proc/PID says nothing, since
 * any process can have it made root's by prctl (PR_SET_DUMPABLE). */
static int
are_root (const char *status, gsize length)
{
  JmSlice ids;
  const char *cursor;
  guint64 id;
  guint n_ids = 0;
  int result = 1;

  if (!jm_parse_find_line (status, length, "Uid:", &ids))
    return -EIO;

  for (cursor = ids.text; jm_parse_next_uint64 (&cursor, ids.text + ids.length, &id);)
    {
      if (id != 0)
        result = 0;
      n_ids++;
    }

  return n_ids == 4 ? result : -EIO;
}

/* 1, 0, or a negative `errno`. A longer command line is another one. */
static int
has_arguments (const JmDir *process, const char *arguments)
{
  char text[256];
  gssize n = read_file (process, "cmdline", text, sizeof text);

  if (n <= 0)
    return n == -EMSGSIZE ? 0 : (int) n;

  for (gssize i = 0; i < n - 1; i++)
    if (text[i] == '\0')
      text[i] = ' ';

  return g_str_equal (text, arguments);
}

/**
 * jm_process_ask_root: (skip)
 * @process: an open `/proc/PID`
 *
 * Returns: 1 where all user ids of a process are root's, else 0; or a negative `errno`
 *   where they cannot be read
 */
int
jm_process_ask_root (const JmDir *process)
{
  char status[STATUS_SIZE];
  gssize n = read_file (process, "status", status, sizeof status);

  return n < 0 ? (int) n : are_root (status, (gsize) n);
}

/* The first word of a command line is the command's name. */
static gboolean
is_named (const char *helper, const char *comm)
{
  gsize length = strcspn (helper, " ");

  return strncmp (helper, comm, length) == 0 && comm[length] == '\0';
}

static gboolean
is_any_named (const JmProcessRules *self, const char *comm)
{
  for (char **helper = self->helpers; helper != NULL && *helper != NULL; helper++)
    if (is_named (*helper, comm))
      return TRUE;

  return FALSE;
}

/**
 * jm_process_rules_match: (skip)
 * @self: what helpers look like
 * @process: an open `/proc/PID`
 * @comm: its command name
 * @is_root: whether all of its user ids are root's; -1 where that is not known yet
 *
 * Recognizes the helpers of a scheduler, which run in a job's cgroup and are not the
 * job's.
 *
 * Returns: 1 where the process is one, else 0; or a negative `errno` where that cannot
 *   be found out
 */
int
jm_process_rules_match (const JmProcessRules *self,
                        const JmDir *process,
                        const char *comm,
                        int is_root)
{
  int result = 0;

  if (is_any_named (self, comm))
    result = is_root >= 0 ? is_root : jm_process_ask_root (process);
  if (result <= 0)
    return result;

  result = 0;
  for (char **helper = self->helpers; *helper != NULL && result == 0; helper++)
    if (is_named (*helper, comm))
      result = strchr (*helper, ' ') == NULL ? 1 : has_arguments (process, *helper);

  return result;
}

/* Whether a command name is all that a rule asks of a process of root's. */
gboolean
jm_process_rules_name (const JmProcessRules *self, const char *comm)
{
  return self->helpers != NULL &&
         g_strv_contains ((const char *const *) self->helpers, comm);
}
