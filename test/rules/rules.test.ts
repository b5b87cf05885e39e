import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../src/lib/clock.ts';
import { groupId, personId, userGroupId } from '../../src/lib/ids.ts';
import { type Approval, missing, type Quorum, unmet } from '../../src/rules/quorum.ts';
import {
  DEFAULT_ASKING,
  type Judgement,
  judge,
  type Rule,
  type RuleDevice,
  type RuleQuestion,
} from '../../src/rules/rules.ts';
import { runs } from '../harness/runs.ts';

const AT = { date: '2026-12-04', minute: 720 };
const REBOOT: RuleQuestion = { kind: 'reboot', isFree: false, size: 1, isBy: () => true, at: AT };
const DEVICE: RuleDevice = {
  groupId: groupId(1),
  tags: [],
  osFamily: 'Linux',
  osName: 'Ubuntu',
  osVersion: '24',
};
const SET = { otherwise: DEFAULT_ASKING, admin: { ...DEFAULT_ASKING, expiresMs: 60_000 } };

const tagged =
  (tag: string) =>
  ({ tags }: RuleDevice) =>
    tags?.includes(tag) ?? null;
function aRule(name: string, effect: Rule['effect'], over: Partial<Rule> = {}): Rule {
  const all = { devices: null, lostGroups: [], kinds: null, atLeast: 1, by: null, time: null };
  return { name, ...all, effect, ...over };
}
const ASK = { do: 'ask', asking: DEFAULT_ASKING } as const;
const asks = (name: string, over?: Partial<Rule>) => aRule(name, ASK, over);
const refuses = (name: string, over?: Partial<Rule>) => aRule(name, { do: 'refuse', because: 'No.' }, over);
const lets = (name: string, perHour = 100, over?: Partial<Rule>) => aRule(name, { do: 'run', perHour }, over);

const judged = (rules: readonly Rule[], question = REBOOT, devices = [[DEVICE]]) =>
  judge({ ...SET, rules }, question, devices);

/** How strict it is: the higher, the less it lets through. */
function strictness(judgement: Judgement): readonly [number, number] {
  if (judgement.kind === 'refused') return [2, judgement.devices.length];
  return judgement.kind === 'runs' ? [0, 0] : [1, judgement.demands.length];
}

