/* jm-promql.c: which selectors a PromQL query has
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "access/jm-promql-private.h"

#include <math.h>
#include <string.h>

#include "access/jm-promql-text-private.h"
#include "base/jm-error.h"

#define SKIP(parser, error)                                                            \
 do                                                                                    \
  {                                                                                    \
   if (!jm_promql_skip (&(parser)->cursor, error))                                     \
    return FALSE;                                                                      \
  }                                                                                    \
 while (FALSE)

typedef struct
{
  JmPromqlCursor cursor;
  GPtrArray *selectors;
  JmPromqlReach *reach;
} Parser;

/* What stands left of a bracket, an offset or an @, which not all may have. */
typedef enum
{
  KIND_EXPRESSION,
  KIND_STRING,
  KIND_SELECTOR,
  KIND_RANGE,
} Kind;

typedef struct
{
  Kind kind;
  gboolean has_offset;
  gboolean has_moment;
} Operand;

/* Of Prometheus 3.5, with their older names; not info(), which reads what is in no
 * selector. */
static const char *const functions[] = { "abs",
                                         "absent",
                                         "absent_over_time",
                                         "acos",
                                         "acosh",
                                         "asin",
                                         "asinh",
                                         "atan",
                                         "atanh",
                                         "avg_over_time",
                                         "ceil",
                                         "changes",
                                         "clamp",
                                         "clamp_max",
                                         "clamp_min",
                                         "cos",
                                         "cosh",
                                         "count_over_time",
                                         "day_of_month",
                                         "day_of_week",
                                         "day_of_year",
                                         "days_in_month",
                                         "deg",
                                         "delta",
                                         "deriv",
                                         "double_exponential_smoothing",
                                         "exp",
                                         "floor",
                                         "histogram_avg",
                                         "histogram_count",
                                         "histogram_fraction",
                                         "histogram_quantile",
                                         "histogram_stddev",
                                         "histogram_stdvar",
                                         "histogram_sum",
                                         "holt_winters",
                                         "hour",
                                         "idelta",
                                         "increase",
                                         "irate",
                                         "label_join",
                                         "label_replace",
                                         "last_over_time",
                                         "ln",
                                         "log10",
                                         "log2",
                                         "mad_over_time",
                                         "max_over_time",
                                         "min_over_time",
                                         "minute",
                                         "month",
                                         "pi",
                                         "predict_linear",
                                         "present_over_time",
                                         "quantile_over_time",
                                         "rad",
                                         "rate",
                                         "resets",
                                         "round",
                                         "scalar",
                                         "sgn",
                                         "sin",
                                         "sinh",
                                         "sort",
                                         "sort_by_label",
                                         "sort_by_label_desc",
                                         "sort_desc",
                                         "sqrt",
                                         "stddev_over_time",
                                         "stdvar_over_time",
                                         "sum_over_time",
                                         "tan",
                                         "tanh",
                                         "time",
                                         "timestamp",
                                         "vector",
                                         "year",
                                         NULL };

static const char *const aggregations[] = {
  "avg", "bottomk",  "count",  "group",  "count_values", "limitk", "max", "limit_ratio",
  "min", "quantile", "stddev", "stdvar", "sum",          "topk",   NULL
};

static const char *const no_metrics[] = { "atan2",       "bool",     "group_left",
                                          "group_right", "ignoring", "on",
                                          NULL };

static gboolean parse_expression (Parser *self, GError **error);

static void
matcher_clear (gpointer data)
{
  JmPromqlMatcher *matcher = data;

  g_free (matcher->label);
  g_free (matcher->value);
}

void
jm_promql_selector_free (JmPromqlSelector *self)
{
  g_free (self->name);
  g_free (self->text);
  g_array_unref (self->matchers);
  g_free (self);
}

static JmPromqlSelector *
selector_new (void)
{
  JmPromqlSelector *self = g_new0 (JmPromqlSelector, 1);

  self->matchers = g_array_new (FALSE, FALSE, sizeof (JmPromqlMatcher));
  g_array_set_clear_func (self->matchers, matcher_clear);

  return self;
}

static gboolean
refuse (const Parser *self, const char *reason, GError **error)
{
  return jm_promql_refuse (&self->cursor, reason, error);
}

static gboolean
has_keyword (const char *const *keywords, const char *word, gsize length)
{
  for (guint i = 0; keywords[i] != NULL; i++)
    if (jm_promql_is_keyword (word, length, keywords[i]))
      return TRUE;

  return FALSE;
}

