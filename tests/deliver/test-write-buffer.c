/* test-write-buffer.c: requests that wait on disk to be sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "deliver/jm-write-batch-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"

#define ROOM (4 * JM_WRITE_BLOCK_BYTES)

static char *
make_directory (void)
{
  g_autoptr (GError) error = NULL;
  char *directory = g_dir_make_tmp ("jm-write-buffer-XXXXXX", &error);

  g_assert_no_error (error);

  return directory;
}

static void
remove_directory (char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (directory), ==, 0);
  g_free (directory);
}

static JmWriteBuffer *
open_buffer (const char *directory)
{
  g_autoptr (GError) error = NULL;
  JmWriteBuffer *buffer = jm_write_buffer_open (directory, ROOM, &error);

  g_assert_no_error (error);
  g_assert_nonnull (buffer);

  return buffer;
}

/* Returns how many samples went for it. */
static guint64
append (JmWriteBuffer *buffer, const char *text, guint n_samples)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) body = g_bytes_new (text, strlen (text));
  JmWriteLoss loss = { 0 };

  jm_write_buffer_append (buffer, body, n_samples, &loss, &error);
  g_assert_no_error (error);

  return loss.n_samples;
}

/* Takes the oldest one off; returns how many were torn before it. */
static guint
assert_next (JmWriteBuffer *buffer, const char *text, guint n_samples)
{
  g_autoptr (GBytes) expected = g_bytes_new (text, strlen (text));
  JmWriteLoss loss = { 0 };
  JmWriteEntry entry;

  g_assert_true (jm_write_buffer_peek (buffer, &entry, &loss));
  g_assert_true (g_bytes_equal (entry.body, expected));
  g_assert_cmpuint (entry.n_samples, ==, n_samples);
  jm_write_buffer_remove (buffer, entry.number);
  g_bytes_unref (entry.body);

  return loss.n_torn;
}

static void
assert_empty (JmWriteBuffer *buffer)
{
  JmWriteLoss loss = { 0 };
  JmWriteEntry entry;

  g_assert_false (jm_write_buffer_peek (buffer, &entry, &loss));
  g_assert_cmpuint (jm_write_buffer_get_bytes (buffer), ==, 0);
}

static void
test_gives_back_in_order (void)
{
  char *directory = make_directory ();

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    append (buffer, "one", 1);
    append (buffer, "", 0);
    append (buffer, "three", 3);
    assert_next (buffer, "one", 1);
    assert_next (buffer, "", 0);
    assert_next (buffer, "three", 3);
    assert_empty (buffer);
  }
  remove_directory (directory);
}

static void
test_outlives_its_process (void)
{
  char *directory = make_directory ();

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    append (buffer, "one", 1);
    append (buffer, "two", 2);
  }

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    g_assert_cmpuint (jm_write_buffer_get_bytes (buffer), ==, 2 * JM_WRITE_BLOCK_BYTES);
    append (buffer, "three", 3);
    assert_next (buffer, "one", 1);
    assert_next (buffer, "two", 2);
    assert_next (buffer, "three", 3);
    assert_empty (buffer);
  }
  remove_directory (directory);
}

static void
test_drops_the_oldest_and_counts_it (void)
{
  char *directory = make_directory ();

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    for (guint i = 1; i <= 4; i++)
      g_assert_cmpuint (append (buffer, "early", i), ==, 0);
    g_assert_cmpuint (append (buffer, "late", 5), ==, 1);
    g_assert_cmpuint (append (buffer, "late", 6), ==, 2);
    g_assert_cmpuint (jm_write_buffer_get_bytes (buffer), ==, ROOM);
    assert_next (buffer, "early", 3);
  }
  remove_directory (directory);
}

/* It may have gone while it was under way. */
static void
test_removes_only_the_one_that_was_read (void)
{
  char *directory = make_directory ();
  JmWriteLoss loss = { 0 };
  JmWriteEntry entry;

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    for (guint i = 1; i <= 4; i++)
      append (buffer, "early", i);
    g_assert_true (jm_write_buffer_peek (buffer, &entry, &loss));
    append (buffer, "late", 5);
    jm_write_buffer_remove (buffer, entry.number);
    g_bytes_unref (entry.body);
    assert_next (buffer, "early", 2);
  }
  remove_directory (directory);
}

/* As one that was killed at it leaves it, and the next one writes after it. */
static void
test_throws_a_torn_file_away (void)
{
  char *directory = make_directory ();
  g_autofree char *name = jm_write_buffer_make_name (1, 2);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *content = NULL;
  gsize length;

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    append (buffer, "one", 1);
    append (buffer, "two", 2);
  }
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_true (g_file_set_contents (path, content, (gssize) length - 1, NULL));

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    append (buffer, "three", 3);
    g_assert_cmpuint (assert_next (buffer, "one", 1), ==, 0);
    g_assert_cmpuint (assert_next (buffer, "three", 3), ==, 1);
    assert_empty (buffer);
  }
  remove_directory (directory);
}

static void
test_leaves_what_is_not_its_own (void)
{
  static const char *const names[] = { "notes.txt", "1-1.request",
                                       "18446744073709551615-1.request" };
  char *directory = make_directory ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
    }

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    assert_empty (buffer);
  }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  remove_directory (directory);
}

static void
test_is_of_one_process (void)
{
  char *directory = make_directory ();
  g_autoptr (GError) error = NULL;

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    g_assert_null (jm_write_buffer_open (directory, ROOM, &error));
    g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
    assert_empty (buffer);
  }
  remove_directory (directory);
}

static void
test_refuses_what_is_larger_than_all (void)
{
  char *directory = make_directory ();
  g_autofree char *text = g_malloc0 (ROOM);
  g_autoptr (GBytes) body = g_bytes_new_static (text, ROOM);
  g_autoptr (GError) error = NULL;
  JmWriteLoss loss = { 0 };

  {
    g_autoptr (JmWriteBuffer) buffer = open_buffer (directory);

    append (buffer, "one", 1);
    g_assert_false (jm_write_buffer_append (buffer, body, 1, &loss, &error));
    g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
    g_assert_cmpuint (loss.n_samples, ==, 0);
    assert_next (buffer, "one", 1);
  }
  remove_directory (directory);
}

static void
test_reports_why_there_is_no_directory (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_write_buffer_open ("/nowhere/at/all", ROOM, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, "/nowhere/at/all: "));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/write-buffer/gives-back-in-order", test_gives_back_in_order);
  g_test_add_func ("/write-buffer/outlives-its-process", test_outlives_its_process);
  g_test_add_func ("/write-buffer/drops-the-oldest-and-counts-it",
                   test_drops_the_oldest_and_counts_it);
  g_test_add_func ("/write-buffer/removes-only-the-one-that-was-read",
                   test_removes_only_the_one_that_was_read);
  g_test_add_func ("/write-buffer/throws-a-torn-file-away",
                   test_throws_a_torn_file_away);
  g_test_add_func ("/write-buffer/leaves-what-is-not-its-own",
                   test_leaves_what_is_not_its_own);
  g_test_add_func ("/write-buffer/is-of-one-process", test_is_of_one_process);
  g_test_add_func ("/write-buffer/refuses-what-is-larger-than-all",
                   test_refuses_what_is_larger_than_all);
  g_test_add_func ("/write-buffer/reports-why-there-is-no-directory",
                   test_reports_why_there_is_no_directory);

  return g_test_run ();
}
