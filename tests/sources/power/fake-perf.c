/* fake-perf.c: a kernel that counts energy as the test sets it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fake-perf.h"

#include <errno.h>

static int
fake_open (gpointer user_data, guint32 type, guint64 config, guint cpu)
{
  FakePerf *self = user_data;

  self->type = type;
  if (self->open_result < 0)
    return self->open_result;

  g_assert_cmpuint (self->n_events, <, FAKE_MAX_EVENTS);
  self->events[self->n_events] =
    (FakeEvent){ .is_open = TRUE, .config = config, .cpu = cpu };

  return (int) self->n_events++;
}

static FakeEvent *
get_event (FakePerf *self, int fd)
{
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (fd, <, (int) self->n_events);
  g_assert_true (self->events[fd].is_open);

  return &self->events[fd];
}

static gssize
fake_read (gpointer user_data, int fd, guint64 *count)
{
  FakeEvent *event = get_event (user_data, fd);

  if (event->is_dead)
    return 0;

  *count = event->count;
  return sizeof *count;
}

static void
fake_close (gpointer user_data, int fd)
{
  get_event (user_data, fd)->is_open = FALSE;
}

const JmPerfCalls fake_perf_calls = { fake_open, fake_read, fake_close };

FakeEvent *
fake_perf_find (FakePerf *self, guint64 config, guint cpu)
{
  for (guint i = 0; i < self->n_events; i++)
    if (self->events[i].is_open && self->events[i].config == config &&
        self->events[i].cpu == cpu)
      return &self->events[i];

  g_error ("event %" G_GUINT64_FORMAT " is not open on CPU %u", config, cpu);
}

guint
fake_perf_count_open (FakePerf *self)
{
  guint n_open = 0;

  for (guint i = 0; i < self->n_events; i++)
    n_open += self->events[i].is_open ? 1 : 0;

  return n_open;
}
