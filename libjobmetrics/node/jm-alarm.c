/* jm-alarm.c: what wakes who follows a node
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/jm-sweep-private.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct _JmAlarm
{
  int poll_fd;  /* or -1 */
  int timer_fd; /* or -1 */
  gint64 due_us;
};

JmAlarm *
jm_alarm_new (void)
{
  JmAlarm *self = g_new (JmAlarm, 1);

  *self = (JmAlarm){ -1, -1, G_MAXINT64 };

  return self;
}

void
jm_alarm_free (JmAlarm *self)
{
  if (self->timer_fd >= 0)
    close (self->timer_fd);
  if (self->poll_fd >= 0)
    close (self->poll_fd);
  g_free (self);
}

static gboolean
poll_fd (JmAlarm *self, int fd)
{
  struct epoll_event event = { .events = EPOLLIN };

  return self->poll_fd >= 0 &&
         epoll_ctl (self->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void
open_all (JmAlarm *self)
{
  self->poll_fd = epoll_create1 (EPOLL_CLOEXEC);
  self->timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (self->timer_fd >= 0 && !poll_fd (self, self->timer_fd))
    {
      close (self->timer_fd);
      self->timer_fd = -1;
    }
}

gboolean
jm_alarm_add_fd (JmAlarm *self, int fd)
{
  if (self->poll_fd < 0)
    open_all (self);

  return poll_fd (self, fd);
}

int
jm_alarm_get_fd (const JmAlarm *self)
{
  return self->poll_fd;
}

/* Without a timer whoever polls comes with the next event. */
void
jm_alarm_set (JmAlarm *self, gint64 due_us)
{
  const struct timespec due = { due_us / G_USEC_PER_SEC,
                                (due_us % G_USEC_PER_SEC) * 1000 };
  const struct itimerspec once = { .it_value = due };
  const struct itimerspec never = { 0 };

  if (self->timer_fd < 0 || due_us == self->due_us)
    return;

  self->due_us = due_us;
  timerfd_settime (self->timer_fd, TFD_TIMER_ABSTIME,
                   due_us == G_MAXINT64 ? &never : &once, NULL);
}

void
jm_alarm_clear (JmAlarm *self)
{
  guint64 n_times;

  if (self->timer_fd >= 0 && read (self->timer_fd, &n_times, sizeof n_times) > 0)
    self->due_us = G_MAXINT64;
}
