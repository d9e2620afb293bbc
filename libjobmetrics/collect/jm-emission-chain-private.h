/* jm-emission-chain-private.h: which factor is to be used now
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once
#include "core/jm-readings.h"
#include "sources/emissions/jm-emission-provider.h"
typedef struct _JmEmissionChain JmEmissionChain;
JmEmissionChain *jm_emission_chain_new (void);
void jm_emission_chain_free (JmEmissionChain *self);
void jm_emission_chain_add (JmEmissionChain *self,
                            const char *name,
                            JmEmissionProvider *provider);
JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us);
void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings);
gboolean jm_emission_chain_wait (JmEmissionChain *self, gint64 timeout_us);