describe('what holds for a device', () => {
  it('is what refuses before what asks, and that before what runs', () => {
    expect(judged([lets('lab'), asks('production'), refuses('freeze')]).kind).toBe('refused');
    expect(judged([lets('lab'), asks('production')])).toMatchObject({
      kind: 'asks',
      demands: [{ rule: 'production' }],
    });
    expect(judged([lets('lab')])).toMatchObject({
      kind: 'runs',
      by: [{ rule: 'lab', devices: 1, left: 99 }],
    });
    expect(judged([])).toMatchObject({ kind: 'asks', demands: [{ rule: null, devices: 1 }] });
    expect(judged([], { ...REBOOT, kind: 'scan', isFree: true })).toEqual({ kind: 'runs', by: [] });
  });

  it('a rule without commands covers nothing that needs nobody', () => {
    const scan = { ...REBOOT, kind: 'scan', isFree: true } as const;
    expect(judged([asks('production')], scan).kind).toBe('runs');
    expect(judged([asks('production', { kinds: new Set(['scan']) })], scan).kind).toBe('asks');
  });

  it('what is not known fits what asks and refuses, and nothing that runs', () => {
    const unknown = [[{ ...DEVICE, tags: undefined }]];
    const devices = tagged('lab');
    expect(judged([refuses('r', { devices })], REBOOT, unknown).kind).toBe('refused');
    expect(judged([asks('a', { devices })], REBOOT, unknown)).toMatchObject({ demands: [{ rule: 'a' }] });
    expect(judged([lets('l', 9, { devices })], REBOOT, unknown)).toMatchObject({ demands: [{ rule: null }] });
    const unsure = { ...REBOOT, isBy: () => null };
    const by = { people: [], userGroups: [userGroupId('S1')] };
    expect(judged([lets('l', 9, { by })], unsure).kind).toBe('asks');
    expect(judged([asks('a', { by })], unsure)).toMatchObject({ demands: [{ rule: 'a' }] });
  });

  it('an edit is judged as the device is and as it would be', () => {
    const into = [[DEVICE, { ...DEVICE, tags: ['production'] }]];
    expect(judged([asks('production', { devices: tagged('production') })], REBOOT, into)).toMatchObject({
      demands: [{ rule: 'production' }],
    });
    expect(judged([lets('lab', 9, { devices: tagged('production') })], REBOOT, into).kind).toBe('asks');
  });

  it('a rule whose group is gone asks an admin, beside what else holds', () => {
    const lostGroups = ['Kiosks'];
    for (const rule of [asks('r', { lostGroups }), refuses('r', { lostGroups })])
      expect(judged([rule])).toMatchObject({
        kind: 'asks',
        expiresMs: 60_000,
        demands: [{ rule: 'r', isLost: true }, { rule: null }],
      });
    expect(judged([lets('r', 9, { lostGroups })])).toMatchObject({ demands: [{ rule: null }] });
  });

  it('a rule lets no more through than its hour has left, and then none of them', () => {
    const three = [[DEVICE], [DEVICE], [DEVICE]];
    expect(judged([lets('lab', 3)], REBOOT, three)).toMatchObject({ kind: 'runs', by: [{ left: 0 }] });
    expect(judged([lets('lab', 2)], REBOOT, three)).toMatchObject({ demands: [{ rule: null, devices: 3 }] });
    const ran = new Map([['lab', 8]]);
    expect(judged([lets('lab', 10)], { ...REBOOT, ran }, three).kind).toBe('asks');
  });

  it('one request has the demands of all of its devices, the shortest expiry, and every reason', () => {
    const short = { ...DEFAULT_ASKING, expiresMs: 60_000, reason: /CHG-\d/u };
    const rules = [
      asks('production', { devices: tagged('production') }),
      aRule('databases', { do: 'ask', asking: short }, { devices: tagged('db') }),
    ];
    const devices = [['production'], ['db', 'production'], []].map((tags) => [{ ...DEVICE, tags }]);
    expect(judged(rules, { ...REBOOT, size: 3 }, devices)).toMatchObject({
      expiresMs: 60_000,
      reasons: [{ rule: 'databases', reason: /CHG-\d/u }],
      demands: [
        { rule: 'production', devices: 2 },
        { rule: 'databases', devices: 1 },
        { rule: null, devices: 1 },
      ],
    });
  });
});

