/* jm-energy-checkpoint.c: what of a node's energy outlives the program
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "node/energy/jm-energy-checkpoint-private.h"

#include <math.h>
#include <string.h>

#include "core/jm-metric.h"
#include "sql/jm-versioned-private.h"

#define VERSION 2
/* What no node reaches; a second as an integer is still some way from its end. */
#define MAX_NUMBER (G_GUINT64_CONSTANT (1) << 62)
#define N_METHODS 2
#define N_QUALITIES 2

/* Numbers, in the order in which they are packed, and the texts that some are about: a
 * few large parts, for they are made in each round of each job. */
#define ACCOUNT_TYPE "(atas)"

/* The first of the numbers: when the job began, its CPU time, bits of what is known of
 * it, of its kinds, and of its emissions; how many factors, accelerators, sockets and
 * places. */
enum
{
  START_US,
  CPU_NS,
  FLAGS,
  KINDS,
  EMISSIONS,
  N_FACTORS,
  N_GPUS,
  N_SOCKETS,
  N_PLACES,
  N_HEADS,
};

#define HAS_CPU 1
#define HAS_ENDED 2

/* A socket is a part of the node, and behind that its number; how long it was unread.
 */
#define SOCKET_SHIFT 32

/* A place is a CPU, and behind that for how long it was used of late, microseconds. */
#define PLACE_SHIFT 48
#define PLACE_MASK ((G_GUINT64_CONSTANT (1) << PLACE_SHIFT) - 1)

GBytes *
jm_energy_checkpoint_pack (GVariant *value)
{
  return jm_versioned_pack (VERSION, value);
}

GVariant *
jm_energy_checkpoint_unpack (GBytes *bytes, const char *type)
{
  return jm_versioned_unpack (bytes, VERSION, type);
}

/* --- packing an account --- */

typedef struct
{
  GArray *numbers;  /* of guint64 */
  GPtrArray *texts; /* of what is the account's */
} Packer;

static void
pack_number (Packer *self, guint64 number)
{
  g_array_append_val (self->numbers, number);
}

static void
pack_double (Packer *self, double number)
{
  guint64 bits;

  memcpy (&bits, &number, sizeof bits);
  pack_number (self, bits);
}

static void
count (Packer *self, guint head)
{
  g_array_index (self->numbers, guint64, head)++;
}

static void
pack_kinds (Packer *self, const JmEnergyAccount *account)
{
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    if ((account->known >> i & 1) != 0)
      {
        pack_number (self, account->energy_uj[i]);
        pack_number (self, (guint64) account->covered_us[i]);
      }
}

static void
pack_emissions (Packer *self, const JmEnergyAccount *account)
{
  for (guint i = 0; i < N_METHODS * N_QUALITIES; i++)
    if (account->has_emissions[i / N_QUALITIES][i % N_QUALITIES])
      {
        g_array_index (self->numbers, guint64, EMISSIONS) |= 1u << i;
        pack_double (self, account->emissions_ug[i / N_QUALITIES][i % N_QUALITIES]);
      }
}

static void
pack_factors (Packer *self, const JmEnergyAccount *account)
{
  for (guint i = 0; account->by_factor != NULL && i < account->by_factor->len; i++)
    {
      const JmFactorShare *share =
        &g_array_index (account->by_factor, JmFactorShare, i);

      count (self, N_FACTORS);
      pack_double (self, share->emissions_ug);
      for (guint j = 0; j < jm_labels_get_size (share->labels); j++)
        g_ptr_array_add (self->texts,
                         (gpointer) jm_labels_get_value (share->labels, j));
    }
}

static void
pack_gpus (Packer *self, const JmEnergyAccount *account)
{
  for (guint i = 0; account->gpus != NULL && i < account->gpus->len; i++)
    {
      const JmGpuTotal *total = &g_array_index (account->gpus, JmGpuTotal, i);

      if (total->name == NULL)
        continue;

      count (self, N_GPUS);
      pack_number (self, total->energy_uj);
      g_ptr_array_add (self->texts, total->name);
    }
}

