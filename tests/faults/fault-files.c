/* fault-files.c: calls about files, some of which go wrong
 *
 * Those that any library may make are defined under their own names: the program's come
 * before the C library's and a sanitizer's. Those that only jobmetrics makes are
 * wrapped by the linker.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "fault-plan.h"

#define WAIT_US 200
#define WAITS_MAX 5000

/* --- which file --- */

static const char *
name_of (FaultPlace place, const char *path)
{
  const char *dash;

  if (place != FAULT_PLACE_STORE)
    return path;

  /* files that are renamed into place have a name by chance */
  dash = strrchr (path, '-');

  return dash != NULL && (strcmp (dash, "-wal") == 0 || strcmp (dash, "-shm") == 0)
           ? dash
           : "file";
}

static FaultPlace
place_of_child (int dir_fd, const char *name, char path[FAULT_PATH_MAX])
{
  char dir[FAULT_PATH_MAX];

  if (fault_control_get () == NULL)
    return FAULT_PLACE_NONE;
  if (name[0] == '/' || dir_fd == AT_FDCWD)
    snprintf (path, FAULT_PATH_MAX, "%s", name);
  else
    {
      fault_place_of_fd (dir_fd, dir);
      if (snprintf (path, FAULT_PATH_MAX, "%s/%s", dir, name) >= FAULT_PATH_MAX)
        return FAULT_PLACE_NONE;
    }

  return fault_place_of_path (path);
}

/* The driver moves a cgroup or a process away in one step, and removes it file by file.
 */
static int
is_moved_away (const char *path)
{
  return strstr (path, "/staging/gone-") != NULL;
}

/* 0 where the call goes on, -1 where it has failed. */
static int
decide_by_name (FaultCall call, int dir_fd, const char *name)
{
  char path[FAULT_PATH_MAX] = "";
  FaultPlace place = place_of_child (dir_fd, name, path);
  uint64_t more;
  FaultKind kind;

  if (is_moved_away (path))
    {
      errno = ENOENT;
      return -1;
    }

  kind = fault_decide (call, place, name_of (place, path), &more);
  if (kind != FAULT_ERROR && kind != FAULT_SPELL)
    return 0;

  fault_set_errno (call, place, more);
  return -1;
}

/* --- opening --- */

static int
open_at (int dir_fd, const char *path, int flags, mode_t mode)
{
  if (decide_by_name (FAULT_OPEN, dir_fd, path) < 0)
    return -1;

  return (int) syscall (SYS_openat, dir_fd, path, flags, mode);
}