static gboolean
is_at_keyword (const Parser *self, const char *keyword)
{
  return jm_promql_is_keyword (self->cursor.at,
                               jm_promql_measure_word (&self->cursor, TRUE), keyword);
}

static gboolean
take_keyword (Parser *self, const char *keyword)
{
  if (!is_at_keyword (self, keyword))
    return FALSE;
  self->cursor.at += strlen (keyword);

  return TRUE;
}

static gboolean
take (Parser *self, const char *sign)
{
  if (!g_str_has_prefix (self->cursor.at, sign))
    return FALSE;
  self->cursor.at += strlen (sign);

  return TRUE;
}

static gboolean
expect (Parser *self, const char *sign, GError **error)
{
  g_autofree char *reason = NULL;

  SKIP (self, error);
  if (take (self, sign))
    return TRUE;
  reason = g_strdup_printf ("not the %s that belongs here", sign);

  return refuse (self, reason, error);
}

/* An operator whose longer forms were tried before. */
static gboolean
parse_match (Parser *self, JmPromqlMatch *match, GError **error)
{
  SKIP (self, error);
  if (take (self, "=~"))
    *match = JM_PROMQL_MATCH_REGEX;
  else if (take (self, "!~"))
    *match = JM_PROMQL_MATCH_NOT_REGEX;
  else if (take (self, "!="))
    *match = JM_PROMQL_MATCH_NOT_EQUAL;
  else if (take (self, "="))
    *match = JM_PROMQL_MATCH_EQUAL;
  else
    return refuse (self, "not an operator of a matcher", error);

  return TRUE;
}

/* A label, bare or, as from Prometheus 3, quoted. */
static gboolean
parse_label (Parser *self, char **label, gboolean *is_quoted, GError **error)
{
  gsize length = jm_promql_measure_word (&self->cursor, FALSE);

  *is_quoted = jm_promql_is_quote (*self->cursor.at);
  if (*is_quoted)
    {
      *label = jm_promql_take_string (&self->cursor, error);
      return *label != NULL &&
             (**label != '\0' || refuse (self, "an empty name before this", error));
    }
  if (length == 0)
    return refuse (self, "not a label", error);
  *label = g_strndup (self->cursor.at, length);
  self->cursor.at += length;

  return TRUE;
}

static gboolean
set_name (Parser *self, JmPromqlSelector *selector, char *name, GError **error)
{
  g_autofree char *given = name;

  if (selector->name != NULL)
    return refuse (self, "a second name of a metric before this", error);
  selector->name = g_steal_pointer (&given);

  return TRUE;
}

static gboolean
parse_matcher (Parser *self, JmPromqlSelector *selector, GError **error)
{
  g_autofree char *label = NULL;
  JmPromqlMatcher matcher = { 0 };
  gboolean is_quoted;

  if (!parse_label (self, &label, &is_quoted, error))
    return FALSE;
  SKIP (self, error);
  if (is_quoted && (*self->cursor.at == ',' || *self->cursor.at == '}'))
    return set_name (self, selector, g_steal_pointer (&label), error);

  if (selector->matchers->len == JM_PROMQL_MAX_MATCHERS)
    return refuse (self, "too many matchers before this", error);
  if (!parse_match (self, &matcher.match, error))
    return FALSE;
  SKIP (self, error);
  matcher.value = jm_promql_take_string (&self->cursor, error);
  if (matcher.value == NULL)
    return FALSE;
  matcher.label = g_steal_pointer (&label);
  g_array_append_val (selector->matchers, matcher);

  return TRUE;
}

static gboolean
parse_matchers (Parser *self, JmPromqlSelector *selector, GError **error)
{
  for (;;)
    {
      SKIP (self, error);
      if (take (self, "}"))
        return TRUE;
      if (!parse_matcher (self, selector, error))
        return FALSE;
      SKIP (self, error);
      if (*self->cursor.at != '}' && !take (self, ","))
        return refuse (self, "not the , or } that belongs here", error);
    }
}

static gboolean
names_twice (const JmPromqlSelector *selector)
{
  for (guint i = 0; selector->name != NULL && i < selector->matchers->len; i++)
    if (strcmp (g_array_index (selector->matchers, JmPromqlMatcher, i).label,
                "__name__") == 0)
      return TRUE;

  return FALSE;
}

