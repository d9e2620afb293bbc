/* hook-main.c: jobmetrics-hook, `jobmetrics-cli hook` with nothing else in it
 *
 * It runs as root before and after each job, perhaps with an environment that the job's
 * user made: so it is linked with no library but GLib.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <sys/auxv.h>

#include "hook/jmc-hook.h"

int
main (int argc, char **argv)
{
  const char *path = (const char *) getauxval (AT_EXECFN);

  return jmc_hook_main_by_name (path != NULL ? path : argv[0], argc, argv);
}
