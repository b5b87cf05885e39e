/** The state of a member, whatever the order in which its facts arrive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceEnding, endingsOf, membersOf } from '../../../src/alerts/life/facts.ts';
import { memberState, withFailure, withProof, withRemoval } from '../../../src/alerts/life/member.ts';
import { placeEvents, withStates } from '../../../src/alerts/life/place.ts';
import { type Instant, instant } from '../../../src/lib/clock.ts';
import { alertId, deviceId, eventId, organizationId, policyId } from '../../../src/lib/ids.ts';
import type { AlertEnding, AlertMember, AlertRecord } from '../../../src/store/port/alert-records.ts';
import { aFleetEvent } from '../../harness/builders.ts';
import { aMember, anAlertEvent } from '../../harness/records.ts';

const ORGANIZATION = organizationId(7);
const at = (time: number): Instant => instant(1_000 + time);

type Fact = { readonly what: 'failed' | 'fixed' | 'removed'; readonly time: number; readonly event: number };

const mark = ({ time, event }: Fact) => ({ at: at(time), event: eventId(event) });
/** Few times and many facts, so that several happen in one second. */
const facts = fc.uniqueArray(
  fc.record<Fact>({
    what: fc.constantFrom('failed', 'failed', 'fixed', 'removed'),
    time: fc.integer({ min: 0, max: 5 }),
    event: fc.integer({ min: 1, max: 40 }),
  }),
  { selector: ({ event }) => event, minLength: 1, maxLength: 12 },
);

/** By reading all facts at once, in the order of the service's clock. */
function naiveState(all: readonly Fact[]): string | null {
  const inOrder = all.toSorted((a, b) => a.time - b.time || a.event - b.event);
  const failed = inOrder.findLastIndex(({ what }) => what === 'failed');
  if (failed === -1) return null;
  const since = inOrder.slice(failed).map(({ what }) => what);
  if (since.includes('fixed')) return 'fixed';
  return since.includes('removed') ? 'closed' : 'open';
}

const untouched = aMember({ failedAt: null, failedEvent: null, failures: 0 });

function withFact(member: AlertMember, fact: Fact): AlertMember {
  switch (fact.what) {
    case 'failed':
      return withFailure(member, mark(fact), member);
    case 'fixed':
      return withProof(member, mark(fact));
    case 'removed':
      return withRemoval(member, mark(fact));
  }
}

