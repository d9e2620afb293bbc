/* jme-server-role.h: the daemon that keeps a site's accounts
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "daemon/jme-role.h"

G_BEGIN_DECLS

extern const JmeRole jme_server_role;

G_END_DECLS
