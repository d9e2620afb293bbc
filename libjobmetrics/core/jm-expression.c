/* jm-expression.c: whether something is true of whatever has figures and words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-expression-private.h"

#include <string.h>

#include "base/jm-error.h"

#define MAX_LENGTH 4096
#define MAX_COMPARISONS 64
#define MAX_DEPTH 64

/* What a name, or a word without quotes, cannot have in it. */
#define BLANKS " \t\r\n"
#define SPECIAL BLANKS "()&|!<>=~\"'"

/* By how tightly they bind. */
typedef enum
{
  OPERATOR_OPEN, /* a parenthesis, on the parser's stack only */
  OPERATOR_OR,
  OPERATOR_AND,
  OPERATOR_NOT,
  OPERATOR_COMPARE,
} Operator;

/* One step of a stack machine: an expression is kept as a program, since what has no
 * recursion cannot be made to exhaust the stack. */
typedef struct
{
  Operator op;
  guint comparison;
} Step;

struct _JmExpression
{
  const JmVocabulary *vocabulary;
  GArray *comparisons; /* of JmComparison */
  GArray *steps;       /* of Step, operands before operators */
};

typedef struct
{
  JmExpression *expression;
  const char *text;
  const char *at;
  Operator stack[MAX_DEPTH];
  guint depth;
} Parser;

/* --- reading --- */

/* @at is where in the text the mistake is. */
static gboolean
fail (const Parser *self, const char *at, GError **error, const char *what)
{
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: at character %ld: %s",
               self->text, g_utf8_pointer_to_offset (self->text, at) + 1, what);

  return FALSE;
}

static void
skip_blanks (Parser *self)
{
  self->at += strspn (self->at, BLANKS);
}

static gboolean
skip (Parser *self, const char *word)
{
  if (!g_str_has_prefix (self->at, word))
    return FALSE;

  self->at += strlen (word);

  return TRUE;
}

static char *
take_word (Parser *self)
{
  gsize length = strcspn (self->at, SPECIAL);
  char *word = length > 0 ? g_strndup (self->at, length) : NULL;

  self->at += length;

  return word;
}

/* A backslash makes the character after it an ordinary one. */
static char *
take_quoted (Parser *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *begin = self->at;
  char quote = *self->at++;

  while (*self->at != '\0' && *self->at != quote)
    {
      if (*self->at == '\\' && self->at[1] != '\0')
        self->at++;
      g_string_append_c (text, *self->at++);
    }

  if (*self->at == '\0')
    {
      fail (self, begin, error, "a quote has no end");
      return NULL;
    }
  self->at++;

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
take_term (Parser *self, JmTerm *term, GError **error)
{
  const JmVocabulary *vocabulary = self->expression->vocabulary;
  const char *begin = self->at;
  g_autofree char *name = take_word (self);
  g_autofree char *message = NULL;

  if (name != NULL && vocabulary->find (name, term))
    return TRUE;

  message = name != NULL
              ? g_strdup_printf ("no such %s: %s", vocabulary->noun, name)
              : g_strdup_printf ("the name of a %s is missing", vocabulary->noun);

  return fail (self, begin, error, message);
}

/* Longer ones first, of which others are the beginning. */
static gboolean
take_relation (Parser *self, JmRelation *relation, GError **error)
{
  static const struct
  {
    const char *word;
    JmRelation relation;
  } relations[] = {
    { "==", JM_RELATION_EQUAL },   { "!=", JM_RELATION_UNEQUAL },
    { "<=", JM_RELATION_AT_MOST }, { ">=", JM_RELATION_AT_LEAST },
    { "!~", JM_RELATION_UNLIKE },  { "=", JM_RELATION_EQUAL },
    { "<", JM_RELATION_LESS },     { ">", JM_RELATION_GREATER },
    { "~", JM_RELATION_LIKE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (relations); i++)
    if (skip (self, relations[i].word))
      {
        *relation = relations[i].relation;
        return TRUE;
      }

  return fail (self, self->at, error, "one of == != < <= > >= ~ !~ is missing");
}

static char *
take_value (Parser *self, GError **error)
{
  const char *begin = self->at;
  char *value;

  if (*self->at == '"' || *self->at == '\'')
    return take_quoted (self, error);

  value = take_word (self);
  if (value == NULL)
    fail (self, begin, error, "a value is missing");

  return value;
}

static gboolean
parse_comparison (Parser *self, JmComparison *comparison, GError **error)
{
  g_autofree char *value = NULL;
  g_autoptr (GError) reason = NULL;
  const char *begin;
  JmTerm term = { 0 };
  JmRelation relation;

  if (!take_term (self, &term, error))
    return FALSE;
  skip_blanks (self);
  if (!take_relation (self, &relation, error))
    return FALSE;
  skip_blanks (self);
  begin = self->at;
  value = take_value (self, error);
  if (value == NULL)
    return FALSE;

  if (jm_comparison_init (comparison, &term, relation, value, &reason))
    return TRUE;

  return fail (self, begin, error, reason->message);
}

/* --- the program --- */

static void
emit (Parser *self, Operator op, guint comparison)
{
  const Step step = { op, comparison };

  g_array_append_val (self->expression->steps, step);
}

static gboolean
push (Parser *self, Operator op, GError **error)
{
  if (self->depth == MAX_DEPTH)
    return fail (self, self->at, error, "too deep");

  self->stack[self->depth++] = op;

  return TRUE;
}

/* What binds as tightly as @op, or tighter, has all of its operands. */
static void
emit_down_to (Parser *self, Operator op)
{
  while (self->depth > 0 && self->stack[self->depth - 1] >= op)
    emit (self, self->stack[--self->depth], 0);
}

static gboolean
add_comparison (Parser *self, GError **error)
{
  JmComparison comparison;

  if (self->expression->comparisons->len == MAX_COMPARISONS)
    return fail (self, self->at, error, "too many comparisons");
  if (!parse_comparison (self, &comparison, error))
    return FALSE;

  emit (self, OPERATOR_COMPARE, self->expression->comparisons->len);
  g_array_append_val (self->expression->comparisons, comparison);

  return TRUE;
}

/* A comparison, and the parentheses and negations before it. */
static gboolean
parse_operand (Parser *self, GError **error)
{
  for (;;)
    {
      Operator op;

      skip_blanks (self);
      if (skip (self, "("))
        op = OPERATOR_OPEN;
      else if (skip (self, "!"))
        op = OPERATOR_NOT;
      else
        return add_comparison (self, error);

      if (!push (self, op, error))
        return FALSE;
    }
}

static gboolean
close_parenthesis (Parser *self, const char *begin, GError **error)
{
  emit_down_to (self, OPERATOR_OR);
  if (self->depth == 0)
    return fail (self, begin, error, "nothing for this ) to close");
  self->depth--;

  return TRUE;
}

/* What may follow an operand; @is_done at the end of the text. */
static gboolean
parse_operator (Parser *self, gboolean *is_done, GError **error)
{
  for (;;)
    {
      const char *begin;

      skip_blanks (self);
      begin = self->at;
      *is_done = *begin == '\0';
      if (*is_done)
        return TRUE;

      if (skip (self, ")"))
        {
          if (!close_parenthesis (self, begin, error))
            return FALSE;
        }
      else if (skip (self, "&&"))
        {
          emit_down_to (self, OPERATOR_AND);
          return push (self, OPERATOR_AND, error);
        }
      else if (skip (self, "||"))
        {
          emit_down_to (self, OPERATOR_OR);
          return push (self, OPERATOR_OR, error);
        }
      else
        return fail (self, begin, error, "&& or || is missing");
    }
}

static gboolean
parse (Parser *self, GError **error)
{
  gboolean is_done = FALSE;

  while (!is_done)
    if (!parse_operand (self, error) || !parse_operator (self, &is_done, error))
      return FALSE;

  emit_down_to (self, OPERATOR_OR);
  if (self->depth > 0)
    return fail (self, self->at, error, "a ) is missing");

  return TRUE;
}

static gboolean
check_text (const char *text, GError **error)
{
  if (strlen (text) > MAX_LENGTH)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "longer than %d characters",
                 MAX_LENGTH);
  else if (!g_utf8_validate (text, -1, NULL))
    g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, "not in UTF-8");
  else
    return TRUE;

  return FALSE;
}

