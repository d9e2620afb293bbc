/* jm-dcmi-text.c: what programs print of a node's power
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-error.h"
#include "base/jm-json-private.h"
#include "base/jm-parse-private.h"
#include "base/jm-path-error-private.h"
#include "sources/power/jm-dcmi-private.h"

#define NO_FORMAT                                                                      \
 "not what ipmi-dcmi, ipmitool, ipmiutil or capmc print of a power reading"

/* Beyond it nothing is reckoned. */
#define MAX_WATTS 1e9

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

static const char *const statistics[][JM_N_DCMI_STATISTICS] = {
  { "Minimum Power over sampling duration", "Maximum Power over sampling duration",
    "Average Power over sampling duration" },
  { "Minimum during sampling period", "Maximum during sampling period",
    "Average power reading over sample period" },
  { "Min Power over sample duration", "Max Power over sample duration",
    "Avg Power over sample duration" },
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

static void
find_statistics (const char *text, gsize length, JmDcmiReading *reading)
{
  const char *cursor = text;
  JmSlice line, key, value;
  guint64 watts;

  while (jm_parse_next_line (&cursor, text + length, &line))
    for (guint i = 0; i < G_N_ELEMENTS (statistics) * JM_N_DCMI_STATISTICS; i++)
      if (split (line, &key, &value) &&
          equals (key,
                  statistics[i / JM_N_DCMI_STATISTICS][i % JM_N_DCMI_STATISTICS]) &&
          parse_watts (value, &watts))
        jm_dcmi_reading_note (reading, i % JM_N_DCMI_STATISTICS, watts);
}

static const Format *
find_format (const Found *watts, const Found *state)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (equals (watts->key, formats[i].watts) && equals (state->key, formats[i].state))
      return &formats[i];

  return NULL;
}

/* Of a member that is a whole number of watts, or one with a fraction. */
static guint64
get_watts (JsonNode *answer, const char *name)
{
  double watts;

  return jm_json_get_number (answer, name, &watts) && watts >= 0.5 && watts < MAX_WATTS
           ? (guint64) (watts + 0.5)
           : 0;
}

/* capmc get_system_power: its average is of the last seconds, and all that it has. */
static gboolean
parse_capmc (const char *text,
             gsize length,
             const char *what,
             JmDcmiReading *reading,
             GError **error)
{
  g_autoptr (JsonNode) answer = jm_json_parse (text, length);
  double code;
  guint64 watts = get_watts (answer, "avg");

  if (jm_json_get_number (answer, "e", &code) && code != 0)
    {
      g_autofree char *quote = jm_json_quote_member (answer, "err_msg");

      g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: error %g: %s", what,
                   code, quote);
      return FALSE;
    }
  if (jm_json_get (answer, "avg") == NULL)
    {
      jm_path_error_set_malformed (error, what, NO_FORMAT, text, length);
      return FALSE;
    }
  if (!jm_dcmi_check_watts (watts, what, error))
    return FALSE;

  reading->watts = (guint) watts;
  jm_dcmi_reading_note (reading, JM_DCMI_MINIMUM, get_watts (answer, "min"));
  jm_dcmi_reading_note (reading, JM_DCMI_MAXIMUM, get_watts (answer, "max"));

  return TRUE;
}

static gboolean
is_json (const char *text, gsize length)
{
  JmSlice stripped = strip ((JmSlice){ text, length });

  return stripped.length > 0 && stripped.text[0] == '{';
}

gboolean
jm_dcmi_parse_text (const char *text,
                    gsize length,
                    const char *what,
                    JmDcmiReading *reading,
                    GError **error)
{
  Found power = { 0 };
  Found state = { 0 };
  const Format *format = NULL;
  guint64 now;

  *reading = (JmDcmiReading){ 0 };
  if (is_json (text, length))
    return parse_capmc (text, length, what, reading, error);

  find_lines (text, length, &power, &state);
  if (power.n_lines == 1 && state.n_lines == 1)
    format = find_format (&power, &state);
  if (format == NULL)
    {
      jm_path_error_set_malformed (error, what, NO_FORMAT, text, length);
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

  reading->watts = (guint) now;
  find_statistics (text, length, reading);
  return TRUE;
}
