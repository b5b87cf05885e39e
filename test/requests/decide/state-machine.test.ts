import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackageFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId, type PersonId, personId, policyId, requestId } from '../../../src/lib/ids.ts';
import { severalPage } from '../../../src/requests/decide/decision-windows.ts';
import { summarizeTargets } from '../../../src/requests/decide/record-request.ts';
import { needsApproval } from '../../../src/requests/decide/rules.ts';
import { fingerprint, seal } from '../../../src/requests/decide/seal.ts';
import { type RequestEvent, transition } from '../../../src/requests/decide/state-machine.ts';
import { topCounts } from '../../../src/rollout/summary.ts';
import type { RequestNote } from '../../../src/store/port/evidence.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest as aFullRequest, someFacts, somePackages } from '../../harness/records.ts';
import { ASKS_ANEW, EXPIRY_MS } from '../../harness/rules.ts';
import { ALICE, aFact, aRequest, BOB, NOW } from '../builders.ts';
import { reboot } from '../requests-setup.ts';

const SEAL = 'seal-1';
const UNPOSTED = { kind: 'unposted', why: 'no channel' } as const;
const DRIFTED = {
  kind: 'drifted',
  subject: 'device',
  changes: [{ kind: 'changed', name: 'web-01', field: 'connected', item: null, was: true, now: false }],
  more: 0,
} as const satisfies RequestNote;

const CASES = {
  waiting: aRequest(),
  overdue: aRequest({ expiresAt: NOW }),
  approved: aRequest({ state: 'approved', decidedBy: BOB, decidedAt: NOW }),
  'approved by nobody': aRequest({ state: 'approved', expiresAt: null, seal: null }),
  running: aRequest({ state: 'running', decidedBy: BOB, decidedAt: NOW }),
  ended: aRequest({ state: 'ended', decidedBy: BOB, decidedAt: NOW }),
  denied: aRequest({ state: 'denied', decidedBy: BOB, decidedAt: NOW }),
  expired: aRequest({ state: 'expired', decidedAt: NOW }),
  withdrawn: aRequest({ state: 'withdrawn', decidedBy: ALICE, decidedAt: NOW }),
} satisfies Record<string, RequestRecord>;

const approve = { kind: 'approve', by: BOB, role: 'approver', seal: SEAL } as const;
const EVENTS = {
  'an approver approves': approve,
  'an admin approves': { ...approve, role: 'admin' },
  'an approver approves another seal': { ...approve, seal: 'seal-0' },
  'an operator approves': { ...approve, role: 'operator' },
  'a viewer approves': { ...approve, role: 'viewer' },
  'somebody without a role approves': { ...approve, role: null },
  'the requester approves': { ...approve, by: ALICE, role: 'admin' },
  'an approver denies': { ...approve, kind: 'deny' },
  'an approver denies another seal': { ...approve, kind: 'deny', seal: 'seal-0' },
  'a viewer denies': { ...approve, kind: 'deny', role: 'viewer' },
  'the requester denies': { ...approve, kind: 'deny', by: ALICE },
  'the requester withdraws': { kind: 'withdraw', by: ALICE },
  'somebody else withdraws': { kind: 'withdraw', by: BOB },
  'the requester adds a reason': { kind: 'add-reason', by: ALICE, reason: 'kernel' },
  'somebody else adds a reason': { kind: 'add-reason', by: BOB, reason: 'kernel' },
  'the sweep comes': { kind: 'expire' },
  'Slack refuses the card': { kind: 'unposted', note: UNPOSTED },
  'a file asks for others': { kind: 'ask-anew', seal: SEAL, asked: { kind: 'asked', ...ASKS_ANEW } },
  'a file asks for nobody': {
    kind: 'ask-anew',
    seal: SEAL,
    asked: { kind: 'asked', digest: '', demands: [] },
  },
  'a file judged another seal': {
    kind: 'ask-anew',
    seal: 'seal-0',
    asked: { kind: 'asked', ...ASKS_ANEW },
  },
  'a file refuses it': {
    kind: 'ask-anew',
    seal: SEAL,
    asked: { kind: 'refused', rules: [{ name: 'freeze', because: 'Not now.' }] },
  },
  'facts have changed': { kind: 'return', seal: 'seal-2', note: DRIFTED, asks: ASKS_ANEW },
} satisfies Record<string, RequestEvent>;

/** A file alone decides nothing, also where it asks for nobody. */
const STILL_WAITING = {
  'a file asks for others': 'waiting',
  'a file asks for nobody': 'waiting',
  'a file refuses it': 'waiting',
} as const;

