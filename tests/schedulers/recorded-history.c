/* recorded-history.c: the runs of a recorded Slurm, as its sacct reported them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "recorded-history.h"
#include "core/jm-run-field-private.h"
#include "core/jm-run-part-private.h"

#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-id-private.h"
#include "schedulers/slurm/jm-sacct-rows-private.h"

#define DELIMITER                                                                      \
 "\x1f"                                                                                \
 "12345678"
#define MILLISECOND 1000
#define CUT_FROM 128

char *
recorded_history_load (const char *name)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "fixtures", "slurm-history-22.05", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return text;
}

/* A run and its submission: of a requeued job there are several. */
static char *
make_key (const JmRunItem *item)
{
  gint64 submit = -1;

  jm_run_get_number (item->run, JM_RUN_FIELD_SUBMIT_TIME, &submit);

  return g_strdup_printf ("%s at %" G_GINT64_FORMAT, jm_run_get_raw_id (item->run),
                          submit);
}

static GHashTable *
index_runs (GPtrArray *batches)
{
  GHashTable *runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        {
          JmRunItem *item = &g_array_index (items, JmRunItem, k);

          g_assert_true (g_hash_table_insert (runs, make_key (item), item));
        }
    }

  return runs;
}

static GPtrArray *
read_sacct (void)
{
  g_autofree char *text = recorded_history_load ("sacct");
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new (RECORDED_CLUSTER, DELIMITER, g_get_real_time () / G_USEC_PER_SEC,
                       G_MAXUINT);
  g_autoptr (GError) error = NULL;
  const char *cursor = text;
  const char *end = text + strlen (text);
  GPtrArray *batches;
  JmSlice line;

  while (jm_parse_next_line (&cursor, end, &line))
    jm_sacct_rows_take (line.text, line.length, TRUE, rows);
  batches = jm_sacct_rows_finish (rows, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (jm_sacct_rows_get_n_bad (rows), ==, 0);

  return batches;
}

/* --- values --- */

static void
assert_number (const char *key, const char *field, gint64 expected, gint64 told)
{
  if (expected != told)
    g_error ("%s: %s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, key, field, told,
             expected);
}

static void
assert_text (const char *key, const char *field, const char *expected, const char *told)
{
  if (g_strcmp0 (expected, told) != 0)
    g_error ("%s: %s is \"%s\", not \"%s\"", key, field, told, expected);
}

static void
assert_exit_code (const char *key,
                  const char *state,
                  gint64 expected,
                  gint64 told,
                  gint64 signal,
                  const RecordedGaps *gaps)
{
  gboolean is_gap =
    gaps->lacks_exit_codes && !g_str_equal (state, "COMPLETED") && signal < 0;

  assert_number (key, "exit_code", is_gap ? -1 : expected,
                 told >= CUT_FROM ? told - CUT_FROM : told);
}

static void
assert_time (const char *key,
             const char *field,
             gint64 expected,
             gint64 told,
             guint n_cut)
{
  if ((expected < 0) != (told < 0) || told < expected ||
      told >= expected + (gint64) MAX (n_cut, 1) * MILLISECOND)
    g_error ("%s: %s is %" G_GINT64_FORMAT ", not about %" G_GINT64_FORMAT, key, field,
             told, expected);
}

static gint64
get_number (JmRun *run, JmRunField field)
{
  gint64 number;

  return jm_run_get_number (run, field, &number) ? number : -1;
}

/* --- steps --- */

static void
assert_same_step (const char *run,
                  JmRunPart *step,
                  JmRunPart *told,
                  const RecordedGaps *gaps)
{
  const char *state = jm_run_part_peek_text (step, JM_QUANTITY_STATE);
  g_autofree char *key =
    g_strdup_printf ("%s, step %s", run,
                     jm_run_part_peek_text (step, JM_QUANTITY_NAME));
  guint n;
  const JmRunPartColumn *columns = jm_run_part_kind_get_columns (step->kind, &n);

  for (guint i = 0; i < n; i++)
    {
      const char *name = columns[i].name;
      const JmQuantityId quantity = columns[i].quantity;
      gint64 expected, number;

      if (columns[i].is_text)
        {
          assert_text (key, name, step->values[i].text, told->values[i].text);
          continue;
        }
      expected = step->values[i].number;
      number = told->values[i].number;
      if (quantity == JM_QUANTITY_CPU_TOTAL || quantity == JM_QUANTITY_CPU_USER ||
          quantity == JM_QUANTITY_CPU_SYSTEM)
        assert_time (key, name, expected, number, 1);
      else if (quantity == JM_QUANTITY_EXIT_CODE)
        assert_exit_code (key, state, expected, number,
                          jm_run_part_peek (step, JM_QUANTITY_EXIT_SIGNAL), gaps);
      else
        assert_number (key, name, expected, number);
    }
}

static JmRunPart *
find_step (GPtrArray *parts, JmRunPart *step)
{
  const char *name = jm_run_part_peek_text (step, JM_QUANTITY_NAME);

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    if (g_strcmp0 (jm_run_part_peek_text (parts->pdata[i], JM_QUANTITY_NAME), name) ==
        0)
      return parts->pdata[i];

  return NULL;
}

static void
assert_same_steps (const char *key,
                   GPtrArray *steps,
                   GPtrArray *told,
                   const RecordedGaps *gaps)
{
  guint n = steps != NULL ? steps->len : 0;

  assert_number (key, "number of steps", n, told != NULL ? told->len : 0);
  for (guint i = 0; i < n; i++)
    {
      JmRunPart *same = find_step (told, steps->pdata[i]);

      if (same == NULL)
        g_error ("%s: there is no step %s", key,
                 jm_run_part_peek_text (steps->pdata[i], JM_QUANTITY_NAME));
      assert_same_step (key, steps->pdata[i], same, gaps);
    }
}

/* --- runs --- */

/* Of what went on, what is seen at each reading anew. */
static gboolean
is_of_the_moment (JmRun *run, JmRunField field)
{
  return get_number (run, JM_RUN_FIELD_END_TIME) < 0 && field == JM_RUN_FIELD_SEEN_TIME;
}

static void
assert_same_number (const char *key,
                    const JmRunItem *item,
                    const JmRunItem *told,
                    JmRunField field,
                    const RecordedGaps *gaps)
{
  const char *name = jm_run_field_get_name (field);
  gint64 expected = get_number (item->run, field);
  gint64 number = get_number (told->run, field);

  switch (field)
    {
    case JM_RUN_FIELD_CPU_TOTAL:
    case JM_RUN_FIELD_CPU_USER:
    case JM_RUN_FIELD_CPU_SYSTEM:
      assert_time (key, name, expected, number,
                   item->parts != NULL ? item->parts->len : 0);
      break;
    case JM_RUN_FIELD_EXIT_CODE:
      assert_exit_code (key, jm_run_peek_text (item->run, JM_RUN_FIELD_STATE), expected,
                        number, get_number (item->run, JM_RUN_FIELD_EXIT_SIGNAL), gaps);
      break;
    case JM_RUN_FIELD_UID:
      assert_number (key, name, gaps->lacks_uid ? -1 : expected, number);
      break;
    default:
      assert_number (key, name, expected, number);
    }
}

/* sacct and the database have numbers, and slurmrestd names. */
static const char *
get_text (JmRun *run, JmRunField field)
{
  static const char *const users[][2] = { { "root", "0" },
                                          { "ada", "1001" },
                                          { "ben", "1002" } };
  const char *text = jm_run_peek_text (run, field);

  for (guint i = 0; field == JM_RUN_FIELD_CANCELLED_BY && i < G_N_ELEMENTS (users); i++)
    if (g_strcmp0 (text, users[i][0]) == 0)
      return users[i][1];

  return text;
}

static void
assert_same_text (const char *key,
                  const JmRunItem *item,
                  const JmRunItem *told,
                  JmRunField field,
                  const RecordedGaps *gaps)
{
  const gboolean is_gap = gaps->lacks_canceller && field == JM_RUN_FIELD_CANCELLED_BY;

  assert_text (key, jm_run_field_get_name (field),
               is_gap ? NULL : get_text (item->run, field),
               get_text (told->run, field));
}

static void
assert_same_run (const char *key,
                 const JmRunItem *item,
                 const JmRunItem *told,
                 const RecordedGaps *gaps)
{
  for (JmRunField i = 0; i < JM_N_RUN_FIELDS; i++)
    if (jm_run_field_holds_text (i))
      assert_same_text (key, item, told, i, gaps);
    else if (is_of_the_moment (item->run, i))
      g_assert_cmpint (get_number (told->run, i), >=, get_number (item->run, i) / 2);
    else
      assert_same_number (key, item, told, i, gaps);
  assert_same_steps (key, item->parts, told->parts, gaps);
}

void
recorded_history_assert_told (GPtrArray *batches, const RecordedGaps *gaps)
{
  g_autoptr (GPtrArray) recorded = read_sacct ();
  g_autoptr (GHashTable) expected = index_runs (recorded);
  g_autoptr (GHashTable) told = index_runs (batches);
  GHashTableIter iter;
  gpointer key, item;

  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &item))
    {
      const JmRunItem *same = g_hash_table_lookup (told, key);

      if (same == NULL)
        g_error ("%s was not told", (const char *) key);
      assert_same_run (key, item, same, gaps);
    }
  g_assert_cmpuint (g_hash_table_size (told), ==,
                    g_hash_table_size (expected) + gaps->n_further);
  g_assert_cmpuint (g_hash_table_size (told), >, 30);
}

/* --- roles --- */

static const JmRunRoles *
find_roles (GPtrArray *batches, const char *role, const char *account)
{
  for (guint i = 0; i < batches->len; i++)
    {
      GArray *roles = ((JmRunBatch *) batches->pdata[i])->roles;

      for (guint k = 0; k < roles->len; k++)
        {
          const JmRunRoles *one = &g_array_index (roles, JmRunRoles, k);

          if (g_str_equal (one->role, role) && g_str_equal (one->account, account))
            return one;
        }
    }

  return NULL;
}

static void
assert_users (GPtrArray *batches,
              const char *role,
              const char *account,
              const char *users)
{
  const JmRunRoles *roles = find_roles (batches, role, account);
  g_autofree char *told = NULL;

  g_assert_nonnull (roles);
  told = g_strjoinv (",", roles->users);
  g_assert_cmpstr (told, ==, users);
}

void
recorded_history_assert_roles (GPtrArray *batches)
{
  assert_users (batches, JM_ROLE_COORDINATOR, "physics", "ben");
  assert_users (batches, JM_ROLE_COORDINATOR, "chemistry", "");
  assert_users (batches, JM_ROLE_ADMINISTRATOR, "", "ada,root,slurmlab-rest");
}
