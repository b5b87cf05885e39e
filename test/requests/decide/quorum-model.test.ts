/** Who agreed to a request, against a model that tries every way to seat people. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { type PersonId, personId, type UserGroupId, userGroupId } from '../../../src/lib/ids.ts';
import { nudged } from '../../../src/requests/decide/nudges.ts';
import { type RequestEvent, transition } from '../../../src/requests/decide/state-machine.ts';
import type { Demand, Quorum } from '../../../src/rules/quorum.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { EXPIRY_MS } from '../../harness/rules.ts';
import { ALICE, aRequest, NOW } from '../builders.ts';

const PEOPLE = [ALICE, ...['B', 'C', 'D', 'E', 'F'].map((name) => personId(`U0${name}`))];
const GROUPS = ['S0DBA', 'S0SEC'].map(userGroupId);

const from = fc.record({
  people: fc.subarray(PEOPLE, { maxLength: 2 }),
  userGroups: fc.subarray(GROUPS, { minLength: 1 }),
});
const quorum: fc.Arbitrary<Quorum> = fc.record({
  from: fc.option(from, { nil: null }),
  count: fc.integer({ min: 1, max: 2 }),
});
const demand: fc.Arbitrary<Demand> = fc.record({
  rule: fc.constantFrom('one', 'two', null),
  devices: fc.constant(1),
  quorums: fc.array(quorum, { minLength: 1, maxLength: 2 }),
  remindMs: fc.constant(null),
  escalate: fc.option(fc.record({ afterMs: fc.constant(MINUTE), to: from }), { nil: null }),
});
const asked = fc.record({
  kind: fc.constant('asked' as const),
  digest: fc.string({ maxLength: 1 }),
  demands: fc.array(demand, { minLength: 1, maxLength: 2 }),
});
const refused = fc.constant({ kind: 'refused' as const, rules: [{ name: 'freeze', because: 'Not now.' }] });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('approve', 'approve', 'approve', 'deny'),
      by: fc.constantFrom(...PEOPLE),
      role: fc.constant('approver' as const),
      isStale: fc.boolean(),
      groups: fc.subarray(GROUPS),
      asked: fc.option(fc.oneof(asked, refused), { nil: undefined, freq: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('ask-anew'), asked: fc.oneof(asked, refused) }),
  fc.record({ kind: fc.constant('return'), demands: fc.array(demand, { minLength: 1, maxLength: 2 }) }),
  fc.record({ kind: fc.constant('escalate') }),
  fc.record({ kind: fc.constant('expire') }),
);

type Agreed = ReadonlyMap<PersonId, readonly UserGroupId[]>;

/** Tries every assignment of people to the seats of a rule. */
function canBeSeated({ quorums }: Demand, agreed: Agreed): boolean {
  const seats = quorums.flatMap(({ from: whose, count }) => Array.from({ length: count }, () => whose));
  const sit = (at: number, left: readonly PersonId[]): boolean => {
    if (at === seats.length) return true;
    const whose = seats[at] ?? null;
    return left.some((person) => {
      const groups = agreed.get(person) ?? [];
      const fits =
        whose === null || whose.people.includes(person) || whose.userGroups.some((id) => groups.includes(id));
      return (
        fits &&
        sit(
          at + 1,
          left.filter((one) => one !== person),
        )
      );
    });
  };
  return sit(0, [...agreed.keys()]);
}

it('runs only by the press that completes it, by people who are not its requester, by the rules of that press', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(demand, { minLength: 1, maxLength: 2 }),
      (steps, demands) => {
        let request: RequestRecord = aRequest();
        request = { ...request, rules: { ...request.rules, demands, since: NOW } };
        let agreed = new Map<PersonId, readonly UserGroupId[]>();
        let now = NOW;
        let runs = 0;
        for (const given of steps) {
          now = later(now, 1_000);
          if (given.kind === 'escalate') {
            const { rules } = nudged(request.rules, later(now, MINUTE));
            request = { ...request, rules };
            continue;
          }
          const event = eventOf(given, request);
          const result = transition(request, event, now);
          if (result.kind === 'refused') continue;
          const before = request;
          request = result.request;
          if (event.kind === 'return') agreed = new Map();
          if (event.kind === 'ask-anew') expect(request.state).toBe(before.state);
          if (event.kind !== 'approve') continue;
          agreed.set(event.by, event.groups ?? []);
          expect(event.by).not.toBe(ALICE);
          expect(event.asked?.kind).not.toBe('refused');
          const isComplete = request.rules.demands.every((one) => canBeSeated(one, agreed));
          expect(request.state).toBe(isComplete ? 'approved' : 'waiting');
          if (isComplete) runs += 1;
        }
        if (['denied', 'expired'].includes(request.state)) expect(request.decidedAt).not.toBeNull();
        expect(runs).toBeLessThanOrEqual(1 + steps.filter(({ kind }) => kind === 'return').length);
      },
    ),
  );
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function eventOf(given: Exclude<Step, { readonly kind: 'escalate' }>, { seal }: RequestRecord): RequestEvent {
  const now = seal ?? '';
  switch (given.kind) {
    case 'ask-anew':
      return { kind: 'ask-anew', seal, asked: given.asked };
    case 'return': {
      const asks = { digest: '', demands: given.demands, expiresMs: EXPIRY_MS };
      return { kind: 'return', seal: `${now}+`, note: { kind: 'unposted', why: 'changed' }, asks };
    }
    case 'expire':
      return { kind: 'expire' };
    default:
      return { ...given, seal: given.isStale ? 'older' : now };
  }
}
