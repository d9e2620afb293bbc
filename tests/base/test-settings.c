/* test-settings.c: settings from the command line and from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "base/jm-settings-private.h"

static const char *const colours[] = { "red", "green", NULL };

static const JmSetting rows[] = {
  { .name = "lamp.on", .kind = JM_SETTING_FLAG, .help = "Light it", .preset = "true" },
  { .name = "lamp.colour",
    .kind = JM_SETTING_CHOICE,
    .argument = "COLOUR",
    .help = "Its colour",
    .preset = "green",
    .choices = colours },
  { .name = "lamp.watts",
    .kind = JM_SETTING_COUNT,
    .argument = "N",
    .help = "Its power",
    .preset = "40",
    .low = 1,
    .high = 100 },
  { .name = "lamp.delay",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "When it starts",
    .high = 10 },
  { .name = "lamp.room",
    .kind = JM_SETTING_TEXT,
    .is_list = TRUE,
    .argument = "ROOM",
    .help = "Where",
    .preset = "hall" },
  { .name = "lamp.directory",
    .kind = JM_SETTING_DIRECTORY,
    .argument = "DIR",
    .help = "Source" },
};

static JmSettings *
make_settings (void)
{
  JmSettings *settings = jm_settings_new ();

  jm_settings_add_rows (settings, rows, G_N_ELEMENTS (rows));

  return settings;
}

static gboolean
parse (JmSettings *settings, const char *arguments, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group = g_option_group_new ("lamp", NULL, NULL, settings, NULL);
  g_autofree char *line = g_strconcat ("lamp ", arguments, NULL);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  jm_settings_add_options (settings, group);
  g_option_context_set_main_group (context, group);

  return g_option_context_parse_strv (context, &words, error);
}

static gboolean
read_text (JmSettings *settings, const char *text, GError **error)
{
  return jm_settings_read_text (settings, "lamp.conf", text, strlen (text), "lamp",
                                error);
}

static void
assert_refused (const char *arguments, const char *message)
{
  g_autoptr (JmSettings) settings = make_settings ();
  g_autoptr (GError) error = NULL;

  g_assert_true (!parse (settings, arguments, &error) ||
                 !jm_settings_check (settings, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

static void
assert_file_refused (const char *text, const char *message)
{
  g_autoptr (JmSettings) settings = make_settings ();
  g_autoptr (GError) error = NULL;

  g_assert_false (read_text (settings, text, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, message);
}

static void
assert_rooms (const JmSettings *settings, const char *expected)
{
  const char *const *rooms = jm_settings_get_list (settings, "lamp.room");
  g_autofree char *text = g_strjoinv (" ", (char **) rooms);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_presets_serve_where_nothing_is_given (void)
{
  g_autoptr (JmSettings) settings = make_settings ();

  g_assert_true (parse (settings, "", NULL));
  g_assert_true (jm_settings_get_flag (settings, "lamp.on"));
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.colour"), ==, 1);
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.watts"), ==, 40);
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.delay"), ==, 0);
  g_assert_null (jm_settings_get_text (settings, "lamp.directory"));
  assert_rooms (settings, "hall");
  g_assert_false (jm_settings_is_given (settings, "lamp.watts"));
}

static void
test_the_command_line_gives_values (void)
{
  g_autoptr (JmSettings) settings = make_settings ();
  g_autoptr (GError) error = NULL;

  g_assert_true (parse (settings,
                        "--no-lamp.on --lamp.colour=red --lamp.watts=7 "
                        "--lamp.delay=0.25 --lamp.room=attic --lamp.room=cellar",
                        &error));
  g_assert_no_error (error);
  g_assert_false (jm_settings_get_flag (settings, "lamp.on"));
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.colour"), ==, 0);
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.watts"), ==, 7);
  g_assert_cmpuint (jm_settings_get_number (settings, "lamp.delay"), ==, 250);
  assert_rooms (settings, "attic cellar");
}

static void
test_the_command_line_has_the_last_word_in_whatever_order (void)
{
  static const char text[] =
    "[lamp]\nlamp.watts=9\nlamp.room=bath;loo\nlamp.on=false\n";
  g_autoptr (JmSettings) before = make_settings ();
  g_autoptr (JmSettings) after = make_settings ();

  g_assert_true (parse (before, "--lamp.watts=7 --lamp.room=attic", NULL));
  g_assert_true (read_text (before, text, NULL));
  g_assert_true (read_text (after, text, NULL));
  g_assert_true (parse (after, "--lamp.watts=7 --lamp.room=attic", NULL));

  g_assert_cmpuint (jm_settings_get_number (before, "lamp.watts"), ==, 7);
  g_assert_cmpuint (jm_settings_get_number (after, "lamp.watts"), ==, 7);
  assert_rooms (before, "attic");
  assert_rooms (after, "attic");
  g_assert_false (jm_settings_get_flag (before, "lamp.on"));
}

static void
test_a_file_gives_several_values_between_semicolons (void)
{
  g_autoptr (JmSettings) settings = make_settings ();

  g_assert_true (
    read_text (settings, "[lamp]\nlamp.room=bath;loo\n[heater]\nsize=3\n", NULL));
  assert_rooms (settings, "bath loo");
}

static void
test_of_a_key_that_is_there_twice_the_last_counts (void)
{
  g_autoptr (JmSettings) settings = make_settings ();

  g_assert_true (
    read_text (settings, "[lamp]\nlamp.room=bath\nlamp.room=loo;hall\n", NULL));
  assert_rooms (settings, "loo hall");
}

static void
test_a_wrong_value_is_refused_with_its_option (void)
{
  assert_refused ("--lamp.watts=many", "--lamp.watts=many: not a number");
  assert_refused ("--lamp.watts=nan", "--lamp.watts=nan: not a number");
  assert_refused ("--lamp.watts=101", "--lamp.watts=101: not between 1 and 100");
  assert_refused ("--lamp.watts=7.5", "--lamp.watts=7.5: not a whole number");
  assert_refused ("--lamp.colour=blue", "--lamp.colour=blue: not one of red, green");
  assert_refused ("--lamp.directory=/nonexistent",
                  "--lamp.directory=/nonexistent: not a directory");
}

static void
test_a_wrong_value_is_refused_with_its_file_and_group (void)
{
  assert_file_refused ("[lamp]\nlamp.on=perhaps\n",
                       "lamp.conf: [lamp] lamp.on=perhaps: neither true nor false");
  assert_file_refused ("[lamp]\nlamp.room=bath\nlamp.watts=0\n",
                       "lamp.conf: [lamp] lamp.watts=0: not between 1 and 100");
  assert_file_refused ("[lamp]\nshoe=7\n", "lamp.conf: [lamp] shoe: no such setting");
}

static void
test_a_value_that_does_not_count_must_be_right_too (void)
{
  g_autoptr (JmSettings) settings = make_settings ();
  g_autoptr (GError) error = NULL;

  g_assert_true (parse (settings, "--lamp.watts=7", NULL));
  g_assert_false (read_text (settings, "[lamp]\nlamp.watts=many\n", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
}

static void
test_a_list_for_generators_has_a_line_for_each (void)
{
  g_autoptr (JmSettings) settings = make_settings ();
  g_autofree char *text = jm_settings_describe (settings);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, G_N_ELEMENTS (rows) + 1);
  g_assert_cmpstr (lines[2], ==, "lamp.watts\t\tcount\t\tN\t40\t\t1\t100\t\tIts power");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/settings/presets-serve-where-nothing-is-given",
                   test_presets_serve_where_nothing_is_given);
  g_test_add_func ("/settings/the-command-line-gives-values",
                   test_the_command_line_gives_values);
  g_test_add_func ("/settings/the-command-line-has-the-last-word-in-whatever-order",
                   test_the_command_line_has_the_last_word_in_whatever_order);
  g_test_add_func ("/settings/a-file-gives-several-values-between-semicolons",
                   test_a_file_gives_several_values_between_semicolons);
  g_test_add_func ("/settings/of-a-key-that-is-there-twice-the-last-counts",
                   test_of_a_key_that_is_there_twice_the_last_counts);
  g_test_add_func ("/settings/a-wrong-value-is-refused-with-its-option",
                   test_a_wrong_value_is_refused_with_its_option);
  g_test_add_func ("/settings/a-wrong-value-is-refused-with-its-file-and-group",
                   test_a_wrong_value_is_refused_with_its_file_and_group);
  g_test_add_func ("/settings/a-value-that-does-not-count-must-be-right-too",
                   test_a_value_that_does_not_count_must_be_right_too);
  g_test_add_func ("/settings/a-list-for-generators-has-a-line-for-each",
                   test_a_list_for_generators_has_a_line_for_each);

  return g_test_run ();
}
