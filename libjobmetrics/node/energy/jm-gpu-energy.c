/* jm-gpu-energy.c: what a node's accelerators have taken, and for whom
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-gpu-energy-private.h"

#include "core/jm-readings-private.h"

/* What libraries round off the use of several processes. */
#define LEAST_USE 0.01

/* What no device reaches. */
#define MAX_ENERGY_UJ (G_GUINT64_CONSTANT (1) << 62)

/* What a device has taken since it was read first. */
typedef struct
{
  char *name; /* a GRefString; NULL where it has none, or was not seen yet */
  gboolean is_known;
  gboolean is_base_known;
  guint64 energy_uj;
  guint64 base_uj;
} Total;

/* Who had something of a device in this round. */
typedef struct
{
  JmEnergyAccount *account; /* NULL for the system */
  guint device;
  guint subject; /* of the job and the device; 0 for none */
  double use;    /* NAN where it is not known */
  gboolean is_there;
} Tenant;

struct _JmGpuEnergy
{
  JmGpuSplit *split;
  GArray *totals;  /* of Total, by device */
  GArray *earlier; /* of Total: of devices that were not seen again yet */

  /* this round */
  GArray *devices; /* of JmGpuDevice */
  GArray *tenants; /* of Tenant, in the split's order of users */
};

static void
total_clear (gpointer total)
{
  g_clear_pointer (&((Total *) total)->name, g_ref_string_release);
}

static GArray *
make_totals (void)
{
  GArray *totals = g_array_new (FALSE, TRUE, sizeof (Total));

  g_array_set_clear_func (totals, total_clear);

  return totals;
}

JmGpuEnergy *
jm_gpu_energy_new (gboolean share_idle)
{
  JmGpuEnergy *self = g_new0 (JmGpuEnergy, 1);

  self->split = jm_gpu_split_new (share_idle);
  self->totals = make_totals ();
  self->earlier = make_totals ();
  self->devices = g_array_new (FALSE, FALSE, sizeof (JmGpuDevice));
  self->tenants = g_array_new (FALSE, FALSE, sizeof (Tenant));

  return self;
}

void
jm_gpu_energy_free (JmGpuEnergy *self)
{
  jm_gpu_split_free (self->split);
  g_array_unref (self->totals);
  g_array_unref (self->earlier);
  g_array_unref (self->devices);
  g_array_unref (self->tenants);
  g_free (self);
}

/* --- devices --- */

void
jm_gpu_energy_begin_round (JmGpuEnergy *self)
{
  g_array_set_size (self->devices, 0);
  g_array_set_size (self->tenants, 0);
  jm_gpu_split_begin_round (self->split);
}

/* The device whose energy contains this one's. */
static guint
get_root (JmGpuEnergy *self, guint device)
{
  for (guint i = 0; i < self->devices->len; i++)
    {
      const JmGpuSeat *seat = &g_array_index (self->devices, JmGpuDevice, i).seat;

      if (seat->device == device && seat->is_instance)
        return seat->parent;
    }

  return device;
}

static Total *
get_total (JmGpuEnergy *self, guint device)
{
  if (self->totals->len <= device)
    g_array_set_size (self->totals, device + 1);

  return &g_array_index (self->totals, Total, device);
}

/* Goes on with what a device had taken before the program began. */
static void
meet (JmGpuEnergy *self, const JmGpuDevice *device)
{
  Total *total = get_total (self, device->seat.device);

  if (total->name != NULL || device->name == NULL)
    return;

  total->name = g_ref_string_new (device->name);
  for (guint i = 0; i < self->earlier->len; i++)
    {
      const Total *earlier = &g_array_index (self->earlier, Total, i);

      if (!g_str_equal (earlier->name, device->name))
        continue;

      total->is_known = TRUE;
      total->energy_uj += earlier->energy_uj;
      total->is_base_known |= earlier->is_base_known;
      total->base_uj += earlier->base_uj;
      g_array_remove_index_fast (self->earlier, i);
      return;
    }
}

void
jm_gpu_energy_add_device (JmGpuEnergy *self, const JmGpuDevice *device)
{
  g_array_append_vals (self->devices, device, 1);
  jm_gpu_split_add_seat (self->split, &device->seat);
  meet (self, device);
}

/* --- users --- */

static void
add_user (JmGpuEnergy *self,
          JmEnergyAccount *account,
          const JmGpuUser *user,
          guint subject)
{
  const Tenant tenant = { account, user->device, subject, user->use,
                          user->presence > 0 && !(user->share <= 0 && user->use <= 0) };

  g_array_append_val (self->tenants, tenant);
  jm_gpu_split_add_user (self->split, user);
}

void
jm_gpu_energy_add_user (JmGpuEnergy *self,
                        JmEnergyAccount *account,
                        const JmGpuUser *user,
                        guint subject)
{
  const char *name = get_total (self, user->device)->name;

  if (name != NULL)
    jm_energy_account_seat_gpu (account, name, user->device);
  add_user (self, account, user, subject);
}

/* What processes use that are no job's; NAN where that is not known. */
static double
get_use_of_system (JmGpuEnergy *self, const JmGpuDevice *device)
{
  double use = device->busy;

  for (guint i = 0; i < self->tenants->len; i++)
    {
      const Tenant *tenant = &g_array_index (self->tenants, Tenant, i);

      if (tenant->device == device->seat.device && tenant->is_there)
        use -= tenant->use;
    }

  return use;
}

static void
add_system (JmGpuEnergy *self, const JmGpuDevice *device)
{
  const JmGpuUser system = { .device = device->seat.device,
                             .use = get_use_of_system (self, device),
                             .presence = 1 };

  if (system.use >= LEAST_USE)
    add_user (self, NULL, &system, 0);
}

