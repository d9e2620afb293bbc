/* test-json-writer.c: JSON that is written value by value
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-json-writer-private.h"

#include <json-glib/json-glib.h>
#include <math.h>

static char *
write_all (JmJsonLayout layout)
{
  JmJsonWriter writer = { .out = g_string_new (NULL), .layout = layout };

  jm_json_writer_begin_object (&writer, NULL);
  jm_json_writer_add_text (&writer, "text", "a");
  jm_json_writer_add_known_text (&writer, "left out", NULL);
  jm_json_writer_add_text (&writer, "none", NULL);
  jm_json_writer_begin_array (&writer, "numbers");
  jm_json_writer_add_int (&writer, NULL, G_MININT64);
  jm_json_writer_add_double (&writer, NULL, 12.345678901);
  jm_json_writer_add_double (&writer, NULL, NAN);
  jm_json_writer_end_array (&writer);
  jm_json_writer_begin_array (&writer, "empty");
  jm_json_writer_end_array (&writer);
  jm_json_writer_begin_object (&writer, "object");
  jm_json_writer_add_boolean (&writer, "yes", TRUE);
  jm_json_writer_add_json (&writer, "json", "[1]");
  jm_json_writer_end_object (&writer);
  jm_json_writer_end_object (&writer);
  g_assert_cmpuint (writer.depth, ==, 0);

  return g_string_free (writer.out, FALSE);
}

static void
test_without_spaces_for_programs (void)
{
  g_autofree char *json = write_all (JM_JSON_COMPACT);

  g_assert_cmpstr (json, ==,
                   "{\"text\":\"a\",\"none\":null,"
                   "\"numbers\":[-9223372036854775808,12.345678901,null],"
                   "\"empty\":[],\"object\":{\"yes\":true,\"json\":[1]}}");
}

static void
test_with_spaces (void)
{
  g_autofree char *json = write_all (JM_JSON_SPACED);

  g_assert_cmpstr (json, ==,
                   "{\"text\": \"a\", \"none\": null, "
                   "\"numbers\": [-9223372036854775808, 12.345678901, null], "
                   "\"empty\": [], \"object\": {\"yes\": true, \"json\": [1]}}");
}

static void
test_with_a_line_for_each_value (void)
{
  g_autofree char *json = write_all (JM_JSON_PRETTY);

  g_assert_cmpstr (json, ==,
                   "{\n  \"text\": \"a\",\n  \"none\": null,\n  \"numbers\": [\n"
                   "    -9223372036854775808,\n    12.345678901,\n    null\n  ],\n"
                   "  \"empty\": [],\n  \"object\": {\n    \"yes\": true,\n"
                   "    \"json\": [1]\n  }\n}");
}

static void
test_rows_on_lines_of_their_own (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  JmJsonWriter writer = { .out = out, .layout = JM_JSON_SPACED };

  jm_json_writer_begin_array (&writer, NULL);
  for (guint i = 0; i < 3; i++)
    {
      jm_json_writer_break_line (&writer);
      jm_json_writer_add_int (&writer, NULL, i);
    }
  jm_json_writer_end_array (&writer);
  g_assert_cmpstr (out->str, ==, "[0,\n1,\n2]");

  g_string_assign (out, "[\n");
  for (guint i = 0; i < 2; i++)
    {
      jm_json_writer_break_line (&writer);
      jm_json_writer_add_int (&writer, NULL, i);
    }
  g_assert_cmpstr (out->str, ==, "[\n0,\n1");
}

static void
test_an_empty_object_leaves_no_trace (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  JmJsonWriter writer = { .out = out };
  gsize length;

  jm_json_writer_begin_array (&writer, NULL);
  for (guint i = 0; i < 4; i++)
    {
      length = out->len;
      jm_json_writer_begin_object (&writer, NULL);
      if (i % 2 == 1)
        jm_json_writer_add_int (&writer, "i", i);
      jm_json_writer_end_filled_object (&writer, length);
    }
  jm_json_writer_end_array (&writer);

  g_assert_cmpstr (out->str, ==, "[{\"i\":1},{\"i\":3}]");
}

/* --- strings --- */

