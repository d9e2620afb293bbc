/* fuzz-gpu-files.c: what the kernel's files of accelerators report, in any shape
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "core/jm-gpu-private.h"
#include "sources/gpu/jm-drm-card-private.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
try_properties (const char *text, gsize size)
{
  JmKfdNode node = { 0 };

  if (!jm_kfd_parse_properties (text, size, &node))
    return;

  g_assert_cmpuint (node.bus, <=, 0xff);
  g_assert_cmpuint (node.slot, <=, 0x1f);
  g_assert_cmpuint (node.function, <=, 7);
}

static void
try_uevent (const char *text, gsize size)
{
  JmSlice value;
  g_autofree char *slot = NULL;
  g_autofree char *address = NULL;

  if (!jm_drm_parse_uevent (text, size, "PCI_SLOT_NAME", &value))
    return;

  g_assert_true (value.text >= text && value.text + value.length <= text + size);
  slot = g_strndup (value.text, value.length);
  address = jm_gpu_format_pci_address (slot);
  g_assert_true (address == NULL || g_str_is_ascii (address));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  try_properties ((const char *) data, size);
  try_uevent ((const char *) data, size);

  return 0;
}
