/** Nothing is sealed that no drift speaks of: every field of the facts is changed, one at a time. */
import { describe, expect, it } from 'vitest';
import { sealedFields, targetFactsSchema } from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { seal } from '../../../src/requests/decide/seal.ts';
import { isWithin, MAY_CHANGE } from '../../../src/requests/drift/may-change.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import type { DeviceFacts, TargetFacts } from '../../../src/store/port/records.ts';
import { aDeviceToEdit, aFact, aGroupToEdit, aPolicyToEdit, NOW } from '../builders.ts';
import { device, editable, groupRemoval, IDENTITY, POLICY, policy, removal, wsus } from './full-facts.ts';

/** Each kind of action, with facts that have every field that it can have. */
const CASES: readonly (readonly [FleetAction, TargetFacts])[] = [
  [{ kind: 'scan' }, aFact(device)],
  [{ kind: 'reboot' }, aFact(device)],
  [{ kind: 'patch', packages: ['curl'] }, aFact(device)],
  [{ kind: 'patch-all' }, aFact(device)],
  [{ kind: 'patch-each', chosen: null }, aFact(device)],
  [{ kind: 'policy-test', policyId: policyId(12) }, aFact({ ...device, policy })],
  [{ kind: 'policy-remediate', policyId: policyId(12) }, aFact({ ...device, policy })],
  [{ kind: 'device-edit', change: { groupId: groupId(10) } }, aDeviceToEdit(device, editable)],
  [{ kind: 'device-edit', change: { retag: { add: ['x'], remove: [] } } }, aDeviceToEdit(device, editable)],
  [{ kind: 'device-remove' }, aFact({ ...device, removal })],
  [
    { kind: 'group-create', group: { name: 'Kiosks', refreshIntervalMinutes: 360, parentId: groupId(8) } },
    aGroupToEdit({ groupId: null, group: null, policies: [POLICY] }),
  ],
  [
    {
      kind: 'group-edit',
      groupId: groupId(5),
      change: { policyIds: [policyId(12)], wsus: { enabled: false } },
    },
    aGroupToEdit({ policies: [POLICY] }, { wsus, policies: [{ id: policyId(3), name: 'Patch all' }] }),
  ],
  [{ kind: 'group-remove', groupId: groupId(5) }, aGroupToEdit({ removal: groupRemoval }, { wsus })],
  [
    { kind: 'policy-create', policy: { name: 'Nightly', severities: [], groupIds: [groupId(9)] } },
    aPolicyToEdit({ policyId: null, current: null, groups: [{ id: groupId(9), name: 'a', devices: 1 }] }),
  ],
  [
    { kind: 'policy-edit', policyId: policyId(3), change: { time: '03:00' } },
    aPolicyToEdit({ groups: [{ id: groupId(9), name: 'a', devices: 1 }] }),
  ],
];

/** The facts with another value at this path. */
function changed(facts: TargetFacts, path: string, value: unknown): TargetFacts {
  const copy = structuredClone(facts);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const at = keys.reduce<object>((inner, key) => {
    const next: unknown = Reflect.get(inner, key);
    if (typeof next !== 'object' || next === null) throw new Error(`nothing at ${path}`);
    return next;
  }, copy);
  Reflect.set(at, last, value);
  return copy;
}

/** Other values of the kind that the field has; what is unknown becomes known. */
function otherValues(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value, null];
  if (typeof value === 'number') return [value + 1];
  if (Array.isArray(value)) return [value.length === 0 ? ['x'] : []];
  return ['other'];
}

const mayChange = (path: string) =>
  MAY_CHANGE.some(({ fields }) => fields.some((field) => isWithin(path, field)));

describe('everything sealed', () => {
  it.each(CASES.map(([action, facts]) => ({ kind: action.kind, action, facts })))(
    'of a $kind breaks the seal where it changes, and is drift but for the fields that the list names',
    ({ action, facts }) => {
      expect(driftOf(action, facts, structuredClone(facts))).toEqual([]);
      for (const [path, { value: was }] of sealedFields(facts)) {
        // Facts of another kind of request, which is no change of a value.
        if (was === null && ['deviceId', 'policy', 'editable', 'group', 'current'].includes(path)) continue;
        for (const value of otherValues(was)) {
          const now = changed(facts, path, value);
          expect(seal({ action, targets: [now] }), path).not.toBe(seal({ action, targets: [facts] }));
          if (mayChange(path)) continue;
          expect(driftOf(action, facts, now), path).toMatchObject([{ field: path }]);
          expect(driftOf(action, facts, now, true), path).toMatchObject([{ field: path }]);
        }
      }
    },
  );

  it('is drift though nobody named the field', () => {
    const [before, now] = [1, 2].map((value) => ({ ...aFact(device), aNewFact: { inside: value } }));
    if (before === undefined || now === undefined) throw new Error('two');
    expect(driftOf({ kind: 'scan' }, before, now)).toMatchObject([
      { field: 'aNewFact.inside', was: 1, now: 2 },
    ]);
  });

  it('is kept by the store, whole', () => {
    for (const [, facts] of CASES) expect(targetFactsSchema.parse(structuredClone(facts))).toEqual(facts);
  });

  it('never says who logged in, nor where a device is', () => {
    const [before, now] = ['carol', 'dave'].map((who) =>
      aDeviceToEdit({ lastLoggedInUser: who }, { addresses: [who] }),
    );
    if (before === undefined || now === undefined) throw new Error('two');
    const drift = [{ kind: 'reboot' }, { kind: 'device-edit', change: { addresses: [] } }] as const;
    const said = drift.map((action) => driftOf(action, before, now));
    expect(said.map((changes) => changes.length)).toEqual([2, 1]);
    expect(JSON.stringify(said)).not.toMatch(/carol|dave/);
  });
});

describe('a record under the same id', () => {
  const drift = (was: Partial<DeviceFacts['identity']>, is: Partial<DeviceFacts['identity']>) => {
    const of = (identity: Partial<DeviceFacts['identity']>) =>
      aFact({ identity: { serial: null, uuid: null, created: null, ...identity } });
    return driftOf({ kind: 'reboot' }, of(was), of(is), true);
  };
  const other = [{ kind: 'other-machine', name: 'web-01' }];

  it.each([
    ['another serial number', { serial: 'SN-2' }],
    ['another UUID', { uuid: 'u-2' }],
    ['another time of creation', { created: later(NOW, 1) }],
    ['all three', { serial: 'SN-2', uuid: 'u-2', created: instant(5) }],
  ])('with %s is another machine, which no record names', (_what, change) => {
    expect(drift(IDENTITY, { ...IDENTITY, ...change })).toEqual(other);
  });

  it('is judged by what both sides state', () => {
    expect(drift(IDENTITY, { ...IDENTITY, serial: null })).toEqual([]);
    expect(drift({ uuid: 'u-1' }, IDENTITY)).toEqual([]);
    expect(drift({ serial: 'SN-1', uuid: '' }, { serial: '', uuid: 'u-1' })).toEqual(other);
    expect(drift(IDENTITY, {})).toEqual(other);
    expect(drift({}, IDENTITY)).toEqual([]);
  });
});
