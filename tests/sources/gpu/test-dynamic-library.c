/* test-dynamic-library.c: a library that is looked for at run time
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/gpu/jm-gpu-library-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "tree.h"

/* One that every machine has, since all programs need it. */
#define MATHS "libm.so.6"
#define NOWHERE "libno-such-library.so.1"

typedef struct
{
  gpointer before;
  double (*root) (double);
  double (*unknown) (double);
  gpointer after;
} Maths;

static const JmDynamicSymbol symbols[] = {
  JM_SYMBOL (Maths, root, "sqrt", TRUE),
  JM_SYMBOL (Maths, unknown, "sqrt_of_tomorrow", FALSE),
};

static JmDynamicLibrary *
open_maths (const char *root,
            const char *path,
            const char *soname,
            Maths *maths,
            GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (root);
  const char *const sonames[] = { NOWHERE, soname, NULL };

  memset (maths, 0xff, sizeof *maths);

  return jm_dynamic_library_open (host, path, sonames, symbols, G_N_ELEMENTS (symbols),
                                  maths, error);
}

static void
test_the_first_that_there_is_is_loaded (void)
{
  g_autoptr (GError) error = NULL;
  Maths maths;
  g_autoptr (JmDynamicLibrary) library = open_maths (NULL, NULL, MATHS, &maths, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (jm_dynamic_library_get_name (library), ==, MATHS);
  g_assert_cmpfloat (maths.root (81), ==, 9);
}

static void
test_what_is_not_required_stays_empty (void)
{
  g_autoptr (GError) error = NULL;
  Maths maths;
  g_autoptr (JmDynamicLibrary) library = open_maths (NULL, NULL, MATHS, &maths, &error);

  g_assert_no_error (error);
  g_assert_nonnull (library);
  g_assert_null (maths.unknown);
  g_assert_cmpuint ((gsize) maths.before, ==, G_MAXSIZE);
  g_assert_cmpuint ((gsize) maths.after, ==, G_MAXSIZE);
}

static void
test_one_that_is_not_installed_is_absent (void)
{
  g_autoptr (GError) error = NULL;
  Maths maths;
  JmDynamicLibrary *library = open_maths (NULL, NULL, NOWHERE, &maths, &error);

  g_assert_null (library);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, NOWHERE ": "));
}

static void
test_a_missing_function_is_named (void)
{
  const JmDynamicSymbol future[] = { JM_SYMBOL (Maths, root, "sqrt_of_tomorrow",
                                                TRUE) };
  const char *const sonames[] = { MATHS, NULL };
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  Maths maths;

  g_assert_null (
    jm_dynamic_library_open (host, NULL, sonames, future, 1, &maths, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, MATHS ": "));
  g_assert_nonnull (strstr (error->message, "sqrt_of_tomorrow"));
}

static void
test_a_copied_tree_has_none (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GError) error = NULL;
  Maths maths;
  JmDynamicLibrary *library = open_maths (tree->root, NULL, MATHS, &maths, &error);

  g_assert_null (library);
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_one_that_is_named_is_loaded_for_a_copied_tree_too (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (GError) error = NULL;
  Maths maths;
  g_autoptr (JmDynamicLibrary) library =
    open_maths (tree->root, MATHS, NOWHERE, &maths, &error);

  g_assert_no_error (error);
  g_assert_nonnull (library);
  g_assert_cmpfloat (maths.root (81), ==, 9);
}

static void
test_a_file_that_is_no_library_is_there_but_of_no_use (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autofree char *path = tree_path (tree, "libm.so.6");
  g_autoptr (GError) error = NULL;
  Maths maths;

  tree_write (tree, "libm.so.6", "no library\n");
  g_assert_null (open_maths (NULL, path, MATHS, &maths, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, path));
}

static void
test_a_path_that_does_not_exist_is_named (void)
{
  g_autoptr (GError) error = NULL;
  Maths maths;

  g_assert_null (open_maths (NULL, "/nowhere/libm.so.6", MATHS, &maths, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
  g_assert_true (g_str_has_prefix (error->message, "/nowhere/libm.so.6: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/dynamic-library/" name, test_##function)

  SITUATION ("the-first-that-there-is-is-loaded", the_first_that_there_is_is_loaded);
  SITUATION ("what-is-not-required-stays-empty", what_is_not_required_stays_empty);
  SITUATION ("one-that-is-not-installed-is-absent",
             one_that_is_not_installed_is_absent);
  SITUATION ("a-missing-function-is-named", a_missing_function_is_named);
  SITUATION ("a-copied-tree-has-none", a_copied_tree_has_none);
  SITUATION ("one-that-is-named-is-loaded-for-a-copied-tree-too",
             one_that_is_named_is_loaded_for_a_copied_tree_too);
  SITUATION ("a-file-that-is-no-library-is-there-but-of-no-use",
             a_file_that_is_no_library_is_there_but_of_no_use);
  SITUATION ("a-path-that-does-not-exist-is-named",
             a_path_that_does_not_exist_is_named);

  return g_test_run ();
}
