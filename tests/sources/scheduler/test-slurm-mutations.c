/* test-slurm-mutations.c: recorded answers of Slurm in which one value is another
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "sources/scheduler/jm-sacct-row-private.h"
#include "sources/scheduler/jm-sinfo-private.h"
#include "sources/scheduler/jm-slurm-answer-runs-private.h"
#include "sources/scheduler/jm-slurm-limit-private.h"
#include "sources/scheduler/jm-slurm-pairs-private.h"
#include "sources/scheduler/jm-slurm-rows-private.h"
#include "sources/scheduler/jm-slurm-share-private.h"
#include "sources/scheduler/jm-squeue-private.h"
#include "store/jm-run-batch-private.h"
#include "store/jm-run-part-private.h"

/* A value that Slurm could as well have printed there, such as that of another record,
 * changes some figures of one record. Whatever else stands there may change these
 * figures, and nothing beside them: no other figure, and no other record.
 *
 * JM_MUTATIONS is how many values are tried in each answer, JM_MUTATION_SEED which. */
#define MUTATIONS 1000
#define SEED 1
#define GOOD_VALUES 12
#define LONG_BYTES 40000
#define LONG_STEP 5
#define SEPARATOR "\x1f"
#define SACCT_DELIMITER "\03712345678"

/* Differences beside those of one figure. */
#define LOST "the record"
#define SEVERAL "several steps"
#define STEP "step "

/* --- records, as lists of NAME=VALUE --- */

typedef enum
{
  TYPE_TEXT,
  TYPE_NUMBER,
  TYPE_COUNT, /* unsigned, of 32 bits */
  TYPE_DOUBLE,
} Type;

typedef struct
{
  const char *name;
  gsize offset;
  Type type;
} Member;

/* clang-format off */
#define MEMBER(record, name, type) { #name, G_STRUCT_OFFSET (record, name), type }
#define TEXT(record, name) MEMBER (record, name, TYPE_TEXT)
#define NUMBER(record, name) MEMBER (record, name, TYPE_NUMBER)
#define COUNT(record, name) MEMBER (record, name, TYPE_COUNT)
#define DOUBLE(record, name) MEMBER (record, name, TYPE_DOUBLE)

