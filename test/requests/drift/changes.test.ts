/** What each change between the card and the call is called, and which are none. */

import { describe, expect, it } from 'vitest';
import {
  type DeviceFacts,
  type GroupFacts,
  sealedFields,
  type TargetFacts,
  targetFactsSchema,
} from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { seal } from '../../../src/requests/decide/seal.ts';
import { isWithin, MAY_CHANGE } from '../../../src/requests/drift/may-change.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import type { Drift } from '../../../src/store/port/evidence.ts';
import { aDeviceToEdit, aFact, aGroupToEdit, aPolicyToEdit, NOW } from '../builders.ts';
import { reboot } from '../requests-setup.ts';

const POLICY = { id: policyId(12), name: 'Harden SSH', digest: 'a' };
const IDENTITY = { serial: 'SN-1', uuid: 'u-1', created: NOW };
const PACKAGE = { name: 'curl', version: '8.1', severity: 'low', cves: ['CVE-1'], requiresReboot: false };
const device: Partial<DeviceFacts> = {
  identity: IDENTITY,
  osVersion: '24.04',
  lastDisconnectTime: NOW,
  needsReboot: true,
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
const all = { kind: 'patch-all' } as const;
const patch = { kind: 'patch', packages: ['curl'] } as const;
const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
const AFTER = later(NOW, 1);
const away = { lastDisconnectTime: AFTER };
const hidden = { policy: { ...policy, digest: null } };
const named = (name: string) => ({ ...PACKAGE, name });
const renamed = { hostname: 'db-01', displayName: 'db-01' };
const nameless = { groupId: groupId(10), groupName: null };
const missing = { packages: [named('bash'), named('zlib'), named('zlib')] };
const asNine = { ...PACKAGE, version: '9' };

/** Beside the facts that all have. */
type OfDevice = readonly [string, FleetAction, Partial<DeviceFacts>, Partial<DeviceFacts>, ...string[]];
const OF_DEVICES: readonly OfDevice[] = [
  ['a reboot that is no longer required', reboot, {}, { needsReboot: false }, 'needsReboot: true → false'],
  ['a reboot that is required now', reboot, { needsReboot: false }, {}],
  ['a reboot of which nobody says whether it is required', reboot, {}, { needsReboot: null }],
  ['a disconnect, and a return', reboot, {}, away, `lastDisconnectTime: ${NOW} → ${AFTER}`],
  ['a first one', reboot, { lastDisconnectTime: null }, away, `lastDisconnectTime:  → ${AFTER}`],
  ['an earlier one', reboot, { lastDisconnectTime: null }, { lastDisconnectTime: NOW }],
  ['one that lasts', reboot, {}, { ...away, connected: false }, 'connected: true → false'],
  ['one that matters to no other command', patch, {}, away],
  ['another hostname, by which it is shown', reboot, {}, renamed, 'hostname: web-01 → db-01'],
  ['a system that is not named for a moment', patch, {}, { osName: null, osVersion: null }],
  ['a group that cannot be named', reboot, {}, nameless, 'groupId: Servers (#9) → #10 (name unknown)'],
  ['exclusion from reports', reboot, {}, { exception: true }, 'exception:  → true'],
  ['what is missing, and what is no longer', all, {}, missing, 'packages: +bash,zlib -curl'],
  [
    'all that is known of a package',
    patch,
    {},
    { packages: [{ ...asNine, severity: null, cves: ['CVE-2', 'CVE-1'], requiresReboot: true }] },
    'packages.version of curl: 8.1 → 9',
    'packages.severity of curl: low → ',
    'packages.cves of curl: CVE-1 → CVE-1, CVE-2',
    'packages.requiresReboot of curl: false → true',
  ],
  ['a remediation that is pending', remediate, { policy }, { policy: { ...policy, status: 2 } }],
  [
    'rules that are met, and run something else',
    remediate,
    { policy },
    { policy: { ...policy, status: 1, digest: 'b' } },
    'policy.status: 0 → 1',
    'policy.digest of Harden SSH (#12): null → null',
  ],
  ['what nobody can see the same policy run', remediate, hidden, hidden, 'hidden: Harden SSH'],
  ['what nobody can see any more', remediate, { policy }, hidden, 'hidden: Harden SSH'],
];

const move = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;
const groupEdit = {
  kind: 'group-edit',
  groupId: groupId(5),
  change: { parentId: groupId(8), policyIds: [policyId(12)] },
} as const;
const groupRemove = { kind: 'group-remove', groupId: groupId(5) } as const;
const policyEdit = {
  kind: 'policy-edit',
  policyId: policyId(3),
  change: { time: '03:00', settings: { autoReboot: true } },
} as const;
const other = { ...POLICY, digest: 'b' };
const schedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '04:00', timezone: 'device' };
const toMove = (editable?: Parameters<typeof aDeviceToEdit>[1]) => aDeviceToEdit(device, editable);
const group = (policies: GroupFacts['policies'], change: Partial<GroupFacts> = {}) =>
  aGroupToEdit({ policies, ...change });
