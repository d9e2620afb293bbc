/* jm-energy-account.c: what somebody has used of a node's energy so far
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-account-private.h"

#include "core/jm-emission-factor-private.h"
#include "core/jm-readings-private.h"

/* One microjoule at a microgram per kilowatt-hour, in micrograms. */
#define UG_PER_UJ (1 / 3.6e12)
/* Providers that took turns in a job's life; later ones are in the sum alone. */
#define MAX_FACTORS 64
/* Where the labels of grams by factor have them. */
#define METHOD_LABEL 2
#define SCOPE_LABEL 3
#define QUALITY_LABEL 5
/* What is missing of the whole is no more than rounding. */
#define WHOLE (1 - 1e-6)

typedef struct
{
  JmEnergyPart part;
  guint socket;
  JmLabels *labels;
  gint64 unread_us;
} Gap;

struct _JmSocketGaps
{
  GArray *gaps; /* of Gap */
};

static void
factor_share_clear (gpointer share)
{
  jm_labels_unref (((JmFactorShare *) share)->labels);
}

static void
gpu_total_clear (gpointer total)
{
  g_clear_pointer (&((JmGpuTotal *) total)->name, g_ref_string_release);
}

JmEnergyAccount *
jm_energy_account_new (guint64 id)
{
  JmEnergyAccount *self = g_new0 (JmEnergyAccount, 1);

  self->id = id;

  return self;
}

static void
gap_clear (gpointer gap)
{
  jm_labels_unref (((Gap *) gap)->labels);
}

JmSocketGaps *
jm_socket_gaps_new (void)
{
  JmSocketGaps *self = g_new (JmSocketGaps, 1);

  self->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_array_set_clear_func (self->gaps, gap_clear);

  return self;
}

static void
socket_gaps_free (JmSocketGaps *self)
{
  g_array_unref (self->gaps);
  g_free (self);
}

static JmSocketGaps *
socket_gaps_copy (const JmSocketGaps *self)
{
  JmSocketGaps *copy = jm_socket_gaps_new ();

  g_array_append_vals (copy->gaps, self->gaps->data, self->gaps->len);
  for (guint i = 0; i < copy->gaps->len; i++)
    jm_labels_ref (g_array_index (copy->gaps, Gap, i).labels);

  return copy;
}

static JmLabels *
make_labels (JmEnergyPart part, guint socket)
{
  char digits[sizeof "4294967295"];

  g_snprintf (digits, sizeof digits, "%u", socket);

  return jm_labels_of (jm_energy_kind_get_part (part), digits, NULL);
}

static Gap *
get_gap (JmSocketGaps *self, JmEnergyPart part, guint socket)
{
  Gap gap = { part, socket, NULL, 0 };

  for (guint i = 0; i < self->gaps->len; i++)
    {
      Gap *other = &g_array_index (self->gaps, Gap, i);

      if (other->part == part && other->socket == socket)
        return other;
    }
  gap.labels = make_labels (part, socket);
  g_array_append_val (self->gaps, gap);

  return &g_array_index (self->gaps, Gap, self->gaps->len - 1);
}

void
jm_socket_gaps_add (JmSocketGaps *self,
                    JmEnergyPart part,
                    guint socket,
                    gint64 unread_us)
{
  get_gap (self, part, socket)->unread_us += unread_us;
}

guint
jm_socket_gaps_get_size (const JmSocketGaps *self)
{
  return self->gaps->len;
}

gint64
jm_socket_gaps_get (const JmSocketGaps *self,
                    guint i,
                    JmEnergyPart *part,
                    guint *socket)
{
  const Gap *gap = &g_array_index (self->gaps, Gap, i);

  *part = gap->part;
  *socket = gap->socket;

  return gap->unread_us;
}

/* As %JM_METRIC_ENERGY_UNREAD. */
static void
socket_gaps_tell (const JmSocketGaps *self, JmReadings *readings)
{
  for (guint i = 0; i < self->gaps->len; i++)
    {
      const Gap *gap = &g_array_index (self->gaps, Gap, i);

      jm_readings_add_labelled (readings, JM_METRIC_ENERGY_UNREAD, gap->labels,
                                (guint64) gap->unread_us);
    }
}

void
jm_energy_account_free (JmEnergyAccount *self)
{
  g_clear_pointer (&self->gpus, g_array_unref);
  g_clear_pointer (&self->by_factor, g_array_unref);
  g_clear_pointer (&self->gaps, socket_gaps_free);
  g_clear_pointer (&self->placement, jm_placement_free);
  g_free (self->alias);
  g_free (self);
}

