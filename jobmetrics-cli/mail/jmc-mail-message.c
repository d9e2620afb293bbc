/* jmc-mail-message.c: a mail as it goes over the wire
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-transport.h"

#include <string.h>

/* Its headers are not written for our warnings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wundef"
#include <gmime/gmime.h>
#pragma GCC diagnostic pop

#include "base/jm-error.h"
#include "mail/jmc-mail-address.h"
#include "report/page/jm-report-html-private.h"

#define MAX_JOB_LENGTH 128

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GMimeDataWrapper, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GMimeMessage, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GMimeObject, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (InternetAddress, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (InternetAddressList, g_object_unref)

/* --- addresses --- */

/* The one mailbox in it. */
static InternetAddress *
parse_mailbox (const char *text, GError **error)
{
  g_autoptr (InternetAddressList) list = NULL;
  InternetAddress *mailbox = NULL;
  const char *address = NULL;
  const char *fault;

  g_mime_init ();
  list = internet_address_list_parse (NULL, text);
  if (list != NULL && internet_address_list_length (list) == 1)
    mailbox = internet_address_list_get_address (list, 0);
  if (mailbox != NULL && INTERNET_ADDRESS_IS_MAILBOX (mailbox))
    address = internet_address_mailbox_get_addr (INTERNET_ADDRESS_MAILBOX (mailbox));

  fault = address == NULL ? "not one address" : jmc_mail_address_find_fault (address);
  if (fault == NULL)
    return g_object_ref (mailbox);

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID, "%s: %s", text, fault);

  return NULL;
}

char *
jmc_mail_message_get_address (const char *text, GError **error)
{
  g_autoptr (InternetAddress) mailbox = parse_mailbox (text, error);

  return mailbox != NULL ? g_strdup (internet_address_mailbox_get_addr (
                             INTERNET_ADDRESS_MAILBOX (mailbox)))
                         : NULL;
}

static gboolean
set_mailbox (GMimeMessage *message,
             GMimeAddressType type,
             const char *text,
             GError **error)
{
  g_autoptr (InternetAddress) mailbox = NULL;

  if (text == NULL)
    return TRUE;
  mailbox = parse_mailbox (text, error);
  if (mailbox == NULL)
    return FALSE;

  internet_address_list_add (g_mime_message_get_addresses (message, type), mailbox);

  return TRUE;
}

/* --- headers --- */

/* The part behind the @ is ours, as far as we know. */
static void
set_message_id (GMimeMessage *message, const char *from)
{
  const char *at = from != NULL ? strrchr (from, '@') : NULL;
  g_autofree char *domain = g_strdup (at != NULL ? at + 1 : g_get_host_name ());
  g_autofree char *id = NULL;

  domain[strcspn (domain, " >\t")] = '\0';
  id = g_mime_utils_generate_message_id (domain);
  g_mime_message_set_message_id (message, id);
}

static void
set_header (GMimeMessage *message, const char *name, const char *value)
{
  g_mime_object_set_header (GMIME_OBJECT (message), name, value, NULL);
}

