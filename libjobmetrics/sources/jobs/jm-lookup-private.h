/* jm-lookup-private.h: files of the scheduler's own that tell who a job is
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-draft-private.h"
#include "host/jm-host.h"
#include "sources/jobs/jm-job-process-private.h"
#include "sources/jobs/jm-path-pattern-private.h"
#include "sources/jobs/jm-user-names-private.h"

G_BEGIN_DECLS

/**
 * JmLookup:
 *
 * What a group `Lookup` of a definition says: where the file about a job is, how it
 * tells its facts, and whose it may be.
 */
typedef struct _JmLookup JmLookup;

/**
 * JmLookupQuestion:
 * @host: where files are
 * @users: what their owners are called
 * @match: what the job's path told
 * @process: (nullable): one of the job's
 * @folder: (nullable): the logical path of the job's own in its scheduler's spool
 * @folder_owner: whose word counts as root's in @folder
 * @claimed_id: (inout): the job id that a file of the job's user has told, owned
 *
 * Which job is asked about.
 */
typedef struct
{
  JmHost *host;
  JmUserNames *users;
  const JmPathMatch *match;
  const JmJobProcess *process;
  const char *folder;
  guint folder_owner;
  char *claimed_id;
} JmLookupQuestion;

JmLookup *jm_lookup_new (void);
void jm_lookup_free (JmLookup *self);

gboolean
jm_lookup_add (JmLookup *self, const char *key, const char *value, GError **error);
gboolean jm_lookup_check (const JmLookup *self, GError **error);

gboolean jm_lookup_ask (const JmLookup *self,
                        JmLookupQuestion *question,
                        JmJobDraft *draft,
                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmLookup, jm_lookup_free)

G_END_DECLS
