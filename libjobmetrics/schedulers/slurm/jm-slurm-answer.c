/* jm-slurm-answer.c: what slurmrestd answers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "schedulers/slurm/jm-slurm-answer-private.h"

#include "base/jm-error.h"
#include "io/jm-json-stream-private.h"

/* What is wanted lies no deeper. */
#define DEPTH_MAX 12
#define RECORDS_MAX 2000000
#define NONE G_MAXUINT
/* no limit, or of a ratio what it is when divided by nothing */
#define INFINITE "INFINITY"

/* The longest is `-Infinity`. */
#define JSON_WORD_MAX 9
#define INFINITE_TEXT "\"INFINITY\""
#define UNKNOWN_TEXT "null"

/* Up to API version 0.0.41 slurmrestd writes real numbers that JSON does not have:
 * `Infinity`, `inf`, `NaN` and the like. Outside of strings they are replaced on the
 * way to a stream: the infinite by a string that reads as one, the others by null.
 * Within strings, control characters are, which JSON does not have there. */
typedef struct
{
  JmJsonStream *stream;
  gboolean is_in_string;
  gboolean is_escaped;
  char word[JSON_WORD_MAX + 1]; /* that the last text ended with */
  gsize word_length;
} Json;

/* What stands in the answer beside its records. */
typedef struct
{
  const char *cluster;
  const char *problem;
  const char *description;
  gint64 problem_number;
  const char *warning;
  gint64 update_time;
} Head;

/* The key with the release's name was spelled otherwise before 23.11. */
static const JmSlurmField head_fields[] = {
  { "meta.slurm.cluster", JM_SLURM_TEXT, G_STRUCT_OFFSET (Head, cluster) },
  { "meta.Slurm.cluster", JM_SLURM_TEXT, G_STRUCT_OFFSET (Head, cluster) },
  { "errors", JM_SLURM_WORDS, G_STRUCT_OFFSET (Head, problem) },
  { "errors.error", JM_SLURM_WORDS, G_STRUCT_OFFSET (Head, problem) },
  { "errors.description", JM_SLURM_WORDS, G_STRUCT_OFFSET (Head, description) },
  { "errors.error_number", JM_SLURM_COUNT, G_STRUCT_OFFSET (Head, problem_number) },
  { "warnings", JM_SLURM_WORDS, G_STRUCT_OFFSET (Head, warning) },
  { "warnings.description", JM_SLURM_WORDS, G_STRUCT_OFFSET (Head, warning) },
  { "last_update", JM_SLURM_TIME, G_STRUCT_OFFSET (Head, update_time) },
};

/* The names that lead somewhere. */
typedef struct
{
  GHashTable *places; /* by name: one more than the first field's place; 0 of those that
                       * only lead to others */
  const JmSlurmField *fields;
  guint n_fields;
} Names;

typedef struct
{
  gsize name_length; /* of the name that leads here */
  gboolean is_list;
} Level;

/* A number that has three members. */
typedef struct
{
  guint depth; /* NONE outside of one */
  gboolean is_set;
  gboolean is_infinite;
  GString *number;
} Triple;

struct _JmSlurmAnswer
{
  const JmSlurmShape *shape;
  JmSchedulerReport *report;
  char *cluster; /* that is asked for */
  gpointer taker;
  Json json;
  JmSchedulerReport *head_texts;
  Head head;
  Names head_names;
  Names record_names;
  gpointer draft;
  guint record_depth; /* NONE outside of one */
  gsize record_base;  /* where the names of its members begin */
  gboolean has_records;
  guint n_records;
  GString *name; /* of what is open */
  Level levels[DEPTH_MAX];
  Triple triple;
};

/* --- names --- */

static void
names_init (Names *self, const JmSlurmField *fields, guint n_fields)
{
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->fields = fields;
  self->n_fields = n_fields;

  for (guint i = n_fields; i > 0; i--)
    {
      const char *name = fields[i - 1].name;

      for (const char *dot = strchr (name, '.'); dot != NULL;
           dot = strchr (dot + 1, '.'))
        {
          g_autofree char *above = g_strndup (name, (gsize) (dot - name));

          if (!g_hash_table_contains (self->places, above))
            g_hash_table_insert (self->places, g_steal_pointer (&above), NULL);
        }
      g_hash_table_insert (self->places, g_strdup (name), GUINT_TO_POINTER (i));
    }
}

static gboolean
names_have (const Names *self, const char *name, guint *place)
{
  gpointer value;

  if (!g_hash_table_lookup_extended (self->places, name, NULL, &value))
    return FALSE;
  *place = GPOINTER_TO_UINT (value);

  return TRUE;
}

