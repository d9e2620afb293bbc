/* jm-energy-balance.c: what of a node's measured energy is to be attributed
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-balance-private.h"

#include "core/jm-metric.h"
#include "node/energy/jm-power-meters-private.h"

/* The meter of a node lags behind the counters of its parts, by some seconds at most;
 * for that long it may have seen less than they. */
#define MAX_LAG_US (30 * G_USEC_PER_SEC)

/* What one meter at a time is taken for. */
typedef struct
{
  JmPowerDomain domain;
  guint number;
  guint die;
  gboolean is_keyed; /* a device of the node, @number, whatever a source numbers it */
  gboolean is_measured; /* once, and never estimated from then on */
  gint64 until_us;      /* accounted for up to here */
} Role;

struct _JmEnergyBalance
{
  GArray *roles;   /* of Role */
  GArray *items;   /* of JmEnergyItem */
  GArray *sockets; /* of JmEnergySocket */
  gint64 began_us;
  gint64 deficit_uj;  /* by which the node's meter lags behind: never above zero */
  gboolean has_parts; /* some part was measured, once */
  gboolean has_keyed; /* some accelerator was that is known by its key */
};

static const char *const part_names[JM_N_ENERGY_PARTS] = {
  [JM_ENERGY_PACKAGE] = "package", [JM_ENERGY_DRAM] = "dram", [JM_ENERGY_GPU] = "gpu",
  [JM_ENERGY_NODE] = "node",       [JM_ENERGY_REST] = "rest",
};

JmEnergyBalance *
jm_energy_balance_new (void)
{
  JmEnergyBalance *self = g_new0 (JmEnergyBalance, 1);

  self->roles = g_array_new (FALSE, FALSE, sizeof (Role));
  self->items = g_array_new (FALSE, FALSE, sizeof (JmEnergyItem));
  self->sockets = g_array_new (FALSE, FALSE, sizeof (JmEnergySocket));

  return self;
}

void
jm_energy_balance_free (JmEnergyBalance *self)
{
  g_array_unref (self->roles);
  g_array_unref (self->items);
  g_array_unref (self->sockets);
  g_free (self);
}

const char *
jm_energy_kind_get_part (guint kind)
{
  g_return_val_if_fail (kind < JM_N_ENERGY_KINDS, NULL);

  return part_names[kind % JM_N_ENERGY_PARTS];
}

const char *
jm_energy_kind_get_quality (guint kind)
{
  return JM_ENERGY_IS_ESTIMATED (kind) ? JM_QUALITY_ESTIMATED : JM_QUALITY_MEASURED;
}

static gboolean
overlap (guint a, guint b)
{
  return a == b || a == JM_POWER_DOMAIN_ALL || b == JM_POWER_DOMAIN_ALL;
}

static Role
make_role (const JmMeterInterval *interval)
{
  Role role = { .domain = interval->domain,
                .number = interval->number,
                .die = interval->die,
                .is_keyed = interval->is_keyed };

  if (role.is_keyed)
    role.number = interval->device;

  return role;
}

/* The role of a meter's domain; NULL where another meter has a larger or smaller part
 * of the same, such as all sockets together. */
static Role *
get_role (JmEnergyBalance *self, const JmMeterInterval *interval)
{
  Role role = make_role (interval);

  for (guint i = 0; i < self->roles->len; i++)
    {
      Role *other = &g_array_index (self->roles, Role, i);

      if (other->domain != role.domain || other->is_keyed != role.is_keyed ||
          !overlap (other->number, role.number) || !overlap (other->die, role.die))
        continue;

      return other->number == role.number && other->die == role.die ? other : NULL;
    }
  g_array_append_val (self->roles, role);

  return &g_array_index (self->roles, Role, self->roles->len - 1);
}

static gboolean
is_measured (JmEnergyBalance *self, JmPowerDomain domain)
{
  for (guint i = 0; i < self->roles->len; i++)
    {
      const Role *role = &g_array_index (self->roles, Role, i);

      if (role->domain == domain && role->is_measured)
        return TRUE;
    }

  return FALSE;
}

static guint64
scale (guint64 energy_uj, gint64 part_us, gint64 whole_us)
{
  return (guint64) ((unsigned __int128) energy_uj * (guint64) part_us /
                    (guint64) whole_us);
}

