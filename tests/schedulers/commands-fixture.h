/* commands-fixture.h: scripts in place of a scheduler's commands
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "schedulers/jm-scheduler-commands-private.h"

typedef struct
{
  char *folder;
  JmHost *host;
  JmScheduler *scheduler;
} Fixture;

/* What sort of scheduler it is, and where answers of its commands are recorded; the
 * data of each test. */
typedef struct
{
  GType (*get_type) (void);
  const char *recorded;
} Kind;

static inline void
put_command (Fixture *f, const char *name, const char *script)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  g_autofree char *text = g_strconcat ("#!/bin/sh\n", script, "\n", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

/* A command that prints a file that was recorded, after @before; a table of Slurm's
 * with the separator that is asked for. */
static inline void
put_recorded_file (Fixture *f,
                   const Kind *kind,
                   const char *command,
                   const char *file,
                   const char *before)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", kind->recorded, file, NULL);
  g_autofree char *print =
    g_test_build_filename (G_TEST_DIST, "schedulers", "print-recorded", NULL);
  g_autofree char *script =
    g_strdup_printf ("%s\nsh '%s' '%s' \"$@\"", before, print, path);

  put_command (f, command, script);
}

static inline JmScheduler *
open_scheduler (Fixture *f, const Kind *kind, const char *cluster, GError **error)
{
  return g_initable_new (kind->get_type (), NULL, error, "host", f->host, "cluster",
                         cluster, "directory", f->folder, "timeout", 2, NULL);
}

static inline void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("jobmetrics-commands-XXXXXX", &error);
  g_assert_no_error (error);
  f->host = jm_host_new (NULL);
  f->scheduler = open_scheduler (f, data, "made", &error);
  g_assert_no_error (error);
}

static inline void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (f->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (f->folder);
  g_assert_finalize_object (f->scheduler);
  g_object_unref (f->host);
  g_free (f->folder);
}

static inline JmSchedulerReport *
read_topic (Fixture *f, JmSchedulerTopic topic)
{
  JmSchedulerReport *report = jm_scheduler_report_new (topic);
  g_autoptr (GError) error = NULL;

  jm_scheduler_read (f->scheduler, topic, report, NULL, &error);
  g_assert_no_error (error);

  return report;
}

static inline void
assert_fails (Fixture *f, JmSchedulerTopic topic, JmError code, const char *words)
{
  g_autoptr (JmSchedulerReport) report = jm_scheduler_report_new (topic);
  g_autoptr (GError) error = NULL;

  g_assert_false (jm_scheduler_read (f->scheduler, topic, report, NULL, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  if (strstr (error->message, words) == NULL)
    g_error ("no \"%s\" in: %s", words, error->message);
}

/* The one of this id. */
static inline const JmSchedulerJob *
find_job (JmSchedulerReport *report, const char *id)
{
  for (guint i = 0; i < jm_scheduler_report_get_n_jobs (report); i++)
    if (strcmp (jm_scheduler_report_get_job (report, i)->id, id) == 0)
      return jm_scheduler_report_get_job (report, i);

  g_error ("there is no job %s", id);
}

static inline gint64
utc (int year, int month, int day, int hour, int minute, int second)
{
  g_autoptr (GDateTime) time =
    g_date_time_new_utc (year, month, day, hour, minute, second);

  return g_date_time_to_unix (time);
}