#define J JmSchedulerJob
static const Member job_members[] = {
  TEXT (J, id), TEXT (J, user), TEXT (J, account), TEXT (J, partitions), TEXT (J, qos),
  TEXT (J, name), TEXT (J, reason), TEXT (J, reservation), TEXT (J, features),
  TEXT (J, licenses), TEXT (J, node_list), TEXT (J, other_flags), COUNT (J, state),
  COUNT (J, flags), NUMBER (J, raw_id), NUMBER (J, uid), NUMBER (J, array_job_id),
  NUMBER (J, array_task_id), NUMBER (J, het_job_id), NUMBER (J, het_job_offset),
  NUMBER (J, tasks), NUMBER (J, nodes), NUMBER (J, cpus_requested),
  NUMBER (J, cpus_allocated), NUMBER (J, memory_requested_bytes),
  NUMBER (J, memory_allocated_bytes), NUMBER (J, gpus_requested),
  NUMBER (J, gpus_allocated), NUMBER (J, time_limit_seconds), NUMBER (J, priority),
  NUMBER (J, restarts), NUMBER (J, submit_time), NUMBER (J, eligible_time),
  NUMBER (J, start_time), NUMBER (J, end_time), COUNT (J, n_gpus), { NULL, 0, 0 }
};
#define N JmSchedulerNode
static const Member node_members[] = {
  TEXT (N, name), TEXT (N, partitions), TEXT (N, features), TEXT (N, reservation),
  TEXT (N, version), TEXT (N, reason), TEXT (N, reason_user), TEXT (N, other_flags),
  COUNT (N, state), COUNT (N, flags), NUMBER (N, cpus), NUMBER (N, cpus_allocated),
  NUMBER (N, cpus_idle), NUMBER (N, cpus_other), NUMBER (N, memory_bytes),
  NUMBER (N, memory_allocated_bytes), NUMBER (N, memory_free_bytes), NUMBER (N, gpus),
  NUMBER (N, gpus_allocated), NUMBER (N, weight), DOUBLE (N, load),
  NUMBER (N, reason_time), NUMBER (N, boot_time), COUNT (N, n_gpus), { NULL, 0, 0 }
};
#define P JmSchedulerPartition
static const Member partition_members[] = {
  TEXT (P, name), TEXT (P, state), TEXT (P, node_list), TEXT (P, qos),
  NUMBER (P, is_default), NUMBER (P, nodes), NUMBER (P, cpus), NUMBER (P, memory_bytes),
  NUMBER (P, gpus), NUMBER (P, max_nodes), NUMBER (P, max_time_seconds),
  NUMBER (P, default_time_seconds), NUMBER (P, priority_tier), { NULL, 0, 0 }
};
#define R JmSchedulerReservation
static const Member reservation_members[] = {
  TEXT (R, name), TEXT (R, state), TEXT (R, partition), TEXT (R, node_list),
  TEXT (R, users), TEXT (R, accounts), TEXT (R, flags), NUMBER (R, start_time),
  NUMBER (R, end_time), NUMBER (R, nodes), NUMBER (R, cores), NUMBER (R, cpus),
  { NULL, 0, 0 }
};
#define L JmSchedulerLicense
static const Member license_members[] = {
  TEXT (L, name), NUMBER (L, is_remote), NUMBER (L, total), NUMBER (L, used),
  NUMBER (L, free), NUMBER (L, reserved), { NULL, 0, 0 }
};
#define S JmSchedulerShare
static const Member share_members[] = {
  TEXT (S, account), TEXT (S, user), TEXT (S, partition), NUMBER (S, raw_shares),
  DOUBLE (S, norm_shares), DOUBLE (S, raw_usage), DOUBLE (S, norm_usage),
  DOUBLE (S, effective_usage), DOUBLE (S, fair_share), DOUBLE (S, level_fair_share),
  { NULL, 0, 0 }
};
#define M JmSchedulerLimit
static const Member limit_members[] = {
  TEXT (M, account), TEXT (M, user), TEXT (M, partition), TEXT (M, qos),
  NUMBER (M, group_cpus), NUMBER (M, group_memory_bytes), NUMBER (M, group_nodes),
  NUMBER (M, group_gpus), NUMBER (M, group_jobs), NUMBER (M, group_submit),
  NUMBER (M, group_wall_seconds), NUMBER (M, user_cpus), NUMBER (M, user_memory_bytes),
  NUMBER (M, user_nodes), NUMBER (M, user_gpus), NUMBER (M, max_jobs),
  NUMBER (M, max_submit), NUMBER (M, max_wall_seconds), { NULL, 0, 0 }
};
/* clang-format on */

static char *
format_member (const Member *member, gconstpointer record)
{
  const char *value = (const char *) record + member->offset;

  switch (member->type)
    {
    case TYPE_TEXT:
      return g_strdup_printf ("%s=%s", member->name, *(char *const *) (gpointer) value);
    case TYPE_NUMBER:
      return g_strdup_printf ("%s=%" G_GINT64_FORMAT, member->name,
                              *(const gint64 *) (gpointer) value);
    case TYPE_COUNT:
      return g_strdup_printf ("%s=%u", member->name, *(const guint *) (gpointer) value);
    default:
      return g_strdup_printf ("%s=%.17g", member->name,
                              *(const double *) (gpointer) value);
    }
}

static void
add_record (GPtrArray *records, const Member *members, gconstpointer record)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (const Member *member = members; member->name != NULL; member++)
    {
      g_autofree char *text = format_member (member, record);

      g_strv_builder_add (builder, text);
    }
  g_ptr_array_add (records, g_strv_builder_end (builder));
}

static GPtrArray *
records_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
}