/* A source that was silent has what it counted meanwhile; what another has reported of
 * that time is not taken twice, and the rest of it was before the round. */
static gboolean
take_interval (JmEnergyBalance *self,
               Role *role,
               const JmMeterInterval *interval,
               JmEnergyItem *item)
{
  gint64 from_us = MAX (interval->began_us, role->until_us);
  gint64 round_us = interval->ended_us - MAX (from_us, self->began_us);
  guint64 energy_uj;

  if (from_us >= interval->ended_us)
    return FALSE;

  energy_uj = scale (interval->energy_uj, interval->ended_us - from_us,
                     interval->ended_us - interval->began_us);
  item->energy_uj = scale (energy_uj, round_us, interval->ended_us - from_us);
  item->earlier_uj = energy_uj - item->energy_uj;
  item->span_us = round_us;
  item->counted_us = interval->span_us;
  role->until_us = interval->ended_us;

  return TRUE;
}

static gboolean
get_part (JmPowerDomain domain, JmEnergyPart *part)
{
  switch (domain)
    {
    case JM_POWER_DOMAIN_PACKAGE:
      *part = JM_ENERGY_PACKAGE;
      return TRUE;
    case JM_POWER_DOMAIN_DRAM:
      *part = JM_ENERGY_DRAM;
      return TRUE;
    case JM_POWER_DOMAIN_GPU:
      *part = JM_ENERGY_GPU;
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- parts --- */

/* The dies of a socket are one. */
static void
add_item (JmEnergyBalance *self, const JmEnergyItem *item)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      JmEnergyItem *other = &g_array_index (self->items, JmEnergyItem, i);

      if (other->kind == item->kind && other->number == item->number &&
          other->is_keyed == item->is_keyed && other->device == item->device)
        {
          other->energy_uj += item->energy_uj;
          other->earlier_uj += item->earlier_uj;
          other->n_dies += item->n_dies;
          return;
        }
    }

  g_array_append_vals (self->items, item, 1);
}

static void
look_for_keys (JmEnergyBalance *self, const GArray *intervals)
{
  for (guint i = 0; i < intervals->len; i++)
    self->has_keyed |= g_array_index (intervals, JmMeterInterval, i).is_keyed;
}

/* An accelerator that another source numbers may be any of those that are known: once
 * one is, its energy stays in the rest of the node, and is not counted twice. */
static gboolean
is_in_doubt (JmEnergyBalance *self, const JmMeterInterval *interval)
{
  return interval->domain == JM_POWER_DOMAIN_GPU && self->has_keyed &&
         !interval->is_keyed;
}

static JmEnergyItem
make_item (const JmMeterInterval *interval, JmEnergyPart part)
{
  return (JmEnergyItem){
    .kind = part + (interval->is_estimate ? JM_N_ENERGY_PARTS : 0),
    .domain = interval->domain,
    .number = interval->number,
    .n_dies = 1,
    .covered = 1,
    .is_constant = interval->is_constant,
    .is_keyed = interval->is_keyed,
    .device = interval->device,
  };
}

static void
add_parts (JmEnergyBalance *self, const GArray *intervals, gboolean is_estimate)
{
  for (guint i = 0; i < intervals->len; i++)
    {
      const JmMeterInterval *interval = &g_array_index (intervals, JmMeterInterval, i);
      JmEnergyItem item;
      JmEnergyPart part;
      Role *role;

      if (interval->is_estimate != is_estimate || !get_part (interval->domain, &part) ||
          is_in_doubt (self, interval))
        continue;
      role = get_role (self, interval);
      if (role == NULL || (is_estimate && role->is_measured))
        continue;

      role->is_measured |= !is_estimate;
      self->has_parts |= !is_estimate;
      item = make_item (interval, part);
      if (take_interval (self, role, interval, &item))
        add_item (self, &item);
    }
}

static guint
count_dies (JmEnergyBalance *self, const JmEnergyItem *item)
{
  guint n_dies = 0;

  for (guint i = 0; i < self->roles->len; i++)
    {
      const Role *role = &g_array_index (self->roles, Role, i);

      n_dies += role->domain == item->domain && role->is_keyed == item->is_keyed &&
                role->number == (item->is_keyed ? item->device : item->number);
    }

  return n_dies;
}

