/* jmc-mail-message.h: a mail as it goes over the wire
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcMailMessage:
 * @from: `NAME <ADDRESS>` or an address; NULL where the mail program fills it in
 * @reply_to: the same, or NULL
 * @recipients: of addresses that were checked
 * @subject: one line
 * @text: what those see who have no HTML
 * @html: a document, or NULL
 * @pictures: of GBytes as PNG, which @html has by JM_REPORT_PICTURE_ID, or NULL
 * @pdf: a document, or NULL
 * @job: which the mail is about, or NULL
 *
 * Text is UTF-8. Everything stays the caller's. */
typedef struct
{
  const char *from;
  const char *reply_to;
  GPtrArray *recipients;
  const char *subject;
  const char *text;
  const char *html;
  GPtrArray *pictures;
  GBytes *pdf;
  const char *job;
} JmcMailMessage;

/* The message with its headers, and lines that end as those of files, or as those of
 * SMTP, in ASCII. `INVALID` where an address of the site's cannot be meant. */
GBytes *
jmc_mail_message_make (const JmcMailMessage *self, gboolean is_smtp, GError **error);

/* The address in `NAME <ADDRESS>`. */
char *jmc_mail_message_get_address (const char *text, GError **error);

G_END_DECLS
