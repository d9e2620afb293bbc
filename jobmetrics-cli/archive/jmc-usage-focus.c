/* jmc-usage-focus.c: what runs cost, with the columns of FOCUS
 *
 * The FinOps Open Cost and Usage Specification 1.2,
 * https://focus.finops.org/focus-specification/v1-2/
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-focus.h"

#include "base/jm-csv-private.h"
#include "base/jm-number-private.h"
#include "core/jm-quantity-private.h"
#include "jmc-output.h"

#define HOUR_SECONDS 3600.0
#define GIB 1073741824.0
#define KWH_JOULES 3.6e6

/* Charge:
 * @since, @until: of what is charged, within the month; seconds since 1970 */
typedef struct
{
  JmRunTotals *totals;
  const char *currency;
  gint64 month;
  gint64 next_month;
  gint64 since;
  gint64 until;
} Charge;

/* --- cells --- */

typedef char *(*CellFunc) (const Charge *self);

static char *
format_moment (gint64 seconds)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (seconds);

  return g_date_time_format (moment, "%Y-%m-%dT%H:%M:%SZ");
}

/* NULL where it is not known. */
static char *
format_amount (const Charge *self, JmQuantityId quantity, double unit)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double value;

  if (!jm_run_totals_get_value (self->totals, jm_quantity_get (quantity), &value))
    return NULL;
  jm_number_append_double (text, value / unit);

  return g_strdup (text->str);
}

static char *
format_cost (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_COST, 1);
}

static char *
format_cpu_hours (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_USAGE_CPUS, HOUR_SECONDS);
}

static char *
format_gpu_hours (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_USAGE_GPUS, HOUR_SECONDS);
}

static char *
format_gib_hours (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_USAGE_MEMORY, HOUR_SECONDS * GIB);
}

static char *
format_kwh (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_ENERGY, KWH_JOULES);
}

static char *
format_runs (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_USAGE_RUNS, 1);
}

static char *
format_unpriced (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_UNPRICED_RUNS, 1);
}

static char *
format_currency (const Charge *self)
{
  return g_strdup (self->currency);
}

static char *
format_month (const Charge *self)
{
  return format_moment (self->month);
}

static char *
format_next_month (const Charge *self)
{
  return format_moment (self->next_month);
}

static char *
format_since (const Charge *self)
{
  return format_moment (self->since);
}

static char *
format_until (const Charge *self)
{
  return format_moment (self->until);
}

static char *
format_account (const Charge *self)
{
  return g_strdup (jm_run_totals_get_name (self->totals, JM_USAGE_GROUPS_ACCOUNT));
}

static char *
format_user (const Charge *self)
{
  return g_strdup (jm_run_totals_get_name (self->totals, JM_USAGE_GROUPS_USER));
}

static char *
format_partition (const Charge *self)
{
  return g_strdup (jm_run_totals_get_name (self->totals, JM_USAGE_GROUPS_PARTITION));
}

static char *
format_cluster (const Charge *self)
{
  return g_strdup (jm_run_totals_get_name (self->totals, JM_USAGE_GROUPS_CLUSTER));
}

/* --- columns --- */

/* What a site has only one of needs no name of its own. @value: the same in all lines,
 * where there is no @format. Both NULL: FOCUS has null there. */
static const struct
{
  const char *name;
  CellFunc format;
  const char *value;
} columns[] = {
  { "BilledCost", format_cost, NULL },
  { "BillingAccountId", NULL, "site" },
  { "BillingAccountName", NULL, "site" },
  { "BillingCurrency", format_currency, NULL },
  { "BillingPeriodEnd", format_next_month, NULL },
  { "BillingPeriodStart", format_month, NULL },
  { "ChargeCategory", NULL, "Usage" },
  { "ChargeClass", NULL, NULL },
  { "ChargeDescription", NULL, "Batch jobs, by the site's prices" },
  { "ChargeFrequency", NULL, "Usage-Based" },
  { "ChargePeriodEnd", format_until, NULL },
  { "ChargePeriodStart", format_since, NULL },
  { "ConsumedQuantity", format_cpu_hours, NULL },
  { "ConsumedUnit", NULL, "CPU-Hours" },
  { "ContractedCost", format_cost, NULL },
  { "EffectiveCost", format_cost, NULL },
  { "InvoiceIssuerName", NULL, "site" },
  { "ListCost", format_cost, NULL },
  { "PricingQuantity", format_cpu_hours, NULL },
  { "PricingUnit", NULL, "CPU-Hours" },
  { "ProviderName", NULL, "site" },
  { "PublisherName", NULL, "site" },
  { "ResourceId", format_partition, NULL },
  { "ServiceCategory", NULL, "Compute" },
  { "ServiceName", NULL, "Batch computing" },
  { "SubAccountId", format_account, NULL },
  { "SubAccountName", format_account, NULL },
  { "x_Cluster", format_cluster, NULL },
  { "x_EnergyKwh", format_kwh, NULL },
  { "x_GibHours", format_gib_hours, NULL },
  { "x_GpuHours", format_gpu_hours, NULL },
  { "x_Runs", format_runs, NULL },
  { "x_UnpricedRuns", format_unpriced, NULL },
  { "x_User", format_user, NULL },
};

static void
append_head (GString *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    jm_csv_append (text, i, columns[i].name);
  jm_csv_end_line (text);
}

static void
append_charge (GString *text, const Charge *charge)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *cell = columns[i].format != NULL ? columns[i].format (charge)
                                                        : g_strdup (columns[i].value);

      jm_csv_append (text, i, cell != NULL ? cell : "");
    }
  jm_csv_end_line (text);
}

static gint64
find_next_month (gint64 month)
{
  g_autoptr (GDateTime) begin = g_date_time_new_from_unix_utc (month);
  g_autoptr (GDateTime) next = g_date_time_add_months (begin, 1);

  return g_date_time_to_unix (next);
}

void
jmc_usage_focus_print (GPtrArray *totals,
                       const char *currency,
                       gint64 since,
                       gint64 until)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_head (text);
  for (guint i = 0; i < totals->len; i++)
    {
      const gint64 month = jm_run_totals_get_month (totals->pdata[i]);
      const gint64 next = find_next_month (month);
      const Charge charge = { .totals = totals->pdata[i],
                              .currency = currency,
                              .month = month,
                              .next_month = next,
                              .since = MAX (month, since),
                              .until = until > 0 ? MIN (next, until) : next };

      append_charge (text, &charge);
    }
  jmc_output_print (text->str);
}