describe('a member', () => {
  it('is in the same state after any order and any repetition of its facts', () => {
    const orders = facts.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.array(fc.constantFrom(...all), { maxLength: 30 }),
        fc.shuffledSubarray(all, { minLength: all.length }),
      ),
    );
    fc.assert(
      fc.property(orders, ([all, again, order]) => {
        if (naiveState(all) === null) return;
        const after = [...again, ...order].reduce(withFact, untouched);
        expect(memberState(after)).toBe(naiveState(all));
        expect(after.state).toBe(naiveState(all));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the words of its latest failure, however late an earlier one is listed', () => {
    const failing = (time: number, reason: string) => (member: AlertMember) =>
      withFailure(member, { at: at(time), event: eventId(time) }, { ...member, reason });
    const late = [failing(3, 'disk full'), failing(1, 'no network')].reduce((m, fail) => fail(m), untouched);
    expect(late).toMatchObject({ reason: 'disk full', failures: 2, failedAt: at(3) });
  });

  it('that failed and was proven in one second is fixed by the event of the higher number', () => {
    const failed = withFact(untouched, { what: 'failed', time: 1, event: 5 });
    expect(withFact(failed, { what: 'fixed', time: 1, event: 6 }).state).toBe('fixed');
    expect(withFact(failed, { what: 'fixed', time: 1, event: 4 }).state).toBe('open');
  });
});

const patches = (...names: readonly string[]) =>
  names.map((name) => ({ name, version: null, displayName: null }));
const READ = instant(9_000);
const endings = (over: Parameters<typeof aFleetEvent>[1]) => endingsOf(aFleetEvent(5, over), READ);
const idOf = (over: Parameters<typeof anAlertEvent>[0] = {}) =>
  membersOf(anAlertEvent(over), ORGANIZATION).map(({ id }) => id);

describe('what ends a member', () => {
  const applied = { name: 'system.patch.applied', deviceId: deviceId(1001) } as const;

  it.each([
    ['a report of its installation', { ...applied, patches: patches('openssl') }],
    ['the same in other letters', { ...applied, patches: patches('OpenSSL') }],
    [
      'the same in the newer form',
      { ...applied, patches: [{ name: 'openssl', version: '3.0.2', displayName: 'OpenSSL' }] },
    ],
    ['a report that names others too', { ...applied, patches: patches('curl', 'openssl') }],
  ])('%s', (_, event) => {
    expect(endings(event).map(({ of }) => of)).toContain(idOf()[0]);
  });

  it('an update of Windows, however its failure was named', () => {
    const failed = idOf({ packages: [{ name: 'KB5034441', displayName: null }] });
    expect(endings({ ...applied, patches: patches('kb5034441') }).map(({ of }) => of)).toEqual(failed);
  });

  it('a run of the policy on the device with exit code 0', () => {
    const run = { name: 'system.policy.action', deviceId: deviceId(1001), policyId: policyId(4) } as const;
    const failed = idOf({ kind: 'policy-failed', policyId: policyId(4), packages: [], exitCode: 1 });
    expect(endings({ ...run, exitCode: 0 }).map(({ of }) => of)).toEqual(failed);
  });

  it('the removal of its device', () => {
    const removed = { name: 'system.delete', deviceId: deviceId(1001) };
    expect(endings(removed).map(({ of }) => of)).toEqual([deviceEnding(deviceId(1001))]);
  });
});

describe('what looks like a fix and is not', () => {
  const run = { name: 'system.policy.action', deviceId: deviceId(1001), patches: [] } as const;
  const open = idOf()[0];

  it.each([
    ['the installation of a sibling', { name: 'system.patch.applied', patches: patches('curl') }],
    [
      'the installation on another device of the same name',
      { name: 'system.patch.applied', deviceId: deviceId(8) },
    ],
    ['an installation on no device', { name: 'system.patch.applied', deviceId: null }],
    ['its removal from the device', { name: 'system.patch.uninstall' }],
    ['a policy that ended with exit code 0', { ...run, policyId: policyId(4), exitCode: 0 }],
    [
      'the words of a policy’s script',
      { ...run, policyId: policyId(4), exitCode: 0, text: 'Installed patches: openssl' },
    ],
    ['a restart', { name: 'system.reboot' }],
  ])('%s', (_, event) => {
    const ends = endings({ deviceId: deviceId(1001), patches: patches('openssl'), ...event });
    expect(ends.map(({ of }) => of)).not.toContain(open);
  });

  it.each([
    ['without an exit code', null],
    ['with another exit code', 3010],
  ])('a run of the same policy %s', (_, exitCode) => {
    expect(endings({ ...run, policyId: policyId(4), exitCode })).toEqual([]);
  });

  it('a run of another policy', () => {
    const failed = idOf({ kind: 'policy-failed', policyId: policyId(5), packages: [] });
    expect(endings({ ...run, policyId: policyId(4), exitCode: 0 }).map(({ of }) => of)).not.toContain(
      failed[0],
    );
  });

  it('an installation of before the failure, also where it is listed after it', () => {
    const failed = withFact(untouched, { what: 'failed', time: 4, event: 10 });
    expect(withFact(failed, { what: 'fixed', time: 3, event: 11 }).state).toBe('open');
  });

  it('an event without a time counts from its first reading', () => {
    expect(endings({ ...applied(), createTime: null })[0]?.at).toBe(READ);
    expect(endings({ ...applied(), createTime: instant(7) })[0]?.at).toBe(instant(7));
  });

  const applied = () => ({ name: 'system.patch.applied', patches: patches('openssl') });
});

describe('an event', () => {
  it('has a member for each package that it names, and none twice', () => {
    const packages = ['curl', 'openssl', 'CURL'].map((name) => ({ name, displayName: null }));
    expect(idOf({ packages })).toEqual(['patch-failed:1001:curl', 'patch-failed:1001:openssl']);
  });

  it('that names nothing is about its device alone', () => {
    expect(idOf({ packages: [] })).toEqual(['patch-failed:1001:']);
    expect(idOf({ packages: [], deviceId: deviceId(2) })).toEqual(['patch-failed:2:']);
  });

  it('that is no problem is shown once, whatever it names', () => {
    const id = alertId('device-added-7');
    const [noted, ...others] = membersOf(anAlertEvent({ id, kind: 'device-added' }), ORGANIZATION);
    expect(others).toEqual([]);
    expect(noted).toMatchObject({ id, state: 'noted' });
  });
});

type World = {
  readonly members: ReadonlyMap<string, AlertMember>;
  readonly alerts: ReadonlyMap<string, AlertRecord>;
  readonly endings: ReadonlyMap<string, AlertEnding>;
};

/** What the recorder does with each part of a poll, without its store. */
function recorded(parts: readonly (readonly Fact[])[]): World {
  let world: World = { members: new Map(), alerts: new Map(), endings: new Map() };
  for (const part of parts) {
    const ends = new Map(world.endings);
    for (const fact of part) {
      if (fact.what === 'failed') continue;
      const of = fact.what === 'fixed' ? 'patch-failed:1001:openssl' : deviceEnding(deviceId(1001));
      const known = ends.get(of);
      const later =
        known === undefined ||
        fact.time > known.at - 1_000 ||
        (at(fact.time) === known.at && fact.event > known.event);
      if (later) ends.set(of, { of, ...mark(fact) });
    }
    const events = part
      .filter(({ what }) => what === 'failed')
      .map((fact) => ({
        id: alertId(`patch-failed-${fact.event}`),
        eventId: eventId(fact.event),
        at: at(fact.time),
      }))
      .map((of) => ({ event: anAlertEvent(of), channels: [], home: null }));
    const known = { members: [...world.members.values()], alerts: [...world.alerts.values()], endings: ends };
    const placed = placeEvents(events, known, { organizationId: ORGANIZATION, now: at(100) });
    const members = new Map(world.members);
    for (const member of placed.members) members.set(member.id, member);
    const alerts = new Map(world.alerts);
    for (const alert of placed.alerts) {
      const states = [...members.values()]
        .filter((member) => member.alert === alert.id)
        .map(({ state }) => state);
      alerts.set(alert.id, withStates(alert, new Set(states), at(100)));
    }
    world = { members, alerts, endings: ends };
  }
  return world;
}

describe('polls', () => {
  it('make the same of events, in whatever parts and order they list them', () => {
    const parts = facts.chain((all) =>
      fc.tuple(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 12, maxLength: 12 }),
      ),
    );
    fc.assert(
      fc.property(parts, ([order, sizes]) => {
        const cut: Fact[][] = [];
        for (let from = 0; from < order.length; ) {
          const size = sizes[cut.length] ?? 1;
          cut.push(order.slice(from, from + size));
          from += size;
        }
        const { members, alerts } = recorded(cut);
        const [member, ...others] = [...members.values()];
        expect(others).toEqual([]);
        expect(member?.state ?? null).toBe(naiveState(order));
        expect(alerts.size).toBe(member === undefined ? 0 : 1);
        for (const alert of alerts.values()) {
          expect(alert.state).toBe(member?.state);
          expect(alert.endedAt === null).toBe(member?.state === 'open');
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
