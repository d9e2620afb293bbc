/* slow-disk.c: a disk on which each write of the ledger beside the file SLOW_DISK takes
 * as many milliseconds as that says, or that is full where it says less than 0, for a
 * program that these calls are linked into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
is_of_ledger (int fd)
{
  const char *control = getenv ("SLOW_DISK");
  const char *end = control != NULL ? strrchr (control, '/') : NULL;
  char link[32];
  char path[4096];
  ssize_t length;

  if (end == NULL)
    return 0;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path - 1);
  if (length < end - control)
    return 0;

  path[length] = '\0';

  return strncmp (path, control, (size_t) (end - control)) == 0 &&
         strncmp (path + (end - control), "/ledger.db", strlen ("/ledger.db")) == 0;
}

static long
read_milliseconds (void)
{
  const char *path = getenv ("SLOW_DISK");
  char text[16] = "";
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC) : -1;
  ssize_t length;

  if (fd < 0)
    return 0;

  length = read (fd, text, sizeof text - 1);
  close (fd);

  return length > 0 ? strtol (text, NULL, 10) : 0;
}

ssize_t
pwrite64 (int fd, const void *buffer, size_t size, off64_t offset)
{
  long milliseconds = is_of_ledger (fd) ? read_milliseconds () : 0;

  if (milliseconds < 0)
    {
      errno = ENOSPC;
      return -1;
    }
  if (milliseconds > 0)
    usleep ((useconds_t) milliseconds * 1000);

  return syscall (SYS_pwrite64, fd, buffer, size, offset);
}

#undef pwrite
ssize_t pwrite (int fd, const void *buffer, size_t size, off_t offset)
  __attribute__ ((alias ("pwrite64")));
