/* jme-roles.h: the roles of jobmetrics-exporter
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "daemon/jme-role.h"

G_BEGIN_DECLS

extern const JmeRole jme_cluster_role;

extern const JmeRole jme_node_role;

extern const JmeRole jme_server_role;

G_END_DECLS
