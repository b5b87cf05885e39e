/** Which answers can be shared in a channel, and which can be sent as a file. Pure. */
import { isDirect } from '../../ids.ts';
import { isList } from '../../views/csv.ts';
import { frozenInput } from '../../views/kit/pager.ts';
import type { Again, View } from '../../views/model.ts';
import { forChannel } from '../../views/share.ts';
import type { Caller } from '../replies.ts';

/** Our own limit: a file of so many rows is a few megabytes. */
export const EXPORT_ROWS = 50_000;

/** A list may follow a change, too: that is not made again for the list's sake. */
function isAnswerTo(view: View, { command }: Again): boolean {
  return !('paging' in view) || view.paging.command === command;
}

/** A list that is kept is shared, and sent as a file, as its reader saw it; any other is asked for anew. */
function seen(view: View, again: Again): Again {
  return 'paging' in view && isAnswerTo(view, again)
    ? { ...again, input: frozenInput(view.paging), page: view.paging.page }
    : again;
}

/** In a direct message there is nobody to share with. */
export function shareable(view: View, { channel }: Caller, again: Again): View {
  const share = !isDirect(channel) && view.kind !== 'picker' && forChannel(view) !== null;
  const file = isList(view) && view.rows.length > 0 && isAnswerTo(view, again);
  return share || file ? { kind: 'shareable', view, again: seen(view, again), share, file } : view;
}
