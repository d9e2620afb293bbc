/* jme-page.h: the pages of the server, for somebody who is known
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-answer.h"
#include "server/jme-archive-intake.h"
#include "server/jme-queue.h"
#include "server/pages/jme-targets.h"
#include "web/jme-html.h"

G_BEGIN_DECLS

/* Where pages are; of these with a slash behind them what follows is a name. */
#define JME_PAGE_OWN "/"
#define JME_PAGE_JOBS "/jobs"
#define JME_PAGE_JOB "/job/"
#define JME_PAGE_COMPARE "/compare"
#define JME_PAGE_ACCOUNTS "/account"
#define JME_PAGE_ACCOUNT "/account/"
#define JME_PAGE_CLUSTER "/cluster"
#define JME_PAGE_ENERGY "/energy"
#define JME_PAGE_GOODPUT "/goodput"
#define JME_PAGE_ADMIN "/admin"
#define JME_PAGE_SEARCH "/search"
#define JME_PAGE_API "/api"

/* JmePages:
 * @accounts: what is read
 * @intake: what is written
 * @queue: what schedulers report
 * @targets: what the site has agreed on
 *
 * What pages are made of. */
typedef struct
{
  JmeArchive *accounts;
  JmeArchiveIntake *intake;
  JmeQueue *queue;
  JmeTargets *targets;
} JmePages;

/* As jme_answer_begin(), but who is refused sees a page, too. */
gboolean jme_page_begin (JmeAnswer *answer, const JmePages *pages, JmeRequest *request);

/* Answers with what was said so far. @page needs no links and no user. */
void jme_page_reply (JmeAnswer *answer, const JmeHtmlPage *page);

/* Where each page is; for JmePages. */
extern const JmeRoute jme_pages_routes[];

/* In the navigation; NULL-terminated. */
extern const JmeHtmlLink jme_pages_links[];
extern const JmeHtmlLink jme_pages_links_of_administrators[];

/* All accounts by name, and what one of them had; for JmePages. */
void jme_archive_page_answer (JmeRequest *request, gpointer pages);
void jme_account_page_answer (JmeRequest *request, gpointer pages);

/* Answers with the productive and lost hours of runs; for JmePages. */
void jme_goodput_page_answer (JmeRequest *request, gpointer pages);

/* What was read when, and what is amiss; for JmePages. */
void jme_admin_page_answer (JmeRequest *request, gpointer pages);

/* The routes of the API, without anything of a run; for JmePages. */
void jme_api_page_answer (JmeRequest *request, gpointer pages);

/* All that is known of one run, by any of its uuids; for JmePages. */
void jme_job_page_answer (JmeRequest *request, gpointer pages);

/* Runs by id, uuid, user, account or name; for JmePages. */
void jme_search_page_answer (JmeRequest *request, gpointer pages);

/* Nodes by their own states, partitions and reservations; for JmePages. */
void jme_server_cluster_page_answer (JmeRequest *request, gpointer pages);

/* Joules and grams by day, account and user, and the sources of factors; for JmePages.
 */
void jme_server_energy_page_answer (JmeRequest *request, gpointer pages);

G_END_DECLS
