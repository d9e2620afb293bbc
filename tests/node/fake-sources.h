/* fake-sources.h: cgroups and jobs that a test makes up
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "sources/cgroup/jm-cgroup-reader.h"
#include "sources/jobs/jm-job-source.h"

G_BEGIN_DECLS

#define FAKE_TYPE_READER (fake_reader_get_type ())
G_DECLARE_FINAL_TYPE (FakeReader, fake_reader, FAKE, READER, JmSource)

FakeReader *fake_reader_new (JmHost *host);

/* Makes a cgroup, or changes its CPU time. */
void fake_reader_set_cpu (FakeReader *self, const char *path, guint64 seconds);
void fake_reader_set_peak (FakeReader *self, const char *path, guint64 bytes);

void fake_reader_set_start (FakeReader *self, const char *path, guint64 seconds);

/* Reports no CPU time of the cgroup but that of processes that were waited for. */
void fake_reader_set_waited (FakeReader *self, const char *path, guint64 seconds);

/* Calls back whenever the cgroup is read. */
void fake_reader_watch_reading (FakeReader *self,
                                const char *path,
                                void (*func) (FakeReader *self));

/* Readable when there are changes; it stays the caller's. */
void fake_reader_set_event_fd (FakeReader *self, int fd);

/* Removes a cgroup and all below it, and says so. */
void fake_reader_remove (FakeReader *self, const char *path);

/* Removes it, but notifies no one before the next listing: it vanishes under a reader.
 */
void fake_reader_remove_unseen (FakeReader *self, const char *path);

/* Removes it and makes another one of the same path, and notifies no one. */
void fake_reader_replace_unseen (FakeReader *self, const char *path, guint64 seconds);

/* Says that the last process of a cgroup went. */
void fake_reader_announce (FakeReader *self, const char *path);

/* A process of a cgroup, which may be in several at once. */
void fake_reader_add_process (FakeReader *self, const char *path, guint pid);

/* A cgroup whose processes cannot be listed. */
void fake_reader_refuse_processes (FakeReader *self, const char *path);

/* A reader that cannot watch. */
void fake_reader_stop_watching (FakeReader *self);

/* It can be listed, and is gone when it is opened. */
void fake_reader_lose_on_open (FakeReader *self, const char *path);

/* It can be opened, and is gone when its processes are listed. */
void fake_reader_lose_on_listing_processes (FakeReader *self, const char *path);

/* Whether a cgroup can be listed, and opened, from here on; be it there or not. */
void fake_reader_fail_listing (FakeReader *self, const char *path, gboolean is_failing);
void fake_reader_fail_opening (FakeReader *self, const char *path, gboolean is_failing);

/* It does not know one cgroup from another of the same path. */
void fake_reader_hide_inodes (FakeReader *self, gboolean hides);

/* Whether the number of one that is there can be read. */
void
fake_reader_fail_numbering (FakeReader *self, const char *path, gboolean is_failing);

guint fake_reader_count_open (FakeReader *self);

/* Jobs are /job_N, steps /job_N/step_S, tasks /job_N/step_S/task_T, helpers
 * /job_N/step_S/helper; a path may have anything before /job_N. */
#define FAKE_TYPE_JOBS (fake_jobs_get_type ())
G_DECLARE_FINAL_TYPE (FakeJobs, fake_jobs, FAKE, JOBS, JmSource)

FakeJobs *fake_jobs_new (JmHost *host);

/* What identify() answers from here on, and who reported it; NONE for not known. */
void fake_jobs_set_identity (FakeJobs *self, JmOrigin origin, const char *user);

/* What it answers of a field of every job besides; not a copy. */
void fake_jobs_tell (FakeJobs *self, JmJobField field, const char *value);

/* Whether somebody who may report more cannot be asked from here on. */
void fake_jobs_set_partial (FakeJobs *self, gboolean is_partial);

/* Only cgroups whose path ends so know the user; the others know the path alone. */
void fake_jobs_know_only_in (FakeJobs *self, const char *path_end);

G_END_DECLS
