/** Nothing is sealed that no drift speaks of: every field of the facts is changed, one at a time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin, sealedFields } from '../../../src/fleet/facts/sealed-fields.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { seal } from '../../../src/requests/decide/seal.ts';
import { MAY_CHANGE } from '../../../src/requests/drift/sealed-drift.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import { targetFactsSchema } from '../../../src/store/port/action-schemas.ts';
import type { DeviceFacts, TargetFacts } from '../../../src/store/port/records.ts';
import { aDeviceToEdit, aFact, aGroupToEdit, aPolicyToEdit, NOW } from '../builders.ts';

const POLICY = { id: policyId(12), name: 'Harden SSH', digest: 'a' };
const IDENTITY = { serial: 'SN-1', uuid: 'u-1', created: NOW };
const PACKAGE = { name: 'curl', version: '8.1', severity: 'low', cves: ['CVE-1'], requiresReboot: false };
const device: Partial<DeviceFacts> = {
  identity: IDENTITY,
  osVersion: '24.04',
  lastDisconnectTime: NOW,
  needsReboot: true,
  missing: ['curl'],
  packages: [PACKAGE],
};
const policy = { name: 'Harden SSH', type: 'custom', status: 0, digest: 'a' };
const editable = { policies: [POLICY] };
const removal = { policies: [POLICY], queued: [{ id: queueEntryId(1), type: 'Reboot' }] };
const groupRemoval = {
  devices: { count: 1, listed: [{ id: deviceId(1), name: 'web-01' }] },
  subgroups: [{ id: groupId(8), name: 'Web' }],
  policiesAfter: [POLICY],
};
const wsus = { managed: true, server: 'wsus' };

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
function otherValue(was: string): fc.Arbitrary<unknown> {
  const value: unknown = JSON.parse(was);
  if (typeof value === 'boolean') return fc.constantFrom(!value, null);
  if (typeof value === 'number') return fc.integer({ min: value + 1, max: value + 9 });
  if (Array.isArray(value)) return fc.constant(value.length === 0 ? ['x'] : []);
  return fc.string({ minLength: 1, maxLength: 3 }).filter((text) => text !== value);
}

/** Facts of another kind of request, which is no change of a value. */
const isAbsentPart = ([path, value]: readonly [string, string]) =>
  value === 'null' && ['policy', 'editable', 'group', 'current'].includes(path);

const withField = fc
  .constantFrom(...CASES)
  .chain(([action, facts]) =>
    fc.record({
      action: fc.constant(action),
      facts: fc.constant(facts),
      field: fc.constantFrom(...[...sealedFields(facts)].filter((field) => !isAbsentPart(field))),
      isRollout: fc.boolean(),
    }),
  )
  .chain(({ field: [path, was], ...one }) => otherValue(was).map((value) => ({ ...one, path, value })));

const listed = (path: string) =>
  MAY_CHANGE.some(({ fields }) => fields.some((field) => isWithin(path, field)));

describe('everything sealed', () => {
  it('is drift where it changes, but for the fields that the list names (property)', () => {
    fc.assert(
      fc.property(withField, ({ action, facts, path, value, isRollout }) => {
        const now = changed(facts, path, value);
        expect(driftOf(action, facts, facts, isRollout)).toEqual([]);
        if (!listed(path)) expect(driftOf(action, facts, now, isRollout)).not.toEqual([]);
        expect(seal({ action, targets: [now] })).not.toBe(seal({ action, targets: [facts] }));
      }),
      { numRuns: 1_500 },
    );
  });

  it('is drift though nobody named the field', () => {
    const [before, now] = [1, 2].map((value) => ({ ...aFact(device), aNewFact: { inside: value } }));
    if (before === undefined || now === undefined) throw new Error('two');
    expect(driftOf({ kind: 'scan' }, before, now)).toEqual([
      { kind: 'fact', name: 'web-01', field: 'aNewFact.inside' },
    ]);
  });

  it('has a reason for each field that may change', () => {
    for (const { why, fields } of MAY_CHANGE) {
      expect(why).toMatch(/\.$/);
      expect(fields.length).toBeGreaterThan(0);
    }
  });

  it('is kept by the store, whole', () => {
    for (const [, facts] of CASES) expect(targetFactsSchema.parse(structuredClone(facts))).toEqual(facts);
  });
});

describe('what stood in the seal and in no drift', () => {
  const ofDevice = (change: Partial<DeviceFacts>, action: FleetAction = { kind: 'reboot' }) =>
    driftOf(action, aFact(device), aFact({ ...device, ...change }));

  it.each<[string, Partial<DeviceFacts>, FleetAction, string]>([
    ['exclusion from reports', { exception: true }, { kind: 'reboot' }, 'exception'],
    ['a deferral', { deferred: true }, { kind: 'patch-all' }, 'deferred'],
    ['a reboot that is no longer required', { needsReboot: false }, { kind: 'reboot' }, 'reboot-done'],
  ])('%s returns the request', (_what, change, action, word) => {
    expect(JSON.stringify(ofDevice(change, action))).toContain(word);
  });

  it.each([
    ['version', { version: '8.2' }],
    ['severity', { severity: 'critical' }],
    ['cves', { cves: ['CVE-1', 'CVE-2'] }],
    ['requiresReboot', { requiresReboot: true }],
  ] as const)('the %s of a package does', (fact, change) => {
    const packages = [{ ...PACKAGE, ...change }];
    expect(ofDevice({ packages }, { kind: 'patch', packages: ['curl'] })).toMatchObject([
      { kind: 'package-changed', package: 'curl', fact },
    ]);
  });

  it('the policies of the group that a device moves to do', () => {
    const move: FleetAction = { kind: 'device-edit', change: { groupId: groupId(10) } };
    const drift = (policies: NonNullable<DeviceFacts['editable']>['policies'] = []) =>
      driftOf(move, aDeviceToEdit(device, editable), aDeviceToEdit(device, { policies }));
    const named = { id: POLICY.id, name: POLICY.name };
    expect(drift([])).toEqual([{ kind: 'policy-applies', policy: named, applies: false }]);
    expect(drift([POLICY, { ...POLICY, id: policyId(13) }])).toMatchObject([
      { kind: 'policy-applies', policy: { id: 13 }, applies: true },
    ]);
    expect(drift([{ ...POLICY, digest: 'b' }])).toEqual([
      { kind: 'policy-changed', policy: named, shown: true },
    ]);
    expect(drift([{ ...POLICY, digest: null }])).toMatchObject([{ kind: 'policy-changed', shown: false }]);
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
