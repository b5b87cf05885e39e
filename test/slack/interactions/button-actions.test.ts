/** Presses on buttons: stored or not, and what takes the place of what. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant, MINUTE, type MovableClock } from '../../../src/lib/clock.ts';
import { channelId, deviceId, newReference, personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import type { SubmittedWindow } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createPressQueue } from '../../../src/slack/interactions/press-queue.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { createWelcomeListener } from '../../../src/slack/slack.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import type { ButtonValue, View } from '../../../src/views/types.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { buttonsWith, dispatchAnswering } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

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

describe('stored presses', () => {
  const UNKNOWN: View = { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
  const DONE: View = { kind: 'decided', outcome: { kind: 'absent' } };
  const PRESS = {
    kind: 'withdraw',
    caller: { person: personId('U0APPROVER'), channel: channelId('C0APPROVALS') },
    requestId: requestId('a_1'),
  } as const;

  let store: Store;
  let clock: MovableClock;
  let worker: Worker | null;
  let answers: View[];
  let submissions: SubmittedWindow[];
  let tries = 0;

  beforeEach(async () => {
    clock = createManualClock(START);
    store = await memoryStore();
    answers = [];
    submissions = [];
    tries = 0;
    worker = null;
  });
  afterEach(async () => {
    await worker?.stop();
    await store.close();
  });

  /** A process that answers with `views`, one after the other. */
  function startProcess(views: readonly View[], answer = DONE) {
    const dispatch = {
      ...dispatchAnswering(DONE),
      submitWindow: async (submitted: SubmittedWindow) => {
        submissions.push(submitted);
        return answer;
      },
      withdraw: async () => views[Math.min(tries++, views.length - 1)] ?? DONE,
    };
    const web = createFakeSlackWeb(clock.now);
    const replies = createPrivateReplies({ web, log: silentLog });
    const pressed = createPressedCards({ store, web, clock, wakeWorker: () => worker?.wake() });
    const inbox = createPressQueue({ store, clock, dispatch, replies, pressed });
    const handlers = { click: inbox.handleWork };
    worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
    return inbox;
  }
  const reply = async (view: View) => void answers.push(view);
  const works = (ms = MINUTE) => {
    worker?.start();
    return clock.advance(ms);
  };

  describe('a press that was acknowledged', () => {
    it('is handled once and answered', async () => {
      const inbox = startProcess([DONE]);
      await inbox.store(PRESS, 't1', reply, {});
      await works();
      expect(answers).toEqual([DONE]);
      expect(tries).toBe(1);
    });

    it('is tried again while it is not known who the person is', async () => {
      const inbox = startProcess([UNKNOWN, UNKNOWN, DONE]);
      await inbox.store(PRESS, 't1', reply, {});
      await works();
      expect(answers).toEqual([DONE]);
      expect(tries).toBe(3);
    });

    it('is answered with the problem when that does not pass', async () => {
      const inbox = startProcess([UNKNOWN]);
      await inbox.store(PRESS, 't1', reply, {});
      await works(10 * MINUTE);
      expect(answers).toEqual([UNKNOWN]);
    });

    it('keeps no reply for ever where other processes handle them', async () => {
      const inbox = startProcess([DONE]);
      for (let at = 0; at <= 1_000; at += 1) await inbox.store(PRESS, `t${at}`, reply, {});
      await works();
      expect(tries).toBe(1_001);
      // The first one’s reply was dropped: it is answered as after a crash.
      expect(answers).toHaveLength(1_000);
    });

    it('says which window was submitted, as what Slack showed it, and when', async () => {
      const view = { id: 'V1', hash: 'h1' };
      const submitted = { id: windowId('w_1'), view, devices: 40, comment: 'Later.' };
      const press = { kind: 'window', caller: PRESS.caller, ...submitted } as const;
      await startProcess([]).store(press, 't1', reply, {});
      await clock.advance(HOUR);
      await works();
      const handled = { submission: 'press:t1', isFirstTry: true, caller: PRESS.caller, askedAt: START };
      expect(submissions).toEqual([expect.objectContaining({ ...submitted, ...handled })]);
    });

    it('of a window that is not known yet is tried once more', async () => {
      const outcome = { kind: 'window-refused', why: 'unknown-window' } as const;
      const press = { kind: 'window', caller: PRESS.caller, id: windowId('w_1') } as const;
      const inbox = startProcess([], { kind: 'decided', outcome });
      await inbox.store({ ...press, view: { id: 'V1', hash: 'h1' } }, 't1', reply, {});
      await works();
      expect(submissions.map(({ isFirstTry }) => isFirstTry)).toEqual([true, false]);
      expect(answers).toEqual([{ kind: 'decided', outcome }]);
    });

    it('is on disk before it is handled, so that another process can do it', async () => {
      await startProcess([UNKNOWN]).store(PRESS, 't1', reply, {});
      startProcess([DONE]);
      await works();
      expect(tries).toBe(1);
    });
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
