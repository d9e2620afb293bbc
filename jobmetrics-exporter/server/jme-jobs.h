/* jme-jobs.h: the runs of a site, for those who may see them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"

G_BEGIN_DECLS

/* Pages of runs, and one run with its parts; for a JmeArchive. */
extern const JmeRoute jme_jobs_routes[];

/* By any of its uuids; or the last of the job `ID`, or `CLUSTER/ID`. Errors: those of
 * the store. */
JmRun *jme_jobs_find_run (JmeAnswer *self, const char *name, GError **error);

/* `/api/v1/keep/UUID`, to which owners post for how many seconds they keep a run. */
#define JME_JOBS_KEEP "/api/v1/keep/"

/* Whether the client may keep @run: it runs, and the client is its owner or an
 * administrator. */
gboolean jme_jobs_may_keep (JmeAnswer *self, JmRun *run);

/* Reads all its parts into a run that was just found; without the records of one on
 * very many nodes.
 *
 * - Errors: those of the store. */
gboolean jme_jobs_read_parts (JmeAnswer *self, JmRun *run, GError **error);

/* The report of such a run, compared with the runs like it that the viewer may see.
 *
 * - Errors: those of the store. */
JmRunReport *jme_jobs_make_report (JmeAnswer *self, JmRun *run, GError **error);

G_END_DECLS
