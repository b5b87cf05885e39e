/** A live field changed: the form is drawn anew in its window, the newest change last. */

import type { SharedPorts } from '../../commands/command.ts';
import type { FormRead } from '../../commands/forms/form.ts';
import type { Registry } from '../../commands/registry.ts';
import type { Log } from '../../log.ts';
import type { FormOrder } from '../../views/forms/form-order.ts';
import type { View } from '../../views/model.ts';
import { isClosed } from '../answer-windows.ts';
import { faultText } from '../faults.ts';
import type { Caller, Reply } from '../replies.ts';
import type { SlackWeb } from '../web.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';
import type { FormWindows } from './forms-window.ts';

export type FormChangeOptions = {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly root: string;
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
  /** The window as it was sent. */
  sent: string | null;
};

export type FormChange = {
  /** Draws the form of a press. Does not throw once that is acknowledged. */
  readonly press: (payload: unknown, ack: () => Promise<void>) => Promise<void>;
  /** The form was sent: what is still being drawn of it would take the place of its answer. */
  readonly over: (sent: Pick<FormUsed, 'viewId' | 'hash'>) => void;
};

export function createFormChange(options: FormChangeOptions): FormChange {
  const { registry, ports, root, windows, web, tell, log } = options;
  const states = new Map<string, WindowState>();

  const stateOf = (viewId: string): WindowState => {
    const state = states.get(viewId) ?? { changes: 0, drawn: null, sent: null };
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
    // A newer change draws the newer form, and a form that was sent is answered.
    const isOver = (): boolean => mine !== state.changes || state.sent === hash;
    if (isOver()) return;
    if (drawn.kind === 'problem') {
      const view: View = { kind: 'problem', problem: drawn.problem };
      return tell(caller)(view);
    }
    // The change may have been made before the person saw what we drew last.
    const from = state.drawn?.from === hash ? state.drawn.to : hash;
    const shown = await web.redrawView(viewId, drawn.window, from);
    if (shown.kind === 'ok') {
      state.drawn = { from: hash, to: shown.value };
      return;
    }
    log.warn({ event: 'form.undrawn', reason: faultText(shown) }, 'form not redrawn');
    // The window shows something newer, or nobody looks at it any more.
    if (isOver() || isClosed(shown)) return;
    await tell(caller)(anew(order, { person, values }));
  };

  /** Another replica may have drawn the window meanwhile: a new form, with what was entered as far as it can be read. */
  const anew = (order: FormOrder, { person, values }: Pick<FormUsed, 'person' | 'values'>): View => {
    const command = registry.find(order.command);
    const usage = command === null ? root : `${root} ${command.usage}`;
    return {
      kind: 'fill-in',
      command: order.command,
      given: entered(() => command?.form?.read(values, order.context, { ...ports, asker: person })),
      missing: 'The open form didn’t take your last change. Open a new one.',
      usage,
    };
  };

  return {
    over: ({ viewId, hash }) => {
      const state = stateOf(viewId);
      state.changes += 1;
      state.sent = hash;
    },
    async press(payload, ack) {
      await ack();
      await redraw(readFormUsed(payload));
    },
  };
}

/** Nothing where the fields cannot be read as they stand. */
function entered(read: () => FormRead | undefined): unknown {
  try {
    const found = read();
    return found?.kind === 'input' ? found.input : {};
  } catch {
    return {};
  }
}
