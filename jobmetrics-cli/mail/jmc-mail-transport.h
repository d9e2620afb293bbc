/* jmc-mail-transport.h: a mail, and the ways in which it is sent
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"

G_BEGIN_DECLS

/* Whose certificates a CURL trusts: those in @ca_file, or where it is NULL those that
 * the machine does. */
void jmc_mail_set_trust (gpointer curl, const char *ca_file);

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
 * SMTP, in ASCII. `INVALID` where an address of the site's is invalid. */
GBytes *
jmc_mail_message_make (const JmcMailMessage *self, gboolean is_smtp, GError **error);

/* The address in `NAME <ADDRESS>`. */
char *jmc_mail_message_get_address (const char *text, GError **error);

/* JmcMailTls:
 * @JMC_MAIL_TLS_REQUIRED: nothing is said in the clear
 * @JMC_MAIL_TLS_NONE: as on the same machine */
typedef enum
{
  JMC_MAIL_TLS_REQUIRED,
  JMC_MAIL_TLS_NONE,
} JmcMailTls;

/* Settings of all that send mail. */
void jmc_mail_settings_add (JmcOptions *options, GOptionGroup *group);

/* Reads what @groups hold, up to a NULL, from the configuration file that the options
 * name, or else from the usual one where there is one. FALSE with an error where it
 * is invalid; what was read of it counts. */
gboolean jmc_mail_settings_read (const JmcOptions *options,
                                 const char *const *groups,
                                 GError **error);

/* The configuration file; NULL where there is none. */
const char *jmc_mail_settings_find_file (const JmcOptions *options);

/* As the settings say it. JmcMailTransport:
 * @sender: of the envelope; NULL where the mail program fills it in
 * @smtp: a URL, or NULL where @sendmail delivers */
typedef struct
{
  char *from;
  char *reply_to;
  char *sender;
  char *domain;
  char *sendmail;
  char *sendmail_user;
  char *smtp;
  JmcMailTls tls;
  char *username;
  char *password;
  char *ca_file;
  guint timeout_ms;
} JmcMailTransport;

/* @sender is who sends where the settings do not say it, or NULL. FALSE with an error
 * where the settings are invalid. */
gboolean jmc_mail_transport_init (JmcMailTransport *self,
                                  const JmcOptions *options,
                                  const char *sender,
                                  GError **error);
void jmc_mail_transport_clear (JmcMailTransport *self);

/* Fills in who sends @message, and delivers it to its recipients. FALSE with an error
 * where one of them did not get it. */
gboolean jmc_mail_transport_send (JmcMailTransport *self,
                                  JmcMailMessage *message,
                                  GError **error);

/* The message as it would be sent. */
GBytes *jmc_mail_transport_make (JmcMailTransport *self,
                                 JmcMailMessage *message,
                                 GError **error);

/* Runs a program without a shell: as @user where root would, and with @input, or
 * nothing, to read. FALSE with an error, which has what it wrote, where it fails. */
gboolean jmc_mail_run (const char *const *arguments,
                       const char *user,
                       GBytes *input,
                       guint timeout_ms,
                       GError **error);

/* The two ways. */
gboolean jmc_mail_sendmail_send (const JmcMailTransport *self,
                                 GPtrArray *recipients,
                                 GBytes *bytes,
                                 GError **error);
gboolean jmc_mail_smtp_send (const JmcMailTransport *self,
                             GPtrArray *recipients,
                             GBytes *bytes,
                             GError **error);

/* Whether @url names a server, and secrets are kept on the way to it. */
gboolean jmc_mail_smtp_check (const JmcMailTransport *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (JmcMailTransport, jmc_mail_transport_clear)

G_END_DECLS