/* Whether there are others below it. */
static gboolean
names_lead_on (const Names *self, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; i < self->n_fields; i++)
    if (g_str_has_prefix (self->fields[i].name, name) &&
        self->fields[i].name[length] == '.')
      return TRUE;

  return FALSE;
}

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '+' || c == '-' || c == '.';
}

static gboolean
is (JmSlice text, const char *word)
{
  return text.length == strlen (word) &&
         g_ascii_strncasecmp (text.text, word, text.length) == 0;
}

/* NULL for a word that stays. json-c writes `Infinity`, printf() `inf`. */
static const char *
find_replacement (JmSlice word)
{
  gboolean is_negative = word.length > 0 && word.text[0] == '-';

  if (is_negative || (word.length > 0 && word.text[0] == '+'))
    word = (JmSlice){ word.text + 1, word.length - 1 };
  if (is (word, "nan"))
    return UNKNOWN_TEXT;
  if (!is (word, "inf") && !is (word, "infinity"))
    return NULL;

  return is_negative ? UNKNOWN_TEXT : INFINITE_TEXT;
}

/* The stream keeps in mind that it failed. */
static void
pass (Json *self, const char *begin, const char *end)
{
  jm_json_stream_feed (self->stream, begin, (gsize) (end - begin));
}

static void
pass_word (Json *self)
{
  JmSlice word = { self->word, self->word_length };
  const char *replacement = find_replacement (word);

  if (replacement != NULL)
    word = (JmSlice){ replacement, strlen (replacement) };
  pass (self, word.text, word.text + word.length);
  self->word_length = 0;
}

/* Keeps what is there of a word, and returns where it ends. A longer word than any that
 * is replaced is passed on. */
static const char *
keep_word (Json *self, const char *text, const char *end)
{
  for (; text < end && is_of_word (*text); text++)
    {
      self->word[self->word_length++] = *text;
      if (self->word_length == sizeof self->word)
        pass_word (self);
    }

  return text;
}

static gboolean
is_control (const Json *self, char byte)
{
  return self->is_in_string && (guchar) byte < ' ';
}

/* Or to a control character in a string. */
static const char *
skip_to_word (Json *self, const char *text, const char *end)
{
  for (; text < end && !is_control (self, *text); text++)
    if (self->is_escaped)
      self->is_escaped = FALSE;
    else if (*text == '"')
      self->is_in_string = !self->is_in_string;
    else if (self->is_in_string)
      self->is_escaped = *text == '\\';
    else if (is_of_word (*text))
      break;

  return text;
}

static void
pass_control (Json *self)
{
  const char *replacement = self->is_escaped ? "n" : " ";

  pass (self, replacement, replacement + 1);
  self->is_escaped = FALSE;
}

/* FALSE: there is no use in going on. */
static gboolean
json_feed (Json *self, const char *text, gsize length)
{
  const char *end = text + length;
  const char *passed;

  if (self->word_length > 0)
    {
      text = keep_word (self, text, end);
      if (text < end)
        pass_word (self);
    }

  passed = text;
  while (text < end)
    {
      const char *word = skip_to_word (self, text, end);
      const char *replacement;

      text = word;
      if (text < end && is_control (self, *text))
        {
          pass (self, passed, text);
          pass_control (self);
          passed = ++text;
          continue;
        }
      while (text < end && is_of_word (*text))
        text++;
      if (text == end)
        {
          pass (self, passed, word);
          passed = keep_word (self, word, end);
          continue;
        }
      replacement = find_replacement ((JmSlice){ word, (gsize) (text - word) });
      if (replacement == NULL)
        continue;
      pass (self, passed, word);
      pass (self, replacement, replacement + strlen (replacement));
      passed = text;
    }
  pass (self, passed, end);

  return jm_json_stream_feed (self->stream, "", 0);
}

/* As jm_json_stream_finish(). */
static gboolean
json_finish (Json *self, const char *name, GError **error)
{
  pass_word (self);

  return jm_json_stream_finish (self->stream, name, error);
}

/* --- where it is --- */

static gboolean
is_in_record (const JmSlurmAnswer *self)
{
  return self->record_depth != NONE;
}

static const Names *
get_names (const JmSlurmAnswer *self)
{
  return is_in_record (self) ? &self->record_names : &self->head_names;
}

/* From the record, or the answer, on. */
static const char *
get_name (const JmSlurmAnswer *self)
{
  return self->name->str + self->record_base;
}

