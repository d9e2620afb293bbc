/* test-hsmp-source.c: power of AMD's server processors, from their management port
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/power/jm-power-types-private.h"

#include <errno.h>
#include <string.h>

#include "meter.h"

#define FD 7
#define WATT_UW G_GUINT64_CONSTANT (1000000)

/* A port as the driver offers it. */
typedef struct
{
  int open_result; /* 0, or what opening fails with */
  guint n_sockets;
  guint32 power_mw[4];
  guint32 bandwidth[4];
  int result[4]; /* 0, or what a socket answers instead */
  gboolean knows_bandwidth;
  guint n_opened;
  guint n_closed;
} FakePort;

static int
fake_open (gpointer user_data, const char *path)
{
  FakePort *self = user_data;

  g_assert_true (g_str_has_suffix (path, "/dev/hsmp"));
  if (self->open_result < 0)
    return self->open_result;

  self->n_opened++;
  return FD;
}

static int
fake_send (gpointer user_data, int fd, JmHsmpMessage *message)
{
  FakePort *self = user_data;

  g_assert_cmpint (fd, ==, FD);
  g_assert_cmpuint (message->n_arguments, ==, 0);
  g_assert_cmpuint (message->n_answers, ==, 1);
  if (message->socket >= self->n_sockets)
    return -ENODEV;
  if (self->result[message->socket] < 0)
    return self->result[message->socket];

  if (message->id == JM_HSMP_GET_SOCKET_POWER)
    message->words[0] = self->power_mw[message->socket];
  else if (message->id == JM_HSMP_GET_DDR_BANDWIDTH && self->knows_bandwidth)
    message->words[0] = self->bandwidth[message->socket];
  else
    return -ENOMSG;

  return 0;
}

static void
fake_close (gpointer user_data, int fd)
{
  g_assert_cmpint (fd, ==, FD);
  ((FakePort *) user_data)->n_closed++;
}

static const JmHsmpCalls fake_calls = { fake_open, fake_send, fake_close };

static FakePort
make_port (void)
{
  return (FakePort){ .n_sockets = 2,
                     .power_mw = { 215432, 198001 },
                     .bandwidth = { 460u << 20 | 123u << 8 | 26, 460u << 20 },
                     .knows_bandwidth = TRUE };
}

static JmHsmpSource *
open_port (FakePort *port, GError **error)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);

  return jm_hsmp_source_new_with_calls (host, &fake_calls, port, error);
}

static Meter *
open_meter (FakePort *port)
{
  g_autoptr (GError) error = NULL;
  JmHsmpSource *source = open_port (port, &error);

  g_assert_no_error (error);
  return meter_new (source);
}

static void
assert_uw (Meter *meter, const char *domain, guint64 expected)
{
  guint64 power_uw = 0;

  g_assert_true (meter_find (meter, JM_METRIC_NODE_POWER, domain, &power_uw));
  g_assert_cmpuint (power_uw, ==, expected);
}

static void
test_each_socket_reports_its_power (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
  assert_uw (meter, "package-0", 215432000);
  assert_uw (meter, "package-1", 198001000);

  port.power_mw[0] = 300000;
  meter_read (meter);
  assert_uw (meter, "package-0", 300 * WATT_UW);
}

static void
test_the_device_is_closed_in_the_end (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  g_clear_pointer (&meter, meter_free);
  g_assert_cmpuint (port.n_opened, ==, 1);
  g_assert_cmpuint (port.n_closed, ==, 1);
}

static void
test_a_socket_that_does_not_answer_is_left_out (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  port.result[0] = -ETIMEDOUT;
  meter_read (meter);
  assert_domains (meter, "package-1,dram-1");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (meter_get_error (meter)->message, "/dev/hsmp: socket 0"));
}

static void
test_no_watts_are_no_reading (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  port.power_mw[1] = 0;
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_UNAVAILABLE);
}

static void
test_more_than_a_processor_takes_is_not_believed (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  port.power_mw[1] = G_MAXUINT32;
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0");
  g_assert_error (meter_get_error (meter), JM_ERROR, JM_ERROR_MALFORMED);
  g_assert_nonnull (strstr (meter_get_error (meter)->message, "4294967295 mW"));
}

static void
test_where_no_socket_answers_it_fails (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = open_meter (&port);

  port.result[0] = -EBUSY;
  port.result[1] = -EIO;
  meter_fail (meter, JM_ERROR_UNAVAILABLE, "socket 0");
}

static void
test_a_socket_that_is_busy_at_first_counts_all_the_same (void)
{
  FakePort port = make_port ();
  g_autoptr (Meter) meter = NULL;

  port.result[1] = -EBUSY;
  meter = open_meter (&port);
  assert_domains (meter, "package-0,dram-0");

  port.result[1] = 0;
  meter_read (meter);
  assert_domains (meter, "package-0,dram-0,package-1,dram-1");
}

static void
assert_does_not_open (FakePort *port, JmError code, guint n_closed)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_port (port, &error));
  g_assert_error (error, JM_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "/dev/hsmp"));
  g_assert_cmpuint (port->n_closed, ==, n_closed);
}

