/** A live field changed: the form is drawn anew in its window, the newest change last. */

import type { Log } from '../log.ts';
import type { View } from '../views/model.ts';
import { faultText } from './faults.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';
import type { FormWindows } from './forms-window.ts';
import type { Caller, Reply } from './replies.ts';
import type { SlackWeb } from './web.ts';

export type FormChangeOptions = {
  readonly windows: Pick<FormWindows, 'draw'>;
  readonly web: Pick<SlackWeb, 'redrawView'>;
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

/** Windows whose changes are remembered: more than people have open. */
const REMEMBERED = 1_000;

type Standing = {
  /** Counts the changes of this window. */
  changes: number;
  /** The window as the person knew it, and as we have drawn it since. */
  drawn: { readonly from: string; readonly to: string } | null;
};

/** Draws the form of a press that was acknowledged. Does not throw. */
export function createFormChange({ windows, web, tell, log }: FormChangeOptions) {
  const standings = new Map<string, Standing>();

  const standingOf = (viewId: string): Standing => {
    const standing = standings.get(viewId) ?? { changes: 0, drawn: null };
    standings.delete(viewId);
    standings.set(viewId, standing);
    const [oldest] = standings.keys();
    if (standings.size > REMEMBERED && oldest !== undefined) standings.delete(oldest);
    return standing;
  };

  const redraw = async ({ viewId, hash, person, order, values }: FormUsed): Promise<void> => {
    if (order === null) return;
    const standing = standingOf(viewId);
    standing.changes += 1;
    const mine = standing.changes;
    const caller: Caller = { person, channel: order.channel, thread: order.thread };
    const drawn = await windows.draw(order.command, caller, async (form, ports) => {
      if (form.redraw === undefined) throw new Error(`the form of ${order.command} has no live fields`);
      return form.redraw(values, order.context, ports);
    });
    // A newer change draws the newer form.
    if (mine !== standing.changes) return;
    if (drawn.kind === 'problem') {
      const view: View = { kind: 'problem', problem: drawn.problem };
      return tell(caller)(view);
    }
    // The change may have been made before the person saw what we drew last.
    const from = standing.drawn?.from === hash ? standing.drawn.to : hash;
    const shown = await web.redrawView(viewId, drawn.window, from);
    if (shown.kind === 'ok') standing.drawn = { from: hash, to: shown.value };
    else log.warn({ event: 'form.undrawn', reason: faultText(shown) }, 'form not drawn anew');
  };

  return async (payload: unknown, ack: () => Promise<void>): Promise<void> => {
    await ack();
    await redraw(readFormUsed(payload));
  };
}
