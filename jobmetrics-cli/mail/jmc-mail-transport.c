/* jmc-mail-transport.c: who delivers mails
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-transport.h"

#include "core/jm-error.h"
#include "mail/jmc-mail-address.h"
#include "sources/jm-secret-file-private.h"

void
jmc_mail_transport_clear (JmcMailTransport *self)
{
  g_clear_pointer (&self->from, g_free);
  g_clear_pointer (&self->reply_to, g_free);
  g_clear_pointer (&self->sender, g_free);
  g_clear_pointer (&self->domain, g_free);
  g_clear_pointer (&self->sendmail, g_free);
  g_clear_pointer (&self->sendmail_user, g_free);
  g_clear_pointer (&self->smtp, g_free);
  g_clear_pointer (&self->username, g_free);
  g_clear_pointer (&self->password, g_free);
  g_clear_pointer (&self->ca_file, g_free);
}

/* --- settings --- */

static char *
copy (const JmcOptions *options, const char *name)
{
  return g_strdup (jmc_options_get_text (options, name));
}

/* --from, or who called; a server takes nothing from nobody. */
static char *
choose_from (const JmcMailTransport *self,
             const JmcOptions *options,
             const char *sender)
{
  const char *from = jmc_options_get_text (options, "from");

  if (from != NULL)
    return g_strdup (from);
  if (sender != NULL && jmc_mail_address_find_fault (sender) == NULL)
    return g_strdup (sender);

  return self->smtp != NULL
           ? g_strconcat (g_get_user_name (), "@", g_get_host_name (), NULL)
           : NULL;
}

static gboolean
set_sender (JmcMailTransport *self, const JmcOptions *options, GError **error)
{
  const char *sender = jmc_options_get_text (options, "envelope-from");

  if (sender == NULL)
    sender = self->from;
  if (sender == NULL)
    return TRUE;
  self->sender = jmc_mail_message_get_address (sender, error);

  return self->sender != NULL;
}

static gboolean
read_login (JmcMailTransport *self, const JmcOptions *options, GError **error)
{
  const char *path = jmc_options_get_text (options, "smtp-login-file");
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return path == NULL || jm_secret_file_read_login (host, path, &self->username,
                                                    &self->password, error);
}

gboolean
jmc_mail_transport_init (JmcMailTransport *self,
                         const JmcOptions *options,
                         const char *sender,
                         GError **error)
{
  self->smtp = copy (options, "smtp");
  self->from = choose_from (self, options, sender);
  self->reply_to = copy (options, "reply-to");
  self->domain = copy (options, "domain");
  self->sendmail = copy (options, "sendmail");
  self->sendmail_user = copy (options, "sendmail-user");
  self->ca_file = copy (options, "smtp-ca-file");
  self->tls = (JmcMailTls) jm_settings_get_number (options->settings, "smtp-tls");
  self->timeout_ms = jm_settings_get_number (options->settings, "timeout");

  return set_sender (self, options, error) && read_login (self, options, error) &&
         (self->smtp == NULL || jmc_mail_smtp_check (self, error));
}

/* --- sending --- */

GBytes *
jmc_mail_transport_make (JmcMailTransport *self,
                         JmcMailMessage *message,
                         GError **error)
{
  message->from = self->from;
  message->reply_to = self->reply_to;

  return jmc_mail_message_make (message, self->smtp != NULL, error);
}

gboolean
jmc_mail_transport_send (JmcMailTransport *self,
                         JmcMailMessage *message,
                         GError **error)
{
  g_autoptr (GBytes) bytes = jmc_mail_transport_make (self, message, error);

  if (bytes == NULL)
    return FALSE;

  return self->smtp != NULL
           ? jmc_mail_smtp_send (self, message->recipients, bytes, error)
           : jmc_mail_sendmail_send (self, message->recipients, bytes, error);
}
