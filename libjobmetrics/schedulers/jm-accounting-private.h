/* jm-accounting-private.h: a scheduler's accounting, read a window at a time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-complaints-private.h"
#include "host/jm-source-private.h"
#include "schedulers/jm-history-private.h"

G_BEGIN_DECLS

#define JM_ACCOUNTING_SECONDS_OF_DAY 86400

/* Seconds since 1970. */
typedef struct
{
  gint64 begin;
  gint64 end;
} JmAccountingWindow;

#define JM_TYPE_ACCOUNTING (jm_accounting_get_type ())

GType jm_accounting_get_type (void);

typedef struct _JmAccounting JmAccounting;
typedef struct _JmAccountingClass JmAccountingClass;

/* The runs of one cluster in what a scheduler keeps of them: the abstract class of
 * those that can be asked for the runs of some time. It is read day by day; each
 * reading begins before the end of the one before, as accounting may learn late of what
 * has ended. */
struct _JmAccounting
{
  JmSource parent_instance;

  char *cluster;
  guint timeout; /* seconds that a command or an answer may take */
  guint begin; /* of a first reading: days back, or (beyond 36500) seconds since 1970 */
  guint overlap; /* seconds of each reading that the next reads again */
  char *position_name;
  JmComplaints *complaints; /* of jobs that are read again and again */
};

/* Jobs of a window. */
typedef struct
{
  const JmAccountingWindow *window;
  const char *numbers; /* with commas between them; NULL for all */
  gboolean without_steps;
} JmAccountingJobs;

struct _JmAccountingClass
{
  JmSourceClass parent_class;

  /* Hands on what comes before the runs, such as who may see what; may be left out. */
  gboolean (*begin) (JmAccounting *self,
                     JmHistoryTake take,
                     gpointer user_data,
                     GCancellable *cancellable,
                     GError **error);
  /* Their runs, as one batch at least, or NULL: no reading is half of one. */
  GPtrArray *(*read_jobs) (JmAccounting *self,
                           const JmAccountingJobs *jobs,
                           GCancellable *cancellable,
                           GError **error);

  /* Adds the numbers of a window's jobs, as text: a window that cannot be read as a
   * whole is read by them, @max_jobs at a time. NULL where read_jobs() knows no
   * numbers. */
  gboolean (*list_jobs) (JmAccounting *self,
                         const JmAccountingWindow *window,
                         GHashTable *numbers,
                         GCancellable *cancellable,
                         GError **error);
  guint max_jobs;
};

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmAccounting, g_object_unref)

static inline JmAccounting *
JM_ACCOUNTING (gpointer self)
{
  return G_TYPE_CHECK_INSTANCE_CAST (self, JM_TYPE_ACCOUNTING, JmAccounting);
}

static inline JmAccountingClass *
JM_ACCOUNTING_CLASS (gpointer klass)
{
  return G_TYPE_CHECK_CLASS_CAST (klass, JM_TYPE_ACCOUNTING, JmAccountingClass);
}

/* For open(): notes that positions are those of @name, such as `sacct`, of the cluster
 * and, unless it is NULL, of @part of it. */
void jm_accounting_set_name (JmAccounting *self, const char *name, const char *part);

/* Where a reading begins that goes on from @position, @overlap seconds before it.
 * `INVALID` for a position that is none. */
gboolean jm_accounting_find_begin (JmAccounting *self,
                                   const char *position,
                                   guint overlap,
                                   gint64 *begin,
                                   GError **error);

/* Counts rows and values of @batches, one at least, that are passed over, and logs the
 * @first of them once. */
void jm_accounting_pass_over (JmAccounting *self,
                              GPtrArray *batches,
                              guint n,
                              const char *first);

/* Hands on @batches, with @position in the last of them. */
gboolean jm_accounting_hand_on (JmAccounting *self,
                                GPtrArray *batches,
                                const char *position,
                                JmHistoryTake take,
                                gpointer user_data,
                                GError **error);

G_END_DECLS