/* Puts the member's name behind that of what is open around it. */
static void
enter (JmSlurmAnswer *self, guint depth, JmSlice key)
{
  g_string_truncate (self->name, depth > 0 ? self->levels[depth - 1].name_length : 0);
  if (key.length == 0)
    return;

  if (self->name->len > self->record_base)
    g_string_append_c (self->name, '.');
  g_string_append_len (self->name, key.text, (gssize) key.length);
}

static gboolean
is_element (const JmSlurmAnswer *self, guint depth)
{
  return depth > 0 && self->levels[depth - 1].is_list;
}

/* --- values --- */

static void
take_value (JmSlurmAnswer *self, JmSlice text)
{
  const Names *names = get_names (self);
  JmSchedulerReport *report = is_in_record (self) ? self->report : self->head_texts;
  gpointer record = is_in_record (self) ? self->draft : &self->head;
  guint place;

  if (!names_have (names, get_name (self), &place) || place == 0)
    return;

  for (guint i = place - 1;
       i < names->n_fields && g_str_equal (names->fields[i].name, get_name (self)); i++)
    jm_slurm_field_take (&names->fields[i], report, record, text);
}

static void
begin_triple (JmSlurmAnswer *self, guint depth)
{
  self->triple.depth = depth;
  self->triple.is_set = TRUE;
  self->triple.is_infinite = FALSE;
  g_string_truncate (self->triple.number, 0);
}

static void
take_part_of_triple (JmSlurmAnswer *self, JmSlice key, JmSlice text)
{
  if (jm_slice_equal (key, "set"))
    self->triple.is_set = jm_slice_equal (text, "true");
  else if (jm_slice_equal (key, "infinite"))
    self->triple.is_infinite = jm_slice_equal (text, "true");
  else if (jm_slice_equal (key, "number"))
    {
      g_string_truncate (self->triple.number, 0);
      g_string_append_len (self->triple.number, text.text, (gssize) text.length);
    }
}

static void
end_triple (JmSlurmAnswer *self)
{
  const Triple *triple = &self->triple;

  self->triple.depth = NONE;
  if (triple->is_infinite)
    take_value (self, (JmSlice){ INFINITE, strlen (INFINITE) });
  else if (triple->is_set)
    take_value (self, (JmSlice){ triple->number->str, triple->number->len });
}

/* --- records --- */

static gboolean
leads_to_records (const JmSlurmAnswer *self)
{
  const char *records = self->shape != NULL ? self->shape->records : "";
  gsize length = self->name->len;

  return g_str_has_prefix (records, self->name->str) &&
         (records[length] == '\0' || records[length] == '.');
}

static gboolean
is_at_records (const JmSlurmAnswer *self)
{
  return self->shape != NULL && g_str_equal (self->name->str, self->shape->records);
}

static void
begin_record (JmSlurmAnswer *self, guint depth)
{
  self->record_depth = depth;
  self->record_base = self->name->len;
  memset (self->draft, 0, self->shape->draft_size);
  self->shape->begin (self->draft);
}

static void
end_record (JmSlurmAnswer *self)
{
  self->record_depth = NONE;
  self->record_base = 0;
  if (self->n_records < RECORDS_MAX)
    self->shape->end (self, self->draft);
  else
    jm_scheduler_report_pass_over (self->report, "too many records");
  self->n_records++;
}

static gboolean
is_element_of_record (const JmSlurmAnswer *self, guint depth)
{
  return is_in_record (self) && !self->levels[depth].is_list &&
         is_element (self, depth) &&
         names_lead_on (&self->record_names, get_name (self));
}

/* --- what the stream reports --- */

static gboolean
on_begin (gpointer data, guint depth, JmSlice key, gboolean is_list)
{
  JmSlurmAnswer *self = data;
  gboolean is_wanted;
  guint place = 0;

  if (depth >= DEPTH_MAX || self->triple.depth != NONE)
    return FALSE;

  enter (self, depth, key);
  is_wanted = depth == 0 || names_have (get_names (self), get_name (self), &place);
  if (!is_in_record (self) && depth > 0 && leads_to_records (self))
    {
      is_wanted = TRUE;
      self->has_records = self->has_records || is_at_records (self);
      if (is_at_records (self) && !is_list)
        begin_record (self, depth);
    }
  if (!is_wanted)
    return FALSE;

  self->levels[depth] = (Level){ self->name->len, is_list };
  if (place > 0 && !is_list && !is_element (self, depth) &&
      !names_lead_on (get_names (self), get_name (self)))
    begin_triple (self, depth);
  else if (is_element_of_record (self, depth) && self->shape->begin_element != NULL)
    self->shape->begin_element (self->draft, get_name (self));

  return TRUE;
}

