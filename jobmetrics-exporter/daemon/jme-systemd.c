/* jme-systemd.c: what a systemd unit asks of a daemon
 *
 * The protocols are those of sd_notify(3), sd_watchdog_enabled(3) and
 * sd_listen_fds(3): a datagram and a few variables. libsystemd would cost each node a
 * MiB of memory for them.
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-systemd.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/jm-error.h"

#define FIRST_FD 3
#define MAX_FDS 64

static gboolean
socket_address (const char *path, struct sockaddr_un *address, socklen_t *length)
{
  gsize n = strlen (path);

  if ((path[0] != '/' && path[0] != '@') || n >= sizeof address->sun_path)
    return FALSE;

  memset (address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy (address->sun_path, path, n);
  if (path[0] == '@')
    address->sun_path[0] = '\0';
  *length = offsetof (struct sockaddr_un, sun_path) + n;

  return TRUE;
}

/* With the descriptor @passed, or -1 for none. */
static gboolean
send_state (int fd, const char *path, const char *state, int passed)
{
  struct sockaddr_un address;
  struct iovec text = { (gpointer) state, strlen (state) };
  union
  {
    struct cmsghdr header;
    char space[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr message = { .msg_name = &address, .msg_iov = &text, .msg_iovlen = 1 };

  if (!socket_address (path, &address, &message.msg_namelen))
    {
      errno = EINVAL;
      return FALSE;
    }
  if (passed >= 0)
    {
      message.msg_control = &control;
      message.msg_controllen = sizeof control;
      control.header.cmsg_level = SOL_SOCKET;
      control.header.cmsg_type = SCM_RIGHTS;
      control.header.cmsg_len = CMSG_LEN (sizeof (int));
      memcpy (CMSG_DATA (&control.header), &passed, sizeof passed);
    }

  return sendmsg (fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0;
}

static gboolean
notify (const char *state, int passed, GError **error)
{
  const char *path = g_getenv ("NOTIFY_SOCKET");
  int fd = -1;
  int problem = ENOENT;

  if (path != NULL)
    fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (path != NULL)
    problem = fd >= 0 && send_state (fd, path, state, passed) ? 0 : errno;
  if (fd >= 0)
    close (fd);
  if (problem == 0)
    return TRUE;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem),
               "%s: cannot notify the service manager: %s",
               path != NULL ? path : "NOTIFY_SOCKET", g_strerror (problem));

  return FALSE;
}

/**
 * jme_systemd_notify:
 * @state: such as `READY=1`, `STOPPING=1` or `STATUS=...`
 *
 * Notifies the service manager, where there is one.
 */
void
jme_systemd_notify (const char *state)
{
  g_autoptr (GError) error = NULL;

  if (g_getenv ("NOTIFY_SOCKET") != NULL && !notify (state, -1, &error))
    g_info ("%s", error->message);
}

/**
 * jme_systemd_store:
 * @fd: a descriptor
 * @name: its name
 * @error: return location for an error
 *
 * Hands a descriptor over to the service manager, which keeps it until the service is
 * stopped, and hands it to the next process of the service. A unit that may store none
 * (`FileDescriptorStoreMax=`) closes it without an answer.
 *
 * - Errors: as the system reports; `NOT_FOUND` without a service manager.
 */
gboolean
jme_systemd_store (int fd, const char *name, GError **error)
{
  g_autofree char *state = g_strdup_printf ("FDSTORE=1\nFDNAME=%s", name);

  return notify (state, fd, error);
}

/**
 * jme_systemd_remove_stored:
 * @name: the name of a descriptor
 *
 * Has the service manager close a descriptor that it keeps.
 */
void
jme_systemd_remove_stored (const char *name)
{
  g_autofree char *state = g_strdup_printf ("FDSTOREREMOVE=1\nFDNAME=%s", name);

  jme_systemd_notify (state);
}

/**
 * jme_systemd_notify_reloading:
 *
 * Says that the configuration is being read again; `READY=1` ends it.
 */
void
jme_systemd_notify_reloading (void)
{
  g_autofree char *state =
    g_strdup_printf ("RELOADING=1\nMONOTONIC_USEC=%" G_GINT64_FORMAT,
                     g_get_monotonic_time ());

  jme_systemd_notify (state);
}

typedef struct
{
  gint64 (*get_busy_us) (gpointer);
  gpointer user_data;
  gint64 max_busy_us;
} Watchdog;

static gboolean
on_watchdog (gpointer user_data)
{
  const Watchdog *self = user_data;

  if (self->get_busy_us == NULL ||
      self->get_busy_us (self->user_data) < self->max_busy_us)
    jme_systemd_notify ("WATCHDOG=1");

  return G_SOURCE_CONTINUE;
}

/* Whether a variable that names a process names this one. */
static gboolean
is_for_us (const char *variable)
{
  const char *text = g_getenv (variable);
  guint64 pid;

  if (text == NULL)
    return FALSE;

  return g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT32, &pid, NULL) &&
         pid == (guint64) getpid ();
}

