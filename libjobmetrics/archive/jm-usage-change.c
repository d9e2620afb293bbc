/* jm-usage-change.c: what a transaction changes of the sums of days
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "archive/jm-usage-change-private.h"

#include <string.h>

#include "core/jm-run-field-private.h"
#include "core/jm-usage-private.h"
#include "sql/jm-sql-upsert-private.h"

#define DAY_SECONDS 86400
#define KEYS "day, cluster_id, user_name, uid, account, partition"
#define N_KEYS 6

typedef struct
{
  gint64 day;
  gint64 cluster_id;
  gint64 uid; /* -1 where it is not known */
  const char *user;
  const char *account;
  const char *partition;
} Key;

typedef struct
{
  Key key;
  gint64 amounts[JM_N_USAGE_COLUMNS];
  char texts[]; /* those of the key */
} Entry;

struct _JmUsageChange
{
  GHashTable *entries; /* set of Entry */
};

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint hash = (guint) key->day * 31 + (guint) key->cluster_id;

  hash = hash * 31 + g_str_hash (key->user);
  hash = hash * 31 + g_str_hash (key->account);

  return hash * 31 + g_str_hash (key->partition);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Key *one = a;
  const Key *other = b;

  return one->day == other->day && one->cluster_id == other->cluster_id &&
         one->uid == other->uid && g_str_equal (one->user, other->user) &&
         g_str_equal (one->account, other->account) &&
         g_str_equal (one->partition, other->partition);
}

JmUsageChange *
jm_usage_change_new (void)
{
  JmUsageChange *self = g_new0 (JmUsageChange, 1);

  self->entries = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);

  return self;
}

void
jm_usage_change_free (JmUsageChange *self)
{
  g_hash_table_unref (self->entries);
  g_free (self);
}

static const char *
keep_text (char **place, const char *text)
{
  const char *kept = *place;

  *place = g_stpcpy (*place, text) + 1;

  return kept;
}

static Entry *
take (JmUsageChange *self, const Key *key)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);
  char *place;

  if (entry != NULL)
    return entry;

  entry = g_malloc0 (sizeof *entry + strlen (key->user) + strlen (key->account) +
                     strlen (key->partition) + 3);
  entry->key = *key;
  place = entry->texts;
  entry->key.user = keep_text (&place, key->user);
  entry->key.account = keep_text (&place, key->account);
  entry->key.partition = keep_text (&place, key->partition);
  g_hash_table_add (self->entries, entry);

  return entry;
}

static const char *
get_text (const JmRun *run, JmRunField field)
{
  return run->texts[field] != NULL ? run->texts[field] : "";
}

/* What is not known adds nothing. */
static gint64
get_number (const JmRun *run, JmRunField field)
{
  return MAX (jm_run_peek (run, field), 0);
}

/* Which of them somebody knew. */
static void
note_known (const JmRun *run, gboolean *known)
{
  static const JmRunField fields[JM_N_USAGE_MEASURED] = { JM_RUN_FIELD_CPU_TOTAL,
                                                          JM_RUN_FIELD_ENERGY,
                                                          JM_RUN_FIELD_EMISSIONS };

  for (guint i = 0; i < JM_N_USAGE_MEASURED; i++)
    known[i] = jm_run_has (run, fields[i]);
}

void
jm_usage_change_total_up (const JmRun *run,
                          gint64 length,
                          gint64 *totals,
                          gboolean *known)
{
  gint64 wall = jm_run_has (run, JM_RUN_FIELD_ELAPSED)
                  ? get_number (run, JM_RUN_FIELD_ELAPSED)
                  : length;
  gint64 memory = get_number (run, JM_RUN_FIELD_MEMORY_ALLOCATED) >> 20;

  totals[JM_USAGE_QUANTITY_RUNS] = 0;
  totals[JM_USAGE_QUANTITY_WALL] = wall;
  totals[JM_USAGE_QUANTITY_CPUS] = wall * get_number (run, JM_RUN_FIELD_CPUS);
  totals[JM_USAGE_QUANTITY_GPUS] = wall * get_number (run, JM_RUN_FIELD_GPUS_ALLOCATED);
  totals[JM_USAGE_QUANTITY_MEMORY] = wall * memory;
  totals[JM_USAGE_QUANTITY_CPU_TIME] = get_number (run, JM_RUN_FIELD_CPU_TOTAL);
  totals[JM_USAGE_QUANTITY_ENERGY] = get_number (run, JM_RUN_FIELD_ENERGY);
  totals[JM_USAGE_QUANTITY_EMISSIONS] = get_number (run, JM_RUN_FIELD_EMISSIONS);
  note_known (run, known);
}

