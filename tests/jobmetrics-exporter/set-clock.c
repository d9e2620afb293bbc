/* set-clock.c: a clock that is SET_CLOCK seconds ahead, for a program that these calls
 * are linked into
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime (clockid_t clock, struct timespec *now)
{
  const char *ahead = getenv ("SET_CLOCK");
  long result = syscall (SYS_clock_gettime, clock, now);

  if (result == 0 && clock == CLOCK_REALTIME && ahead != NULL)
    now->tv_sec += strtol (ahead, NULL, 10);

  return (int) result;
}

int
gettimeofday (struct timeval *now, void *zone)
{
  struct timespec precise;
  int result = clock_gettime (CLOCK_REALTIME, &precise);

  *now = (struct timeval){ precise.tv_sec, precise.tv_nsec / 1000 };

  return result;
}
