/** Presses on buttons: stored or not, and what takes the place of what. */
import { describe, expect, it } from 'vitest';
import { deviceId, requestId } from '../../../src/lib/ids.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import type { ButtonValue, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice } from '../../harness/builders.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { buttonsWith, dispatchAnswering } from '../harness/decision-windows.ts';

const NOTHING: View = { kind: 'decided', outcome: { kind: 'absent' } };

/** The messages to the person who pressed. */
async function messagesAfter(thrown: Error): Promise<readonly string[]> {
  const said: string[] = [];
  const { press } = buttonsWith(NOTHING, {
    inbox: { store: () => Promise.reject(thrown), handleWork: async () => ({ kind: 'done' }) },
    wakeWorker: () => said.push('kicked'),
  });
  const value = writeButtonValue({ do: 'decide', approval: requestId('a_1'), seal: 's' });
  const payload = {
    user: { id: 'U0ANN' },
    channel: { id: 'C0APPROVALS' },
    container: { message_ts: '1.000001' },
    trigger_id: 't1',
    actions: [{ action_id: 'withdraw', value }],
  };
  await press(
    payload,
    async () => void said.push('acknowledged'),
    async (message) => {
      said.push(typeof message === 'string' ? message : (message.text ?? ''));
      return new Response('ok');
    },
  );
  return said;
}

describe('a press that could not be stored', () => {
  it('is answered so where the disk is full', async () => {
    const cause = new Error('full');
    expect(await messagesAfter(new NotStored('disk-full', 'DATABASE_URL', cause))).toEqual([
      'acknowledged',
      expect.stringMatching(
        /^The disk is full, so Patchbay couldn’t save this\. Nothing was changed\.\nTell whoever runs Patchbay\./,
      ),
    ]);
  });

  it('may have done something where the database did not answer', async () => {
    const [acknowledged, words] = await messagesAfter(new Error('no answer'));
    expect(acknowledged).toBe('acknowledged');
    expect(words).not.toContain('Nothing was changed');
    expect(words).not.toBe('');
  });
});

const DEVICE = deviceId(4_001);
const CARD: View = { kind: 'device', device: aDevice(), groupName: null };
const PROBLEM: View = { kind: 'problem', problem: { kind: 'no-such-device', query: 'web-01', nearest: [] } };
const PRIVATE = { is_ephemeral: true, message_ts: '1.000001' };
const SHARED = { message_ts: '1.000001' };
const HARDWARE: ButtonValue = { do: 'device', device: DEVICE, page: 'hardware' };
const EDIT: ButtonValue = { do: 'form', command: 'device-edit', input: { device: DEVICE } };

/** The requests, the opened forms, and whether each answer replaces the message. */
async function pressed(element: object, container: object, view = CARD) {
  const asked: unknown[] = [];
  const forms: unknown[] = [];
  const answers: unknown[] = [];
  const { press } = buttonsWith(CARD, {
    dispatch: {
      ...dispatchAnswering(CARD),
      runCommand: async ({ name, input }) => {
        asked.push([name, input]);
        return view;
      },
    },
    openForm: async (_where, { command, prefill, pressed: says }) => {
      forms.push([command, prefill, says]);
      return null;
    },
  });
  const payload = { user: { id: 'U0ANN' }, channel: { id: 'C0OPS' }, container, trigger_id: 't1' };
  await press(
    { ...payload, actions: [element] },
    async () => {},
    async (message) => {
      answers.push(typeof message === 'string' ? message : message.replace_original);
      return new Response('ok');
    },
  );
  return { asked, forms, answers };
}

const chosen = (value: ButtonValue) => ({
  action_id: 'more',
  selected_option: { value: writeButtonValue(value) ?? '' },
});

