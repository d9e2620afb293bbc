/* jme-ceems-people.h: users, projects and clusters in CEEMS' words
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "web/jme-router.h"

G_BEGIN_DECLS

/* Their handlers are given a JmeCeemsSite. */
extern const JmeRoute jme_ceems_people_routes[];

G_END_DECLS