static GPtrArray *
list_records (JmSchedulerReport *report)
{
  GPtrArray *records = records_new ();

#define ADD_ALL(noun)                                                                  \
 for (guint i = 0; i < jm_scheduler_report_get_n_##noun##s (report); i++)              \
 add_record (records, noun##_members, jm_scheduler_report_get_##noun (report, i))
  ADD_ALL (job);
  ADD_ALL (node);
  ADD_ALL (partition);
  ADD_ALL (reservation);
  ADD_ALL (license);
  ADD_ALL (share);
  ADD_ALL (limit);

  return records;
}

static void
add_step (GStrvBuilder *builder, guint number, JmRunPart *step)
{
  for (JmRunPartField field = 0; field < JM_N_RUN_PART_FIELDS; field++)
    {
      g_autofree char *text = NULL;
      gint64 value = -1;

      if (field < JM_N_RUN_PART_TEXTS)
        text = g_strdup (jm_run_part_get_text (step, field));
      else if (jm_run_part_get_number (step, field, &value))
        text = g_strdup_printf ("%" G_GINT64_FORMAT, value);
      if (text != NULL)
        {
          g_autofree char *line =
            g_strdup_printf (STEP "%u %s=%s", number,
                             jm_run_part_field_get_name (field), text);

          g_strv_builder_add (builder, line);
        }
    }
}

static void
add_run (GPtrArray *records, const JmRunItem *item)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (JmRunField field = 0; field < JM_N_RUN_FIELDS; field++)
    {
      g_autofree char *line = NULL;
      gint64 value = -1;

      if (jm_run_field_is_text (field))
        line = g_strdup_printf ("%s=%s", jm_run_field_get_name (field),
                                jm_stored_run_get_text (item->run, field));
      else if (jm_stored_run_get_number (item->run, field, &value))
        line = g_strdup_printf ("%s=%" G_GINT64_FORMAT, jm_run_field_get_name (field),
                                value);
      if (line != NULL)
        g_strv_builder_add (builder, line);
    }
  for (guint i = 0; item->parts != NULL && i < item->parts->len; i++)
    add_step (builder, i, item->parts->pdata[i]);
  g_ptr_array_add (records, g_strv_builder_end (builder));
}

static GPtrArray *
list_runs (JmSacctRows *rows)
{
  g_autoptr (GPtrArray) batches = jm_sacct_rows_finish (rows, NULL);
  GPtrArray *records = records_new ();

  for (guint i = 0; batches != NULL && i < batches->len; i++)
    {
      GArray *items = ((JmRunBatch *) batches->pdata[i])->items;

      for (guint k = 0; k < items->len; k++)
        add_run (records, &g_array_index (items, JmRunItem, k));
    }

  return records;
}

/* --- places of values in an answer --- */

typedef struct
{
  gsize start;
  gsize length;
  char *field; /* the same for values of one meaning */
} Place;

static void
place_clear (gpointer data)
{
  g_free (((Place *) data)->field);
}

static void
add_place (GArray *places,
           const char *text,
           const char *start,
           gsize length,
           char *field)
{
  const Place place = { (gsize) (start - text), length, field };

  g_array_append_val (places, place);
}

static const char *
skip_blanks (const char *c)
{
  return c + strspn (c, " \t\r\n");
}

static const char *
skip_string (const char *c)
{
  for (c++; *c != '"'; c++)
    c += *c == '\\';

  return c + 1;
}

/* Of an answer that is sound JSON. What is in a record is mutated, and not the list of
 * the records. */
static const char *
find_json (GArray *places, const char *text, const char *c, const char *path)
{
  const char *start = skip_blanks (c);
  gboolean is_object = *start == '{';

  c = start;
  if (*c == '"')
    c = skip_string (c);
  else if (*c != '{' && *c != '[')
    c += strcspn (c, ",]} \t\r\n");
  else
    for (c = skip_blanks (c + 1); *c != '}' && *c != ']';
         c = skip_blanks (*c == ',' ? c + 1 : c))
      {
        const char *name = c + 1;
        g_autofree char *below = NULL;

        if (is_object)
          {
            c = skip_string (c);
            below = g_strdup_printf ("%s.%.*s", path, (int) (c - 1 - name), name);
            c = skip_blanks (c) + 1;
          }
        else
          below = g_strconcat (path, "[]", NULL);
        c = find_json (places, text, c, below);
      }
  c += *start == '{' || *start == '[';
  if (strstr (path, "[].") != NULL)
    add_place (places, text, start, (gsize) (c - start), g_strdup (path));

  return c;
}

static void
find_in_json (GArray *places, const char *text)
{
  find_json (places, text, text, "");
}

/* Columns between @delimiter, of which a line has @n_columns. */
static void
find_columns (GArray *places, const char *text, const char *delimiter, guint n_columns)
{
  const char *c = text;

  for (guint column = 0; *c != '\0'; column = (column + 1) % n_columns)
    {
      const char *end =
        column + 1 < n_columns ? strstr (c, delimiter) : strchr (c, '\n');

      g_assert_nonnull (end);
      add_place (places, text, c, (gsize) (end - c), g_strdup_printf ("%u", column));
      c = end + (column + 1 < n_columns ? strlen (delimiter) : 1);
    }
}

static void
find_in_bars (GArray *places, const char *text)
{
  guint n_columns = 1;

  for (const char *c = text; *c != '\n'; c++)
    n_columns += *c == '|';
  find_columns (places, text, "|", n_columns);
}

static void
find_in_squeue (GArray *places, const char *text)
{
  find_columns (places, text, SEPARATOR, jm_squeue_get_n_columns () + 1);
}

static void
find_in_sinfo (GArray *places, const char *text)
{
  find_columns (places, text, SEPARATOR, jm_sinfo_get_n_columns () + 1);
}

static void
find_in_sacct (GArray *places, const char *text)
{
  find_columns (places, text, SACCT_DELIMITER, JM_N_SACCT_COLUMNS);
}

/* KEY=VALUE KEY=VALUE */
static void
find_in_pairs (GArray *places, const char *text)
{
  for (const char *c = text; *c != '\0'; c += strspn (c, " \n"))
    {
      gsize key = strcspn (c, "=");
      gsize length = strcspn (c, " \n");

      add_place (places, text, c + key + 1, length - key - 1, g_strndup (c, key));
      c += length;
    }
}

/* --- answers --- */

typedef struct _Answer Answer;
typedef GPtrArray *(*ReadFunc) (const char *text, const Answer *answer);
typedef void (*FindFunc) (GArray *places, const char *text);
typedef void (*LineFunc) (JmSchedulerReport *report, JmSlice line);

struct _Answer
{
  const char *file;
  ReadFunc read;
  const JmSlurmShape *shape; /* of JSON */
  LineFunc line;             /* of a text */
  FindFunc find;
  const char *separators; /* by which a value becomes two; NULL: it is JSON */
  const char *key;        /* the field by which rows belong together, or NULL */
};

static void
feed (JmSlurmAnswer *answer, const char *text)
{
  jm_slurm_answer_feed (text, strlen (text), answer);
  /* what is no JSON is refused as a whole, and that is right */
  jm_slurm_answer_finish (answer, "slurmrestd", NULL);
}

static GPtrArray *
read_json (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (source->shape, report, "recorded");

  feed (answer, text);

  return list_records (report);
}

static GPtrArray *
read_json_runs (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  g_autoptr (JmSacctRows) rows = jm_sacct_rows_new ("recorded", "\x1f", 1, 1000);
  g_autoptr (JmSlurmRuns) runs = jm_slurm_runs_new (rows, 38);
  g_autoptr (JmSlurmAnswer) answer =
    jm_slurm_answer_new (&jm_slurm_runs_shape, report, "recorded");

  jm_slurm_answer_set_taker (answer, runs);
  feed (answer, text);

  return list_runs (rows);
}

static GPtrArray *
read_lines (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    source->line (report, line);

  return list_records (report);
}

static GPtrArray *
read_sacct (const char *text, const Answer *source)
{
  g_autoptr (JmSacctRows) rows =
    jm_sacct_rows_new ("recorded", SACCT_DELIMITER, 1, 1000);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_sacct_rows_take (line.text, line.length, TRUE, rows);

  return list_runs (rows);
}

static void
read_rows (guint n_columns, JmSlurmRowFunc func, gpointer data, const char *text)
{
  g_autoptr (JmSlurmRows) rows = jm_slurm_rows_new (n_columns, func, data);
  const char *cursor = text;
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + strlen (text), &line))
    jm_slurm_rows_take (rows, line, TRUE);
  jm_slurm_rows_finish (rows);
}

