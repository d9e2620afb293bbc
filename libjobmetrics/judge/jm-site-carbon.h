/* jm-site-carbon.h: what a site knows of the carbon of its machines
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-run.h"
#include "host/jm-host.h"

G_BEGIN_DECLS

/**
 * JM_SITE_CARBON_FILE:
 *
 * Where a site has it, unless an option names another file.
 *
 * Since: 0.1
 */
#define JM_SITE_CARBON_FILE "/etc/jobmetrics/carbon.conf"

/**
 * JmSiteCarbon:
 *
 * The power usage effectiveness of a site, the emissions by its contract for
 * electricity, and those of making its servers and accelerators. It never changes once
 * it is read.
 *
 * Since: 0.1
 */
typedef struct _JmSiteCarbon JmSiteCarbon;

#define JM_TYPE_SITE_CARBON (jm_site_carbon_get_type ())

JM_AVAILABLE_IN_ALL
GType jm_site_carbon_get_type (void);

JM_AVAILABLE_IN_ALL
JmSiteCarbon *jm_site_carbon_new (JmHost *host, const char *path, GError **error);

JM_AVAILABLE_IN_ALL
JmSiteCarbon *jm_site_carbon_new_from_text (const char *path,
                                            const char *text,
                                            gsize length,
                                            GError **error);

JM_AVAILABLE_IN_ALL
void jm_site_carbon_unref (JmSiteCarbon *self);

JM_AVAILABLE_IN_ALL
char **jm_site_carbon_list_problems (JmSiteCarbon *self);

JM_AVAILABLE_IN_ALL
char **jm_site_carbon_list_sources (JmSiteCarbon *self);

JM_AVAILABLE_IN_ALL
gboolean
jm_site_carbon_get_pue (JmSiteCarbon *self, gint64 since, gint64 until, double *pue);

JM_AVAILABLE_IN_ALL
gboolean jm_site_carbon_get_market_factor (JmSiteCarbon *self,
                                           gint64 since,
                                           gint64 until,
                                           double *grams_per_kwh);

JM_AVAILABLE_IN_ALL
gboolean jm_site_carbon_get_embodied (JmSiteCarbon *self,
                                      JmRun *run,
                                      gint64 since,
                                      gint64 until,
                                      double *grams);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmSiteCarbon, jm_site_carbon_unref)

G_END_DECLS
