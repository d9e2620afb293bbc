/* jm-dcmi-text.c: what programs print of a node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-error.h"
#include "host/jm-parse-private.h"
#include "host/jm-path-error-private.h"
#include "sources/power/jm-dcmi-private.h"

/* The two lines by which a program is known. */
typedef struct
{
  const char *watts;
  const char *state;
  const char *active;
} Format;

static const Format formats[] = {
  /* FreeIPMI: ipmi-dcmi --get-system-power-statistics */
  { "Current Power", "Power Measurement", "Active" },
  /* ipmitool dcmi power reading */
  { "Instantaneous power reading", "Power reading state is", "activated" },
  /* ipmiutil dcmi power */
  { "Current Power", "Power reading state is", "active" },
};

/* What was found of one kind of line. */
typedef struct
{
  JmSlice key;
  JmSlice value;
  guint n_lines;
} Found;

static JmSlice
strip (JmSlice slice)
{
  while (slice.length > 0 && g_ascii_isspace (slice.text[0]))
    {
      slice.text++;
      slice.length--;
    }
  while (slice.length > 0 && g_ascii_isspace (slice.text[slice.length - 1]))
    slice.length--;

  return slice;
}

static gboolean
equals (JmSlice slice, const char *word)
{
  return slice.length == strlen (word) &&
         g_ascii_strncasecmp (slice.text, word, slice.length) == 0;
}

static gboolean
split (JmSlice line, JmSlice *key, JmSlice *value)
{
  const char *colon = line.length > 0 ? memchr (line.text, ':', line.length) : NULL;

  if (colon == NULL)
    return FALSE;

  *key = strip ((JmSlice){ line.text, (gsize) (colon - line.text) });
  *value =
    strip ((JmSlice){ colon + 1, (gsize) (line.text + line.length - colon - 1) });

  return TRUE;
}

static void
note (Found *found, JmSlice key, JmSlice value)
{
  found->key = key;
  found->value = value;
  found->n_lines++;
}

static void
find_lines (const char *text, gsize length, Found *watts, Found *state)
{
  const char *cursor = text;
  JmSlice line, key, value;

  while (jm_parse_next_line (&cursor, text + length, &line))
    {
      gboolean is_watts = FALSE;
      gboolean is_state = FALSE;

      if (!split (line, &key, &value))
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
        {
          is_watts = is_watts || equals (key, formats[i].watts);
          is_state = is_state || equals (key, formats[i].state);
        }
      if (is_watts)
        note (watts, key, value);
      else if (is_state)
        note (state, key, value);
    }
}

static const Format *
find_format (const Found *watts, const Found *state)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (equals (watts->key, formats[i].watts) && equals (state->key, formats[i].state))
      return &formats[i];

  return NULL;
}

static gboolean
parse_watts (JmSlice value, guint64 *watts)
{
  const char *cursor = value.text;
  const char *end = value.text + value.length;
  JmSlice number, unit;

  return jm_parse_next_word (&cursor, end, &number) &&
         jm_parse_next_word (&cursor, end, &unit) && cursor == end &&
         jm_parse_uint64 (number.text, number.length, watts) && equals (unit, "Watts");
}

gboolean
jm_dcmi_parse_text (const char *text,
                    gsize length,
                    const char *what,
                    guint *watts,
                    GError **error)
{
  Found power = { 0 };
  Found state = { 0 };
  const Format *format = NULL;
  guint64 now;

  find_lines (text, length, &power, &state);
  if (power.n_lines == 1 && state.n_lines == 1)
    format = find_format (&power, &state);
  if (format == NULL)
    {
      jm_path_error_set_malformed (error, what,
                                   "not what ipmi-dcmi, ipmitool or ipmiutil print of "
                                   "a power reading",
                                   text, length);
      return FALSE;
    }

  if (!equals (state.value, format->active))
    {
      g_autofree char *said =
        g_strndup (state.value.text, MIN (state.value.length, 64));
      g_autofree char *quote = g_strescape (said, NULL);

      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                   "%s: the BMC's power measurement is not active: %s", what, quote);
      return FALSE;
    }
  if (!parse_watts (power.value, &now))
    {
      jm_path_error_set_malformed (error, what, "no power in Watts", power.value.text,
                                   power.value.length);
      return FALSE;
    }
  if (!jm_dcmi_check_watts (now, what, error))
    return FALSE;

  *watts = (guint) now;
  return TRUE;
}
