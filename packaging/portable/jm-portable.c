/* jm-portable.c: what GLib and GnuTLS find on a host, for programs that have both
 * linked in
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "jm-portable.h"

#include <dirent.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jm-portable-contents.h"

/* glib-networking has no header for these */
void g_io_gnutls_load (GIOModule *module);
void g_io_environmentproxy_load (GIOModule *module);

/* glib-networking is compiled to call it in the place of GnuTLS's own, which knows the
 * file of one distribution */
int jm_portable_add_system_trust (gnutls_x509_trust_list_t list,
                                  unsigned flags,
                                  unsigned verify_flags);

static const char *const trust_files[] = {
  "/etc/ssl/certs/ca-certificates.crt",                /* Debian, Ubuntu */
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Enterprise Linux */
  "/etc/pki/tls/certs/ca-bundle.crt",                  /* its older name */
  "/var/lib/ca-certificates/ca-bundle.pem",            /* SUSE */
  "/etc/ssl/ca-bundle.pem",                            /* its older name */
};

/* Returns the number of trusted certificates of the first file that has any, or an
 * error of GnuTLS. */
int
jm_portable_add_system_trust (gnutls_x509_trust_list_t list,
                              unsigned flags,
                              unsigned verify_flags)
{
  int n_certificates = GNUTLS_E_FILE_ERROR;

  for (guint i = 0; i < G_N_ELEMENTS (trust_files) && n_certificates <= 0; i++)
    n_certificates =
      gnutls_x509_trust_list_add_trust_file (list, trust_files[i], NULL,
                                             GNUTLS_X509_FMT_PEM, flags, verify_flags);

  return n_certificates;
}

/* What archives of Debian call stdin, stdout and stderr (build-libraries). */
FILE *jm_portable_stdin;
FILE *jm_portable_stdout;
FILE *jm_portable_stderr;

__attribute__ ((constructor)) static void
point_to_streams (void)
{
  jm_portable_stdin = stdin;
  jm_portable_stdout = stdout;
  jm_portable_stderr = stderr;
}

/* in glibc since 2.36; libcrypt makes salts with it */
void
arc4random_buf (void *buffer, size_t length)
{
  guint8 *next = buffer;

  while (length > 0)
    {
      ssize_t n = getrandom (next, length, 0);

      if (n > 0)
        {
          next += n;
          length -= n;
        }
    }
}

/* in glibc since 2.30 */
ssize_t
getdents64 (int fd, void *buffer, size_t length)
{
  return syscall (SYS_getdents64, fd, buffer, length);
}

#ifdef __aarch64__
/* in gcc's libgcc alone; Debian's libbpf adds with it */
guint32 __aarch64_ldadd4_sync (guint32 value, guint32 *where);

guint32
__aarch64_ldadd4_sync (guint32 value, guint32 *where)
{
  return __sync_fetch_and_add (where, value);
}
#endif

void
jm_portable_begin (void)
{
  g_io_gnutls_load (NULL);
  g_io_environmentproxy_load (NULL);
}

const char *
jm_portable_contents (void)
{
  return JM_PORTABLE_CONTENTS;
}

const char *
jm_portable_trust_file (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (trust_files); i++)
    if (g_access (trust_files[i], R_OK) == 0)
      return trust_files[i];

  return NULL;
}
