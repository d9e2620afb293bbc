/* jm-certificate-private.h: why a server is not trusted
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What is wrong with its certificate, as a message has it after the server's name; NULL
 * where there are no better words than those of the error itself. */
const char *jm_certificate_get_distrust (GTlsCertificateFlags errors);

G_END_DECLS
