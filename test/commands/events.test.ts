import { describe, expect, it } from 'vitest';
import { eventsCommand } from '../../src/commands/events.ts';
import { EVENT_KIND_NAMES } from '../../src/fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import { DAY, HOUR, instant, later, MINUTE } from '../../src/lib/clock.ts';
import { deviceId, eventId, policyId, serviceUserId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, anEvent, aPolicy, START } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/typed-line.ts';

const content = {
  devices: [aDevice()],
  policies: [
    aPolicy(),
    aPolicy({ id: policyId(13), name: 'twin' }),
    aPolicy({ id: policyId(14), name: 'twin' }),
  ],
  events: [70, 90, 80, 90].map((id) => anEvent({ id: eventId(id), policyId: policyId(12) })),
};

describe('events of all', () => {
  it('are those of a week, newest first, each once, with the count of the service', async () => {
    const { ports, fleet } = testPorts(content);
    const view = await runCommand(eventsCommand, 'events', '', ports);
    expect(view.rows.map(({ id }) => id)).toEqual([90, 80, 70]);
    expect(view).toMatchObject({ device: null, question: 'days:7', counted: 4, paging: { total: 3 } });
    const query = { after: later(START, -7 * DAY) };
    expect(fleet.eventQueries).toEqual([query, query]);
    expect([...fleet.lanes]).toEqual(['person']);
  });

  it.each(['', 'web-01 '])('are none from before the time that it says: %s', async (device) => {
    const at = [HOUR, 30 * HOUR].map((before, id) =>
      anEvent({ id: eventId(id + 1), createTime: later(START, -before) }),
    );
    const { ports } = testPorts({ ...content, events: at });
    const view = await runCommand(eventsCommand, 'events', `${device}days:1`, ports);
    expect(view).toMatchObject({ rows: [{ id: 1 }], counted: null, since: later(START, -DAY) });
  });

  it('are filtered by the service', async () => {
    const { ports, fleet } = testPorts(content);
    const text = 'policy:"apply all patches" user:#5 name:System.Patch.Failed days:2';
    const view = await runCommand(eventsCommand, 'events', text, ports);
    const after = later(START, -2 * DAY);
    const query = { after, policyId: 12, userId: 5, name: 'system.patch.failed' };
    expect(fleet.eventQueries).toEqual([query, query]);
    expect(view.question).toBe('policy:"Apply All Patches" user:#5 name:patch-failed days:2');
  });

  it('keeps the same query on every page', async () => {
    const many = Array.from({ length: 25 }, (_, at) => anEvent({ id: eventId(at + 1) }));
    const { ports } = testPorts({ ...content, events: many });
    const first = await runCommand(eventsCommand, 'events', 'name:system.patch.failed', ports);
    const second = await eventsCommand.run(first.paging.input, 1, ports);
    expect(second).toMatchObject({ question: first.question, paging: { page: 1, pages: 3, total: 25 } });
  });

  it('lists the newest of very many, and says how many there are', async () => {
    const many = Array.from({ length: 2_050 }, (_, at) => anEvent({ id: eventId(9_000 - at) }));
    const { ports } = testPorts({ events: many, pageSize: 500 });
    const view = await runCommand(eventsCommand, 'events', '', ports);
    expect(view).toMatchObject({ counted: 2_050, paging: { total: 2_000 } });
    expect(JSON.stringify(renderView(view))).toMatch(/2050 events since .*, newest 2000 listed/);
  });

  it.each([
    ['none that was read', 0, 0],
    ['all that were read', 1, 2_000],
  ])(
    'claims no more than was read where a kind shares its name in the log: %s',
    async (_what, exitCode, total) => {
      const many = Array.from({ length: 2_050 }, (_, at) =>
        anEvent({
          id: eventId(9_000 - at),
          name: 'system.policy.action',
          exitCode,
          createTime: later(START, -at * MINUTE),
        }),
      );
      const { ports } = testPorts({ events: many, pageSize: 500 });
      const view = await runCommand(eventsCommand, 'events', 'policy-failed', ports);
      const since = later(START, -1_999 * MINUTE);
      expect(view).toMatchObject({ counted: null, since, paging: { total } });
    },
  );

  it.each([
    'patch-failed',
    'name:patch-failed',
    'name:"Patch failed"',
    'name:"failed patches"',
    'name:SYSTEM.patch.failed',
  ])('of one kind are selected by “%s”', async (text) => {
    const { ports, fleet } = testPorts(content);
    const view = await runCommand(eventsCommand, 'events', text, ports);
    expect(view.question).toBe('name:patch-failed days:7');
    expect(new Set(fleet.eventQueries.map(({ name }) => name))).toEqual(new Set(['system.patch.failed']));
  });

  it('that share a name of the log are told apart, and those of two names are one', async () => {
    const ran = { name: 'system.policy.action', createTime: later(START, -60_000) };
    const all = [
      anEvent({ ...ran, id: eventId(1), exitCode: 0 }),
      anEvent({ ...ran, id: eventId(2), exitCode: 3 }),
      anEvent({ ...ran, id: eventId(3), name: 'user.create' }),
      anEvent({ ...ran, id: eventId(4), name: 'saml.user.create' }),
    ];
    const idsOf = async (text: string) => {
      const view = await runCommand(eventsCommand, 'events', text, testPorts({ events: all }).ports);
      return [view.rows.map(({ id }) => id), view.counted ?? view.paging.total];
    };
    expect(await idsOf('name:policy-failed')).toEqual([[2], 1]);
    expect(await idsOf('name:policy-run')).toEqual([[1], 1]);
    expect(await idsOf('name:user-added')).toEqual([[4, 3], 2]);
    expect(await idsOf('name:system.policy.action')).toEqual([[2, 1], 2]);
  });

  it('offers the nearest name for a typo, and accepts an unknown name', async () => {
    const { ports } = testPorts(content);
    expect(
      (await runCommand(eventsCommand, 'problem', 'name:system.patch.faild', ports)).problem,
    ).toMatchObject({
      kind: 'usage',
      fault: { kind: 'unknown-word', nearest: expect.arrayContaining(['name:patch-failed']) },
      offers: expect.arrayContaining([
        expect.objectContaining({ line: '/fleet events name:patch-failed days:7' }),
      ]),
    });
    const newer = [anEvent({ name: 'system.patch.faild' })];
    const read = testPorts({ events: newer });
    const known = await runCommand(eventsCommand, 'events', 'name:system.patch.faild', read.ports);
    expect(known.rows).toHaveLength(1);
  });

  it('names back a name that nothing has and none is near to, with all that there are', async () => {
    const { problem } = await runCommand(eventsCommand, 'problem', 'name:reboot', testPorts(content).ports);
    expect(problem).toMatchObject({ fault: { kind: 'unknown-word', word: 'name:reboot' } });
    expect(problem).not.toHaveProperty('offers');
    const words = JSON.stringify(renderView({ kind: 'problem', problem }).blocks);
    for (const name of EVENT_KIND_NAMES) expect(words).toContain(`name:${name}`);
  });

  it('lets a person choose among policies of one name', async () => {
    const { ports } = testPorts(content);
    const view = await runCommand(eventsCommand, 'choices', 'policy:twin days:3', ports);
    const input = { filters: { policy: 14, days: 3 } };
    expect(view.rows[1]?.choice).toMatchObject({ command: 'events', input });
    expect((await runCommand(eventsCommand, 'problem', 'policy:nothing', ports)).problem.kind).toBe(
      'no-such-policy',
    );
  });

  it.each([
    ['days:31', { kind: 'bad-value', word: 'days:31', expected: '1 to 30 days' }],
    ['until:yesterday', { kind: 'bad-value', expected: 'a date such as 2026-11-20' }],
    ['until:2026-02-30', { kind: 'bad-value', expected: 'a date such as 2026-11-20' }],
    ['web-01 until:', { kind: 'missing', prefill: { device: 'web-01', filters: { days: 30 } } }],
    ['web-01 because x', { kind: 'unknown-word', word: 'because' }],
    ['user:deploy', { kind: 'bad-value', expected: 'a user number' }],
    ['policy:x name:', { kind: 'missing', prefill: { filters: { policy: 'x' } } }],
  ])('does not take “%s”', (text, fault) => {
    expect(faultOf(eventsCommand, text)).toMatchObject(fault);
  });
});

