/* fuzz-gpu-list.c: any bytes as a list of devices, and as what a cgroup allows
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <string.h>

#include "core/jm-gpu-grants-private.h"
#include "core/jm-gpu-list-private.h"
#include "sources/gpu/jm-gpu-types-private.h"

/* A byte below their number stands for one of these: chance alone finds few. */
static const char *const tokens[] = {
  "gpu:", "a100:", "(IDX:",  "(S:",      ")",       ",",    "-",   "0", "4095",
  "GPU-", "MIG-",  "/dev/",  "nvidia",   "renderD", "card", "amd", ".", "0000:3b:00.0",
  "all",  "-1",    "(null)", "MIG-GPU-", "/1/0",    "4096", "\n",  ":", "intel",
};

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static char *
make_text (const guint8 *data, gsize size)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < size; i++)
    if (data[i] < G_N_ELEMENTS (tokens))
      g_string_append (text, tokens[data[i]]);
    else
      g_string_append_c (text, (char) data[i]);

  return g_string_free (text, FALSE);
}

static guint
count (const char *text, JmGpuNumbers numbers)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  guint n_grants;
  const JmGpuGrant *grant;

  jm_gpu_list_take (text, numbers, JM_GPU_ORIGIN_HOOK, grants);
  grant = jm_gpu_grants_get (grants, &n_grants);
  for (guint i = 0; i < n_grants; i++)
    g_assert_true (grant[i].device != NULL ? strlen (grant[i].device) <= 80
                                           : grant[i].index < 4096);

  return n_grants;
}

/* With its length instead of an end. */
static void
take_device_list (const guint8 *data, gsize size)
{
  g_autoptr (JmGpuGrants) grants = jm_gpu_grants_new ();
  g_autofree char *text = g_memdup2 (data, size);
  guint n_grants;

  jm_device_list_take (text, size, grants);
  jm_gpu_grants_get (grants, &n_grants);
  g_assert_cmpuint (n_grants, <=, size / strlen ("c 1:1 r"));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *text = make_text (data, size);
  guint n_of_scheduler = count (text, JM_GPU_NUMBERS_OF_SCHEDULER);

  g_assert_cmpuint (count (text, JM_GPU_NUMBERS_OF_DRIVER), ==, n_of_scheduler);
  g_assert_cmpuint (count (text, JM_GPU_NUMBERS_OF_JOB), <=, n_of_scheduler);
  if (size > 0)
    take_device_list (data, size);

  return 0;
}
