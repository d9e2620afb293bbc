/* mutations.c: recorded answers in which one value is another
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mutations.h"

#include "record-lists.h"

#define MUTATIONS 1000
#define MUTATIONS_FOR_A_CUT 10
#define SEED 1
#define GOOD_VALUES 12
#define LONG_BYTES 40000
#define LONG_STEP 5

/* Differences beside those of one figure. */
#define LOST "the record"
#define SEVERAL "several steps"

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
  gsize step = g_str_has_prefix (line, RECORD_STEP)
                 ? strspn (line + strlen (RECORD_STEP), "0123456789")
                 : 0;
  g_autofree char *number =
    g_strndup (line, step > 0 ? strlen (RECORD_STEP) + step : 0);
  const char *name = line + strlen (number);
  const char *known = g_hash_table_lookup (names, RECORD_STEP);

  if (known != NULL && step > 0 && !g_str_equal (known, number))
    g_hash_table_insert (names, g_strdup (SEVERAL), NULL);
  if (step > 0)
    g_hash_table_insert (names, g_strdup (RECORD_STEP), g_steal_pointer (&number));
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

static gboolean
is_json (const Answer *answer)
{
  return answer->format == FORMAT_JSON || answer->format == FORMAT_JSON_LINES;
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

/* Those that the scheduler might print in the place of @old. */
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
  const char *const *values = !is_json (f->answer)        ? of_text
                              : old[0] == '"'             ? of_string
                              : old[0] == '['             ? of_list
                              : old[0] == '{'             ? of_object
                              : g_str_equal (old, "null") ? of_null
                              : g_ascii_isalpha (old[0])  ? of_word
                                                          : of_number;

  for (; *values != NULL; values++)
    learn_value (f, place, *values);
  for (values = f->answer->further; values != NULL && *values != NULL; values++)
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
  "null", "\"\"", "0", "-1", "-0.5", "4294967294", "9223372036854775808",
  "99999999999999999999999999", "1e308", "true", "[]", "{}",
  "[[\"a\", null], {\"b\": [1]}]", "{\"set\": true, \"infinite\": true, \"number\": 7}",
  "{\"set\": true, \"infinite\": false, \"number\": \"7\"}",
  "{\"set\": null, \"infinite\": null, \"number\": null}", "{\"number\": -1}",
  "{\"set\": 1, \"infinite\": \"no\", \"number\": 1.5}", "\"7\"", "\"-7\"",
  "\"Infinity\"", "[7, \"7\", null]", "[[[[[[{}]]]]]]",
  /* members that are called as those of records are */
  "{\"job_id\": 7, \"name\": \"x\", \"state\": [\"FAILED\"], \"nodes\": 9, \"id\": 7, "
  "\"user\": \"x\", \"account\": \"x\", \"time\": {\"start\": 7, \"end\": 9}, "
  "\"tres\": {\"allocated\": [{\"type\": \"cpu\", \"count\": 9}]}, \"number\": 5}",
  "[{\"job_id\": 7, \"name\": \"x\", \"state\": \"x\"}, {\"job_id\": 8}]",
  "\"\\\"'%s\\\\\"", "\"x|y,=:\"", "\"a\\nb\\u001fc\\u0000d\"", "\"\377\376\"",
  /* and those that a line of JSON cannot have */
  "\"a\nb\001c\\\td\"", "NaN", "-Infinity"
};
#define N_NO_JSON 3

static char *
escape (const char *value)
{
  GString *text = g_string_new (value);

  g_string_replace (text, "&", "&amp;", 0);
  g_string_replace (text, "<", "&lt;", 0);
  g_string_replace (text, "'", "&apos;", 0);

  return g_string_free (text, FALSE);
}

static const char *const *
get_values (const Answer *answer, guint *n)
{
  *n = !is_json (answer)                     ? G_N_ELEMENTS (texts)
       : answer->format == FORMAT_JSON_LINES ? G_N_ELEMENTS (jsons) - N_NO_JSON
                                             : G_N_ELEMENTS (jsons);

  return is_json (answer) ? jsons : texts;
}

