/* jme-search-page.c: what is found, on a page
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/pages/jme-page.h"

#include "archive/jm-run-filter.h"
#include "server/jme-archive-query.h"
#include "server/pages/jme-jobs-page.h"
#include "server/pages/jme-page-form.h"
#include "server/pages/jme-page-part.h"

#define MAX_FOUND 50
/* Names are looked for one by one, and so not for ever. */
#define NAME_DAYS 90
#define DAY_SECONDS 86400

typedef void (*ChooseFunc) (JmRunFilter *filter, const char *words);

static void
choose_job (JmRunFilter *filter, const char *words)
{
  jm_run_filter_set_job (filter, words);
}

static void
choose_uuid (JmRunFilter *filter, const char *words)
{
  g_autofree char *lower = g_ascii_strdown (words, -1);

  jm_run_filter_set_uuid (filter, lower);
}

static void
choose_user (JmRunFilter *filter, const char *words)
{
  const char *users[] = { words, NULL };

  jm_run_filter_set_users (filter, users);
}

static void
choose_account (JmRunFilter *filter, const char *words)
{
  const char *accounts[] = { words, NULL };

  jm_run_filter_set_accounts (filter, accounts);
}

static void
choose_name (JmRunFilter *filter, const char *words)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;

  jm_run_filter_set_name_pattern (filter, words);
  jm_run_filter_set_period (filter, now - NAME_DAYS * DAY_SECONDS, 0);
}

/* The first that finds something is what was meant. */
static const struct
{
  const char *what;
  const char *path; /* of another page about these, or NULL */
  const char *link; /* its text */
  ChooseFunc choose;
} ways[] = {
  { "Runs of the job", JME_PAGE_JOBS "?job=", "Sort and filter them", choose_job },
  { "The run with the UUID", NULL, NULL, choose_uuid },
  { "Runs of the user", JME_PAGE_JOBS "?user=", "Sort and filter them", choose_user },
  { "Runs of the account", JME_PAGE_ACCOUNT, "Sums of the account", choose_account },
  { "Runs of the last 90 days with the name",
    JME_PAGE_JOBS "?name=", "Together, and sorted and filtered", choose_name },
};

static void
append_found (GString *out,
              guint way,
              const char *words,
              GPtrArray *runs,
              gboolean has_more)
{
  g_autofree char *caption =
    has_more ? g_strdup_printf ("The last %u", runs->len) : g_strdup ("All of them");

  g_string_append_printf (out, "<h2>%s ", ways[way].what);
  jme_html_append_escaped (out, words);
  g_string_append (out, "</h2>\n");
  if (ways[way].path != NULL)
    {
      g_string_append (out, "<p>");
      jme_part_append_link (out, ways[way].path, words, ways[way].link);
      g_string_append (out, "</p>\n");
    }
  jme_jobs_page_append_runs (out, NULL, NULL, runs, caption, TRUE);
}

/* -1 for an error, else whether something was found. */
static int
search (JmeAnswer *answer, guint way, const char *words, GError **error)
{
  g_autoptr (JmRunFilter) filter = jm_run_filter_new ();
  g_autofree char *next = NULL;
  g_autoptr (GPtrArray) runs = NULL;

  jm_run_filter_set_limit (filter, MAX_FOUND);
  jm_run_filter_set_sort (filter, "-submit", NULL);
  ways[way].choose (filter, words);
  runs =
    jm_archive_database_list_runs (answer->store, filter, answer->viewer, &next, error);
  if (runs == NULL)
    return -1;
  if (runs->len == 0)
    return 0;
  append_found (answer->text, way, words, runs, next != NULL);

  return 1;
}

static gboolean
append_page (JmeAnswer *answer, const char *words, GError **error)
{
  int found = 0;

  g_string_append (answer->text, "<h1>Search</h1>\n");
  if (words == NULL)
    {
      g_string_append (answer->text,
                       "<p>Type a job's id, a UUID, a user, an account, or a "
                       "job's whole name into the box above.</p>\n");
      return TRUE;
    }

  for (guint way = 0; found == 0 && way < G_N_ELEMENTS (ways); way++)
    found = search (answer, way, words, error);
  if (found == 0)
    {
      g_string_append (answer->text, "<p>Nothing that you may see is called <strong>");
      jme_html_append_escaped (answer->text, words);
      g_string_append (answer->text,
                       "</strong>. A job's id, a UUID, a user, an account and a job's "
                       "name are looked for, each as a whole; <code>align-*</code> "
                       "finds names that begin so.</p>\n");
    }

  return found >= 0;
}

void
jme_search_page_answer (JmeRequest *request, gpointer pages)
{
  g_autofree char *typed = jme_form_get_value (request, "q");
  const char *words = typed != NULL ? g_strstrip (typed) : NULL;
  g_auto (JmeAnswer) answer = { 0 };
  g_auto (JmeArchiveQuery) query = { 0 };
  g_autoptr (GError) error = NULL;

  if (!jme_page_begin (&answer, pages, request))
    return;
  if (words != NULL && *words == '\0')
    words = NULL;
  if (!jme_archive_query_init (&query, request, JME_ARCHIVE_PAGE_OF_SEARCH, &error) ||
      !append_page (&answer, words, &error))
    jme_answer_fail (&answer, error);
  else
    jme_page_reply (&answer, &(JmeHtmlPage){ .title = "Search", .search = words });
}