static void
pack_sockets (Packer *self, const JmEnergyAccount *account)
{
  guint n = account->gaps != NULL ? jm_socket_gaps_get_size (account->gaps) : 0;

  for (guint i = 0; i < n; i++)
    {
      JmEnergyPart part;
      guint socket;
      gint64 unread_us = jm_socket_gaps_get (account->gaps, i, &part, &socket);

      count (self, N_SOCKETS);
      pack_number (self, (guint64) part << SOCKET_SHIFT | socket);
      pack_number (self, (guint64) unread_us);
    }
}

/* Few CPUs of many, as a rule. */
static void
pack_places (Packer *self, const JmEnergyAccount *account)
{
  const guint64 *recent_ns = NULL;
  guint n = 0;

  if (account->placement != NULL)
    recent_ns = jm_placement_get (account->placement, &n);
  for (guint64 i = 0; i < MIN (n, G_MAXUINT16); i++)
    if (recent_ns[i] > 0)
      {
        count (self, N_PLACES);
        pack_number (self, i << PLACE_SHIFT | MIN (recent_ns[i] / 1000, PLACE_MASK));
      }
}

static void
pack_account (Packer *self, const JmEnergyAccount *account)
{
  const guint64 heads[N_HEADS] = {
    [START_US] = (guint64) account->start_us,
    [CPU_NS] = account->cpu_ns,
    [FLAGS] = (account->has_cpu ? HAS_CPU : 0) | (account->has_ended ? HAS_ENDED : 0),
    [KINDS] = account->known,
  };

  g_array_append_vals (self->numbers, heads, N_HEADS);
  pack_kinds (self, account);
  pack_emissions (self, account);
  pack_factors (self, account);
  pack_gpus (self, account);
  pack_sockets (self, account);
  pack_places (self, account);
}

GBytes *
jm_energy_checkpoint_pack_account (const JmEnergyAccount *account)
{
  g_autoptr (GArray) numbers =
    g_array_sized_new (FALSE, FALSE, sizeof (guint64), 4 * N_HEADS);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  Packer packer = { numbers, texts };
  GVariant *parts[2];

  pack_account (&packer, account);
  parts[0] = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, numbers->data,
                                        numbers->len, sizeof (guint64));
  parts[1] = g_variant_new_strv ((const char *const *) texts->pdata, texts->len);

  return jm_energy_checkpoint_pack (g_variant_new_tuple (parts, G_N_ELEMENTS (parts)));
}

/* --- unpacking one --- */

/* What is asked for beyond the end is not there. */
typedef struct
{
  const guint64 *numbers;
  gsize n_numbers;
  const char *const *texts;
  gsize n_texts;
  gboolean is_broken;
} Unpacker;

static guint64
unpack_number (Unpacker *self)
{
  if (self->n_numbers == 0)
    {
      self->is_broken = TRUE;
      return 0;
    }

  self->n_numbers--;

  return *self->numbers++;
}

/* What is counted or measured. */
static guint64
unpack_amount (Unpacker *self)
{
  guint64 number = unpack_number (self);

  self->is_broken |= number > MAX_NUMBER;

  return number;
}

static double
unpack_grams (Unpacker *self)
{
  guint64 bits = unpack_number (self);
  double grams;

  memcpy (&grams, &bits, sizeof grams);
  self->is_broken |= !isfinite (grams) || grams < 0;

  return grams;
}

static const char *
unpack_text (Unpacker *self)
{
  if (self->n_texts == 0)
    {
      self->is_broken = TRUE;
      return "";
    }

  self->n_texts--;

  return *self->texts++;
}

static void
unpack_kinds (Unpacker *self, JmEnergyAccount *account)
{
  for (guint i = 0; i < JM_N_ENERGY_KINDS; i++)
    if ((account->known >> i & 1) != 0)
      {
        account->energy_uj[i] = unpack_amount (self);
        account->covered_us[i] = (gint64) unpack_amount (self);
      }
}

static void
unpack_emissions (Unpacker *self, JmEnergyAccount *account, guint64 bits)
{
  for (guint i = 0; i < N_METHODS * N_QUALITIES; i++)
    if ((bits >> i & 1) != 0)
      {
        account->has_emissions[i / N_QUALITIES][i % N_QUALITIES] = TRUE;
        account->emissions_ug[i / N_QUALITIES][i % N_QUALITIES] = unpack_grams (self);
      }
}

