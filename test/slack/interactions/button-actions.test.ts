/** Presses on buttons: stored or not, and what takes the place of what. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, deviceId, newReference, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { ReportedProblem } from '../../../src/slack/dispatch/unexpected-errors.ts';
import { createWelcomeListener } from '../../../src/slack/slack.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import { type ButtonValue, renderView, type View } from '../../../src/views/views.ts';
import { aDevice } from '../../harness/builders.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { acknowledging, buttonsWith, dispatchAnswering } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const NOTHING: View = { kind: 'decided', outcome: { kind: 'absent' } };

/** What the person who pressed sees, in its order. */
async function messagesAfter(problem: ReportedProblem): Promise<readonly string[]> {
  const said: string[] = [];
  const { press } = buttonsWith(NOTHING, {
    inbox: { take: ({ refuse }) => refuse(problem).then(() => true) },
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

it('a press that could not be stored is acknowledged, and says why', async () => {
  const about = { changed: 'nothing', reference: newReference() } as const;
  expect(await messagesAfter({ kind: 'not-stored', why: 'disk-full', ...about })).toEqual([
    'acknowledged',
    expect.stringMatching(
      /^The disk is full, so Patchbay couldn’t save this\. Nothing was changed\.\nTell whoever runs Patchbay\./,
    ),
  ]);
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
    const asked = [['device', { device: 4_001, page: 'hardware' }]];
    expect(await pressed(chosen(HARDWARE), PRIVATE)).toEqual({ asked, forms: [], answers: [true] });
  });

  it('that is a page is answered beside a card that others see', async () => {
    expect((await pressed(chosen(HARDWARE), SHARED)).answers).toEqual([false]);
  });

  it('that is the form opens it, and leaves nothing chosen on the card', async () => {
    const opened = [['device-edit', { device: 4_001 }, undefined]];
    const asked = [['device', { device: 4_001 }]];
    expect(await pressed(chosen(EDIT), PRIVATE)).toEqual({ asked, forms: opened, answers: [true] });
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
    const opened = { asked: [], forms: [[command, own, true]], answers: [] };
    for (const action_id of ['page', 'share', 'lunch'])
      expect(await pressed({ action_id, value: writeButtonValue(value) }, SHARED)).toEqual(opened);
  });

  it('never says the name that confirms a removal', async () => {
    const input = { device: 4_001, confirm: 'web-01', reason: null };
    const value = writeButtonValue({ do: 'run', command: 'device-remove', input });
    const expected = { forms: [['device-remove', input, undefined]] };
    expect(await pressed({ action_id: 'lunch', value }, SHARED)).toMatchObject(expected);
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
  const answers: Promise<void>[] = [];
  const replaced: unknown[] = [];
  const { press } = buttonsWith(NOTHING, {
    inbox: acknowledging((_interaction, reply) => void answers.push(reply(NOTHING))),
  });
  const requests = renderedButtons(renderView({ kind: 'pause', what: 'ask' }));
  const actions = requests
    .filter(({ action }) => action === 'pause')
    .map(({ action, value }) => ({ action_id: action, value }));
  await press(
    { user: { id: 'U0ANN' }, channel: { id: channel }, container, trigger_id: 't1', actions },
    async () => {},
    async (message) => {
      replaced.push(typeof message === 'string' ? message : message.replace_original);
      return new Response('ok');
    },
  );
  await Promise.all(answers);
  return replaced[0];
}

describe('the answer to a press that pauses all changes', () => {
  it.each([
    ['a private message', { is_ephemeral: true, message_ts: '1.000001' }, 'C0OPS'],
    ['a direct message', { message_ts: '1.000001' }, 'D0ANN'],
  ])('takes the place of the question in %s', async (_where, container, channel) => {
    expect(await answered(container, channel)).toBe(true);
  });
});

const BOT = personId('U0BOT');
const ALERTS = channelId('C0ALERTS');

function listener() {
  const web = createFakeSlackWeb(() => instant(0));
  const resumed: string[] = [];
  const onJoined = createWelcomeListener({
    web,
    botUserId: BOT,
    channels: { approvals: channelId('C0APPROVALS'), patchAlerts: ALERTS, newDevices: channelId('C0NEW') },
    root: '/fleet',
    resumeCards: async (channel) => void resumed.push(channel),
    log: silentLog,
  });
  const joins = (user: string) => onJoined({ type: 'member_joined_channel', user, channel: ALERTS });
  return { web, resumed, joins };
}

describe('an invitation to a channel', () => {
  it('posts what waits for the channel after the welcome, also where that was lost', async () => {
    const { web, resumed, joins } = listener();
    await joins(BOT);
    expect([web.messages.length, resumed]).toEqual([1, [ALERTS]]);
    web.next('post', { kind: 'uncertain', detail: 'HTTP 500', inFlight: false });
    await joins(BOT);
    expect([web.messages.length, resumed]).toEqual([1, [ALERTS, ALERTS]]);
  });

  it('of somebody else does nothing', async () => {
    const { web, resumed, joins } = listener();
    await joins('U0OPERATOR');
    expect([web.posts(), resumed]).toEqual([0, []]);
  });
});
