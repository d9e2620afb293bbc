/* jm-rapl-powercap-source-private.h: zones of powercap, and how they are watched
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "base/jm-parse-private.h"
#include "host/jm-host.h"
#include "sources/power/jm-power-source.h"

G_BEGIN_DECLS

#define JM_TYPE_RAPL_POWERCAP_SOURCE (jm_rapl_powercap_source_get_type ())

G_DECLARE_FINAL_TYPE (JmRaplPowercapSource,
                      jm_rapl_powercap_source,
                      JM,
                      RAPL_POWERCAP_SOURCE,
                      JmSource)

/* After how long without a reading the source reads for itself. */
gint64 jm_rapl_powercap_source_get_watch_us (JmRaplPowercapSource *self);

/* How often it did. */
guint jm_rapl_powercap_source_get_n_watches (JmRaplPowercapSource *self);

/* For tests, which cannot wait: as though @watch_us were the interval. */
void jm_rapl_powercap_source_set_watch_us (JmRaplPowercapSource *self, gint64 watch_us);

#define JM_POWERCAP_CLASS "/sys/class/powercap"

/* Where a zone is: `intel-rapl:1` or, within it, `intel-rapl:1:0`. */
typedef struct
{
  gboolean is_mmio; /* `intel-rapl-mmio`: the same counters by another way */
  guint parent;
  gboolean is_child;
  guint child;
} JmPowercapAddress;

typedef struct
{
  JmPowercapAddress address;
  char *domain;   /* a GRefString, see #JmPowerDomain */
  char *path;     /* of the counter */
  guint64 max_uj; /* 0 where that is not known: it cannot be read then */
  guint64 ceiling_uw;
  GError *problem; /* why it is not */
} JmPowercapZone;

/* Both are total: any bytes may come in. */
gboolean jm_powercap_parse_address (const char *directory, JmPowercapAddress *address);

/* What the zone @name is of; @parent is the name of the one it is in, or NULL.
 * Returns: (nullable): a GRefString, NULL for what is no name of a zone */
char *jm_powercap_name_domain (JmSlice name, const JmSlice *parent);

/* Finds each domain once, in the order of their addresses. Zones whose names could not
 * be made out are left out, and the first such reason is @problem, else NULL.
 *
 * Returns: of JmPowercapZone; NULL where there is nothing, with @error */
GArray *jm_powercap_find_zones (JmHost *host, GError **problem, GError **error);

G_END_DECLS
