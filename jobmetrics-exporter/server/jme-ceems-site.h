/* jme-ceems-site.h: what CEEMS' names ask of a site
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "server/jme-archive.h"

G_BEGIN_DECLS

/* The archive, and which scheduler manages which cluster. */
typedef struct _JmeCeemsSite JmeCeemsSite;

/* @histories are those of `--server.history`, NULL where there are none. */
JmeCeemsSite *jme_ceems_site_new (JmeArchive *accounts, const char *const *histories);
void jme_ceems_site_free (JmeCeemsSite *self);

JmeArchive *jme_ceems_site_get_accounts (JmeCeemsSite *self);

/* What CEEMS calls the scheduler, such as `slurm`; empty where it is not known. */
const char *jme_ceems_site_find_manager (JmeCeemsSite *self, const char *cluster);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmeCeemsSite, jme_ceems_site_free)

G_END_DECLS
