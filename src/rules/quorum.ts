/** What a request needs before it runs, who agreed so far, and whether they are enough. Pure. */
import { z } from 'zod';
import {
  instantField,
  nullableText,
  personField,
  type Stored,
  userGroupField,
  wholeNumber,
} from '../lib/record-fields.ts';

const groupIds = z.array(userGroupField);
/** People by id, and members of user groups. */
const people = z.object({ people: z.array(personField), userGroups: groupIds });
export type People = Stored<typeof people>;

/** So many distinct people of these; null: of everybody who may approve at all. */
const quorum = z.object({ from: people.nullable(), count: wholeNumber.min(1) });
export type Quorum = Stored<typeof quorum>;

/** What one rule asks for, of so many of the devices. */
const demand = z.object({
  /** Null: no rule covers them. */
  rule: nullableText,
  devices: wholeNumber,
  /** All of them must be met. */
  quorums: z.array(quorum),
  /** After so long those who can still agree are mentioned again; `half`: of the request's life; null: never. */
  remindMs: z.union([wholeNumber, z.literal('half')]).nullable(),
  escalate: z.object({ afterMs: wholeNumber, to: people }).nullable(),
  /** Who was told so, and can agree as well since. */
  escalatedTo: people.exactOptional(),
  /** The rule names a group that the fleet does not have. */
  isLost: z.literal(true).exactOptional(),
});
export type Demand = Stored<typeof demand>;

/** Of one person, with the user groups of the rules that they were in when they gave it. */
const approval = z.object({
  by: personField,
  at: instantField,
  groups: groupIds,
  /** What they said with it. */
  comment: z.string().exactOptional(),
});
export type Approval = Stored<typeof approval>;

/** The user groups of rules that somebody is in, and not in: of others it is not known. */
const memberships = z.object({ in: groupIds, out: groupIds });
export type Memberships = Stored<typeof memberships>;

/** What a request needs. */
export const requestRules = z.object({
  /** Of the rules that were asked. */
  digest: z.string(),
  requester: memberships,
  /** Empty: nobody has to agree. */
  demands: z.array(demand),
  approvals: z.array(approval),
  /** Since when it waits for them. */
  since: instantField,
  /** What was said of it since then, in its thread. */
  told: z.array(z.enum(['remind', 'escalate'])),
  /** Rules that refuse it by now: nobody can approve it as long as they do. */
  refusedBy: z.array(z.object({ name: z.string(), because: z.string() })),
  /** By which rules nobody has to agree, and for how many devices each. */
  runs: z.array(z.object({ rule: z.string(), devices: wholeNumber })),
});
export type RequestRules = Stored<typeof requestRules>;

export type UnmetDemand = { readonly demand: Demand; readonly missing: readonly number[] };

/** The demands that these approvals do not meet, each with how many are missing from each quorum. */
export function unmet({
  demands,
  approvals,
}: Pick<RequestRules, 'demands' | 'approvals'>): readonly UnmetDemand[] {
  return demands
    .map((one) => ({ demand: one, missing: missing(one.quorums, approvals) }))
    .filter(({ missing: left }) => left.some((count) => count > 0));
}

/** Whether this approval brings one of the demands nearer. */
export function counts(
  { demands, approvals }: Pick<RequestRules, 'demands' | 'approvals'>,
  approval: Approval,
): boolean {
  const left = (given: readonly Approval[]) =>
    demands.flatMap(({ quorums }) => missing(quorums, given)).reduce((sum, count) => sum + count, 0);
  const others = approvals.filter(({ by }) => by !== approval.by);
  return left([...others, approval]) < left(approvals);
}

/** Whether somebody is of those who may agree to it at all. */
export function mayAgree(demands: readonly Demand[], by: Pick<Approval, 'by' | 'groups'>): boolean {
  return demands.some(({ quorums }) => quorums.some(({ from }) => from === null || isAmong(from, by)));
}

/** Whether their approval would bring it nearer now. */
export function isAwaited(rules: RequestRules, by: Pick<Approval, 'by' | 'groups'>): boolean {
  if (rules.refusedBy.length > 0) return false;
  if (unmet(rules).length === 0) return mayAgree(rules.demands, by);
  return counts(rules, { ...by, at: rules.since });
}

/** Whether somebody is among them; null: not known. */
export function isMember(
  { people: named, userGroups }: People,
  by: Approval['by'],
  { in: member, out }: Memberships,
): boolean | null {
  if (isAmong({ people: named, userGroups }, { by, groups: member })) return true;
  return userGroups.every((group) => out.includes(group)) ? false : null;
}

export function isAmong(
  { people: named, userGroups }: People,
  { by, groups }: Pick<Approval, 'by' | 'groups'>,
): boolean {
  return named.includes(by) || userGroups.some((group) => groups.includes(group));
}

/** Whoever a demand escalates to can agree as well as those whom its rule names. */
export function escalated(demand: Demand): Demand {
  const { quorums, escalate } = demand;
  if (escalate === null) return demand;
  const widened = quorums.map(({ from, count }) => ({ from: from && joined(from, escalate.to), count }));
  return { ...demand, quorums: widened, escalate: null, escalatedTo: escalate.to };
}

/** Demands that were asked anew, escalated as those of the same rules were before. */
export function escalatedAs(fresh: readonly Demand[], before: readonly Demand[]): readonly Demand[] {
  const rules = new Set(before.flatMap(({ rule, escalatedTo }) => (escalatedTo === undefined ? [] : [rule])));
  return fresh.map((demand) => (rules.has(demand.rule) ? escalated(demand) : demand));
}

function joined(one: People, other: People): People {
  return {
    people: [...new Set([...one.people, ...other.people])],
    userGroups: [...new Set([...one.userGroups, ...other.userGroups])],
  };
}

/** Whom it takes next to a seat: the person, by their place among the approvals; null: nobody yet. */
type Seat = { readonly quorum: number; readonly fits: readonly number[]; taken: number | null };

/**
 * How many more people each quorum needs. Nobody fills two seats: the quorums are those of one rule. Whoever could sit in
 * several is moved where that makes room, so the order in which people agreed does not matter.
 */
export function missing(quorums: readonly Quorum[], approvals: readonly Approval[]): readonly number[] {
  return seated(quorums, approvals).map((by, at) => (quorums[at]?.count ?? 0) - by.length);
}

/** The approvals that count for each quorum. */
export function seated(
  quorums: readonly Quorum[],
  approvals: readonly Approval[],
): readonly (readonly Approval[])[] {
  const people = [...new Map(approvals.map((approval) => [approval.by, approval])).values()];
  const seats = quorums.flatMap(({ from, count }, quorum) => {
    const fits = people.flatMap((approval, at) => (from === null || isAmong(from, approval) ? [at] : []));
    return Array.from({ length: count }, (): Seat => ({ quorum, fits, taken: null }));
  });
  for (const seat of seats) fill(seat, seats, new Set());
  return quorums.map((_, at) =>
    seats.flatMap(({ quorum, taken }) => (quorum === at && taken !== null ? (people[taken] ?? []) : [])),
  );
}

function fill(seat: Seat, seats: readonly Seat[], tried: Set<number>): boolean {
  for (const person of seat.fits) {
    if (tried.has(person)) continue;
    tried.add(person);
    const holder = seats.find(({ taken }) => taken === person);
    if (holder !== undefined && !fill(holder, seats, tried)) continue;
    seat.taken = person;
    return true;
  }
  return false;
}
