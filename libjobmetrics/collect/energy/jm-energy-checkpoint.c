/* jm-energy-checkpoint.c: what of a node's energy outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "collect/energy/jm-energy-checkpoint-private.h"

#include <math.h>

#include "core/jm-metric.h"

#define VERSION 1
/* What no node reaches; a second as an integer is still some way from its end. */
#define MAX_NUMBER (G_GUINT64_CONSTANT (1) << 62)
#define N_METHODS 2
#define N_QUALITIES 2

/* When it began; CPU time, whether that is known, and whether it has ended; the bits of
 * its kinds, and of each what it used and for how long that is known; the bits of its
 * emissions, and these; by factor; by accelerator; where it ran. */
#define ACCOUNT_TYPE "(xtbbuataxuada(asd)a(st)aqau)"

GBytes *
jm_energy_checkpoint_pack (GVariant *value)
{
  g_autoptr (GVariant) all =
    g_variant_ref_sink (g_variant_new ("(y@*)", VERSION, value));

  return g_variant_get_data_as_bytes (all);
}

GVariant *
jm_energy_checkpoint_unpack (GBytes *bytes, const char *type)
{
  g_autofree char *whole = g_strconcat ("(y", type, ")", NULL);
  g_autoptr (GVariant) all = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (size == 0 || data[0] != VERSION)
    return NULL;

  all = g_variant_ref_sink (
    g_variant_new_from_bytes (G_VARIANT_TYPE (whole), bytes, FALSE));

  return g_variant_is_normal_form (all) ? g_variant_get_child_value (all, 1) : NULL;
}

GVariant *
jm_energy_checkpoint_from_array (const char *type, const GArray *numbers)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE (type), numbers->data, numbers->len,
                                    g_array_get_element_size ((GArray *) numbers));
}

/* --- packing an account --- */

static guint
take_known (const JmEnergyAccount *account, const guint64 *values, guint64 *known)
{
  guint n = 0;

  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    if ((account->known >> i & 1) != 0)
      known[n++] = values[i];

  return n;
}

static GVariant *
pack_kinds (const JmEnergyAccount *account, const char *type, const guint64 *values)
{
  guint64 known[JM_N_ENERGY_KINDS];
  guint n = take_known (account, values, known);

  return g_variant_new_fixed_array (G_VARIANT_TYPE (type), known, n, sizeof *known);
}

static GVariant *
pack_emissions (const JmEnergyAccount *account, guint32 *bits)
{
  double known[N_METHODS * N_QUALITIES];
  guint n = 0;

  *bits = 0;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (account->has_emissions[i / N_QUALITIES][i % N_QUALITIES])
      {
        known[n++] = account->emissions_ug[i / N_QUALITIES][i % N_QUALITIES];
        *bits |= 1u << i;
      }

  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, known, n, sizeof *known);
}

static GVariant *
pack_factors (const JmEnergyAccount *account)
{
  GVariantBuilder factors;

  g_variant_builder_init (&factors, G_VARIANT_TYPE ("a(asd)"));
  for (guint i = 0; account->by_factor != NULL && i < account->by_factor->len; i++)
    {
      const JmFactorShare *share =
        &g_array_index (account->by_factor, JmFactorShare, i);
      GVariantBuilder values;

      g_variant_builder_init (&values, G_VARIANT_TYPE ("as"));
      for (guint j = 0; j < jm_labels_get_size (share->labels); j++)
        g_variant_builder_add (&values, "s", jm_labels_get_value (share->labels, j));
      g_variant_builder_add (&factors, "(asd)", &values, share->emissions_ug);
    }

  return g_variant_builder_end (&factors);
}

static GVariant *
pack_gpus (const JmEnergyAccount *account)
{
  GVariantBuilder gpus;

  g_variant_builder_init (&gpus, G_VARIANT_TYPE ("a(st)"));
  for (guint i = 0; account->gpus != NULL && i < account->gpus->len; i++)
    {
      const JmGpuTotal *total = &g_array_index (account->gpus, JmGpuTotal, i);

      if (total->name != NULL)
        g_variant_builder_add (&gpus, "(st)", total->name, total->energy_uj);
    }

  return g_variant_builder_end (&gpus);
}

/* Few CPUs of many, as a rule. Only proportions count. */
static void
pack_placement (const JmEnergyAccount *account, GVariant **cpus, GVariant **times)
{
  GVariantBuilder some_cpus, some_times;
  const guint64 *recent_ns = NULL;
  guint n = 0;

  g_variant_builder_init (&some_cpus, G_VARIANT_TYPE ("aq"));
  g_variant_builder_init (&some_times, G_VARIANT_TYPE ("au"));
  if (account->placement != NULL)
    recent_ns = jm_placement_get (account->placement, &n);
  for (guint i = 0; i < MIN (n, G_MAXUINT16); i++)
    if (recent_ns[i] > 0)
      {
        g_variant_builder_add (&some_cpus, "q", (guint16) i);
        g_variant_builder_add (&some_times, "u",
                               (guint32) MIN (recent_ns[i] / 1000, G_MAXUINT32));
      }

  *cpus = g_variant_builder_end (&some_cpus);
  *times = g_variant_builder_end (&some_times);
}