static gboolean
parse_selector (Parser *self, GError **error)
{
  g_autoptr (JmPromqlSelector) selector = selector_new ();
  const char *begin = self->cursor.at;
  const char *end;
  gsize length = jm_promql_measure_word (&self->cursor, TRUE);

  if (length > 0)
    selector->name = g_strndup (begin, length);
  self->cursor.at += length;
  end = self->cursor.at;
  SKIP (self, error);
  if (take (self, "{"))
    {
      if (!parse_matchers (self, selector, error))
        return FALSE;
      end = self->cursor.at;
    }
  if (selector->name == NULL && selector->matchers->len == 0)
    return refuse (self, "a selector of everything before this", error);
  if (names_twice (selector))
    return refuse (self, "a second name of a metric before this", error);

  selector->offset = (gsize) (begin - self->cursor.text);
  selector->text = g_strndup (begin, (gsize) (end - begin));
  g_ptr_array_add (self->selectors, g_steal_pointer (&selector));

  return TRUE;
}

/* (a, b), in which no word is a selector. */
static gboolean
parse_labels (Parser *self, GError **error)
{
  if (!expect (self, "(", error))
    return FALSE;
  for (;;)
    {
      g_autofree char *label = NULL;
      gboolean is_quoted;

      SKIP (self, error);
      if (take (self, ")"))
        return TRUE;
      if (!parse_label (self, &label, &is_quoted, error))
        return FALSE;
      SKIP (self, error);
      if (*self->cursor.at != ')' && !take (self, ","))
        return refuse (self, "not the , or ) that belongs here", error);
    }
}

static gboolean
parse_arguments (Parser *self, GError **error)
{
  if (!expect (self, "(", error))
    return FALSE;
  SKIP (self, error);
  if (take (self, ")"))
    return TRUE;
  for (;;)
    {
      if (!parse_expression (self, error))
        return FALSE;
      SKIP (self, error);
      if (take (self, ")"))
        return TRUE;
      if (!take (self, ","))
        return refuse (self, "not the , or ) that belongs here", error);
    }
}

static gboolean
parse_grouping (Parser *self, gboolean *has_one, GError **error)
{
  SKIP (self, error);
  *has_one = take_keyword (self, "by") || take_keyword (self, "without");

  return !*has_one || parse_labels (self, error);
}

static gboolean
parse_aggregation (Parser *self, gsize length, GError **error)
{
  gboolean has_grouping;

  self->cursor.at += length;
  if (!parse_grouping (self, &has_grouping, error) || !parse_arguments (self, error))
    return FALSE;

  return has_grouping || parse_grouping (self, &has_grouping, error);
}

static gboolean
parse_call (Parser *self, gsize length, GError **error)
{
  g_autofree char *name = g_strndup (self->cursor.at, length);

  if (!g_strv_contains (functions, name))
    return refuse (self, "not a function that is known", error);
  self->cursor.at += length;
  self->reach->n_calls++;

  return parse_arguments (self, error);
}

/* The token that follows decides whether a word is a metric, a function or an
 * aggregation. */
static gboolean
parse_word (Parser *self, gsize length, Operand *operand, GError **error)
{
  const char *word = self->cursor.at;
  Parser next = *self;
  gboolean is_aggregation = has_keyword (aggregations, word, length);

  next.cursor.at += length;
  SKIP (&next, error);
  if (is_aggregation && (*next.cursor.at == '(' || is_at_keyword (&next, "by") ||
                         is_at_keyword (&next, "without")))
    return parse_aggregation (self, length, error);
  if (*next.cursor.at == '(')
    return parse_call (self, length, error);
  if (has_keyword (no_metrics, word, length))
    return refuse (self, "not a metric", error);
  operand->kind = KIND_SELECTOR;

  return parse_selector (self, error);
}

static gboolean
parse_string (Parser *self, Operand *operand, GError **error)
{
  g_autofree char *value = jm_promql_take_string (&self->cursor, error);

  operand->kind = KIND_STRING;

  return value != NULL;
}

