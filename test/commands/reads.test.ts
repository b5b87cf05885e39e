import { describe, expect, it } from 'vitest';
import type { ReadCommand } from '../../src/commands/core/command.ts';
import { deviceCommand, queueCommand } from '../../src/commands/device.ts';
import { eventsCommand } from '../../src/commands/events.ts';
import { packagesCommand } from '../../src/commands/packages.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { later } from '../../src/lib/clock.ts';
import { deviceId, eventId, queueEntryId } from '../../src/lib/ids.ts';
import { aDevice, aGroup, anEvent, aPackage, aQueueEntry, START } from '../harness/builders.ts';
import { BROKEN, type FakeFleetContent } from './harness/fake-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { inputOf, parse } from './harness/typed-line.ts';

const reads: readonly ReadCommand[] = [deviceCommand, packagesCommand, queueCommand, eventsCommand];

describe.each(reads.map((command) => [command.name, command] as const))(
  '%s: which device',
  (name, command) => {
    const run = (input: unknown, content: FakeFleetContent = {}) =>
      command.run(input, 0, testPorts({ devices: [aDevice()], groups: [aGroup()], ...content }).ports);

    it('takes words without quotes as one name', async () => {
      const spaced = aDevice({ customName: 'Front desk' });
      expect(await run(inputOf(command, 'front desk'), { devices: [spaced] })).toMatchObject({ kind: name });
    });

    it('reads the device that a button names by its id', async () => {
      expect(await run({ device: 1001 })).toMatchObject({ kind: name, device: { name: 'web-01' } });
    });

    it('offers the nearest devices of an unknown one, with what tells them apart, each with the same command', async () => {
      const devices = ['web-01', 'web-02', 'web-03', 'db-01'].map((host, at) =>
        aDevice({ id: deviceId(at + 1), name: host }),
      );
      const offers = [1, 2, 3].map((id) => ({
        kind: 'device',
        line: { device: { id }, groupName: 'Linux servers', addresses: ['203.0.113.10', '10.0.0.10'] },
        choice: { command: name, input: { device: id } },
      }));
      const nearest = ['web-01', 'web-02', 'web-03'];
      expect(await run(inputOf(command, 'web-04'), { devices })).toMatchObject({
        kind: 'problem',
        problem: { kind: 'no-such-device', query: 'web-04', nearest, offers },
      });
    });

    it('lets a person choose among devices of one name, never guessing', async () => {
      const devices = [3, 4].map((id) => aDevice({ id: deviceId(id), name: 'dup-01' }));
      expect(await run(inputOf(command, 'dup-01'), { devices })).toMatchObject({
        kind: 'picker',
        query: 'dup-01',
        total: 2,
        rows: [{ device: { id: 3 }, groupName: 'Linux servers' }, { device: { id: 4 } }],
        choices: [
          { command: name, input: { device: 3 } },
          { command: name, input: { device: 4 } },
        ],
      });
    });

    it('says that a device is gone which was listed a moment ago', async () => {
      expect(await run(inputOf(command, 'web-01'), { gone: [deviceId(1001)] })).toEqual({
        kind: 'problem',
        problem: { kind: 'device-gone', query: 'web-01' },
      });
    });

    it('says that a device is gone which a card still names', async () => {
      expect(await run({ device: 4711 })).toEqual({
        kind: 'problem',
        problem: { kind: 'device-gone', query: '#4711' },
      });
    });

    it('leaves other failures of the service to the flow', async () => {
      const { ports, fleet } = testPorts({ devices: [aDevice()] });
      fleet.failWith(BROKEN);
      await expect(command.run({ device: 1001 }, 0, ports)).rejects.toThrow(FleetFailure);
    });

    it('reads in the lane of a waiting person', async () => {
      const { ports, fleet } = testPorts({ devices: [aDevice()] });
      await command.run({ device: 'web-01' }, 0, ports);
      expect([...fleet.lanes]).toEqual(['person']);
    });

    it.each([
      ['an unknown flag', 'web-01 --full', { kind: 'unknown-word', word: '--full', nearest: [] }],
      [
        'an unknown filter',
        'web-01 is:online',
        { kind: 'unknown-word', word: 'is:online', nearest: expect.any(Array) },
      ],
      ['a reason', 'web-01 because x', { kind: 'unknown-word', word: 'because', nearest: [] }],
    ])('refuses %s', (_what, text, fault) => {
      expect(parse(command, text)).toEqual({ kind: 'fault', fault });
    });

    it.each([[null], [{}], [{ device: -1 }], [{ device: '' }], [{ device: 1.5 }], ['web-01']])(
      'refuses %j from a button',
      async (input) => {
        expect(await run(input)).toMatchObject({
          kind: 'problem',
          problem: { kind: 'usage', command: name },
        });
      },
    );
  },
);

