/* jme-pages.c: the pages of the server
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "base/jm-error.h"
#include "server/pages/jme-compare-page.h"
#include "server/pages/jme-jobs-page.h"

#define NOT_THERE "no such page"

#define PAGE(where, answer) .path = where, JME_ANSWER_ROUTE, .handler = answer
#define PAGES_UNDER(where, answer) PAGE (where, answer), .is_prefix = TRUE

/* Programs have a line of text, as from the other roles. */
static void
answer_nothing (JmeRequest *request, gpointer pages)
{
  g_autoptr (GError) error = NULL;
  g_auto (JmeAnswer) answer = { 0 };

  if (!jme_html_is_wanted (request))
    {
      jme_answer_refuse (request, 404, NOT_THERE);
      return;
    }
  if (!jme_page_begin (&answer, pages, request))
    return;
  g_set_error_literal (&error, JM_ERROR, JM_ERROR_ABSENT, NOT_THERE);
  jme_answer_fail (&answer, error);
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
  { PAGE (JME_PAGE_GOODPUT, jme_goodput_page_answer) },
  { PAGE (JME_PAGE_ADMIN, jme_admin_page_answer) },
  { PAGE (JME_PAGE_SEARCH, jme_search_page_answer) },
  { PAGE (JME_PAGE_API, jme_api_page_answer) },
  { PAGES_UNDER ("/", answer_nothing) },
  { NULL },
};

const JmeHtmlLink jme_pages_links[] = {
  { JME_PAGE_OWN, "My jobs" },
  { JME_PAGE_JOBS, "Jobs" },
  { JME_PAGE_ACCOUNTS, "Accounts" },
  { JME_PAGE_CLUSTER, "Cluster" },
  { JME_PAGE_ENERGY, "Energy" },
  { JME_PAGE_API, "API" },
  { NULL },
};

const JmeHtmlLink jme_pages_links_of_administrators[] = {
  { JME_PAGE_OWN, "My jobs" },       { JME_PAGE_JOBS, "Jobs" },
  { JME_PAGE_ACCOUNTS, "Accounts" }, { JME_PAGE_CLUSTER, "Cluster" },
  { JME_PAGE_ENERGY, "Energy" },     { JME_PAGE_ADMIN, "Administration" },
  { JME_PAGE_API, "API" },           { NULL },
};
