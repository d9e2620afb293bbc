/* test-safe-text.c: text that steers no terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "base/jm-safe-text-private.h"

/* A colour, a window's title, an 8-bit escape, a direction, a blank without width, a
 * tag, and a letter. */
#define HOSTILE                                                                        \
 "a\033[31m\033]0;t\a\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\x7f"                 \
 "\xf3\xa0\x80\x81\xc3\xa9"

static void
test_what_steers_is_a_question_mark (void)
{
  g_autofree char *safe = jm_safe_text_make (HOSTILE);
  g_autofree char *line = jm_safe_text_make ("two\nlines");
  g_autofree char *bytes = jm_safe_text_make ("\xff");

  g_assert_cmpstr (safe, ==, "a?[31m?]0;t???????\xc3\xa9");
  g_assert_cmpstr (line, ==, "two?lines");
  g_assert_cmpstr (bytes, ==, "\xef\xbf\xbd");
}

static void
test_lines_keep_their_ends (void)
{
  g_autoptr (GString) text = g_string_new ("a\033\nb\r\nc\rd\n");

  jm_safe_text_make_lines (text);

  g_assert_cmpstr (text->str, ==, "a?\nb\r\nc?d\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/safe-text/what-steers-is-a-question-mark",
                   test_what_steers_is_a_question_mark);
  g_test_add_func ("/core/safe-text/lines-keep-their-ends", test_lines_keep_their_ends);

  return g_test_run ();
}