static gboolean
parse_operand (Parser *self, Operand *operand, GError **error)
{
  char c = *self->cursor.at;
  gsize length = jm_promql_measure_word (&self->cursor, TRUE);
  double number;

  if (c == '(')
    {
      self->cursor.at++;
      return parse_expression (self, error) && expect (self, ")", error);
    }
  if (c == '{')
    {
      operand->kind = KIND_SELECTOR;
      return parse_selector (self, error);
    }
  if (jm_promql_is_quote (c))
    return parse_string (self, operand, error);
  if (length == 0 || is_at_keyword (self, "inf") || is_at_keyword (self, "nan"))
    return jm_promql_take_number (&self->cursor, &number, error);

  return parse_word (self, length, operand, error);
}

static void
skip_blanks (Parser *self)
{
  self->cursor.at += strspn (self->cursor.at, " \t\r\n");
}

/* [5m] or [1h:1m], [1h:]; comments in them are refused. */
static gboolean
parse_brackets (Parser *self, Operand *operand, GError **error)
{
  gboolean is_subquery;
  double seconds, step = 0;

  skip_blanks (self);
  if (!jm_promql_take_duration (&self->cursor, &seconds, error))
    return FALSE;
  self->reach->before += seconds;
  skip_blanks (self);
  is_subquery = take (self, ":");
  skip_blanks (self);
  if (is_subquery && *self->cursor.at != ']' &&
      !jm_promql_take_duration (&self->cursor, &step, error))
    return FALSE;
  self->reach->step = MAX (self->reach->step, step);
  skip_blanks (self);
  if (is_subquery
        ? operand->kind == KIND_RANGE || operand->kind == KIND_STRING
        : operand->kind != KIND_SELECTOR || operand->has_offset || operand->has_moment)
    return refuse (self, "a range of what has none before this", error);
  *operand = (Operand){ .kind = KIND_RANGE };

  return expect (self, "]", error);
}

static gboolean
can_move (const Operand *operand)
{
  return operand->kind == KIND_SELECTOR || operand->kind == KIND_RANGE;
}

static gboolean
parse_sign (Parser *self, gboolean *is_negative, GError **error)
{
  SKIP (self, error);
  *is_negative = take (self, "-");
  if (!*is_negative)
    take (self, "+");
  SKIP (self, error);

  return TRUE;
}

static gboolean
parse_offset (Parser *self, Operand *operand, GError **error)
{
  gboolean is_negative;
  double seconds;

  if (!can_move (operand) || operand->has_offset)
    return refuse (self, "an offset of what has none before this", error);
  operand->has_offset = TRUE;
  if (!parse_sign (self, &is_negative, error) ||
      !jm_promql_take_duration (&self->cursor, &seconds, error))
    return FALSE;
  *(is_negative ? &self->reach->after : &self->reach->before) += seconds;

  return TRUE;
}

static gboolean
parse_moment (Parser *self, Operand *operand, GError **error)
{
  gboolean is_negative;
  double moment;

  if (!can_move (operand) || operand->has_moment)
    return refuse (self, "an @ of what has none before this", error);
  operand->has_moment = TRUE;
  SKIP (self, error);
  if (take_keyword (self, "start") || take_keyword (self, "end"))
    return expect (self, "(", error) && expect (self, ")", error);
  if (!parse_sign (self, &is_negative, error))
    return FALSE;
  if (is_at_keyword (self, "inf") || is_at_keyword (self, "nan"))
    return refuse (self, "not a time", error);
  if (!jm_promql_take_number (&self->cursor, &moment, error))
    return FALSE;
  moment = is_negative ? -moment : moment;
  self->reach->first = MIN (self->reach->first, moment);
  self->reach->last = MAX (self->reach->last, moment);

  return TRUE;
}

static gboolean
parse_suffixes (Parser *self, Operand *operand, GError **error)
{
  for (;;)
    {
      gboolean is_good;

      SKIP (self, error);
      if (take (self, "["))
        is_good = parse_brackets (self, operand, error);
      else if (take (self, "@"))
        is_good = parse_moment (self, operand, error);
      else if (take_keyword (self, "offset"))
        is_good = parse_offset (self, operand, error);
      else
        return TRUE;
      if (!is_good)
        return FALSE;
    }
}

typedef struct
{
  const char *sign;
  gboolean is_comparison;
  gboolean is_set;
} Operator;

/* Those that begin with another come before it. */
static const Operator operators[] = {
  { "==", TRUE, FALSE },     { "!=", TRUE, FALSE },  { "<=", TRUE, FALSE },
  { ">=", TRUE, FALSE },     { "<", TRUE, FALSE },   { ">", TRUE, FALSE },
  { "+", FALSE, FALSE },     { "-", FALSE, FALSE },  { "*", FALSE, FALSE },
  { "/", FALSE, FALSE },     { "%", FALSE, FALSE },  { "^", FALSE, FALSE },
  { "atan2", FALSE, FALSE }, { "and", FALSE, TRUE }, { "or", FALSE, TRUE },
  { "unless", FALSE, TRUE },
};

