/* test-ledger-crash.c: what is there after a writer has died at any moment
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "made-ledger.h"

static const char *program;

/* --- a file that is cut --- */

#define N_BEFORE 5

/* A ledger's two files at one moment. */
typedef struct
{
  char *db;
  gsize db_length;
  char *wal;
  gsize wal_length;
} Image;

static void
image_take (Image *self, Place *place)
{
  g_autofree char *wal = g_strconcat (place->path, "-wal", NULL);

  g_assert_true (g_file_get_contents (place->path, &self->db, &self->db_length, NULL));
  g_assert_true (g_file_get_contents (wal, &self->wal, &self->wal_length, NULL));
}

static void
image_clear (Image *self)
{
  g_free (self->db);
  g_free (self->wal);
}

static void
write_file (const char *path, const char *content, gsize length)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, content, length), ==, (gssize) length);
  close (fd);
}

/* The image of which the log ends after so many bytes, at another place. */
static void
image_put (const Image *self, gsize wal_length, Place *place)
{
  g_autofree char *wal = g_strconcat (place->path, "-wal", NULL);
  g_autofree char *shm = g_strconcat (place->path, "-shm", NULL);

  g_unlink (shm);
  write_file (place->path, self->db, self->db_length);
  write_file (wal, self->wal, wal_length);
}

/* The first @n of what the test has written: nothing more, and nothing less. */
static void
assert_ledger (JmLedger *ledger, guint n)
{
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *value = g_strdup_printf ("%u", n);
  g_autofree char *ids = made_ledger_list_ids (ledger, NULL);
  g_autoptr (GHashTable) values = jm_ledger_load (ledger, "count", NULL);
  GBytes *found;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (expected, "%s%u", i > 0 ? " " : "", i);
  g_assert_cmpstr (ids, ==, expected->str);

  g_assert_nonnull (values);
  found = g_hash_table_lookup (values, "all");
  g_assert_nonnull (found);
  g_assert_cmpmem (g_bytes_get_data (found, NULL), g_bytes_get_size (found), value,
                   strlen (value));
}

/* A record, and in the same transaction how many there are. */
static void
append_counted (JmLedger *ledger, guint number)
{
  JmLedgerBatch *batch = jm_ledger_batch_new ();
  g_autoptr (JmJobRecord) record = made_record_new_numbered (number);
  g_autofree char *text = g_strdup_printf ("%u", number + 1);
  g_autoptr (GBytes) value = g_bytes_new (text, strlen (text));

  jm_ledger_batch_append (batch, record);
  jm_ledger_batch_set (batch, "count", "all", value);
  made_ledger_finish (ledger, jm_ledger_submit (ledger, batch));
}

static void
check_read (Place *place, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open (place->path, &error);

  g_assert_no_error (error);
  assert_ledger (ledger, n);
}

static void
check_written (Place *place, guint n)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GArray) totals = jm_ledger_list_totals (ledger);

  assert_ledger (ledger, n);
  g_assert_cmpuint (g_array_index (totals, JmLedgerTotal, 0).n_jobs, ==, n);
  append_counted (ledger, n);
  assert_ledger (ledger, n + 1);
}

/* In a quick run every cut near the ends of its pages, and each 61st byte. */
static gboolean
is_worth (gsize i, gsize begin, gsize end)
{
  gsize in_page = (i - begin) % (4096 + 24);

  return g_test_slow () || i == end || in_page < 28 || in_page > 4110 || i % 61 == 0;
}

static void
test_cut_at_each_byte_of_its_last_transaction_it_has_all_before (Place *place,
                                                                 gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  Place copy;
  Image before, after;
  guint n_tried = 0;

  for (guint i = 0; i < N_BEFORE; i++)
    append_counted (ledger, i);
  image_take (&before, place);
  append_counted (ledger, N_BEFORE);
  image_take (&after, place);
  g_assert_cmpmem (before.db, before.db_length, after.db, after.db_length);
  g_assert_cmpuint (after.wal_length, >, before.wal_length);

  place_set_up (&copy, NULL);
  for (gsize i = before.wal_length; i <= after.wal_length; i++)
    {
      guint n = i < after.wal_length ? N_BEFORE : N_BEFORE + 1;

      if (!is_worth (i, before.wal_length, after.wal_length))
        continue;
      image_put (&after, i, &copy);
      check_read (&copy, n);
      if (++n_tried % 16 == 0 || i == after.wal_length)
        check_written (&copy, n);
    }
  g_test_message ("%u cuts of a transaction of %" G_GSIZE_FORMAT " bytes", n_tried,
                  after.wal_length - before.wal_length);

  place_tear_down (&copy, NULL);
  image_clear (&before);
  image_clear (&after);
}

/* --- bytes that are not what they were --- */

static void
damage (Image *image, GRand *rand)
{
  guint n = (guint) g_rand_int_range (rand, 1, 20);

  for (guint i = 0; i < n; i++)
    if (g_rand_boolean (rand))
      image->db[g_rand_int_range (rand, 0, (gint32) image->db_length)] =
        (char) g_rand_int (rand);
    else
      image->wal[g_rand_int_range (rand, 0, (gint32) image->wal_length)] =
        (char) g_rand_int (rand);
}

