/* jm-ledger-totals.c: what all records had together, by user and account
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/ledger/jm-ledger-totals-private.h"

#define OTHER "other"

typedef struct
{
  JmLedgerTotal total;
  gboolean is_new; /* since it was stored */
} Entry;

struct _JmLedgerTotals
{
  GHashTable *entries; /* set of Entry, by user and account */
  guint64 n_dropped;
  gboolean has_dropped; /* since it was stored */
};

static guint
hash_entry (gconstpointer data)
{
  const Entry *entry = data;

  return g_str_hash (entry->total.user) * 31 + g_str_hash (entry->total.account);
}

static gboolean
equal_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a;
  const Entry *other = b;

  return g_str_equal (one->total.user, other->total.user) &&
         g_str_equal (one->total.account, other->total.account);
}

JmLedgerTotals *
jm_ledger_totals_new (void)
{
  JmLedgerTotals *self = g_new0 (JmLedgerTotals, 1);

  self->entries = g_hash_table_new_full (hash_entry, equal_entries, g_free, NULL);

  return self;
}

JmLedgerTotals *
jm_ledger_totals_copy (const JmLedgerTotals *self)
{
  JmLedgerTotals *copy = jm_ledger_totals_new ();
  GHashTableIter iter;
  gpointer entry;

  copy->n_dropped = self->n_dropped;
  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    g_hash_table_add (copy->entries, g_memdup2 (entry, sizeof (Entry)));

  return copy;
}

void
jm_ledger_totals_free (JmLedgerTotals *self)
{
  g_hash_table_unref (self->entries);
  g_free (self);
}

static Entry *
find (JmLedgerTotals *self, const char *user, const char *account)
{
  Entry key = { .total = { .user = user, .account = account } };

  return g_hash_table_lookup (self->entries, &key);
}

/* Names are interned: as many as there are totals, which never go. */
static Entry *
take (JmLedgerTotals *self, const char *user, const char *account)
{
  Entry *entry = find (self, user, account);

  if (entry != NULL)
    return entry;

  entry = g_new0 (Entry, 1);
  entry->total.user = g_intern_string (user);
  entry->total.account = g_intern_string (account);
  g_hash_table_add (self->entries, entry);

  return entry;
}

/* Where there is no room for one more, it goes with the others. */
static Entry *
take_bounded (JmLedgerTotals *self, const char *user, const char *account)
{
  if (g_hash_table_size (self->entries) < JM_LEDGER_MAX_TOTALS ||
      find (self, user, account) != NULL)
    return take (self, user, account);

  return take (self, OTHER, OTHER);
}

void
jm_ledger_totals_add (JmLedgerTotals *self, const JmLedgerTotal *total)
{
  Entry *entry = take_bounded (self, total->user, total->account);

  entry->is_new = TRUE;
  entry->total.n_jobs += total->n_jobs;
  entry->total.cpu_ns += total->cpu_ns;
  for (guint i = 0; i < G_N_ELEMENTS (total->energy_uj); i++)
    {
      entry->total.energy_uj[i] += total->energy_uj[i];
      entry->total.emissions_ug[i] += total->emissions_ug[i];
    }
}

static void
raise_total (JmLedgerTotals *self, const JmLedgerTotal *total)
{
  Entry *entry = take_bounded (self, total->user, total->account);
  JmLedgerTotal *own = &entry->total;

  entry->is_new = TRUE;
  own->n_jobs = MAX (own->n_jobs, total->n_jobs);
  own->cpu_ns = MAX (own->cpu_ns, total->cpu_ns);
  for (guint i = 0; i < G_N_ELEMENTS (own->energy_uj); i++)
    {
      own->energy_uj[i] = MAX (own->energy_uj[i], total->energy_uj[i]);
      own->emissions_ug[i] = MAX (own->emissions_ug[i], total->emissions_ug[i]);
    }
}

void
jm_ledger_totals_raise (JmLedgerTotals *self, const GArray *totals, guint64 n_dropped)
{
  for (guint i = 0; i < totals->len; i++)
    raise_total (self, &g_array_index (totals, JmLedgerTotal, i));
  if (n_dropped > self->n_dropped)
    jm_ledger_totals_add_dropped (self, n_dropped - self->n_dropped);
}

void
jm_ledger_totals_add_dropped (JmLedgerTotals *self, guint64 n_dropped)
{
  self->n_dropped += n_dropped;
  self->has_dropped = self->has_dropped || n_dropped > 0;
}

