/* jmc-mail.h: the commands that send mail
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

int jmc_mail_main (int argc, char **argv);

/* The same without options of ours: all arguments were written by a scheduler. */
int jmc_mail_main_of_scheduler (int argc, char **argv);

int jmc_alert_main (int argc, char **argv);

G_END_DECLS
