/* test-daemon.c: a role that was made up, for a role is a folder and a row
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <stdlib.h>

#include "base/jm-error.h"
#include "daemon/jme-daemon.h"

typedef struct
{
  guint n_flowers;
} Garden;

static const JmSetting flowers = {
  .name = "garden.flowers",
  .kind = JM_SETTING_COUNT,
  .argument = "N",
  .help = "Flowers to plant",
  .preset = "3",
  .low = 1,
  .high = 10,
};

static void
gardener_add_settings (JmSettings *settings)
{
  jm_settings_add (settings, &flowers);
}

static gpointer
gardener_open (const JmSettings *settings, GError **error)
{
  Garden *garden = g_new (Garden, 1);

  garden->n_flowers = jm_settings_get_number (settings, flowers.name);

  return garden;
}

static const char *
gardener_why_not_ready (gpointer state)
{
  return NULL;
}

/* The exit status shows what was planted. */
static int
gardener_print_once (gpointer state)
{
  Garden *garden = state;

  return (int) garden->n_flowers;
}

static void
on_garden (JmeRequest *request, gpointer user_data)
{
  jme_request_reply_text (request, 200, "flowers\n");
}

static const JmeRoute gardener_routes[] = {
  { .path = "/garden", .handler = on_garden },
  { NULL },
};

static const JmeRole gardener = {
  .name = "gardener",
  .summary = "plants flowers",
  .add_settings = gardener_add_settings,
  .open = gardener_open,
  .why_not_ready = gardener_why_not_ready,
  .print_once = gardener_print_once,
  .routes = gardener_routes,
  .close = g_free,
};

static const JmeRole cook = {
  .name = "cook",
  .summary = "cooks soup",
  .add_settings = gardener_add_settings,
};

static const JmeRole *const roles[] = { &gardener, &cook };

static void
test_a_role_is_found_by_its_name (void)
{
  g_autofree char *list = jme_role_list (roles, G_N_ELEMENTS (roles));

  g_assert_true (jme_role_find (roles, G_N_ELEMENTS (roles), "cook") == &cook);
  g_assert_null (jme_role_find (roles, G_N_ELEMENTS (roles), "baker"));
  g_assert_cmpstr (list, ==,
                   "  gardener plants flowers (the default)\n"
                   "  cook     cooks soup\n");
}

static void
test_a_role_has_its_settings_beside_those_of_all (void)
{
  g_autoptr (JmSettings) settings = jme_daemon_make_settings (&gardener);
  g_autoptr (JmSettings) of_cook = jme_daemon_make_settings (&cook);

  g_assert_true (jm_settings_has (settings, "garden.flowers"));
  g_assert_true (jm_settings_has (settings, "web.listen-address"));
  g_assert_true (jm_settings_has (settings, "log.level"));
  g_assert_true (jm_settings_has (settings, "once"));
  g_assert_false (jm_settings_has (of_cook, "once"));
}

static JmSettings *
parse_with_file (const char *text, const char *argument, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *option = NULL;
  char *arguments[] = { (char *) "gardener", NULL, (char *) argument, NULL };
  JmSettings *settings;
  int fd = g_file_open_tmp ("jobmetrics-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  option = g_strconcat ("--config.file=", path, NULL);
  arguments[1] = option;
  settings = jme_daemon_parse (&gardener, arguments, error);
  g_remove (path);

  return settings;
}

static void
test_a_role_reads_its_own_group_of_the_file (void)
{
  static const char text[] = "[gardener]\ngarden.flowers=7\nlog.level=warn\n"
                             "[cook]\nsoup=hot\n";
  g_autoptr (JmSettings) settings = parse_with_file (text, NULL, NULL);
  g_autoptr (JmSettings) overruled = parse_with_file (text, "--garden.flowers=2", NULL);

  g_assert_cmpuint (jm_settings_get_number (settings, "garden.flowers"), ==, 7);
  g_assert_cmpuint (jm_settings_get_number (settings, "log.level"), ==, 2);
  g_assert_cmpuint (jm_settings_get_number (overruled, "garden.flowers"), ==, 2);
}

static void
test_a_wrong_file_is_refused_with_its_group_and_key (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (parse_with_file ("[gardener]\ngarden.flowers=99\n", NULL, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_true (
    g_str_has_suffix (error->message,
                      ": [gardener] garden.flowers=99: not between 1 and 10"));
}

static void
test_a_role_may_print_once (void)
{
  char *arguments[] = { (char *) "gardener", (char *) "--once", NULL };

  if (g_test_subprocess ())
    exit (jme_daemon_run (&gardener, arguments));

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_has_passed ();
  g_test_trap_assert_failed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/daemon/a-role-is-found-by-its-name",
                   test_a_role_is_found_by_its_name);
  g_test_add_func ("/daemon/a-role-has-its-settings-beside-those-of-all",
                   test_a_role_has_its_settings_beside_those_of_all);
  g_test_add_func ("/daemon/a-role-reads-its-own-group-of-the-file",
                   test_a_role_reads_its_own_group_of_the_file);
  g_test_add_func ("/daemon/a-wrong-file-is-refused-with-its-group-and-key",
                   test_a_wrong_file_is_refused_with_its_group_and_key);
  g_test_add_func ("/daemon/a-role-may-print-once", test_a_role_may_print_once);

  return g_test_run ();
}
