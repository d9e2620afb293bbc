/* jm-text-format.c: which text format a scraper is given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-format.h"

#include <string.h>

/* What is longer is no Accept header that a scraper sends. */
#define MAX_ACCEPT_LENGTH 4096

/* Weights are in thousandths, the three decimals that RFC 9110 allows. */
#define FULL_WEIGHT 1000

typedef struct
{
  const char *text;
  gsize length;
} Span;

/* How much a client likes each thing, 0 for not at all; -1 when it did not say. */
typedef struct
{
  int openmetrics;
  int plain;
  int any_text;
  int anything;
} Preferences;

G_DEFINE_ENUM_TYPE (JmTextFormat,
                    jm_text_format,
                    G_DEFINE_ENUM_VALUE (JM_TEXT_FORMAT_PROMETHEUS, "prometheus"),
                    G_DEFINE_ENUM_VALUE (JM_TEXT_FORMAT_OPENMETRICS, "openmetrics"))

static Span
span_strip (Span span)
{
  while (span.length > 0 && strchr (" \t", span.text[0]) != NULL)
    {
      span.text++;
      span.length--;
    }
  while (span.length > 0 && strchr (" \t", span.text[span.length - 1]) != NULL)
    span.length--;

  return span;
}

static gboolean
span_is (Span span, const char *word)
{
  return span.length == strlen (word) &&
         g_ascii_strncasecmp (span.text, word, span.length) == 0;
}

/* Cuts what stands before @separator off @rest; quoted text hides separators. */
static gboolean
span_next (Span *rest, char separator, Span *part)
{
  gboolean quoted = FALSE;
  gsize end;

  if (rest->text == NULL)
    return FALSE;

  for (end = 0; end < rest->length; end++)
    {
      if (quoted && rest->text[end] == '\\' && end + 1 < rest->length)
        end++;
      else if (rest->text[end] == '"')
        quoted = !quoted;
      else if (!quoted && rest->text[end] == separator)
        break;
    }

  *part = span_strip ((Span){ rest->text, end });
  if (end < rest->length)
    *rest = (Span){ rest->text + end + 1, rest->length - end - 1 };
  else
    *rest = (Span){ NULL, 0 };

  return TRUE;
}

static Span
span_unquote (Span span)
{
  if (span.length >= 2 && span.text[0] == '"' && span.text[span.length - 1] == '"')
    return (Span){ span.text + 1, span.length - 2 };

  return span;
}

/* `0`, `1`, `0.5`, `0.125`, `1.000`; what is none of these weighs nothing. */
static int
parse_weight (Span span)
{
  int weight = 0;
  int digit = FULL_WEIGHT;

  if (span.length == 0 || span.length > strlen ("0.123") ||
      (span.length > 1 && span.text[1] != '.'))
    return 0;

  for (gsize i = 0; i < span.length; i++)
    {
      if (i == 1)
        continue;
      if (!g_ascii_isdigit (span.text[i]))
        return 0;
      weight += digit * g_ascii_digit_value (span.text[i]);
      digit /= 10;
    }

  return weight <= FULL_WEIGHT ? weight : 0;
}

static void
split_parameter (Span parameter, Span *name, Span *value)
{
  Span rest = parameter;

  *value = (Span){ "", 0 };
  if (!span_next (&rest, '=', name))
    return;
  if (rest.text != NULL)
    *value = span_unquote (span_strip (rest));
}

/* Reads what follows a media type. */
static void
parse_parameters (Span rest, Span *version, int *weight)
{
  Span parameter, name, value;

  *version = (Span){ "", 0 };
  *weight = FULL_WEIGHT;

  while (span_next (&rest, ';', &parameter))
    {
      split_parameter (parameter, &name, &value);
      if (span_is (name, "version"))
        *version = value;
      else if (span_is (name, "q"))
        *weight = parse_weight (value);
    }
}

static void
preferences_add (Preferences *self, Span range)
{
  Span type, version;
  int weight;

  if (!span_next (&range, ';', &type))
    return;

  parse_parameters (range, &version, &weight);
  if (span_is (type, "application/openmetrics-text") &&
      (version.length == 0 || span_is (version, "1.0.0")))
    self->openmetrics = MAX (self->openmetrics, weight);
  else if (span_is (type, "text/plain") &&
           (version.length == 0 || span_is (version, "0.0.4")))
    self->plain = MAX (self->plain, weight);
  else if (span_is (type, "text/*"))
    self->any_text = MAX (self->any_text, weight);
  else if (span_is (type, "*/*"))
    self->anything = MAX (self->anything, weight);
}

static int
preferences_of_plain (const Preferences *self)
{
  if (self->plain >= 0)
    return self->plain;
  if (self->any_text >= 0)
    return self->any_text;

  return self->anything;
}

/**
 * jm_negotiate_text_format:
 * @accept: (nullable): value of the request's `Accept` header
 *
 * Chooses the format that a client likes best.
 *
 * - Shape: OpenMetrics only where it is asked for by name, in version 1.0.0 or none;
 *   the text format to everybody else, those included who accept neither.
 * - Errors: none; what cannot be understood is passed over.
 * - Source: RFC 9110, section 12.5.1.
 *
 * Returns: the format
 * Since: 0.1
 */
JmTextFormat
jm_negotiate_text_format (const char *accept)
{
  Preferences preferences = { -1, -1, -1, -1 };
  Span rest, range;

  if (accept == NULL)
    return JM_TEXT_FORMAT_PROMETHEUS;

  rest = (Span){ accept, strnlen (accept, MAX_ACCEPT_LENGTH + 1) };
  if (rest.length > MAX_ACCEPT_LENGTH)
    return JM_TEXT_FORMAT_PROMETHEUS;

  while (span_next (&rest, ',', &range))
    preferences_add (&preferences, range);

  if (preferences.openmetrics > 0 &&
      preferences.openmetrics >= preferences_of_plain (&preferences))
    return JM_TEXT_FORMAT_OPENMETRICS;

  return JM_TEXT_FORMAT_PROMETHEUS;
}

/**
 * jm_text_format_get_content_type:
 * @format: a format
 *
 * Gets the value of the `Content-Type` header that goes with a format.
 *
 * Returns: the content type
 * Since: 0.1
 */
const char *
jm_text_format_get_content_type (JmTextFormat format)
{
  switch (format)
    {
    case JM_TEXT_FORMAT_OPENMETRICS:
      return "application/openmetrics-text; version=1.0.0; charset=utf-8";
    case JM_TEXT_FORMAT_PROMETHEUS:
    default:
      return "text/plain; version=0.0.4; charset=utf-8";
    }
}
