import { describe, expect, it } from 'vitest';
import { channelId, deviceId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { OpenForm } from '../../../src/slack/forms/open-form.ts';
import { createHomeActions } from '../../../src/slack/home/home-actions.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView, SlackWeb, ViewPlacement } from '../../../src/slack/web-api/slack-web.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import { REASON_BLOCK, REASON_FORM_CALLBACK } from '../../../src/views/forms/decision-window.ts';
import { answerWindow, type Modal } from '../../../src/views/kit/answer-window.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import { type ButtonValue, renderView, type View } from '../../../src/views/views.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { aDevice, aQueueEntry, START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { samples } from '../../views/samples/all-samples.ts';
import {
  acknowledging,
  buttonsWith,
  dispatchAnswering,
  noWindows,
  OPENED,
} from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { aFillIn } from '../harness/open-access.ts';

type Calls = { readonly how: 'open' | 'push' | 'update'; readonly id: string; readonly words: string };

const CHANNEL = channelId('C0OPS');
const LOOKING = 'Looking…';
const ANSWER: View = { kind: 'exported', name: 'answer.csv', link: null, rows: 1, omittedRows: 0 };
const DEVICES = writeButtonValue({ do: 'run', command: 'devices', input: {} }) ?? '';

/** Presses a button whose answer is `answer`; returns the resulting windows, and the messages beside them. */
async function pressed(
  where: { readonly callback_id: string; readonly private_metadata?: string },
  action: string,
  given: {
    readonly opened?: SlackResult<ShownView>;
    readonly updates?: readonly SlackResult<ShownView>[];
    readonly answer?: View;
    readonly value?: string;
    /** The value of the chosen menu option. */
    readonly option?: string;
    /** The message where no window shows a form. */
    readonly instead?: View | null;
    /** What comes of a press that takes a window. */
    readonly window?: View;
  } = {},
) {
  const { opened = { kind: 'ok', value: { id: 'V2', hash: 'h' } }, updates = [], answer = ANSWER } = given;
  const { value = DEVICES, option, instead = null, window = { kind: 'decided', outcome: OPENED } } = given;
  const notified: { readonly channel: string; readonly kind: string }[] = [];
  const rows: string[] = [];
  const calls: Calls[] = [];
  const ends = [...updates];
  const call = (how: Calls['how'], id: string, { blocks }: Modal) =>
    void calls.push({ how, id, words: JSON.stringify(blocks) });
  const showView: SlackWeb['showView'] = async (where, view) => {
    if (where.kind !== 'replace') {
      call(where.kind, where.triggerId, view);
      return opened;
    }
    call('update', where.viewId, view);
    return ends.shift() ?? { kind: 'ok', value: { id: where.viewId, hash: 'h' } };
  };
  const web = { ...createFakeSlackWeb(() => START), showView };
  const recordWindow = async ({ channel }: DecisionWindow) => void rows.push(channel);
  const { onAction, isHomeAction } = createHomeActions({
    actions: buttonsWith(answer, {
      dispatch: { ...dispatchAnswering(answer), openWindow: async () => window },
      requests: { ...noWindows, recordWindow, addReason: async () => ({ kind: 'absent' }) },
      openForm: async () => instead,
      web,
    }),
    web,
    reply:
      ({ channel }) =>
      async (view) => {
        notified.push({ channel, kind: view.kind });
      },
    directTo: async () => channelId('D1'),
    onRefresh: async () => undefined,
    log: silentLog,
  });
  const payload = {
    user: { id: 'U0ANN' },
    view: { id: 'V1', private_metadata: '', ...where },
    trigger_id: 't1',
    actions: [
      option === undefined
        ? { action_id: action, value }
        : { action_id: action, selected_option: { value: option } },
    ],
  };
  const acks: number[] = [];
  expect(isHomeAction(payload)).toBe(true);
  await onAction(payload, async () => void acks.push(calls.length));
  return { calls, acks, rows, told: notified };
}

const HOME = { callback_id: 'home' };
const DECIDE = writeButtonValue({ do: 'decide', approval: requestId('r_1'), seal: 's' }) ?? '';
const windowAt = (depth: number) => ({
  callback_id: 'home_answer',
  private_metadata: JSON.stringify({ depth }),
});
const steps = (calls: readonly Calls[]) => calls.map(({ how, id }) => `${how} ${id}`);

describe('a press on the Home', () => {
  it('shows the lines of an answer that has a table in a message', async () => {
    const rows = [aQueueEntry({ type: 'Reboot' })];
    const answer: View = { kind: 'queue', device: aDevice(), rows, asOf: START };
    const { calls } = await pressed(HOME, 'queue', { answer });
    expect(steps(calls)).toEqual(['open t1', 'update V2']);
    expect(calls[1]?.words).toMatch(/\*Reboot\* · queued/);
    expect(calls[1]?.words).not.toContain('"table"');
  });

  it('is acknowledged first, opens a window at once, and puts the answer into it', async () => {
    const { calls, acks } = await pressed(HOME, 'devices:offline');
    expect(acks).toEqual([0]);
    expect(steps(calls)).toEqual(['open t1', 'update V2']);
    expect(calls[0]?.words).toContain(LOOKING);
    expect(calls[1]?.words).toContain('answer.csv');
  });

  it('in a window opens one over it, or changes it where it says another page', async () => {
    expect(steps((await pressed(windowAt(1), 'device:5')).calls)).toEqual(['push t1', 'update V2']);
    expect(steps((await pressed(windowAt(1), 'page:next')).calls)).toEqual(['update V1']);
    expect(steps((await pressed(windowAt(1), 'pick:3')).calls)).toEqual(['update V1']);
    expect(steps((await pressed(windowAt(3), 'device:5')).calls)).toEqual(['update V1']);
  });

  it('that adds a reason opens its form over the window, or in the place of the third', async () => {
    const form = expect.stringContaining('Reason for your request');
    const over = await pressed(windowAt(2), 'add_reason', { value: DECIDE });
    expect(over.calls).toEqual([{ how: 'push', id: 't1', words: form }]);
    const third = await pressed(windowAt(3), 'add_reason', { value: DECIDE });
    expect(third.calls).toEqual([{ how: 'update', id: 'V1', words: form }]);
  });

  it('to approve only opens a window', async () => {
    const { calls, rows, told } = await pressed(HOME, 'approve', { value: DECIDE });
    expect(steps(calls)).toEqual(['open t1']);
    expect([rows, told]).toEqual([['D1'], []]);
    expect(steps((await pressed(windowAt(2), 'approve', { value: DECIDE })).calls)).toEqual(['push t1']);
    const opened = { kind: 'refused', error: 'expired_trigger_id' } as const;
    const unopened = await pressed(HOME, 'approve', { value: DECIDE, opened });
    expect(unopened.told).toEqual([{ channel: 'D1', kind: 'decided' }]);
  });

  it('to approve is refused in a window', async () => {
    const window: View = { kind: 'decided', outcome: { kind: 'own-request' } };
    const { calls, told } = await pressed(HOME, 'approve', { value: DECIDE, window });
    expect(steps(calls)).toEqual(['open t1']);
    expect(calls[0]?.words).toContain('You can’t approve or deny your own request.');
    expect(told).toEqual([]);
  });

  it('for a form that no window shows is answered by message', async () => {
    const value = writeButtonValue({ do: 'form', command: 'patch', input: {} }) ?? '';
    const instead = aFillIn('patch');
    const told = [{ channel: 'D1', kind: 'fill-in' }];
    expect((await pressed(HOME, 'form', { value })).told).toEqual([]);
    expect((await pressed(HOME, 'form', { value, instead })).told).toEqual(told);
    // The same as a menu option.
    expect((await pressed(HOME, 'more', { option: value, instead })).told).toEqual(told);
    const over = await pressed(windowAt(1), 'form', { value, instead });
    expect([over.told, steps(over.calls)]).toEqual([[], ['update V1']]);
  });

  it('whose window could not be opened is answered another way', async () => {
    const opened = { kind: 'refused', error: 'expired_trigger_id' } as const;
    const { calls, told } = await pressed(HOME, 'devices:offline', { opened });
    expect(steps(calls)).toEqual(['open t1']);
    expect(told).toEqual([{ channel: 'D1', kind: 'exported' }]);
  });

  it('whose answer Slack does not understand is answered in words', async () => {
    const updates = [{ kind: 'refused', error: 'invalid_arguments' }] as const;
    const { calls, told } = await pressed(HOME, 'x', { updates });
    expect(steps(calls)).toEqual(['open t1', 'update V2', 'update V2']);
    expect([calls.at(-1)?.words, told]).toEqual([expect.stringContaining('answer.csv'), []]);
  });

  it('whose answer is not shown in words either is answered another way', async () => {
    const refused = { kind: 'refused', error: 'invalid_arguments' } as const;
    const { told } = await pressed(HOME, 'x', { updates: [refused, refused] });
    expect(told).toEqual([{ channel: 'D1', kind: 'exported' }]);
  });
});

type Element = {
  readonly type: string;
  readonly action_id: string;
  readonly value?: string;
  readonly url?: string;
  readonly options?: readonly { readonly value: string }[];
};
type Pressed = Element & { readonly block_id: string };
type Holder = Partial<Pick<Pressed, 'block_id'>> & {
  readonly elements?: readonly Element[];
  readonly accessory?: Element;
};

/** Not the Home’s own button, nor buttons of cards in channels, which have their own tests. */
const isPressable = ({ type, url }: Element): boolean =>
  url === undefined && (type === 'button' || type === 'static_select');

function elementsOf(blocks: Modal['blocks']): readonly Pressed[] {
  return blocks.flatMap((block) => {
    const { elements, accessory, block_id = '' } = block as Holder;
    const all = [...(block.type === 'actions' ? (elements ?? []) : []), ...(accessory ? [accessory] : [])];
    return all.filter(isPressable).map((element) => ({ ...element, block_id }));
  });
}

/** One of each kind of button that any view has in a window. */
const PRESSES = new Map(
  samples({ text: 'web-01', count: 12 }).flatMap(([name, view]) => {
    const { blocks, plain = blocks } = renderView(view);
    return elementsOf(answerWindow(plain, { depth: 1, channel: CHANNEL }).blocks).map(
      (element) => [element.action_id.split(':', 1)[0] ?? '', { name, element }] as const,
    );
  }),
);

/** An answer that can be shared. */
const SHAREABLE = samples({ text: 'web-01', count: 2 })
  .map(([, view]) => view)
  .find((view) => view.kind === 'shareable' && view.share);

type Came = {
  /** The topmost window: its text, or that a form was opened. */
  readonly top: string;
  /** Messages besides the window. */
  readonly messages: readonly string[];
};

/** The result of a press; `isClosed`: its window is closed before the answer. */
async function cameOf(element: Pressed, depth: number, isClosed = false): Promise<Came> {
  let shown = 'nothing';
  const messages: string[] = [];
  const show = (view: Modal) => {
    shown = JSON.stringify(view.blocks);
    return { kind: 'ok', value: { id: 'V2', hash: 'h' } } as const;
  };
  const web = {
    ...createFakeSlackWeb(() => START),
    showView: async ({ kind }: ViewPlacement, view: Modal): Promise<SlackResult<ShownView>> =>
      isClosed && kind === 'replace' ? { kind: 'refused', error: 'not_found' } : show(view),
    ephemeral: async (_channel: unknown, _person: unknown, { text }: { readonly text: string }) => {
      messages.push(text);
      return { kind: 'ok', value: null } as const;
    },
  };
  const openForm: OpenForm = async () => {
    shown = 'a form';
    return null;
  };
  const worked: (() => Promise<void>)[] = [];
  const actions = buttonsWith(ANSWER, {
    dispatch: {
      ...dispatchAnswering(ANSWER),
      runCommand: async () => (element.action_id === 'share' && SHAREABLE ? SHAREABLE : ANSWER),
    },
    inbox: acknowledging((_interaction, reply) => void worked.push(() => reply(ANSWER))),
    web,
    openForm,
  });
  const { isHomeAction, onAction } = createHomeActions({
    actions,
    web,
    directTo: async () => channelId('D0ANN'),
    onRefresh: async () => undefined,
    reply: createPrivateReplies({ web, log: silentLog }).ephemeral,
    log: silentLog,
  });
  const [option] = element.options ?? [];
  const payload = {
    user: { id: 'U0ANN' },
    view: { id: 'V1', ...answerWindow([], { depth, channel: CHANNEL }) },
    trigger_id: 't1',
    actions: [{ ...element, ...(option === undefined ? {} : { selected_option: option }) }],
  };
  expect(isHomeAction(payload)).toBe(true);
  await onAction(payload, async () => undefined);
  for (const work of worked) await work();
  return { top: shown, messages };
}

const button = (value: ButtonValue, action_id: string): Pressed => ({
  type: 'button',
  action_id,
  block_id: 'b1',
  value: writeButtonValue(value) ?? '',
});

describe('a press in a window', () => {
  it('is one of so many', () => {
    expect([...PRESSES.keys()].toSorted()).toEqual(
      expect.arrayContaining(['export', 'page', 'pick', 'share', 'sort']),
    );
  });

  it.each([...PRESSES])('on %s shows its result, at any depth', async (action, { element }) => {
    for (const depth of [1, 2, 3]) {
      const { top: words, messages } = await cameOf(element, depth);
      expect(messages).toEqual([]);
      expect(words).not.toBe('nothing');
      expect(words).not.toContain(LOOKING);
      if (action === 'share') expect(words).toContain('Posted in <#C0OPS>');
      else if (action !== 'add_reason' && words !== 'a form') expect(words).toContain('answer.csv');
    }
  });

  it.each<[string, Pressed]>([
    ['a decision', button({ do: 'decide', approval: requestId('a_1'), seal: 's' }, 'withdraw')],
    ['a note', button({ do: 'run', command: 'acknowledge', input: { alert: 1 } }, 'acknowledge')],
    ['a stop', button({ do: 'run', command: 'pause', input: { do: 'on', reason: null } }, 'pause')],
  ])('that is %s is answered by a message once the window was closed', async (_what, element) => {
    expect((await cameOf(element, 1, true)).messages).toEqual([expect.stringContaining('answer.csv')]);
  });

  it.each<[string, Pressed]>([
    ['a device', button({ do: 'device', device: deviceId(1) }, 'device')],
    ['a page', button({ do: 'run', command: 'subscriptions', input: { all: true }, page: 1 }, 'page:next')],
  ])('that shows %s is not answered once the window was closed', async (_what, element) => {
    expect((await cameOf(element, 1, true)).messages).toEqual([]);
  });
});

describe('a reason that is given over a window', () => {
  it.each([
    [1, 'takes the used button from the note below'],
    [2, 'takes the used button from the note below, of two'],
    [3, 'was given in the place of the note itself'],
  ])('at depth %i %s', async (depth) => {
    const request = aRequest({ reason: 'new kernel' });
    const updated: { readonly id: string; readonly words: string }[] = [];
    const web = {
      ...createFakeSlackWeb(() => START),
      showView: async (where: ViewPlacement, view: Modal): Promise<SlackResult<ShownView>> => {
        if (where.kind === 'replace') updated.push({ id: where.viewId, words: JSON.stringify(view.blocks) });
        return { kind: 'ok', value: { id: 'V2', hash: 'h' } };
      },
    };
    const actions = buttonsWith(ANSWER, {
      requests: { ...noWindows, addReason: async () => ({ kind: 'added', request }) },
      ports: { records: createFakeRecords({ requests: [request] }) },
      web,
      refreshNote: async (stored) => ({
        ...{ kind: 'approval-requested', channel: CHANNEL, link: null },
        ...{ already: false, mine: true, reasonUnused: false },
        request: { ...stored, targets: request.targets },
      }),
    });
    const { onAction } = createHomeActions({
      actions,
      web,
      directTo: async () => CHANNEL,
      onRefresh: async () => undefined,
      reply: () => async () => undefined,
      log: silentLog,
    });
    const add = button({ do: 'decide', approval: request.id, seal: 'seal-1' }, 'add_reason');
    const view = { id: 'V1', ...answerWindow([], { depth, channel: CHANNEL }) };
    await onAction({ user: { id: 'U0ANN' }, view, trigger_id: 't1', actions: [add] }, async () => undefined);
    const formId = depth < 3 ? 'V2' : 'V1';
    updated.length = 0;
    await actions.submit(
      {
        user: { id: 'U0ANN' },
        view: {
          ...{ id: formId, callback_id: REASON_FORM_CALLBACK, private_metadata: request.id },
          state: { values: { [REASON_BLOCK]: { reason: { value: 'new kernel' } } } },
        },
      },
      async () => undefined,
    );
    expect(updated.map(({ id }) => id)).toEqual(depth < 3 ? ['V1'] : []);
    for (const { words } of updated) {
      expect(words).toContain('Approval requested');
      expect(words).toContain('"withdraw"');
      expect(words).not.toContain('add_reason');
    }
  });
});
