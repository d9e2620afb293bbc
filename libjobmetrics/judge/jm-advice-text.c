/* jm-advice-text.c: sentences with figures of a run in them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "judge/jm-advice-text-private.h"

#include <string.h>

#include "base/jm-error-private.h"
#include "judge/jm-run-term-private.h"

#define MAX_PIECES 256

/* What messages quote of a text. */
#define QUOTED 40

/* Words, and what may follow them. */
typedef struct
{
  char *words;
  JmTerm term;
  gboolean has_term;
  char *
    *forms; /* of a word, for one and for more; NULL where the figure itself follows */
  guint bracket; /* 0 where it stands outside of them, else which it is in */
} Piece;

struct _JmAdviceText
{
  GArray *pieces; /* of Piece */
  guint n_brackets;
};

typedef struct
{
  JmAdviceText *text;
  const char *at;
  gboolean is_inside;
} Parser;

static void
piece_clear (Piece *piece)
{
  g_free (piece->words);
  g_strfreev (piece->forms);
}

static gboolean
refuse (GError **error, const char *problem, const char *at)
{
  g_autofree char *quoted =
    g_utf8_substring (at, 0, MIN (g_utf8_strlen (at, -1), QUOTED));

  return jm_error_refuse (error, problem, quoted);
}

/* `was/were` */
static gboolean
take_forms (Piece *piece, const char *forms, GError **error)
{
  piece->forms = g_strsplit (forms, "/", 0);

  return g_strv_length (piece->forms) == 2 ||
         refuse (error, "a word for one and one for more, as in was/were, are needed",
                 forms);
}

static gboolean
take_term (Parser *self, Piece *piece, GError **error)
{
  const char *end = strchr (self->at, '}');
  g_autofree char *name = NULL;
  char *colon;

  if (end == NULL)
    return refuse (error, "a } is missing", self->at);

  name = g_strndup (self->at + 1, end - self->at - 1);
  colon = strchr (name, ':');
  if (colon != NULL && !take_forms (piece, colon + 1, error))
    return FALSE;
  if (colon != NULL)
    *colon = '\0';
  if (!jm_run_term_get_vocabulary ()->find (name, &piece->term))
    return jm_error_refuse (error, "no such name", name);
  piece->has_term = TRUE;
  self->at = end + 1;

  return TRUE;
}

static gboolean
take_bracket (Parser *self, GError **error)
{
  const gboolean opens = *self->at == '[';

  if (opens == self->is_inside)
    return refuse (error, opens ? "a [ within [ ]" : "nothing for this ] to close",
                   self->at);
  self->is_inside = opens;
  if (opens)
    self->text->n_brackets++;
  self->at++;

  return TRUE;
}

static gboolean
take_piece (Parser *self, GError **error)
{
  Piece piece = { .bracket = self->is_inside ? self->text->n_brackets : 0 };
  gsize length = strcspn (self->at, "{}[]");

  if (self->text->pieces->len == MAX_PIECES)
    return refuse (error, "too many parts, from here", self->at);
  piece.words = g_strndup (self->at, length);
  self->at += length;
  g_array_append_val (self->text->pieces, piece);

  switch (*self->at)
    {
    case '{':
      return take_term (self,
                        &g_array_index (self->text->pieces, Piece,
                                        self->text->pieces->len - 1),
                        error);
    case '}':
      return refuse (error, "nothing for this } to close", self->at);
    case '[':
    case ']':
      return take_bracket (self, error);
    default:
      return TRUE;
    }
}

JmAdviceText *
jm_advice_text_new (const char *text, GError **error)
{
  g_autoptr (JmAdviceText) self = g_new0 (JmAdviceText, 1);
  Parser parser = { .text = self, .at = text };

  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, (GDestroyNotify) piece_clear);
  while (*parser.at != '\0')
    if (!take_piece (&parser, error))
      return NULL;

  if (parser.is_inside)
    {
      refuse (error, "a ] is missing", text);
      return NULL;
    }

  return g_steal_pointer (&self);
}

void
jm_advice_text_free (JmAdviceText *self)
{
  g_array_unref (self->pieces);
  g_free (self);
}

/* The word that goes with the figure as it is written. */
static const char *
choose_form (const Piece *piece, const char *value)
{
  const gboolean is_estimated = g_str_has_prefix (value, JM_FIGURE_ESTIMATE_MARK);

  return piece->forms[strcmp (value + is_estimated, "1") == 0 ? 0 : 1];
}

/* What each piece's name stands for; FALSE where one is not known that must be. */
static gboolean
look_up (const JmAdviceText *self,
         JmRunReport *report,
         GPtrArray *values,
         gboolean *is_unknown)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);
      char *value = piece->has_term ? jm_run_term_format (&piece->term, report) : NULL;

      g_ptr_array_add (values, value);
      if (piece->has_term && value == NULL)
        is_unknown[piece->bracket] = TRUE;
    }

  return !is_unknown[0];
}

char *
jm_advice_text_fill (const JmAdviceText *self, JmRunReport *report)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *is_unknown = g_new0 (gboolean, self->n_brackets + 1);
  GString *filled;

  if (!look_up (self, report, values, is_unknown))
    return NULL;

  filled = g_string_new (NULL);
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      if (is_unknown[piece->bracket])
        continue;
      g_string_append (filled, piece->words);
      if (piece->has_term)
        g_string_append (filled, piece->forms != NULL
                                   ? choose_form (piece, values->pdata[i])
                                   : values->pdata[i]);
    }

  return g_string_free (filled, FALSE);
}
