/* test-network-source.c: what jobs send and receive by IP
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "sources/counters/jm-counter-types-private.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "asked.h"
#include "base/jm-error.h"
#include "ground.h"
#include "tree.h"

#define N_PACKETS 100
#define PACKET_BYTES 1000
#define HEADER_BYTES (20 + 8) /* of IP and UDP */
#define STREAM_BYTES (4 * 1024 * 1024)

/* --- what a source reported last --- */

static JmCounterSource *
open_source (JmHost *host, const char *dir, GError **error)
{
  return (JmCounterSource *) jm_network_source_new (host, error);
}

static guint64
get (Asked *self, JmMetric metric)
{
  const JmReading *reading = jm_readings_find (self->readings, 0, metric);

  g_assert_nonnull (reading);

  return reading->value;
}

/* --- a process and its sockets --- */

static int
bind_loopback (int type, struct sockaddr_in *address)
{
  socklen_t length = sizeof *address;
  int fd = socket (AF_INET, type | SOCK_CLOEXEC, 0);

  *address = (struct sockaddr_in){ .sin_family = AF_INET,
                                   .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  if (fd < 0 || bind (fd, (struct sockaddr *) address, length) != 0 ||
      getsockname (fd, (struct sockaddr *) address, &length) != 0)
    _exit (1);

  return fd;
}

/* To itself, so that each is received as well. */
static void
send_packets (gconstpointer user_data)
{
  static const char packet[PACKET_BYTES];
  char received[PACKET_BYTES];
  struct sockaddr_in address;
  int fd = bind_loopback (SOCK_DGRAM, &address);

  for (guint i = 0; i < N_PACKETS; i++)
    if (sendto (fd, packet, sizeof packet, 0, (struct sockaddr *) &address,
                sizeof address) != sizeof packet ||
        recv (fd, received, sizeof received, 0) != sizeof received)
      _exit (1);
}

static void
send_stream (gconstpointer user_data)
{
  static char bytes[64 * 1024];
  struct sockaddr_in address;
  int listener = bind_loopback (SOCK_STREAM, &address);
  int sender = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int receiver;
  gsize n_sent = 0;

  if (listen (listener, 1) != 0 ||
      connect (sender, (struct sockaddr *) &address, sizeof address) != 0)
    _exit (1);
  receiver = accept (listener, NULL, NULL);

  while (n_sent < STREAM_BYTES)
    {
      gssize n = send (sender, bytes, sizeof bytes, 0);

      if (n <= 0)
        _exit (1);
      n_sent += (gsize) n;
      for (gssize left = n; left > 0;)
        {
          gssize part = recv (receiver, bytes, MIN ((gsize) left, sizeof bytes), 0);

          if (part <= 0)
            _exit (1);
          left -= part;
        }
    }
}

/* --- situations --- */

static void
test_packets_of_a_real_process_are_counted (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_BYTES), ==, 0);

  ground_work (ground, NULL, send_packets, NULL);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_PACKETS), ==, N_PACKETS);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_RECEIVED_PACKETS), ==, N_PACKETS);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_BYTES), ==,
                    N_PACKETS * (PACKET_BYTES + HEADER_BYTES));
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_RECEIVED_BYTES), ==,
                    N_PACKETS * (PACKET_BYTES + HEADER_BYTES));
}

/* What the stack puts together is no less than what was sent, and headers are few. */
static void
test_a_stream_is_counted_with_its_headers (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  ground_work (ground, NULL, send_stream, NULL);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_BYTES), >, STREAM_BYTES);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_BYTES), <,
                    STREAM_BYTES * 11 / 10);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_RECEIVED_BYTES), >, STREAM_BYTES);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_PACKETS), >=,
                    STREAM_BYTES / 65536);
}

/* Of a job those in its steps. */
static void
test_cgroups_below_are_a_part_of_it_and_others_are_not (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  send_packets (NULL);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_PACKETS), ==, 0);

  ground_work (ground, "step_0", send_packets, NULL);
  asked_ask (&asked);
  g_assert_cmpuint (get (&asked, JM_METRIC_NETWORK_SENT_PACKETS), ==, N_PACKETS);
}

static void
test_a_cgroup_that_is_none_is_refused_by_name (void)
{
  g_autoptr (Ground) ground = ground_new ();
  g_auto (Asked) asked = { NULL };
  g_autoptr (GError) error = NULL;

  if (ground == NULL || !asked_open (&asked, open_source, ground_get_dir (ground)))
    return;

  g_assert_null (jm_counter_source_open_cgroup (asked.source, "/tmp", &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE);
  g_assert_true (g_str_has_prefix (error->message, "/tmp: BPF: a program "));
}

static void
test_is_absent_on_a_copied_tree (void)
{
  g_autoptr (Tree) tree = tree_new ();
  g_autoptr (JmHost) host = jm_host_new (tree->root);
  g_autoptr (GError) error = NULL;

  g_assert_null (jm_network_source_new (host, &error));
  g_assert_error (error, JM_ERROR, JM_ERROR_ABSENT);
}

#define TEST(name)                                                                     \
 {                                                                                     \
  "/network-source/" #name, test_##name                                                \
 }

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } tests[] = {
    TEST (packets_of_a_real_process_are_counted),
    TEST (a_stream_is_counted_with_its_headers),
    TEST (cgroups_below_are_a_part_of_it_and_others_are_not),
    TEST (a_cgroup_that_is_none_is_refused_by_name),
    TEST (is_absent_on_a_copied_tree),
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_func (tests[i].path, tests[i].test);

  return g_test_run ();
}
