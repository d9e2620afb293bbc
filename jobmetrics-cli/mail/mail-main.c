/* mail-main.c: jobmetrics-mail, what schedulers call to send a mail
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <locale.h>

#include "jm-portable.h"
#include "mail/jmc-mail-command.h"
#include "mail/jmc-mail.h"

typedef struct
{
  const char *name;
  int (*run) (int argc, char **argv);
} Command;

static const Command commands[] = {
  { "alert", jmc_alert_main },
  { "mail", jmc_mail_main },
};

/* As jobmetrics-cli calls it. Nothing that a scheduler puts first looks like that. */
static const Command *
find_command (int argc, char **argv)
{
  if (argc < 3 || !g_str_equal (argv[1], JMC_MAIL_COMMAND))
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, argv[2]))
      return &commands[i];

  return NULL;
}

int
main (int argc, char **argv)
{
  const Command *command = find_command (argc, argv);
  g_autofree char *program = NULL;

  setlocale (LC_ALL, "");
  jm_portable_begin ();
  if (command == NULL)
    {
      g_set_prgname (JMC_MAIL_PROGRAM);
      return jmc_mail_main_of_scheduler (argc, argv);
    }

  program = g_strconcat ("jobmetrics-cli ", command->name, NULL);
  g_set_prgname (program);

  return command->run (argc - 2, argv + 2);
}
