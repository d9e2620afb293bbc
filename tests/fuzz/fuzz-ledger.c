/* fuzz-ledger.c: any file, opened as a ledger; and one of which a few bytes are wrong
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "made-ledger.h"

#define N_RECORDS 30
/* A file that says that it has a million records may be believed for a while. */
#define MOST_RECORDS 100

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

typedef struct
{
  Place place;
  char *sound; /* a ledger that nothing is wrong with */
  gsize length;
} Fuzz;

static Fuzz *
fuzz_new (void)
{
  Fuzz *self = g_new0 (Fuzz, 1);
  g_autoptr (JmLedger) ledger = NULL;

  place_set_up (&self->place, NULL);
  ledger = made_ledger_open (&self->place);
  made_ledger_set (ledger, "energy", "a", "1");
  for (guint i = 0; i < N_RECORDS; i++)
    {
      g_autoptr (JmJobRecord) record = made_record_new_numbered (i);

      made_ledger_finish (ledger, made_ledger_append (ledger, record));
    }
  jm_ledger_close (ledger);
  g_assert_true (
    g_file_get_contents (self->place.path, &self->sound, &self->length, NULL));

  return self;
}

static void
put (const Fuzz *self, const char *content, gsize length)
{
  static const char *const suffixes[] = { "-wal", "-shm" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (self->place.path, suffixes[i], NULL);

      g_unlink (path);
    }
  g_assert_true (g_file_set_contents_full (self->place.path, content, (gssize) length,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* Three bytes are the place of a wrong byte, the fourth what it is. */
static void
put_damaged (const Fuzz *self, const guint8 *data, gsize size)
{
  g_autofree char *content = g_memdup2 (self->sound, self->length);

  for (gsize i = 0; i + 4 <= size; i += 4)
    content[(data[i] | (gsize) data[i + 1] << 8 | (gsize) data[i + 2] << 16) %
            self->length] = (char) data[i + 3];
  put (self, content, self->length);
}

static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == JM_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

static void
read_all (JmLedger *ledger)
{
  g_autoptr (JmLedgerFilter) filter = jm_ledger_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = NULL;
  g_autoptr (GHashTable) values = NULL;

  jm_ledger_filter_set_limit (filter, MOST_RECORDS);
  records = jm_ledger_list (ledger, filter, NULL, &error);
  if (records == NULL)
    check_error (error);
  else
    g_assert_cmpuint (records->len, <=, MOST_RECORDS);
  g_clear_error (&error);

  jm_ledger_filter_set_job (filter, "7");
  g_clear_pointer (&records, g_ptr_array_unref);
  records = jm_ledger_list (ledger, filter, NULL, &error);
  if (records == NULL)
    check_error (error);
  g_clear_error (&error);

  values = jm_ledger_load (ledger, "energy", &error);
  if (values == NULL)
    check_error (error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static Fuzz *fuzz;
  g_autoptr (JmLedger) ledger = NULL;
  g_autoptr (GError) error = NULL;

  if (fuzz == NULL)
    {
      fuzz = fuzz_new ();
      made_warnings_count ();
    }
  if (size == 0)
    return 0;

  if (data[0] == 'S')
    put (fuzz, (const char *) data, size);
  else
    put_damaged (fuzz, data, size);

  ledger = jm_ledger_open (fuzz->place.path, &error);
  if (ledger != NULL)
    read_all (ledger);
  else
    check_error (error);

  return 0;
}
