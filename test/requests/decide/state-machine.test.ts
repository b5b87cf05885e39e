import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { later } from '../../../src/lib/clock.ts';
import type { PersonId } from '../../../src/lib/ids.ts';
import { APPROVAL_EXPIRY_MS } from '../../../src/requests/decide/rules.ts';
import { type RequestEvent, transition } from '../../../src/requests/decide/state-machine.ts';
import type { RequestNote } from '../../../src/store/port/evidence.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { ALICE, aRequest, BOB, NOW } from '../builders.ts';

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
  'facts have changed': { kind: 'return', seal: 'seal-2', note: DRIFTED },
} satisfies Record<string, RequestEvent>;

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
  },
  overdue: { 'the sweep comes': 'expired', 'Slack refuses the card': 'withdrawn' },
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
    expect(result).toEqual({
      kind: 'refused',
      refusal: { kind: 'already', state: 'denied', by: BOB, at: NOW },
    });
  });

  it('calls an overdue request expired before the sweep has come', () => {
    const result = transition(CASES.overdue, approve, later(NOW, 5));
    expect(result).toEqual({
      kind: 'refused',
      refusal: { kind: 'already', state: 'expired', by: null, at: NOW },
    });
  });

  it('names the role that is needed', () => {
    const result = transition(CASES.waiting, EVENTS['a viewer approves'], NOW);
    expect(result).toEqual({
      kind: 'refused',
      refusal: { kind: 'not-allowed', need: 'approver', role: 'viewer' },
    });
  });
});

describe('what changes', () => {
  it('an approval counts until the last millisecond before it expires', () => {
    const { waiting } = CASES;
    const end = later(NOW, APPROVAL_EXPIRY_MS);
    expect(transition(waiting, approve, later(end, -1)).kind).toBe('next');
    expect(transition(waiting, approve, end).kind).toBe('refused');
    expect(transition(waiting, { kind: 'expire' }, later(end, -1)).kind).toBe('refused');
  });

  it('changed facts replace seal, note and time, and the decision becomes the previous one', () => {
    const at = later(NOW, 60_000);
    const approved = { ...CASES.approved, comment: 'After lunch.' };
    const result = transition(approved, EVENTS['facts have changed'], at);
    expect(result).toMatchObject({
      kind: 'next',
      request: {
        state: 'waiting',
        seal: 'seal-2',
        note: DRIFTED,
        expiresAt: at + APPROVAL_EXPIRY_MS,
        decidedBy: null,
        decidedAt: null,
        comment: null,
        approvedBy: BOB,
        approvedAt: NOW,
      },
    });
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
    fc.record({ kind: fc.constant('return'), seal: sealText, note: fc.constant(DRIFTED) }),
  );
  const events = fc.array(fc.tuple(event, fc.integer({ min: 0, max: APPROVAL_EXPIRY_MS })), {
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