static gboolean
set_headers (GMimeMessage *message, const JmcMailMessage *self, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (!set_mailbox (message, GMIME_ADDRESS_TYPE_FROM, self->from, error) ||
      !set_mailbox (message, GMIME_ADDRESS_TYPE_REPLY_TO, self->reply_to, error))
    return FALSE;

  for (guint i = 0; i < self->recipients->len; i++)
    g_mime_message_add_mailbox (message, GMIME_ADDRESS_TYPE_TO, NULL,
                                self->recipients->pdata[i]);
  g_mime_message_set_subject (message, self->subject, "utf-8");
  g_mime_message_set_date (message, now);
  set_message_id (message, self->from);
  /* no holiday notice comes back: RFC 3834 */
  set_header (message, "Auto-Submitted", "auto-generated");
  if (self->job != NULL)
    {
      g_autofree char *job = g_strndup (self->job, MAX_JOB_LENGTH);

      set_header (message, "X-Jobmetrics-Job",
                  g_strcanon (job, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_+.-[]", '_'));
    }

  return TRUE;
}

/* --- parts --- */

static GMimeObject *
make_text (const char *text, const char *subtype)
{
  GMimeTextPart *part = g_mime_text_part_new_with_subtype (subtype);

  g_mime_text_part_set_charset (part, "utf-8");
  g_mime_text_part_set_text (part, text);
  g_mime_part_set_content_encoding (
    GMIME_PART (part),
    g_mime_part_get_best_content_encoding (GMIME_PART (part),
                                           GMIME_ENCODING_CONSTRAINT_7BIT));

  return GMIME_OBJECT (part);
}

static GMimePart *
make_file (GBytes *bytes, const char *type, const char *subtype)
{
  gsize length;
  const char *content = g_bytes_get_data (bytes, &length);
  g_autoptr (GMimeStream) stream = g_mime_stream_mem_new_with_buffer (content, length);
  g_autoptr (GMimeDataWrapper) wrapper =
    g_mime_data_wrapper_new_with_stream (stream, GMIME_CONTENT_ENCODING_BINARY);
  GMimePart *part = g_mime_part_new_with_type (type, subtype);

  g_mime_part_set_content (part, wrapper);
  g_mime_part_set_content_encoding (part, GMIME_CONTENT_ENCODING_BASE64);

  return part;
}

static GMimeObject *
make_pdf (const JmcMailMessage *self)
{
  GMimePart *part = make_file (self->pdf, "application", "pdf");
  g_autofree char *name = g_strdup_printf ("job-%.*s.pdf", MAX_JOB_LENGTH,
                                           self->job != NULL ? self->job : "");

  g_mime_object_set_disposition (GMIME_OBJECT (part), GMIME_DISPOSITION_ATTACHMENT);
  g_mime_part_set_filename (part,
                            g_strcanon (name,
                                        G_CSET_A_2_Z G_CSET_a_2_z "0123456789_+.-",
                                        '_'));

  return GMIME_OBJECT (part);
}

static GMimeObject *
make_picture (GBytes *png, guint place)
{
  GMimePart *part = make_file (png, "image", "png");
  g_autofree char *id = g_strdup_printf (JM_REPORT_PICTURE_ID, place);

  g_mime_part_set_content_id (part, id);
  g_mime_object_set_disposition (GMIME_OBJECT (part), GMIME_DISPOSITION_INLINE);

  return GMIME_OBJECT (part);
}

/* Adds a part, of which it takes the caller's reference. */
static void
take_part (GMimeMultipart *parts, GMimeObject *part)
{
  g_mime_multipart_add (parts, part);
  g_object_unref (part);
}

/* With its pictures, if it has any. */
static GMimeObject *
make_html (const JmcMailMessage *self)
{
  GMimeObject *html = make_text (self->html, "html");
  GMimeMultipart *parts;

  if (self->pictures == NULL || self->pictures->len == 0)
    return html;

  parts = g_mime_multipart_new_with_subtype ("related");
  take_part (parts, html);
  for (guint i = 0; i < self->pictures->len; i++)
    take_part (parts, make_picture (self->pictures->pdata[i], i));

  return GMIME_OBJECT (parts);
}

static GMimeObject *
make_body (const JmcMailMessage *self)
{
  GMimeMultipart *parts;
  GMimeObject *text = make_text (self->text, "plain");

  if (self->html != NULL)
    {
      parts = g_mime_multipart_new_with_subtype ("alternative");
      take_part (parts, text);
      take_part (parts, make_html (self));
      text = GMIME_OBJECT (parts);
    }
  if (self->pdf != NULL)
    {
      parts = g_mime_multipart_new_with_subtype ("mixed");
      take_part (parts, text);
      take_part (parts, make_pdf (self));
      text = GMIME_OBJECT (parts);
    }

  return text;
}

/* --- all of it --- */

/* Ends lines as SMTP does. */
static GBytes *
end_lines (GByteArray *bytes)
{
  GByteArray *ended = g_byte_array_sized_new (bytes->len + bytes->len / 32);

  for (guint i = 0; i < bytes->len; i++)
    {
      if (bytes->data[i] == '\n' && (i == 0 || bytes->data[i - 1] != '\r'))
        g_byte_array_append (ended, (const guint8 *) "\r", 1);
      g_byte_array_append (ended, &bytes->data[i], 1);
    }

  return g_byte_array_free_to_bytes (ended);
}

static GBytes *
write_message (GMimeMessage *message, gboolean is_smtp)
{
  g_autoptr (GMimeStream) stream = g_mime_stream_mem_new ();
  GByteArray *bytes;

  g_mime_object_write_to_stream (GMIME_OBJECT (message), NULL, stream);
  bytes = g_mime_stream_mem_get_byte_array (GMIME_STREAM_MEM (stream));

  return is_smtp ? end_lines (bytes) : g_bytes_new (bytes->data, bytes->len);
}

GBytes *
jmc_mail_message_make (const JmcMailMessage *self, gboolean is_smtp, GError **error)
{
  g_autoptr (GMimeMessage) message = NULL;
  g_autoptr (GMimeObject) body = NULL;

  g_mime_init ();
  message = g_mime_message_new (TRUE);
  if (!set_headers (message, self, error))
    return NULL;

  body = make_body (self);
  g_mime_message_set_mime_part (message, body);

  return write_message (message, is_smtp);
}