static void
on_job (JmSlice row, gpointer report)
{
  jm_squeue_parse_line (row.text, row.length, report);
}

static GPtrArray *
read_squeue (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);

  read_rows (jm_squeue_get_n_columns (), on_job, report, text);

  return list_records (report);
}

static void
on_node (JmSlice row, gpointer reader)
{
  jm_sinfo_reader_take (reader, row.text, row.length);
}

static GPtrArray *
read_sinfo (const char *text, const Answer *source)
{
  g_autoptr (JmSchedulerReport) report =
    jm_scheduler_report_new (JM_SCHEDULER_TOPIC_NODES);
  g_autoptr (JmSinfoReader) reader = jm_sinfo_reader_new (report);

  read_rows (jm_sinfo_get_n_columns (), on_node, reader, text);

  return list_records (report);
}

static void
read_limit (JmSchedulerReport *report, JmSlice line)
{
  jm_slurm_read_limit (report, "recorded", line);
}

#define JSON(file, shape)                                                              \
 {                                                                                     \
  file, read_json, shape, NULL, find_in_json, NULL                                     \
 }
#define TEXTS "slurm-commands-22.05/"
#define BARS(file, line)                                                               \
 {                                                                                     \
  TEXTS file, read_lines, NULL, line, find_in_bars, "|\n"                              \
 }