/** The next state, or the refusal. Combinations not listed are refused as `already`. */
const HAPPENS = {
  waiting: {
    'an approver approves': 'approved',
    'an admin approves': 'approved',
    'an approver approves another seal': 'refused: stale-card',
    'an operator approves': 'refused: not-allowed',
    'a viewer approves': 'refused: not-allowed',
    'somebody without a role approves': 'refused: not-allowed',
    'the requester approves': 'refused: own-request',
    'an approver denies': 'denied',
    'an approver denies another seal': 'refused: stale-card',
    'a viewer denies': 'refused: not-allowed',
    'the requester denies': 'refused: own-request',
    'the requester withdraws': 'withdrawn',
    'somebody else withdraws': 'refused: not-requester',
    'the requester adds a reason': 'waiting',
    'somebody else adds a reason': 'refused: not-requester',
    'Slack refuses the card': 'withdrawn',
    ...STILL_WAITING,
  },
  overdue: { 'the sweep comes': 'expired', 'Slack refuses the card': 'withdrawn', ...STILL_WAITING },
  approved: { 'facts have changed': 'waiting' },
  'approved by nobody': {},
  running: {},
  ended: {},
  denied: {},
  expired: {},
  withdrawn: {},
} satisfies Record<keyof typeof CASES, Partial<Record<keyof typeof EVENTS, string>>>;

const EXPECTED = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(HAPPENS).map(([name, happens]) => [name, new Map(Object.entries(happens))]),
);
const TABLE = Object.entries(CASES).flatMap(([name, request]) =>
  Object.entries(EVENTS).map(([what, event]) => ({ name, what, request, event })),
);

describe('every event in every state', () => {
  it.each(TABLE)('$name: $what', ({ name, what, request, event }) => {
    const result = transition(request, event, NOW);
    const became = result.kind === 'next' ? result.request.state : `refused: ${result.refusal.kind}`;
    expect(became).toBe(EXPECTED.get(name)?.get(what) ?? 'refused: already');
    if (result.kind === 'next') expect(result.request.version).toBe(request.version + 1);
  });
});

describe('what a refusal says', () => {
  it('names who decided, what and when', () => {
    const result = transition(CASES.denied, EVENTS['an approver approves'], later(NOW, 5));
    const refusal = { kind: 'already', state: 'denied', by: BOB, at: NOW };
    expect(result).toEqual({ kind: 'refused', refusal });
  });

  it('calls an overdue request expired before the sweep has come', () => {
    const result = transition(CASES.overdue, approve, later(NOW, 5));
    const refusal = { kind: 'already', state: 'expired', by: null, at: NOW };
    expect(result).toEqual({ kind: 'refused', refusal });
  });

  it('names the role that is needed', () => {
    const result = transition(CASES.waiting, EVENTS['a viewer approves'], NOW);
    const refusal = { kind: 'not-allowed', need: 'approver', role: 'viewer' };
    expect(result).toEqual({ kind: 'refused', refusal });
  });
});

describe('what changes', () => {
  it('an approval counts until the last millisecond before it expires', () => {
    const { waiting } = CASES;
    const end = later(NOW, EXPIRY_MS);
    expect(transition(waiting, approve, later(end, -1)).kind).toBe('next');
    expect(transition(waiting, approve, end).kind).toBe('refused');
    expect(transition(waiting, { kind: 'expire' }, later(end, -1)).kind).toBe('refused');
  });

  it('changed facts replace seal, note and time, and the decision becomes the previous one', () => {
    const at = later(NOW, 60_000);
    const approved = { ...CASES.approved, comment: 'After lunch.' };
    const result = transition(approved, EVENTS['facts have changed'], at);
    const undecided = { state: 'waiting', decidedBy: null, decidedAt: null, comment: null };
    const renewed = { seal: 'seal-2', note: DRIFTED, expiresAt: at + EXPIRY_MS };
    const request = { ...undecided, ...renewed, approvedBy: BOB, approvedAt: NOW };
    expect(result).toMatchObject({ kind: 'next', request });
  });

  it('a reason changes nothing that is sealed', () => {
    const result = transition(CASES.waiting, EVENTS['the requester adds a reason'], NOW);
    expect(result).toEqual({ kind: 'next', request: { ...CASES.waiting, version: 2, reason: 'kernel' } });
  });
});

