/* jmc-output.h: what goes to the terminal
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* JmcExit:
 * @JMC_EXIT_OK: done
 * @JMC_EXIT_FAILURE: no such job, or something could not be read or written
 * @JMC_EXIT_USAGE: the command line is invalid
 * @JMC_EXIT_CANNOT_RUN: `run` failed by itself, before the command began
 * @JMC_EXIT_NOT_EXECUTABLE: the command is there and cannot be executed
 * @JMC_EXIT_NOT_FOUND: there is no such command
 * @JMC_EXIT_SIGNAL: plus the number of the signal that ended the command */
typedef enum
{
  JMC_EXIT_OK = 0,
  JMC_EXIT_FAILURE = 1,
  JMC_EXIT_USAGE = 2,
  JMC_EXIT_CANNOT_RUN = 125,
  JMC_EXIT_NOT_EXECUTABLE = 126,
  JMC_EXIT_NOT_FOUND = 127,
  JMC_EXIT_SIGNAL = 128,
} JmcExit;

typedef enum
{
  JMC_COLOR_AUTO,
  JMC_COLOR_ALWAYS,
  JMC_COLOR_NEVER,
} JmcColor;

gboolean jmc_output_has_color (JmcColor color, int fd);
guint jmc_output_get_width (int fd);
void jmc_output_print (const char *text);
gboolean jmc_output_flush (void);
int jmc_output_finish (int status);
void jmc_output_complain (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
