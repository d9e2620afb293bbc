/* fuzz-request.c: what a client may say, byte by byte
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "expose/jm-text-encoder.h"
#include "node/jme-node-answers.h"
#include "web/jme-head-stream.h"
#include "web/jme-login.h"
#include "web/jme-query.h"
#include "web/jme-request.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
parse_query (const char *text)
{
  g_autoptr (JmeQuery) query = jme_query_parse (text);
  g_auto (GStrv) values = NULL;

  if (query == NULL)
    return;

  values = jme_query_get_values (query, "collect[]");
  for (char **value = values; *value != NULL; value++)
    g_assert_true (g_utf8_validate (*value, -1, NULL));
}

static void
parse_login (const char *text)
{
  g_autofree char *user = NULL;
  g_autofree char *password = NULL;

  if (jme_basic_auth_parse_header (text, &user, &password))
    g_assert_null (strchr (user, ':'));
  else
    g_assert_true (user == NULL && password == NULL);
}

static void
parse_ledger_query (const char *text)
{
  const char *const *names = jme_ledger_query_list_names ();
  g_auto (JmeLedgerQuery) query = { 0 };

  jme_ledger_query_init (&query);
  for (; *names != NULL; names++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_taken = jme_ledger_query_take (&query, *names, text, &error);

      g_assert_true (is_taken == (error == NULL));
      g_assert_true (is_taken || strchr (error->message, '\n') == NULL);
      g_assert_cmpuint (query.limit, >=, 1);
      g_assert_cmpuint (query.limit, <=, 1000);
    }
}

/* As a header and as a path, too. */
static void
parse_head (const guint8 *data, gsize size)
{
  g_autoptr (GString) head = g_string_new ("GET /");

  jme_head_find_fault ((const char *) data, size);
  g_string_append_len (head, (const char *) data, (gssize) size);
  g_string_append (head, " HTTP/1.1\r\nHost: a\r\n");
  g_string_append_len (head, (const char *) data, (gssize) size);
  g_string_append (head, "\r\n\r\n");
  jme_head_find_fault (head->str, head->len);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = NULL;
  g_autofree char *base64 = g_base64_encode (data, size);
  g_autofree char *login = g_strconcat ("Basic ", base64, NULL);

  text = g_strndup ((const char *) data, size);
  parse_head (data, size);
  parse_query (text);
  parse_ledger_query (text);
  parse_login (text);
  parse_login (login);
  jme_encoding_takes_gzip (text);
  jm_negotiate_text_format (text);

  return 0;
}
