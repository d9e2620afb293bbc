/* jm-ledger-retention.c: what a ledger forgets
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-retention-private.h"

/* In one step: some milliseconds. */
#define STEP_RECORDS "64"
#define STEP_PAGES "64"

#define REMOVE(which) "DELETE FROM record WHERE position IN (" which ")"

/* Of the file's pages: those in use, and all. */
typedef struct
{
  guint64 used_bytes;
  guint64 all_bytes;
} Size;

static gboolean
get_size (sqlite3 *db, Size *size, GError **error)
{
  gint64 n_pages, n_free, page_bytes;

  if (!jm_sqlite_get_number (db, "PRAGMA page_count", &n_pages, error) ||
      !jm_sqlite_get_number (db, "PRAGMA freelist_count", &n_free, error) ||
      !jm_sqlite_get_number (db, "PRAGMA page_size", &page_bytes, error))
    return FALSE;

  size->all_bytes = (guint64) (n_pages * page_bytes);
  size->used_bytes = (guint64) ((n_pages - n_free) * page_bytes);

  return TRUE;
}

/* What is free within the bound is used again, so a ledger that is kept a little below
 * it grows no more. */
static guint64
get_target (const JmLedgerPlan *plan)
{
  return plan->max_bytes - plan->max_bytes / 16;
}

static gboolean
remove_records (sqlite3 *db,
                const char *sql,
                gint64 before_us,
                guint64 *n_removed,
                GError **error)
{
  g_autoptr (sqlite3_stmt) statement = jm_sqlite_prepare (db, sql, error);

  if (statement == NULL)
    return FALSE;
  if (sqlite3_bind_parameter_count (statement) > 0)
    sqlite3_bind_int64 (statement, 1, before_us);
  if (!jm_sqlite_finish (statement, error))
    return FALSE;

  *n_removed += (guint64) sqlite3_changes64 (db);

  return TRUE;
}

static gboolean
remove_old (sqlite3 *db, const JmLedgerPlan *plan, guint64 *n_removed, GError **error)
{
  return plan->max_age_us == 0 ||
         remove_records (db,
                         REMOVE ("SELECT position FROM record WHERE end_us < ?"
                                 " ORDER BY end_us LIMIT " STEP_RECORDS),
                         g_get_real_time () - plan->max_age_us, n_removed, error);
}

static gboolean
remove_first (sqlite3 *db, guint64 *n_removed, GError **error)
{
  return remove_records (db,
                         REMOVE ("SELECT position FROM record ORDER BY position "
                                 "LIMIT " STEP_RECORDS),
                         0, n_removed, error);
}

/* Moves the last pages into free ones, and gives their place back. */
static gboolean
shrink (sqlite3 *db, GError **error)
{
  return jm_sqlite_run (db, "PRAGMA incremental_vacuum (" STEP_PAGES ")", error);
}

static gboolean
keep_to_size (sqlite3 *db,
              const JmLedgerPlan *plan,
              guint64 *n_removed,
              gboolean *is_done,
              GError **error)
{
  guint64 n_before = *n_removed;
  Size size;

  if (!get_size (db, &size, error))
    return FALSE;

  if (size.used_bytes > get_target (plan) && !plan->keeps_oldest)
    {
      if (!remove_first (db, n_removed, error))
        return FALSE;
      if (*n_removed > n_before)
        *is_done = FALSE;
    }
  else if (size.all_bytes > plan->max_bytes && size.all_bytes > size.used_bytes)
    {
      *is_done = FALSE;
      return shrink (db, error);
    }

  return TRUE;
}

gboolean
jm_ledger_retention_step (sqlite3 *db,
                          const JmLedgerPlan *plan,
                          guint64 *n_removed,
                          gboolean *is_done,
                          GError **error)
{
  *n_removed = 0;
  *is_done = TRUE;
  if (!remove_old (db, plan, n_removed, error))
    return FALSE;
  if (*n_removed > 0)
    *is_done = FALSE;
  else if (plan->max_bytes > 0)
    return keep_to_size (db, plan, n_removed, is_done, error);

  return TRUE;
}

gboolean
jm_ledger_retention_is_full (sqlite3 *db,
                             const JmLedgerPlan *plan,
                             gboolean *is_full,
                             GError **error)
{
  Size size;

  *is_full = FALSE;
  if (plan->max_bytes == 0 || !plan->keeps_oldest)
    return TRUE;
  if (!get_size (db, &size, error))
    return FALSE;
  *is_full = size.used_bytes > get_target (plan);

  return TRUE;
}