static const Operator *
take_operator (Parser *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_ascii_isalpha (*operators[i].sign) ? take_keyword (self, operators[i].sign)
                                             : take (self, operators[i].sign))
      return &operators[i];

  return NULL;
}

static gboolean
parse_many (Parser *self, const Operator *operator, GError ** error)
{
  if (!take_keyword (self, "group_left") && !take_keyword (self, "group_right"))
    return TRUE;
  if (operator->is_set)
    return refuse (self, "grouping at a set operator before this", error);
  SKIP (self, error);

  return *self->cursor.at != '(' || parse_labels (self, error);
}

static gboolean
parse_matching (Parser *self, const Operator *operator, GError ** error)
{
  SKIP (self, error);
  if (take_keyword (self, "bool") && !operator->is_comparison)
    return refuse (self, "bool where nothing is compared before this", error);
  SKIP (self, error);
  if (!take_keyword (self, "on") && !take_keyword (self, "ignoring"))
    return TRUE;
  if (!parse_labels (self, error))
    return FALSE;
  SKIP (self, error);

  return parse_many (self, operator, error);
}

static gboolean
parse_signed (Parser *self, Operand *operand, GError **error)
{
  gboolean has_sign = FALSE;

  SKIP (self, error);
  while (take (self, "-") || take (self, "+"))
    {
      has_sign = TRUE;
      SKIP (self, error);
    }
  if (!parse_operand (self, operand, error) || !parse_suffixes (self, operand, error))
    return FALSE;

  return !has_sign || operand->kind != KIND_STRING ||
         refuse (self, "a string with a sign before this", error);
}

/* Which operator binds more does not matter for what is read: the operands are taken
 * one after the other. */
static gboolean
parse_operands (Parser *self, GError **error)
{
  for (;;)
    {
      Operand operand = { .kind = KIND_EXPRESSION };
      const Operator *operator;

      if (!parse_signed (self, &operand, error))
        return FALSE;
      operator= take_operator (self);
      if (operator== NULL)
        return TRUE;
      if (operand.kind == KIND_STRING)
        return refuse (self, "an operator behind a string before this", error);
      if (!parse_matching (self, operator, error))
        return FALSE;
    }
}

static gboolean
parse_expression (Parser *self, GError **error)
{
  gboolean is_good;

  if (self->cursor.depth == JM_PROMQL_MAX_DEPTH)
    return refuse (self, "nested too deep", error);

  self->cursor.depth++;
  is_good = parse_operands (self, error);
  self->cursor.depth--;

  return is_good;
}

static gboolean
parse_query (Parser *self, GError **error)
{
  if (!parse_expression (self, error))
    return FALSE;
  SKIP (self, error);

  return *self->cursor.at == '\0' || refuse (self, "not understood", error);
}

GPtrArray *
jm_promql_list_selectors (const char *query, JmPromqlReach *reach, GError **error)
{
  g_autoptr (GPtrArray) selectors =
    g_ptr_array_new_with_free_func ((GDestroyNotify) jm_promql_selector_free);
  JmPromqlReach unused;
  Parser parser = {
    .cursor = { query, query, 0 },
    .selectors = selectors,
    .reach = reach != NULL ? reach : &unused,
  };

  *parser.reach = (JmPromqlReach){ .first = INFINITY, .last = -INFINITY };
  if (strlen (query) > JM_PROMQL_MAX_BYTES)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "query: more than %d bytes",
                   JM_PROMQL_MAX_BYTES);
      return NULL;
    }
  if (!g_utf8_validate (query, -1, NULL))
    {
      g_set_error_literal (error, JM_ERROR, JM_ERROR_MALFORMED, "query: not UTF-8");
      return NULL;
    }

  return parse_query (&parser, error) ? g_steal_pointer (&selectors) : NULL;
}

gboolean
jm_promql_parse_duration (const char *text, double *seconds)
{
  JmPromqlCursor cursor = { text, text, 0 };

  return jm_promql_take_duration (&cursor, seconds, NULL) && *cursor.at == '\0';
}