describe('a command of one device', () => {
  it.each([deviceCommand, packagesCommand, queueCommand])('asks for it', (command) => {
    expect(parse(command, '')).toMatchObject({
      kind: 'fault',
      fault: { kind: 'missing', what: 'Which device?' },
    });
  });
});

describe('device', () => {
  it('shows the device as it is now, with the name of its group', async () => {
    const { ports, fleet } = testPorts({ devices: [aDevice()], groups: [aGroup()] });
    expect(await deviceCommand.run({ device: 'web-01' }, 0, ports)).toEqual({
      kind: 'device',
      device: aDevice(),
      requests: [],
      groupName: 'Linux servers',
      asOf: START,
    });
    expect(fleet.reads).toEqual(['devices', 'groups', 'policies', 'device']);
  });
});

describe('packages', () => {
  it('lists missing packages first, worst first, then deferred, ignored and installed ones', async () => {
    const list = [
      aPackage({ id: 1, name: 'installed', displayName: 'a', installed: true }),
      aPackage({ id: 2, name: 'ignored', ignored: true }),
      aPackage({ id: 3, name: 'deferred', deferredUntil: later(START, 1) }),
      aPackage({ id: 4, name: 'low', severity: 'low' }),
      aPackage({ id: 5, name: 'odd', severity: 'a new word' }),
      aPackage({ id: 6, name: 'critical', severity: 'critical' }),
      aPackage({ id: 7, name: 'due', severity: 'medium', deferredUntil: START }),
    ];
    const view = await packagesCommand.run(
      { device: 1001, filters: [{ key: 'is', value: 'all', negated: false }] },
      0,
      testPorts({ devices: [aDevice()], packages: list }).ports,
    );
    if (view.kind !== 'packages') throw new Error(view.kind);
    expect(view.rows.map(({ name }) => name)).toEqual([
      'critical',
      'due',
      'low',
      'odd',
      'deferred',
      'ignored',
      'installed',
    ]);
    expect(view).toMatchObject({
      counts: { missing: 4, deferred: 1, ignored: 1, installed: 1 },
      paging: { total: 7, pages: 1, asOf: START },
    });
  });
});

describe('queue', () => {
  it('lists in the order of execution', async () => {
    const list = [
      aQueueEntry({ id: queueEntryId(3), execTime: later(START, 5) }),
      aQueueEntry({ id: queueEntryId(1), execTime: later(START, 9) }),
      aQueueEntry({ id: queueEntryId(2), execTime: later(START, 5) }),
    ];
    const view = await queueCommand.run(
      { device: 1001 },
      0,
      testPorts({ devices: [aDevice()], queue: list }).ports,
    );
    if (view.kind !== 'queue') throw new Error(view.kind);
    expect(view.rows.map(({ id }) => id)).toEqual([2, 3, 1]);
  });
});

describe('events', () => {
  it('lists the newest first by id, each once, whatever order they came in', async () => {
    const list = [70, 90, 80, 90].map((id) => anEvent({ id: eventId(id) }));
    const other = anEvent({ id: eventId(99), deviceId: deviceId(5) });
    const view = await eventsCommand.run(
      { device: 1001 },
      0,
      testPorts({ devices: [aDevice()], events: [...list, other] }).ports,
    );
    if (view.kind !== 'events') throw new Error(view.kind);
    expect(view.rows.map(({ id }) => id)).toEqual([90, 80, 70]);
    expect(view.since).toBe(later(START, -30 * 24 * 3_600_000));
  });
});