#define PAIRS(file, line)                                                              \
 {                                                                                     \
  TEXTS file, read_lines, NULL, line, find_in_pairs, " =\n"                            \
 }

static const Answer answers[] = {
  { TEXTS "squeue", read_squeue, NULL, NULL, find_in_squeue, SEPARATOR "\n", NULL },
  { TEXTS "sinfo", read_sinfo, NULL, NULL, find_in_sinfo, SEPARATOR "\n", "0" },
  PAIRS ("partitions", jm_slurm_read_partition),
  PAIRS ("reservations", jm_slurm_read_reservation),
  PAIRS ("licenses", jm_slurm_read_license),
  BARS ("limits", read_limit),
  BARS ("qos", jm_slurm_read_qos),
  BARS ("sshare", jm_slurm_read_share),
  { "sacct-22.05/sacct", read_sacct, NULL, NULL, find_in_sacct, "\n", "0" },
  { "slurm-history-22.05/jobs-38.json", read_json_runs, NULL, NULL, find_in_json,
    NULL },
  JSON ("slurm-rest-22.05/jobs-38.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-made/jobs-40.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-made/jobs-45.json", &jm_slurm_jobs_shape),
  JSON ("slurm-rest-22.05/nodes-38.json", &jm_slurm_nodes_shape),
  JSON ("slurm-rest-made/nodes-45.json", &jm_slurm_nodes_shape),
  JSON ("slurm-rest-22.05/partitions-38.json", &jm_slurm_partitions_shape),
  JSON ("slurm-rest-made/partitions-45.json", &jm_slurm_partitions_shape),
  JSON ("slurm-rest-22.05/reservations-38.json", &jm_slurm_reservations_shape),
  JSON ("slurm-rest-made/licenses-45.json", &jm_slurm_licenses_shape),
  JSON ("slurm-rest-made/shares-45.json", &jm_slurm_shares_shape),
  JSON ("slurm-rest-22.05/associations-38.json", &jm_slurm_limits_shape),
};

/* --- what a value changes --- */

typedef struct
{
  const Answer *answer;
  char *text;
  GArray *places;
  GPtrArray *before;
  GHashTable *changes; /* of a field to a set of what its good values change */
} Fixture;

static GPtrArray *
read_with (Fixture *f, const Place *place, const char *value)
{
  g_autofree char *text =
    g_strdup_printf ("%.*s%s%s", (int) place->start, f->text, value,
                     f->text + place->start + place->length);

  return f->answer->read (text, f->answer);
}

/* Steps are alike, and one of them may differ. */
static void
add_name (GHashTable *names, const char *line)
{
  gsize step =
    g_str_has_prefix (line, STEP) ? strspn (line + strlen (STEP), "0123456789") : 0;
  g_autofree char *number = g_strndup (line, step > 0 ? strlen (STEP) + step : 0);
  const char *name = line + strlen (number);
  const char *known = g_hash_table_lookup (names, STEP);

  if (known != NULL && step > 0 && !g_str_equal (known, number))
    g_hash_table_insert (names, g_strdup (SEVERAL), NULL);
  if (step > 0)
    g_hash_table_insert (names, g_strdup (STEP), g_steal_pointer (&number));
  g_hash_table_insert (names, g_strndup (name, strcspn (name, "=")), NULL);
}

/* Of two lists of NAME=VALUE the names of what one has alone. */
static void
add_differences (GHashTable *names, char **some, char **others)
{
  for (char **line = some; *line != NULL; line++)
    if (!g_strv_contains ((const char *const *) others, *line))
      add_name (names, *line);
}

