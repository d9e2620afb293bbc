/* jmc-mail-command.h: the commands that send mail, in a program of their own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The program with GMime and libcurl in it, which no other command should wait for. A
 * scheduler calls it as it calls mail; jobmetrics-cli with this in front of a command,
 * where a scheduler has its first option. */
#define JMC_MAIL_PROGRAM "jobmetrics-mail"
#define JMC_MAIL_COMMAND "command"

/* Becomes that program; returns, and has reported why, where it cannot. */
int jmc_mail_command_main (int argc, char **argv);

G_END_DECLS
