/* log-fixture.h: accounting files that grow, and what is read of them
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib/gstdio.h>
#include <utime.h>

#include "base/jm-error.h"
#include "core/jm-run-batch-private.h"
#include "core/jm-run-field-private.h"
#include "schedulers/jm-history-private.h"

typedef struct
{
  char *directory;
  char *path;
  char *text;
  gsize length;
  JmHistory *history;
  GPtrArray *runs; /* what was reported */
  char *position;
} LogFixture;

static inline void
log_write (LogFixture *f, const char *text, gsize length)
{
  /* what takes the place of a file is synchronised with the disk, which takes its time
   */
  g_unlink (f->path);
  g_assert_true (g_file_set_contents (f->path, text, (gssize) length, NULL));
}

static inline void
log_begin (LogFixture *f, const char *folder, const char *file)
{
  g_autofree char *recorded =
    g_test_build_filename (G_TEST_DIST, "fixtures", folder, file, NULL);

  f->directory = g_dir_make_tmp ("jm-log-XXXXXX", NULL);
  f->path = g_build_filename (f->directory, file, NULL);
  f->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) jm_run_unref);
  g_assert_true (g_file_get_contents (recorded, &f->text, &f->length, NULL));
}

static inline void
log_end (LogFixture *f, gconstpointer data)
{
  GDir *dir = g_dir_open (f->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (f->directory, name, NULL);

      g_unlink (path);
    }
  g_dir_close (dir);
  g_rmdir (f->directory);
  g_clear_object (&f->history);
  g_ptr_array_unref (f->runs);
  g_free (f->directory);
  g_free (f->path);
  g_free (f->text);
  g_free (f->position);
}

static inline gboolean
log_take (JmRunBatch *batch, gpointer data, GError **error)
{
  LogFixture *f = data;
  const char *name = jm_history_get_position_name (f->history);

  g_assert_cmpuint (batch->items->len, <=, JM_HISTORY_BATCH_RUNS);
  for (guint i = 0; i < batch->items->len; i++)
    g_ptr_array_add (f->runs,
                     jm_run_ref (g_array_index (batch->items, JmRunItem, i).run));
  g_free (f->position);
  f->position = g_strdup (g_hash_table_lookup (batch->positions, name));

  return TRUE;
}

/* Reads on from where the last reading ended. */
static inline void
log_read (LogFixture *f)
{
  g_autofree char *position = g_strdup (f->position);
  g_autoptr (GError) error = NULL;

  jm_history_read (f->history, position, log_take, f, NULL, &error);
  g_assert_no_error (error);
  /* the last batch has one */
  g_assert_true (f->position != NULL || f->runs->len == 0);
}

static inline void
log_forget (LogFixture *f)
{
  g_ptr_array_set_size (f->runs, 0);
  g_clear_pointer (&f->position, g_free);
}

/* Whose number is which. */
static inline char *
log_list (LogFixture *f)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < f->runs->len; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? " " : "",
                            jm_run_get_raw_id (g_ptr_array_index (f->runs, i)));

  return g_string_free (list, FALSE);
}

static inline void
log_assert_list (LogFixture *f, const char *expected)
{
  g_autofree char *list = log_list (f);

  g_assert_cmpstr (list, ==, expected);
}

/* -1 where it is not known. */
static inline gint64
log_number (LogFixture *f, guint run, JmRunField field)
{
  gint64 number;

  return jm_run_get_number (g_ptr_array_index (f->runs, run), field, &number) ? number
                                                                              : -1;
}

static inline const char *
log_text (LogFixture *f, guint run, JmRunField field)
{
  return jm_run_peek_text (g_ptr_array_index (f->runs, run), field);
}

/* Whatever is there when the first reading comes, the second one reports the rest. */
static inline void
log_assert_cuts (LogFixture *f, const char *expected)
{
  for (gsize cut = 0; cut <= f->length; cut++)
    {
      log_forget (f);
      log_write (f, f->text, cut);
      log_read (f);
      log_write (f, f->text, f->length);
      log_read (f);
      log_assert_list (f, expected);
    }
}

/* Seconds since 1970: who was rotated when. */
static inline void
log_set_time (const char *path, time_t time)
{
  const struct utimbuf times = { time, time };

  g_assert_cmpint (g_utime (path, (struct utimbuf *) &times), ==, 0);
}
