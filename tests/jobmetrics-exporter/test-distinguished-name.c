/* test-distinguished-name.c: a certificate is for one user, or for nobody
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-error.h"
#include "web/jme-identity.h"

typedef struct
{
  const char *subject;
  const char *name;
} Case;

static void
test_one_common_name_is_found (void)
{
  static const Case cases[] = {
    { "CN=ada", "ada" },
    { "C=DE,O=Site,CN=ada", "ada" },
    { "CN=ada,OU=CN\\=ben,O=x", "ada" },
    { "cn=ada+UID=7", "ada" },
    { "2.5.4.3=ada", "ada" },
    { "CN=a\\,CN\\=ben", "a,CN=ben" },
    { "CN=a\\2cb", "a,b" },
    { "CN=a=b", "a=b" },
    { "CN=\\ ada\\ ", " ada " },
    { "CN=\\c3\\A9", "\xc3\xa9" },
    { "CN=,O=x", "" },
    { "1.2.3=#0401ff,CN=ada", "ada" },
    { "O=CN,CN=ada", "ada" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *name =
        jme_distinguished_name_find_common_name (cases[i].subject, &error);

      g_test_message ("%s", cases[i].subject);
      g_assert_no_error (error);
      g_assert_cmpstr (name, ==, cases[i].name);
    }
}

static void
test_others_name_nobody (void)
{
  static const char *const subjects[] = {
    "CN=ada,CN=ben",
    "CN=ada+CN=ada",
    "CN=ada,2.5.4.3=ben",
    "CN=#0c03616461",
    "CN=ada\\00ben",
    "CN=ada\\",
    "CN=ada\\x",
    "CN=ada\\4",
    "CN=ada;CN=ben",
    "CN=\"ada\"",
    "CN=ada,",
    ",CN=ada",
    "CN",
    "=ada",
    "CN=ada,O",
    "CN=ada,O=#0",
    "CN=ada,O=#04zz",
    " CN=ada",
    "CN =ada",
    "CN=a<b",
  };
  static const char *const absent[] = { "", "O=x", "O=CN\\=ada", "CNX=ada", "XCN=ada" };
  g_autofree char *filler = g_strnfill (5000, 'x');
  g_autofree char *long_subject = g_strconcat ("CN=", filler, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (subjects); i++)
    {
      g_test_message ("%s", subjects[i]);
      g_assert_null (jme_distinguished_name_find_common_name (subjects[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_clear_error (&error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
    {
      g_test_message ("%s", absent[i]);
      g_assert_null (jme_distinguished_name_find_common_name (absent[i], &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
      g_clear_error (&error);
    }
  g_assert_null (jme_distinguished_name_find_common_name (long_subject, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/distinguished-name/one", test_one_common_name_is_found);
  g_test_add_func ("/distinguished-name/others", test_others_name_nobody);

  return g_test_run ();
}
