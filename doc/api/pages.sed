# SPDX-FileCopyrightText: 2026 The jobmetrics authors
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The manual's Markdown as gi-docgen reads it: fences that have the language alone, and no links to pages that it does not have.
s/^```\([a-z]*\) .*/```\1/
s/\[\([^]]*\)\](\.\.[^)]*)/\1/g