describe('any sequence of events', () => {
  const person = fc.constantFrom<PersonId>(ALICE, BOB);
  const role = fc.constantFrom('viewer', 'operator', 'approver', 'admin', null);
  const sealText = fc.constantFrom('seal-1', 'seal-2');
  const event: fc.Arbitrary<RequestEvent> = fc.oneof(
    fc.record({ kind: fc.constantFrom('approve', 'deny'), by: person, role, seal: sealText }),
    fc.record({ kind: fc.constant('withdraw'), by: person }),
    fc.record({ kind: fc.constant('add-reason'), by: person, reason: fc.string() }),
    fc.record({ kind: fc.constant('expire') }),
    fc.record({ kind: fc.constant('unposted'), note: fc.constant(UNPOSTED) }),
    fc.record({
      kind: fc.constant('return'),
      seal: sealText,
      note: fc.constant(DRIFTED),
      asks: fc.constant(ASKS_ANEW),
    }),
  );
  const events = fc.array(fc.tuple(event, fc.integer({ min: 0, max: EXPIRY_MS })), {
    maxLength: 40,
  });

  /** All approvals of the sequence, with the event that led to each. */
  const walk = (given: readonly (readonly [RequestEvent, number])[]) => {
    let request = aRequest();
    let now = NOW;
    const seen: {
      readonly before: RequestRecord;
      readonly event: RequestEvent;
      readonly after: RequestRecord;
    }[] = [];
    for (const [next, ms] of given) {
      now = later(now, ms);
      const result = transition(request, next, now);
      if (result.kind === 'refused') continue;
      seen.push({ before: request, event: next, after: result.request });
      request = result.request;
    }
    return seen;
  };

  it('ends for good when it is denied, withdrawn or expired', () => {
    fc.assert(
      fc.property(events, (given) => {
        const seen = walk(given);
        const end = seen.findIndex(({ after }) => ['denied', 'expired', 'withdrawn'].includes(after.state));
        if (end !== -1) expect(seen).toHaveLength(end + 1);
      }),
    );
  });

  it('is approved again only after changed facts sent it back', () => {
    fc.assert(
      fc.property(events, (given) => {
        const kinds = walk(given).map(({ event: { kind } }) => kind);
        const decisions = kinds.filter((kind) => kind === 'approve' || kind === 'return');
        decisions.forEach((kind, index) => {
          expect(kind).toBe(index % 2 === 0 ? 'approve' : 'return');
        });
      }),
    );
  });

  it('is never approved by its requester, and each change is one version', () => {
    fc.assert(
      fc.property(events, (given) => {
        for (const { before, after } of walk(given)) {
          expect(after.version).toBe(before.version + 1);
          if (after.state === 'approved') expect(after.decidedBy).not.toBe(after.requesterId);
        }
      }),
    );
  });
});

describe('the rules', () => {
  it.each([
    { kind: 'scan' },
    { kind: 'policy-test', policyId: policyId(12) },
    { kind: 'device-edit', change: { customName: 'Front door' } },
    { kind: 'device-edit', change: { customName: null } },
  ] as const)('send a $kind at once', (command) => {
    expect(needsApproval(command)).toBe(false);
  });

  it.each([
    { kind: 'reboot' },
    { kind: 'patch-all' },
    { kind: 'patch-each', chosen: null },
    { kind: 'patch', packages: ['openssl'] },
    { kind: 'policy-remediate', policyId: policyId(12) },
    { kind: 'device-edit', change: { groupId: groupId(1) } },
    { kind: 'device-edit', change: { exception: false } },
    { kind: 'device-edit', change: { tags: [] } },
    { kind: 'device-edit', change: { addresses: [] } },
    { kind: 'device-edit', change: { customName: 'x', retag: { add: ['a'], remove: [] } } },
    { kind: 'group-edit', groupId: groupId(1), change: { notes: '' } },
    { kind: 'device-remove' },
    { kind: 'group-remove', groupId: groupId(1) },
    { kind: 'group-create', group: { name: 'x', parentId: groupId(1), refreshIntervalMinutes: 1440 } },
  ] as const)('require approval for $kind', (command) => {
    expect(needsApproval(command)).toBe(true);
  });

  it('let a request wait for thirty minutes', () => {
    expect(EXPIRY_MS).toBe(1_800_000);
  });
});

const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
const other = aFact({ deviceId: deviceId(43), hostname: 'web-02' });