/* The last is the value twice. */
static char *
make_value (Fixture *f, const char *old, guint i)
{
  guint n;
  const char *const *values = get_values (f->answer, &n);

  if (i % (n + 1) < n)
    return f->answer->format == FORMAT_XML ? escape (values[i % (n + 1)])
                                           : g_strdup (values[i % (n + 1)]);

  return is_json (f->answer) ? g_strdup_printf ("[%s, %s]", old, old)
                             : g_strconcat (old, old, NULL);
}

static gboolean
may_cost_record (const Answer *answer, const char *field)
{
  return answer->identity == NULL || g_strv_contains (answer->identity, field);
}

/* Returns: (nullable): one of @names that no good value is known to change */
static const char *
find_forbidden (Fixture *f, const Place *place, GHashTable *names)
{
  GHashTable *allowed = g_hash_table_lookup (f->changes, place->field);
  GHashTableIter iter;
  gpointer name;

  if (f->answer->identity != NULL)
    g_hash_table_remove (names, LOST);
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
  if (g_hash_table_contains (names, LOST) && !may_cost_record (f->answer, place->field))
    g_error ("%s: %s: %s in place of %s costs the record", f->answer->file,
             place->field, value, old);
  if (find_forbidden (f, place, names) == NULL)
    return;

  learn (f, place);
  forbidden = find_forbidden (f, place, names);
  if (forbidden != NULL)
    g_error ("%s: %s: %s in place of %s changes %s", f->answer->file, place->field,
             value, old, forbidden);
}

/* What is on a node is unpacked by the build. */
static char *
find_file (const char *file)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", file, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS)
           ? g_steal_pointer (&path)
           : g_test_build_filename (G_TEST_BUILT, "fixtures", file, NULL);
}

/* As a command prints it that is asked for another separator. */
static char *
put_between (const char *text, const char *between)
{
  g_auto (GStrv) values = g_strsplit (text, "\x1f", -1);

  return g_strjoinv (between, values);
}

/* Some of the records of a long answer, which are lines: reading all takes a while. */
static char *
load (const Answer *answer)
{
  g_autofree char *path = find_file (answer->file);
  g_autofree char *text = NULL;
  g_autoptr (GString) some = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_lines;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  if (answer->between != NULL)
    return put_between (text, answer->between);
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

  f.text = load (f.answer);
  f.places = places_new ();
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

/* Of a text the last line may be a part of one, and the figures of all lines stand
 * last.
 */
static void
test_an_answer_that_is_cut_keeps_what_stood_before (gconstpointer data)
{
  guint n_cuts = get_setting ("JM_MUTATIONS", MUTATIONS) / MUTATIONS_FOR_A_CUT;
  g_autoptr (GRand) random =
    g_rand_new_with_seed (get_setting ("JM_MUTATION_SEED", SEED));
  const Answer *answer = data;
  g_autofree char *text = load (answer);
  g_autoptr (GPtrArray) before = answer->read (text, answer);
  guint n_unlike = is_json (answer) ? 0 : 2;

  for (guint i = 0; i < n_cuts; i++)
    {
      gint length = g_rand_int_range (random, 0, (gint32) strlen (text));
      g_autofree char *cut = g_strndup (text, (gsize) length);
      g_autoptr (GPtrArray) after = answer->read (cut, answer);

      g_assert_cmpuint (after->len, <=, before->len);
      for (guint k = 0; k + n_unlike < after->len; k++)
        if (!is_same (before, k, after, k))
          g_error ("%s: cut at %d, record %u of %u is another", answer->file, length, k,
                   after->len);
    }
}

static void
add_test (const char *path, const Answer *answer, GTestDataFunc func)
{
  g_autofree char *name = g_strconcat (path, answer->file, NULL);

  g_test_add_data_func (name, answer, func);
}

void
mutations_add_tests (const Answer *answers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      add_test ("/scheduler-mutations/", &answers[i],
                test_a_value_changes_what_another_would);
      add_test ("/scheduler-cuts/", &answers[i],
                test_an_answer_that_is_cut_keeps_what_stood_before);
    }
}
