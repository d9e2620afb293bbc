/* jme-ceems-unit.h: a job as CEEMS tells of it
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-ceems-field.h"

G_BEGIN_DECLS

/* Up to one without a name. */
extern const JmeCeemsField jme_ceems_unit_fields[];

G_END_DECLS
