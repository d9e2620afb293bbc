/* fuzz-secret-file.c: any text as a password or token
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdint.h>
#include <string.h>

#include "base/jm-secret-private.h"

#define PATH "/etc/secret"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
assert_is_line (const char *text)
{
  g_assert (text[0] != '\0' && strpbrk (text, "\r\n\t") == NULL);
}

/* No message has a part of the secret. */
static void
assert_tells_nothing (const GError *error)
{
  g_assert (error != NULL && g_str_has_prefix (error->message, PATH ": "));
  g_assert (strlen (error->message) < 80);
}

static void
read_token (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *token = jm_secret_parse_token (text, PATH, &error);

  if (token != NULL)
    assert_is_line (token);
  else
    assert_tells_nothing (error);
}

static void
read_login (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  if (!jm_secret_parse_login (text, PATH, &username, &password, &error))
    {
      assert_tells_nothing (error);
      return;
    }

  assert_is_line (username);
  assert_is_line (password);
}

/* Who reads the file has refused what is no UTF-8. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);

  read_token (text);
  read_login (text);

  return 0;
}