/* What of it was there by that time. */
static gint64
get_part (gint64 total, gint64 time, gint64 length)
{
  return time >= length ? total : (gint64) ((__int128) total * time / length);
}

static void
split (JmUsageChange *self,
       Key *key,
       gint64 start,
       gint64 length,
       const gint64 *totals,
       const gboolean *known,
       gint64 sign)
{
  gint64 n_days = (start % DAY_SECONDS + MAX (length, 1) - 1) / DAY_SECONDS + 1;
  gint64 before = 0;

  key->day = start / DAY_SECONDS;
  take (self, key)->amounts[JM_USAGE_QUANTITY_RUNS] += sign;
  for (gint64 i = 0; i < n_days; i++, key->day++)
    {
      Entry *entry = take (self, key);
      gint64 until = MIN ((key->day + 1) * DAY_SECONDS - start, length);

      for (guint q = JM_USAGE_QUANTITY_WALL; q < JM_N_USAGE_QUANTITIES; q++)
        entry->amounts[q] +=
          sign * (get_part (totals[q], until, length) -
                  (i > 0 ? get_part (totals[q], before, length) : 0));
      for (guint k = 0; k < JM_N_USAGE_MEASURED; k++)
        entry->amounts[JM_N_USAGE_QUANTITIES + k] += known[k] ? sign : 0;
      before = until;
    }
}

static void
change (JmUsageChange *self, gint64 cluster_id, const JmRun *run, gint64 sign)
{
  gint64 totals[JM_N_USAGE_QUANTITIES];
  gboolean known[JM_N_USAGE_MEASURED];
  gint64 start = jm_run_peek (run, JM_RUN_FIELD_START_TIME);
  /* two sources may disagree so that it ends before it begins */
  gint64 length = CLAMP (jm_run_get_until (run) - start, 0, JM_RUN_LENGTH_MAX);
  Key key = { .cluster_id = cluster_id,
              .uid = jm_run_has (run, JM_RUN_FIELD_UID)
                       ? jm_run_peek (run, JM_RUN_FIELD_UID)
                       : -1,
              .user = get_text (run, JM_RUN_FIELD_USER),
              .account = get_text (run, JM_RUN_FIELD_ACCOUNT),
              .partition = get_text (run, JM_RUN_FIELD_PARTITION) };

  if (start == 0)
    return;

  jm_usage_change_total_up (run, length, totals, known);
  split (self, &key, start, length, totals, known, sign);
}

void
jm_usage_change_add (JmUsageChange *self, gint64 cluster_id, const JmRun *run)
{
  change (self, cluster_id, run, 1);
}

void
jm_usage_change_subtract (JmUsageChange *self, gint64 cluster_id, const JmRun *run)
{
  change (self, cluster_id, run, -1);
}

/* --- the table --- */

static gboolean
is_nothing (const Entry *entry)
{
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    if (entry->amounts[q] != 0)
      return FALSE;

  return TRUE;
}

static gboolean
takes_away (const Entry *entry)
{
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    if (entry->amounts[q] < 0)
      return TRUE;

  return FALSE;
}

void
jm_usage_change_forget (JmUsageChange *self, gint64 first_day)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    if (((Entry *) entry)->key.day < first_day)
      g_hash_table_iter_remove (&iter);
}

guint
jm_usage_change_count (JmUsageChange *self)
{
  GHashTableIter iter;
  gpointer entry;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    n += !is_nothing (entry);

  return n;
}

static void
append_amounts (GString *sql, const char *format)
{
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    {
      const char *column = jm_usage_get_column (q);
      g_auto (GStrv) parts = g_strsplit (format, "@", -1);
      g_autofree char *text = g_strjoinv (column, parts);

      g_string_append (sql, text);
    }
}

