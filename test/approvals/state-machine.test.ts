import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { APPROVAL_EXPIRY_MS } from '../../src/approvals/rules.ts';
import { type ApprovalEvent, transition } from '../../src/approvals/state-machine.ts';
import { later } from '../../src/lib/clock.ts';
import { operationId, type PersonId } from '../../src/lib/ids.ts';
import type { ApprovalRecord } from '../../src/store/port/records.ts';
import { ALICE, aFact, anApproval, BOB, NOW } from './builders.ts';

const OPERATION = operationId('o_1');
const SEAL = 'seal-1';

const CASES = {
  waiting: anApproval(),
  overdue: anApproval({ expiresAt: NOW }),
  approved: anApproval({ state: 'approved', decidedBy: BOB, decidedAt: NOW }),
  claimed: anApproval({ state: 'approved', decidedBy: BOB, decidedAt: NOW, operationId: OPERATION }),
  denied: anApproval({ state: 'denied', decidedBy: BOB, decidedAt: NOW }),
  expired: anApproval({ state: 'expired', decidedAt: NOW }),
  withdrawn: anApproval({ state: 'withdrawn', decidedBy: ALICE, decidedAt: NOW }),
} satisfies Record<string, ApprovalRecord>;

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
  'Slack refuses the card': { kind: 'unposted', note: 'no channel' },
  'facts have changed': {
    kind: 'drift',
    targets: [aFact({ connected: false })],
    seal: 'seal-2',
    note: 'offline',
  },
  'nothing is left to ask': { kind: 'end-unsent', operationId: OPERATION },
  'an operation claims it': { kind: 'claim', operationId: OPERATION },
} satisfies Record<string, ApprovalEvent>;

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
  approved: {
    'facts have changed': 'waiting',
    'nothing is left to ask': 'approved',
    'an operation claims it': 'approved',
  },
  claimed: {},
  denied: {},
  expired: {},
  withdrawn: {},
} satisfies Record<keyof typeof CASES, Partial<Record<keyof typeof EVENTS, string>>>;

const EXPECTED = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(HAPPENS).map(([name, happens]) => [name, new Map(Object.entries(happens))]),
);
const TABLE = Object.entries(CASES).flatMap(([name, approval]) =>
  Object.entries(EVENTS).map(([what, event]) => ({ name, what, approval, event })),
);

describe('every event in every state', () => {
  it.each(TABLE)('$name: $what', ({ name, what, approval, event }) => {
    const result = transition(approval, event, NOW);
    const became = result.kind === 'next' ? result.approval.state : `refused: ${result.outcome.kind}`;
    expect(became).toBe(EXPECTED.get(name)?.get(what) ?? 'refused: already');
    if (result.kind === 'next') expect(result.approval.version).toBe(approval.version + 1);
  });
});

describe('what a refusal says', () => {
  it('names who decided, what and when', () => {
    const result = transition(CASES.denied, EVENTS['an approver approves'], later(NOW, 5));
    expect(result).toEqual({
      kind: 'refused',
      outcome: { kind: 'already', approval: CASES.denied, state: 'denied', by: BOB, at: NOW },
    });
  });

  it('calls an overdue request expired before the sweep has come', () => {
    const result = transition(CASES.overdue, approve, later(NOW, 5));
    expect(result).toEqual({
      kind: 'refused',
      outcome: { kind: 'already', approval: CASES.overdue, state: 'expired', by: null, at: NOW },
    });
  });

  it('names the role that is needed', () => {
    const result = transition(CASES.waiting, EVENTS['a viewer approves'], NOW);
    expect(result).toEqual({
      kind: 'refused',
      outcome: { kind: 'not-allowed', need: 'approver', role: 'viewer' },
    });
  });
});

