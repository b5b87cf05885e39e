import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { DAY, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import {
  channelId,
  deviceId,
  messageTs,
  organizationId,
  personId,
  type RequestId,
  requestId,
} from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createRequestService } from '../../../src/requests/decide/request-service.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import { createRecordsReader } from '../../../src/slack/command-ports/store-settings.ts';
import type { DispatchOptions } from '../../../src/slack/dispatch/dispatch.ts';
import { createInbox, type Interaction } from '../../../src/slack/interactions/inbox.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { withTargets } from '../../../src/store/requests-with-targets.ts';
import type { RenderedMessage } from '../../../src/views/views.ts';
import { renderView } from '../../../src/views/views.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { openedWindow } from '../../harness/through-window.ts';
import { KEY, submittedForm } from '../forms/submitted-form.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { APPROVALS, createTestDispatch } from '../harness/test-dispatch.ts';

/** Processes of one bot on one store: one may handle days later what another one stored. */
const ORGANIZATION = organizationId(7);
const CARD = { channel: APPROVALS, ts: messageTs('8.000001') };
const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS') };

async function createReplicasHarness(devices = [aDevice()], around = (store: Store): Store => store) {
  const store = around(await memoryStore(ORGANIZATION));
  const { ports: given, clock, fleet } = testPorts({ devices, groups: [aGroup()] });
  /**
   * Notifications by place; `fails`: this many direct messages are refused first; `posts`: cards are posted in time.
   */
  const notified: { readonly where: string; readonly message: RenderedMessage }[] = [];
  const trouble = { fails: 0, posts: false };
  const web: SlackWeb = {
    ...createFakeSlackWeb(() => START),
    say: async (channel, message) => {
      if (trouble.fails-- > 0) return { kind: 'uncertain', detail: 'no answer', inFlight: false };
      notified.push({ where: channel, message });
      return { kind: 'ok', value: { channel, ts: messageTs('9.000001') } };
    },
    ephemeral: async (channel, _person, message) => {
      notified.push({ where: `ephemeral ${channel}`, message });
      return { kind: 'ok', value: null };
    },
    showView: async (_where, { blocks }) => {
      notified.push({ where: 'window', message: { text: JSON.stringify(blocks), blocks } });
      return { kind: 'ok', value: { id: 'V1', hash: 'h' } };
    },
  };
  const settings = createFakeSettings();
  const ports = { ...given, records: createRecordsReader({ store, clock, web }) };
  const wakeWorker = () => undefined;
  const channels = { approvals: APPROVALS };
  const organization = { organizationId: ORGANIZATION, channels };
  const requests = createRequestService({ store, clock, ...organization, maxAgeMs: 15 * MINUTE, wakeWorker });
  const workers: Worker[] = [];

  /** Another process on the same store. */
  const start = () => {
    const whenPosted: DispatchOptions['cards']['whenPosted'] = async () =>
      trouble.posts ? { kind: 'posted', message: CARD } : { kind: 'delayed' };
    const { dispatch } = createTestDispatch({
      settings,
      roleOf: async () => ({ role: 'admin', maybe: null }),
      given: { ports, requests, cards: { whenPosted }, web, admins: () => [] },
    });
    const replies = createPrivateReplies({ web, log: silentLog });
    const pressed = createPressedCards({ store, web, clock, wakeWorker });
    const inbox = createInbox({
      ...{ store, clock, registry, dispatch, pressed, web, replies, wakeWorker },
      log: silentLog,
    });
    /** False: it was stored before. */
    const take = (interaction: Interaction, key = 'press:t1'): Promise<boolean> =>
      inbox.take({
        ...{ key, interaction, accept: async () => null },
        refuse: ({ kind }) => Promise.reject(new Error(kind)),
      });
    const { onMessage } = createTextCommands({
      dispatch,
      replies,
      openForm: async () => null,
      identity: { botUserId: personId('U0BOT') },
      root: '/fleet',
      clock,
    });
    const work = (): void => {
      const handlers = { inbox: inbox.handleWork };
      const worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
      workers.push(worker);
      worker.start();
    };
    return { requests, dispatch, take, spoken: onMessage, work };
  };
  const close = async (): Promise<void> => {
    for (const worker of workers) await worker.stop();
    await store.close();
  };
  /** All requests, the newest first. */
  const requested = async () =>
    Promise.all((await store.requests.list({}, 50)).map((request) => withTargets(store, request)));
  return { store, clock, requests, settings, fleet, told: notified, trouble, start, requested, close };
}
type ReplicasHarness = Awaited<ReturnType<typeof createReplicasHarness>>;

