/* jm-certificate.c: why a server is not trusted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "core/jm-certificate-private.h"

const char *
jm_certificate_get_distrust (GTlsCertificateFlags errors)
{
  if ((errors & G_TLS_CERTIFICATE_EXPIRED) != 0)
    return "its certificate has expired";
  if ((errors & G_TLS_CERTIFICATE_BAD_IDENTITY) != 0)
    return "its certificate is for another name";
  if ((errors & G_TLS_CERTIFICATE_UNKNOWN_CA) != 0)
    return "its certificate is signed by an authority that is not trusted";

  return NULL;
}