static gboolean
is_same (GPtrArray *before, guint i, GPtrArray *after, guint k)
{
  return g_strv_equal (before->pdata[i], after->pdata[k]);
}

/* The names of what differs in the one record that does. NULL: in several. */
static GHashTable *
compare (GPtrArray *before, GPtrArray *after)
{
  g_autoptr (GHashTable) names =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n_lost = before->len - after->len;
  guint first = 0;

  if (n_lost > 1)
    return NULL;
  while (first < after->len && is_same (before, first, after, first))
    first++;
  for (guint i = first + 1; i < before->len; i++)
    if (!is_same (before, i, after, i - n_lost))
      return NULL;

  if (n_lost > 0)
    g_hash_table_insert (names, g_strdup (LOST), NULL);
  else if (first < after->len)
    {
      add_differences (names, before->pdata[first], after->pdata[first]);
      add_differences (names, after->pdata[first], before->pdata[first]);
    }

  return g_steal_pointer (&names);
}

static GHashTable *
change (Fixture *f, const Place *place, const char *value)
{
  g_autoptr (GPtrArray) after = read_with (f, place, value);

  return compare (f->before, after);
}

/* --- good values --- */

static void
learn_value (Fixture *f, const Place *place, const char *value)
{
  g_autoptr (GHashTable) names = change (f, place, value);
  GHashTable *all = g_hash_table_lookup (f->changes, place->field);
  GHashTableIter iter;
  gpointer name;

  if (names == NULL)
    return;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_add (all, g_strdup (name));
}

static char *
get_value (Fixture *f, const Place *place)
{
  return g_strndup (f->text + place->start, place->length);
}

/* Those that Slurm might print in the place of @old. */
static void
learn_likes (Fixture *f, const Place *place, const char *old)
{
  static const char *const of_text[] = { "", "other1", "7", NULL };
  static const char *const of_string[] = { "null", "\"\"", "\"other1\"", NULL };
  static const char *const of_number[] = { "null", "0", "7", NULL };
  static const char *const of_list[] = { "null", "[]", "[\"other1\"]", NULL };
  static const char *const of_object[] = { "null", "{}", "7", NULL };
  static const char *const of_null[] = { "7", "\"other1\"", NULL };
  static const char *const of_word[] = { "null", "true", "false", NULL };
  const char *const *values = f->answer->separators != NULL ? of_text
                              : old[0] == '"'               ? of_string
                              : old[0] == '['               ? of_list
                              : old[0] == '{'               ? of_object
                              : g_str_equal (old, "null")   ? of_null
                              : g_ascii_isalpha (old[0])    ? of_word
                                                            : of_number;

  for (; *values != NULL; values++)
    learn_value (f, place, *values);
}

/* What stands in the same field elsewhere. */
static void
learn_others (Fixture *f, const Place *place, const char *old)
{
  g_autoptr (GHashTable) tried =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < f->places->len && g_hash_table_size (tried) < GOOD_VALUES; i++)
    {
      const Place *other = &g_array_index (f->places, Place, i);
      g_autofree char *value = get_value (f, other);

      if (g_str_equal (other->field, place->field) && !g_str_equal (value, old) &&
          g_hash_table_add (tried, g_strdup (value)))
        learn_value (f, place, value);
    }
}

/* What good values change here is allowed for others. */
static void
learn (Fixture *f, const Place *place)
{
  g_autofree char *old = get_value (f, place);

  learn_likes (f, place, old);
  learn_others (f, place, old);
}

/* --- other values --- */

static const char *const texts[] = { "",
                                     "0",
                                     "-1",
                                     "-0.5",
                                     "4294967294",
                                     "9223372036854775808",
                                     "99999999999999999999999999",
                                     "1e308",
                                     "nan",
                                     "inf",
                                     "\"'%s\\",
                                     ",,=:()[]{}",
                                     "(((",
                                     "a=b c=d",
                                     "x|y",
                                     "x\x1fy",
                                     "\nx\n\n",
                                     "\377\376" };

