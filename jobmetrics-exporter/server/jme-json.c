/* jme-json.c: JSON that is written member by member
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "server/jme-json.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "core/jm-number-private.h"
#include "core/jm-safe-text-private.h"

static void
append_string (GString *json, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);
  g_autofree char *quoted = json_to_string (node, FALSE);

  jm_safe_text_append_json (json, quoted);
}

/* Most names, of which there are many. */
static gboolean
is_plain (const char *text)
{
  while (g_ascii_isalnum (*text) || *text == '_')
    text++;

  return *text == '\0';
}

static void
begin_member (GString *json, const char *name)
{
  if (json->len > 0 && strchr ("{[:", json->str[json->len - 1]) == NULL)
    g_string_append_c (json, ',');
  if (name == NULL)
    return;
  if (is_plain (name))
    g_string_append_printf (json, "\"%s\"", name);
  else
    append_string (json, name);
  g_string_append_c (json, ':');
}

void
jme_json_begin (GString *json, const char *name, char bracket)
{
  begin_member (json, name);
  g_string_append_c (json, bracket);
}

void
jme_json_end (GString *json, char bracket)
{
  g_string_append_c (json, bracket);
}

void
jme_json_end_filled (GString *json, gsize length)
{
  if (json->str[json->len - 1] == '{')
    g_string_truncate (json, length);
  else
    jme_json_end (json, '}');
}

void
jme_json_add_text (GString *json, const char *name, const char *text)
{
  if (text == NULL)
    return;
  begin_member (json, name);
  append_string (json, text);
}

void
jme_json_add_number (GString *json, const char *name, gint64 number)
{
  begin_member (json, name);
  g_string_append_printf (json, "%" G_GINT64_FORMAT, number);
}

void
jme_json_add_amount (GString *json, const char *name, double amount)
{
  begin_member (json, name);
  jm_number_append_double (json, amount);
}