/**
 * jme_systemd_watchdog_source_new:
 * @get_busy_us: (nullable): microseconds that the daemon has been at what it does just
 *   now
 * @user_data: for @get_busy_us
 *
 * Makes a source that keeps the service manager's watchdog quiet, for the main context
 * to which the caller attaches it. It looks four times in the watchdog's time, and says
 * nothing once something has taken half of it: what takes less never rouses the
 * watchdog, what hangs does after its time and a half.
 *
 * Returns: (transfer full) (nullable): the source, or %NULL where no watchdog is set
 */
GSource *
jme_systemd_watchdog_source_new (gint64 (*get_busy_us) (gpointer), gpointer user_data)
{
  const char *text = g_getenv ("WATCHDOG_USEC");
  Watchdog *self;
  guint64 period_us;
  GSource *source;

  if (text == NULL ||
      (g_getenv ("WATCHDOG_PID") != NULL && !is_for_us ("WATCHDOG_PID")))
    return NULL;

  if (!g_ascii_string_to_unsigned (text, 10, 4000, G_MAXINT32 * 1000ull, &period_us,
                                   NULL))
    return NULL;

  self = g_new (Watchdog, 1);
  *self = (Watchdog){ get_busy_us, user_data, (gint64) period_us / 2 };
  source = g_timeout_source_new ((guint) (period_us / 4000));
  g_source_set_static_name (source, "watchdog");
  g_source_set_callback (source, on_watchdog, self, g_free);

  return source;
}

/* How many descriptors the service manager opened for this process, from FIRST_FD on,
 * and their names, of which there may be fewer. */
static guint
list_descriptors (char ***names)
{
  const char *text = g_getenv ("LISTEN_FDS");
  const char *all_names = g_getenv ("LISTEN_FDNAMES");
  guint64 n;

  *names = g_strsplit (all_names != NULL ? all_names : "", ":", MAX_FDS);

  return text != NULL && is_for_us ("LISTEN_PID") &&
             g_ascii_string_to_unsigned (text, 10, 1, MAX_FDS, &n, NULL)
           ? (guint) n
           : 0;
}

/**
 * jme_systemd_take_stored:
 * @name: the name of a descriptor
 *
 * Takes a descriptor that an earlier process of the service handed over. It is the
 * caller's, and no child's. To be called before jme_systemd_take_sockets().
 *
 * Returns: the descriptor, or -1 where there is none
 */
int
jme_systemd_take_stored (const char *name)
{
  g_auto (GStrv) names = NULL;
  guint n = list_descriptors (&names);

  for (guint i = 0; i < MIN (n, g_strv_length (names)); i++)
    if (g_str_equal (names[i], name) &&
        fcntl (FIRST_FD + (int) i, F_SETFD, FD_CLOEXEC) == 0)
      return FIRST_FD + (int) i;

  return -1;
}

static gboolean
is_socket (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISSOCK (status.st_mode);
}

/**
 * jme_systemd_take_sockets:
 * @fds: (element-type int): where to append the descriptors
 * @error: return location for an error
 *
 * Takes the sockets that the service manager opened for this process. They are the
 * caller's, and no child's.
 *
 * - Errors: `INVALID` when it opened none.
 */
gboolean
jme_systemd_take_sockets (GArray *fds, GError **error)
{
  const char *text = g_getenv ("LISTEN_FDS");
  g_auto (GStrv) names = NULL;
  guint n = list_descriptors (&names);

  for (int fd = FIRST_FD; fd < FIRST_FD + (int) n; fd++)
    if (is_socket (fd))
      {
        fcntl (fd, F_SETFD, FD_CLOEXEC);
        g_array_append_val (fds, fd);
      }
  if (fds->len == 0)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                   "--web.systemd-socket: no socket came from a socket unit "
                   "(LISTEN_FDS: %s)",
                   text != NULL ? text : "not set");
      return FALSE;
    }

  g_unsetenv ("LISTEN_FDS");
  g_unsetenv ("LISTEN_PID");
  g_unsetenv ("LISTEN_FDNAMES");

  return TRUE;
}
