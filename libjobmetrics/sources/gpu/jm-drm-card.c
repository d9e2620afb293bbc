/* jm-drm-card.c: cards of the kernel's graphics drivers
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "sources/gpu/jm-drm-card-private.h"

#include "base/jm-error.h"
#include "core/jm-gpu-private.h"

#define DRM_DIR "/sys/class/drm"
#define MAX_CARDS 256

const char *const jm_amd_drivers[] = { "amdgpu", NULL };

static void
card_free (gpointer data)
{
  JmDrmCard *self = data;

  g_clear_pointer (&self->gpu, jm_gpu_unref);
  g_free (self->path);
  g_free (self->dir);
  g_free (self->driver);
  g_free (self->address);
  jm_gpu_gauges_free (self->gauges);
  g_object_unref (self->host);
  g_free (self);
}

gboolean
jm_drm_parse_uevent (const char *text, gsize length, const char *key, JmSlice *value)
{
  const char *cursor = text;
  gsize key_length = strlen (key);
  JmSlice line;

  while (jm_parse_next_line (&cursor, text + length, &line))
    if (line.length > key_length && line.text[key_length] == '=' &&
        memcmp (line.text, key, key_length) == 0)
      {
        *value = (JmSlice){ line.text + key_length + 1, line.length - key_length - 1 };
        return TRUE;
      }

  return FALSE;
}

/* Whether @name is @prefix and a number. */
static gboolean
is_numbered (const char *name, const char *prefix)
{
  guint64 number;

  return g_str_has_prefix (name, prefix) &&
         jm_parse_uint64 (name + strlen (prefix), strlen (name) - strlen (prefix),
                          &number);
}

static char *
dup_value (const char *uevent, const char *key)
{
  JmSlice value;

  if (!jm_drm_parse_uevent (uevent, strlen (uevent), key, &value))
    return NULL;

  return g_strndup (value.text, value.length);
}

/* The node that is for computing has its folder beside the card's. */
static void
find_number (JmDrmCard *self)
{
  g_autofree char *dir = g_build_filename (self->dir, "drm", NULL);
  g_auto (GStrv) names = jm_host_list_dir (self->host, dir, NULL);

  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *node = NULL;
      g_autofree char *number = NULL;

      if (!is_numbered (*name, "renderD"))
        continue;

      node = g_build_filename (dir, *name, NULL);
      number = jm_gpu_read_text (self->host, node, "dev");
      self->has_number = number != NULL && jm_parse_device (number, strlen (number),
                                                            &self->major, &self->minor);
      return;
    }
}

/* NULL for what is no card of these drivers. */
static JmDrmCard *
read_card (JmHost *host, const char *name, const char *const *drivers)
{
  g_autofree char *path = g_build_filename (DRM_DIR, name, NULL);
  g_autofree char *dir = g_build_filename (path, "device", NULL);
  g_autofree char *uevent = NULL;
  g_autofree char *driver = NULL;
  g_autofree char *slot = NULL;
  g_autofree char *address = NULL;
  JmDrmCard *card;

  if (!is_numbered (name, "card"))
    return NULL;

  uevent = jm_gpu_read_text (host, dir, "uevent");
  driver = uevent != NULL ? dup_value (uevent, "DRIVER") : NULL;
  slot = uevent != NULL ? dup_value (uevent, "PCI_SLOT_NAME") : NULL;
  address = slot != NULL ? jm_gpu_format_pci_address (slot) : NULL;
  if (driver == NULL || address == NULL || !g_strv_contains (drivers, driver))
    return NULL;

  card = g_new0 (JmDrmCard, 1);
  card->host = g_object_ref (host);
  card->gauges = jm_gpu_gauges_new (host);
  card->path = g_steal_pointer (&path);
  card->dir = g_steal_pointer (&dir);
  card->driver = g_steal_pointer (&driver);
  card->address = g_steal_pointer (&address);
  find_number (card);

  return card;
}

/* Domains of more than four digits come last. */
static int
compare_cards (gconstpointer a, gconstpointer b)
{
  const char *one = (*(const JmDrmCard *const *) a)->address;
  const char *other = (*(const JmDrmCard *const *) b)->address;
  gsize length = strlen (one);
  gsize other_length = strlen (other);

  return length != other_length ? (length > other_length) - (length < other_length)
                                : strcmp (one, other);
}

