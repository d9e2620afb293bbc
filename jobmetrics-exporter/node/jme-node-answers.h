/* jme-node-answers.h: what the node role answers, but for metrics
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "base/jm-ledger-page-private.h"
#include "base/jm-settings-private.h"
#include "core/jm-snapshot.h"
#include "node/jm-sampler.h"
#include "node/jme-node-ledger.h"
#include "node/ledger/jm-ledger.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* The node's jobs as a table, and how its collectors fare, as HTML. @before is the
 * snapshot before, NULL where there is none: then no rates are shown. @metrics_path
 * leads to the metrics. */
GBytes *jme_node_page_render (JmSnapshot *before,
                              JmSnapshot *snapshot,
                              const char *metrics_path);

/* The setting that says whose are the records that a user of this machine may read. */
void jme_ledger_page_add_settings (JmSettings *settings);

/* JmeLedgerPage:
 * @path: (nullable): of the ledger
 * @readers: (nullable): who reads everybody's records: `USER,...,@GROUP`
 *
 * What is answered, and to whom. */
typedef struct
{
  const char *path;
  const char *readers;
} JmeLedgerPage;

/* @path outlives it. */
void jme_ledger_page_init (JmeLedgerPage *self,
                           const char *path,
                           const JmSettings *settings);

/* Answers with a page of the ledger, or says that there is none. Takes its time: it
 * reads a file, and may ask name services. May be called in any thread. */
void jme_ledger_page_answer (const JmeLedgerPage *self, JmeRequest *request);

/* JmeLedgerQuery:
 * @filter: which records
 * @after: the position behind which they are
 * @limit: how many at most
 * @newest: how many of those that were recorded last are wanted instead; 0 for none
 * @is_running: whether what runs is wanted, which has no position yet
 *
 * One page of a ledger. */
typedef struct
{
  JmLedgerFilter *filter;
  guint64 after;
  guint limit;
  guint newest;
  gint64 since_us;
  gint64 until_us;
  gboolean is_running;
} JmeLedgerQuery;

void jme_ledger_query_init (JmeLedgerQuery *self);

/* The keys that there are, up to NULL. */
const char *const *jme_ledger_query_list_names (void);

/* Takes the value of a key.
 *
 * - Errors: `INVALID`, with the key and the value. */
gboolean jme_ledger_query_take (JmeLedgerQuery *self,
                                const char *name,
                                const char *value,
                                GError **error);

void jme_ledger_query_clear (JmeLedgerQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeLedgerQuery, jme_ledger_query_clear)

/* Answers with what is known without a look at the disk, which may hang. */
void jme_ledger_status_answer (const JmeNodeLedger *ledger, JmeRequest *request);

/* Has the job that @request names read at once, and answers when that is done, or when
 * it takes longer than @patience_ms: it is read then all the same. */
void jme_hook_page_answer (JmSampler *sampler, JmeRequest *request, guint patience_ms);

/* No hook says more. */
#define JME_HOOK_CALL_MAX_BYTES 1024

/* JmeHookCall:
 * @job: what the job is called
 * @scheduler: (nullable): whose job it is, as the hook says
 *
 * One job that begins or ends. */
typedef struct
{
  char *job;
  char *scheduler;
} JmeHookCall;

/* Reads the body of a request, `job=JOB&scheduler=NAME` as a form has it.
 *
 * - Errors: `MALFORMED` with the name and the value that is wrong. */
JmeHookCall *jme_hook_call_parse (GBytes *body, GError **error);

void jme_hook_call_free (JmeHookCall *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeHookCall, jme_hook_call_free)

G_END_DECLS
