/* jmc-mail-settings.h: how mail is sent, as a site sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "jmc-options.h"

G_BEGIN_DECLS

#define JMC_MAIL_CONFIG_FILE "/etc/jobmetrics/mail.conf"

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
 * cannot be meant; what was read of it counts. */
gboolean jmc_mail_settings_read (const JmcOptions *options,
                                 const char *const *groups,
                                 GError **error);

G_END_DECLS
