/** Presses, forms and messages that are handled long after they were made. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { DAY, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { personId, type RequestId } from '../../../src/lib/ids.ts';
import type { StoredPress } from '../../../src/slack/interactions/press-queue.ts';
import { renderView } from '../../../src/views/views.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { START } from '../../harness/builders.ts';
import { openedWindow } from '../../harness/through-window.ts';
import { submittedPayload } from '../forms/submitted-form.ts';
import { CALLER, createReplicasHarness, type ReplicasHarness } from '../harness/replicas-harness.ts';

const LIMIT = 15 * MINUTE;
const RENAME = { device: 1001, name: 'front', reason: null };
const press: StoredPress = { kind: 'request', caller: CALLER, name: 'device-edit', input: RENAME };
const silent = async (): Promise<void> => undefined;
const again = (input: unknown, command = 'device-edit') =>
  JSON.stringify({ do: 'run', command, input }).replaceAll('"', '\\"');

let replicas: ReplicasHarness;
beforeEach(async () => {
  replicas = await createReplicasHarness();
});
afterEach(() => replicas.close());

/** All notifications, by place. */
const notified = () => replicas.told.map(({ where, message }) => [where, message.text] as const);
const drawn = () => JSON.stringify(replicas.told.at(-1)?.message.blocks);

describe('a press that asks for a change', () => {
  it.each([
    ['14 min 59 s', 1, LIMIT - SECOND],
    ['15 min', 0, LIMIT],
    ['3 days', 0, 3 * DAY],
  ] as const)('and is handled %s later makes %i requests', async (_what, times, ms) => {
    await replicas.start().inbox.store(press, 't1', silent, {});
    await replicas.clock.advance(ms);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(await replicas.requested()).toHaveLength(times);
  });

  it('too late is told by a direct message that offers to request it again', async () => {
    await replicas.start().inbox.store(press, 't1', silent, {});
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(10 * MINUTE);
    expect(notified()).toEqual([
      ['DU0ANN', expect.stringMatching(/^▫️ \*Not sent:\* `\/fleet device-edit web-01` Too late: requested /)],
    ]);
    expect(drawn()).toContain('Request again');
    expect(drawn()).toContain(again(RENAME));
    expect(drawn()).toContain('Changes older than 15 minutes aren’t sent.');
    expect(await replicas.store.work.nextDue()).toBeNull();
  });

  it('names the number of its device while the service does not return its name', async () => {
    replicas.fleet.failWith(BROKEN);
    await replicas.start().inbox.store(press, 't1', silent, {});
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(notified()).toEqual([
      ['DU0ANN', expect.stringContaining('*Not sent:* `/fleet device-edit #1001`')],
    ]);
  });

  it('is answered again until Slack accepts the message', async () => {
    replicas.trouble.fails = 2;
    await replicas.start().inbox.store(press, 't1', silent, {});
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(10 * MINUTE);
    expect(notified()).toHaveLength(1);
  });

  it('counts from when it was made, however often it was tried since', async () => {
    await replicas.start().inbox.store(press, 't1', silent, {});
    const [work] = await replicas.store.work.claim({ now: START, leaseMs: 1, limit: 1 });
    if (work === undefined) throw new Error('nothing was stored');
    await replicas.store.work.postpone(work, later(START, LIMIT - SECOND));
    await replicas.clock.advance(LIMIT);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(await replicas.requested()).toEqual([]);
    expect(notified()).toHaveLength(1);
  });

  it('and was requested in time says so, and not that it is too late', async () => {
    const one = replicas.start();
    await one.inbox.store(press, 't1', silent, {});
    const order = { name: 'device-edit', input: RENAME, page: 0, caller: CALLER };
    await one.dispatch.runCommand({ ...order, requestKey: 'press:t1' });
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(notified()).toEqual([['ephemeral C0OPS', expect.stringContaining(' requested')]]);
    expect(await replicas.requested()).toHaveLength(1);
  });

  it('gives the operation the age of the press', async () => {
    await replicas.start().inbox.store(press, 't1', silent, {});
    await replicas.clock.advance(10 * MINUTE);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(await replicas.requested()).toMatchObject([{ createdAt: START }]);
  });

  it('which is no change of the service counts days later', async () => {
    const pause: StoredPress = {
      kind: 'request',
      caller: CALLER,
      name: 'pause',
      input: { do: 'on', reason: 'storm' },
    };
    await replicas.start().inbox.store(pause, 't1', silent, {});
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(await replicas.settings.pause.current()).toMatchObject({ by: CALLER.person });
  });
});

