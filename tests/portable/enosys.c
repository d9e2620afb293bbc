/* enosys.c: runs a command as on Linux 4.18: later system calls end with ENOSYS
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* pidfd_send_signal: from this one on, numbers are the same on all architectures */
#define FIRST_LATER_CALL 424

int
main (int argc, char **argv)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, FIRST_LATER_CALL, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };

  if (argc < 2)
    return 2;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    {
      perror ("enosys: seccomp");
      return 1;
    }

  execvp (argv[1], argv + 1);
  perror (argv[1]);

  return 127;
}
