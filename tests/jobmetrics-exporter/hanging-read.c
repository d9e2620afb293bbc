/* hanging-read.c: a kernel whose files hang, for a program that is linked with
 * --wrap=pread64, which pread() is where files may be large
 *
 * No read of the sampler's returns while there is a file of the name that HANG_WHILE
 * has.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#define LOOK_US 10000

ssize_t __real_pread64 (int fd, void *buffer, size_t size, off_t offset);
ssize_t __wrap_pread64 (int fd, void *buffer, size_t size, off_t offset);

ssize_t
__wrap_pread64 (int fd, void *buffer, size_t size, off_t offset)
{
  const char *path = getenv ("HANG_WHILE");
  char thread[16] = "";

  prctl (PR_GET_NAME, thread);
  while (strcmp (thread, "sampler") == 0 && path != NULL && access (path, F_OK) == 0)
    usleep (LOOK_US);

  return __real_pread64 (fd, buffer, size, offset);
}
