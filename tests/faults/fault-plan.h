/* fault-plan.h: which call of a program goes wrong, and how
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* What a call is about, which bounds what may become of it. */
typedef enum
{
  FAULT_PLACE_NONE,
  FAULT_PLACE_TREE,   /* a file that stands for one of the kernel's */
  FAULT_PLACE_TEXT,   /* one of them whose garbling nobody could see, such as a name */
  FAULT_PLACE_STORE,  /* what the program itself keeps */
  FAULT_PLACE_PIPE,   /* what a command prints */
  FAULT_PLACE_SOCKET, /* a connection to a server that is asked */
  FAULT_PLACE_LIBRARY,
  FAULT_PLACE_CGROUP, /* a directory of cgroups, or what is opened in one */
  N_FAULT_PLACES,
} FaultPlace;

typedef enum
{
  FAULT_NONE,
  FAULT_ERROR,
  FAULT_SHORT,
  FAULT_GARBLED,
  FAULT_SLOW,
  FAULT_HANG,
  FAULT_SPELL, /* an error that stays for some calls */
  N_FAULT_KINDS,
} FaultKind;

typedef enum
{
  FAULT_OPEN,
  FAULT_READ,
  FAULT_LIST,
  FAULT_LINK,
  FAULT_WATCH,
  FAULT_WRITE,
  FAULT_SYNC,
  FAULT_RENAME,
  FAULT_CONNECT,
  FAULT_SEND,
  FAULT_RECEIVE,
  FAULT_LOAD,
  FAULT_SPAWN,
  N_FAULT_CALLS,
} FaultCall;

#define FAULT_PATH_MAX 512
#define FAULT_MAX_PORTS 8

/* One page that the program shares with its driver: control.py has the same layout. */
typedef struct
{
  uint32_t is_armed;
  uint32_t seed;
  uint32_t writing;                              /* odd while the tree is changed */
  uint32_t hang_place;                           /* where the next call is to hang */
  uint32_t n_hanging;                            /* that hang now */
  uint32_t released;                             /* changes: those that hang go on */
  uint32_t slow_us;                              /* the longest that a call is slow */
  uint32_t disk;                                 /* an errno that every write gets */
  uint32_t rate[N_FAULT_PLACES][N_FAULT_KINDS];  /* of a million */
  uint32_t counts[N_FAULT_CALLS][N_FAULT_KINDS]; /* of what went wrong */
  uint32_t ports[FAULT_MAX_PORTS];               /* of servers; 0 for none */
  char tree[FAULT_PATH_MAX];                     /* ends in a slash, as the next */
  char store[FAULT_PATH_MAX];
} FaultControl;

/* The page; NULL without a driver. */
FaultControl *fault_control_get (void);

FaultPlace fault_place_of_path (const char *path);
FaultPlace fault_place_of_fd (int fd, char path[FAULT_PATH_MAX]);

/* What is to become of this call. @more is for the details: errno, length, place of a
 * byte. One that is slow, or hangs, has done so when this returns. */
FaultKind
fault_decide (FaultCall call, FaultPlace place, const char *name, uint64_t *more);

/* An error that such a call knows, put into errno. */
void fault_set_errno (FaultCall call, FaultPlace place, uint64_t more);

/* Makes what was read one that no parser can take for sound. */
void fault_garble (char *buffer, size_t length, uint64_t more);
