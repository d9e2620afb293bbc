/* jme-distinguished-name.c: whom a certificate is for
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "web/jme-distinguished-name.h"

#include <string.h>

#include "core/jm-error.h"

#define MAX_BYTES 4096

/* What stands behind a backslash for itself, and what stands there alone. */
#define ESCAPED " \"#+,;<=>\\"
#define NEVER_BARE "\"+,;<>\\"

static gboolean
refuse (JmError code, const char *reason, GError **error)
{
  g_set_error (error, JM_ERROR, (int) code, "the certificate's subject: %s", reason);

  return FALSE;
}

static gboolean
refuse_form (GError **error)
{
  return refuse (JM_ERROR_MALFORMED, "not as RFC 4514 writes it", error);
}

static gboolean
is_common_name (const char *type, gsize length)
{
  static const char *const names[] = { "CN", "commonName", "2.5.4.3", "OID.2.5.4.3" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length &&
        g_ascii_strncasecmp (type, names[i], length) == 0)
      return TRUE;

  return FALSE;
}

/* NUL would end the name for some readers, and not for others. */
static gboolean
take_escape (const char **at, GString *value)
{
  const char *c = *at + 1;
  int byte;

  if (*c != '\0' && strchr (ESCAPED, *c) != NULL)
    {
      g_string_append_c (value, *c);
      *at = c + 1;
      return TRUE;
    }
  if (!g_ascii_isxdigit (c[0]) || !g_ascii_isxdigit (c[1]))
    return FALSE;
  byte = g_ascii_xdigit_value (c[0]) * 16 + g_ascii_xdigit_value (c[1]);
  g_string_append_c (value, (char) byte);
  *at = c + 2;

  return byte != 0;
}

static gboolean
take_text (const char **at, GString *value)
{
  while (**at != '\0' && **at != ',' && **at != '+')
    {
      if (**at == '\\')
        {
          if (!take_escape (at, value))
            return FALSE;
          continue;
        }
      if (strchr (NEVER_BARE, **at) != NULL)
        return FALSE;
      g_string_append_c (value, *(*at)++);
    }

  return TRUE;
}

/* What is no text is written as #HEX. */
static gboolean
take_value (const char **at, GString *value, gboolean *is_text)
{
  gsize length;

  *is_text = **at != '#';
  if (*is_text)
    return take_text (at, value);
  length = strspn (*at + 1, "0123456789abcdefABCDEF");
  *at += 1 + length;

  return length > 0 && length % 2 == 0 && (**at == '\0' || strchr (",+", **at) != NULL);
}

/* TYPE=VALUE; @name is set where it is the common name. */
static gboolean
take_attribute (const char **at, char **name, GError **error)
{
  g_autoptr (GString) value = g_string_new (NULL);
  const char *type = *at;
  gsize length = 0;
  gboolean is_text;

  while (g_ascii_isalnum (type[length]) || type[length] == '.' || type[length] == '-')
    length++;
  if (length == 0 || type[length] != '=')
    return refuse_form (error);
  *at += length + 1;
  if (!take_value (at, value, &is_text))
    return refuse_form (error);
  if (!is_common_name (type, length))
    return TRUE;
  if (*name != NULL)
    return refuse (JM_ERROR_MALFORMED, "two common names", error);
  if (!is_text)
    return refuse (JM_ERROR_MALFORMED, "a common name that is no text", error);
  *name = g_string_free (g_steal_pointer (&value), FALSE);

  return TRUE;
}

char *
jme_distinguished_name_find_common_name (const char *subject, GError **error)
{
  g_autofree char *name = NULL;
  const char *at = subject;

  if (strlen (subject) > MAX_BYTES)
    {
      refuse (JM_ERROR_MALFORMED, "too long", error);
      return NULL;
    }

  while (*subject != '\0')
    {
      if (!take_attribute (&at, &name, error))
        return NULL;
      if (*at == '\0')
        break;
      at++;
    }
  if (name == NULL)
    refuse (JM_ERROR_ABSENT, "no common name", error);

  return g_steal_pointer (&name);
}
