/* jmc-hook-exchange.c: reports to the exporter that a job begins or ends
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "hook/jmc-hook-steps.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The longest answer that is looked at: the exporter's have some hundred bytes. */
#define ANSWER_MAX 4096

#define VERSION "HTTP/1."
/* HTTP/1.1 200, and what follows it */
#define STATUS_AT 9
#define STATUS_END 12
#define BLANK_LINE "\r\n\r\n"

/* Between two tries of a socket at which too many knock. */
#define PAUSE_US 5000
#define NO_ANSWER_IN_TIME "no answer in time"

/* One connection, until the report was read or the time is over. */
typedef struct
{
  const char *path;
  gint64 until_us;
  int fd;
} Exchange;

/* RFC 9112, section 4: a digit, one space, three digits. */
static gboolean
parse_status (const char *data, gsize length, guint *status)
{
  if (length <= STATUS_END || memcmp (data, VERSION, strlen (VERSION)) != 0 ||
      !g_ascii_isdigit (data[STATUS_AT - 2]) || data[STATUS_AT - 1] != ' ')
    return FALSE;

  *status = 0;
  for (gsize i = STATUS_AT; i < STATUS_END; i++)
    {
      if (!g_ascii_isdigit (data[i]))
        return FALSE;
      *status = *status * 10 + (guint) g_ascii_digit_value (data[i]);
    }

  return *status >= 100 && (data[STATUS_END] == ' ' || data[STATUS_END] == '\r');
}

static void
take_reason (const char *data, gsize length, JmcHookAnswer *answer)
{
  const char *body = g_strstr_len (data, (gssize) length, BLANK_LINE);
  const char *end = data + length;
  gsize n = 0;

  answer->reason[0] = '\0';
  if (body == NULL)
    return;

  for (body += strlen (BLANK_LINE);
       body < end && *body != '\n' && n + 1 < sizeof answer->reason; body++)
    answer->reason[n++] = g_ascii_isprint (*body) ? *body : '?';
  answer->reason[n] = '\0';
}

gboolean
jmc_hook_answer_parse (const char *data, gsize length, JmcHookAnswer *answer)
{
  length = MIN (length, ANSWER_MAX);
  if (!parse_status (data, length, &answer->status))
    return FALSE;

  take_reason (data, length, answer);

  return TRUE;
}

static gboolean
fail (const Exchange *self, const char *problem, GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", self->path, problem);

  return FALSE;
}

static gint64
get_rest_us (const Exchange *self)
{
  return MAX (0, self->until_us - g_get_monotonic_time ());
}

static gboolean
await (const Exchange *self, short events, GError **error)
{
  struct pollfd poller = { .fd = self->fd, .events = events };
  int n = 0;

  /* rounded up, so that the last millisecond is no busy one */
  while (n <= 0 && get_rest_us (self) > 0)
    {
      n = poll (&poller, 1, (int) (get_rest_us (self) / 1000) + 1);
      if (n < 0 && errno != EINTR)
        break;
    }

  return n > 0 || fail (self, NO_ANSWER_IN_TIME, error);
}

/* A unix socket at which too many knock is not waited for by poll(). */
static gboolean
connect_to (Exchange *self, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (strlen (self->path) >= sizeof address.sun_path)
    return fail (self, "too long for a socket", error);
  strcpy (address.sun_path, self->path);

  self->fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (self->fd < 0)
    return fail (self, g_strerror (errno), error);

  while (connect (self->fd, (struct sockaddr *) &address, sizeof address) != 0)
    {
      if (errno != EAGAIN && errno != EINTR)
        return fail (self, g_strerror (errno), error);
      if (get_rest_us (self) == 0)
        return fail (self, NO_ANSWER_IN_TIME, error);
      g_usleep (PAUSE_US);
    }

  return TRUE;
}

static gboolean
ask (const Exchange *self, const char *request, GError **error)
{
  gsize length = strlen (request);
  gsize n_sent = 0;

  while (n_sent < length)
    {
      gssize n = send (self->fd, request + n_sent, length - n_sent, MSG_NOSIGNAL);

      if (n >= 0)
        n_sent += (gsize) n;
      else if (errno == EAGAIN && !await (self, POLLOUT, error))
        return FALSE;
      else if (errno != EAGAIN && errno != EINTR)
        return fail (self, g_strerror (errno), error);
    }

  return TRUE;
}

/* Reads until the end, or as much as is looked at. */
static gboolean
hear (const Exchange *self, GString *heard, GError **error)
{
  char bytes[1024];

  while (heard->len < ANSWER_MAX)
    {
      gssize n = recv (self->fd, bytes, sizeof bytes, 0);

      if (n == 0)
        return TRUE;
      if (n > 0)
        g_string_append_len (heard, bytes, n);
      else if (errno == EAGAIN && !await (self, POLLIN, error))
        return FALSE;
      else if (errno != EAGAIN && errno != EINTR)
        return fail (self, g_strerror (errno), error);
    }

  return TRUE;
}

static gboolean
follow (const Exchange *self, const GString *heard, GError **error)
{
  JmcHookAnswer answer;
  g_autofree char *problem = NULL;

  if (!jmc_hook_answer_parse (heard->str, heard->len, &answer))
    return fail (self, "an answer that is none of HTTP", error);
  if (answer.status / 100 == 2)
    return TRUE;

  problem = g_strdup_printf ("%u%s%s", answer.status,
                             *answer.reason != '\0' ? ": " : "", answer.reason);

  return fail (self, problem, error);
}

static char *
make_request (const char *event, const char *scheduler, const char *job)
{
  g_autofree char *escaped = g_uri_escape_string (job, NULL, FALSE);
  g_autofree char *body = g_strdup_printf ("job=%s&scheduler=%s", escaped, scheduler);

  return g_strdup_printf ("POST /hook/%s HTTP/1.1\r\n"
                          "Host: localhost\r\n"
                          "Content-Type: application/x-www-form-urlencoded\r\n"
                          "Content-Length: %" G_GSIZE_FORMAT "\r\n"
                          "Connection: close\r\n"
                          "\r\n"
                          "%s",
                          event, strlen (body), body);
}

gboolean
jmc_hook_exchange (const char *socket,
                   const char *event,
                   const char *scheduler,
                   const char *job,
                   gint64 until_us,
                   GError **error)
{
  Exchange self = { socket, until_us, -1 };
  g_autofree char *request = make_request (event, scheduler, job);
  g_autoptr (GString) heard = g_string_new (NULL);
  gboolean ok = connect_to (&self, error) && ask (&self, request, error) &&
                hear (&self, heard, error) && follow (&self, heard, error);

  if (self.fd >= 0)
    close (self.fd);

  return ok;
}
