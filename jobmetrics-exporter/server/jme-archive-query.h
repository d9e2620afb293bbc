/* jme-archive-query.h: which runs or sums a client asks for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"
#include "archive/jm-run-filter.h"
#include "core/jm-usage.h"
#include "web/jme-request.h"

G_BEGIN_DECLS

/* What is asked for; one run by itself takes no keys. */
typedef enum
{
  JME_ARCHIVE_ONE = 0,
  JME_ARCHIVE_RUNS = 1 << 0,
  JME_ARCHIVE_SUMS = 1 << 1,
  JME_ARCHIVE_NAMES = 1 << 2,
  JME_ARCHIVE_STATISTICS = 1 << 3,
  JME_ARCHIVE_SERIES = 1 << 4,
  /* by people, who leave fields of a form empty */
  JME_ARCHIVE_PAGE_OF_RUNS = 1 << 5,
  JME_ARCHIVE_PAGE_OF_OWN_RUNS = 1 << 6,
  JME_ARCHIVE_PAGE_OF_SUMS = 1 << 7,
  JME_ARCHIVE_PAGE_OF_NAMES = 1 << 8,
  JME_ARCHIVE_PAGE_OF_NODES = 1 << 9,
  JME_ARCHIVE_PAGE_OF_SEARCH = 1 << 10,
  /* by people, who choose runs of a list */
  JME_ARCHIVE_PAGE_OF_COMPARISON = 1 << 11,
  JME_ARCHIVE_SUGGESTION = 1 << 12,
  JME_ARCHIVE_STEPS = 1 << 13,
  JME_ARCHIVE_PAGE_OF_RUN = 1 << 14,
  JME_ARCHIVE_GROUPS = 1 << 15,
  JME_ARCHIVE_PAGE_OF_HOURS = 1 << 16,
} JmeArchiveList;

/* What runs may be grouped by; its name is that of a key. */
typedef struct
{
  JmUsageGroups group;
  const char *name;
  const char *title;
} JmeRunGrouping;

extern const JmeRunGrouping jme_run_groupings[];
extern const guint jme_run_groupings_n;

/* JmeArchiveQuery:
 * @filter: which runs
 * @groups: what sums are kept apart by
 * @since: seconds since 1970; 0 for open. The filter of statistics does not have it
 * @until: seconds since 1970; 0 for open
 * @after: (nullable): the name behind which a page of names begins
 * @runs: (nullable): the runs that are compared
 * @confidence: the share of runs that a suggestion should suffice for
 * @by: (nullable): what runs are grouped by
 * @sort: (nullable): what groups are sorted by
 * @columns: (nullable) (element-type JmQuantity): more columns of a page of runs
 * @from: where the part of plots begins, seconds since the start of the run
 * @to: where it ends; 0 for the end of the run
 * @wants_all: whether a table is wanted whole, and not by pages
 * @n_passed: the steps before the page
 * @has_energy: whether runs have their energy in detail
 * @is_csv: whether a table is wanted instead of a document
 *
 * What the query of a request says. */
typedef struct
{
  JmRunFilter *filter;
  JmUsageGroups groups;
  gint64 since;
  gint64 until;
  char *after;
  GStrv runs;
  double confidence;
  const JmeRunGrouping *by;
  char *sort;
  GPtrArray *columns;
  double from;
  double to;
  guint64 n_passed;
  gboolean has_energy;
  gboolean is_csv;
  gboolean wants_all;
} JmeArchiveQuery;

/* - Errors: `INVALID`, with the key and the value: a key that @list does not have, that
 *   is there too often, or the value of which cannot be read. */
gboolean jme_archive_query_init (JmeArchiveQuery *self,
                                 JmeRequest *request,
                                 JmeArchiveList list,
                                 GError **error);

void jme_archive_query_clear (JmeArchiveQuery *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmeArchiveQuery, jme_archive_query_clear)

G_END_DECLS
