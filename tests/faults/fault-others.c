/* fault-others.c: calls about servers, libraries and commands, some of which go wrong
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault-plan.h"

/* --- servers --- */

static int
is_asked (const struct sockaddr *address, socklen_t length)
{
  const FaultControl *control = fault_control_get ();
  struct sockaddr_in internet;

  if (control == NULL || address == NULL || length < sizeof internet)
    return 0;

  memcpy (&internet, address, sizeof internet);
  for (int i = 0; i < FAULT_MAX_PORTS; i++)
    if (internet.sin_family == AF_INET && control->ports[i] != 0 &&
        control->ports[i] == ntohs (internet.sin_port))
      return 1;

  return 0;
}

int
connect (int fd, const struct sockaddr *address, socklen_t length)
{
  FaultPlace place = is_asked (address, length) ? FAULT_PLACE_SOCKET : FAULT_PLACE_NONE;
  uint64_t more;
  FaultKind kind = fault_decide (FAULT_CONNECT, place, "connect", &more);

  if (kind == FAULT_ERROR || kind == FAULT_SPELL)
    {
      fault_set_errno (FAULT_CONNECT, place, more);
      return -1;
    }

  return (int) syscall (SYS_connect, fd, address, length);
}

/* -1 where the call has failed; else how much of @size it is about. */
static ssize_t
decide_on_size (FaultCall call, int fd, size_t size, FaultKind *kind, uint64_t *more)
{
  char path[FAULT_PATH_MAX];
  FaultPlace place = fault_place_of_fd (fd, path);

  if (place != FAULT_PLACE_SOCKET)
    place = FAULT_PLACE_NONE;
  *kind = fault_decide (call, place, path, more);
  if (*kind == FAULT_ERROR || *kind == FAULT_SPELL)
    {
      fault_set_errno (call, place, *more);
      return -1;
    }

  return *kind == FAULT_SHORT && size > 1 ? 1 + (ssize_t) (*more % (size - 1))
                                          : (ssize_t) size;
}

ssize_t
sendto (int fd,
        const void *buffer,
        size_t size,
        int flags,
        const struct sockaddr *address,
        socklen_t length)
{
  FaultKind kind;
  uint64_t more;
  ssize_t some = decide_on_size (FAULT_SEND, fd, size, &kind, &more);

  return some < 0 ? -1 : syscall (SYS_sendto, fd, buffer, some, flags, address, length);
}

ssize_t
send (int fd, const void *buffer, size_t size, int flags)
{
  return sendto (fd, buffer, size, flags, NULL, 0);
}

ssize_t
sendmsg (int fd, const struct msghdr *message, int flags)
{
  FaultKind kind;
  uint64_t more;
  ssize_t some = decide_on_size (FAULT_SEND, fd, 0, &kind, &more);

  return some < 0 ? -1 : syscall (SYS_sendmsg, fd, message, flags);
}

ssize_t
recvfrom (int fd,
          void *buffer,
          size_t size,
          int flags,
          struct sockaddr *address,
          socklen_t *length)
{
  FaultKind kind;
  uint64_t more;
  ssize_t some = decide_on_size (FAULT_RECEIVE, fd, size, &kind, &more);
  ssize_t n =
    some < 0 ? -1 : syscall (SYS_recvfrom, fd, buffer, some, flags, address, length);

  if (n > 0 && kind == FAULT_GARBLED)
    fault_garble (buffer, (size_t) n, more);

  return n;
}

ssize_t
recv (int fd, void *buffer, size_t size, int flags)
{
  return recvfrom (fd, buffer, size, flags, NULL, NULL);
}

ssize_t
recvmsg (int fd, struct msghdr *message, int flags)
{
  FaultKind kind;
  uint64_t more;
  ssize_t some = decide_on_size (FAULT_RECEIVE, fd, 0, &kind, &more);
  ssize_t n = some < 0 ? -1 : syscall (SYS_recvmsg, fd, message, flags);

  if (n > 0 && kind == FAULT_GARBLED && message->msg_iovlen > 0)
    fault_garble (message->msg_iov[0].iov_base,
                  (size_t) n < message->msg_iov[0].iov_len
                    ? (size_t) n
                    : message->msg_iov[0].iov_len,
                  more);

  return n;
}

/* --- libraries of makers --- */

void *__real_dlopen (const char *name, int flags);
void *__wrap_dlopen (const char *name, int flags);
void *__real_dlsym (void *handle, const char *name);
void *__wrap_dlsym (void *handle, const char *name);

static int
fails (FaultCall call, FaultPlace place, const char *name)
{
  uint64_t more;
  FaultKind kind = fault_decide (call, place, name, &more);

  if (kind != FAULT_ERROR && kind != FAULT_SPELL)
    return 0;

  fault_set_errno (call, place, more);
  return 1;
}

/* What is not there leaves a message, as it should. */
void *
__wrap_dlopen (const char *name, int flags)
{
  return __real_dlopen (fails (FAULT_LOAD, FAULT_PLACE_LIBRARY, "dlopen")
                          ? "/nowhere.so"
                          : name,
                        flags);
}

void *
__wrap_dlsym (void *handle, const char *name)
{
  /* a sanitizer that looks for the C library's calls, before anything works */
  if (handle == RTLD_NEXT || handle == RTLD_DEFAULT)
    return __real_dlsym (handle, name);

  return __real_dlsym (handle, fails (FAULT_LOAD, FAULT_PLACE_LIBRARY, name) ? "nowhere"
                                                                             : name);
}

/* --- the node --- */

int __wrap_jm_host_is_live (void *host);

/* Servers and commands are asked on the machine itself alone. */
int
__wrap_jm_host_is_live (void *host)
{
  return 1;
}

/* --- commands --- */

int __real_posix_spawnp (pid_t *pid,
                         const char *file,
                         const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes,
                         char *const arguments[],
                         char *const environment[]);
int __wrap_posix_spawnp (pid_t *pid,
                         const char *file,
                         const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes,
                         char *const arguments[],
                         char *const environment[]);

int
__wrap_posix_spawnp (pid_t *pid,
                     const char *file,
                     const posix_spawn_file_actions_t *actions,
                     const posix_spawnattr_t *attributes,
                     char *const arguments[],
                     char *const environment[])
{
  if (fails (FAULT_SPAWN, FAULT_PLACE_PIPE, "spawn"))
    return errno;

  return __real_posix_spawnp (pid, file, actions, attributes, arguments, environment);
}