const day = (text: string) => instant(Date.parse(text));

describe('events up to a day', () => {
  const onDays = ['2026-03-03', '2026-03-04', '2026-03-05'].map((text, at) =>
    anEvent({ id: eventId(at + 1), createTime: later(day(text), 23 * HOUR) }),
  );

  it('are those of the days that end with it, without a count of the service', async () => {
    const { ports, fleet } = testPorts({ events: onDays });
    const view = await runCommand(eventsCommand, 'events', 'days:2 until:2026-03-04', ports);
    const query = { after: day('2026-03-03'), before: day('2026-03-05') };
    expect(fleet.eventQueries).toEqual([query, query]);
    expect(view.rows.map(({ id }) => id)).toEqual([2, 1]);
    expect(view).toMatchObject({ question: 'days:2 until:2026-03-04', counted: null, until: query.before });
    expect(JSON.stringify(renderView(view))).toMatch(/2 events from .*2026-03-03.* to .*2026-03-05/);
  });

  it('end now where the day is not over', async () => {
    const { ports, fleet } = testPorts({ events: onDays });
    const view = await runCommand(eventsCommand, 'events', 'until:2030-01-01', ports);
    expect(fleet.eventQueries[0]).toEqual({ after: later(START, -7 * DAY) });
    expect(view.until).toBeNull();
  });

  it('of a button without a last day go on to now', async () => {
    const { ports } = testPorts({ events: onDays });
    const filters = { policy: null, user: null, name: null, days: 7 };
    expect(await eventsCommand.run({ filters }, 0, ports)).toMatchObject({ kind: 'events', until: null });
  });
});

