/* jm-process-report.c: what could not be read, said once a round
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/process/jm-process-report-private.h"

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "host/jm-host-private.h"

#define N_CODES (JM_ERROR_INVALID + 1)

G_STATIC_ASSERT (JM_N_PROCESS_PARTS *N_CODES <= 32);

static gboolean
is_news (JmProcessReport *self, JmProcessPart part, JmError code)
{
  guint32 bit = 1u << (part * N_CODES + code);

  /* it ended, or this kernel has no such file: normal */
  if (self->readings == NULL || code == JM_ERROR_ABSENT || (self->reported & bit) != 0)
    return FALSE;

  self->reported |= bit;
  return TRUE;
}

/* Begins a round in which errors go to @readings, which live as long. */
void
jm_process_report_begin (JmProcessReport *self, JmReadings *readings)
{
  *self = (JmProcessReport){ readings, 0 };
}

void
jm_process_report_file (JmProcessReport *self,
                        JmProcessPart part,
                        const JmFile *file,
                        gssize result)
{
  g_autoptr (GError) error = NULL;

  if (!is_news (self, part, jm_error_from_errno ((int) -result)))
    return;

  jm_file_set_error (file, result, &error);
  jm_readings_add_error (self->readings, error);
}

void
jm_process_report_path (JmProcessReport *self,
                        JmProcessPart part,
                        const JmDir *dir,
                        const char *name,
                        gssize result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  if (!is_news (self, part, jm_error_from_errno ((int) -result)))
    return;

  path = jm_dir_get_child_path (dir, name);
  jm_path_error_set_errno (&error, path, (int) -result);
  jm_readings_add_error (self->readings, error);
}

/* Says that a process could not even be opened. */
void
jm_process_report_pid (JmProcessReport *self, JmHost *host, guint pid, gssize result)
{
  const JmDir proc = { host, (char *) jm_host_get_procfs (host), -1 };
  char name[32];

  g_snprintf (name, sizeof name, "%u/stat", pid);
  jm_process_report_path (self, JM_PROCESS_PART_STAT, &proc, name, result);
}

void
jm_process_report_text (JmProcessReport *self,
                        JmProcessPart part,
                        const JmFile *file,
                        const char *text,
                        gsize length)
{
  g_autoptr (GError) error = NULL;

  if (!is_news (self, part, JM_ERROR_MALFORMED))
    return;

  jm_file_set_malformed (file, "not in its format", text, length, &error);
  jm_readings_add_error (self->readings, error);
}
