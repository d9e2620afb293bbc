/* jm-text-format.c: which text format a scraper is given
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "expose/jm-text-encoder.h"

#include <string.h>

#include "expose/jm-protobuf-exposition-private.h"

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
  int protobuf;
  int openmetrics;
  int plain;
  int any_text;
  int anything;
} Preferences;

/* What follows a media type; empty for what does not. */
typedef struct
{
  Span version;
  Span proto;
  Span encoding;
  int weight;
} Parameters;

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

static Parameters
parse_parameters (Span rest)
{
  Parameters self = { { "", 0 }, { "", 0 }, { "", 0 }, FULL_WEIGHT };
  Span parameter, name, value;

  while (span_next (&rest, ';', &parameter))
    {
      split_parameter (parameter, &name, &value);
      if (span_is (name, "version"))
        self.version = value;
      else if (span_is (name, "proto"))
        self.proto = value;
      else if (span_is (name, "encoding"))
        self.encoding = value;
      else if (span_is (name, "q"))
        self.weight = parse_weight (value);
    }

  return self;
}

/* Other messages and encodings than these are not had. */
static gboolean
is_our_protobuf (const Parameters *parameters)
{
  return span_is (parameters->proto, "io.prometheus.client.MetricFamily") &&
         span_is (parameters->encoding, "delimited");
}

static gboolean
is_version (const Parameters *parameters, const char *version)
{
  return parameters->version.length == 0 || span_is (parameters->version, version);
}

static void
preferences_add (Preferences *self, Span range)
{
  Parameters parameters;
  Span type;

  if (!span_next (&range, ';', &type))
    return;

  parameters = parse_parameters (range);
  if (span_is (type, "application/vnd.google.protobuf") &&
      is_our_protobuf (&parameters))
    self->protobuf = MAX (self->protobuf, parameters.weight);
  else if (span_is (type, "application/openmetrics-text") &&
           is_version (&parameters, "1.0.0"))
    self->openmetrics = MAX (self->openmetrics, parameters.weight);
  else if (span_is (type, "text/plain") && is_version (&parameters, "0.0.4"))
    self->plain = MAX (self->plain, parameters.weight);
  else if (span_is (type, "text/*"))
    self->any_text = MAX (self->any_text, parameters.weight);
  else if (span_is (type, "*/*"))
    self->anything = MAX (self->anything, parameters.weight);
}

/* What is too long to be one says nothing. */
static Preferences
parse_accept (const char *accept)
{
  Preferences self = { -1, -1, -1, -1, -1 };
  Span rest, range;

  if (accept == NULL)
    return self;

  rest = (Span){ accept, strnlen (accept, MAX_ACCEPT_LENGTH + 1) };
  if (rest.length > MAX_ACCEPT_LENGTH)
    return self;

  while (span_next (&rest, ',', &range))
    preferences_add (&self, range);

  return self;
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
  Preferences preferences = parse_accept (accept);

  if (preferences.openmetrics > 0 &&
      preferences.openmetrics >= preferences_of_plain (&preferences))
    return JM_TEXT_FORMAT_OPENMETRICS;

  return JM_TEXT_FORMAT_PROMETHEUS;
}

gboolean
jm_prefers_protobuf (const char *accept)
{
  Preferences preferences = parse_accept (accept);
  int text = MAX (preferences.openmetrics, preferences_of_plain (&preferences));

  return preferences.protobuf > 0 && preferences.protobuf >= text;
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
