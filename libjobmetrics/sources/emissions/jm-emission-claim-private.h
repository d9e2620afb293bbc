/* jm-emission-claim-private.h: what a provider claims, before it is believed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "core/jm-emission-factor.h"

G_BEGIN_DECLS

/* Clocks differ, and a provider may give the next interval a little early. */
#define JM_EMISSION_EARLY_US ((gint64) 15 * 60 * G_USEC_PER_SEC)
/* What ended longer ago says nothing about now. */
#define JM_EMISSION_LATE_US ((gint64) 24 * 3600 * G_USEC_PER_SEC)

/* The time of a forecast. */
#define JM_EMISSION_ANY_TIME ((gint64) 0)

typedef struct
{
  const char *provider;
  const char *zone;
  double grams_per_kwh;
  JmEmissionMethod method;
  JmEmissionScope scope;
  JmEmissionQuality quality;
  const char *from;  /* as the answer has it, ISO 8601; NULL if it has not */
  const char *until; /* likewise; NULL where @duration_s says it */
  guint duration_s;
} JmEmissionClaim;

/* MALFORMED where the number cannot be a factor, the time cannot be read, lies in the
 * future, or is long past. */
JmEmissionFactor *
jm_emission_claim_check (const JmEmissionClaim *self, gint64 now_us, GError **error);

typedef JmEmissionFactor *(*JmEmissionPointFunc) (JsonNode *point,
                                                  gconstpointer data,
                                                  GError **error);

/* The factors of a forecast, in the order of time; points of @list that @read refuses
 * are left out. MALFORMED where none is left. */
GPtrArray *jm_emission_claim_list (const char *provider,
                                   JsonNode *list,
                                   JmEmissionPointFunc read,
                                   gconstpointer data,
                                   GError **error);

/* A number out of an answer; MALFORMED if it is none. */
gboolean jm_emission_claim_take_number (const char *provider,
                                        JsonNode *object,
                                        const char *member,
                                        double *number,
                                        GError **error);

/* ISO 8601 with a time zone, with or without seconds. */
gboolean jm_emission_parse_time (const char *text, gint64 *time_us);

/* A setting that becomes part of a URL or a label: letters, digits, - and _; INVALID
 * else, or where there is none. */
gboolean jm_emission_check_word (const char *provider,
                                 const char *property,
                                 const char *word,
                                 GError **error);

G_END_DECLS