describe('what is handled long after it was made', () => {
  const LIMIT = 15 * MINUTE;
  const RENAME = { device: 1001, name: 'front', reason: null };
  const press: Interaction = { kind: 'command', caller: CALLER, name: 'device-edit', input: RENAME };
  const again = (input: unknown, command = 'device-edit') =>
    JSON.stringify({ do: 'run', command, input }).replaceAll('"', '\\"');

  let replicas: ReplicasHarness;
  beforeEach(async () => {
    replicas = await createReplicasHarness();
  });
  afterEach(() => replicas.close());

  /** Another process begins after this time, and has so long to do its work. */
  async function handledAfter(ms: number, workMs = SECOND): Promise<void> {
    await replicas.clock.advance(ms);
    replicas.start().work();
    await replicas.clock.advance(workMs);
  }

  async function pressedAnd(...later: Parameters<typeof handledAfter>): Promise<void> {
    await replicas.start().take(press);
    await handledAfter(...later);
  }

  /** All notifications, by place. */
  const notified = () => replicas.told.map(({ where, message }) => [where, message.text] as const);
  const drawn = () => JSON.stringify(replicas.told.at(-1)?.message.blocks);

  describe('a press that asks for a change', () => {
    it.each([
      ['14 min 59 s', 1, LIMIT - SECOND],
      ['15 min', 0, LIMIT],
      ['3 days', 0, 3 * DAY],
    ] as const)('and is handled %s later makes %i requests', async (_what, times, ms) => {
      await pressedAnd(ms);
      expect(await replicas.requested()).toHaveLength(times);
    });

    it('too late is told by a direct message that offers to request it again', async () => {
      await pressedAnd(3 * DAY, 10 * MINUTE);
      expect(notified()).toEqual([
        [
          'DU0ANN',
          expect.stringMatching(/^▫️ \*Not sent:\* `\/fleet device-edit web-01` Too late: requested /),
        ],
      ]);
      expect(drawn()).toContain('Request again');
      expect(drawn()).toContain(again(RENAME));
      expect(drawn()).toContain('Changes older than 15 minutes aren’t sent.');
      expect(await replicas.store.work.nextDue()).toBeNull();
    });

    it('names the number of its device while the service does not return its name', async () => {
      replicas.fleet.failWith(BROKEN);
      await pressedAnd(3 * DAY);
      expect(notified()).toEqual([
        ['DU0ANN', expect.stringContaining('*Not sent:* `/fleet device-edit #1001`')],
      ]);
    });

    it('is answered again until Slack accepts the message', async () => {
      replicas.trouble.fails = 2;
      await pressedAnd(3 * DAY, 10 * MINUTE);
      expect(notified()).toHaveLength(1);
    });

    it('counts from when it was made, however often it was tried since', async () => {
      await replicas.start().take(press);
      const [work] = await replicas.store.work.claim({ now: START, leaseMs: 1, limit: 1 });
      if (work === undefined) throw new Error('nothing was stored');
      await replicas.store.work.postpone(work, later(START, LIMIT - SECOND));
      await handledAfter(LIMIT);
      expect(await replicas.requested()).toEqual([]);
      expect(notified()).toHaveLength(1);
    });

    it('and was requested in time says so, and not that it is too late', async () => {
      const one = replicas.start();
      await one.take(press);
      const order = { name: 'device-edit', input: RENAME, page: 0, caller: CALLER };
      await one.dispatch.runCommand({ ...order, requestKey: 'press:t1' });
      await handledAfter(3 * DAY);
      expect(notified()).toEqual([['ephemeral C0OPS', expect.stringContaining(' requested')]]);
      expect(await replicas.requested()).toHaveLength(1);
    });

    it('gives the operation the age of the press', async () => {
      await pressedAnd(10 * MINUTE);
      expect(await replicas.requested()).toMatchObject([{ createdAt: START }]);
    });

    it('which is no change of the service counts days later', async () => {
      const input = { do: 'on', reason: 'storm' };
      const pause: Interaction = { kind: 'command', caller: CALLER, name: 'pause', input };
      await replicas.start().take(pause);
      await handledAfter(3 * DAY);
      expect(await replicas.settings.pause.current()).toMatchObject({ by: CALLER.person });
    });
  });

  describe('a press that decides', () => {
    const pressOf = async (
      { requests }: ReturnType<typeof replicas.start>,
      decision: 'approve' | 'deny',
      { id, seal }: { readonly id: RequestId; readonly seal: string },
    ): Promise<Interaction> => {
      const world = { store: replicas.store, requests };
      const wanted = { kind: decision, seal };
      const by = { person: CALLER.person, role: 'approver' } as const;
      const opened = await openedWindow(world, { requestId: id, ...by, wanted });
      if ('kind' in opened) throw new Error('no window opened');
      return { kind: 'window', caller: CALLER, id: opened.id, view: opened.view };
    };
    const decided = async (decision: 'approve' | 'deny', ms: number) => {
      const one = replicas.start();
      const reboot = { name: 'reboot', input: { device: 1001, reason: null }, page: 0 };
      const asker = { ...CALLER, person: personId('U0BOB') };
      await one.dispatch.runCommand({ ...reboot, caller: asker, requestKey: 'command:1' });
      const [request] = await replicas.store.requests.list({}, 1);
      if (request === undefined) throw new Error('nothing was asked for');
      const { id, seal } = request;
      await one.take(await pressOf(one, decision, { id, seal: seal ?? '' }));
      await handledAfter(ms);
      return (await replicas.store.requests.get(id))?.state;
    };

    it('counts as long as its request lives', async () => {
      expect(await decided('deny', 29 * MINUTE)).toBe('denied');
    });

    it('counts for a quarter of an hour where it approves, and what it approves is as old as the decision', async () => {
      expect(await decided('approve', 14 * MINUTE)).toBe('approved');
      const [request] = await replicas.store.requests.list({}, 1);
      expect(request?.decidedAt).toBe(later(START, 14 * MINUTE));
    });

    it('approves nothing later, and says so', async () => {
      expect(await decided('approve', 15 * MINUTE)).toBe('waiting');
      expect(notified()).toEqual([['ephemeral C0OPS', expect.stringContaining('this window expired')]]);
    });

    it('says that the request expired, days later', async () => {
      await decided('deny', 3 * DAY);
      expect(notified()).toEqual([['ephemeral C0OPS', expect.stringContaining('Already expired')]]);
    });
  });

  describe('a form that asks for a change', () => {
    const form = { ...submittedForm('front', 'device-edit'), caller: CALLER, input: RENAME };

    it.each([
      ['14 min 59 s', 1, LIMIT - SECOND],
      ['15 min', 0, LIMIT],
      ['3 days', 0, 3 * DAY],
    ] as const)('and is handled %s later makes %i requests', async (_what, times, ms) => {
      await replicas.start().take(form, KEY);
      await handledAfter(ms);
      expect(await replicas.requested()).toHaveLength(times);
    });

    it('too late is told in its window and by a direct message, each with the way to request it again', async () => {
      await replicas.start().take(form, KEY);
      await handledAfter(3 * DAY, 10 * MINUTE);
      expect(notified().map(([where]) => where)).toEqual(['window', 'DU0ANN']);
      for (const { message } of replicas.told) {
        expect(JSON.stringify(message)).toContain('Too late: ');
        expect(JSON.stringify(message.blocks)).toContain(again(RENAME));
      }
    });

    it('is sent again within the day without requesting anything', async () => {
      await replicas.start().take(form, KEY);
      await replicas.clock.advance(LIMIT);
      const later = replicas.start();
      later.work();
      await replicas.clock.advance(MINUTE);
      expect(await later.take(form, KEY)).toBe(false);
      await replicas.clock.advance(MINUTE);
      expect(await replicas.requested()).toEqual([]);
    });
  });

  describe('a message that Slack delivers late', () => {
    const says = (text: string, saidAt: number) =>
      replicas.start().dispatch.runText(text, CALLER, `event:${text}`, instant(saidAt));

    it('is not run where it asks for a change, and says so', async () => {
      const view = await says('scan #1001 because drill', START - LIMIT);
      const late = { kind: 'too-late', command: 'scan', subject: '#1001', askedAt: START - LIMIT };
      expect(view).toMatchObject(late);
      expect(JSON.stringify(renderView(view).blocks)).toContain(
        again({ device: '#1001', reason: 'drill' }, 'scan'),
      );
      expect(await replicas.requested()).toEqual([]);
    });

    it.each([
      [
        'a mention',
        { type: 'app_mention', channel: 'C0OPS', text: '<@U0BOT> scan #1001' },
        'ephemeral C0OPS',
      ],
      [
        'a direct message',
        { type: 'message', channel_type: 'im', channel: 'D0ANN', text: 'scan #1001' },
        'D0ANN',
      ],
    ])('is answered where it was sent: %s', async (_what, said, where) => {
      const event = { ...said, user: CALLER.person };
      const event_time = (START - 2 * 3_600_000) / SECOND;
      await replicas.start().spoken({ event_id: 'Ev1', event_time, event });
      expect(notified()).toEqual([[where, expect.stringContaining('*Not sent:* `/fleet scan #1001`')]]);
      expect(drawn()).toContain('Request again');
      expect(await replicas.requested()).toEqual([]);
      await replicas.start().spoken({ event_id: 'Ev2', event_time: START / SECOND, event });
      expect(await replicas.requested()).toHaveLength(1);
    });

    it('is run a second before that, and where it comes from a clock that is ahead of ours', async () => {
      expect(await says('scan #1001', START - LIMIT + SECOND)).toMatchObject({ kind: 'started' });
      expect(await says('device-edit #1001 name:front', START + 3 * DAY)).toMatchObject({ kind: 'started' });
    });

    it('is answered where it only looks, or lacks something', async () => {
      expect(await says('device #1001', START - 3 * DAY)).toMatchObject({ kind: 'shareable' });
      expect(await says('scan', START - 3 * DAY)).toMatchObject({ kind: 'fill-in' });
    });

    it('counts where it pauses changes', async () => {
      await says('pause because storm', START - 3 * DAY);
      expect(await replicas.settings.pause.current()).toMatchObject({ reason: 'storm' });
    });
  });

  describe('every command', () => {
    it.each(registry.all().map((command) => ({ command, name: `${command.name}, ${command.kind}` })))(
      'counts days later unless it changes the service: $name',
      async ({ command: { name, kind } }) => {
        const order = { name, input: {}, page: 0, caller: CALLER, requestKey: 'press:t1' };
        const view = await replicas
          .start()
          .dispatch.runCommand({ ...order, askedAt: later(START, -3 * DAY) });
        expect(view.kind === 'too-late').toBe(kind === 'write');
      },
    );
  });
});

