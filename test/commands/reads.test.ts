import { describe, expect, it } from 'vitest';
import type { ReadCommand, ReadPorts } from '../../src/commands/core/command.ts';
import { DEVICE_PAGES, deviceCommand, queueCommand } from '../../src/commands/device.ts';
import { eventsCommand } from '../../src/commands/events.ts';
import { registry } from '../../src/commands/index.ts';
import { packagesCommand } from '../../src/commands/packages.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import type { Device } from '../../src/fleet/model/resources.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { createManualClock, DAY, later, MINUTE } from '../../src/lib/clock.ts';
import { deviceId, eventId, newReference, personId, queueEntryId, requestId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { scriptedFleet } from '../fleet/harness.ts';
import { aDevice, aGroup, anEvent, aPackage, aQueueEntry, START } from '../harness/builders.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';
import { aReadyTarget, aRequest, aTarget } from '../harness/records.ts';
import { aRollout, aRolloutRequest } from '../harness/rollouts.ts';
import { BROKEN, type FakeFleetContent } from './harness/fake-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, inputOf, parse, runCommand } from './harness/typed-line.ts';

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
      const problem = { kind: 'no-such-device', query: 'web-04', nearest, offers };
      expect(await run(inputOf(command, 'web-04'), { devices })).toMatchObject({ kind: 'problem', problem });
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
      const expected = { kind: 'problem', problem: { kind: 'device-gone', query: 'web-01' } };
      expect(await run(inputOf(command, 'web-01'), { gone: [deviceId(1001)] })).toEqual(expected);
    });

    it('says that a device is gone which a card still names', async () => {
      const problem = { kind: 'device-gone', query: '#4711' };
      expect(await run({ device: 4711 })).toEqual({ kind: 'problem', problem });
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
        const problem = { kind: 'usage', command: name };
        expect(await run(input)).toMatchObject({ kind: 'problem', problem });
      },
    );
  },
);

