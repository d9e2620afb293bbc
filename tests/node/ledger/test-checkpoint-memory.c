/* test-checkpoint-memory.c: memory that outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "node/ledger/jm-checkpoint-memory-private.h"

#define NODE "n1"
#define HALVES_OFFSET 512
#define HALF_BYTES 24
#define CONTENT_OFFSET 4096
#define VERSION_OFFSET 8

/* As the service manager has it. */
static int
keep (const JmCheckpointMemory *memory)
{
  g_autoptr (GError) error = NULL;
  int fd = jm_checkpoint_memory_share (memory, &error);

  g_assert_no_error (error);

  return fd;
}

static JmCheckpointMemory *
make (void)
{
  g_autoptr (GError) error = NULL;
  JmCheckpointMemory *memory = jm_checkpoint_memory_new (NODE, &error);

  g_assert_no_error (error);

  return memory;
}

static JmCheckpointMemory *
go_on (int fd)
{
  g_autoptr (GError) error = NULL;
  JmCheckpointMemory *memory = jm_checkpoint_memory_open (fd, NODE, &error);

  g_assert_no_error (error);

  return memory;
}

static gboolean
write_text (JmCheckpointMemory *memory, const char *text)
{
  g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));

  return jm_checkpoint_memory_write (memory, content, NULL);
}

static void
assert_text (const JmCheckpointMemory *memory, const char *expected)
{
  g_autoptr (GBytes) content = jm_checkpoint_memory_read (memory);

  g_assert_nonnull (content);
  g_assert_cmpmem (g_bytes_get_data (content, NULL), g_bytes_get_size (content),
                   expected, strlen (expected));
}

static void
overwrite (int fd, gint64 offset, const char *text)
{
  g_assert_cmpint (pwrite (fd, text, strlen (text), offset), ==,
                   (gssize) strlen (text));
}

static void
test_has_for_the_next_program_what_was_written_last (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  g_autoptr (JmCheckpointMemory) next = NULL;
  g_autoptr (GBytes) nothing = jm_checkpoint_memory_read (memory);

  g_assert_null (nothing);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("round %u", i);

      g_assert_true (write_text (memory, text));
      g_clear_pointer (&next, jm_checkpoint_memory_free);
      next = go_on (keep (memory));
      assert_text (next, text);
    }

  g_assert_true (write_text (next, "of the next"));
  assert_text (memory, "of the next");
}

/* Wherever a kill finds the writer: in the content, or before the words that close it.
 */
static void
test_has_the_one_before_where_the_last_was_cut_short (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  g_autoptr (JmCheckpointMemory) next = NULL;
  int fd = keep (memory);

  g_assert_true (write_text (memory, "first"));
  g_assert_true (write_text (memory, "second"));
  overwrite (fd, CONTENT_OFFSET, "X");
  assert_text (memory, "first");

  g_assert_true (write_text (memory, "third"));
  g_assert_true (write_text (memory, "fourth"));
  overwrite (fd, HALVES_OFFSET, "XXXXXXXX");
  next = go_on (fd);
  assert_text (next, "third");
}

static void
test_has_nothing_where_all_is_broken (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  g_autoptr (GBytes) content = NULL;
  g_autoptr (JmCheckpointMemory) next = NULL;
  int fd = keep (memory);

  g_assert_true (write_text (memory, "first"));
  for (guint i = 0; i < 2 * HALF_BYTES; i++)
    overwrite (fd, HALVES_OFFSET + i, "\xff");
  next = go_on (fd);
  content = jm_checkpoint_memory_read (next);

  g_assert_null (content);
  g_assert_true (write_text (next, "anew"));
  assert_text (next, "anew");
}

static void
test_keeps_what_it_has_where_something_is_too_large (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  g_autofree char *much = g_malloc0 (JM_CHECKPOINT_MEMORY_MAX + 1);
  g_autoptr (GBytes) content = g_bytes_new (much, JM_CHECKPOINT_MEMORY_MAX + 1);
  g_autoptr (GBytes) most = g_bytes_new (much, JM_CHECKPOINT_MEMORY_MAX);
  g_autoptr (GError) error = NULL;

  g_assert_true (write_text (memory, "small"));
  g_assert_false (jm_checkpoint_memory_write (memory, content, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_TOO_LARGE);
  assert_text (memory, "small");
  g_assert_true (jm_checkpoint_memory_write (memory, most, NULL));
}

static void
assert_refused (int fd, const char *node)
{
  g_autoptr (GError) error = NULL;
  JmCheckpointMemory *memory = jm_checkpoint_memory_open (fd, node, &error);

  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_null (memory);
}

static void
test_is_none_of_another_node (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();

  assert_refused (keep (memory), "n2");
}

static void
test_is_none_of_another_version (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  int fd = keep (memory);

  overwrite (fd, VERSION_OFFSET, "\x7f");
  assert_refused (fd, NODE);
}

static void
test_is_none_of_another_size (void)
{
  int small = memfd_create ("small", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int unsealed = memfd_create ("unsealed", MFD_CLOEXEC);

  overwrite (small, 0, "jmcheckp");
  g_assert_cmpint (fcntl (small, F_ADD_SEALS,
                          F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL),
                   ==, 0);
  assert_refused (small, NODE);
  assert_refused (unsealed, NODE);
}

static void
test_is_none_of_what_is_no_memory (void)
{
  int pipes[2];

  g_assert_cmpint (pipe2 (pipes, O_CLOEXEC), ==, 0);
  assert_refused (pipes[0], NODE);
  assert_refused (pipes[1], NODE);
  assert_refused (open ("/dev/null", O_RDWR | O_CLOEXEC), NODE);
}

static void
test_knows_whether_somebody_keeps_it (void)
{
  g_autoptr (JmCheckpointMemory) memory = make ();
  g_autoptr (JmCheckpointMemory) next = NULL;
  g_autoptr (GError) error = NULL;
  int fd = keep (memory);

  g_assert_true (jm_checkpoint_memory_check_shared (memory, NULL));
  g_clear_pointer (&memory, jm_checkpoint_memory_free);
  next = go_on (dup (fd));
  g_assert_true (jm_checkpoint_memory_check_shared (next, NULL));

  close (fd);
  g_assert_false (jm_checkpoint_memory_check_shared (next, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
}

#define ADD(path, function) g_test_add_func ("/checkpoint-memory/" path, function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("last", test_has_for_the_next_program_what_was_written_last);
  ADD ("cut-short", test_has_the_one_before_where_the_last_was_cut_short);
  ADD ("broken", test_has_nothing_where_all_is_broken);
  ADD ("too-large", test_keeps_what_it_has_where_something_is_too_large);
  ADD ("node", test_is_none_of_another_node);
  ADD ("version", test_is_none_of_another_version);
  ADD ("size", test_is_none_of_another_size);
  ADD ("no-memory", test_is_none_of_what_is_no_memory);
  ADD ("kept", test_knows_whether_somebody_keeps_it);

  return g_test_run ();
}