describe('several requests that are decided in one window', () => {
  const BOB = personId('U0BOB');
  const VIEW = { id: 'V1', hash: 'h1' };

  let replicas: ReplicasHarness;
  /** Each change of it fails. */
  let broken: RequestId | undefined;
  const failing = (store: Store): Store => ({
    ...store,
    transaction: (job) =>
      store.transaction((tables) => {
        const replace: Store['requests']['replace'] = async (next) => {
          if (next.id === broken) throw new Error('broken');
          return tables.requests.replace(next);
        };
        return job({ ...tables, requests: { ...tables.requests, replace } });
      }),
  });

  beforeEach(async () => {
    broken = undefined;
    const devices = Array.from({ length: 13 }, (_, at) =>
      aDevice({ id: deviceId(1001 + at), name: `web-${at + 1}` }),
    );
    replicas = await createReplicasHarness(devices, failing);
  });
  afterEach(() => replicas.close());

  /** Reboots of so many devices, the oldest first. */
  async function asked(count: number): Promise<readonly RequestRecord[]> {
    const { dispatch } = replicas.start();
    for (let at = 0; at < count; at += 1) {
      const caller = { ...CALLER, person: BOB };
      const input = { device: 1001 + at, reason: null };
      await dispatch.runCommand({ name: 'reboot', input, page: 0, caller, requestKey: `command:${at}` });
      await replicas.clock.advance(SECOND);
    }
    return replicas.store.requests.list({ oldestFirst: true }, 50);
  }

  /** The window as Slack shows it, and as it is stored. */
  async function opened(): Promise<DecisionWindow> {
    const { dispatch } = replicas.start();
    const view = await dispatch.openWindow({ wanted: { kind: 'several', page: 0 }, caller: CALLER });
    if (view.kind !== 'decided' || view.outcome.kind !== 'several-window') throw new Error(view.kind);
    const { id, decides, devices, endsAt } = view.outcome;
    const shown = { id, decides, devices, endsAt, view: VIEW, usedBy: null };
    const row = { ...shown, personId: CALLER.person, channel: CALLER.channel, thread: null };
    await replicas.requests.recordWindow(row);
    return row;
  }
  const offeredIn = ({ decides }: DecisionWindow): readonly RequestId[] =>
    decides.kind === 'several' ? decides.requests.map((one) => one.requestId) : [];

  type Press = Extract<Interaction, { kind: 'window' }>;
  const pressOn = ({ id }: DecisionWindow, given: Partial<Press>): Press => {
    return { kind: 'window', caller: CALLER, id, view: VIEW, ...given };
  };
  const approve = (requests: readonly RequestId[]): Partial<Press> => ({
    marks: { decision: 'approve', requests: [...requests] },
  });
  /** Stores the press, handles it, and gives the words of the answers. */
  async function submitted(window: DecisionWindow, given: Partial<Press>, key = 't1') {
    const before = replicas.told.length;
    await replicas.start().take(pressOn(window, given), `press:${key}`);
    replicas.start().work();
    await replicas.clock.advance(5 * MINUTE);
    return replicas.told.slice(before).map(({ message }) => JSON.stringify(message.blocks));
  }
  const statesOf = async (requests: readonly { readonly id: RequestId }[]) =>
    Promise.all(requests.map(async ({ id }) => (await replicas.store.requests.get(id))?.state));
  const auditOf = async (action: string) =>
    (await replicas.store.audit.list(0, 500)).filter((entry) => entry.action === action);

  describe('several requests in one window', () => {
    it('are decided each on its own, with what its person says, and none that is not marked', async () => {
      const requests = await asked(13);
      const window = await opened();
      expect(offeredIn(window)).toEqual(requests.map(({ id }) => id));
      const marks = { decision: 'deny', requests: offeredIn(window).slice(0, 12) } as const;
      const [answer] = await submitted(window, { marks: { ...marks }, comment: 'Not today.' });
      expect(answer).toContain('You denied 12 requests. Nothing was sent.');
      expect(answer).not.toContain('Not denied');
      expect(await statesOf(requests)).toEqual([...Array(12).fill('denied'), 'waiting']);
      expect(
        (await auditOf('approval.denied')).map(({ detail }) => [detail['seal'], detail['comment']]),
      ).toEqual(requests.slice(0, 12).map(({ seal }) => [seal, 'Not today.']));
    });

    it('that were not offered in the window are refused and recorded, and the others are decided', async () => {
      const [offered, typed, other] = await asked(3);
      if (offered === undefined || typed === undefined || other === undefined) throw new Error('too few');
      await replicas.store.requests.replace({ ...typed, typedCount: true, version: typed.version + 1 });
      const window = await opened();
      expect(offeredIn(window)).toEqual([offered.id, other.id]);
      const [answer] = await submitted(window, approve([offered.id, typed.id, requestId('r_none')]));
      expect(answer).toContain('You approved 1 request. Each is re-checked before it’s sent.');
      expect(answer).toContain('*Not approved: 2*');
      expect(answer).toContain('A request that couldn’t be read');
      expect(await statesOf([offered, typed, other])).toEqual(['approved', 'waiting', 'waiting']);
      expect((await auditOf('window.refused')).map(({ detail }) => detail['why'])).toEqual([
        'other-view',
        'other-view',
      ]);
    });

    it.each([
      ['somebody else', { caller: { ...CALLER, person: personId('U0EVE') } }, 'for somebody else'],
      ['an edited view', { view: { ...VIEW, hash: 'h2' } }, 'isn’t the window as Patchbay opened it'],
    ])('are not decided by the submission of %s', async (_what, given, words) => {
      const requests = await asked(2);
      const window = await opened();
      const answers = await submitted(window, { ...approve(offeredIn(window)), ...given });
      expect(answers).toEqual([expect.stringContaining(words)]);
      expect(await statesOf(requests)).toEqual(['waiting', 'waiting']);
      expect(await auditOf('window.refused')).toHaveLength(1);
    });

    it('are decided by the first submission of a window alone', async () => {
      const requests = await asked(2);
      const window = await opened();
      await submitted(window, approve(offeredIn(window).slice(0, 1)));
      const answers = await submitted(window, approve(offeredIn(window).slice(1)), 't2');
      expect(answers).toEqual([expect.stringContaining('this window was submitted before')]);
      expect(await statesOf(requests)).toEqual(['approved', 'waiting']);
    });

    it('name in the answer what does not hold any more, with its link', async () => {
      const requests = await asked(3);
      const window = await opened();
      const [changed, denied] = requests;
      if (changed === undefined || denied === undefined) throw new Error('too few');
      await replicas.store.requests.replace({ ...changed, seal: 'seal-2', version: changed.version + 1 });
      const before = { ...denied, state: 'denied', decidedBy: BOB } as const;
      await replicas.store.requests.replace({ ...before, version: denied.version + 1 });
      const [answer] = await submitted(window, approve(offeredIn(window)));
      expect(answer).toContain('You approved 1 request.');
      expect(answer).toContain('*Not approved: 2*');
      expect(answer).toMatch(/web-1: This request has changed\. Review the updated message, then decide\./);
      expect(answer).toMatch(/• Already denied by <@U0BOB>: /);
      expect(await statesOf(requests)).toEqual(['waiting', 'denied', 'approved']);
    });

    it('are decided although one of them keeps failing, and the answer says which', async () => {
      const requests = await asked(3);
      const window = await opened();
      broken = requests[1]?.id;
      const answers = await submitted(window, approve(offeredIn(window)));
      expect(answers).toEqual([expect.stringContaining('You approved 2 requests.')]);
      expect(answers[0]).toMatch(
        /Couldn’t be decided: unexpected error \(reference `\w+`\)\. Check its card\./,
      );
      expect(await statesOf(requests)).toEqual(['approved', 'waiting', 'approved']);
    });

    it('approve nothing more where they are handled on days later, and say what was', async () => {
      const requests = await asked(2);
      const window = await opened();
      const { take, dispatch } = replicas.start();
      await take(pressOn(window, approve(offeredIn(window))));
      const first = pressOn(window, approve(offeredIn(window).slice(0, 1)));
      const now = { submission: 'press:t1', isFirstTry: true, askedAt: replicas.clock.now() };
      await dispatch.submitWindow({ ...first, ...now });
      await replicas.clock.advance(16 * MINUTE);
      replicas.start().work();
      await replicas.clock.advance(SECOND);
      const answer = JSON.stringify(replicas.told.at(-1)?.message.blocks);
      expect(answer).toContain('You approved 1 request.');
      expect(answer).toContain('this window expired');
      expect(await statesOf(requests)).toEqual(['approved', 'waiting']);
    });
  });
});