static void
assert_is_ours (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == JM_ERROR);
  g_assert_cmpint (strlen (error->message), >, 0);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

static void
read_what_there_is (JmLedger *ledger)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = jm_ledger_list (ledger, NULL, NULL, &error);
  g_autoptr (JmJobRecord) record = NULL;
  g_autoptr (GHashTable) values = NULL;

  if (records == NULL)
    assert_is_ours (error);
  g_clear_error (&error);
  values = jm_ledger_load (ledger, "count", &error);
  if (values == NULL)
    assert_is_ours (error);
  g_clear_error (&error);
  record = jm_ledger_find (ledger, "3", &error);
  if (record == NULL)
    assert_is_ours (error);
}

static void
try_damaged (Place *place)
{
  JmLedgerPlan plan = { .path = place->path };
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) reader = jm_ledger_open (place->path, &error);
  g_autoptr (JmLedger) writer = NULL;

  if (reader != NULL)
    read_what_there_is (reader);
  else
    assert_is_ours (error);
  g_clear_object (&reader);
  g_clear_error (&error);

  writer = jm_ledger_open_for_writing (&plan, &error);
  if (writer == NULL)
    {
      assert_is_ours (error);
      return;
    }
  made_ledger_finish (writer, made_ledger_set (writer, "count", "all", "0"));
  {
    g_autoptr (JmJobRecord) record = made_record_new_numbered (1000);

    made_ledger_finish (writer, made_ledger_append (writer, record));
  }
  read_what_there_is (writer);
}

static void
test_one_with_wrong_bytes_is_read_or_refused (Place *place, gconstpointer data)
{
  g_autoptr (JmLedger) ledger = made_ledger_open (place);
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  Image image;

  for (guint i = 0; i < 40; i++)
    append_counted (ledger, i);
  jm_ledger_close (ledger);
  g_clear_object (&ledger);
  ledger = made_ledger_open (place);
  append_counted (ledger, 40);
  image_take (&image, place);

  for (guint i = 0; i < (g_test_slow () ? 2000 : 100); i++)
    {
      Image damaged = { g_memdup2 (image.db, image.db_length), image.db_length,
                        g_memdup2 (image.wal, image.wal_length), image.wal_length };
      Place copy;

      place_set_up (&copy, NULL);
      damage (&damaged, rand);
      image_put (&damaged, damaged.wal_length, &copy);
      try_damaged (&copy);
      place_tear_down (&copy, NULL);
      image_clear (&damaged);
    }
  image_clear (&image);
}

/* --- a writer that is killed --- */

/* Writes records from that number on, and says of each when it was stored. */
static int
write_until_killed (const char *path, guint number)
{
  JmLedgerPlan plan = { .path = path };
  g_autoptr (JmLedger) ledger = jm_ledger_open_for_writing (&plan, NULL);

  if (ledger == NULL)
    return 1;
  for (;; number++)
    {
      append_counted (ledger, number);
      if (write (STDOUT_FILENO, "\n", 1) != 1)
        return 0;
    }
}

static guint
read_acknowledgements (int fd, guint wanted)
{
  char buffer[256];
  guint n = 0;
  gssize n_read;

  while (n < wanted && (n_read = read (fd, buffer, sizeof buffer)) > 0)
    n += (guint) n_read;

  return n;
}

/* Returns how many records there are then, by what it said of itself. */
static guint
kill_a_writer (Place *place, guint number, guint wanted)
{
  g_autofree char *text = g_strdup_printf ("%u", number);
  char *argv[] = { (char *) program, (char *) "--write", place->path, text, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;
  int output;

  g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                            &pid, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  number += read_acknowledgements (output, wanted);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  number += read_acknowledgements (output, G_MAXUINT);
  close (output);

  return number;
}

static guint
count_stored (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JmLedger) ledger = jm_ledger_open (place->path, &error);
  g_autoptr (GPtrArray) records = NULL;

  g_assert_no_error (error);
  records = jm_ledger_list (ledger, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_ledger (ledger, records->len);

  return records->len;
}

static void
test_a_writer_that_is_killed_has_stored_what_it_awaited (Place *place,
                                                         gconstpointer data)
{
  guint n = 0;

  for (guint i = 0; i < (g_test_slow () ? 200 : 25); i++)
    {
      guint n_awaited =
        kill_a_writer (place, n, 1 + (guint) g_test_rand_int_range (0, 40));

      n = count_stored (place);
      g_assert_cmpuint (n, >=, n_awaited);
      /* one more may have been stored, that it could not report */
      g_assert_cmpuint (n, <=, n_awaited + 1);
    }
  check_written (place, n);
  g_test_message ("%u records of writers that were killed", n);
}

#define ADD(test)                                                                      \
 g_test_add ("/ledger-crash/" #test, Place, NULL, place_set_up, test_##test,           \
             place_tear_down)

int
main (int argc, char *argv[])
{
  if (argc == 4 && g_str_equal (argv[1], "--write"))
    return write_until_killed (argv[2], (guint) atoi (argv[3]));

  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  made_warnings_count ();

  ADD (cut_at_each_byte_of_its_last_transaction_it_has_all_before);
  ADD (one_with_wrong_bytes_is_read_or_refused);
  ADD (a_writer_that_is_killed_has_stored_what_it_awaited);

  return g_test_run ();
}
