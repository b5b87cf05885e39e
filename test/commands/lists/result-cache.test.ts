import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsCommand } from '../../../src/commands/alerts.ts';
import { approvalPages, approvalsCommand } from '../../../src/commands/approvals.ts';
import { auditCommand, auditPages } from '../../../src/commands/audit.ts';
import { complianceCommand } from '../../../src/commands/compliance.ts';
import type { ReadCommand, SettingCommand } from '../../../src/commands/core/command.ts';
import {
  type DevicesResult,
  devicePages,
  devicesCommand,
  IDS_PER_ROW,
} from '../../../src/commands/devices.ts';
import { eventsCommand } from '../../../src/commands/events.ts';
import {
  createResultCaches,
  MAX_CACHED_ROWS,
  RESULT_TTL_MS,
} from '../../../src/commands/lists/result-cache.ts';
import { missingCommand } from '../../../src/commands/missing.ts';
import { operationPages } from '../../../src/commands/operations.ts';
import { packagesCommand } from '../../../src/commands/packages.ts';
import { type TokenizedLine, tokenizeLine, tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import {
  deviceFilter,
  deviceQueryText,
  parseDeviceFilters,
} from '../../../src/commands/targets/device-query.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { createManualClock, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, eventId, groupId, personId } from '../../../src/lib/ids.ts';
import type { AuditView } from '../../../src/views/audit/audit-list.ts';
import { type Problem, renderView, type View } from '../../../src/views/views.ts';
import { aDevice, aGroup, anEvent, aPackage, aPolicy, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { aReadyTarget, aRequest } from '../../harness/records.ts';
import { runs } from '../../harness/runs.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/typed-line.ts';

const results = madePerTest(() => shelves().results);

const ME = { asker: personId('UME') };
const OTHER = { asker: personId('UOTHER') };
const HIDDEN = { ...ME, personalFrom: 'operator' } as const;
const GONE = { kind: 'gone' };

function records(rows: number) {
  return { rows: Array.from({ length: rows }, () => aRequest()), asOf: START };
}
function someDevices(rows: number): DevicesResult {
  const summary = { kind: 'devices', title: '', unlisted: 0 } as const;
  const patch = { packages: [], severities: [] };
  return { rows: new Float64Array(rows), summary, patch, asOf: START };
}
/** A list with this many rows, each of which uses the memory of a real one. */
function heavyList(rows: number) {
  return { ...records(0), rows: new Array(rows) };
}
const AUDIT: AuditView = {
  kind: 'audit',
  device: null,
  rows: [],
  lines: 0,
  names: { devices: new Map(), groups: new Map(), policies: new Map() },
  since: START,
  cut: false,
  paging: { command: 'audit', input: {}, page: 0, pages: 1, total: 0, asOf: START },
};
function shelves() {
  const clock = createManualClock(START);
  const caches = createResultCaches(clock);
  const results = {
    approvals: approvalPages.cacheIn(caches),
    audit: auditPages.cacheIn(caches),
    devices: devicePages.cacheIn(caches),
    operations: operationPages.cacheIn(caches),
  };
  return { clock, results };
}
function kept(key: string | null): string {
  if (key === null) throw new Error('it was not kept');
  return key;
}

describe('cached results', () => {
  it('belong to the person who asked', () => {
    const content = records(11);
    const key = kept(results.approvals.add(ME, content));
    expect(results.approvals.find(ME, key)).toEqual({ kind: 'found', content });
    expect(results.approvals.find(OTHER, key)).toEqual({ kind: 'others' });
    expect(results.approvals.find(ME, 'another')).toEqual(GONE);
  });

  it.each([
    ['less', ME, HIDDEN],
    ['more', HIDDEN, ME],
  ])('are not used once their owner sees %s than before', (_what, then, now) => {
    const key = kept(results.approvals.add(then, records(11)));
    expect(results.approvals.find(now, key)).toEqual({ kind: 'rights' });
    expect(results.approvals.find(then, key)).toMatchObject({ kind: 'found' });
  });

  it('are found only in the cache of their own kind', () => {
    const key = kept(results.approvals.add(ME, records(11)));
    expect(results.operations.find(ME, key)).toEqual(GONE);
  });

  it('have keys of their own that a button has room for', () => {
    const keys = Array.from({ length: 50 }, () => kept(results.approvals.add(ME, records(11))));
    expect(new Set(keys).size).toBe(50);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThanOrEqual(20);
  });

  it('expire after half an hour', async () => {
    const { clock, results } = shelves();
    const key = kept(results.approvals.add(ME, records(11)));
    await clock.advance(RESULT_TTL_MS - 1);
    expect(results.approvals.find(ME, key).kind).toBe('found');
    await clock.advance(1);
    expect(results.approvals.find(ME, key)).toEqual(GONE);
  });

  it('are evicted oldest first, whatever their kind', () => {
    const first = kept(results.operations.add(ME, heavyList(MAX_CACHED_ROWS / 2)));
    const second = kept(results.approvals.add(ME, heavyList(MAX_CACHED_ROWS / 4)));
    const third = kept(results.approvals.add(ME, heavyList(MAX_CACHED_ROWS / 2)));
    expect(results.operations.find(ME, first)).toEqual(GONE);
    expect(results.approvals.find(ME, second).kind).toBe('found');
    expect(results.approvals.find(ME, third).kind).toBe('found');
  });

  it('are not cached where one alone exceeds the limit, and nothing is evicted for it', () => {
    const key = kept(results.approvals.add(ME, records(11)));
    expect(results.approvals.add(ME, heavyList(MAX_CACHED_ROWS))).toBeNull();
    expect(results.approvals.find(ME, key).kind).toBe('found');
  });

  it('are weighed by the content of their rows', () => {
    const first = kept(results.audit.add(ME, { ...AUDIT, rows: new Array(200) }));
    const request = aRequest({ targets: Array.from({ length: 100 }, () => aReadyTarget()) });
    const rows = Array.from({ length: Math.floor(MAX_CACHED_ROWS / 101) - 1 }, () => request);
    expect(results.approvals.add(ME, { rows, asOf: START })).not.toBeNull();
    expect(results.audit.find(ME, first)).toEqual(GONE);
    expect(results.approvals.add(ME, { rows: [...rows, request], asOf: START })).toBeNull();
  });

  it('hold a hundred thousand devices as lightly as few rows', () => {
    const all = MAX_CACHED_ROWS * (IDS_PER_ROW / 10);
    const keys = Array.from({ length: 9 }, () => kept(results.devices.add(ME, someDevices(all))));
    expect(keys.filter((key) => results.devices.find(ME, key).kind !== 'found')).toEqual([]);
  });

  const sizes = fc.array(fc.integer({ min: 1, max: MAX_CACHED_ROWS }), { minLength: 1, maxLength: 30 });
  property([sizes])('never hold more than their bound', (all) => {
    const keys = all.map((rows) => ({ rows, key: results.approvals.add(ME, heavyList(rows)) }));
    const found = keys.filter(({ key }) => key !== null && results.approvals.find(ME, key).kind === 'found');
    expect(found.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(MAX_CACHED_ROWS);
  });
});

const FLEET = Array.from({ length: 25 }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
const ALL = { words: [], filters: [] };

/** Its `fleet` is a device list that may change. */
function fleetOf(devices: readonly Device[]) {
  const fleet = [...devices];
  return { ...testPorts({ devices: fleet }), fleet };
}
function become<T>(all: T[], now: readonly T[]): void {
  all.splice(0, all.length, ...now);
}

async function list(view: Promise<View>) {
  const found = await view;
  if (found.kind !== 'devices') throw new Error(JSON.stringify(found));
  return found;
}
function input({ paging }: Awaited<ReturnType<typeof list>>) {
  return { ...ALL, ...(paging.result === undefined ? {} : { result: paging.result }) };
}
const idsOf = ({ rows }: Awaited<ReturnType<typeof list>>) =>
  rows.map((row) => (row.device === null ? row.id : row.device.id));

describe('pages of a cached list', () => {
  it('are cached where there is more than one', async () => {
    const { ports } = fleetOf(FLEET);
    expect((await list(devicesCommand.run(ALL, 0, ports))).paging.result).toEqual(expect.any(String));
    const few = fleetOf(FLEET.slice(0, 10));
    expect((await list(devicesCommand.run(ALL, 0, few.ports))).paging).not.toHaveProperty('result');
  });

  it('show the same rows as of the same time, even after a device was added before them', async () => {
    const { ports, fleet, clock } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    become(fleet, [aDevice({ id: deviceId(900), name: 'aaa' }), ...FLEET]);
    await clock.advance(5 * MINUTE);
    const second = await list(devicesCommand.run(input(first), 1, ports));
    expect(idsOf(second)).toEqual(FLEET.slice(10, 20).map(({ id }) => id));
    expect(second.paging).toMatchObject({ total: 25, pages: 3, asOf: START, result: first.paging.result });
    expect(second.paging).not.toHaveProperty('anew');
  });

  it('draw the facts of a device as they are now', async () => {
    const { ports, fleet, clock } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    become(
      fleet,
      FLEET.map((device) => ({ ...device, connected: false })),
    );
    await clock.advance(5 * MINUTE);
    const again = await list(devicesCommand.run(input(first), 0, ports));
    expect(again.rows.map(({ device }) => device?.connected)).toEqual(Array(10).fill(false));
  });

  it('keep the line of a device that is gone, and say so', async () => {
    const { ports, fleet, clock } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    become(
      fleet,
      FLEET.filter(({ id }) => id !== 12),
    );
    await clock.advance(5 * MINUTE);
    const second = await list(devicesCommand.run(input(first), 1, ports));
    expect(idsOf(second)).toEqual(FLEET.slice(10, 20).map(({ id }) => id));
    expect(JSON.stringify(renderView(second))).toContain('#12 · no longer in the fleet');
  });

  it('are read again, and say so, once the list has expired', async () => {
    const { ports, clock } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    await clock.advance(RESULT_TTL_MS);
    const second = await list(devicesCommand.run(input(first), 1, ports));
    expect(second.paging).toMatchObject({ refreshReason: 'gone', result: expect.any(String), page: 1 });
    expect(second.paging.result).not.toBe(first.paging.result);
    expect(JSON.stringify(renderView(second))).toContain('This list expired and was reloaded.');
    const third = await list(devicesCommand.run(input(second), 2, ports));
    expect(third.paging).not.toHaveProperty('anew');
  });

  it('are read again for another person', async () => {
    const { ports } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    const theirs = await list(devicesCommand.run(input(first), 1, { ...ports, ...OTHER }));
    expect(theirs.paging).toMatchObject({ refreshReason: 'others', page: 1 });
  });

  it('are complete and independent where two are pressed at once on an expired list', async () => {
    const { ports, clock } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    await clock.advance(RESULT_TTL_MS);
    const both = await Promise.all([1, 2].map((page) => list(devicesCommand.run(input(first), page, ports))));
    expect(both.map(idsOf)).toEqual([
      FLEET.slice(10, 20).map(({ id }) => id),
      FLEET.slice(20).map(({ id }) => id),
    ]);
    for (const one of both)
      expect((await list(devicesCommand.run(input(one), 0, ports))).paging.page).toBe(0);
  });

  it('are read and cached again by a refresh', async () => {
    const { ports, fleet } = fleetOf(FLEET);
    const first = await list(devicesCommand.run(ALL, 0, ports));
    become(fleet, [aDevice({ id: deviceId(900), name: 'aaa' }), ...FLEET]);
    const fresh = await list(devicesCommand.run({ ...input(first), refresh: true }, 0, ports));
    expect(idsOf(fresh)[0]).toBe(900);
    expect(fresh.paging.result).not.toBe(first.paging.result);
    expect(fresh.paging).not.toHaveProperty('anew');
  });

  const change = fc.record({ gone: fc.integer({ min: 1, max: 25 }), name: fc.string(), add: fc.boolean() });
  property([fc.array(change, { minLength: 3, maxLength: 3 })], { numRuns: 30 })(
    'give every row exactly once, whatever happens to the fleet in between',
    async (changes) => {
      const { ports, fleet, clock } = fleetOf(FLEET);
      const pages = [await list(devicesCommand.run(ALL, 0, ports))];
      for (const [at, { gone, name, add }] of changes.slice(1).entries()) {
        const left = FLEET.filter(({ id }) => id !== gone);
        const one = aDevice({ id: deviceId(900 + at), name });
        become(fleet, add ? [...left, one] : left.map((device) => ({ ...device, name })));
        await clock.advance(2 * MINUTE);
        const [first] = pages;
        if (first !== undefined) pages.push(await list(devicesCommand.run(input(first), at + 1, ports)));
      }
      expect(pages.flatMap(idsOf)).toEqual(FLEET.map(({ id }) => id));
    },
  );
});

describe('lists of things other than devices', () => {
  const FLEET = [aDevice({ id: deviceId(1), name: 'pc-1' })];
  const NOT_ALLOWED: Problem = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] };

  describe('other lists', () => {
    it('show events of the same reading on every page', async () => {
      const all = Array.from({ length: 15 }, (_, at) =>
        anEvent({ id: eventId(100 + at), createTime: START }),
      );
      const { ports } = testPorts({ devices: FLEET, events: all });
      const first = await runCommand(eventsCommand, 'events', 'name:system.patch.failed', ports);
      all.unshift(anEvent({ id: eventId(999), createTime: START }));
      const asked = { filters: { policy: null, user: null, name: 'system.patch.failed', days: 7 } };
      const second = await eventsCommand.run({ ...asked, result: first.paging.result }, 1, ports);
      expect(second).toMatchObject({ kind: 'events', rows: all.slice(1, 6).toReversed() });
    });

    it('do not ask the service again for another page of packages', async () => {
      const software = Array.from({ length: 20 }, (_, at) => aPackage({ name: `p-${at}` }));
      const { ports } = testPorts({ devices: FLEET, packages: software });
      const first = await runCommand(packagesCommand, 'packages', '#1', ports);
      software.splice(0);
      const second = await packagesCommand.run({ device: 1, result: first.paging.result }, 1, ports);
      expect(second).toMatchObject({ kind: 'packages', rows: { length: 5 }, paging: { total: 20, page: 1 } });
    });

    it.each([
      ['loses it', null, NOT_ALLOWED],
      ['gets it', NOT_ALLOWED, null],
    ])('offer what their reader may ask for by then: one who %s', async (_what, before, now) => {
      const software = Array.from({ length: 20 }, (_, at) => aPackage({ name: `p-${at}` }));
      const { ports } = testPorts({ devices: FLEET, packages: software });
      const shown = (result: string | undefined, refused: Problem | null) =>
        packagesCommand.run({ device: 1, ...(result === undefined ? {} : { result }) }, 1, {
          ...ports,
          refusal: async () => refused,
        });
      const first = await shown(undefined, before);
      const result = 'paging' in first ? first.paging.result : undefined;
      expect(result).toEqual(expect.any(String));
      const second = await shown(result, now);
      expect('paging' in second && second.paging.result).toBe(result);
      expect(['lookOnly' in first, 'lookOnly' in second]).toEqual([before !== null, now !== null]);
    });

    it('list the same requests on every page', async () => {
      const waiting = Array.from({ length: 12 }, () => aRequest({ expiresAt: later(START, MINUTE) }));
      const { ports, clock } = testPorts({ devices: [] }, { requests: waiting });
      const first = await runCommand(approvalsCommand, 'approvals', '', ports);
      await clock.advance(2 * MINUTE);
      const second = await approvalsCommand.run({ mine: false, result: first.paging.result }, 1, ports);
      expect(second).toMatchObject({ rows: { length: 5 }, paging: { total: 12, asOf: START } });
    });
  });
});

describe('lines of lists', () => {
  type Listing = ReadCommand | SettingCommand;

  function inputOf({ parse }: Listing, read: TokenizedLine): unknown {
    if (read.kind === 'fault') return null;
    const parsed = parse(read.words);
    return parsed.kind === 'fault' ? null : parsed.input;
  }

  const { ports } = testPorts({
    devices: [aDevice({ id: deviceId(12), name: 'web-01' })],
    groups: [aGroup({ id: groupId(20), name: 'Linux servers' })],
    policies: [aPolicy({ name: 'Apply all' })],
  });

  function lineOf(view: View): string | null {
    return 'paging' in view ? (view.paging.line?.text ?? null) : null;
  }

  const run = (command: Listing, input: unknown): Promise<View> =>
    command.run(input, 0, { ...ports, refusal: async () => null });

  /** The typed line, and the line that the list shows for it. */
  const LINES: readonly (readonly [Listing, string, string | null])[] = [
    [devicesCommand, '', null],
    [devicesCommand, 'web is:online,offline', 'devices web is:online or is:offline'],
    [devicesCommand, 'group:“Linux servers” sort:seen', 'devices group:"Linux servers" sort:seen'],
    [packagesCommand, 'web-01', null],
    [
      packagesCommand,
      'web-01 "lib ssl" severity:high sort:name',
      'packages #12 "lib ssl" severity:high sort:name',
    ],
    [missingCommand, 'open ssl', 'missing open ssl'],
    [
      missingCommand,
      '"because it is" group:"Linux servers" sort:group',
      'missing "because it is" group:"Linux servers" sort:group',
    ],
    [eventsCommand, 'web-01', null],
    [eventsCommand, '', null],
    [eventsCommand, 'name:system.patch.failed', 'events name:patch-failed days:7'],
    [auditCommand, '', null],
    [auditCommand, 'device web-01 days:2', 'audit device #12 days:2'],
    [approvalsCommand, '', null],
    [approvalsCommand, 'mine', 'approvals mine'],
    [complianceCommand, 'policies', 'compliance policies'],
    [alertsCommand, '', null],
    [alertsCommand, 'days:2', 'alerts days:2'],
    [alertsCommand, 'silence:3', 'alerts silence:3'],
  ];

  describe('the line that a list shows', () => {
    it.each(LINES)('is what gives the list again', async (command, typed, shown) => {
      const view = await run(command, inputOf(command, tokenizeTyped(typed)));
      expect(lineOf(view)).toBe(shown);
      const words = JSON.stringify(renderView(view).blocks);
      if (shown === null) expect(words).not.toContain('Command:');
      else expect(words).toContain(JSON.stringify(`Command: \`/fleet ${shown}\``).slice(1, -1));
    });

    it.each(LINES)('gives the same line when it is typed', async (command, typed, shown) => {
      const again = shown === null ? typed : shown.slice(command.name.length + 1);
      const input = inputOf(command, tokenizeTyped(again));
      expect(input, again).not.toBeNull();
      expect(lineOf(await run(command, input))).toBe(shown);
      expect(typed).toBeTypeOf('string');
    });

    it('keeps what is personal out of a channel', () => {
      const view: View = {
        kind: 'devices',
        title: 'user:anna',
        publicTitle: 'user:…',
        shared: true,
        rows: [],
        unlisted: 0,
        paging: {
          command: 'devices',
          input: {},
          line: { root: '/fleet', text: 'devices user:anna' },
          page: 0,
          pages: 1,
          total: 0,
          asOf: ports.clock.now(),
        },
      };
      expect(JSON.stringify(renderView({ ...view, shared: true }))).not.toContain('anna');
    });
  });

  const value = fc.oneof(
    fc.constantFrom(...'a|Linux servers|a,b|it\'s|say "hi"|`a`|because|or|-x|#12|os:x'.split('|')),
    fc.string({ minLength: 1, maxLength: 12 }),
  );
  const quoted = value.map((text) => (text.includes('"') ? `'${text}'` : `"${text}"`));
  const word = fc.oneof(quoted, value, fc.constantFrom('web', 'or'));
  /** Those of which any value can be typed. */
  const KEYS = deviceFilter.shape.key.options.filter((name) => !['ip', 'is', 'missing'].includes(name));
  const key = fc.constantFrom(...KEYS);
  const filter = fc.oneof(
    fc
      .tuple(fc.constantFrom('', '-'), key, fc.oneof(quoted, value))
      .map(([sign, name, text]) => `${sign}${name}:${text}`),
    fc.constantFrom(
      ...'is:online is:online,offline -is:stale ip:10.0.0.0/8 or sort:seen -sort:os'.split(' '),
    ),
  );

  /** The query that the words give to `devices`; null where they are refused. */
  function queryOf(line: string) {
    const read = tokenizeLine(line);
    if (read.kind === 'fault' || devicesCommand.parse(read.words).kind === 'fault') return null;
    const parsed = parseDeviceFilters(read.words.filters);
    if (parsed.kind === 'fault') return null;
    const { filters, sort } = parsed.input;
    return { words: [...read.words.free], filters, ...(sort === null ? {} : { sort }) };
  }

  describe('any question about devices', () => {
    it('is the same question when its line is typed', () => {
      let taken = 0;
      fc.assert(
        fc.property(
          fc.array(word, { maxLength: 4 }),
          fc.array(filter, { maxLength: 5 }),
          (words, filters) => {
            const once = queryOf([...words, ...filters].join(' '));
            if (once === null) return;
            taken += 1;
            expect(queryOf(deviceQueryText(once))).toEqual(once);
          },
        ),
        { numRuns: runs(2_000) },
      );
      expect(taken).toBeGreaterThan(100);
    });
  });
});