JmEnergyAccount *
jm_energy_account_copy (const JmEnergyAccount *self)
{
  JmEnergyAccount *copy = g_new (JmEnergyAccount, 1);

  *copy = *self;
  copy->alias = g_strdup (self->alias);
  copy->placement = NULL;
  copy->gpus = NULL;
  copy->by_factor = NULL;
  copy->gaps = self->gaps != NULL ? socket_gaps_copy (self->gaps) : NULL;
  for (guint i = 0; self->by_factor != NULL && i < self->by_factor->len; i++)
    {
      const JmFactorShare *share = &g_array_index (self->by_factor, JmFactorShare, i);

      jm_energy_account_add_factor (copy, share->labels, share->emissions_ug);
    }

  return copy;
}

guint64
jm_energy_account_take_cpu_time (JmEnergyAccount *self,
                                 guint64 total_ns,
                                 gboolean is_whole)
{
  guint64 before_ns = self->cpu_ns;
  gboolean is_known = self->has_cpu || is_whole;

  self->has_cpu = TRUE;
  self->cpu_ns = total_ns;

  return is_known && total_ns > before_ns ? total_ns - before_ns : 0;
}

void
jm_energy_account_take_placed (JmEnergyAccount *self,
                               const GArray *placed_ns,
                               gboolean is_whole)
{
  if (placed_ns->len == 0)
    return;

  if (self->placement == NULL)
    self->placement = jm_placement_new ();
  jm_placement_take (self->placement, (const guint64 *) (gpointer) placed_ns->data,
                     placed_ns->len, is_whole);
}

void
jm_energy_account_begin_round (JmEnergyAccount *self, gint64 round_us)
{
  self->current = 0;
  self->whole = 0;
  self->round_us = round_us;
  for (guint i = 0; self->gpus != NULL && i < self->gpus->len; i++)
    g_array_index (self->gpus, JmGpuTotal, i).is_current = FALSE;
}

/* The first of a round that is reported of a kind, by several sockets maybe. */
static void
begin_kind (JmEnergyAccount *self, guint kind)
{
  guint32 bit = 1u << kind;

  if ((self->current & bit) == 0)
    self->round_uj[kind] = 0;
  self->current |= bit;
  self->has_changed = TRUE;
  self->known |= bit;
}

void
jm_energy_account_cover (JmEnergyAccount *self, guint kind, double part)
{
  begin_kind (self, kind);
  self->covered_us[kind] += (gint64) (MIN (part, 1) * (double) self->round_us + 0.5);
  if (part >= WHOLE)
    self->whole |= 1u << kind;
}

void
jm_energy_account_read_socket (JmEnergyAccount *self, const JmEnergySocket *socket)
{
  double unread = 1 - MIN (socket->read, 1);

  if (self->gaps == NULL)
    self->gaps = jm_socket_gaps_new ();
  jm_socket_gaps_add (self->gaps, socket->part, socket->number,
                      (gint64) (unread * (double) self->round_us + 0.5));
  self->has_changed = TRUE;
}

gboolean
jm_energy_account_is_covered (const JmEnergyAccount *self, guint kind)
{
  return (self->current >> kind & 1) != 0;
}

static JmFactorShare *
get_share (JmEnergyAccount *self, JmLabels *labels)
{
  JmFactorShare share = { NULL, 0 };

  if (self->by_factor == NULL)
    {
      self->by_factor = g_array_new (FALSE, FALSE, sizeof (JmFactorShare));
      g_array_set_clear_func (self->by_factor, factor_share_clear);
    }

  for (guint i = 0; i < self->by_factor->len; i++)
    {
      JmFactorShare *other = &g_array_index (self->by_factor, JmFactorShare, i);

      if (other->labels == labels)
        return other;
    }
  if (self->by_factor->len == MAX_FACTORS)
    return NULL;

  share.labels = jm_labels_ref (labels);
  g_array_append_val (self->by_factor, share);

  return &g_array_index (self->by_factor, JmFactorShare, self->by_factor->len - 1);
}

void
jm_energy_account_add_factor (JmEnergyAccount *self,
                              JmLabels *labels,
                              double emissions_ug)
{
  JmFactorShare *share = get_share (self, labels);

  if (share != NULL)
    share->emissions_ug += emissions_ug;
}

