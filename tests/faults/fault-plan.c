/* fault-plan.c: which call of a program goes wrong, and how
 *
 * What becomes of a call depends on the seed, on what it is about, and on how many such
 * calls there were before: so a seed does the same again to a thread that does the same
 * again. FAULT_CONTROL names the file of the page that is shared with the driver,
 * FAULT_LOG one that has a line for each fault.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fault-plan.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N_COUNTERS 65536
#define MILLION 1000000
#define LOOK_US 2000
/* Calls of one spell. */
#define SPELL 12

static FaultControl *control;
static int log_fd = -1;
static pthread_once_t control_once = PTHREAD_ONCE_INIT;
static _Atomic uint32_t counters[N_COUNTERS];

/* --- the page --- */

static void
control_open (void)
{
  const char *path = getenv ("FAULT_CONTROL");
  int fd;
  void *page;

  if (path == NULL)
    return;

  fd = (int) syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  page = fd < 0
           ? MAP_FAILED
           : mmap (NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED)
    {
      perror (path);
      abort ();
    }

  syscall (SYS_close, fd);
  control = page;
  path = getenv ("FAULT_LOG");
  if (path != NULL)
    log_fd = (int) syscall (SYS_openat, AT_FDCWD, path,
                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

FaultControl *
fault_control_get (void)
{
  pthread_once (&control_once, control_open);

  return control;
}

static uint32_t
load (const uint32_t *value)
{
  return __atomic_load_n (value, __ATOMIC_SEQ_CST);
}

/* --- places --- */

static int
has_prefix (const char *text, const char *prefix)
{
  return prefix[0] != '\0' && strncmp (text, prefix, strlen (prefix)) == 0;
}

static int
has_suffix (const char *text, const char *suffix)
{
  size_t length = strlen (text);
  size_t suffix_length = strlen (suffix);

  return length >= suffix_length && strcmp (text + length - suffix_length, suffix) == 0;
}

/* Texts of any form: a garbled one is as good as a sound one. */
static int
is_text (const char *path)
{
  static const char *const names[] = { "/environ", "/comm",   "/cmdline", "/cgroup",
                                       "/boot_id", "/passwd", "/name",    "/cpuinfo" };

  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (has_suffix (path, names[i]))
      return 1;

  return strstr (path, "/run/") != NULL;
}

FaultPlace
fault_place_of_path (const char *path)
{
  const FaultControl *page = fault_control_get ();

  if (page == NULL)
    return FAULT_PLACE_NONE;
  if (has_prefix (path, page->store))
    return FAULT_PLACE_STORE;
  if (has_prefix (path, page->tree))
    return is_text (path) ? FAULT_PLACE_TEXT : FAULT_PLACE_TREE;

  return FAULT_PLACE_NONE;
}

static uint32_t
get_peer_port (int fd)
{
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;

  if (getpeername (fd, (struct sockaddr *) &peer, &length) != 0 ||
      peer.sin_family != AF_INET)
    return 0;

  return ntohs (peer.sin_port);
}

static FaultPlace
place_of_port (uint32_t port)
{
  const FaultControl *page = fault_control_get ();

  for (int i = 0; port != 0 && i < FAULT_MAX_PORTS; i++)
    if (page->ports[i] == port)
      return FAULT_PLACE_SOCKET;

  return FAULT_PLACE_NONE;
}

FaultPlace
fault_place_of_fd (int fd, char path[FAULT_PATH_MAX])
{
  char link[32];
  long length;

  path[0] = '\0';
  if (fault_control_get () == NULL)
    return FAULT_PLACE_NONE;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = syscall (SYS_readlinkat, AT_FDCWD, link, path, (size_t) FAULT_PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  if (has_prefix (path, "socket:"))
    {
      uint32_t port = get_peer_port (fd);

      snprintf (path, FAULT_PATH_MAX, "port %u", port);
      return place_of_port (port);
    }
  if (has_prefix (path, "pipe:"))
    {
      strcpy (path, "pipe");
      return FAULT_PLACE_PIPE;
    }

  return path[0] == '/' ? fault_place_of_path (path) : FAULT_PLACE_NONE;
}

/* --- decisions --- */

/* splitmix64 */
static uint64_t
mix (uint64_t x)
{
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;

  return x ^ (x >> 31);
}

static uint64_t
hash_text (const char *text)
{
  uint64_t hash = 14695981039346656037ULL;

  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 1099511628211ULL;

  return hash;
}

static int
happens (uint64_t random, uint32_t rate)
{
  return random % MILLION < rate;
}

/* Counts it, and reports it in a line. */
static void
note (FaultCall call, FaultKind kind, const char *name)
{
  static const char *const calls[N_FAULT_CALLS] = {
    "open",   "read",    "list", "link",    "watch", "write", "sync",
    "rename", "connect", "send", "receive", "load",  "spawn",
  };
  static const char *const kinds[N_FAULT_KINDS] = {
    "none", "error", "short", "garbled", "slow", "hang", "spell",
  };
  char line[FAULT_PATH_MAX + 64];
  struct timespec now;
  int length;

  clock_gettime (CLOCK_REALTIME, &now);
  length = snprintf (line, sizeof line, "%lld.%06ld %s %s %s\n", (long long) now.tv_sec,
                     now.tv_nsec / 1000, calls[call], kinds[kind], name);

  __atomic_fetch_add (&control->counts[call][kind], 1, __ATOMIC_SEQ_CST);
  if (log_fd >= 0 && length > 0)
    syscall (SYS_write, log_fd, line, (size_t) length);
}

static void
hang (void)
{
  uint32_t released = load (&control->released);

  __atomic_fetch_add (&control->n_hanging, 1, __ATOMIC_SEQ_CST);
  while (load (&control->released) == released)
    usleep (LOOK_US);
  __atomic_fetch_sub (&control->n_hanging, 1, __ATOMIC_SEQ_CST);
}

/* The driver asks for one that hangs; the first that comes along is it. */
static int
takes_hang (FaultPlace place)
{
  uint32_t expected = place;

  return __atomic_compare_exchange_n (&control->hang_place, &expected, 0, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Only what has a length can be short, and only what is read be garbled. */
static int
is_possible (FaultCall call, FaultKind kind)
{
  int is_read = call == FAULT_READ || call == FAULT_RECEIVE;

  if (kind == FAULT_SHORT)
    return is_read || call == FAULT_WRITE || call == FAULT_SEND;

  return kind != FAULT_GARBLED || is_read;
}

static FaultKind
choose (FaultCall call, uint64_t key, uint32_t n, const uint32_t *rate)
{
  static const FaultKind kinds[] = { FAULT_ERROR, FAULT_SHORT, FAULT_GARBLED,
                                     FAULT_SLOW };

  if (happens (mix (key ^ mix (n / SPELL)), rate[FAULT_SPELL]))
    return FAULT_SPELL;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (is_possible (call, kinds[i]) &&
        happens (mix (key + mix ((uint64_t) n * N_FAULT_KINDS + kinds[i])),
                 rate[kinds[i]]))
      return kinds[i];

  return FAULT_NONE;
}

/* Which cgroups there are, and not what is in them. */
static int
is_of_cgroups (FaultCall call, const char *name)
{
  return (call == FAULT_OPEN || call == FAULT_LIST || call == FAULT_WATCH) &&
         strstr (name, "/sys/fs/cgroup/") != NULL;
}

FaultKind
fault_decide (FaultCall call, FaultPlace place, const char *name, uint64_t *more)
{
  uint64_t key;
  uint32_t n;
  FaultKind kind;

  *more = 0;
  if (is_of_cgroups (call, name))
    place = FAULT_PLACE_CGROUP;
  if (place == FAULT_PLACE_NONE || fault_control_get () == NULL ||
      !load (&control->is_armed))
    return FAULT_NONE;
  if (takes_hang (place))
    {
      note (call, FAULT_HANG, name);
      hang ();
      return FAULT_HANG;
    }

  key = mix (hash_text (name) + ((uint64_t) control->seed << 8) + call);
  n = atomic_fetch_add (&counters[key % N_COUNTERS], 1);
  kind = choose (call, key, n, control->rate[place]);
  *more = mix (key ^ n);
  if (kind == FAULT_NONE)
    return kind;

  note (call, kind, name);
  if (kind == FAULT_SLOW)
    usleep ((useconds_t) (*more % (load (&control->slow_us) + 1)));

  return kind;
}

/* --- what goes wrong --- */

#define LENGTH(array) (sizeof (array) / sizeof (array)[0])

/* None that says that something is not there, or may not be read: those are answers. */
void
fault_set_errno (FaultCall call, FaultPlace place, uint64_t more)
{
  static const int of_open[] = { EIO, EMFILE, ENFILE, ENOMEM, ESTALE };
  static const int of_read[] = { EIO, EINTR, ENOMEM, ESTALE, EAGAIN };
  static const int of_write[] = { EIO, ENOSPC, EDQUOT, EINTR, EROFS };
  static const int of_watch[] = { ENOSPC, ENOMEM };
  static const int of_connect[] = { ECONNREFUSED, ENETUNREACH, EHOSTUNREACH,
                                    ETIMEDOUT };
  static const int of_socket[] = { ECONNRESET, EPIPE, ETIMEDOUT, ENOBUFS };
  static const int of_spawn[] = { EAGAIN, ENOMEM, ENOENT, EACCES };
  const int *errors = of_read;
  size_t n = LENGTH (of_read);

#define USE(array) (errors = array, n = LENGTH (array))
  if (call == FAULT_OPEN || call == FAULT_LIST || call == FAULT_LINK)
    USE (of_open);
  else if (call == FAULT_WATCH)
    USE (of_watch);
  else if (call == FAULT_WRITE || call == FAULT_SYNC || call == FAULT_RENAME)
    USE (of_write);
  else if (call == FAULT_CONNECT)
    USE (of_connect);
  else if (place == FAULT_PLACE_SOCKET)
    USE (of_socket);
  else if (call == FAULT_SPAWN)
    USE (of_spawn);
#undef USE

  errno = errors[(more >> 20) % n];
}

/* Neither digits nor what separates them, or a part of a number would look whole. */
void
fault_garble (char *buffer, size_t length, uint64_t more)
{
  static const char bytes[] = "\xff\x80\xc3@#%\x01\x7f\"\\{=~";
  size_t at = (more >> 8) % (length + !length);
  size_t n = 1 + (more >> 40) % 6;

  for (size_t i = at; i < length && i < at + n; i++)
    if (buffer[i] != '\n')
      buffer[i] = bytes[(more >> (i % 32)) % (sizeof bytes - 1)];
}
