/* jmc-mail-log.c: what nobody at a terminal reads
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-log.h"

#include <syslog.h>
#include <unistd.h>

#include "base/jm-safe-text-private.h"
#include "jmc-output.h"

void
jmc_mail_log_complain (const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *safe = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  jmc_output_complain ("%s", message);
  if (isatty (STDERR_FILENO))
    return;
  safe = jm_safe_text_make (message);
  openlog ("jobmetrics-mail", LOG_PID, LOG_MAIL);
  syslog (LOG_ERR, "%s", safe);
  closelog ();
}
