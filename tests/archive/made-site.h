/* made-site.h: a site's archive in a file and on a server, for the same tests
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "archive/jm-archive-database-private.h"

G_BEGIN_DECLS

/* Database of one test. */
typedef struct
{
  char *directory; /* NULL on a server */
  char *uri;
  JmArchiveDatabase *store;
} MadeSite;

typedef struct
{
  const char *name;
  void (*func) (MadeSite *site, gconstpointer data);
} MadeSiteTest;

/* Runs @tests, up to one without a name, with SQLite and, where there is one, with
 * PostgreSQL. */
int made_site_run (const char *noun, const MadeSiteTest *tests);

/* Stores the batch, which is freed. */
void made_site_merge (MadeSite *site, JmRunBatch *batch);

G_END_DECLS