describe('events of a device', () => {
  const of = (id: number, more: Partial<FleetEvent>) =>
    anEvent({ id: eventId(id), createTime: later(START, -id * DAY), ...more });
  const events = [
    of(1, { name: 'system.patch.applied', policyId: policyId(12) }),
    of(2, { policyId: policyId(12), userId: serviceUserId(5) }),
    of(3, { policyId: policyId(13) }),
    of(4, { name: 'system.policy.action', exitCode: 3 }),
    of(5, { deviceId: deviceId(9) }),
  ];

  it.each([
    ['web-01', [4, 3, 2, 1], ''],
    ['web-01 name:patch-failed', [3, 2], 'name:patch-failed days:30'],
    ['web-01 name:system.policy.action', [4], 'name:system.policy.action days:30'],
    ['web-01 name:policy-failed', [4], 'name:policy-failed days:30'],
    ['web-01 policy:"Apply All Patches"', [2, 1], 'policy:"Apply All Patches" days:30'],
    ['web-01 policy:#12 name:patch-failed', [2], 'policy:"Apply All Patches" name:patch-failed days:30'],
    ['web-01 user:#5', [2], 'user:#5 days:30'],
    ['web-01 until:2026-11-17', [4, 3], 'days:30 until:2026-11-17'],
  ])('are filtered from all of its events: “%s”', async (text, ids, question) => {
    const { ports, fleet } = testPorts({ ...content, events });
    const view = await runCommand(eventsCommand, 'events', text, ports);
    const [asked] = fleet.eventQueries;
    expect(Object.keys(asked ?? {}).filter((key) => key !== 'before')).toEqual(['deviceId', 'after']);
    expect(view.rows.map(({ id }) => id)).toEqual(ids);
    expect(view).toMatchObject({ question, paging: { input: { device: 1_001 } } });
  });

  it('say of how many they are', async () => {
    const { ports } = testPorts({ ...content, events });
    const view = await runCommand(eventsCommand, 'events', 'web-01 name:patch-failed', ports);
    const paging = { line: { text: 'events #1001 name:patch-failed days:30' } };
    expect(view).toMatchObject({ checked: 4, paging });
    expect(JSON.stringify(renderView(view))).toMatch(/2 events since .*, of 4 for this device/);
  });

  it('offer the nearest name with the device', async () => {
    const { ports } = testPorts({ ...content, events });
    const { problem } = await runCommand(eventsCommand, 'problem', 'web-01 name:patch-faild', ports);
    const line = '/fleet events #1001 name:patch-failed days:30';
    expect(problem).toMatchObject({ offers: [{ line, choice: { input: { device: 1_001 } } }] });
  });
});
