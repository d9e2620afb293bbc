/* jmc-mail-transport.c: how mails are sent, as a site sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-transport.h"

#include "base/jm-error.h"
#include "base/jm-secret-private.h"
#include "mail/jmc-mail-address.h"

#define CONFIG_FILE "/etc/jobmetrics/mail.conf"

/* In the order of JmcMailTls. */
static const char *const tls[] = { "required", "none", NULL };

static const JmSetting settings[] = {
  { .name = "config.file",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Settings in groups such as [mail] and [archive]",
    .preset_help = CONFIG_FILE ", where it is there" },
  { .name = "from",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "ADDRESS",
    .help = "Sender of the mails, such as 'The cluster <hpc@example.org>'",
    .preset_help = "as the mail program has it; by SMTP this user on this machine" },
  { .name = "envelope-from",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "ADDRESS",
    .help = "Address that gets reports of mails that cannot be delivered",
    .preset_help = "the address of --from" },
  { .name = "reply-to",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "ADDRESS",
    .help = "Address for replies" },
  { .name = "domain",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "DOMAIN",
    .help = "Domain of mail addresses of users without an own address",
    .preset_help = "as the mail program or server has it" },
  { .name = "sendmail",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "PROGRAM",
    .help = "Program to send mails by",
    .preset = "/usr/sbin/sendmail" },
  { .name = "sendmail-user",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "USER",
    .help = "User that the program runs as if root calls it",
    .preset = "nobody" },
  { .name = "smtp",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "URL",
    .help = "SMTP server to send mails by instead: smtp://HOST or smtps://HOST" },
  { .name = "smtp-tls",
    .group = "mail",
    .kind = JM_SETTING_CHOICE,
    .argument = "WHETHER",
    .help = "TLS on smtp:// (STARTTLS)",
    .preset = "required",
    .choices = tls },
  { .name = "smtp-login-file",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Lines username=NAME and password=TEXT that the server knows" },
  { .name = "smtp-ca-file",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that the mail server's certificate is verified against",
    .preset_help = "the system's" },
  { .name = "webhook-hosts",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "HOSTS",
    .help = "Hosts at which users may have webhooks, such as hooks.slack.com",
    .preset_help = "none: no webhook is used" },
  { .name = "webhook-file",
    .group = "mail",
    .kind = JM_SETTING_TEXT,
    .argument = "FILE",
    .help = "File in which a user names webhooks, with {home} or {user} in it",
    .preset = "{home}/.config/jobmetrics/notify.conf" },
  { .name = "webhook-ca-file",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "CA certificates that webhooks' certificates are verified against",
    .preset_help = "the system's" },
  { .name = "timeout",
    .group = "mail",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "How long a mail may take to be delivered, and webhooks after it",
    .preset = "20",
    .low = 1,
    .high = 600 },
};

/* --- settings --- */

void
jmc_mail_settings_add (JmcOptions *options, GOptionGroup *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (options, &settings[i], group);
}

const char *
jmc_mail_settings_find_file (const JmcOptions *options)
{
  const char *path = jmc_options_get_text (options, "config.file");

  return path != NULL || !g_file_test (CONFIG_FILE, G_FILE_TEST_EXISTS) ? path
                                                                        : CONFIG_FILE;
}

gboolean
jmc_mail_settings_read (const JmcOptions *options,
                        const char *const *groups,
                        GError **error)
{
  const char *path = jmc_mail_settings_find_file (options);

  for (const char *const *group = groups; path != NULL && *group != NULL; group++)
    if (!jm_settings_read_file (options->settings, path, *group, error))
      return FALSE;

  return TRUE;
}

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

  return path == NULL ||
         jm_secret_read_login (path, &self->username, &self->password, error);
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