describe('a press that decides', () => {
  const pressOf = async (
    { requests }: ReturnType<typeof replicas.start>,
    decision: 'approve' | 'deny',
    { id, seal }: { readonly id: RequestId; readonly seal: string },
  ): Promise<StoredPress> => {
    const world = { store: replicas.store, requests };
    const wanted = { kind: decision, seal };
    const opened = await openedWindow(world, {
      requestId: id,
      person: CALLER.person,
      role: 'approver',
      wanted,
    });
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
    await one.inbox.store(await pressOf(one, decision, { id, seal: seal ?? '' }), 't1', silent, {});
    await replicas.clock.advance(ms);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
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
  const form = { ...submittedPayload('front', 'device-edit'), caller: CALLER, input: RENAME };

  it.each([
    ['14 min 59 s', 1, LIMIT - SECOND],
    ['15 min', 0, LIMIT],
    ['3 days', 0, 3 * DAY],
  ] as const)('and is handled %s later makes %i requests', async (_what, times, ms) => {
    await replicas.start().forms.store('form:V1:h1', form);
    await replicas.clock.advance(ms);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    expect(await replicas.requested()).toHaveLength(times);
  });

  it('too late is told in its window and by a direct message, each with the way to request it again', async () => {
    await replicas.start().forms.store('form:V1:h1', form);
    await replicas.clock.advance(3 * DAY);
    replicas.start().work();
    await replicas.clock.advance(10 * MINUTE);
    expect(notified().map(([where]) => where)).toEqual(['window', 'DU0ANN']);
    for (const { message } of replicas.told) {
      expect(JSON.stringify(message)).toContain('Too late: ');
      expect(JSON.stringify(message.blocks)).toContain(again(RENAME));
    }
  });

  it('is sent again within the day without requesting anything', async () => {
    await replicas.start().forms.store('form:V1:h1', form);
    await replicas.clock.advance(LIMIT);
    const later = replicas.start();
    later.work();
    await replicas.clock.advance(MINUTE);
    expect(await later.forms.store('form:V1:h1', form)).toBe('duplicate');
    await replicas.clock.advance(MINUTE);
    expect(await replicas.requested()).toEqual([]);
  });
});

describe('a message that Slack delivers late', () => {
  const says = (text: string, saidAt: number) =>
    replicas.start().dispatch.runText(text, CALLER, `event:${text}`, instant(saidAt));

  it('is not run where it asks for a change, and says so', async () => {
    const view = await says('scan #1001 because drill', START - LIMIT);
    expect(view).toMatchObject({
      kind: 'too-late',
      command: 'scan',
      subject: '#1001',
      askedAt: START - LIMIT,
    });
    expect(JSON.stringify(renderView(view).blocks)).toContain(
      again({ device: '#1001', reason: 'drill' }, 'scan'),
    );
    expect(await replicas.requested()).toEqual([]);
  });

  it.each([
    ['a mention', { type: 'app_mention', channel: 'C0OPS', text: '<@U0BOT> scan #1001' }, 'ephemeral C0OPS'],
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
      const view = await replicas.start().dispatch.runCommand({ ...order, askedAt: later(START, -3 * DAY) });
      expect(view.kind === 'too-late').toBe(kind === 'write');
    },
  );
});