/* --- which accounts are covered --- */

static gboolean
is_measured (JmGpuEnergy *self, const GArray *items, guint device)
{
  guint root = get_root (self, device);

  for (guint i = 0; i < items->len; i++)
    {
      const JmEnergyItem *item = &g_array_index (items, JmEnergyItem, i);

      if (item->is_keyed && item->device == root)
        return TRUE;
    }

  return FALSE;
}

static void
cover (JmGpuEnergy *self, JmEnergyAccount *account, const GArray *items)
{
  guint n = 0;
  guint n_measured = 0;

  for (guint i = 0; i < self->tenants->len; i++)
    {
      const Tenant *tenant = &g_array_index (self->tenants, Tenant, i);
      gboolean is_its = tenant->account == account && tenant->is_there;

      n += is_its;
      n_measured += is_its && is_measured (self, items, tenant->device);
    }

  if (n_measured > 0)
    jm_energy_account_cover (account, JM_ENERGY_GPU, (double) n_measured / n);
}

void
jm_gpu_energy_cover (JmGpuEnergy *self, const GArray *items)
{
  for (guint i = 0; i < self->devices->len; i++)
    add_system (self, &g_array_index (self->devices, JmGpuDevice, i));

  for (guint i = 0; i < self->tenants->len; i++)
    {
      JmEnergyAccount *account = g_array_index (self->tenants, Tenant, i).account;

      if (account != NULL && !jm_energy_account_is_covered (account, JM_ENERGY_GPU))
        cover (self, account, items);
    }
}

guint
jm_gpu_energy_get_n_users (JmGpuEnergy *self)
{
  return self->tenants->len;
}

JmEnergyAccount *
jm_gpu_energy_get_account (JmGpuEnergy *self, guint user)
{
  JmEnergyAccount *account = g_array_index (self->tenants, Tenant, user).account;

  return account != NULL && jm_energy_account_is_covered (account, JM_ENERGY_GPU)
           ? account
           : NULL;
}

/* --- the split --- */

/* What each of its jobs has of the device, or of the instances that each has. */
static void
note_parts (JmGpuEnergy *self, guint device, const JmGpuParts *parts)
{
  for (guint i = 0; i < self->tenants->len; i++)
    {
      const Tenant *tenant = &g_array_index (self->tenants, Tenant, i);

      if (tenant->is_there && get_root (self, tenant->device) == device &&
          jm_gpu_energy_get_account (self, i) != NULL)
        jm_energy_account_add_gpu (tenant->account, tenant->device,
                                   get_total (self, tenant->device)->name,
                                   parts->users_uj[i]);
    }
}

const JmGpuParts *
jm_gpu_energy_take (JmGpuEnergy *self, const JmEnergyItem *item)
{
  const JmGpuParts *parts =
    jm_gpu_split_take (self->split, item->device, item->energy_uj, item->span_us);
  Total *total = get_total (self, item->device);

  total->is_known = TRUE;
  total->energy_uj += item->energy_uj + item->earlier_uj;
  total->is_base_known |= parts->is_base_known;
  total->base_uj += parts->base_uj;
  note_parts (self, item->device, parts);

  return parts;
}

/* --- over a restart --- */

static void
pack_totals (GVariantBuilder *builder, const GArray *totals)
{
  for (guint i = 0; i < totals->len; i++)
    {
      const Total *total = &g_array_index (totals, Total, i);

      if (total->is_known && total->name != NULL)
        g_variant_builder_add (builder, "(stbt)", total->name, total->energy_uj,
                               total->is_base_known, total->base_uj);
    }
}

GVariant *
jm_gpu_energy_save (JmGpuEnergy *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (JM_GPU_ENERGY_TYPE));
  pack_totals (&builder, self->totals);
  pack_totals (&builder, self->earlier);

  return g_variant_builder_end (&builder);
}

void
jm_gpu_energy_restore (JmGpuEnergy *self, GVariant *value)
{
  g_array_set_size (self->earlier, 0);
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      Total total = { .is_known = TRUE };
      const char *name;

      g_variant_get_child (value, i, "(&stbt)", &name, &total.energy_uj,
                           &total.is_base_known, &total.base_uj);
      if (*name == '\0' || total.energy_uj > MAX_ENERGY_UJ ||
          total.base_uj > MAX_ENERGY_UJ)
        continue;

      total.name = g_ref_string_new (name);
      g_array_append_val (self->earlier, total);
    }
}

/* --- figures --- */

static void
tell_device (JmGpuEnergy *self, const JmGpuDevice *device, JmReadings *readings)
{
  const Total *total = get_total (self, device->seat.device);

  if (!total->is_known || device->subject == 0)
    return;

  jm_readings_set_subject (readings, device->subject);
  jm_readings_add (readings, JM_METRIC_GPU_ENERGY, total->energy_uj);
  if (total->is_base_known)
    jm_readings_add (readings, JM_METRIC_GPU_IDLE_ENERGY, total->base_uj);
}

static void
tell_tenant (const Tenant *tenant, JmReadings *readings)
{
  if (tenant->account == NULL || tenant->subject == 0)
    return;

  jm_readings_set_subject (readings, tenant->subject);
  jm_energy_account_tell_gpu (tenant->account, tenant->device, readings);
}

void
jm_gpu_energy_tell (JmGpuEnergy *self, JmReadings *readings)
{
  if (self->devices->len == 0 || !jm_readings_begin (readings, JM_COLLECTOR_GPU))
    return;

  for (guint i = 0; i < self->devices->len; i++)
    tell_device (self, &g_array_index (self->devices, JmGpuDevice, i), readings);
  for (guint i = 0; i < self->tenants->len; i++)
    tell_tenant (&g_array_index (self->tenants, Tenant, i), readings);
}
