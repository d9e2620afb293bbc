/* jm-ipmi-device.c: the kernel's door to the BMC
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ipmi.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/jm-error.h"
#include "base/jm-path-error-private.h"
#include "sources/power/jm-dcmi-private.h"

/* An answer's network function is that of its question, plus one. */
#define ANSWER_NETFN (JM_DCMI_NETFN | 1)

/* More than this many answers to other questions, and it is not a BMC that speaks. */
#define MAX_STRAY_ANSWERS 64

/* https://docs.kernel.org/driver-api/ipmi.html */
struct _JmIpmiDevice
{
  char *path;
  const JmIpmiCalls *calls;
  int fd; /* -1 after a failure: opened anew for the next question */
  long n_questions;
};

/* What came of waiting for one answer. */
typedef enum
{
  ANSWER_OURS,
  ANSWER_STRAY,
  ANSWER_FAILED,
} Answer;

static int
system_open (gpointer user_data, const char *path)
{
  int fd = open (path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

  return fd >= 0 ? fd : -errno;
}

static int
system_ioctl (gpointer user_data, int fd, unsigned long request, void *argument)
{
  int result = ioctl (fd, request, argument);

  return result >= 0 ? result : -errno;
}

static int
system_poll (gpointer user_data, struct pollfd *fds, guint n_fds, int timeout_ms)
{
  int result = poll (fds, n_fds, timeout_ms);

  return result >= 0 ? result : -errno;
}

static void
system_close (gpointer user_data, int fd)
{
  close (fd);
}

const JmIpmiCalls jm_ipmi_system_calls = {
  .open = system_open,
  .ioctl = system_ioctl,
  .poll = system_poll,
  .close = system_close,
};

static gboolean
reopen (JmIpmiDevice *self, GError **error)
{
  int fd;

  if (self->fd >= 0)
    return TRUE;

  fd = self->calls->open (self->calls->user_data, self->path);
  if (fd < 0)
    {
      /* the node is there, and no driver behind it */
      int number = fd == -ENXIO ? ENODEV : -fd;

      jm_path_error_set_errno (error, self->path, number);
      return FALSE;
    }

  self->fd = fd;
  return TRUE;
}

static void
hang_up (JmIpmiDevice *self)
{
  if (self->fd >= 0)
    self->calls->close (self->calls->user_data, self->fd);
  self->fd = -1;
}

static gboolean
fail (JmIpmiDevice *self, int result, GError **error)
{
  jm_path_error_set_errno (error, self->path, -result);
  hang_up (self);

  return FALSE;
}

JmIpmiDevice *
jm_ipmi_device_new (const char *path, const JmIpmiCalls *calls, GError **error)
{
  g_autoptr (JmIpmiDevice) self = g_new0 (JmIpmiDevice, 1);

  self->path = g_strdup (path);
  self->calls = calls;
  self->fd = -1;
  if (!reopen (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
jm_ipmi_device_free (JmIpmiDevice *self)
{
  hang_up (self);
  g_free (self->path);
  g_free (self);
}

static gboolean
send_question (JmIpmiDevice *self, GError **error)
{
  struct ipmi_system_interface_addr address = {
    .addr_type = IPMI_SYSTEM_INTERFACE_ADDR_TYPE,
    .channel = IPMI_BMC_CHANNEL,
  };
  unsigned char data[] = { JM_DCMI_GROUP, JM_DCMI_SYSTEM_POWER, 0, 0 };
  struct ipmi_req question = {
    .addr = (unsigned char *) &address,
    .addr_len = sizeof address,
    .msgid = ++self->n_questions,
    .msg = { JM_DCMI_NETFN, JM_DCMI_GET_POWER_READING, sizeof data, data },
  };
  int result = self->calls->ioctl (self->calls->user_data, self->fd,
                                   IPMICTL_SEND_COMMAND, &question);

  return result >= 0 || fail (self, result, error);
}

static gboolean
set_cancelled_or_timed_out (JmIpmiDevice *self,
                            GCancellable *cancellable,
                            GError **error)
{
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
                 "%s: the BMC did not answer in time", self->path);

  return FALSE;
}

/* Whether there is something to receive. */
static gboolean
wait_until (JmIpmiDevice *self,
            gint64 end_us,
            GCancellable *cancellable,
            GError **error)
{
  GPollFD cancel = { -1, 0, 0 };
  gboolean is_cancellable = g_cancellable_make_pollfd (cancellable, &cancel);
  int result;
  struct pollfd fds[] = { { self->fd, POLLIN, 0 }, { cancel.fd, POLLIN, 0 } };

  do
    {
      gint64 left_us = MAX (end_us - g_get_monotonic_time (), 0);

      result = self->calls->poll (self->calls->user_data, fds, is_cancellable ? 2 : 1,
                                  (int) ((left_us + 999) / 1000));
    }
  while (result == -EINTR);
  if (is_cancellable)
    g_cancellable_release_fd (cancellable);

  if (result < 0)
    return fail (self, result, error);
  if (fds[0].revents & (POLLERR | POLLHUP | POLLNVAL))
    return fail (self, -ENODEV, error);
  if ((fds[0].revents & POLLIN) == 0)
    return set_cancelled_or_timed_out (self, cancellable, error);

  return TRUE;
}

static Answer
receive (JmIpmiDevice *self, guint8 *bytes, gsize *length, GError **error)
{
  struct ipmi_addr address;
  struct ipmi_recv answer = {
    .addr = (unsigned char *) &address,
    .addr_len = sizeof address,
    .msg = { .data = bytes, .data_len = (unsigned short) *length },
  };
  int result = self->calls->ioctl (self->calls->user_data, self->fd,
                                   IPMICTL_RECEIVE_MSG_TRUNC, &answer);

  /* another reader was quicker, or a signal came */
  if (result == -EAGAIN || result == -EINTR)
    return ANSWER_STRAY;
  if (result < 0)
    {
      fail (self, result, error);
      return ANSWER_FAILED;
    }
  if (answer.recv_type != IPMI_RESPONSE_RECV_TYPE || answer.msgid != self->n_questions)
    return ANSWER_STRAY;

  if (answer.msg.netfn != ANSWER_NETFN || answer.msg.cmd != JM_DCMI_GET_POWER_READING ||
      answer.msg.data_len > *length)
    {
      g_set_error (error, JM_ERROR, JM_ERROR_MALFORMED,
                   "%s: not an answer to Get Power Reading: %02Xh %02Xh, %u bytes",
                   self->path, answer.msg.netfn, answer.msg.cmd, answer.msg.data_len);
      return ANSWER_FAILED;
    }

  *length = answer.msg.data_len;
  return ANSWER_OURS;
}

/* A BMC may answer a question so late that nobody waits for it any more: that answer
 * comes when the next one is due, and is passed over. */
static gboolean
receive_ours (JmIpmiDevice *self,
              gint64 end_us,
              GCancellable *cancellable,
              guint8 bytes[IPMI_MAX_MSG_LENGTH],
              gsize *length,
              GError **error)
{
  for (guint n_strays = 0; n_strays <= MAX_STRAY_ANSWERS; n_strays++)
    {
      Answer answer;

      if (!wait_until (self, end_us, cancellable, error))
        return FALSE;

      *length = IPMI_MAX_MSG_LENGTH;
      answer = receive (self, bytes, length, error);
      if (answer != ANSWER_STRAY)
        return answer == ANSWER_OURS;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE,
               "%s: answers to other questions alone", self->path);
  hang_up (self);

  return FALSE;
}

gboolean
jm_ipmi_device_read_power (JmIpmiDevice *self,
                           guint timeout_ms,
                           GCancellable *cancellable,
                           JmDcmiReading *reading,
                           GError **error)
{
  gint64 end_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000;
  guint8 bytes[IPMI_MAX_MSG_LENGTH];
  gsize length;

  return reopen (self, error) && send_question (self, error) &&
         receive_ours (self, end_us, cancellable, bytes, &length, error) &&
         jm_dcmi_parse_power (bytes, length, self->path, reading, error);
}