describe('what changes', () => {
  it('an approval counts until the last millisecond before it expires', () => {
    const waiting = CASES.waiting;
    expect(transition(waiting, approve, later(waiting.expiresAt, -1)).kind).toBe('next');
    expect(transition(waiting, approve, waiting.expiresAt).kind).toBe('refused');
    expect(transition(waiting, { kind: 'expire' }, later(waiting.expiresAt, -1)).kind).toBe('refused');
  });

  it('changed facts replace targets, seal, note and time, and clear the decision', () => {
    const at = later(NOW, 60_000);
    const result = transition(CASES.approved, EVENTS['facts have changed'], at);
    expect(result).toMatchObject({
      kind: 'next',
      approval: {
        state: 'waiting',
        targets: [{ connected: false }],
        seal: 'seal-2',
        note: 'offline',
        expiresAt: at + APPROVAL_EXPIRY_MS,
        decidedBy: null,
        decidedAt: null,
      },
    });
  });

  it('a reason changes nothing that is sealed', () => {
    const result = transition(CASES.waiting, EVENTS['the requester adds a reason'], NOW);
    expect(result).toEqual({ kind: 'next', approval: { ...CASES.waiting, version: 2, reason: 'kernel' } });
  });
});

describe('any sequence of events', () => {
  const person = fc.constantFrom<PersonId>(ALICE, BOB);
  const role = fc.constantFrom('viewer', 'operator', 'approver', 'admin', null);
  const sealText = fc.constantFrom('seal-1', 'seal-2');
  const event: fc.Arbitrary<ApprovalEvent> = fc.oneof(
    fc.record({ kind: fc.constantFrom('approve', 'deny'), by: person, role, seal: sealText }),
    fc.record({ kind: fc.constant('withdraw'), by: person }),
    fc.record({ kind: fc.constant('add-reason'), by: person, reason: fc.string() }),
    fc.record({ kind: fc.constant('expire') }),
    fc.record({ kind: fc.constant('unposted'), note: fc.string() }),
    fc.record({
      kind: fc.constant('drift'),
      targets: fc.constant([aFact()]),
      seal: sealText,
      note: fc.string(),
    }),
    fc.record({ kind: fc.constantFrom('claim', 'end-unsent'), operationId: fc.constant(OPERATION) }),
  );
  const events = fc.array(fc.tuple(event, fc.integer({ min: 0, max: APPROVAL_EXPIRY_MS })), {
    maxLength: 40,
  });

  /** All approvals of the sequence, with the event that led to each. */
  const walk = (given: readonly (readonly [ApprovalEvent, number])[]) => {
    let approval = anApproval();
    let now = NOW;
    const seen: {
      readonly before: ApprovalRecord;
      readonly event: ApprovalEvent;
      readonly after: ApprovalRecord;
    }[] = [];
    for (const [next, ms] of given) {
      now = later(now, ms);
      const result = transition(approval, next, now);
      if (result.kind === 'refused') continue;
      seen.push({ before: approval, event: next, after: result.approval });
      approval = result.approval;
    }
    return seen;
  };

  it('claims at most once, and never after it was denied, expired or withdrawn', () => {
    fc.assert(
      fc.property(events, (given) => {
        const seen = walk(given);
        const claims = seen.filter(({ event: { kind } }) => kind === 'claim' || kind === 'end-unsent');
        expect(claims.length).toBeLessThanOrEqual(1);
        for (const { before } of claims) expect(before.state).toBe('approved');
        const end = seen.findIndex(({ after }) => ['denied', 'expired', 'withdrawn'].includes(after.state));
        if (end !== -1) expect(seen).toHaveLength(end + 1);
      }),
    );
  });

  it('is approved again only after changed facts sent it back', () => {
    fc.assert(
      fc.property(events, (given) => {
        const kinds = walk(given).map(({ event: { kind } }) => kind);
        const decisions = kinds.filter((kind) => kind === 'approve' || kind === 'drift');
        decisions.forEach((kind, index) => {
          expect(kind).toBe(index % 2 === 0 ? 'approve' : 'drift');
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