static char *
write_text (const char *text, gboolean is_ascii)
{
  JmJsonWriter writer = { .out = g_string_new (NULL), .is_ascii = is_ascii };

  jm_json_writer_add_text (&writer, NULL, text);

  return g_string_free (writer.out, FALSE);
}

static void
test_what_could_steer_a_terminal_is_escaped (void)
{
  /* an escape, a direction, a tag beyond the first plane, and letters */
  g_autofree char *json =
    write_text ("\033[31m\xe2\x80\xae\xf3\xa0\x80\x81\xc3\xa9\xf0\x9f\x90\x8d\x7f",
                FALSE);

  g_assert_cmpstr (json, ==,
                   "\"\\u001b[31m\\u202e\\udb40\\udc01\xc3\xa9\xf0\x9f\x90\x8d"
                   "\\u007f\"");
}

static void
test_all_but_ascii_is_escaped_where_that_is_asked_for (void)
{
  g_autofree char *json = write_text ("a\xc3\xa9\xf0\x9f\x90\x8d\xff\"", TRUE);

  g_assert_cmpstr (json, ==, "\"a\\u00e9\\ud83d\\udc0d\\ufffd\\\"\"");
}

/* Each byte that is not UTF-8, as g_utf8_make_valid() has it, whatever follows. */
static void
test_any_bytes_read_back_as_valid_text (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 20000; i++)
    {
      char text[8] = "";
      g_autofree char *valid = NULL;
      g_autofree char *json = NULL;
      g_autoptr (JsonNode) node = NULL;

      for (guint j = 0; j < sizeof text - 1; j++)
        text[j] =
          (char) (i % 2 == 0
                    ? g_rand_int_range (rand, 1, 256)
                    : "\xed\xa0\xf0\x80\xc3\\\""[g_rand_int_range (rand, 0, 7)]);
      valid = g_utf8_make_valid (text, -1);
      json = write_text (text, FALSE);
      node = json_from_string (json, NULL);
      g_assert_nonnull (node);
      g_assert_cmpstr (json_node_get_string (node), ==, valid);
    }
}

/* --- trees --- */

static void
test_a_tree_is_written_alike (void)
{
  g_autofree char *json = write_all (JM_JSON_COMPACT);
  g_autoptr (JsonNode) node = json_from_string (json, NULL);
  g_autofree char *again = jm_json_format (node, FALSE);

  g_assert_nonnull (node);
  g_assert_cmpstr (again, ==, json);
}

static void
test_a_tree_may_hold_what_json_cannot (void)
{
  g_autoptr (JsonArray) array = json_array_new ();
  g_autoptr (JsonNode) node = json_node_init_array (json_node_alloc (), array);
  g_autofree char *json = NULL;

  json_array_add_double_element (array, NAN);
  json_array_add_double_element (array, -INFINITY);
  json_array_add_string_element (array, "a\xff\x1f");
  json = jm_json_format (node, FALSE);

  g_assert_cmpstr (json, ==, "[null,null,\"a\xef\xbf\xbd\\u001f\"]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, test) g_test_add_func ("/core/json-writer/" name, test)
  ADD ("without-spaces-for-programs", test_without_spaces_for_programs);
  ADD ("with-spaces", test_with_spaces);
  ADD ("with-a-line-for-each-value", test_with_a_line_for_each_value);
  ADD ("rows-on-lines-of-their-own", test_rows_on_lines_of_their_own);
  ADD ("an-empty-object-leaves-no-trace", test_an_empty_object_leaves_no_trace);
  ADD ("what-could-steer-a-terminal-is-escaped",
       test_what_could_steer_a_terminal_is_escaped);
  ADD ("all-but-ascii-is-escaped-where-that-is-asked-for",
       test_all_but_ascii_is_escaped_where_that_is_asked_for);
  ADD ("any-bytes-read-back-as-valid-text", test_any_bytes_read_back_as_valid_text);
  ADD ("a-tree-is-written-alike", test_a_tree_is_written_alike);
  ADD ("a-tree-may-hold-what-json-cannot", test_a_tree_may_hold_what_json_cannot);
#undef ADD

  return g_test_run ();
}