/* A die that was read once and is not now leaves its socket known in part. */
static void
cover_sockets (JmEnergyBalance *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      JmEnergyItem *item = &g_array_index (self->items, JmEnergyItem, i);

      if (item->domain != JM_POWER_DOMAIN_NODE)
        item->covered = (double) item->n_dies / MAX (count_dies (self, item), 1);
    }
}

static gboolean
is_of_socket (const Role *role)
{
  return role->is_measured && !role->is_keyed && role->domain != JM_POWER_DOMAIN_GPU &&
         role->number != JM_POWER_DOMAIN_ALL;
}

static gboolean
is_alone (JmEnergyBalance *self, const Role *role)
{
  for (guint i = 0; i < self->roles->len; i++)
    {
      const Role *other = &g_array_index (self->roles, Role, i);

      if (is_of_socket (other) && other->domain == role->domain &&
          other->number != role->number)
        return FALSE;
    }

  return TRUE;
}

static double
get_read (JmEnergyBalance *self, JmEnergyPart part, guint number)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      const JmEnergyItem *item = &g_array_index (self->items, JmEnergyItem, i);

      if (item->kind == (guint) part && item->number == number)
        return item->covered;
    }

  return 0;
}

static gboolean
is_listed (JmEnergyBalance *self, JmEnergyPart part, guint number)
{
  for (guint i = 0; i < self->sockets->len; i++)
    {
      const JmEnergySocket *socket = &g_array_index (self->sockets, JmEnergySocket, i);

      if (socket->part == part && socket->number == number)
        return TRUE;
    }

  return FALSE;
}

static void
list_sockets (JmEnergyBalance *self)
{
  g_array_set_size (self->sockets, 0);
  for (guint i = 0; i < self->roles->len; i++)
    {
      const Role *role = &g_array_index (self->roles, Role, i);
      JmEnergySocket socket = { .number = role->number };

      if (!is_of_socket (role) || !get_part (role->domain, &socket.part) ||
          is_alone (self, role) || is_listed (self, socket.part, role->number))
        continue;

      socket.read = get_read (self, socket.part, role->number);
      g_array_append_val (self->sockets, socket);
    }
}

/* --- the whole --- */

/* What the platforms of all sockets took; a node where nothing better is. */
static gboolean
sum_platforms (JmEnergyBalance *self, const GArray *intervals, JmEnergyItem *item)
{
  gboolean is_known = FALSE;

  for (guint i = 0; i < intervals->len; i++)
    {
      const JmMeterInterval *interval = &g_array_index (intervals, JmMeterInterval, i);
      JmEnergyItem one = { 0 };
      Role *role;

      if (interval->domain != JM_POWER_DOMAIN_PSYS || interval->is_estimate)
        continue;
      role = get_role (self, interval);
      if (role == NULL || !take_interval (self, role, interval, &one))
        continue;

      item->energy_uj += one.energy_uj;
      item->earlier_uj += one.earlier_uj;
      item->counted_us = one.counted_us;
      is_known = TRUE;
    }

  return is_known;
}

static gboolean
find_node (JmEnergyBalance *self,
           const GArray *intervals,
           gboolean is_estimate,
           JmEnergyItem *item)
{
  Role *role;

  for (guint i = 0; i < intervals->len; i++)
    {
      const JmMeterInterval *interval = &g_array_index (intervals, JmMeterInterval, i);

      if (interval->domain != JM_POWER_DOMAIN_NODE ||
          interval->is_estimate != is_estimate)
        continue;

      role = get_role (self, interval);
      if (role != NULL && take_interval (self, role, interval, item))
        {
          role->is_measured |= !is_estimate;
          return TRUE;
        }
    }

  return FALSE;
}

/* Less the parts. What these are ahead by is waited for, but not for ever: a meter that
 * always shows less than they do does not measure the whole. */
