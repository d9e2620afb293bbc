/* jmc-usage-focus.c: what runs cost, with the columns of FOCUS
 *
 * The FinOps Open Cost and Usage Specification 1.2,
 * https://focus.finops.org/focus-specification/v1-2/
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "archive/jmc-usage-focus.h"

#include <math.h>

#include "base/jm-csv-private.h"
#include "base/jm-number-private.h"
#include "core/jm-quantity-private.h"
#include "jmc-output.h"

#define HOUR_SECONDS 3600.0
#define GIB 1073741824.0
#define KWH_JOULES 3.6e6
/* Sums of costs have as many places. */
#define COST_PARTS 1e6

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

/* Without that of storage, which is a charge of its own. */
static char *
format_cost (const Charge *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  double cost;
  double storage = 0;

  if (!jm_run_totals_get_value (self->totals, jm_quantity_get (JM_QUANTITY_COST),
                                &cost))
    return NULL;
  jm_run_totals_get_value (self->totals, jm_quantity_get (JM_QUANTITY_STORAGE_COST),
                           &storage);
  jm_number_append_double (text, round ((cost - storage) * COST_PARTS) / COST_PARTS);

  return g_strdup (text->str);
}

static char *
format_storage_cost (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_STORAGE_COST, 1);
}

static char *
format_storage_hours (const Charge *self)
{
  return format_amount (self, JM_QUANTITY_USAGE_STORAGE, HOUR_SECONDS * GIB);
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

typedef enum
{
  SERVICE_COMPUTE,
  SERVICE_STORAGE,
  N_SERVICES
} Service;

/* Cell: the same in all lines, where there is no @format. Both NULL: FOCUS has null
 * there. */
typedef struct
{
  CellFunc format;
  const char *value;
} Cell;

#define SAME(format, value)                                                            \
 {                                                                                     \
  { format, value }, { format, value }                                                 \
 }
#define COMPUTE(format)                                                                \
 {                                                                                     \
  { format, NULL }, { NULL, NULL }                                                     \
 }

/* What a site has only one of needs no name of its own. Further sums stand in one of
 * the two lines alone, so that they can be added up. */
static const struct
{
  const char *name;
  Cell cells[N_SERVICES];
} columns[] = {
  { "BilledCost", { { format_cost, NULL }, { format_storage_cost, NULL } } },
  { "BillingAccountId", SAME (NULL, "site") },
  { "BillingAccountName", SAME (NULL, "site") },
  { "BillingCurrency", SAME (format_currency, NULL) },
  { "BillingPeriodEnd", SAME (format_next_month, NULL) },
  { "BillingPeriodStart", SAME (format_month, NULL) },
  { "ChargeCategory", SAME (NULL, "Usage") },
  { "ChargeClass", SAME (NULL, NULL) },
  { "ChargeDescription",
    { { NULL, "Batch jobs, by the site's prices" },
      { NULL, "Storage of batch jobs, by the site's prices" } } },
  { "ChargeFrequency", SAME (NULL, "Usage-Based") },
  { "ChargePeriodEnd", SAME (format_until, NULL) },
  { "ChargePeriodStart", SAME (format_since, NULL) },
  { "ConsumedQuantity",
    { { format_cpu_hours, NULL }, { format_storage_hours, NULL } } },
  { "ConsumedUnit", { { NULL, "CPU-Hours" }, { NULL, "GiB-Hours" } } },
  { "ContractedCost", { { format_cost, NULL }, { format_storage_cost, NULL } } },
  { "EffectiveCost", { { format_cost, NULL }, { format_storage_cost, NULL } } },
  { "InvoiceIssuerName", SAME (NULL, "site") },
  { "ListCost", { { format_cost, NULL }, { format_storage_cost, NULL } } },
  { "PricingQuantity", { { format_cpu_hours, NULL }, { format_storage_hours, NULL } } },
  { "PricingUnit", { { NULL, "CPU-Hours" }, { NULL, "GiB-Hours" } } },
  { "ProviderName", SAME (NULL, "site") },
  { "PublisherName", SAME (NULL, "site") },
  { "ResourceId", SAME (format_partition, NULL) },
  { "ServiceCategory", { { NULL, "Compute" }, { NULL, "Storage" } } },
  { "ServiceName", { { NULL, "Batch computing" }, { NULL, "Storage of batch jobs" } } },
  { "SubAccountId", SAME (format_account, NULL) },
  { "SubAccountName", SAME (format_account, NULL) },
  { "x_Cluster", SAME (format_cluster, NULL) },
  { "x_EnergyKwh", COMPUTE (format_kwh) },
  { "x_GibHours", COMPUTE (format_gib_hours) },
  { "x_GpuHours", COMPUTE (format_gpu_hours) },
  { "x_Runs", COMPUTE (format_runs) },
  { "x_UnpricedRuns", COMPUTE (format_unpriced) },
  { "x_User", SAME (format_user, NULL) },
};

static void
append_head (GString *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    jm_csv_append (text, i, columns[i].name);
  jm_csv_end_line (text);
}

static void
append_charge (GString *text, const Charge *charge, Service service)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      const Cell *cell = &columns[i].cells[service];
      g_autofree char *value =
        cell->format != NULL ? cell->format (charge) : g_strdup (cell->value);

      jm_csv_append (text, i, value != NULL ? value : "");
    }
  jm_csv_end_line (text);
}

/* Free storage has no charge: FOCUS wants a cost in each. */
static gboolean
has_storage (const Charge *charge)
{
  double cost;

  return jm_run_totals_get_value (charge->totals,
                                  jm_quantity_get (JM_QUANTITY_STORAGE_COST), &cost);
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

      append_charge (text, &charge, SERVICE_COMPUTE);
      if (has_storage (&charge))
        append_charge (text, &charge, SERVICE_STORAGE);
    }
  jmc_output_print (text->str);
}