describe('any rules', () => {
  const tag = fc.constantFrom('a', 'b');
  const rule = fc
    .record({
      name: fc.string({ minLength: 1, maxLength: 4 }),
      effect: fc.constantFrom<Rule['effect']>(
        ASK,
        { do: 'refuse', because: 'No.' },
        { do: 'run', perHour: 5 },
      ),
      on: fc.option(tag, { nil: null }),
      atLeast: fc.constantFrom(1, 3),
      isLost: fc.boolean(),
    })
    .map(({ name, effect, on, atLeast, isLost }) =>
      aRule(name, effect, {
        atLeast,
        devices: on === null ? null : tagged(on),
        lostGroups: isLost ? ['gone'] : [],
      }),
    );
  const rules = fc.uniqueArray(rule, { maxLength: 6, selector: ({ name }) => name });
  const device = fc.record({ tags: fc.option(fc.subarray(['a', 'b']), { nil: undefined }) });
  const devices = fc.array(
    device.map(({ tags }) => [{ ...DEVICE, tags }]),
    { minLength: 1, maxLength: 5 },
  );

  it('mean the same in any order', () => {
    fc.assert(
      fc.property(rules, devices, fc.nat(), (some, of, seed) => {
        const shuffled = some
          .toSorted((a, b) => ((a.name.length + seed) % 7) - ((b.name.length + seed) % 7))
          .toReversed();
        const names = (judgement: Judgement) =>
          judgement.kind === 'asks'
            ? judgement.demands.map(({ rule: of1, devices: n }) => `${of1}:${n}`).toSorted()
            : judgement.kind;
        const question = { ...REBOOT, size: of.length };
        // Which of two rules that run counts is no matter, as long as both have room.
        const ordered = some.filter(({ effect }) => effect.do !== 'run');
        const other = shuffled.filter(({ effect }) => effect.do !== 'run');
        expect(names(judged(other, question, of))).toEqual(names(judged(ordered, question, of)));
      }),
      { numRuns: runs(300) },
    );
  });

  it('let no more through with a further one that asks or refuses', () => {
    fc.assert(
      fc.property(rules, rule, devices, (some, further, of) => {
        fc.pre(further.effect.do !== 'run' && some.every(({ name }) => name !== further.name));
        const question = { ...REBOOT, size: of.length };
        const [before, after] = [judged(some, question, of), judged([...some, further], question, of)];
        const [[was], [is]] = [strictness(before), strictness(after)];
        expect(is).toBeGreaterThanOrEqual(was);
      }),
      { numRuns: runs(300) },
    );
  });

  it('let no more through where less is known', () => {
    fc.assert(
      fc.property(rules, devices, (some, of) => {
        const question = { ...REBOOT, size: of.length };
        const unknown = of.map((forms) => forms.map((one) => ({ ...one, tags: undefined })));
        const [[was], [is]] = [
          strictness(judged(some, question, of)),
          strictness(judged(some, question, unknown)),
        ];
        expect(is).toBeGreaterThanOrEqual(was);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a quorum', () => {
  const groups = ['S1', 'S2', 'S3'].map(userGroupId);
  const quorum = fc.record({
    from: fc.option(
      fc.subarray(groups, { minLength: 1 }).map((userGroups) => ({ people: [], userGroups })),
      { nil: null },
    ),
    count: fc.integer({ min: 1, max: 2 }),
  });
  const approvals = fc
    .array(fc.subarray(groups), { maxLength: 5 })
    .map((each) => each.map((of, at): Approval => ({ by: personId(`U${at}`), at: instant(at), groups: of })));

  /** Every way to seat the people, tried out. */
  function mostSeats(quorums: readonly Quorum[], given: readonly Approval[]): number {
    const seats = quorums.flatMap(({ from, count }) => Array.from({ length: count }, () => from));
    const from = (at: number, free: readonly Approval[]): number => {
      const seat = seats[at];
      if (at === seats.length || seat === undefined) return 0;
      const options = free.filter(
        ({ groups: of }) => seat === null || seat.userGroups.some((id) => of.includes(id)),
      );
      const taken = options.map(
        (one) =>
          1 +
          from(
            at + 1,
            free.filter((other) => other !== one),
          ),
      );
      return Math.max(from(at + 1, free), ...taken);
    };
    return from(0, given);
  }

  it('seats as many as any seating does, and nobody twice', () => {
    fc.assert(
      fc.property(fc.array(quorum, { minLength: 1, maxLength: 2 }), approvals, (quorums, given) => {
        const total = quorums.reduce((sum, { count }) => sum + count, 0);
        const left = missing(quorums, given).reduce((sum, count) => sum + count, 0);
        expect(total - left).toBe(mostSeats(quorums, given));
      }),
      { numRuns: runs(300) },
    );
  });

  it('of two rules takes the same person for both', () => {
    const from = { people: [personId('U1')], userGroups: [] };
    const demand = { devices: 1, quorums: [{ from, count: 1 }], remindMs: null, escalate: null };
    const demands = [
      { ...demand, rule: 'a' },
      { ...demand, rule: 'b' },
    ];
    const agreed = [{ by: personId('U1'), at: instant(1), groups: [] }];
    expect(unmet({ demands, approvals: [] })).toHaveLength(2);
    expect(unmet({ demands, approvals: agreed })).toEqual([]);
  });
});
