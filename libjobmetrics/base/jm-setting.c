/* jm-setting.c: one setting, declared once
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "base/jm-setting-private.h"

#include <math.h>

#include "base/jm-error.h"

#define MS_PER_SECOND 1000.0

GType
jm_setting_get_value_type (const JmSetting *self)
{
  if (self->is_list)
    return G_TYPE_STRV;

  switch (self->kind)
    {
    case JM_SETTING_FLAG:
      return G_TYPE_BOOLEAN;
    case JM_SETTING_COUNT:
    case JM_SETTING_DURATION:
    case JM_SETTING_CHOICE:
      return G_TYPE_UINT;
    case JM_SETTING_TEXT:
    case JM_SETTING_FILE:
    case JM_SETTING_DIRECTORY:
    default:
      return G_TYPE_STRING;
    }
}

/* --- text to value --- */

static gboolean
refuse (GError **error, const char *reason)
{
  g_set_error_literal (error, JM_ERROR, JM_ERROR_INVALID, reason);

  return FALSE;
}

static gboolean
parse_flag (const char *text, GValue *value, GError **error)
{
  gboolean is_false = g_strcmp0 (text, "false") == 0;

  if (text != NULL && !is_false && !g_str_equal (text, "true"))
    return refuse (error, "neither true nor false");

  g_value_set_boolean (value, !is_false);

  return TRUE;
}

static gboolean
parse_number (const JmSetting *self, const char *text, GValue *value, GError **error)
{
  double scale = self->kind == JM_SETTING_DURATION ? MS_PER_SECOND : 1;
  char *end;
  double number = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || !isfinite (number))
    return refuse (error, "not a number");
  if (number < self->low || number > self->high)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "not between %.10g and %.10g",
                   self->low, self->high);
      return FALSE;
    }
  if (self->kind == JM_SETTING_COUNT && number != floor (number))
    return refuse (error, "not a whole number");

  g_value_set_uint (value, (guint) round (number * scale));

  return TRUE;
}

static gboolean
parse_choice (const JmSetting *self, const char *text, GValue *value, GError **error)
{
  g_autofree char *words = NULL;

  for (guint i = 0; self->choices[i] != NULL; i++)
    if (g_str_equal (text, self->choices[i]))
      {
        g_value_set_uint (value, (guint) self->low + i);
        return TRUE;
      }

  words = g_strjoinv (", ", (char **) self->choices);
  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "not one of %s", words);

  return FALSE;
}

static void
append (GValue *list, const char *text)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char **old = g_value_get_boxed (list);

  if (old != NULL)
    g_strv_builder_addv (builder, old);
  g_strv_builder_add (builder, text);
  g_value_take_boxed (list, g_strv_builder_end (builder));
}

gboolean
jm_setting_parse (const JmSetting *self,
                  const char *text,
                  GValue *value,
                  GError **error)
{
  if (self->kind == JM_SETTING_FLAG)
    return parse_flag (text, value, error);
  if (text == NULL)
    return refuse (error, "a value is missing");
  if (self->kind == JM_SETTING_TEXT && !g_utf8_validate (text, -1, NULL))
    return refuse (error, "not UTF-8");

  switch (self->kind)
    {
    case JM_SETTING_COUNT:
    case JM_SETTING_DURATION:
      return parse_number (self, text, value, error);
    case JM_SETTING_CHOICE:
      return parse_choice (self, text, value, error);
    case JM_SETTING_FLAG:
    case JM_SETTING_TEXT:
    case JM_SETTING_FILE:
    case JM_SETTING_DIRECTORY:
    default:
      if (self->is_list)
        append (value, text);
      else
        g_value_set_string (value, text);
      return TRUE;
    }
}

/* A list of several presets would want a syntax; none has more than one. */
void
jm_setting_preset (const JmSetting *self, GValue *value)
{
  g_autoptr (GError) error = NULL;

  g_value_reset (value);
  if (self->preset != NULL && !jm_setting_parse (self, self->preset, value, &error))
    g_error ("the default of %s is %s: %s", self->name, self->preset, error->message);
}

/* --- properties --- */

#define PROPERTY_FLAGS                                                                 \
 (G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS)

static GParamSpec *
make_number_property (const JmSetting *self, guint preset)
{
  double scale = self->kind == JM_SETTING_DURATION ? MS_PER_SECOND : 1;

  return g_param_spec_uint (self->property, NULL, NULL, (guint) (self->low * scale),
                            (guint) (self->high * scale), preset, PROPERTY_FLAGS);
}

GParamSpec *
jm_setting_make_property (const JmSetting *self)
{
  g_auto (GValue) preset = G_VALUE_INIT;

  g_value_init (&preset, jm_setting_get_value_type (self));
  jm_setting_preset (self, &preset);

  switch (G_VALUE_TYPE (&preset))
    {
    case G_TYPE_BOOLEAN:
      return g_param_spec_boolean (self->property, NULL, NULL,
                                   g_value_get_boolean (&preset), PROPERTY_FLAGS);
    case G_TYPE_UINT:
      return make_number_property (self, g_value_get_uint (&preset));
    case G_TYPE_STRING:
      return g_param_spec_string (self->property, NULL, NULL,
                                  g_value_get_string (&preset), PROPERTY_FLAGS);
    default:
      return g_param_spec_boxed (self->property, NULL, NULL, G_TYPE_STRV,
                                 PROPERTY_FLAGS);
    }
}

JmSetting *
jm_setting_copy (const JmSetting *self)
{
  return g_memdup2 (self, sizeof *self);
}

/**
 * jm_setting_free:
 * @self: a setting
 *
 * Frees a copy.
 *
 * Since: 0.1
 */
void
jm_setting_free (JmSetting *self)
{
  g_free (self);
}
