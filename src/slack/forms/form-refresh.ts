/** Renders the form again in its window after a live field changed. The newest change wins. */

import type { SharedPorts } from '../../commands/core/command.ts';
import type { Registry } from '../../commands/core/registry.ts';
import type { FormValues } from '../../commands/forms/shared/command-form.ts';
import type { Log } from '../../lib/log.ts';
import { setNewest } from '../../lib/newest.ts';
import type { FormMetadata } from '../../views/forms/form-window.ts';
import type { View } from '../../views/model.ts';
import { isWindowClosed } from '../replies/answer-windows.ts';
import type { CommandSource, SendReply } from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { type FormState, readFormState } from './form-payloads.ts';
import type { FormWindows } from './open-form.ts';

export type FormRefreshOptions = {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly root: string;
  readonly windows: Pick<FormWindows, 'render'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** Windows whose changes are remembered: more than people have open. */
const MAX_REMEMBERED = 1_000;

type WindowState = {
  /** Number of changes in this window. */
  changes: number;
  /** The hash that the person's client has, and the one after our last update. */
  rendered: { readonly from: string; readonly to: string } | null;
  /** The window's hash when it was submitted. */
  submittedHash: string | null;
};

export type FormRefresh = {
  /** Renders the form after a press. Does not throw after the acknowledgement. */
  readonly onChange: (payload: unknown, ack: () => Promise<void>) => Promise<void>;
  /** The form was submitted: a pending update must not replace its answer. */
  readonly onSubmitted: (sent: Pick<FormState, 'viewId' | 'hash'>) => void;
};

export function createFormRefresh(options: FormRefreshOptions): FormRefresh {
  const { registry, ports, root, windows, web, reply, log } = options;
  const states = new Map<string, WindowState>();

  const stateOf = (viewId: string): WindowState => {
    const state = states.get(viewId) ?? { changes: 0, rendered: null, submittedHash: null };
    setNewest(states, viewId, state, MAX_REMEMBERED);
    return state;
  };

  const redraw = async ({ viewId, hash, person, metadata, values }: FormState): Promise<void> => {
    if (metadata === null) return;
    const state = stateOf(viewId);
    state.changes += 1;
    const ownChange = state.changes;
    const caller: CommandSource = { person, channel: metadata.channel, thread: metadata.thread };
    const drawn = await windows.render(
      metadata.command,
      { ...caller, inWindow: metadata.inWindow },
      async (form, ports) => {
        if (form.redraw === undefined) throw new Error(`the form of ${metadata.command} has no live fields`);
        return form.redraw(values, metadata.context, ports);
      },
    );
    // A newer change renders the newer form, and a submitted form gets its answer.
    const isOver = (): boolean => ownChange !== state.changes || state.submittedHash === hash;
    if (isOver()) return;
    if (drawn.kind === 'problem') {
      const view: View = { kind: 'problem', problem: drawn.problem };
      return reply(caller)(view);
    }
    // The person may have changed a field before seeing our last update.
    const from = state.rendered?.from === hash ? state.rendered.to : hash;
    const updated = await web.showView({ kind: 'replace', viewId, hash: from }, drawn.window);
    if (updated.kind === 'ok') {
      state.rendered = { from: hash, to: updated.value.hash };
      return;
    }
    log.warn({ event: 'form.undrawn', reason: slackErrorText(updated) }, 'form not redrawn');
    // The window shows something newer, or was closed.
    if (isOver() || isWindowClosed(updated)) return;
    await reply(caller)(newFormView(metadata, { person, values }));
  };

  /**
   * Another replica may have updated the window meanwhile: builds the form again, with the entered values that can be
   * read.
   */
  const newFormView = (
    order: FormMetadata,
    { person, values }: Pick<FormState, 'person' | 'values'>,
  ): View => {
    const command = registry.find(order.command);
    return {
      kind: 'fill-in',
      command: order.command,
      prefill: enteredInput(() => command?.form?.read(values, order.context, { ...ports, asker: person })),
      missing: 'The open form didn’t take your last change. Open a new one.',
      usage: command?.usage ?? '',
      root,
    };
  };

  return {
    onSubmitted: ({ viewId, hash }) => {
      const state = stateOf(viewId);
      state.changes += 1;
      state.submittedHash = hash;
    },
    async onChange(payload, ack) {
      await ack();
      await redraw(readFormState(payload));
    },
  };
}

/** Undefined where the fields cannot be read yet. */
function enteredInput(read: () => FormValues | undefined): unknown {
  try {
    const found = read();
    return found?.kind === 'input' ? found.input : {};
  } catch {
    return {};
  }
}
