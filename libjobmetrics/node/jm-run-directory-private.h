/* jm-run-directory-private.h: what the programs of a machine agree on of its jobs
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job.h"
#include "host/jm-host.h"
#include "node/jm-ended-run-private.h"

G_BEGIN_DECLS

/* A directory with a file for each run of a job, in which the exporter writes who it
 * is, so that whoever looks at the job later calls it the same, whatever they would
 * have read first. */
typedef struct _JmRunDirectory JmRunDirectory;

#define JM_RUN_DIRECTORY "/run/jobmetrics-exporter/runs"

JmRunDirectory *jm_run_directory_new (JmHost *host, const char *path);
void jm_run_directory_free (JmRunDirectory *self);

/* From here on jm_run_directory_write() and _remove() do their work; before they do
 * nothing. Files that an earlier program left stay until jm_run_directory_prune(). */
void jm_run_directory_begin_writing (JmRunDirectory *self);
gboolean jm_run_directory_is_writing (JmRunDirectory *self);

/* The key of the run whose cgroup has that number; NULL where the machine does not have
 * its boot id, or @inode is 0. */
char *jm_run_directory_make_key (JmRunDirectory *self, guint64 inode);

/* Who the exporter says the job of a run is. A file counts only if it is an ordinary
 * one of root's, of the user that this program runs as, or of the user to whom root
 * gave the directory above, and if nobody else may write it or its directories. NULL
 * for all others, and where there is none. */
JmJob *jm_run_directory_read (JmRunDirectory *self, const char *run_key);

/* A run of this boot that went on when an earlier program of this one's kind kept it:
 * it counts where no file does. Whether one of that id is remembered. */
void jm_run_directory_remember (JmRunDirectory *self, JmJob *job);
gboolean jm_run_directory_remembers (JmRunDirectory *self, const char *id);

/* Replaces the file of @job as a whole, unless nothing changed. */
void jm_run_directory_write (JmRunDirectory *self, JmJob *job);
void jm_run_directory_remove (JmRunDirectory *self, const char *run_key);

/* Writes down what a job had used when it ended, beside who it is, and up to when that
 * is displayed. */
void jm_run_directory_write_end (JmRunDirectory *self,
                                 JmJob *job,
                                 gint64 end_us,
                                 gint64 until_us,
                                 const JmReading *readings,
                                 guint n_readings);

/* The keys of the runs that have ended and that the exporter still shows, in no order.
 * Files count as in jm_run_directory_read(), and are not looked into yet. */
GStrv jm_run_directory_list_ended (JmRunDirectory *self);

/* FALSE where the file does not count, or has nothing of the run. */
gboolean jm_run_directory_read_end (JmRunDirectory *self,
                                    const char *run_key,
                                    JmEndedRun *run,
                                    JmReadings *readings);

/* Removes the files of all runs but those that this program wrote. */
void jm_run_directory_prune (JmRunDirectory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunDirectory, jm_run_directory_free)

/* What a record of the job would have of its identity, as JSON. The job must have a run
 * key. */
char *jm_run_record_format (JmJob *job);

/* The job of such a text; NULL where it breaks the format in any place, or is about
 * another run than @run_key. Fields of other names are passed over. */
JmJob *jm_run_record_parse (const char *text, gsize length, const char *run_key);

G_END_DECLS
