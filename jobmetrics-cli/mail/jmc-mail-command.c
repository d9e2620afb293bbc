/* jmc-mail-command.c: the commands that send mail, in a program of their own
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-command.h"

#include <errno.h>
#include <unistd.h>

#include "jmc-output.h"

/* Beside this program as it is built, or where it is installed. */
static char *
find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : g_strdup (".");
  g_autofree char *beside = g_build_filename (folder, "mail", JMC_MAIL_PROGRAM, NULL);

  return g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE)
           ? g_steal_pointer (&beside)
           : g_canonicalize_filename (JMC_MAIL_FOLDER "/" JMC_MAIL_PROGRAM, folder);
}

int
jmc_mail_command_main (int argc, char **argv)
{
  g_autofree char *program = find_program ();
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();

  g_ptr_array_add (arguments, program);
  g_ptr_array_add (arguments, (gpointer) JMC_MAIL_COMMAND);
  for (int i = 0; i <= argc; i++)
    g_ptr_array_add (arguments, argv[i]);
  execv (program, (char **) arguments->pdata);

  /* completions are made without these */
  if (errno == ENOENT && argc == 2 && g_str_equal (argv[1], "--list-settings"))
    return JMC_EXIT_OK;
  if (errno == ENOENT)
    jmc_output_complain ("%s: built without mail, which needs libcurl and GMime: there "
                         "is no %s",
                         argv[0], program);
  else
    jmc_output_complain ("%s: %s", program, g_strerror (errno));

  return JMC_EXIT_FAILURE;
}
