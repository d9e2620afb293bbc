/* test-jmc-mail-message.c: mails with all of their parts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "base/jm-error.h"
#include "mail/jmc-mail-address.h"
#include "mail/jmc-mail-transport.h"

static char *
make (JmcMailMessage *message, gboolean is_smtp)
{
  g_autoptr (GPtrArray) recipients = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_ptr_array_add (recipients, (gpointer) "alice@example.org");
  message->recipients = recipients;
  message->subject = "s";
  bytes = jmc_mail_message_make (message, is_smtp, &error);
  g_assert_no_error (error);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
assert_in_order (const char *text, const char *const *parts)
{
  for (const char *const *part = parts; *part != NULL; part++)
    {
      const char *found = strstr (text, *part);

      if (found == NULL)
        g_error ("'%s' is not in: %s", *part, text);
      text = found + strlen (*part);
    }
}

static void
test_has_text_html_and_pdf (void)
{
  static const char *const parts[] = { "X-Jobmetrics-Job: 7_2_x",
                                       "multipart/mixed",
                                       "multipart/alternative",
                                       "text/plain",
                                       "The text",
                                       "text/html",
                                       "<p>The page",
                                       "Content-Type: application/pdf",
                                       NULL };
  g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF-1.7\0\xff", 10);
  JmcMailMessage message = { .text = "The text",
                             .html = "<p>The page",
                             .pdf = pdf,
                             .job = "7_2\nx",
                             .from = "a@b.example" };
  g_autofree char *text = make (&message, FALSE);

  assert_in_order (text, parts);
  g_assert_nonnull (strstr (text, "filename=job-7_2_x.pdf"));
  g_assert_nonnull (strstr (text, "\nJVBERi0xLjcA/w=="));
}

static void
test_has_pictures_beside_its_html (void)
{
  static const char *const parts[] = { "multipart/alternative",
                                       "text/plain",
                                       "multipart/related",
                                       "text/html",
                                       "Content-Type: image/png",
                                       "Content-Id: <plot-0@jobmetrics>",
                                       "\niVBORw==\n",
                                       "Content-Id: <plot-1@jobmetrics>",
                                       NULL };
  g_autoptr (GPtrArray) pictures =
    g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  JmcMailMessage message = { .text = "The text", .html = "<p>The page" };
  g_autofree char *text = NULL;

  g_ptr_array_add (pictures, g_bytes_new_static ("\x89PNG", 4));
  g_ptr_array_add (pictures, g_bytes_new_static ("\x89PNG", 4));
  message.pictures = pictures;
  text = make (&message, FALSE);

  assert_in_order (text, parts);
}

static void
test_has_a_pdf_beside_plain_text (void)
{
  static const char *const parts[] = { "multipart/mixed", "text/plain", "The text",
                                       "application/pdf", NULL };
  g_autoptr (GBytes) pdf = g_bytes_new_static ("%PDF", 4);
  JmcMailMessage message = { .text = "The text", .pdf = pdf };
  g_autofree char *text = make (&message, FALSE);

  assert_in_order (text, parts);
  g_assert_null (strstr (text, "alternative"));
  g_assert_null (strstr (text, "From:"));
}

static void
test_ends_lines_as_is_usual (void)
{
  JmcMailMessage message = { .text = "one\ntwo\r\nthree\n" };
  g_autofree char *file = make (&message, FALSE);
  g_autofree char *wire = make (&message, TRUE);

  g_assert_nonnull (strstr (file, "\none\ntwo"));
  g_assert_nonnull (strstr (wire, "\r\none\r\ntwo"));
  for (const char *c = strchr (wire, '\n'); c != NULL; c = strchr (c + 1, '\n'))
    g_assert_true (c[-1] == '\r' && c[-2] != '\r');
}

static void
test_refuses_wrong_senders (void)
{
  static const char *const wrong[] = { "", "a@b, c@d", "a b c", "<-f@x>",
                                       "group: a@b;" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *address = jmc_mail_message_get_address (wrong[i], &error);

      g_assert_error (error, JM_ERROR, JM_ERROR_INVALID);
      g_assert_null (address);
    }
}

static void
test_reads_a_book_of_addresses (void)
{
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("jm-book-XXXXXX", &path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) book = NULL;

  g_assert_true (g_close (fd, NULL));
  g_assert_true (
    g_file_set_contents (path,
                         "# who\n\nalice\ta@example.org\nbob: b@x.org, c@x.org\r\n", -1,
                         NULL));
  book = jmc_mail_address_read_book (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_hash_table_size (book), ==, 2);
  g_assert_cmpstr (g_hash_table_lookup (book, "alice"), ==, "a@example.org");
  g_assert_cmpstr (g_hash_table_lookup (book, "bob"), ==, "b@x.org c@x.org");

  g_assert_true (g_file_set_contents (path, "alice a@x.org\nbob |sh\n", -1, NULL));
  g_assert_null (jmc_mail_address_read_book (path, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (error->message, "line 2: |sh: "));
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mail-message/parts", test_has_text_html_and_pdf);
  g_test_add_func ("/mail-message/pictures", test_has_pictures_beside_its_html);
  g_test_add_func ("/mail-message/pdf-and-text", test_has_a_pdf_beside_plain_text);
  g_test_add_func ("/mail-message/lines", test_ends_lines_as_is_usual);
  g_test_add_func ("/mail-message/senders", test_refuses_wrong_senders);
  g_test_add_func ("/mail-message/book", test_reads_a_book_of_addresses);

  return g_test_run ();
}