static gboolean
has_label (const JmFactorShare *share, guint label, const char *value)
{
  return g_str_equal (jm_labels_get_value (share->labels, label), value);
}

static gboolean
has_other_scope (const JmEnergyAccount *self, const char *method, const char *scope)
{
  for (guint i = 0; self->by_factor != NULL && i < self->by_factor->len; i++)
    {
      const JmFactorShare *share = &g_array_index (self->by_factor, JmFactorShare, i);

      if (has_label (share, METHOD_LABEL, method) &&
          !has_label (share, SCOPE_LABEL, scope))
        return TRUE;
    }

  return FALSE;
}

/* Direct and life-cycle factors count different things: the sum is of one scope, and
 * begins anew with another, as after a change of providers. What there was is kept by
 * factor. */
static void
keep_to_scope (JmEnergyAccount *self, JmEmissionMethod method, JmEmissionScope scope)
{
  const char *method_name = jm_emission_method_get_name (method);
  const char *scope_name = jm_emission_scope_get_name (scope);

  self->scopes[method] = (guint) scope + 1;
  if (!has_other_scope (self, method_name, scope_name))
    return;

  for (guint i = 0; i < 2; i++)
    {
      self->has_emissions[method][i] = FALSE;
      self->emissions_ug[method][i] = 0;
    }
  for (guint i = 0; i < self->by_factor->len; i++)
    {
      const JmFactorShare *share = &g_array_index (self->by_factor, JmFactorShare, i);
      gboolean is_estimated = !has_label (share, QUALITY_LABEL, JM_QUALITY_MEASURED);

      if (!has_label (share, METHOD_LABEL, method_name) ||
          !has_label (share, SCOPE_LABEL, scope_name))
        continue;
      self->has_emissions[method][is_estimated] = TRUE;
      self->emissions_ug[method][is_estimated] += share->emissions_ug;
    }
}

static void
emit (JmEnergyAccount *self, guint kind, guint64 energy_uj, JmEmissionFactor *factor)
{
  JmEmissionMethod method;
  JmEmissionScope scope;
  gboolean is_estimated = JM_ENERGY_IS_ESTIMATED (kind);
  double emissions_ug;

  if (factor == NULL)
    return;

  method = jm_emission_factor_get_method (factor);
  scope = jm_emission_factor_get_scope (factor);
  if (self->scopes[method] != (guint) scope + 1)
    keep_to_scope (self, method, scope);
  emissions_ug = (double) energy_uj *
                 (double) jm_emission_factor_get_ug_per_kwh (factor) * UG_PER_UJ;
  self->has_emissions[method][is_estimated] = TRUE;
  self->emissions_ug[method][is_estimated] += emissions_ug;

  jm_energy_account_add_factor (self,
                                jm_emission_factor_get_grams_labels (factor,
                                                                     is_estimated),
                                emissions_ug);
}

void
jm_energy_account_add (JmEnergyAccount *self,
                       guint kind,
                       guint64 energy_uj,
                       const JmRoundFactors *factors)
{
  begin_kind (self, kind);
  self->round_uj[kind] += energy_uj;
  self->energy_uj[kind] += energy_uj;

  emit (self, kind, energy_uj, factors->average);
  emit (self, kind, energy_uj, factors->marginal);
}

/* --- accelerators --- */

static JmGpuTotal *
find_gpu (const JmEnergyAccount *self, guint device)
{
  for (guint i = 0; self->gpus != NULL && i < self->gpus->len; i++)
    {
      JmGpuTotal *total = &g_array_index (self->gpus, JmGpuTotal, i);

      if (total->device == device)
        return total;
    }

  return NULL;
}

/* Takes the name. */
static JmGpuTotal *
append_gpu (JmEnergyAccount *self, guint device, char *name)
{
  const JmGpuTotal fresh = { .name = name, .device = device };

  if (self->gpus == NULL)
    {
      self->gpus = g_array_new (FALSE, FALSE, sizeof (JmGpuTotal));
      g_array_set_clear_func (self->gpus, gpu_total_clear);
    }
  g_array_append_val (self->gpus, fresh);

  return &g_array_index (self->gpus, JmGpuTotal, self->gpus->len - 1);
}

static JmGpuTotal *
take_gpu (JmEnergyAccount *self, guint device, const char *name)
{
  JmGpuTotal *known = find_gpu (self, device);

  return known != NULL
           ? known
           : append_gpu (self, device,
                         name != NULL ? g_ref_string_acquire ((char *) name) : NULL);
}

