/* jmc-mail-transport.h: who delivers mails
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "mail/jmc-mail-message.h"
#include "mail/jmc-mail-settings.h"

G_BEGIN_DECLS

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
 * where the settings cannot be meant. */
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