const removed = (change: Partial<typeof groupRemoval> = {}) =>
  aGroupToEdit({ removal: { ...groupRemoval, ...change } });
const many = (...listed: typeof groupRemoval.devices.listed) => removed({ devices: { count: 900, listed } });
const { listed } = groupRemoval.devices;
const unnamed = aDeviceToEdit(
  { ...device, connected: false, lastLoggedInUser: 'dave', asOf: AFTER },
  { tags: ['new'] },
);
const shop = aDeviceToEdit({ ...device, displayName: 'shop' }, { customName: 'shop' });
const kiosk = { id: deviceId(7), name: 'kiosk-07' };
const KIOSK = 'removal.devices.listed: +kiosk-07 (#7) -';
const SWAPPED = 'removal.devices.listed: +kiosk-07 (#7) -web-01 (#1)';

type OfEdit = readonly [string, FleetAction, TargetFacts, TargetFacts, ...string[]];
const OF_EDITS: readonly OfEdit[] = [
  [
    'the policies that a device gets with its group',
    move,
    toMove({ policies: [POLICY] }),
    toMove({ policies: [{ ...POLICY, id: policyId(13) }] }),
    'editable.policies: +Harden SSH (#13) -Harden SSH (#12)',
  ],
  [
    'what such a policy runs',
    move,
    toMove({ policies: [POLICY] }),
    toMove({ policies: [other] }),
    'editable.policies.digest of Harden SSH (#12): null → null',
  ],
  ['where it goes', move, toMove(), toMove({ intoGroup: null }), 'editable.intoGroup: Laptops → '],
  ['what an edit does not name, or what does not matter to a record', move, toMove(), unnamed],
  ['a custom name, which an edit of tags does not name', tag, toMove(), shop, 'displayName: web-01 → shop'],
  ['its tags', tag, toMove(), toMove({ tags: ['old', 'new'] }), 'editable.tags: +new -'],
  [
    'what a policy runs that a group gets',
    groupEdit,
    group([POLICY]),
    group([other]),
    'policies.digest of Harden SSH (#12): null → null',
  ],
  [
    'a parent that is named otherwise',
    groupEdit,
    group([POLICY]),
    group([POLICY], { parentName: 'Attic' }),
    'parentName: Servers → Attic',
  ],
  [
    'more that goes with a group',
    groupRemove,
    removed(),
    removed({ devices: { count: 2, listed: [...listed, kiosk] }, subgroups: [], policiesAfter: [] }),
    'removal.policiesAfter: + -Harden SSH (#12)',
    'removal.devices.count: 1 → 2',
    KIOSK,
  ],
  [
    'another of as many',
    groupRemove,
    removed(),
    removed({ devices: { count: 1, listed: [kiosk] } }),
    SWAPPED,
  ],
  ['less', groupRemove, removed(), removed({ devices: { count: 0, listed: [] }, subgroups: [] })],
  ['which could be listed of too many', groupRemove, many(), many(kiosk)],
  [
    'what a policy does, in words and in its digest',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({}, { schedule, digest: 'decade' }),
    'current.schedule.time: 02:00 → 04:00',
  ],
  [
    'a script, beside a note that the edit does not name',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({}, { notes: 'x', digest: 'decade' }),
    'current.digest: null → null',
  ],
  [
    'how many devices it reaches',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({ devices: 34 }),
    'devices: 4 → 34',
  ],
];

/** Each change in a line, with the thing that it is about where that is not the target. */
const told = (changes: readonly Drift[], target: TargetFacts) =>
  changes.map((one) => {
    switch (one.kind) {
      case 'changed': {
        const about = one.item ?? (one.name === target.displayName ? null : one.name);
        return `${one.field}${about === null ? '' : ` of ${about}`}: ${one.was} → ${one.now}`;
      }
      case 'listed':
        return `${one.field}: +${one.added.join()} -${one.removed.join()}`;
      case 'policy-hidden':
        return `hidden: ${one.policy}`;
      default:
        return one.kind;
    }
  });

describe('what changed since the card', () => {
  const of = (facts: Partial<DeviceFacts>) => aFact({ ...device, ...facts });
  const rows = [
    ...OF_EDITS,
    ...OF_DEVICES.map(([what, action, before, after, ...expected]): OfEdit => {
      return [what, action, of(before), of(after), ...expected];
    }),
  ];
  for (const [what, action, before, after, ...expected] of rows)
    it(what, () => {
      expect(told(driftOf(action, before, after), before)).toEqual(expected);
    });

  it('which version of a package is the severe one', () => {
    const [before, after] = [
      [PACKAGE, { ...asNine, severity: 'high' }],
      [{ ...PACKAGE, severity: 'high' }, asNine],
    ].map((packages) => of({ packages }));
    if (before === undefined || after === undefined) throw new Error('two');
    expect(driftOf(patch, before, after)).toMatchObject([
      { field: 'packages', item: null, was: null, now: null },
    ]);
  });
});

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
