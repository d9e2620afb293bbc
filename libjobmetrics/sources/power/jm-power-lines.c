/* jm-power-lines.c: what a site's own meter writes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-meter-private.h"

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"

#define WORDS_MAX 3

/* A number's last digit is worth ten to this, at most and at least. */
#define EXPONENT_MAX 30

static const JmPowerUnit units[] = {
  { "W", FALSE, 1000000 },
  { "mW", FALSE, 1000 },
  { "uW", FALSE, 1 },
  { "J", TRUE, 1000000 },
  { "mJ", TRUE, 1000 },
  { "kJ", TRUE, 1000000000 },
  { "uJ", TRUE, 1 },
  { "Wh", TRUE, G_GUINT64_CONSTANT (3600) * 1000000 },
  { "kWh", TRUE, G_GUINT64_CONSTANT (3600) * 1000 * 1000000 },
};

/* Behind the point, a digit more than these is nothing. */
#define DIGITS_ENOUGH ((G_MAXUINT64 - 9) / 10)

typedef struct
{
  guint64 digits;
  int exponent; /* of ten */
} Decimal;

const JmPowerUnit *
jm_power_unit_find (JmSlice name)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (jm_slice_equal (name, units[i].name))
      return &units[i];

  return NULL;
}

static gboolean
add_digit (Decimal *number, guint digit, gboolean is_fraction)
{
  guint64 digits;

  if (is_fraction && number->digits > DIGITS_ENOUGH)
    return TRUE;
  if (__builtin_mul_overflow (number->digits, 10, &digits) ||
      __builtin_add_overflow (digits, digit, &digits))
    return FALSE;

  number->digits = digits;
  if (is_fraction)
    number->exponent--;

  return number->exponent >= -EXPONENT_MAX;
}

static gboolean
take_mantissa (const char **cursor, const char *end, Decimal *number)
{
  gboolean is_fraction = FALSE;
  guint n_digits = 0;
  const char *p = *cursor;

  for (; p < end && (g_ascii_isdigit (*p) || (*p == '.' && !is_fraction)); p++)
    if (*p == '.')
      is_fraction = TRUE;
    else if (add_digit (number, (guint) g_ascii_digit_value (*p), is_fraction))
      n_digits++;
    else
      return FALSE;

  *cursor = p;

  return n_digits > 0;
}

static gboolean
take_exponent (const char **cursor, const char *end, Decimal *number)
{
  const char *p = *cursor;
  int sign = 1;
  int exponent = 0;
  const char *digits;

  if (p == end || (*p != 'e' && *p != 'E'))
    return TRUE;
  p++;
  if (p < end && (*p == '+' || *p == '-'))
    sign = *p++ == '-' ? -1 : 1;
  for (digits = p; p < end && g_ascii_isdigit (*p) && exponent <= EXPONENT_MAX; p++)
    exponent = exponent * 10 + g_ascii_digit_value (*p);
  if (p == digits)
    return FALSE;

  number->exponent += sign * exponent;
  *cursor = p;

  return ABS (number->exponent) <= EXPONENT_MAX;
}

static gboolean
scale (Decimal number, guint64 factor, guint64 *result)
{
  unsigned __int128 value = (unsigned __int128) number.digits * factor;

  for (; number.exponent < 0; number.exponent++)
    value /= 10;
  for (; number.exponent > 0 && value <= G_MAXUINT64; number.exponent--)
    value *= 10;
  if (value > G_MAXUINT64)
    return FALSE;

  *result = (guint64) value;

  return TRUE;
}

gboolean
jm_power_quantity_parse (JmSlice number, const JmPowerUnit *unit, guint64 *micro)
{
  const char *cursor = number.text;
  const char *end = number.text + number.length;
  Decimal decimal = { 0, 0 };

  return take_mantissa (&cursor, end, &decimal) &&
         take_exponent (&cursor, end, &decimal) && cursor == end &&
         scale (decimal, unit->micro, micro);
}

gboolean
jm_power_domain_name_is_valid (JmSlice name)
{
  for (gsize i = 0; i < name.length; i++)
    if (!g_ascii_isalnum (name.text[i]) && memchr ("-_.:", name.text[i], 4) == NULL)
      return FALSE;

  return name.length > 0 && name.length <= JM_POWER_DOMAIN_NAME_MAX;
}

static JmSlice
without_comment (JmSlice line)
{
  const char *comment = memchr (line.text, '#', line.length);

  if (comment != NULL)
    line.length = (gsize) (comment - line.text);
  while (line.length > 0 && g_ascii_isspace (line.text[line.length - 1]))
    line.length--;

  return line;
}

/* One more than fit if there are more. */
static guint
split (JmSlice line, JmSlice words[WORDS_MAX])
{
  const char *cursor = line.text;
  JmSlice word;
  guint n_words = 0;

  while (n_words <= WORDS_MAX &&
         jm_parse_next_word (&cursor, line.text + line.length, &word))
    {
      if (n_words < WORDS_MAX)
        words[n_words] = word;
      n_words++;
    }

  return n_words;
}

/* NULL, or what is wrong with it. */
static const char *
parse_words (const JmSlice *words,
             guint n_words,
             const JmPowerUnit *unit,
             JmPowerLine *line)
{
  if (n_words == WORDS_MAX)
    {
      line->domain = words[0];
      unit = jm_power_unit_find (words[2]);
      if (!jm_power_domain_name_is_valid (line->domain))
        return "a domain has letters, digits and -_.: alone";
      if (unit == NULL)
        return "a unit is " JM_POWER_UNIT_NAMES;
    }
  else if (n_words != 1)
    return "a line is DOMAIN VALUE UNIT";
  else if (unit == NULL)
    return "a number without a unit";

  if (!jm_power_quantity_parse (words[n_words == 1 ? 0 : 1], unit, &line->micro))
    return "not a number that may be a power or an energy";

  line->is_energy = unit->is_energy;

  return NULL;
}

static gboolean
is_told (GArray *lines, JmSlice domain)
{
  for (guint i = 0; i < lines->len; i++)
    {
      JmSlice other = g_array_index (lines, JmPowerLine, i).domain;

      if (other.length == domain.length &&
          memcmp (other.text, domain.text, domain.length) == 0)
        return TRUE;
    }

  return FALSE;
}

gboolean
jm_power_lines_parse (const char *text,
                      gsize length,
                      const char *domain,
                      const JmPowerUnit *unit,
                      const char *what,
                      GArray *lines,
                      GError **error)
{
  const char *cursor = text;
  const char *problem = NULL;
  JmSlice line = { text, 0 };

  while (problem == NULL && jm_parse_next_line (&cursor, text + length, &line))
    {
      JmPowerLine figure = { { domain, strlen (domain) }, FALSE, 0 };
      JmSlice words[WORDS_MAX];
      guint n_words;

      line = without_comment (line);
      n_words = split (line, words);
      if (n_words == 0)
        continue;

      problem = parse_words (words, n_words, unit, &figure);
      if (problem == NULL && is_told (lines, figure.domain))
        problem = "a domain that was reported before";
      if (problem == NULL && lines->len == JM_POWER_LINES_MAX)
        problem = "too many domains";
      if (problem == NULL)
        g_array_append_val (lines, figure);
    }
  if (problem == NULL && lines->len == 0)
    {
      problem = "no figure in it";
      line = (JmSlice){ text, length };
    }

  if (problem != NULL)
    jm_path_error_set_malformed (error, what, problem, line.text, line.length);

  return problem == NULL;
}