static void
test_it_does_not_open_where_there_is_nothing_to_read (void)
{
  FakePort no_device = { .open_result = -ENOENT };
  FakePort denied = { .open_result = -EACCES };
  FakePort no_socket = { .n_sockets = 0 };
  FakePort no_message = { .n_sockets = 1, .result = { -ENOMSG } };

  assert_does_not_open (&no_device, JM_ERROR_ABSENT, 0);
  assert_does_not_open (&denied, JM_ERROR_DENIED, 0);
  assert_does_not_open (&no_socket, JM_ERROR_ABSENT, 1);
  assert_does_not_open (&no_message, JM_ERROR_UNAVAILABLE, 1);
}

static void
test_in_a_copied_tree_nothing_answers (void)
{
  g_autofree char *root =
    g_test_build_filename (G_TEST_BUILT, "fixtures", "power-rapl-amd", NULL);
  g_autoptr (JmHost) host = jm_host_new (root);
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_hsmp_source_new (host, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

static void
test_this_machine_answers_or_says_why_not (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (GError) error = NULL;
  JmHsmpSource *source = jm_hsmp_source_new (host, &error);
  g_autoptr (Meter) meter = NULL;

  if (source == NULL)
    {
      g_assert_nonnull (strstr (error->message, "/dev/hsmp"));
      return;
    }

  meter = meter_new (source);
  g_assert_true (meter_find (meter, JM_METRIC_NODE_POWER, "package-0", NULL));
}

static void
test_memory_traffic_is_reported_in_bytes (void)
{
  FakePort port = make_port ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Meter) meter = meter_new (open_port (&port, &error));
  guint64 bytes = 1;

  g_assert_no_error (error);
  g_assert_true (meter_find (meter, JM_METRIC_NODE_MEMORY_TRAFFIC, "dram-0", &bytes));
  g_assert_cmpuint (bytes, ==, G_GUINT64_CONSTANT (123000000000));
  g_assert_true (meter_find (meter, JM_METRIC_NODE_MEMORY_TRAFFIC, "dram-1", &bytes));
  g_assert_cmpuint (bytes, ==, 0);
}

static void
test_memory_traffic_may_be_unknown (void)
{
  FakePort port = make_port ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Meter) meter = NULL;

  port.knows_bandwidth = FALSE;
  meter = meter_new (open_port (&port, &error));

  g_assert_no_error (error);
  g_assert_false (meter_find (meter, JM_METRIC_NODE_MEMORY_TRAFFIC, "dram-0", NULL));
  g_assert_true (meter_find (meter, JM_METRIC_NODE_POWER, "package-0", NULL));
  g_assert_cmpuint (meter_count_errors (meter), ==, 0);
}

static void
test_what_helps_depends_on_what_failed (void)
{
  g_autoptr (JmHost) host = jm_host_new (NULL);
  g_autoptr (JmSource) source = g_object_new (JM_TYPE_HSMP_SOURCE, "host", host, NULL);
  g_autoptr (GError) denied = g_error_new_literal (JM_ERROR, JM_ERROR_DENIED, "");
  g_autoptr (GError) absent = g_error_new_literal (JM_ERROR, JM_ERROR_ABSENT, "");
  g_autoptr (JmAdvice) right = jm_advice_new ();
  g_autoptr (JmAdvice) module = jm_advice_new ();
  g_autofree char *right_text = NULL;
  g_autofree char *module_text = NULL;

  jm_source_advise (source, denied, right);
  jm_source_advise (source, absent, module);

  right_text = jm_advice_get_text (right);
  module_text = jm_advice_get_text (module);
  g_assert_nonnull (strstr (right_text, "copy power-hsmp.conf from"));
  g_assert_cmpstr (module_text, ==, "modprobe amd_hsmp");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define SITUATION(name, function)                                                      \
 g_test_add_func ("/hsmp-source/" name, test_##function)

  SITUATION ("what-helps-depends-on-what-failed", what_helps_depends_on_what_failed);
  SITUATION ("each-socket-reports-its-power", each_socket_reports_its_power);
  SITUATION ("the-device-is-closed-in-the-end", the_device_is_closed_in_the_end);
  SITUATION ("a-socket-that-does-not-answer-is-left-out",
             a_socket_that_does_not_answer_is_left_out);
  SITUATION ("no-watts-are-no-reading", no_watts_are_no_reading);
  SITUATION ("more-than-a-processor-takes-is-not-believed",
             more_than_a_processor_takes_is_not_believed);
  SITUATION ("where-no-socket-answers-it-fails", where_no_socket_answers_it_fails);
  SITUATION ("a-socket-that-is-busy-at-first-counts-all-the-same",
             a_socket_that_is_busy_at_first_counts_all_the_same);
  SITUATION ("it-does-not-open-where-there-is-nothing-to-read",
             it_does_not_open_where_there_is_nothing_to_read);
  SITUATION ("in-a-copied-tree-nothing-answers", in_a_copied_tree_nothing_answers);
  SITUATION ("this-machine-answers-or-says-why-not",
             this_machine_answers_or_says_why_not);
  SITUATION ("memory-traffic-is-reported-in-bytes",
             memory_traffic_is_reported_in_bytes);
  SITUATION ("memory-traffic-may-be-unknown", memory_traffic_may_be_unknown);

  return g_test_run ();
}
