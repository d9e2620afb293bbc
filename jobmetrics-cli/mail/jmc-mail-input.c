/* jmc-mail-input.c: what a scheduler writes to a mail program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "mail/jmc-mail-input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#define MAX_PAUSE_MS 3000
#define CHUNK_BYTES 4096
#define MAX_READ_BYTES (64 * JMC_MAIL_MAX_INPUT_BYTES)

void
jmc_mail_input_open_standard_files (void)
{
  int fd;

  do
    fd = open ("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);

  if (fd > STDERR_FILENO)
    close (fd);
}

static gboolean
is_ready (int fd)
{
  struct pollfd file = { .fd = fd, .events = POLLIN };
  int n;

  do
    n = poll (&file, 1, MAX_PAUSE_MS);
  while (n < 0 && errno == EINTR);

  return n > 0 && (file.revents & (POLLIN | POLLHUP)) != 0;
}

/* What comes at once; 0 at its end. */
static gsize
read_chunk (int fd, char *chunk, gsize size)
{
  gssize n;

  do
    n = read (fd, chunk, size);
  while (n < 0 && errno == EINTR);

  return n > 0 ? (gsize) n : 0;
}

GString *
jmc_mail_input_read (int fd)
{
  GString *text = g_string_new (NULL);
  char chunk[CHUNK_BYTES];
  gsize n_read = 0, n;

  /* what is left out is read all the same, so that its writer need not wait */
  while (n_read < MAX_READ_BYTES && !isatty (fd) && is_ready (fd) &&
         (n = read_chunk (fd, chunk, sizeof chunk)) > 0)
    {
      n_read += n;
      g_string_append_len (text, chunk,
                           (gssize) MIN (n, JMC_MAIL_MAX_INPUT_BYTES - text->len));
    }
  if (n_read > JMC_MAIL_MAX_INPUT_BYTES)
    g_string_append (text, "\n[the rest is left out]\n");

  return text;
}