static void
unpack_factor (Unpacker *self, JmEnergyAccount *account)
{
  guint n_labels = jm_metric_get_info (JM_METRIC_EMISSIONS_BY_FACTOR)->n_labels;
  double grams = unpack_grams (self);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (JmLabels) labels = NULL;

  for (guint i = 0; i < n_labels; i++)
    g_ptr_array_add (values, (gpointer) unpack_text (self));
  g_ptr_array_add (values, NULL);
  if (self->is_broken)
    return;

  labels = jm_labels_new ((const char *const *) values->pdata);
  jm_energy_account_add_factor (account, labels, grams);
}

static void
unpack_gpu (Unpacker *self, JmEnergyAccount *account)
{
  guint64 energy_uj = unpack_amount (self);
  const char *name = unpack_text (self);

  self->is_broken |= *name == '\0';
  if (!self->is_broken)
    jm_energy_account_restore_gpu (account, name, energy_uj);
}

static void
unpack_socket (Unpacker *self, JmEnergyAccount *account)
{
  guint64 socket = unpack_number (self);
  guint64 unread_us = unpack_amount (self);

  self->is_broken |= socket >> SOCKET_SHIFT >= JM_N_ENERGY_PARTS;
  if (self->is_broken)
    return;

  if (account->gaps == NULL)
    account->gaps = jm_socket_gaps_new ();
  jm_socket_gaps_add (account->gaps, (JmEnergyPart) (socket >> SOCKET_SHIFT),
                      (guint) socket, (gint64) unread_us);
}

static void
unpack_place (Unpacker *self, JmEnergyAccount *account)
{
  guint64 place = unpack_number (self);

  if (self->is_broken)
    return;

  if (account->placement == NULL)
    account->placement = jm_placement_new ();
  jm_placement_restore (account->placement, (guint) (place >> PLACE_SHIFT),
                        MIN (place & PLACE_MASK, G_MAXUINT32) * 1000);
}

static void
unpack_account (Unpacker *self, JmEnergyAccount *account)
{
  const guint64 *heads = self->numbers;

  for (guint i = 0; i < N_HEADS; i++)
    unpack_number (self);
  if (self->is_broken)
    return;

  account->start_us = (gint64) heads[START_US];
  account->cpu_ns = heads[CPU_NS];
  account->has_cpu = (heads[FLAGS] & HAS_CPU) != 0;
  account->has_ended = (heads[FLAGS] & HAS_ENDED) != 0;
  account->known = (guint32) heads[KINDS];
  self->is_broken = account->start_us < 0 || heads[KINDS] >> JM_N_ENERGY_KINDS != 0 ||
                    heads[EMISSIONS] >> (N_METHODS * N_QUALITIES) != 0;
  unpack_kinds (self, account);
  unpack_emissions (self, account, heads[EMISSIONS]);
  for (guint64 i = 0; i < heads[N_FACTORS] && !self->is_broken; i++)
    unpack_factor (self, account);
  for (guint64 i = 0; i < heads[N_GPUS] && !self->is_broken; i++)
    unpack_gpu (self, account);
  for (guint64 i = 0; i < heads[N_SOCKETS] && !self->is_broken; i++)
    unpack_socket (self, account);
  for (guint64 i = 0; i < heads[N_PLACES] && !self->is_broken; i++)
    unpack_place (self, account);
}

JmEnergyAccount *
jm_energy_checkpoint_unpack_account (GBytes *bytes)
{
  g_autoptr (GVariant) value = jm_energy_checkpoint_unpack (bytes, ACCOUNT_TYPE);
  g_autoptr (GVariant) numbers = NULL;
  g_autoptr (GVariant) words = NULL;
  g_autofree const char **texts = NULL;
  Unpacker unpacker = { 0 };
  JmEnergyAccount *account;

  if (value == NULL)
    return NULL;

  numbers = g_variant_get_child_value (value, 0);
  words = g_variant_get_child_value (value, 1);
  texts = g_variant_get_strv (words, &unpacker.n_texts);
  unpacker.numbers =
    g_variant_get_fixed_array (numbers, &unpacker.n_numbers, sizeof (guint64));
  unpacker.texts = texts;
  account = jm_energy_account_new (0);
  unpack_account (&unpacker, account);
  if (!unpacker.is_broken && unpacker.n_numbers == 0 && unpacker.n_texts == 0)
    return account;

  jm_energy_account_free (account);

  return NULL;
}
