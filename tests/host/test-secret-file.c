/* test-secret-file.c: passwords and tokens that a file keeps
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "host/jm-secret-file-private.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "tree.h"

typedef struct
{
  Tree *tree;
  JmHost *host;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->tree = tree_new ();
  self->host = jm_host_new (self->tree->root);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_finalize_object (self->host);
  tree_free (self->tree);
}

static void
put (Fixture *self, const char *path, const char *text)
{
  g_autofree char *real = tree_path (self->tree, path);

  tree_write (self->tree, path, text);
  g_assert_cmpint (g_chmod (real, 0600), ==, 0);
}

static void
test_reads_a_token_and_a_login (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *token = NULL;
  g_autofree char *username = NULL;
  g_autofree char *password = NULL;

  put (self, "etc/token", " 0123abc\n");
  put (self, "etc/login", "# of the BMC\nusername = admin\npassword=a=b\n");
  token = jm_secret_file_read_token (self->host, "/etc/token", &error);
  g_assert_no_error (error);
  g_assert_true (
    jm_secret_file_read_login (self->host, "/etc/login", &username, &password, &error));
  g_assert_no_error (error);

  g_assert_cmpstr (token, ==, "0123abc");
  g_assert_cmpstr (username, ==, "admin");
  g_assert_cmpstr (password, ==, "a=b");
}

static void
test_refuses_what_others_may_read (Fixture *self, gconstpointer data)
{
  g_autofree char *real = tree_path (self->tree, "etc/token");
  g_autoptr (GError) error = NULL;

  put (self, "etc/token", "0123abc\n");
  g_assert_cmpint (g_chmod (real, 0644), ==, 0);

  g_assert_null (jm_secret_file_read_token (self->host, "/etc/token", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_DENIED);
}

/* Outside of the tree there is a secret of that name. */
static void
test_no_link_of_a_copied_tree_leads_out (Fixture *self, gconstpointer data)
{
  g_autofree char *link = tree_path (self->tree, "etc/token");
  g_autofree char *outside = g_strconcat (self->tree->root, "-outside", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents_full (outside, "0123abc\n", -1,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  tree_make_dir (self->tree, "etc");
  g_assert_cmpint (symlink (outside, link), ==, 0);

  g_assert_null (jm_secret_file_read_token (self->host, "/etc/token", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_cmpint (g_unlink (outside), ==, 0);
}

#define ADD(path, function)                                                            \
 g_test_add ("/secret-file/" path, Fixture, NULL, set_up, test_##function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("read", reads_a_token_and_a_login);
  ADD ("mode", refuses_what_others_may_read);
  ADD ("link", no_link_of_a_copied_tree_leads_out);

  return g_test_run ();
}
