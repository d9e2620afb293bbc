/* test-json-stream.c: JSON of any length, as it comes
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "base/jm-error.h"
#include "io/jm-json-stream-private.h"

/* What was reported, in a line: `{`, `[`, `}`, KEY=VALUE, with the depth before. */
static gboolean
write_begin (gpointer data, guint depth, JmSlice key, gboolean is_list)
{
  g_string_append_printf (data, "%u%.*s%c ", depth, (int) key.length, key.text,
                          is_list ? '[' : '{');

  return !jm_slice_equal (key, "unwanted");
}

static void
write_end (gpointer data, guint depth)
{
  g_string_append_printf (data, "%u} ", depth);
}

static void
write_value (gpointer data, guint depth, JmSlice key, JmJsonKind kind, JmSlice text)
{
  static const char marks[] = { 'z', 'b', 'n', 's' };

  g_string_append_printf (data, "%u%.*s=%c:%.*s ", depth, (int) key.length, key.text,
                          marks[kind], (int) text.length, text.text);
}

static const JmJsonHandler handler = { write_begin, write_end, write_value };

/* Returns: what was reported, or NULL */
static char *
read_in_chunks (const char *text, gsize chunk, GError **error)
{
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (JmJsonStream) stream = jm_json_stream_new (&handler, told);
  gsize length = strlen (text);

  for (gsize i = 0; i < length; i += chunk)
    jm_json_stream_feed (stream, text + i, MIN (chunk, length - i));
  if (!jm_json_stream_finish (stream, "an answer", error))
    return NULL;

  return g_strdup (told->str);
}

static void
test_reports_all_in_order (void)
{
  static const char text[] =
    "{\"a\": 1.5, \"b\": [true, null, {\"c\": \"x\\u00e4\\n\"}], "
    "\"unwanted\": {\"d\": [1, {\"e\": 2}]}, \"f\": -7}";

  for (gsize chunk = 1; chunk <= sizeof text; chunk++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *told = read_in_chunks (text, chunk, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (told, ==,
                       "0{ 1a=n:1.5 1b[ 2=b:true 2=z: 2{ 3c=s:x\xc3\xa4\n 2} 1} "
                       "1unwanted{ 1f=n:-7 0} ");
    }
}

static void
assert_refused (const char *text, const char *words)
{
  for (gsize chunk = 1; chunk <= 64; chunk += 63)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *told = read_in_chunks (text, chunk, &error);

      g_assert_null (told);
      g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
      g_assert_nonnull (strstr (error->message, words));
      g_assert_true (g_str_has_prefix (error->message, "an answer: "));
    }
}

static void
test_refuses_what_is_no_json (void)
{
  assert_refused ("", "empty");
  assert_refused ("{\"a\": 1", "too early");
  assert_refused ("{\"a\": 1}}", "not JSON");
  assert_refused ("{\"a\": 1} {}", "not JSON");
  assert_refused ("{'a': 1}", "not JSON");
  assert_refused ("<html>", "not JSON");
  assert_refused ("{\"a\": 01}", "not JSON");
}

static void
test_refuses_what_is_nested_too_deep (void)
{
  g_autofree char *deep = g_strnfill (100000, '[');

  assert_refused (deep, "too deep");
}

static void
test_a_text_without_end_is_not_kept (void)
{
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (JmJsonStream) stream = jm_json_stream_new (&handler, told);
  g_autofree char *part = g_strnfill (64 * 1024, 'x');
  g_autoptr (GError) error = NULL;
  guint n_taken = 0;

  g_assert_true (jm_json_stream_feed (stream, "{\"a\": \"", 7));
  while (n_taken < 1000 && jm_json_stream_feed (stream, part, 64 * 1024))
    n_taken++;

  g_assert_cmpuint (n_taken, <, 20);
  g_assert_false (jm_json_stream_finish (stream, "an answer", &error));
  g_assert_nonnull (strstr (error->message, "too long"));
}

static void
test_a_long_key_is_of_no_interest (void)
{
  g_autofree char *key = g_strnfill (100000, 'k');
  g_autofree char *text = g_strdup_printf ("{\"%s\": 1, \"a\": 2}", key);
  g_autoptr (GError) error = NULL;
  g_autofree char *told = read_in_chunks (text, 1000, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (told, "=n:1 1a=n:2 0} "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-stream/all-in-order", test_reports_all_in_order);
  g_test_add_func ("/json-stream/no-json", test_refuses_what_is_no_json);
  g_test_add_func ("/json-stream/deep", test_refuses_what_is_nested_too_deep);
  g_test_add_func ("/json-stream/text-without-end",
                   test_a_text_without_end_is_not_kept);
  g_test_add_func ("/json-stream/long-key", test_a_long_key_is_of_no_interest);

  return g_test_run ();
}
