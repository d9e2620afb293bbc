/* jm-emission-chain-private.h: providers, one for want of the other
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "core/jm-readings.h"
#include "sources/emissions/jm-emission-provider.h"

G_BEGIN_DECLS

/* For so long after its end a factor still stands for the moment; a statistic always
 * does. */
#define JM_EMISSION_GRACE_US ((gint64) 2 * 3600 * G_USEC_PER_SEC)

/* An ordered list of providers, each of which is asked in the background. What is got
 * here never waits. It belongs to one thread. */
typedef struct _JmEmissionChain JmEmissionChain;

JmEmissionChain *jm_emission_chain_new (void);
void jm_emission_chain_free (JmEmissionChain *self);

/* Adds one at the end, and begins to ask it. @name is what it is called while it has
 * not given a factor. */
void jm_emission_chain_add (JmEmissionChain *self,
                            const char *name,
                            JmEmissionProvider *provider);

/* The factor to use now, a reference of its own: of the first provider in order that
 * has a fresh one of this method; else the one that is the least stale, which
 * jm_emission_factor_get_age() tells; NULL if there is none. */
JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us);

/* Adds each provider's last factor with its age, whether it is up, and why not, to the
 * readings, whose present collector the reason becomes an error of. */
void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings);

/* For programs that look once: waits until all were asked; FALSE if that took longer.
 */
gboolean jm_emission_chain_wait (JmEmissionChain *self, gint64 timeout_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (JmEmissionChain, jm_emission_chain_free)

G_END_DECLS
