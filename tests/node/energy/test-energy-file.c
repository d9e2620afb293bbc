/* test-energy-file.c: energy accounts that outlive the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/jm-error.h"
#include "node/energy/jm-energy-file-private.h"

typedef struct
{
  char *folder;
  char *path;
  GHashTable *accounts;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("energy-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "energy.json", NULL);
  f->accounts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) jm_energy_account_free);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_hash_table_unref (f->accounts);
  g_unlink (f->path);
  g_rmdir (f->folder);
  g_free (f->path);
  g_free (f->folder);
}

static JmEnergyAccount *
make_account (void)
{
  JmEnergyAccount *account = jm_energy_account_new (1);
  g_autoptr (JmEmissionFactor) factor =
    jm_emission_factor_new ("rte", "FR", 44, JM_EMISSION_METHOD_AVERAGE,
                            JM_EMISSION_SCOPE_DIRECT, JM_EMISSION_QUALITY_MEASURED, 0,
                            0);
  const JmRoundFactors factors = { factor, NULL };

  jm_energy_account_begin_round (account, 5000000);
  jm_energy_account_cover (account, JM_ENERGY_PACKAGE, 1);
  jm_energy_account_add (account, JM_ENERGY_PACKAGE, 123456789, &factors);
  jm_energy_account_add (account, JM_ENERGY_DRAM, 0, &factors);

  return account;
}

static void
test_comes_back_as_it_was (Fixture *f, gconstpointer data)
{
  JmEnergyAccount *account = make_account ();
  g_autoptr (GHashTable) read =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                           (GDestroyNotify) jm_energy_account_free);
  g_autoptr (GError) error = NULL;
  const JmEnergyAccount *again;
  const JmFactorShare *share;
  const char *const grams[] = { "rte",      "FR",       "average", "direct",
                                "measured", "measured", NULL };
  gint64 time_us;

  g_hash_table_insert (f->accounts, g_strdup ("an-uuid"), account);
  g_assert_true (jm_energy_file_save (f->path, f->accounts, 1700000000000000, &error));
  g_assert_true (jm_energy_file_load (f->path, read, &time_us, &error));
  g_assert_no_error (error);

  g_assert_cmpint (time_us, ==, 1700000000000000);
  again = g_hash_table_lookup (read, "an-uuid");
  g_assert_cmpuint (again->known, ==, 1u << JM_ENERGY_PACKAGE | 1u << JM_ENERGY_DRAM);
  g_assert_cmpuint (again->energy_uj[JM_ENERGY_PACKAGE], ==, 123456789);
  g_assert_cmpint (again->covered_us[JM_ENERGY_PACKAGE], ==, 5000000);
  g_assert_cmpfloat (again->emissions_ug[0][0], ==, account->emissions_ug[0][0]);
  g_assert_false (again->has_emissions[1][0]);
  share = &g_array_index (again->by_factor, JmFactorShare, 0);
  g_assert_cmpstrv (jm_labels_get_values (share->labels), grams);
}

static void
test_may_be_read_by_all (Fixture *f, gconstpointer data)
{
  mode_t mask = umask (0077);
  GStatBuf status;

  g_assert_true (jm_energy_file_save (f->path, f->accounts, 0, NULL));
  umask (mask);

  g_assert_cmpint (g_stat (f->path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0777, ==, 0644);
}

static void
test_is_absent_where_there_is_none (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 time_us;

  g_assert_false (jm_energy_file_load (f->path, f->accounts, &time_us, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_waits_for_no_pipe (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 time_us;

  g_assert_cmpint (mkfifo (f->path, 0644), ==, 0);
  g_assert_false (jm_energy_file_load (f->path, f->accounts, &time_us, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_is_refused_as_a_whole_where_it_is_broken (Fixture *f, gconstpointer data)
{
  static const char *const texts[] = {
    "",
    "null",
    "[]",
    "{",
    "{\"version\":2,\"time_us\":1}",
    "{\"version\":1,\"time_us\":1,\"accounts\":{}}",
    "{\"version\":2,\"time_us\":-1,\"accounts\":{}}",
    "{\"version\":2,\"time_us\":1,\"accounts\":{\"u\":null}}",
    "{\"version\":2,\"time_us\":1,\"accounts\":{\"u\":{\"energy_uj\":{\"measured\":"
    "{\"package\":-5}}}}}",
    "{\"version\":2,\"time_us\":1,\"accounts\":{\"u\":{\"energy_uj\":{\"measured\":"
    "{\"package\":\"5\"}}}}}",
    "{\"version\":2,\"time_us\":1,\"accounts\":{\"u\":{\"energy_uj\":{},"
    "\"covered_us\":{},\"round_us\":1e300,\"round_uj\":{},\"emissions_ug\":{},"
    "\"by_factor\":[]}}}",
    "{\"version\":2,\"time_us\":1,\"accounts\":{\"u\":{\"energy_uj\":{},"
    "\"covered_us\":{},\"round_us\":1,\"round_uj\":{},\"emissions_ug\":{},"
    "\"by_factor\":[{\"quality\":\"measured\",\"emissions_ug\":1}]}}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 time_us;

      g_test_message ("%s", texts[i]);
      g_assert_true (g_file_set_contents (f->path, texts[i], -1, NULL));
      g_assert_false (jm_energy_file_load (f->path, f->accounts, &time_us, &error));
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_assert_true (g_str_has_prefix (error->message, f->path));
      g_assert_cmpuint (g_hash_table_size (f->accounts), ==, 0);
    }
}

#define ADD(path, function)                                                            \
 g_test_add ("/energy-file/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("comes-back-as-it-was", test_comes_back_as_it_was);
  ADD ("may-be-read-by-all", test_may_be_read_by_all);
  ADD ("is-absent-where-there-is-none", test_is_absent_where_there_is_none);
  ADD ("waits-for-no-pipe", test_waits_for_no_pipe);
  ADD ("is-refused-as-a-whole-where-it-is-broken",
       test_is_refused_as_a_whole_where_it_is_broken);

  return g_test_run ();
}
