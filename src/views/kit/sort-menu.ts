/**
 * The menu that sorts a list. An option has room only for the order, so the block id carries the list.
 */

import type { Paging } from '../models/list-model.ts';
import { type Menu, menu } from './blocks.ts';
import { writeSortBlockId } from './button-value.ts';
import { LIMIT } from './limits.ts';
import { menuOption } from './options.ts';

/** An order as the command's input takes it, with its label. */
type SortOrder = { readonly sort: unknown; readonly label: string };

/** The orders that each command's menu offers. */
export const SORT_ORDERS: Readonly<Record<string, readonly SortOrder[]>> = {
  devices: [
    { sort: { by: 'name', reversed: false }, label: 'Name' },
    { sort: { by: 'group', reversed: false }, label: 'Group' },
    { sort: { by: 'seen', reversed: false }, label: 'Last seen, newest first' },
    { sort: { by: 'seen', reversed: true }, label: 'Last seen, oldest first' },
    { sort: { by: 'pending', reversed: false }, label: 'Most pending patches' },
    { sort: { by: 'os', reversed: false }, label: 'Operating system' },
  ],
  missing: [
    { sort: 'name', label: 'Name' },
    { sort: 'group', label: 'Group' },
    { sort: 'severity', label: 'Severity' },
  ],
  packages: [
    { sort: 'severity', label: 'Severity' },
    { sort: 'name', label: 'Name' },
    { sort: 'installed', label: 'Installed first' },
  ],
};

/**
 * The menu with its block id. Null for lists of one page, and for queries too long for a block id (some 200 characters),
 * where `sort:` can still be typed.
 */
export function sortMenu({ command, input, pages }: Paging): { menu: Menu; block: string } | null {
  const orders = pages > 1 ? SORT_ORDERS[command] : undefined;
  if (orders === undefined || typeof input !== 'object' || input === null) return null;
  const { sort = null, ...list } = { sort: null, ...input };
  const block = writeSortBlockId({ command, input: list });
  if (block === null || block.length > LIMIT.blockId) return null;
  const options = orders
    .map(({ sort: value, label }) => menuOption({ value: JSON.stringify(value), label }))
    .filter((option) => option !== null);
  const chosen = options.find(({ value }) => value === JSON.stringify(sort));
  return { menu: menu({ action: 'sort', placeholder: orderText(command, list), options, chosen }), block };
}

/** The text of the closed menu before anyone chose: how the command sorts by default. */
function orderText(command: string, list: object): string {
  const hasWords = 'words' in list && Array.isArray(list.words) && list.words.length > 0;
  if (command === 'packages') return 'Sorted by state, then severity';
  return command === 'devices' && hasWords ? 'Sorted by best match' : 'Sorted by name';
}