static void
on_end (gpointer data, guint depth)
{
  JmSlurmAnswer *self = data;

  g_string_truncate (self->name, self->levels[depth].name_length);
  if (self->triple.depth == depth)
    end_triple (self);
  else if (self->record_depth == depth)
    end_record (self);
  else if (is_element_of_record (self, depth) && self->shape->end_element != NULL)
    self->shape->end_element (self, self->draft, get_name (self));
}

static void
on_value (gpointer data, guint depth, JmSlice key, JmJsonKind kind, JmSlice text)
{
  JmSlurmAnswer *self = data;

  if (depth > DEPTH_MAX)
    return;
  if (self->triple.depth != NONE)
    {
      take_part_of_triple (self, key, text);
      return;
    }
  if (kind == JM_JSON_NUMBER && text.text[0] == '-')
    text.length = 0;

  enter (self, depth, key);
  take_value (self, text);
}

static const JmJsonHandler handler = { on_begin, on_end, on_value };

/* --- the answer --- */

JmSlurmAnswer *
jm_slurm_answer_new (const JmSlurmShape *shape,
                     JmSchedulerReport *report,
                     const char *cluster)
{
  JmSlurmAnswer *self = g_new0 (JmSlurmAnswer, 1);

  self->shape = shape;
  self->report = report;
  self->cluster = g_strdup (cluster);
  self->json.stream = jm_json_stream_new (&handler, self);
  self->head_texts = jm_scheduler_report_new (JM_SCHEDULER_TOPIC_JOBS);
  self->head.problem_number = -1;
  self->record_depth = NONE;
  self->triple.depth = NONE;
  self->triple.number = g_string_new (NULL);
  self->name = g_string_new (NULL);
  names_init (&self->head_names, head_fields, G_N_ELEMENTS (head_fields));
  names_init (&self->record_names, shape != NULL ? shape->fields : NULL,
              shape != NULL ? shape->n_fields : 0);
  self->draft = shape != NULL ? g_malloc0 (shape->draft_size) : NULL;

  return self;
}

void
jm_slurm_answer_free (JmSlurmAnswer *self)
{
  jm_json_stream_free (self->json.stream);
  jm_scheduler_report_unref (self->head_texts);
  g_hash_table_unref (self->head_names.places);
  g_hash_table_unref (self->record_names.places);
  g_string_free (self->triple.number, TRUE);
  g_string_free (self->name, TRUE);
  g_free (self->draft);
  g_free (self->cluster);
  g_free (self);
}

void
jm_slurm_answer_set_taker (JmSlurmAnswer *self, gpointer taker)
{
  self->taker = taker;
}

gpointer
jm_slurm_answer_get_taker (JmSlurmAnswer *self)
{
  return self->taker;
}

JmSchedulerReport *
jm_slurm_answer_get_report (JmSlurmAnswer *self)
{
  return self->report;
}

const char *
jm_slurm_answer_get_asked_cluster (JmSlurmAnswer *self)
{
  return self->cluster;
}

gboolean
jm_slurm_answer_feed (const char *text, gsize length, gpointer self)
{
  return json_feed (&((JmSlurmAnswer *) self)->json, text, length);
}

gboolean
jm_slurm_answer_finish (JmSlurmAnswer *self, const char *name, GError **error)
{
  const char *problem =
    self->head.description != NULL ? self->head.description : self->head.problem;

  if (!json_finish (&self->json, name, error))
    return FALSE;
  if (problem != NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: %.200s", name, problem);
  else if (self->shape != NULL && !self->has_records && self->head.warning == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: there is no '%s' in it",
                 name, self->shape->records);
  else
    return TRUE;

  return FALSE;
}

gint64
jm_slurm_answer_get_problem_number (JmSlurmAnswer *self)
{
  return self->head.problem_number;
}

guint
jm_slurm_answer_get_n_records (JmSlurmAnswer *self)
{
  return self->n_records;
}

gboolean
jm_slurm_answer_has_warning (JmSlurmAnswer *self)
{
  return self->head.warning != NULL;
}

const char *
jm_slurm_answer_get_cluster (JmSlurmAnswer *self)
{
  return self->head.cluster;
}

gint64
jm_slurm_answer_get_update_time (JmSlurmAnswer *self)
{
  return self->head.update_time;
}
