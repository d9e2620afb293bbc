/* jm-fixed-provider.c: a factor that the site knows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/emissions/jm-emission-types-private.h"

#include <string.h>

#include "base/jm-error.h"
#include "host/jm-source-private.h"
#include "sources/emissions/jm-emission-claim-private.h"

#define NAME "fixed"

/* A factor that the site knows, such as from its contract with a supplier or from a
 * power plant of its own. It is valid always, and a statistic.
 *
 * - Errors: `INVALID` where no electricity emits that. */
struct _JmFixedProvider
{
  JmSource parent_instance;
  double factor;
  char *zone;
  char *method;
  char *scope;
  JmEmissionFactor *made;
};

static void emission_provider_iface_init (JmEmissionProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (JmFixedProvider,
                               jm_fixed_provider,
                               JM_TYPE_SOURCE,
                               G_IMPLEMENT_INTERFACE (JM_TYPE_EMISSION_PROVIDER,
                                                      emission_provider_iface_init))

static gboolean
find_method (const char *name, JmEmissionMethod *method, GError **error)
{
  for (*method = JM_EMISSION_METHOD_AVERAGE; *method <= JM_EMISSION_METHOD_MARGINAL;
       ++*method)
    {
      if (g_strcmp0 (name, jm_emission_method_get_name (*method)) == 0)
        return TRUE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               NAME ": method is neither average nor marginal: %s", name);

  return FALSE;
}

static gboolean
find_scope (const char *name, JmEmissionScope *scope, GError **error)
{
  for (*scope = JM_EMISSION_SCOPE_UNKNOWN; *scope <= JM_EMISSION_SCOPE_LIFECYCLE;
       ++*scope)
    {
      if (g_strcmp0 (name, jm_emission_scope_get_name (*scope)) == 0)
        return TRUE;
    }

  g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
               NAME ": scope is neither direct, lifecycle nor unknown: %s", name);

  return FALSE;
}

static gboolean
jm_fixed_provider_open (JmSource *source, GError **error)
{
  JmFixedProvider *self = JM_FIXED_PROVIDER (source);
  JmEmissionMethod method;
  JmEmissionScope scope;

  if (!jm_emission_check_word (NAME, "zone", self->zone, error) ||
      !find_method (self->method, &method, error) ||
      !find_scope (self->scope, &scope, error))
    return FALSE;

  self->made = jm_emission_factor_new (NAME, self->zone, self->factor, method, scope,
                                       JM_EMISSION_QUALITY_STATISTIC, 0, 0);
  if (self->made == NULL)
    g_set_error (error, JM_ERROR, JM_ERROR_INVALID,
                 NAME ": factor must be grams per kilowatt-hour, 0 to 5000: %g",
                 self->factor);

  return self->made != NULL;
}

static JmEmissionFactor *
jm_fixed_provider_fetch (JmEmissionProvider *provider,
                         GCancellable *cancellable,
                         GError **error)
{
  return jm_emission_factor_ref (JM_FIXED_PROVIDER (provider)->made);
}

static guint
jm_fixed_provider_get_interval (JmEmissionProvider *provider)
{
  return 0;
}

static void
emission_provider_iface_init (JmEmissionProviderInterface *iface)
{
  iface->fetch = jm_fixed_provider_fetch;
  iface->get_interval = jm_fixed_provider_get_interval;
}

static void
jm_fixed_provider_finalize (GObject *object)
{
  JmFixedProvider *self = JM_FIXED_PROVIDER (object);

  g_clear_pointer (&self->made, jm_emission_factor_unref);

  G_OBJECT_CLASS (jm_fixed_provider_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  /* Grams of CO2 equivalent per kilowatt-hour; it must be given. */
  jm_source_class_add_double (object_class, "factor",
                              G_STRUCT_OFFSET (JmFixedProvider, factor), -G_MAXDOUBLE,
                              G_MAXDOUBLE, -1);

  /* Of which grid the factor is, for labels. */
  jm_source_class_add_text (object_class, "zone",
                            G_STRUCT_OFFSET (JmFixedProvider, zone), "site");

  /* `average` or `marginal`. */
  jm_source_class_add_text (object_class, "method",
                            G_STRUCT_OFFSET (JmFixedProvider, method), "average");

  /* `direct`, `lifecycle` or `unknown`. */
  jm_source_class_add_text (object_class, "scope",
                            G_STRUCT_OFFSET (JmFixedProvider, scope), "unknown");
}

static void
jm_fixed_provider_class_init (JmFixedProviderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = jm_fixed_provider_finalize;
  JM_SOURCE_CLASS (klass)->open = jm_fixed_provider_open;

  install_properties (object_class);
}

static void
jm_fixed_provider_init (JmFixedProvider *self)
{
}