static const char *const jsons[] = {
  "null",
  "\"\"",
  "0",
  "-1",
  "-0.5",
  "4294967294",
  "9223372036854775808",
  "99999999999999999999999999",
  "1e308",
  "NaN",
  "-Infinity",
  "true",
  "[]",
  "{}",
  "[[\"a\", null], {\"b\": [1]}]",
  "{\"set\": true, \"infinite\": true, \"number\": 7}",
  "\"\\\"'%s\\\\\"",
  "\"x|y,=:\"",
  "\"a\\nb\\u001fc\\u0000d\""
};

/* The last is the value twice. */
static char *
make_value (Fixture *f, const char *old, guint i)
{
  gboolean is_json = f->answer->separators == NULL;
  guint n = is_json ? G_N_ELEMENTS (jsons) : G_N_ELEMENTS (texts);

  if (i % (n + 1) < n)
    return g_strdup (is_json ? jsons[i % (n + 1)] : texts[i % (n + 1)]);

  return is_json ? g_strdup_printf ("[%s, %s]", old, old)
                 : g_strconcat (old, old, NULL);
}

/* Returns: (nullable): one of @names that no good value is known to change */
static const char *
find_forbidden (Fixture *f, const Place *place, GHashTable *names)
{
  GHashTable *allowed = g_hash_table_lookup (f->changes, place->field);
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (allowed, name))
      return name;

  return NULL;
}

static void
try (Fixture *f, const Place *place, guint i)
{
  const char *separators = f->answer->separators;
  g_autofree char *old = get_value (f, place);
  g_autofree char *value = make_value (f, old, i);
  g_autoptr (GHashTable) names = change (f, place, value);
  const char *forbidden;

  if (names == NULL)
    g_error ("%s: %s: %s in place of %s changes several records", f->answer->file,
             place->field, value, old);
  /* what is two values of a text moves all behind it */
  if (separators != NULL && strcspn (value, separators) < strlen (value))
    return;
  if (find_forbidden (f, place, names) == NULL)
    return;

  learn (f, place);
  forbidden = find_forbidden (f, place, names);
  if (forbidden != NULL)
    g_error ("%s: %s: %s in place of %s changes %s", f->answer->file, place->field,
             value, old, forbidden);
}

/* Some of the records of a long answer, which are lines: reading all takes a while. */
static char *
load (const char *file)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", file, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) some = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_lines;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  if (strlen (text) < LONG_BYTES)
    return g_steal_pointer (&text);

  lines = g_strsplit (g_strchomp (text), "\n", -1);
  n_lines = g_strv_length (lines);
  for (guint i = 0; i < n_lines; i++)
    if (i == 0 || i + 2 >= n_lines || i % LONG_STEP == 0)
      g_string_append_printf (some, "%s\n", lines[i]);

  return g_string_free (g_steal_pointer (&some), FALSE);
}

static guint
get_setting (const char *name, guint otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : otherwise;
}

static void
test_a_value_changes_what_another_would (gconstpointer data)
{
  guint n_mutations = get_setting ("JM_MUTATIONS", MUTATIONS);
  guint seed = get_setting ("JM_MUTATION_SEED", SEED);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Fixture f = { .answer = data };

  f.text = load (f.answer->file);
  f.places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_array_set_clear_func (f.places, place_clear);
  f.answer->find (f.places, f.text);
  f.before = f.answer->read (f.text, f.answer);
  f.changes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                     (GDestroyNotify) g_hash_table_unref);
  g_assert_cmpuint (f.before->len, >, 0);
  for (guint i = 0; i < f.places->len; i++)
    g_hash_table_insert (f.changes, g_array_index (f.places, Place, i).field,
                         g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL));

  g_test_message ("%u of the values at %u places, JM_MUTATION_SEED=%u", n_mutations,
                  f.places->len, seed);
  for (guint i = 0; i < n_mutations; i++)
    {
      gint place = g_rand_int_range (random, 0, (gint32) f.places->len);

      if (g_strcmp0 (g_array_index (f.places, Place, place).field, f.answer->key) != 0)
        try (&f, &g_array_index (f.places, Place, place), g_rand_int (random));
    }

  g_hash_table_unref (f.changes);
  g_ptr_array_unref (f.before);
  g_array_unref (f.places);
  g_free (f.text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *name = g_strconcat ("/slurm-mutations/", answers[i].file, NULL);

      g_test_add_data_func (name, &answers[i], test_a_value_changes_what_another_would);
    }

  return g_test_run ();
}