static mode_t
take_mode (int flags, va_list arguments)
{
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg (arguments, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                              \
 int name (const char *path, int flags, ...)                                           \
 {                                                                                     \
  va_list arguments;                                                                   \
  mode_t mode;                                                                         \
                                                                                       \
  va_start (arguments, flags);                                                         \
  mode = take_mode (flags, arguments);                                                 \
  va_end (arguments);                                                                  \
  return open_at (AT_FDCWD, path, flags, mode);                                        \
 }

#define DEFINE_OPENAT(name)                                                            \
 int name (int dir_fd, const char *path, int flags, ...)                               \
 {                                                                                     \
  va_list arguments;                                                                   \
  mode_t mode;                                                                         \
                                                                                       \
  va_start (arguments, flags);                                                         \
  mode = take_mode (flags, arguments);                                                 \
  va_end (arguments);                                                                  \
  return open_at (dir_fd, path, flags, mode);                                          \
 }

/* clang-format off */
DEFINE_OPEN (open64)
DEFINE_OPENAT (openat64)
#undef open
#undef openat
int open (const char *path, int flags, ...) __attribute__ ((alias ("open64")));
int openat (int dir_fd, const char *path, int flags, ...) __attribute__ ((alias ("openat64")));
/* clang-format on */

long __real_syscall (long number, ...);
long __wrap_syscall (long number, ...);

/* Of jobmetrics, which asks for openat2() in this way. */
long
__wrap_syscall (long number, ...)
{
  long words[6];
  va_list arguments;

  va_start (arguments, number);
  for (int i = 0; i < 6; i++)
    words[i] = va_arg (arguments, long);
  va_end (arguments);

  if (number == SYS_openat2 &&
      decide_by_name (FAULT_OPEN, (int) words[0], (const char *) words[1]) < 0)
    return -1;

  return __real_syscall (number, words[0], words[1], words[2], words[3], words[4],
                         words[5]);
}

/* --- reading --- */

/* A kernel's file says nothing any more once its cgroup or process has gone, be it
 * open. */
static int
is_gone (const char *path)
{
  if (!is_moved_away (path))
    return 0;

  errno = strstr (path, "/cgroup/") != NULL ? ENODEV : ESRCH;
  return 1;
}

/* Its text is of one moment, too: the driver says while it writes. */
static ssize_t
read_whole (int fd, void *buffer, size_t size, off_t offset)
{
  FaultControl *control = fault_control_get ();
  ssize_t n = -1;

  for (int i = 0; i < WAITS_MAX; i++)
    {
      uint32_t before = __atomic_load_n (&control->writing, __ATOMIC_SEQ_CST);

      n = syscall (SYS_pread64, fd, buffer, size, offset);
      if (before % 2 == 0 &&
          before == __atomic_load_n (&control->writing, __ATOMIC_SEQ_CST))
        break;
      usleep (WAIT_US);
    }

  return n;
}

static ssize_t
read_some (int fd, void *buffer, size_t size, off_t offset, int is_kernels)
{
  if (offset < 0)
    return syscall (SYS_read, fd, buffer, size);

  return is_kernels ? read_whole (fd, buffer, size, offset)
                    : syscall (SYS_pread64, fd, buffer, size, offset);
}

/* The name of a command, in parentheses, is as good as any other. */
static void
garble (char *text, size_t length, uint64_t more)
{
  const char *end = memrchr (text, ')', length);
  size_t skipped = end != NULL ? (size_t) (end - text) + 1 : 0;

  fault_garble (text + skipped, length - skipped, more);
}

/* @offset is -1 for what goes on where it was. */
static ssize_t
read_at (int fd, void *buffer, size_t size, off_t offset)
{
  char path[FAULT_PATH_MAX] = "";
  FaultPlace place = fault_place_of_fd (fd, path);
  int is_kernels = place == FAULT_PLACE_TREE || place == FAULT_PLACE_TEXT;
  uint64_t more;
  FaultKind kind = fault_decide (FAULT_READ, place, name_of (place, path), &more);
  ssize_t n;

  if (kind == FAULT_ERROR || kind == FAULT_SPELL)
    {
      fault_set_errno (FAULT_READ, place, more);
      return -1;
    }
  if (is_gone (path))
    return -1;

  n = read_some (fd, buffer, size, offset, is_kernels);
  if (n > 1 && kind == FAULT_SHORT)
    {
      ssize_t less = 1 + (ssize_t) (more % (uint64_t) (n - 1));

      if (offset < 0)
        lseek (fd, less - n, SEEK_CUR);
      n = place == FAULT_PLACE_PIPE ? n : less;
    }
  if (n > 0 && kind == FAULT_GARBLED)
    garble (buffer, (size_t) n, more);

  return n;
}

ssize_t
read (int fd, void *buffer, size_t size)
{
  return read_at (fd, buffer, size, -1);
}

/* clang-format off */
ssize_t
pread64 (int fd, void *buffer, size_t size, off64_t offset)
{
  return read_at (fd, buffer, size, offset);
}

#undef pread
ssize_t pread (int fd, void *buffer, size_t size, off_t offset) __attribute__ ((alias ("pread64")));
/* clang-format on */

ssize_t __real_getdents64 (int fd, void *buffer, size_t size);
ssize_t __wrap_getdents64 (int fd, void *buffer, size_t size);

ssize_t
__wrap_getdents64 (int fd, void *buffer, size_t size)
{
  if (decide_by_name (FAULT_LIST, fd, "") < 0)
    return -1;

  return __real_getdents64 (fd, buffer, size);
}

ssize_t __real_readlinkat (int fd, const char *path, char *buffer, size_t size);
ssize_t __wrap_readlinkat (int fd, const char *path, char *buffer, size_t size);

ssize_t
__wrap_readlinkat (int fd, const char *path, char *buffer, size_t size)
{
  if (decide_by_name (FAULT_LINK, fd, path) < 0)
    return -1;

  return __real_readlinkat (fd, path, buffer, size);
}

int __real_inotify_add_watch (int fd, const char *path, uint32_t mask);
int __wrap_inotify_add_watch (int fd, const char *path, uint32_t mask);

int
__wrap_inotify_add_watch (int fd, const char *path, uint32_t mask)
{
  if (decide_by_name (FAULT_WATCH, AT_FDCWD, path) < 0)
    return -1;

  return __real_inotify_add_watch (fd, path, mask);
}

int __real_statfs64 (const char *path, struct statfs64 *status);
int __wrap_statfs64 (const char *path, struct statfs64 *status);

/* The tree's cgroups come and go as a kernel's do, so they are to be watched as such.
 */
int
__wrap_statfs64 (const char *path, struct statfs64 *status)
{
  int result = __real_statfs64 (path, status);

  if (result == 0 && fault_place_of_path (path) != FAULT_PLACE_NONE &&
      strstr (path, "/sys/fs/cgroup") != NULL)
    status->f_type = CGROUP2_SUPER_MAGIC;

  return result;
}

/* --- writing --- */

/* 0 where all is written, -1 where nothing is, 1 where less is. */
static int
decide_write (FaultCall call, FaultPlace place, const char *path, uint64_t *more)
{
  const FaultControl *control = fault_control_get ();
  FaultKind kind;
  uint32_t disk;

  if (place != FAULT_PLACE_STORE)
    return 0;

  disk = __atomic_load_n (&control->disk, __ATOMIC_SEQ_CST);
  if (disk != 0)
    {
      errno = (int) disk;
      return -1;
    }

  kind = fault_decide (call, place, name_of (place, path), more);
  if (kind == FAULT_SHORT)
    return 1;
  if (kind != FAULT_ERROR && kind != FAULT_SPELL)
    return 0;

  fault_set_errno (call, place, *more);
  return -1;
}

static ssize_t
write_at (int fd, const void *buffer, size_t size, off_t offset)
{
  char path[FAULT_PATH_MAX];
  FaultPlace place = fault_place_of_fd (fd, path);
  uint64_t more;
  int result = decide_write (FAULT_WRITE, place, path, &more);

  if (result < 0)
    return -1;
  if (result > 0 && size > 1)
    size = 1 + more % (size - 1);

  return offset < 0 ? syscall (SYS_write, fd, buffer, size)
                    : syscall (SYS_pwrite64, fd, buffer, size, offset);
}

ssize_t
write (int fd, const void *buffer, size_t size)
{
  return write_at (fd, buffer, size, -1);
}

/* clang-format off */
ssize_t
pwrite64 (int fd, const void *buffer, size_t size, off64_t offset)
{
  return write_at (fd, buffer, size, offset);
}

#undef pwrite
ssize_t pwrite (int fd, const void *buffer, size_t size, off_t offset) __attribute__ ((alias ("pwrite64")));
/* clang-format on */

static int
decide_on_fd (FaultCall call, int fd)
{
  char path[FAULT_PATH_MAX];
  FaultPlace place = fault_place_of_fd (fd, path);
  uint64_t more;

  return decide_write (call, place, path, &more) < 0 ? -1 : 0;
}

int
fsync (int fd)
{
  return decide_on_fd (FAULT_SYNC, fd) < 0 ? -1 : (int) syscall (SYS_fsync, fd);
}

int
fdatasync (int fd)
{
  return decide_on_fd (FAULT_SYNC, fd) < 0 ? -1 : (int) syscall (SYS_fdatasync, fd);
}

/* clang-format off */
int
ftruncate64 (int fd, off64_t size)
{
  return decide_on_fd (FAULT_WRITE, fd) < 0 ? -1 : (int) syscall (SYS_ftruncate, fd, size);
}

#undef ftruncate
int ftruncate (int fd, off_t size) __attribute__ ((alias ("ftruncate64")));
/* clang-format on */

static int
decide_on_name (FaultCall call, const char *path)
{
  char whole[FAULT_PATH_MAX];
  FaultPlace place = place_of_child (AT_FDCWD, path, whole);
  uint64_t more;

  return decide_write (call, place, whole, &more) < 0 ? -1 : 0;
}

int
rename (const char *from, const char *to)
{
  if (decide_on_name (FAULT_RENAME, to) < 0)
    return -1;

  return (int) syscall (SYS_rename, from, to);
}

int
unlink (const char *path)
{
  if (decide_on_name (FAULT_RENAME, path) < 0)
    return -1;

  return (int) syscall (SYS_unlink, path);
}
