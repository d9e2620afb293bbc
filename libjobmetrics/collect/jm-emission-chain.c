/* jm-emission-chain.c: which factor is to be used now
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/jm-emission-chain-private.h"
struct _JmEmissionChain
{
  JmEmissionFactor *f;
};
JmEmissionChain *
jm_emission_chain_new (void)
{
  return g_new0 (JmEmissionChain, 1);
}
void
jm_emission_chain_free (JmEmissionChain *self)
{
  g_clear_pointer (&self->f, jm_emission_factor_unref);
  g_free (self);
}
void
jm_emission_chain_add (JmEmissionChain *self,
                       const char *name,
                       JmEmissionProvider *provider)
{
  self->f = jm_emission_provider_fetch (provider, NULL, NULL);
}
JmEmissionFactor *
jm_emission_chain_get (JmEmissionChain *self, JmEmissionMethod method, gint64 now_us)
{
  return self->f != NULL && jm_emission_factor_get_method (self->f) == method
           ? jm_emission_factor_ref (self->f)
           : NULL;
}
void
jm_emission_chain_tell (JmEmissionChain *self, gint64 now_us, JmReadings *readings)
{
}
gboolean
jm_emission_chain_wait (JmEmissionChain *self, gint64 timeout_us)
{
  return TRUE;
}
