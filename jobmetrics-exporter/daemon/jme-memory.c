/* jme-memory.c: what the start of the daemon needed, and nothing else
 *
 * SPDX-FileCopyrightText: 2026 The jobmetrics authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "daemon/jme-memory.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* A part of a program or library that is never written: its pages are those of the
 * file, and come back from there when they are used again. */
static gboolean
is_unwritten (const ElfW (Phdr) * part)
{
  return part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0;
}

/* Whether its code was written to when it was linked, as that of few old libraries. */
static gboolean
has_written_code (const struct dl_phdr_info *object)
{
  for (guint i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &object->dlpi_phdr[i];
      const ElfW (Dyn) *entry = (gconstpointer) (object->dlpi_addr + part->p_vaddr);

      if (part->p_type != PT_DYNAMIC)
        continue;
      for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_TEXTREL ||
            (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
          return TRUE;
    }

  return FALSE;
}

/* The kernel's own part of each program is in no file. */
static gboolean
is_of_kernel (const struct dl_phdr_info *object)
{
  return object->dlpi_addr == getauxval (AT_SYSINFO_EHDR);
}

static int
forget_parts (struct dl_phdr_info *object, size_t size, void *page_size)
{
  guintptr mask = *(const guintptr *) page_size - 1;

  if (is_of_kernel (object) || has_written_code (object))
    return 0;

  for (guint i = 0; i < object->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *part = &object->dlpi_phdr[i];
      guintptr begin = (object->dlpi_addr + part->p_vaddr + mask) & ~mask;
      guintptr end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~mask;

      if (is_unwritten (part) && begin < end)
        madvise ((gpointer) begin, end - begin, MADV_DONTNEED);
    }

  return 0;
}

/* Lets go of code and tables that were needed once: options are read, libraries linked
 * and sources found only at the start. What goes on being used is mapped again. */
void
jme_memory_forget_start (void)
{
  guintptr page_size = (guintptr) sysconf (_SC_PAGESIZE);

  dl_iterate_phdr (forget_parts, &page_size);
}