describe('an option of the menu', () => {
  it('that is a page takes the place of the card', async () => {
    expect(await pressed(chosen(HARDWARE), PRIVATE)).toEqual({
      asked: [['device', { device: 4_001, page: 'hardware' }]],
      forms: [],
      answers: [true],
    });
  });

  it('that is a page is answered beside a card that others see', async () => {
    expect((await pressed(chosen(HARDWARE), SHARED)).answers).toEqual([false]);
  });

  it('that is the form opens it, and leaves nothing chosen on the card', async () => {
    const opened = [['device-edit', { device: 4_001 }, undefined]];
    expect(await pressed(chosen(EDIT), PRIVATE)).toEqual({
      asked: [['device', { device: 4_001 }]],
      forms: opened,
      answers: [true],
    });
    expect(await pressed(chosen(EDIT), SHARED)).toEqual({ asked: [], forms: opened, answers: [] });
  });

  it('that is the form leaves the card as it is where it cannot be read again', async () => {
    expect((await pressed(chosen(EDIT), PRIVATE, PROBLEM)).answers).toEqual([]);
  });
});

describe('a button that somebody with the bot token put beside other words', () => {
  const OFF = { do: 'off', pause: 'p_1' };
  it.each<[string, string, object]>([
    ['a pause that it would end', 'pause', OFF],
    ['the same as a page', 'pause', { ...OFF, page: 0 }],
    ['a request', 'scan', { device: 4_001, reason: null }],
    ['an edit that needs no approval', 'device-edit', { device: 4_001, name: 'web', reason: null }],
    ['a silence', 'silence', { events: [], device: null, group: null, package: null, lasts: { for: 1 } }],
    ['the end of a silence', 'silence', { off: 1 }],
    ['a shared line', 'save', { do: 'keep', name: 'x', shared: true, line: 'web' }],
    ['removals', 'accept-removals', { missing: 3 }],
    ['a subscription', 'subscribe', { events: [], to: 'me' }],
  ])('runs nothing, but opens a window that says what it is: %s', async (_what, command, input) => {
    const { page, ...own }: { page?: number } = { ...input };
    const value: ButtonValue = { do: 'run', command, input: own, ...(page === undefined ? {} : { page }) };
    for (const action_id of ['page', 'share', 'lunch'])
      expect(await pressed({ action_id, value: writeButtonValue(value) }, SHARED)).toEqual({
        asked: [],
        forms: [[command, own, true]],
        answers: [],
      });
  });

  it('never says the name that confirms a removal', async () => {
    const input = { device: 4_001, confirm: 'web-01', reason: null };
    const value = writeButtonValue({ do: 'run', command: 'device-remove', input });
    expect(await pressed({ action_id: 'lunch', value }, SHARED)).toMatchObject({
      forms: [['device-remove', input, undefined]],
    });
  });

  it('stops or notes something at once', async () => {
    const asked = (command: string, input: object) =>
      pressed({ action_id: 'x', value: writeButtonValue({ do: 'run', command, input, page: 0 }) }, SHARED);
    const [pause, alert] = [{ do: 'on', reason: null }, { alert: 7 }];
    expect((await asked('pause', pause)).asked).toEqual([['pause', pause]]);
    expect((await asked('acknowledge', alert)).asked).toEqual([['acknowledge', alert]]);
  });
});

/** How the answer to the press is shown. */
async function answered(container: Readonly<Record<string, unknown>>, channel: string): Promise<unknown> {
  const taken: unknown[] = [];
  const { press } = buttonsWith(NOTHING, {
    inbox: {
      store: async (_press, _trigger, _reply, options) => void taken.push(options),
      handleWork: async () => ({ kind: 'done' }),
    },
  });
  const requests = renderedButtons(renderView({ kind: 'pause', what: 'ask' }));
  const actions = requests
    .filter(({ action }) => action === 'pause')
    .map(({ action, value }) => ({ action_id: action, value }));
  await press(
    { user: { id: 'U0ANN' }, channel: { id: channel }, container, trigger_id: 't1', actions },
    async () => {},
    async () => new Response('ok'),
  );
  return taken[0];
}

describe('the answer to a press that pauses all changes', () => {
  it.each([
    ['a private message', { is_ephemeral: true, message_ts: '1.000001' }, 'C0OPS'],
    ['a direct message', { message_ts: '1.000001' }, 'D0ANN'],
  ])('takes the place of the question in %s', async (_where, container, channel) => {
    expect(await answered(container, channel)).toEqual({ replace: true });
  });
});