guint64
jm_ledger_totals_get_dropped (const JmLedgerTotals *self)
{
  return self->n_dropped;
}

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  const JmLedgerTotal *one = a;
  const JmLedgerTotal *other = b;
  int order = g_strcmp0 (one->user, other->user);

  return order != 0 ? order : g_strcmp0 (one->account, other->account);
}

GArray *
jm_ledger_totals_list (const JmLedgerTotals *self)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (JmLedgerTotal));
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    g_array_append_val (list, ((Entry *) entry)->total);
  g_array_sort (list, compare_totals);

  return list;
}

/* Beyond the range of SQLite's integers they go on as negative ones. */
static void
load_total (JmLedgerTotals *self, sqlite3_stmt *statement)
{
  JmLedgerTotal total = {
    .user = (const char *) sqlite3_column_text (statement, 0),
    .account = (const char *) sqlite3_column_text (statement, 1),
    .n_jobs = (guint64) sqlite3_column_int64 (statement, 2),
    .cpu_ns = (guint64) sqlite3_column_int64 (statement, 3),
    .energy_uj = { (guint64) sqlite3_column_int64 (statement, 4),
                   (guint64) sqlite3_column_int64 (statement, 5) },
    .emissions_ug = { sqlite3_column_double (statement, 6),
                      sqlite3_column_double (statement, 7) },
  };

  if (total.user != NULL && total.account != NULL)
    jm_ledger_totals_add (self, &total);
}

static gboolean
load_dropped (JmLedgerTotals *self, sqlite3 *db, GError **error)
{
  gint64 n_dropped;

  if (!jm_sqlite_get_number (db, "SELECT value FROM counter WHERE name = 'dropped'",
                             &n_dropped, error))
    return FALSE;
  self->n_dropped = (guint64) n_dropped;

  return TRUE;
}

static void
forget_what_is_new (JmLedgerTotals *self)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    ((Entry *) entry)->is_new = FALSE;
  self->has_dropped = FALSE;
}

JmLedgerTotals *
jm_ledger_totals_load (sqlite3 *db, GError **error)
{
  g_autoptr (JmLedgerTotals) self = jm_ledger_totals_new ();
  g_autoptr (sqlite3_stmt) statement =
    jm_sqlite_prepare (db,
                       "SELECT user, account, jobs, cpu_ns, measured_uj, estimated_uj, "
                       "measured_ug,"
                       " estimated_ug FROM total",
                       error);
  g_autoptr (GError) problem = NULL;

  if (statement == NULL || !load_dropped (self, db, error))
    return NULL;
  while (jm_sqlite_next (statement, &problem))
    load_total (self, statement);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  forget_what_is_new (self);

  return g_steal_pointer (&self);
}

static gboolean
store_total (const JmLedgerTotal *total, sqlite3_stmt *statement, GError **error)
{
  jm_sqlite_bind_text (statement, 1, total->user);
  jm_sqlite_bind_text (statement, 2, total->account);
  sqlite3_bind_int64 (statement, 3, (gint64) total->n_jobs);
  sqlite3_bind_int64 (statement, 4, (gint64) total->cpu_ns);
  sqlite3_bind_int64 (statement, 5, (gint64) total->energy_uj[0]);
  sqlite3_bind_int64 (statement, 6, (gint64) total->energy_uj[1]);
  sqlite3_bind_double (statement, 7, total->emissions_ug[0]);
  sqlite3_bind_double (statement, 8, total->emissions_ug[1]);

  return jm_sqlite_finish (statement, error);
}

static gboolean
store_dropped (JmLedgerTotals *self, sqlite3 *db, GError **error)
{
  g_autoptr (sqlite3_stmt) statement =
    jm_sqlite_prepare (db, "UPDATE counter SET value = ? WHERE name = 'dropped'",
                       error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) self->n_dropped);

  return jm_sqlite_finish (statement, error);
}

gboolean
jm_ledger_totals_store (JmLedgerTotals *self, sqlite3 *db, gboolean all, GError **error)
{
  g_autoptr (sqlite3_stmt) statement =
    jm_sqlite_prepare (db,
                       "INSERT OR REPLACE INTO total VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                       error);
  GHashTableIter iter;
  gpointer entry;

  if (statement == NULL ||
      ((all || self->has_dropped) && !store_dropped (self, db, error)))
    return FALSE;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    if ((all || ((Entry *) entry)->is_new) &&
        !store_total (&((Entry *) entry)->total, statement, error))
      return FALSE;
  forget_what_is_new (self);

  return TRUE;
}
