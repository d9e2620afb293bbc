/* jm-run-batch-private.h: what a batch holds
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-job-record.h"
#include "core/jm-run-field-private.h"

G_BEGIN_DECLS

/* What is to be merged into a site's runs at once, with how far its source has been
 * read: all of it is stored, or nothing. It belongs to one thread at a time. */
typedef struct _JmRunBatch JmRunBatch;

#define JM_TYPE_RUN_BATCH (jm_run_batch_get_type ())

GType jm_run_batch_get_type (void);

JmRunBatch *jm_run_batch_new (void);

JmRunBatch *jm_run_batch_ref (JmRunBatch *self);

void jm_run_batch_unref (JmRunBatch *self);

void jm_run_batch_add_run (JmRunBatch *self, JmRun *run, JmRunSource source);

void jm_run_batch_add_part (JmRunBatch *self, JmRunPart *part);

void
jm_run_batch_add_record (JmRunBatch *self, JmJobRecord *record, const char *cluster);

void jm_run_batch_add_state (JmRunBatch *self,
                             const char *cluster,
                             const char *raw_id,
                             gint64 time_us,
                             const char *document);

void
jm_run_batch_set_position (JmRunBatch *self, const char *source, const char *position);

void jm_run_batch_set_person (JmRunBatch *self,
                              const char *cluster,
                              const char *user,
                              guint uid);

void jm_run_batch_set_project (JmRunBatch *self,
                               const char *cluster,
                               const char *account,
                               const char *description);

void jm_run_batch_set_coordinators (JmRunBatch *self,
                                    const char *cluster,
                                    const char *account,
                                    const char *const *users);

void jm_run_batch_set_members (JmRunBatch *self,
                               const char *cluster,
                               const char *account,
                               const char *const *users);

void jm_run_batch_set_administrators (JmRunBatch *self,
                                      const char *cluster,
                                      const char *const *users);

char **jm_run_batch_list_refused (JmRunBatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmRunBatch, jm_run_batch_unref)

/* What one source says of one run. */
typedef struct
{
  JmRun *run;
  JmRunSource source;
  GPtrArray *parts; /* NULL for none */
  /* of a node's record: which parts its parts replace; else NULL */
  char *node;
  char *run_key;
  char *target; /* of a node's record: its name in the list of targets; NULL for none */
  gint64 begin; /* of a record, seconds since 1970 */
} JmRunItem;

/* Who is what: all of one role replace those of before. */
typedef struct
{
  char *cluster;
  const char *role;
  char *account; /* empty for those of a cluster */
  char **users;
} JmRunRoles;

typedef struct
{
  char *cluster;
  char *name; /* of a user, or an account */
  char *description;
  gint64 uid; /* -1 of an account */
} JmRunName;

typedef struct
{
  char *cluster;
  char *raw_id;
  gint64 time_us;
  char *document;
} JmRunDocument;

struct _JmRunBatch
{
  GArray *items;  /* of JmRunItem */
  GArray *states; /* of JmRunDocument */
  GArray *roles;  /* of JmRunRoles */
  GArray *names;  /* of JmRunName */
  GHashTable *positions;
  GPtrArray *refused; /* of text */
  guint64 n_unread;   /* rows and values of its source that are passed over */
};

#define JM_ROLE_ADMINISTRATOR "administrator"
#define JM_ROLE_COORDINATOR "coordinator"
#define JM_ROLE_MEMBER "member"

/* Forgets what was refused before, and says what is now. */
void jm_run_batch_begin (JmRunBatch *self);
void jm_run_batch_refuse (JmRunBatch *self, const JmRunItem *item, const char *reason);

/* Says under which name the site knows the node whose record was added last. */
void jm_run_batch_set_target (JmRunBatch *self, const char *name);

/* Why an item is refused: what else is said of that run may make the first two welcome.
 */
#define JM_RUN_UNKNOWN_YET                                                             \
 "neither its begin nor its submission is known, and no run of that id went on at the" \
 " time"
#define JM_RUN_DISPUTED                                                                \
 "of another user than a node said before, and no accounting knows that run yet"
#define JM_RUN_OF_ANOTHER_USER "of another user than the run of that id"
#define JM_RUN_OF_OTHER_NODES "the accounting does not have the node among the run's"

G_END_DECLS