describe('the seal', () => {
  const sealed = seal({ action: reboot, targets: [aFact()] });

  it('is broken by another command and by another package', () => {
    const seals = [
      reboot,
      { kind: 'patch-all' } as const,
      { kind: 'patch-each', chosen: null } as const,
      { kind: 'patch-each', chosen: { severities: ['critical'], named: [] } } as const,
      patch,
      { kind: 'patch', packages: ['curl'] } as const,
      { kind: 'policy-test', policyId: policyId(12) } as const,
      { kind: 'policy-remediate', policyId: policyId(12) } as const,
      { kind: 'policy-remediate', policyId: policyId(13) } as const,
      { kind: 'device-edit', change: { groupId: groupId(9) } } as const,
      { kind: 'device-edit', change: { groupId: groupId(10) } } as const,
    ];
    expect(new Set(seals.map((action) => seal({ action, targets: [aFact()] }))).size).toBe(seals.length);
  });

  it('does not depend on when the facts were read', () => {
    expect(seal({ action: reboot, targets: [aFact({ asOf: later(NOW, 1000) })] })).toBe(sealed);
  });

  it('does not depend on the order of devices and packages', () => {
    const one = seal({
      action: patch,
      targets: [aFact({ packages: somePackages('curl', 'openssl') }), other],
    });
    const turned = { kind: 'patch', packages: ['openssl', 'curl'] } as const;
    expect(
      seal({ action: turned, targets: [other, aFact({ packages: somePackages('openssl', 'curl') })] }),
    ).toBe(one);
    const [retag, again] = [
      ['a', 'b'],
      ['b', 'a', 'b'],
    ].map((add) =>
      seal({ action: { kind: 'device-edit', change: { retag: { add, remove: [] } } }, targets: [aFact()] }),
    );
    expect(retag).toBe(again);
  });
});

describe('the fingerprint', () => {
  const print = fingerprint({ action: reboot, targets: [aFact(), other] });

  it('does not depend on the facts or the order', () => {
    const targets = [other, aFact({ hostname: 'renamed', connected: false })];
    expect(fingerprint({ action: reboot, targets })).toBe(print);
  });

  it('depends on the devices and on the command', () => {
    expect(fingerprint({ action: reboot, targets: [other] })).not.toBe(print);
    expect(fingerprint({ action: { kind: 'patch-all' }, targets: [aFact(), other] })).not.toBe(print);
    const actions = [12, 13].flatMap((id): readonly FleetAction[] => [
      { kind: 'policy-remediate', policyId: policyId(id) },
      { kind: 'device-edit', change: { groupId: groupId(id) } },
      { kind: 'group-edit', groupId: groupId(id), change: { notes: 'x' } },
    ]);
    const prints = actions.map((action) => fingerprint({ action, targets: [aFact()] }));
    expect(new Set(prints).size).toBe(actions.length);
  });

  it('is never a seal', () => {
    expect(print).not.toBe(seal({ action: reboot, targets: [aFact(), other] }));
  });
});

const SOON = instant(START + 60_000);

const aPackageFact = (name: string, over: Partial<PackageFacts> = {}): PackageFacts => ({
  name,
  version: '8.1',
  severity: 'high',
  cves: [],
  requiresReboot: false,
  ...over,
});

