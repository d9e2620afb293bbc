/* jme-pages.c: the pages of the server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-pages.h"

#include <string.h>

#include "server/pages/jme-compare-page.h"
#include "server/pages/jme-jobs-page.h"

#define PAGE(where, answer) .path = where, JME_ANSWER_ROUTE, .handler = answer
#define PAGES_UNDER(where, answer) PAGE (where, answer), .is_prefix = TRUE

/* Programs have a line of text, as from the other roles. */
static void
answer_nothing (JmeRequest *request, gpointer pages)
{
  const char *accepted = jme_request_get_header (request, "Accept");

  if (accepted != NULL && strstr (accepted, "text/html") != NULL)
    jme_page_refuse (request, 404, "no such page");
  else
    jme_request_reply_text (request, 404, "404: no such page\n");
}

const JmeRoute jme_pages_routes[] = {
  { PAGE (JME_PAGE_OWN, jme_own_jobs_page_answer) },
  { PAGE (JME_PAGE_JOBS, jme_jobs_page_answer) },
  { PAGES_UNDER (JME_PAGE_JOB, jme_job_page_answer), .asks_others = TRUE },
  { PAGE (JME_PAGE_COMPARE, jme_compare_page_answer) },
  { PAGE (JME_PAGE_ACCOUNTS, jme_archive_page_answer) },
  { PAGES_UNDER (JME_PAGE_ACCOUNT, jme_account_page_answer) },
  { PAGE (JME_PAGE_CLUSTER, jme_server_cluster_page_answer) },
  { PAGE (JME_PAGE_ENERGY, jme_server_energy_page_answer) },
  { PAGE (JME_PAGE_ADMIN, jme_admin_page_answer) },
  { PAGE (JME_PAGE_SEARCH, jme_search_page_answer) },
  { PAGE (JME_PAGE_API, jme_api_page_answer) },
  { .path = "/", .is_prefix = TRUE, .handler = answer_nothing },
  { NULL },
};