GBytes *
jm_energy_checkpoint_pack_account (const JmEnergyAccount *account)
{
  GVariant *cpus, *times, *emissions;
  guint32 bits;

  pack_placement (account, &cpus, &times);
  emissions = pack_emissions (account, &bits);

  return jm_energy_checkpoint_pack (
    g_variant_new ("(xtbbu@at@axu@ad@a(asd)@a(st)@aq@au)", account->start_us,
                   account->cpu_ns, account->has_cpu, account->has_ended,
                   account->known, pack_kinds (account, "t", account->energy_uj),
                   pack_kinds (account, "x", (const guint64 *) account->covered_us),
                   bits, emissions, pack_factors (account), pack_gpus (account), cpus,
                   times));
}

/* --- unpacking one --- */

static guint
count_bits (guint32 bits)
{
  guint n = 0;

  for (; bits != 0; bits &= bits - 1)
    n++;

  return n;
}

/* Numbers, one for each bit. */
static gboolean
unpack_kinds (GVariant *value, guint32 bits, guint64 *kinds)
{
  gsize n;
  const guint64 *known = g_variant_get_fixed_array (value, &n, sizeof *known);

  if (bits >> JM_N_ENERGY_KINDS != 0 || n != count_bits (bits))
    return FALSE;

  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    if ((bits >> i & 1) != 0)
      {
        if (*known > MAX_NUMBER)
          return FALSE;
        kinds[i] = *known++;
      }

  return TRUE;
}

static gboolean
is_grams (double emissions_ug)
{
  return isfinite (emissions_ug) && emissions_ug >= 0;
}

static gboolean
unpack_emissions (JmEnergyAccount *account, GVariant *value, guint32 bits)
{
  gsize n;
  const double *known = g_variant_get_fixed_array (value, &n, sizeof *known);

  if (bits >> (N_METHODS * N_QUALITIES) != 0 || n != count_bits (bits))
    return FALSE;

  for (guint i = 0; i < N_METHODS * N_QUALITIES; i++)
    if ((bits >> i & 1) != 0)
      {
        if (!is_grams (*known))
          return FALSE;
        account->has_emissions[i / N_QUALITIES][i % N_QUALITIES] = TRUE;
        account->emissions_ug[i / N_QUALITIES][i % N_QUALITIES] = *known++;
      }

  return TRUE;
}

static gboolean
unpack_factors (JmEnergyAccount *account, GVariant *value)
{
  guint n_labels = jm_metric_get_info (JM_METRIC_EMISSIONS_BY_FACTOR)->n_labels;

  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (JmLabels) labels = NULL;
      g_auto (GStrv) values = NULL;
      double emissions_ug;

      g_variant_get_child (value, i, "(^asd)", &values, &emissions_ug);
      if (g_strv_length (values) != n_labels || !is_grams (emissions_ug))
        return FALSE;

      labels = jm_labels_new ((const char *const *) values);
      jm_energy_account_add_factor (account, labels, emissions_ug);
    }

  return TRUE;
}

static gboolean
unpack_gpus (JmEnergyAccount *account, GVariant *value)
{
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      const char *name;
      guint64 energy_uj;

      g_variant_get_child (value, i, "(&st)", &name, &energy_uj);
      if (*name == '\0' || energy_uj > MAX_NUMBER)
        return FALSE;
      jm_energy_account_restore_gpu (account, name, energy_uj);
    }

  return TRUE;
}

static gboolean
unpack_placement (JmEnergyAccount *account, GVariant *cpus, GVariant *times)
{
  gsize n, n_times;
  const guint16 *numbers = g_variant_get_fixed_array (cpus, &n, sizeof *numbers);
  const guint32 *recent_us =
    g_variant_get_fixed_array (times, &n_times, sizeof *recent_us);

  if (n != n_times)
    return FALSE;

  if (n > 0)
    account->placement = jm_placement_new ();
  for (gsize i = 0; i < n; i++)
    jm_placement_restore (account->placement, numbers[i],
                          (guint64) recent_us[i] * 1000);

  return TRUE;
}

static gboolean
unpack_account (JmEnergyAccount *account, GVariant *value)
{
  g_autoptr (GVariant) energy = NULL, covered = NULL, emissions = NULL;
  g_autoptr (GVariant) factors = NULL, gpus = NULL, cpus = NULL, times = NULL;
  guint32 bits;

  g_variant_get (value, "(xtbbu@at@axu@ad@a(asd)@a(st)@aq@au)", &account->start_us,
                 &account->cpu_ns, &account->has_cpu, &account->has_ended,
                 &account->known, &energy, &covered, &bits, &emissions, &factors, &gpus,
                 &cpus, &times);

  return account->start_us >= 0 &&
         unpack_kinds (energy, account->known, account->energy_uj) &&
         unpack_kinds (covered, account->known, (guint64 *) account->covered_us) &&
         unpack_emissions (account, emissions, bits) &&
         unpack_factors (account, factors) && unpack_gpus (account, gpus) &&
         unpack_placement (account, cpus, times);
}

JmEnergyAccount *
jm_energy_checkpoint_unpack_account (GBytes *bytes)
{
  g_autoptr (GVariant) value = jm_energy_checkpoint_unpack (bytes, ACCOUNT_TYPE);
  JmEnergyAccount *account;

  if (value == NULL)
    return NULL;

  account = jm_energy_account_new (0);
  if (unpack_account (account, value))
    return account;

  jm_energy_account_free (account);

  return NULL;
}