describe('a command of one device', () => {
  it.each([deviceCommand, packagesCommand, queueCommand])('asks for it', (command) => {
    const fault = { kind: 'missing', what: 'Which device?' };
    expect(parse(command, '')).toMatchObject({ kind: 'fault', fault });
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
    const counts = { missing: 4, deferred: 1, ignored: 1, installed: 1 };
    expect(view).toMatchObject({ counts, paging: { total: 7, pages: 1, asOf: START } });
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

describe('pages of a device', () => {
  const devices = [aDevice(), aDevice({ id: deviceId(1002), name: 'front network' })];
  const content: FakeFleetContent = { devices, groups: [aGroup()], queue: [aQueueEntry()] };
  const ports = (more: FakeFleetContent = {}) => testPorts({ ...content, ...more });

  const VIEWS = { facts: 'device', timeline: 'timeline', queue: 'queue' } as const;

  describe('device: its pages', () => {
    it.each(DEVICE_PAGES)('reads %s fresh, each time', async (page) => {
      const { ports: given, fleet } = ports();
      const kind = page in VIEWS ? VIEWS[page as keyof typeof VIEWS] : 'device-page';
      const view = await runCommand(deviceCommand, kind, `web-01 ${page}`, given);
      expect(view).toMatchObject({ device: { id: 1001 } });
      await runCommand(deviceCommand, kind, `#1001 ${page.toUpperCase()}`, given);
      expect(fleet.reads.filter((read) => read === 'device')).toHaveLength(2);
    });

    it('is the card of facts where no page is named', async () => {
      const { ports: given } = ports();
      await runCommand(deviceCommand, 'device', 'web-01', given);
      expect(await deviceCommand.run({ device: 1001 }, 0, given)).toMatchObject({ kind: 'device' });
    });

    it('has no button that would be refused, and says whom to ask', async () => {
      const { ports: given } = ports();
      const actionsFor = async (more: Partial<ReadPorts>) =>
        JSON.stringify(
          renderView(await runCommand(deviceCommand, 'device', 'web-01', { ...given, ...more })),
        );
      const ask = [personId('U0ADMIN')];
      const refused = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask } as const;
      const watcher = await actionsFor({ refusal: async () => refused });
      for (const change of ['scan', 'patch', 'reboot', 'device-edit']) {
        const carried = `command\\":\\"${change}\\"`;
        expect(watcher).not.toContain(carried);
        expect(await actionsFor({ refusal: async () => null })).toContain(carried);
      }
      expect(watcher).toContain('command\\":\\"packages\\"');
      expect(watcher).toContain('<@U0ADMIN>');
      const view = await runCommand(deviceCommand, 'device', 'web-01', {
        ...given,
        refusal: async () => refused,
      });
      const shared = JSON.stringify(renderView({ kind: 'shared', view, by: personId('U0VIEWER') }));
      expect(shared).toContain('Shared by');
      expect(shared).not.toContain('<@U0ADMIN>');
    });

    it('keeps a word that is a page in the name of a device, where quotes or a page after it say so', async () => {
      const { ports: given } = ports();
      const card = await runCommand(deviceCommand, 'device', '"front network"', given);
      expect(card.device.id).toBe(1002);
      const page = await runCommand(deviceCommand, 'device-page', 'front network network', given);
      expect([page.device.id, page.page]).toEqual([1002, 'network']);
      expect(faultOf(deviceCommand, '')).toMatchObject({ kind: 'missing', what: 'Which device?' });
    });

    it('takes a page alone for a name', async () => {
      const expected = { problem: { kind: 'no-such-device', query: 'network', nearest: ['front network'] } };
      expect(await runCommand(deviceCommand, 'problem', 'network', ports().ports)).toMatchObject(expected);
    });

    it('does not offer what was typed', async () => {
      const none = await runCommand(deviceCommand, 'problem', '"back network"', ports().ports);
      expect(none.problem).not.toMatchObject({ nearest: expect.arrayContaining(['back network']) });
    });

    it.each([
      ['web-01 hardwre', 'hardware'],
      ['web-01 volume', 'volumes'],
    ])('offers the page for a typo: %s', async (text, page) => {
      const view = await runCommand(deviceCommand, 'problem', text, ports().ports);
      if (view.problem.kind !== 'no-such-device') throw new Error(view.problem.kind);
      const [offer] = view.problem.offers ?? [];
      expect(offer).toMatchObject({ page, choice: { command: 'device', input: { device: 1001, page } } });
    });

    it('refuses a page that there is not from a button', async () => {
      const view = await deviceCommand.run({ device: 1001, page: 'secrets' }, 0, ports().ports);
      expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'usage' } });
    });

    it('passes what it read to the index', async () => {
      const renamed: Device[] = [aDevice({ name: 'old-name' })];
      const { ports: given } = ports({ devices: renamed });
      await given.inventory.snapshot();
      renamed[0] = aDevice({ name: 'new-name' });
      await runCommand(deviceCommand, 'device-page', '#1001 volumes', given);
      expect(await given.inventory.find('new-name')).toMatchObject({ kind: 'one' });
    });
  });

  describe('device: its timeline', () => {
    const events = Array.from({ length: 25 }, (_, at) => anEvent({ id: eventId(70_000 + at) }));

    it('has the newest first, each once, a page at a time', async () => {
      const twice = [...events, ...events.slice(0, 3)];
      const { ports: given, fleet } = ports({ events: twice });
      const first = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given);
      expect(first.rows.map((row) => 'id' in row && row.id)).toEqual(
        Array.from({ length: 10 }, (_, at) => 70_024 - at),
      );
      const input = { device: 1001, page: 'timeline' };
      expect(first.paging).toMatchObject({ command: 'device', input, pages: 3, total: 25 });
      const last = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given, 2);
      expect(last.rows).toHaveLength(5);
      expect(fleet.eventQueries[0]).toEqual({ deviceId: 1001, after: later(START, -30 * DAY) });
    });

    it('has what Patchbay was asked to do with the device between its events, each with its link', async () => {
      const at = (minutes: number) => later(START, -minutes * MINUTE);
      const known = [1, 3, null, 7].map((minutes, index) =>
        anEvent({ id: eventId(90 - index), createTime: minutes === null ? null : at(minutes) }),
      );
      const asked = (id: string, minutes: number, device = deviceId(1001)) =>
        aRequest({ id: requestId(id), createdAt: at(minutes), targets: [aTarget({ deviceId: device })] });
      const requests = [
        ...[asked('r_0', 0), asked('r_2', 2, deviceId(1002)), asked('r_3', 4), asked('r_4', 9)],
        asked('r_5', 31 * 24 * 60),
      ];
      const { ports: given } = testPorts({ ...content, events: known }, { requests });
      const { rows, paging } = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given);
      const shown = rows.map((row) => ('request' in row ? row.request.id : row.id));
      expect(shown).toEqual(['r_0', 90, 89, 'r_3', 87, 'r_4', 88]);
      expect(rows[0]).toMatchObject({ link: 'https://example.slack.com/approval:r_0' });
      expect(paging.total).toBe(7);
      const card = await runCommand(deviceCommand, 'device', 'web-01', given);
      expect(card.requests?.map(({ request }) => request.id)).toEqual(['r_0', 'r_3', 'r_4']);
    });

    it('is no condition of the card: without the database the device is shown alone', async () => {
      const { ports: given } = testPorts(content);
      const fails = async () => Promise.reject(new Error('the database does not answer'));
      const request = aRequest({ createdAt: START });
      for (const broken of [{ requests: fails }, { requests: async () => [request], cardLink: fails }]) {
        const shown = { ...given, records: { ...given.records, ...broken } };
        expect((await runCommand(deviceCommand, 'device', 'web-01', shown)).requests).toEqual([]);
      }
    });

    it('names who requested what, why, and who decided, but not in a channel', async () => {
      const request = aRequest({
        state: 'running',
        ...{ decidedBy: personId('UAPPROVER'), decidedAt: START, createdAt: START },
        targets: [aTarget({ state: 'queued' })],
      });
      const { ports: given } = testPorts(content, { requests: [request] });
      const said =
        /under way since .* \(queued\) · Requested by <@UOPERATOR> · Reason: kernel update · .*Approved by <@UAPPROVER> /;
      for (const [page, kind] of [
        ['facts', 'device'],
        ['timeline', 'timeline'],
      ] as const) {
        const view = await runCommand(deviceCommand, kind, `web-01 ${page}`, given);
        expect(renderView(view).text).toMatch(said);
        const shared = renderView({ kind: 'shared', view, by: personId('UOPERATOR') });
        expect(shared.text).not.toMatch(/UAPPROVER|kernel update/);
      }
    });

    it('stands still with its rollout where its turn has not come', async () => {
      const hold = { kind: 'braked', bad: 2, ended: 9, at: START } as const;
      const request = aRolloutRequest({
        ...{ state: 'running', decidedBy: personId('UAPPROVER'), decidedAt: START, createdAt: START },
        ...{ counts: { verified: 9, ready: 31, open: 31 }, rollout: aRollout(40, { hold }) },
        targets: [aReadyTarget()],
      });
      const { ports: given } = testPorts(content, { requests: [request] });
      const card = renderView(await runCommand(deviceCommand, 'device', 'web-01', given));
      expect(card.text).toContain('Stopped automatically: Reboot');
    });
  });
});

/** A device id of another organization: the service may show it, and the answer says that it cannot be trusted. */

describe('a device of another organization', () => {
  it('is shown to nobody, gets no command, and has an error message', async () => {
    const foreign = { id: 42, organization_id: 999, name: 'secret-host', tags: [] };
    const { reader, service } = await scriptedFleet(() => ({ body: foreign }));
    const clock = createManualClock(START);
    const inventory = createInventory({ fleet: reader, clock, store: nothingSaved });
    const ports = { ...testPorts({}).ports, fleet: reader, inventory, clock };
    const reboot = registry.find('reboot');
    if (reboot?.kind !== 'write') throw new Error('reboot is a write command');
    const failed: unknown = await reboot.plan({ device: 42, reason: null }, ports).catch((error) => error);
    if (!(failed instanceof FleetFailure)) throw new Error('the plan went through');
    const reference = newReference();
    const words = renderView({
      kind: 'problem',
      problem: { kind: 'fleet', error: failed.error, changed: 'nothing', reference },
    });
    expect(words.text).toMatch(/Nothing was changed/);
    expect(JSON.stringify(words)).not.toContain('secret-host');
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
