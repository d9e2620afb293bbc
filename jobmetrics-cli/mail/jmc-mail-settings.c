/* jmc-mail-settings.c: how mail is sent, as a site sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-settings.h"

/* In the order of JmcMailTls. */
static const char *const tls[] = { "required", "none", NULL };

static const JmSetting settings[] = {
  { .name = "config.file",
    .group = "mail",
    .kind = JM_SETTING_FILE,
    .argument = "FILE",
    .help = "Settings in groups such as [mail] and [accounts]",
    .preset_help = JMC_MAIL_CONFIG_FILE ", where it is there" },
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
  { .name = "timeout",
    .group = "mail",
    .kind = JM_SETTING_DURATION,
    .argument = "SECONDS",
    .help = "How long a mail may take to be delivered",
    .preset = "20",
    .low = 1,
    .high = 600 },
};

void
jmc_mail_settings_add (JmcOptions *options, GOptionGroup *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    jmc_options_add_setting (options, &settings[i], group);
}

gboolean
jmc_mail_settings_read (const JmcOptions *options,
                        const char *const *groups,
                        GError **error)
{
  const char *path = jmc_options_get_text (options, "config.file");

  if (path == NULL && !g_file_test (JMC_MAIL_CONFIG_FILE, G_FILE_TEST_EXISTS))
    return TRUE;

  if (path == NULL)
    path = JMC_MAIL_CONFIG_FILE;
  for (const char *const *group = groups; *group != NULL; group++)
    if (!jm_settings_read_file (options->settings, path, *group, error))
      return FALSE;

  return TRUE;
}