void
jm_energy_account_restore_gpu (JmEnergyAccount *self,
                               const char *name,
                               guint64 energy_uj)
{
  append_gpu (self, JM_UNSEEN_GPU, g_ref_string_new (name))->energy_uj = energy_uj;
}

void
jm_energy_account_seat_gpu (JmEnergyAccount *self, const char *name, guint device)
{
  for (guint i = 0; self->gpus != NULL && i < self->gpus->len; i++)
    {
      JmGpuTotal *total = &g_array_index (self->gpus, JmGpuTotal, i);

      if (total->device == JM_UNSEEN_GPU && g_str_equal (total->name, name))
        total->device = device;
    }
}

void
jm_energy_account_add_gpu (JmEnergyAccount *self,
                           guint device,
                           const char *name,
                           guint64 energy_uj)
{
  JmGpuTotal *total = take_gpu (self, device, name);

  total->energy_uj += energy_uj;
  total->round_uj = energy_uj;
  total->is_current = TRUE;
}

/* --- figures --- */

static void
tell (JmReadings *readings, JmMetric metric, JmLabels *labels, guint64 value)
{
  if (metric != JM_N_METRICS)
    jm_readings_add_labelled (readings, metric, labels, value);
}

/* Microwatts. */
static guint64
get_power (guint64 round_uj, gint64 span_us)
{
  return (guint64) ((double) round_uj * 1e6 / (double) span_us);
}

static void
tell_energy (const JmEnergyAccount *self,
             const JmEnergyMetrics *metrics,
             JmLabels *const *kinds,
             const gint64 *spans_us,
             JmReadings *readings)
{
  for (guint kind = 0; kind < JM_N_ENERGY_KINDS; kind++)
    {
      if ((self->known >> kind & 1) == 0)
        continue;

      tell (readings, metrics->energy, kinds[kind], self->energy_uj[kind]);
      tell (readings, metrics->covered, kinds[kind], (guint64) self->covered_us[kind]);
      if ((self->whole >> kind & 1) != 0 && self->round_us > 0 && !self->is_over &&
          spans_us[kind] >= 0)
        tell (readings, metrics->power, kinds[kind],
              get_power (self->round_uj[kind], MAX (self->round_us, spans_us[kind])));
    }
}

static void
tell_emissions (const JmEnergyAccount *self,
                const JmEnergyMetrics *metrics,
                JmLabels *const *qualities,
                JmReadings *readings)
{
  const JmMetric sums[] = { metrics->emissions, metrics->marginal_emissions };

  for (guint method = 0; method < G_N_ELEMENTS (sums); method++)
    for (guint i = 0; i < 2; i++)
      if (self->has_emissions[method][i])
        tell (readings, sums[method], qualities[i],
              (guint64) self->emissions_ug[method][i]);

  for (guint i = 0; self->by_factor != NULL && i < self->by_factor->len; i++)
    {
      const JmFactorShare *share = &g_array_index (self->by_factor, JmFactorShare, i);

      tell (readings, metrics->emissions_by_factor, share->labels,
            (guint64) share->emissions_ug);
    }
}

void
jm_energy_account_tell (const JmEnergyAccount *self,
                        const JmEnergyMetrics *metrics,
                        JmLabels *const *kinds,
                        const gint64 *spans_us,
                        JmLabels *const *qualities,
                        JmReadings *readings)
{
  if (jm_readings_begin (readings, JM_COLLECTOR_POWER))
    {
      tell_energy (self, metrics, kinds, spans_us, readings);
      if (self->gaps != NULL)
        socket_gaps_tell (self->gaps, readings);
    }
  if (jm_readings_begin (readings, JM_COLLECTOR_EMISSIONS))
    tell_emissions (self, metrics, qualities, readings);
}

void
jm_energy_account_tell_gpu (const JmEnergyAccount *self,
                            guint device,
                            JmReadings *readings)
{
  const JmGpuTotal *total = find_gpu (self, device);

  if (total == NULL)
    return;

  jm_readings_add (readings, JM_METRIC_GPU_ENERGY, total->energy_uj);
  if (total->is_current && self->round_us > 0 && !self->is_over)
    jm_readings_add (readings, JM_METRIC_GPU_POWER,
                     get_power (total->round_uj, self->round_us));
}