static JmSqlStatement *
get_upsert (JmSql *sql, GError **error)
{
  g_autoptr (JmSqlUpsert) upsert =
    jm_sql_upsert_new ("usage_daily", N_KEYS, JM_SQL_CONFLICT_ADD);

  jm_sql_upsert_add_number (upsert, "day");
  jm_sql_upsert_add_number (upsert, "cluster_id");
  jm_sql_upsert_add_text (upsert, "user_name");
  jm_sql_upsert_add_number (upsert, "uid");
  jm_sql_upsert_add_text (upsert, "account");
  jm_sql_upsert_add_text (upsert, "partition");
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    jm_sql_upsert_add_number (upsert, jm_usage_get_column (q));

  return jm_sql_get_upsert (sql, upsert, error);
}

static char *
make_delete (void)
{
  GString *sql = g_string_new ("DELETE FROM usage_daily WHERE day = ?1 AND"
                               " cluster_id = ?2 AND user_name = ?3 AND uid = ?4 AND"
                               " account = ?5 AND partition = ?6");

  append_amounts (sql, " AND @ = 0");

  return g_string_free (sql, FALSE);
}

static void
bind_key (JmSqlStatement *statement, const Key *key)
{
  jm_sql_bind_number (statement, 1, key->day);
  jm_sql_bind_number (statement, 2, key->cluster_id);
  jm_sql_bind_text (statement, 3, key->user);
  jm_sql_bind_number (statement, 4, key->uid);
  jm_sql_bind_text (statement, 5, key->account);
  jm_sql_bind_text (statement, 6, key->partition);
}

static gboolean
store_entry (const Entry *entry, JmSqlStatement *upsert, GError **error)
{
  bind_key (upsert, &entry->key);
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    jm_sql_bind_number (upsert, (int) (N_KEYS + 1 + q), entry->amounts[q]);

  return jm_sql_do (upsert, error);
}

static gboolean
delete_entry (const Entry *entry, JmSqlStatement *delete_nothing, GError **error)
{
  bind_key (delete_nothing, &entry->key);

  return jm_sql_do (delete_nothing, error);
}

gboolean
jm_usage_change_store (JmUsageChange *self, JmSql *sql, GError **error)
{
  g_autofree char *delete_text = make_delete ();
  JmSqlStatement *upsert = get_upsert (sql, error);
  JmSqlStatement *delete_nothing =
    upsert != NULL ? jm_sql_get (sql, delete_text, error) : NULL;
  GHashTableIter iter;
  gpointer entry;

  if (delete_nothing == NULL)
    return FALSE;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    if (!is_nothing (entry) && !store_entry (entry, upsert, error))
      return FALSE;
  /* behind all of them, which then go at once */
  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    if (takes_away (entry) && !delete_entry (entry, delete_nothing, error))
      return FALSE;

  return TRUE;
}

static void
subtract_row (JmUsageChange *self, JmSqlStatement *row)
{
  Key key = { .user = jm_sql_get_text (row, 2),
              .account = jm_sql_get_text (row, 4),
              .partition = jm_sql_get_text (row, 5) };
  Entry *entry;

  jm_sql_get_number (row, 0, &key.day);
  jm_sql_get_number (row, 1, &key.cluster_id);
  jm_sql_get_number (row, 3, &key.uid);
  if (key.user == NULL || key.account == NULL || key.partition == NULL)
    return;
  entry = take (self, &key);
  for (guint q = 0; q < JM_N_USAGE_COLUMNS; q++)
    {
      gint64 amount = 0;

      jm_sql_get_number (row, (int) (N_KEYS + q), &amount);
      entry->amounts[q] -= amount;
    }
}

gboolean
jm_usage_change_subtract_stored (JmUsageChange *self,
                                 JmSql *sql,
                                 gint64 first_day,
                                 GError **error)
{
  g_autoptr (GString) text = g_string_new ("SELECT " KEYS);
  g_autoptr (JmSqlStatement) statement = NULL;
  g_autoptr (GError) problem = NULL;

  append_amounts (text, ", @");
  g_string_append (text, " FROM usage_daily WHERE day >= ?1");
  statement = jm_sql_prepare (sql, text->str, error);
  if (statement == NULL)
    return FALSE;
  jm_sql_bind_number (statement, 1, first_day);
  while (jm_sql_next (statement, &problem))
    subtract_row (self, statement);
  if (problem == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&problem));

  return FALSE;
}
