/** The footer of a list: position, command, page buttons and sort menu. */
import { upperFirst } from '../../lib/text.ts';
import type { Paging, RefreshReason } from '../models/list-model.ts';
import { actions, type Button, context, type Menu, menu, menuOption } from './blocks.ts';
import { runButton, writeSortBlockId } from './buttons.ts';
import { inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';
import { type Block, DISPLAY_LIMIT, LIMIT } from './limits.ts';
import { relativeDate } from './timestamps.ts';

/** For rows of a page that are more than its message holds. */
export const moreOnPage = (left: number): Mrkdwn => md`${left} more on this page not shown.`;

/** Builds the footer. `what`: the count of rows in words; null where the list's top has it. Pages start at 0 in code and at 1 on screen. */
export function pageButtons(
  paging: Paging,
  what: Mrkdwn | null,
  ...more: readonly (Button | null)[]
): readonly Block[] {
  const { command, page, pages, asOf, refreshReason } = paging;
  const input = inputWithResult(paging);
  const go = (action: string, label: string, to: number) =>
    to < 0 || to >= pages ? null : runButton({ action, label, command, input, page: to });
  const buttons = [go('page:prev', 'Previous page', page - 1), go('page:next', 'Next page', page + 1)];
  const position = pages > 1 ? md`page ${page + 1} of ${pages}` : null;
  const parts = [what, position, md`as of ${relativeDate(asOf)}`].filter((part) => part !== null);
  const where = trustedMrkdwn(upperFirst(joinMrkdwn(parts, ', ')));
  const stuck = pages > 1 && buttons.every((button) => button === null);
  const hint = stuck ? md` The query is too long for page buttons. Shorten it to see the rest.` : md``;
  const note = refreshReason === undefined ? md`` : md` ${refreshedNote(refreshReason)}`;
  const sort = sortMenu(paging);
  const row = actions(...buttons, ...more, sort?.menu ?? null);
  const named = sort === null ? row : row.map((block) => ({ ...block, block_id: sort.block }));
  return [context(md`${where}.${typedLine(paging)}${note}${hint}`), ...named];
}

export function refreshedNote(refreshReason: RefreshReason): Mrkdwn {
  switch (refreshReason) {
    case 'gone':
      return md`This list expired and was reloaded.`;
    case 'others':
      return md`That list was someone else’s, so it was reloaded for you.`;
    case 'rights':
      return md`What you may see has changed, so this list was reloaded.`;
  }
}

/** The command that gives the same list; left out where it cannot be shown exactly. */
function typedLine({ line }: Paging): Mrkdwn {
  if (line === undefined) return md``;
  const text = `${line.root} ${line.text}`;
  return text.length > DISPLAY_LIMIT.sentence || /[`\n]/.test(text)
    ? md``
    : md` Command: ${inlineCode(text, DISPLAY_LIMIT.sentence)}`;
}

/** Reads the fleet again and shows the same page. For lists from the device index. */
export function refreshButton({ command, input, page }: Paging): Button | null {
  return runButton({
    action: 'refresh',
    label: 'Refresh',
    command,
    input: combineNotes(input, { refresh: true }),
    page,
  });
}

/** The command's input with the key of the cached rows, so that pages belong to one result. */
export function inputWithResult({ input, result }: Pick<Paging, 'input' | 'result'>): unknown {
  return result === undefined ? input : combineNotes(input, { result });
}

function combineNotes(input: unknown, more: object): unknown {
  return typeof input === 'object' ? { ...input, ...more } : input;
}

/** An order as the command's input takes it, with its label. */
type SortOrder = { readonly sort: unknown; readonly label: string };

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

/** Null for lists of one page, and for queries too long for a block id (some 200 characters), where `sort:` can still be typed. */
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
