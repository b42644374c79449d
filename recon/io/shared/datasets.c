/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of the arrays inside a file. */
#include "recon/io/shared/io-private.h"

#include "recon/base/memory.h"

#include <string.h>

bool ct_dataset_list_add(ct_dataset_list *list, const ct_dataset *item, ct_error **error) {
  const size_t count = list->count;
  if ((count & (count - 1)) == 0) { /* 0, 1, 2, 4, 8, ...: there is no room for another */
    ct_dataset *items = ct_alloc(count ? 2 * count : 1, sizeof *items, "a list of datasets", error);
    if (!items) return false;
    if (count) memcpy(items, list->items, count * sizeof *items);
    ct_free(list->items);
    list->items = items;
  }
  list->items[list->count++] = *item;
  return true;
}

void ct_dataset_list_clear(ct_dataset_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    ct_free(list->items[i].path);
    ct_free(list->items[i].trouble);
  }
  ct_free(list->items);
  *list = (ct_dataset_list){0};
}
