/** Every button in a window: no press there has a response URL, and none leaves “Looking…” behind. */
import { describe, expect, it } from 'vitest';
import { channelId, deviceId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { OpenForm } from '../../../src/slack/forms/open-form.ts';
import { createHomeActions } from '../../../src/slack/home/home-actions.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView, ViewPlacement } from '../../../src/slack/web-api/slack-web.ts';
import { REASON_BLOCK, REASON_FORM_CALLBACK } from '../../../src/views/forms/decision-window.ts';
import { answerWindow, type Modal } from '../../../src/views/kit/answer-window.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import type { ButtonValue, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { samples } from '../../views/samples/all-samples.ts';
import { buttonsWith, dispatchAnswering, noWindows } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

type Element = {
  readonly type: string;
  readonly action_id: string;
  readonly value?: string;
  readonly url?: string;
  readonly options?: readonly { readonly value: string }[];
};
type Pressed = Element & { readonly block_id: string };

const CHANNEL = channelId('C0OPS');
const LOOKING = 'Looking…';
const ANSWER: View = { kind: 'exported', name: 'answer.csv', link: null, rows: 1, omittedRows: 0 };
/** Not the Home’s own button, nor buttons of cards in channels, which have their own tests. */
const isPressable = ({ type, url }: Element): boolean =>
  url === undefined && (type === 'button' || type === 'static_select');

function elementsOf(blocks: Modal['blocks']): readonly Pressed[] {
  return blocks.flatMap((block) => {
    const {
      elements,
      accessory,
      block_id = '',
    } = block as {
      readonly elements?: readonly Element[];
      readonly accessory?: Element;
      readonly block_id?: string;
    };
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
    inbox: {
      store: async (_press, _trigger, reply, options) => void worked.push(() => reply(ANSWER, options)),
      handleWork: async () => ({ kind: 'done' }),
    },
    web,
    openForm,
  });
  const { isHomeAction, onAction } = createHomeActions({
    actions,
    web,
    openForm,
    directTo: async () => channelId('D0ANN'),
    onRefresh: async () => undefined,
    reply: () => async () => undefined,
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
        ...{
          kind: 'approval-requested',
          request: { ...stored, targets: request.targets },
          channel: CHANNEL,
          link: null,
        },
        ...{ already: false, mine: true, reasonUnused: false },
      }),
    });
    const { onAction } = createHomeActions({
      actions,
      web,
      openForm: async () => null,
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