GPtrArray *
jm_drm_list_cards (JmHost *host, const char *const *drivers, GError **error)
{
  g_autoptr (GPtrArray) cards = g_ptr_array_new_with_free_func (card_free);
  g_auto (GStrv) names = jm_host_list_dir (host, DRM_DIR, error);

  if (names == NULL)
    return NULL;

  for (char **name = names; *name != NULL && cards->len < MAX_CARDS; name++)
    {
      JmDrmCard *card = read_card (host, *name, drivers);

      if (card != NULL)
        g_ptr_array_add (cards, card);
    }
  g_ptr_array_sort (cards, compare_cards);

  if (cards->len == 0)
    {
      g_autofree char *path = jm_host_resolve (host, DRM_DIR);
      g_autofree char *wanted = g_strjoinv (" or ", (char **) drivers);

      g_set_error (error, JM_ERROR, JM_ERROR_ABSENT, "%s: no card of %s", path, wanted);
      return NULL;
    }

  return g_steal_pointer (&cards);
}

JmGpu *
jm_drm_card_make_gpu (JmDrmCard *self, const char *vendor, guint index)
{
  g_autofree char *name = g_strdup_printf ("%s%u", vendor, index);
  JmGpu *gpu = jm_gpu_new (name, index);

  jm_gpu_set_field (gpu, JM_GPU_FIELD_VENDOR, vendor);
  jm_gpu_set_field (gpu, JM_GPU_FIELD_PCI_ADDRESS, self->address);
  if (self->has_number)
    jm_gpu_set_device_number (gpu, self->major, self->minor);

  g_clear_pointer (&self->gpu, jm_gpu_unref);
  self->gpu = jm_gpu_ref (gpu);

  return gpu;
}

/* ROCm's own name, which ROCR_VISIBLE_DEVICES takes. A device without an id has none.
 */
static void
set_uuid (JmGpu *gpu, const char *id)
{
  guint64 number;
  g_autofree char *uuid = NULL;

  if (id == NULL || !g_ascii_string_to_unsigned (id, 16, 1, G_MAXUINT64, &number, NULL))
    return;

  uuid = g_strdup_printf ("GPU-%016" G_GINT64_MODIFIER "x", number);
  jm_gpu_set_field (gpu, JM_GPU_FIELD_UUID, uuid);
}

JmGpu *
jm_drm_card_make_amd_gpu (JmDrmCard *self, guint index)
{
  JmHost *host = self->host;
  JmGpu *gpu = jm_drm_card_make_gpu (self, "amd", index);
  g_autofree char *id = jm_gpu_read_text (host, self->dir, "unique_id");
  g_autofree char *model = jm_gpu_read_text (host, self->dir, "product_name");
  g_autofree char *version = jm_gpu_read_text (host, "/sys/module/amdgpu", "version");

  set_uuid (gpu, id);
  jm_gpu_set_field (gpu, JM_GPU_FIELD_MODEL, model);
  jm_gpu_set_field (gpu, JM_GPU_FIELD_DRIVER_VERSION, version);

  return gpu;
}

static guint
find_at (const GPtrArray *cards, guint domain, guint bus, guint slot, guint function)
{
  g_autofree char *address =
    g_strdup_printf ("%04x:%02x:%02x.%x", domain, bus, slot, function);

  for (guint i = 0; i < cards->len; i++)
    if (g_str_equal (((const JmDrmCard *) cards->pdata[i])->address, address))
      return i;

  return JM_NO_CARD;
}

guint
jm_drm_find_card (const GPtrArray *cards,
                  guint domain,
                  guint bus,
                  guint slot,
                  guint function)
{
  guint card = find_at (cards, domain, bus, slot, function);

  return card != JM_NO_CARD ? card : find_at (cards, domain, bus, slot, 0);
}

gboolean
jm_drm_card_fail_lost (JmGpu *gpu, GError **error)
{
  g_set_error (error, JM_ERROR, JM_ERROR_UNAVAILABLE, "%s: not there any more",
               jm_gpu_get_name (gpu));

  return FALSE;
}

gboolean
jm_drm_card_read (const JmDrmCard *self,
                  gboolean levels_only,
                  JmGpuReport *report,
                  GError **error)
{
  g_autofree char *status =
    jm_gpu_read_text (self->host, self->dir, "power/runtime_status");

  return g_strcmp0 (status, "suspended") == 0 ||
         jm_gpu_gauges_read (self->gauges, levels_only, report, error);
}