JmExpression *
jm_expression_new (const char *text, const JmVocabulary *vocabulary, GError **error)
{
  g_autoptr (JmExpression) self = NULL;
  Parser parser = { .text = text, .at = text };

  if (!check_text (text, error))
    return NULL;

  self = g_new0 (JmExpression, 1);
  self->vocabulary = vocabulary;
  self->comparisons = g_array_new (FALSE, FALSE, sizeof (JmComparison));
  g_array_set_clear_func (self->comparisons, (GDestroyNotify) jm_comparison_clear);
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  parser.expression = self;

  return parse (&parser, error) ? g_steal_pointer (&self) : NULL;
}

void
jm_expression_free (JmExpression *self)
{
  g_array_unref (self->comparisons);
  g_array_unref (self->steps);
  g_free (self);
}

guint
jm_expression_get_n_terms (const JmExpression *self)
{
  return self->comparisons->len;
}

const JmTerm *
jm_expression_get_term (const JmExpression *self, guint i)
{
  return &g_array_index (self->comparisons, JmComparison, i).term;
}

gboolean
jm_expression_is_true (const JmExpression *self, gconstpointer of)
{
  /* no program needs more room than it has comparisons */
  g_autofree JmTruth *stack = g_new0 (JmTruth, self->comparisons->len);
  guint n = 0;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const Step *step = &g_array_index (self->steps, Step, i);

      switch (step->op)
        {
        case OPERATOR_COMPARE:
          stack[n++] =
            jm_comparison_judge (&g_array_index (self->comparisons, JmComparison,
                                                 step->comparison),
                                 self->vocabulary, of);
          break;
        case OPERATOR_NOT:
          stack[n - 1] = JM_TRUTH_TRUE - stack[n - 1];
          break;
        case OPERATOR_AND:
          n--;
          stack[n - 1] = MIN (stack[n - 1], stack[n]);
          break;
        case OPERATOR_OR:
          n--;
          stack[n - 1] = MAX (stack[n - 1], stack[n]);
          break;
        case OPERATOR_OPEN:
        default:
          g_assert_not_reached ();
        }
    }

  return stack[0] == JM_TRUTH_TRUE;
}
