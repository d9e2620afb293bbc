/* jmc-mail-address.c: addresses that a scheduler's users wrote
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-address.h"

#include <string.h>

#include "base/jm-error.h"
#include "mail/jmc-mail-lines.h"

#define SEPARATORS ", \t\r\n;"
#define MAX_LENGTH 254
#define MAX_BOOK_BYTES (16 * 1024 * 1024)

/* Those of RFC 5322's atoms and the dot. */
#define MARKS ".!#$%&'*+-/=?^_`{|}~"

static gboolean
is_host (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr (".-_", *c) == NULL)
      return FALSE;

  return g_ascii_isalnum (*text);
}

const char *
jmc_mail_address_find_fault (const char *address)
{
  const char *at = strrchr (address, '@');
  const char *end = at != NULL ? at : address + strlen (address);

  if (strlen (address) > MAX_LENGTH)
    return "too long";
  /* - would be an option, | a command and / a file */
  if (!g_ascii_isalnum (*address) && *address != '_')
    return "does not begin with a letter or a digit";
  for (const char *c = address; c < end; c++)
    if (!g_ascii_isalnum (*c) && strchr (MARKS, *c) == NULL)
      return "has a character that no address has";
  if (at != NULL && !is_host (at + 1))
    return "has no domain behind its @";

  return NULL;
}

static gboolean
has (GPtrArray *addresses, const char *address)
{
  return g_ptr_array_find_with_equal_func (addresses, address, g_str_equal, NULL);
}

static void
add (GPtrArray *addresses, GPtrArray *refused, const char *word, const char *domain)
{
  g_autofree char *address = domain != NULL && strchr (word, '@') == NULL
                               ? g_strconcat (word, "@", domain, NULL)
                               : g_strdup (word);
  const char *fault = jmc_mail_address_find_fault (address);

  if (fault == NULL && has (addresses, address))
    return;
  if (fault == NULL && addresses->len >= JMC_MAIL_MAX_RECIPIENTS)
    fault = "one too many";

  if (fault != NULL)
    g_ptr_array_add (refused, g_strdup_printf ("%.*s: %s", MAX_LENGTH, address, fault));
  else
    g_ptr_array_add (addresses, g_steal_pointer (&address));
}

void
jmc_mail_address_add (GPtrArray *addresses,
                      GPtrArray *refused,
                      const char *text,
                      const char *domain)
{
  g_auto (GStrv) words = g_strsplit_set (text, SEPARATORS, -1);

  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      add (addresses, refused, *word, domain);
}

/* --- the book --- */

static gboolean
read_line (GHashTable *book, char *line, guint number, const char *path, GError **error)
{
  g_autoptr (GPtrArray) addresses = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) refused = g_ptr_array_new_with_free_func (g_free);
  char *rest;

  g_strstrip (line);
  if (*line == '\0' || *line == '#')
    return TRUE;

  rest = line + strcspn (line, " \t:");
  if (*rest != '\0')
    *rest++ = '\0';
  jmc_mail_address_add (addresses, refused, rest, NULL);
  if (refused->len > 0 || addresses->len == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED, "%s: line %u: %s", path, number,
                   refused->len > 0 ? (char *) refused->pdata[0]
                                    : "no address behind the user");
      return FALSE;
    }
  g_ptr_array_add (addresses, NULL);
  g_hash_table_replace (book, g_strdup (line),
                        g_strjoinv (" ", (char **) addresses->pdata));

  return TRUE;
}

GHashTable *
jmc_mail_address_read_book (const char *path, GError **error)
{
  g_auto (GStrv) lines = jmc_mail_lines_read (path, MAX_BOOK_BYTES, error);
  g_autoptr (GHashTable) book =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (lines == NULL)
    return NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    if (!read_line (book, lines[i], i + 1, path, error))
      return NULL;

  return g_steal_pointer (&book);
}
