/* bench-bare-store.c: bare inserts of what a site's archive keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "bench-bare-store.h"

#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"
#include "sql/jm-sqlite-private.h"

/* Columns of a run before its fields: id, raw_id, sources. */
#define FIRST_FIELD 4

struct _BenchBareStore
{
  sqlite3 *db;
  sqlite3_stmt *run;
  sqlite3_stmt *step;
  gint64 n_runs;
};

static sqlite3_stmt *
prepare_insert (sqlite3 *db, const char *table, guint n_columns)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT INTO %s VALUES (?1", table);
  for (guint i = 2; i <= n_columns; i++)
    g_string_append_printf (sql, ", ?%u", i);
  g_string_append_c (sql, ')');

  return jm_sqlite_prepare (db, sql->str, NULL);
}

static sqlite3_stmt *
prepare_run (sqlite3 *db)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE run (id INTEGER PRIMARY KEY,"
                                          " raw_id TEXT, sources TEXT");

  for (guint i = 0; i < JM_N_RUN_FIELDS; i++)
    g_string_append_printf (sql, ", %s %s", jm_run_field_get_name (i),
                            jm_run_field_holds_text (i) ? "TEXT" : "INTEGER");
  g_string_append (sql, ") STRICT");
  g_assert_true (jm_sqlite_run (db, sql->str, NULL));

  return prepare_insert (db, "run", FIRST_FIELD - 1 + JM_N_RUN_FIELDS);
}

static sqlite3_stmt *
prepare_step (sqlite3 *db)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE step (run_id INTEGER");
  guint n;
  const JmRunPartColumn *columns =
    jm_run_part_kind_get_columns (JM_RUN_PART_KIND_STEP, &n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, ", %s %s", columns[i].name,
                            columns[i].is_text ? "TEXT" : "INTEGER");
  g_string_append (sql, ") STRICT");
  g_assert_true (jm_sqlite_run (db, sql->str, NULL));

  return prepare_insert (db, "step", n + 1);
}

BenchBareStore *
bench_bare_store_new (const char *path)
{
  BenchBareStore *self = g_new0 (BenchBareStore, 1);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  self->db = jm_sqlite_open (path, TRUE, NULL);
  g_assert_true (jm_sqlite_run (self->db,
                                "PRAGMA cache_size = -65536; PRAGMA journal_mode = wal;"
                                "PRAGMA synchronous = normal;"
                                "PRAGMA wal_autocheckpoint = 8000",
                                NULL));
  self->run = prepare_run (self->db);
  self->step = prepare_step (self->db);

  return self;
}

void
bench_bare_store_free (BenchBareStore *self)
{
  sqlite3_finalize (self->run);
  sqlite3_finalize (self->step);
  jm_sqlite_close (self->db);
  g_free (self);
}

void
bench_bare_store_begin (BenchBareStore *self)
{
  g_assert_true (jm_sqlite_run (self->db, "BEGIN IMMEDIATE", NULL));
}

void
bench_bare_store_commit (BenchBareStore *self)
{
  g_assert_true (jm_sqlite_run (self->db, "COMMIT", NULL));
}

void
bench_bare_store_insert_run (BenchBareStore *self, const JmRun *run)
{
  sqlite3_bind_int64 (self->run, 1, ++self->n_runs);
  jm_sqlite_bind_text (self->run, 2, run->raw_id);
  jm_sqlite_bind_text (self->run, 3, run->sources);
  for (guint i = 0; i < JM_N_RUN_TEXTS; i++)
    jm_sqlite_bind_text (self->run, (int) (FIRST_FIELD + i), run->texts[i]);
  for (guint i = 0; i < JM_N_RUN_NUMBERS; i++)
    if (run->numbers[i] != JM_RUN_UNKNOWN)
      sqlite3_bind_int64 (self->run, (int) (FIRST_FIELD + JM_N_RUN_TEXTS + i),
                          run->numbers[i]);
  g_assert_true (jm_sqlite_finish (self->run, NULL));
}

void
bench_bare_store_insert_step (BenchBareStore *self, const JmRunPart *step)
{
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (step->kind, &n);

  sqlite3_bind_int64 (self->step, 1, self->n_runs);
  for (guint i = 0; i < n; i++)
    if (columns[i].is_text)
      jm_sqlite_bind_text (self->step, (int) i + 2, step->values[i].text);
    else if (step->values[i].number != JM_RUN_PART_UNKNOWN)
      sqlite3_bind_int64 (self->step, (int) i + 2, step->values[i].number);
  g_assert_true (jm_sqlite_finish (self->step, NULL));
}