static void
take_parts_out (JmEnergyBalance *self, JmEnergyItem *whole, gint64 round_us)
{
  guint64 all_uj = whole->energy_uj + whole->earlier_uj;
  gint64 limit_uj =
    (gint64) MIN (scale (whole->energy_uj, MAX_LAG_US, MAX (round_us, 1)),
                  G_MAXINT64 / 4);
  gint64 left_uj = (gint64) MIN (all_uj, G_MAXINT64 / 4) + self->deficit_uj;

  for (guint i = 0; i < self->items->len; i++)
    {
      const JmEnergyItem *part = &g_array_index (self->items, JmEnergyItem, i);

      left_uj -= (gint64) MIN (part->energy_uj + part->earlier_uj, G_MAXINT64 / 64);
    }

  self->deficit_uj = CLAMP (left_uj, -limit_uj, 0);
  left_uj = MAX (left_uj, 0);
  whole->earlier_uj = MIN (whole->earlier_uj, (guint64) left_uj);
  whole->energy_uj = (guint64) left_uj - whole->earlier_uj;
}

static void
add_whole (JmEnergyBalance *self, const GArray *intervals, gint64 ended_us)
{
  JmEnergyItem whole = {
    JM_ENERGY_NODE, JM_POWER_DOMAIN_NODE, JM_POWER_DOMAIN_ALL, 1, 1, 0, 0
  };

  if (!find_node (self, intervals, FALSE, &whole) &&
      (is_measured (self, JM_POWER_DOMAIN_NODE) ||
       !sum_platforms (self, intervals, &whole)))
    return;

  if (self->has_parts)
    {
      whole.kind = JM_ENERGY_REST;
      take_parts_out (self, &whole, ended_us - self->began_us);
    }
  g_array_append_val (self->items, whole);
}

/* An estimate of the whole stands in where nothing at all was measured. */
static void
add_estimates (JmEnergyBalance *self, const GArray *intervals)
{
  JmEnergyItem whole = { JM_ENERGY_NODE + JM_N_ENERGY_PARTS,
                         JM_POWER_DOMAIN_NODE,
                         JM_POWER_DOMAIN_ALL,
                         1,
                         1,
                         0,
                         0 };

  if (is_measured (self, JM_POWER_DOMAIN_NODE))
    return;

  add_parts (self, intervals, TRUE);
  if (self->items->len == 0 && !self->has_parts &&
      find_node (self, intervals, TRUE, &whole))
    g_array_append_val (self->items, whole);
}

const GArray *
jm_energy_balance_take (JmEnergyBalance *self, const GArray *intervals, gint64 began_us)
{
  gint64 ended_us = began_us;

  self->began_us = began_us;
  g_array_set_size (self->items, 0);
  for (guint i = 0; i < intervals->len; i++)
    ended_us = MAX (ended_us, g_array_index (intervals, JmMeterInterval, i).ended_us);

  look_for_keys (self, intervals);
  add_parts (self, intervals, FALSE);
  add_whole (self, intervals, ended_us);
  add_estimates (self, intervals);
  cover_sockets (self);
  list_sockets (self);

  return self->items;
}

const GArray *
jm_energy_balance_get_sockets (JmEnergyBalance *self)
{
  return self->sockets;
}

/* --- over a restart --- */

GVariant *
jm_energy_balance_save (JmEnergyBalance *self)
{
  GVariantBuilder roles;

  g_variant_builder_init (&roles, G_VARIANT_TYPE ("a(uuubx)"));
  for (guint i = 0; i < self->roles->len; i++)
    {
      const Role *role = &g_array_index (self->roles, Role, i);

      if (!role->is_keyed)
        g_variant_builder_add (&roles, "(uuubx)", (guint32) role->domain, role->number,
                               role->die, role->is_measured, role->until_us);
    }

  return g_variant_new ("(@a(uuubx)xb)", g_variant_builder_end (&roles),
                        self->deficit_uj, self->has_parts);
}

void
jm_energy_balance_restore (JmEnergyBalance *self, GVariant *value, gint64 until_us)
{
  g_autoptr (GVariant) roles = NULL;

  g_variant_get (value, "(@a(uuubx)xb)", &roles, &self->deficit_uj, &self->has_parts);
  self->deficit_uj = until_us > 0 ? CLAMP (self->deficit_uj, -(G_MAXINT64 / 4), 0) : 0;
  for (gsize i = 0; i < g_variant_n_children (roles); i++)
    {
      Role role = { 0 };
      guint32 domain;

      g_variant_get_child (roles, i, "(uuubx)", &domain, &role.number, &role.die,
                           &role.is_measured, &role.until_us);
      role.domain = domain;
      role.until_us = MIN (role.until_us, until_us);
      g_array_append_val (self->roles, role);
    }
}
