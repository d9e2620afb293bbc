/* test-log.c: messages, whatever bytes they hold
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib.h>
#include <json-glib/json-glib.h>

#include "base/jm-error.h"
#include "daemon/jme-log-filter.h"
#include "daemon/jme-log.h"

#define TIME_US G_GINT64_CONSTANT (1700000000123456)

static char *
render (JmeLogFormat format, GLogLevelFlags level, const GLogField *fields, gsize n)
{
  GString *line = g_string_new (NULL);

  jme_log_append_line (line, format, level, fields, n, TIME_US);

  return g_string_free (line, FALSE);
}

static char *
render_message (JmeLogFormat format, const char *message)
{
  GLogField field = { "MESSAGE", message, -1 };

  return render (format, G_LOG_LEVEL_WARNING, &field, 1);
}

static void
test_a_plain_message_is_logfmt (void)
{
  const GLogField fields[] = { { "PRIORITY", "4", -1 },
                               { "CODE_FILE", "../a/jme-main.c", -1 },
                               { "CODE_LINE", "12", -1 },
                               { "JOB", "42", -1 },
                               { "MESSAGE", "two words", -1 } };
  g_autofree char *line =
    render (JME_LOG_LOGFMT, G_LOG_LEVEL_MESSAGE, fields, G_N_ELEMENTS (fields));

  g_assert_cmpstr (line, ==,
                   "ts=2023-11-14T22:13:20.123Z level=info caller=jme-main.c:12 "
                   "msg=\"two words\" job=42");
}

static void
test_hostile_bytes_stay_inside_their_quotes (void)
{
  g_autofree char *line =
    render_message (JME_LOG_LOGFMT, "a\nb\"c\\d\x1b[31m\xff\xe2\x80\xae");
  g_autofree char *unit = render_message (JME_LOG_LOGFMT, "\xc2\xb5s");

  g_assert_cmpstr (line, ==,
                   "ts=2023-11-14T22:13:20.123Z level=warn "
                   "msg=\"a\\nb\\\"c\\\\d\\u001b[31m\\xff\\u202e\"");
  g_assert_true (g_str_has_suffix (unit, "msg=\"\xc2\xb5s\""));
}

static void
test_json_is_json_whatever_the_message (void)
{
  static const char *const messages[] = { "plain",    "a\nb\"c\\d\x1b\x7f",
                                          "\xff\xfe", "\xe2\x82",
                                          "",         "\xf0\x9f\x90\xa7" };

  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autofree char *line = render_message (JME_LOG_JSON, messages[i]);
      g_autoptr (JsonNode) node = json_from_string (line, NULL);
      JsonObject *object;

      g_assert_nonnull (node);
      object = json_node_get_object (node);
      g_assert_cmpstr (json_object_get_string_member (object, "level"), ==, "warn");
      if (g_utf8_validate (messages[i], -1, NULL))
        g_assert_cmpstr (json_object_get_string_member (object, "msg"), ==,
                         messages[i]);
    }
}

static void
test_a_message_without_end_is_cut (void)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  g_autofree char *line = render_message (JME_LOG_LOGFMT, text);

  g_assert_cmpuint (strlen (line), <, 9000);
  g_assert_true (g_str_has_suffix (line, "xxx...\""));
}

static void
test_the_same_is_logged_once_until_it_works_again (void)
{
  g_autoptr (JmeLogFilter) filter = jme_log_filter_new ();

  g_assert_true (jme_log_filter_is_new (filter, "rapl", "denied"));
  g_assert_false (jme_log_filter_is_new (filter, "rapl", "denied"));
  g_assert_true (jme_log_filter_is_new (filter, "ipmi", "denied"));
  g_assert_true (jme_log_filter_is_new (filter, "rapl", "gone"));
  jme_log_filter_forget (filter, "rapl");
  g_assert_true (jme_log_filter_is_new (filter, "rapl", "gone"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/log/a-plain-message-is-logfmt", test_a_plain_message_is_logfmt);
  g_test_add_func ("/log/hostile-bytes-stay-inside-their-quotes",
                   test_hostile_bytes_stay_inside_their_quotes);
  g_test_add_func ("/log/json-is-json-whatever-the-message",
                   test_json_is_json_whatever_the_message);
  g_test_add_func ("/log/a-message-without-end-is-cut",
                   test_a_message_without_end_is_cut);
  g_test_add_func ("/log/the-same-is-logged-once-until-it-works-again",
                   test_the_same_is_logged_once_until_it_works_again);

  return g_test_run ();
}
