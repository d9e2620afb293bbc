/* dcmi.c: makes Debian's ipmi_sim answer DCMI's Get Power Reading, from a file
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <OpenIPMI/mcserv.h>
#include <OpenIPMI/serv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GROUP 0xdc
#define GET_CAPABILITIES 0x01
#define GET_POWER_READING 0x02
#define ACTIVE 0x40
#define INVALID_COMMAND 0xc1

int ipmi_sim_module_print_version (sys_data_t *sys, const char *options);
int ipmi_sim_module_init (sys_data_t *sys, const char *options);

/* The file holds the watts, and after them `inactive` for a BMC that does not measure.
 * Without a number it is one that refuses. */
static int
read_file (const char *path, unsigned *watts, unsigned char *state)
{
  char word[16] = "";
  FILE *file = fopen (path, "r");
  int n = file != NULL ? fscanf (file, "%u %15s", watts, word) : 0;

  if (file != NULL)
    fclose (file);
  *state = strcmp (word, "inactive") == 0 ? 0 : ACTIVE;

  return n >= 1;
}

static void
put (unsigned char *bytes, unsigned n_bytes, unsigned long value)
{
  for (unsigned i = 0; i < n_bytes; i++)
    bytes[i] = (unsigned char) (value >> (8 * i));
}

/* DCMI 1.5 with power management, asked over LAN: ipmiutil wants to know. */
static unsigned
tell_capabilities (unsigned char *bytes)
{
  static const unsigned char capabilities[] = { 0, GROUP, 1, 5, 2, 0, 1, 1 };

  memcpy (bytes, capabilities, sizeof capabilities);

  return sizeof capabilities;
}

static unsigned
tell_power (unsigned char *bytes, const char *path)
{
  unsigned watts;

  if (!read_file (path, &watts, &bytes[18]))
    {
      bytes[0] = INVALID_COMMAND;
      return 1;
    }

  bytes[0] = 0;
  bytes[1] = GROUP;
  put (bytes + 2, 2, watts);
  put (bytes + 4, 2, watts / 2);
  put (bytes + 6, 2, watts + watts / 2);
  put (bytes + 8, 2, watts);
  put (bytes + 10, 4, (unsigned long) time (NULL));
  put (bytes + 14, 4, 1000);

  return 19;
}

static void
answer (lmc_data_t *mc,
        msg_t *question,
        unsigned char *bytes,
        unsigned int *length,
        void *path)
{
  bytes[0] = INVALID_COMMAND;
  *length = 1;
  if (question->cmd == GET_CAPABILITIES)
    *length = tell_capabilities (bytes);
  else if (question->cmd == GET_POWER_READING)
    *length = tell_power (bytes, path);
}

int
ipmi_sim_module_print_version (sys_data_t *sys, const char *options)
{
  return 0;
}

/* @options is the file's path; it serves as long as the program runs. */
int
ipmi_sim_module_init (sys_data_t *sys, const char *options)
{
  ipmi_emu_register_group_extension_handler (GROUP, answer, strdup (options));

  return 0;
}
