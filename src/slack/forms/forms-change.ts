/** A live field changed: the form is drawn anew in its window, the newest change last. */

import type { Log } from '../../log.ts';
import type { View } from '../../views/model.ts';
import { faultText } from '../faults.ts';
import type { Caller, Reply } from '../replies.ts';
import type { SlackWeb } from '../web.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';
import type { FormWindows } from './forms-window.ts';

export type FormChangeOptions = {
  readonly windows: Pick<FormWindows, 'draw'>;
  readonly web: Pick<SlackWeb, 'redrawView'>;
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

/** Windows whose changes are remembered: more than people have open. */
const REMEMBERED = 1_000;

type WindowState = {
  /** Counts the changes of this window. */
  changes: number;
  /** The window as the person knew it, and as we have drawn it since. */
  drawn: { readonly from: string; readonly to: string } | null;
};

/** Draws the form of a press that was acknowledged. Does not throw. */
export function createFormChange({ windows, web, tell, log }: FormChangeOptions) {
  const states = new Map<string, WindowState>();

  const stateOf = (viewId: string): WindowState => {
    const state = states.get(viewId) ?? { changes: 0, drawn: null };
    states.delete(viewId);
    states.set(viewId, state);
    const [oldest] = states.keys();
    if (states.size > REMEMBERED && oldest !== undefined) states.delete(oldest);
    return state;
  };

  const redraw = async ({ viewId, hash, person, order, values }: FormUsed): Promise<void> => {
    if (order === null) return;
    const state = stateOf(viewId);
    state.changes += 1;
    const mine = state.changes;
    const caller: Caller = { person, channel: order.channel, thread: order.thread };
    const drawn = await windows.draw(
      order.command,
      { ...caller, inWindow: order.inWindow },
      async (form, ports) => {
        if (form.redraw === undefined) throw new Error(`the form of ${order.command} has no live fields`);
        return form.redraw(values, order.context, ports);
      },
    );
    // A newer change draws the newer form.
    if (mine !== state.changes) return;
    if (drawn.kind === 'problem') {
      const view: View = { kind: 'problem', problem: drawn.problem };
      return tell(caller)(view);
    }
    // The change may have been made before the person saw what we drew last.
    const from = state.drawn?.from === hash ? state.drawn.to : hash;
    const shown = await web.redrawView(viewId, drawn.window, from);
    if (shown.kind === 'ok') state.drawn = { from: hash, to: shown.value };
    else log.warn({ event: 'form.undrawn', reason: faultText(shown) }, 'form not drawn anew');
  };

  return async (payload: unknown, ack: () => Promise<void>): Promise<void> => {
    await ack();
    await redraw(readFormUsed(payload));
  };
}