describe('the summary of a rollout', () => {
  it('counts what an approver should notice', () => {
    const quiet = { lastLoggedInUser: null, needsReboot: false, groupName: 'Laptops' } as const;
    const facts = [
      someFacts({ ...quiet, connected: false, exception: true, deferred: true }),
      someFacts({ ...quiet, connected: null, needsReboot: null, lastLoggedInUser: '' }),
      someFacts({ ...quiet, osFamily: 'Windows', osName: 'Server 2022 Standard', osVersion: null }),
      someFacts({ ...quiet, lastLoggedInUser: 'deploy', needsReboot: true }),
    ];
    expect(summarizeTargets(facts, SOON)).toMatchObject({
      frozenAt: START,
      offline: 1,
      loggedIn: 1,
      deferred: 1,
      excluded: 1,
      rebootPending: 1,
      servers: 1,
      groups: { top: [{ name: 'Laptops', devices: 4 }], more: 0 },
      systems: {
        top: [
          { name: 'Ubuntu 24.04', devices: 3 },
          { name: 'Windows Server 2022 Standard', devices: 1 },
        ],
      },
    });
  });

  it.each([
    [1, { osName: 'Server 2022 Standard' }],
    [1, { osName: 'SUSE Linux Enterprise Server' }],
    [1, { osName: 'Ubuntu', groupName: 'Linux servers' }],
    [1, { osName: null, groupName: 'SERVER ROOM' }],
    [0, { osName: 'Ubuntu', groupName: 'Serverless' }],
    [0, { osName: 'Red Hat Enterprise Linux', groupName: null }],
  ])('counts %d with the word server: %o', (servers, names) => {
    expect(summarizeTargets([someFacts({ groupName: null, ...names })], SOON)).toMatchObject({ servers });
  });

  it('cuts no character of a long name in half', () => {
    const facts = [someFacts({ groupName: `${'x'.repeat(79)}😀y` })];
    const [group] = summarizeTargets(facts, SOON).groups.top;
    expect(group?.name).toBe(`${'x'.repeat(79)}…`);
  });

  it('counts the devices of a package once each, and names a group by its id where it has no name', () => {
    const known = ['curl', 'curl', 'nano'].map((item) => aPackageFact(item));
    const unnamed = someFacts({ groupName: null, groupId: groupId(7), packages: known });
    const { groups, packages } = summarizeTargets(
      [unnamed, someFacts({ packages: [aPackageFact('curl')] })],
      SOON,
    );
    expect(groups.top).toContainEqual({ name: '#7', devices: 1 });
    expect(packages.top).toEqual([
      { name: 'curl 8.1', devices: 2 },
      { name: 'nano 8.1', devices: 1 },
    ]);
  });

  it('counts the packages that need a restart, their severities and their CVEs', () => {
    const facts = [['linux', 'openssl'], ['linux'], []].map((names) =>
      someFacts({
        packages: ['linux', 'openssl', 'nano'].map((item) =>
          aPackageFact(item, {
            requiresReboot: names.includes(item),
            severity: item === 'nano' ? null : names.includes('openssl') ? 'critical' : 'no_known_cves',
            cves: item === 'nano' ? [] : [`CVE-2026-${item.length}`, 'CVE-2026-1'],
          }),
        ),
      }),
    );
    const { rebootFor, severities, cves } = summarizeTargets(facts, SOON);
    expect(rebootFor.top).toEqual([
      { name: 'linux', devices: 2 },
      { name: 'openssl', devices: 1 },
    ]);
    // Worst first, however few.
    expect(severities.top).toEqual([
      { name: 'critical', devices: 1 },
      { name: 'no_known_cves', devices: 2 },
      { name: null, devices: 3 },
    ]);
    expect(cves.top).toEqual([
      { name: 'CVE-2026-1', devices: 3 },
      { name: 'CVE-2026-5', devices: 3 },
      { name: 'CVE-2026-7', devices: 3 },
    ]);
  });

  it('stays small however many devices and names there are', () => {
    const facts = Array.from({ length: 3_000 }, (_, at) =>
      someFacts({ deviceId: deviceId(at + 1), groupName: `group ${at} ${'x'.repeat(500)}` }),
    );
    const summary = summarizeTargets(facts, SOON);
    expect(summary.groups.more).toBe(2_994);
    expect(JSON.stringify(summary).length).toBeLessThan(2_000);
  });

  it('lists the most common first', () => {
    expect(topCounts(['b', null, 'a', 'b', null, 'b'])).toEqual({
      top: [
        { name: 'b', devices: 3 },
        { name: null, devices: 2 },
        { name: 'a', devices: 1 },
      ],
      more: 0,
    });
  });
});

const ME = personId('UAPPROVER');
const pageOf = (count: number, page: number) => {
  const waiting = Array.from({ length: count }, (_, at) => aFullRequest({ id: requestId(`r_${at}`) }));
  return severalPage(waiting, { person: ME, groups: [], page, now: START });
};
const idsOf = ({ rows }: ReturnType<typeof pageOf>) => rows.map(({ request: { id } }) => id);

describe('a page of a window of several', () => {
  it('leaves out what expired already, and ends after a quarter of an hour', () => {
    const expired = aFullRequest({ expiresAt: START });
    const shown = severalPage([expired, aFullRequest()], { person: ME, groups: [], page: 0, now: START });
    expect(shown).toMatchObject({ rows: [{}], page: 0, more: false, endsAt: later(START, 15 * MINUTE) });
  });

  it.each([
    [20, 0, 20, 0, false],
    [21, 0, 20, 0, true],
    [45, 1, 20, 1, true],
    [45, 2, 5, 2, false],
    // Others were decided since the button was shown.
    [20, 2, 20, 0, false],
    [0, 1, 0, 0, false],
  ])('of %i has page %i with %i rows', (count, wanted, rows, page, more) => {
    const shown = pageOf(count, wanted);
    expect(idsOf(shown)).toEqual(Array.from({ length: rows }, (_, at) => `r_${page * 20 + at}`));
    expect(shown).toMatchObject({ page, more });
  });
});
