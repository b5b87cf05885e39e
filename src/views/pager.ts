/** The page buttons of a list, and the line that says where in it one is. */
import { actions, type Button, context } from './blocks.ts';
import { runButton } from './device-buttons.ts';
import { type Mrkdwn, md } from './escape.ts';
import type { Block, Paging } from './model.ts';
import { when } from './when.ts';

/** The end of a list: where one is, and how to go on. Pages are counted from 0 inside, from 1 for people. */
export function pager(paging: Paging, what: Mrkdwn, ...more: readonly (Button | null)[]): readonly Block[] {
  const { command, input, page, pages, asOf } = paging;
  const go = (action: string, label: string, to: number) =>
    to < 0 || to >= pages ? null : runButton({ action, label, command, input, page: to });
  const buttons = [go('page:prev', 'Previous page', page - 1), go('page:next', 'Next page', page + 1)];
  const where = pages > 1 ? md`${what}, page ${page + 1} of ${pages}` : what;
  const stuck = pages > 1 && buttons.every((button) => button === null);
  const hint = stuck
    ? md` The question is too long for page buttons: ask in fewer words to see the rest.`
    : md``;
  return [context(md`${where}, as of ${when(asOf)}.${hint}`), ...actions(...buttons, ...more)];
}

/** Reads the fleet anew and draws the same page again: for lists that come from the device index. */
export function refreshButton({ command, input, page }: Paging): Button | null {
  const asked = typeof input === 'object' ? { ...input, refresh: true } : input;
  return runButton({ action: 'refresh', label: 'Refresh', command, input: asked, page });
}
