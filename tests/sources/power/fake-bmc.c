/* fake-bmc.c: a BMC behind a device that is none
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "fake-bmc.h"

#include <errno.h>
#include <linux/ipmi.h>
#include <string.h>
#include <sys/ioctl.h>

/* No call of the system ever sees it. */
#define FD 4711

typedef struct
{
  int type;
  long msgid;
  guint8 netfn;
  guint8 cmd;
  guint8 bytes[FAKE_BMC_ANSWER_MAX];
  gsize length;
} Message;

static int
fake_open (gpointer user_data, const char *path)
{
  FakeBmc *self = user_data;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  if (self->open_result < 0)
    return self->open_result;

  self->n_opened++;
  return FD;
}

static void
fake_close (gpointer user_data, int fd)
{
  FakeBmc *self = user_data;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_assert_cmpint (fd, ==, FD);
  self->n_closed++;
}

static void
push (FakeBmc *self, int type, long msgid, guint8 cmd)
{
  Message *message = g_new0 (Message, 1);

  message->type = type;
  message->msgid = msgid;
  message->netfn = 0x2d;
  message->cmd = cmd;
  message->length = self->answer_length;
  memcpy (message->bytes, self->answer, self->answer_length);
  g_queue_push_tail (&self->messages, message);
}

static void
assert_asks_for_power (const struct ipmi_req *question)
{
  static const guint8 data[] = { 0xdc, 0x01, 0x00, 0x00 };
  struct ipmi_system_interface_addr address;

  g_assert_cmpuint (question->addr_len, ==, sizeof address);
  memcpy (&address, question->addr, sizeof address);
  g_assert_cmpint (address.addr_type, ==, 0x0c);
  g_assert_cmpint (address.channel, ==, 0x0f);
  g_assert_cmpint (address.lun, ==, 0);
  g_assert_cmpint (question->msg.netfn, ==, 0x2c);
  g_assert_cmpint (question->msg.cmd, ==, 0x02);
  g_assert_cmpmem (question->msg.data, question->msg.data_len, data, sizeof data);
}

static int
take_question (FakeBmc *self, const struct ipmi_req *question)
{
  assert_asks_for_power (question);
  self->n_questions++;

  if (self->way == FAKE_BMC_EVENT_FIRST)
    push (self, IPMI_ASYNC_EVENT_RECV_TYPE, 0, 0);
  if (self->way == FAKE_BMC_STRAYS)
    push (self, IPMI_RESPONSE_RECV_TYPE, -1, 0x02);
  else if (self->way == FAKE_BMC_OTHER_COMMAND)
    push (self, IPMI_RESPONSE_RECV_TYPE, question->msgid, 0x03);
  else
    push (self, IPMI_RESPONSE_RECV_TYPE, question->msgid, 0x02);

  return 0;
}

static int
give_answer (FakeBmc *self, struct ipmi_recv *answer)
{
  g_autofree Message *message = NULL;

  if (self->way == FAKE_BMC_NO_MESSAGE)
    {
      self->way = FAKE_BMC_ANSWERS;
      return -EAGAIN;
    }
  if (self->way == FAKE_BMC_STRAYS)
    push (self, IPMI_RESPONSE_RECV_TYPE, -1, 0x02);

  message = g_queue_pop_head (&self->messages);
  g_assert_nonnull (message);
  g_assert_cmpuint (answer->msg.data_len, >=, message->length);
  g_assert_cmpuint (answer->addr_len, >=, sizeof (struct ipmi_system_interface_addr));
  answer->recv_type = message->type;
  answer->msgid = message->msgid;
  answer->msg.netfn = message->netfn;
  answer->msg.cmd = message->cmd;
  answer->msg.data_len = (unsigned short) message->length;
  memcpy (answer->msg.data, message->bytes, message->length);

  return 0;
}

static int
fake_ioctl (gpointer user_data, int fd, unsigned long request, void *argument)
{
  FakeBmc *self = user_data;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_assert_cmpint (fd, ==, FD);
  if (self->ioctl_result < 0)
    return self->ioctl_result;

  switch (request)
    {
    case IPMICTL_SEND_COMMAND:
      return take_question (self, argument);
    case IPMICTL_RECEIVE_MSG_TRUNC:
      return give_answer (self, argument);
    default:
      return -ENOTTY;
    }
}

static gboolean
has_message (FakeBmc *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->way != FAKE_BMC_HANGS && self->messages.length > 0;
}

/* One that hangs lets its asker wait for the end of time, or until it is cancelled. */
static int
fake_poll (gpointer user_data, struct pollfd *fds, guint n_fds, int timeout_ms)
{
  FakeBmc *self = user_data;

  g_assert_cmpint (fds[0].fd, ==, FD);
  fds[0].revents = 0;
  if (has_message (self))
    {
      fds[0].revents = POLLIN;
      return 1;
    }

  return poll (fds + 1, n_fds - 1, timeout_ms);
}

FakeBmc *
fake_bmc_new (void)
{
  FakeBmc *self = g_new0 (FakeBmc, 1);

  self->calls.open = fake_open;
  self->calls.close = fake_close;
  self->calls.ioctl = fake_ioctl;
  self->calls.poll = fake_poll;
  self->calls.user_data = self;
  g_mutex_init (&self->mutex);
  g_queue_init (&self->messages);
  fake_bmc_set_watts (self, 312);

  return self;
}

void
fake_bmc_free (FakeBmc *self)
{
  g_assert_cmpuint (self->n_opened, ==, self->n_closed);
  g_queue_clear_full (&self->messages, g_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
fake_bmc_set_watts (FakeBmc *self, guint watts)
{
  const guint8 bytes[] = {
    0x00,         0xdc,                               /* no error; DCMI */
    watts & 0xff, watts >> 8,                         /* now */
    0x44,         0x00,       0xf8, 0x01, 0x5c, 0x01, /* least, most, on average */
    0x61,         0x8c,       0x44, 0x65, 0xe8, 0x03,
    0x00,         0x00, /* when, over how many ms */
    0x40,               /* measurement is active */
  };

  fake_bmc_set_answer (self, bytes, sizeof bytes);
}

void
fake_bmc_set_answer (FakeBmc *self, const guint8 *bytes, gsize length)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_assert_cmpuint (length, <=, sizeof self->answer);
  if (length > 0)
    memcpy (self->answer, bytes, length);
  self->answer_length = length;
}

void
fake_bmc_set_byte (FakeBmc *self, guint at, guint8 byte)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  g_assert_cmpuint (at, <, self->answer_length);
  self->answer[at] = byte;
}

void
fake_bmc_set_way (FakeBmc *self, FakeBmcWay way)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  self->way = way;
}

guint
fake_bmc_get_n_questions (FakeBmc *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return self->n_questions;
}
