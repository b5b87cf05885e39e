/**
 * What the rules of the configuration file ask of a change, by the facts of its devices: at the request, at the press that
 * would complete it, and at the send. What is not known never lets anything through.
 */
import { type DeviceFacts, isPolicyFacts, type TargetFacts } from '../../fleet/facts/facts.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import { withSubgroups } from '../../fleet/model/derived-fields.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GroupId, PersonId, UserGroupId } from '../../lib/ids.ts';
import { isMember, type Memberships, type Quorum } from '../../rules/quorum.ts';
import {
  type Judgement,
  judge,
  NO_RULES,
  type RefusingRule,
  type RuleDevice,
  type RuleGroup,
  type RuleQuestion,
  type RulesInForce,
} from '../../rules/rules.ts';
import { wallClock } from '../../rules/time.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { ReadIndex } from '../members.ts';
import { needsApproval } from './rules.ts';

/** Which of these user groups somebody is in. */
export type ReadMemberships = (person: PersonId, groups: readonly UserGroupId[]) => Promise<Memberships>;

export type RuleOptions = {
  /** What the configuration file says now; absent: there are no rules. */
  readonly rulesInForce?: () => RulesInForce;
  readonly readMemberships?: ReadMemberships;
  readonly readIndex?: ReadIndex;
  readonly clock: Pick<Clock, 'now'>;
};

export type ChangeToJudge = {
  readonly action: FleetAction;
  readonly targets: readonly TargetFacts[];
  /** Devices that each target reaches. */
  readonly reach: number;
  readonly requesterId: PersonId;
  /** As they were at the request; others are read. */
  readonly requester?: Memberships;
};

export type JudgedChange = {
  readonly digest: string;
  readonly requester: Memberships;
  /**
   * `ran`: how many devices each `run` rule let through in the last hour; absent: none. `size`: devices of the whole request,
   * where only some of them are judged.
   */
  readonly judge: (given?: Partial<Pick<RuleQuestion, 'ran' | 'size'>>) => Judgement;
};
export type JudgeChange = (change: ChangeToJudge) => Promise<JudgedChange>;

export function createJudgeChange(options: RuleOptions): JudgeChange {
  const { clock, rulesInForce = () => NO_RULES, readMemberships = readNone } = options;
  return async ({ action, targets, reach, requesterId, requester }) => {
    const rules = rulesInForce();
    const index = await readFleet(options, rules);
    const set = rules.setFor(index === null || index.partial !== null ? null : groupsOf(index));
    const known = requester ?? { in: [], out: [] };
    const named = set.rules.flatMap(({ by }) => by?.userGroups ?? []);
    const unknown = named.filter((id) => !known.in.includes(id) && !known.out.includes(id));
    const read = unknown.length === 0 ? { in: [], out: [] } : await readMemberships(requesterId, unknown);
    const member = { in: [...known.in, ...read.in], out: [...known.out, ...read.out] };
    const question = {
      kind: action.kind,
      isFree: !needsApproval(action),
      size: targets.length * reach,
      isBy: (people: NonNullable<Quorum['from']>) => isMember(people, requesterId, member),
      at: wallClock(clock.now(), rules.timezone),
    };
    const devices = targets.flatMap((facts) => reachedBy(action, facts, index));
    return {
      digest: rules.digest,
      requester: member,
      judge: (given = {}) => judge(set, { ...question, ...given }, devices),
    };
  };
}

/**
 * Whether what a change asks has to be asked again: the file says something else by now, some rule has a time, or the
 * request was returned with other facts.
 */
export function mayJudgeOtherwise(
  { rulesInForce = () => NO_RULES }: RuleOptions,
  { rules: { digest }, note }: Pick<RequestRecord, 'rules' | 'note'>,
): boolean {
  const now = rulesInForce();
  return now.hasTimes || now.digest !== digest || note !== null;
}

const readNone: ReadMemberships = async (_person, groups) => ({ in: [], out: groups });

type Index = Awaited<ReturnType<Inventory['snapshot']>>;

/** Null: it is not known, or there is nothing to ask of it. */
async function readFleet({ readIndex }: RuleOptions, { setFor }: RulesInForce): Promise<Index | null> {
  if (readIndex === undefined || setFor(null).rules.length === 0) return null;
  try {
    return await readIndex({ lane: 'write' });
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}

const groupLists = new WeakMap<Index['groups'], readonly RuleGroup[]>();

/** The same list for the same groups, so that rules are made for it once. */
function groupsOf({ groups }: Index): readonly RuleGroup[] {
  const list = groupLists.get(groups) ?? [...groups.values()];
  groupLists.set(groups, list);
  return list;
}

const UNKNOWN: RuleDevice = { groupId: null, osFamily: null, osName: null, osVersion: null };

/** Each device that a target reaches, as it is, and as it would be after an edit. */
function reachedBy(
  action: FleetAction,
  facts: TargetFacts,
  index: Index | null,
): readonly (readonly RuleDevice[])[] {
  if (facts.deviceId !== null)
    return [action.kind === 'device-edit' ? edited(action.change, facts) : [facts]];
  if (index === null || index.partial !== null) return [[UNKNOWN]];
  const after = action.kind === 'group-edit' ? (action.change.parentId ?? null) : null;
  const groups = reachedGroups(facts, index);
  // A group that the index does not have yet may have any devices.
  if ([...groups].some((id) => !index.groups.has(id))) return [[UNKNOWN]];
  const members = index.devices.filter(({ groupId }) => groupId !== null && groups.has(groupId));
  return members.map((device) => (after === null ? [device] : [device, { ...device, groupId: after }]));
}

/** A name and a place in the tree reach the devices of all groups below, too. */
function reachedGroups(facts: Exclude<TargetFacts, DeviceFacts>, { groups }: Index): ReadonlySet<GroupId> {
  if (isPolicyFacts(facts)) {
    const linked = [...facts.groups, ...(facts.current?.groups ?? [])];
    // Without a name the service has no such group.
    return new Set(linked.flatMap(({ id, name }) => (name === null ? [] : [id])));
  }
  if (facts.groupId === null) return new Set();
  const group = groups.get(facts.groupId);
  return group === undefined ? new Set([facts.groupId]) : withSubgroups(group, groups.values());
}

type DeviceChange = Extract<FleetAction, { kind: 'device-edit' }>['change'];

function edited(change: DeviceChange, device: RuleDevice): readonly RuleDevice[] {
  const { retag, groupId = device.groupId } = change;
  const kept = device.tags?.filter((tag) => retag?.remove.includes(tag) !== true);
  const tags = change.tags ?? (kept && [...kept, ...(retag?.add ?? [])]);
  return [device, { ...device, groupId, tags }];
}

/** What a rule asks of the reason that this one is not; `pattern` null: any reason. */
export type UnfitReason = { readonly rule: string | null; readonly pattern: string | null };

export function unfitReason(judgement: Judgement, reason: string | null): UnfitReason | null {
  if (judgement.kind !== 'asks') return null;
  const unfit = judgement.reasons.find(({ reason: asked }) =>
    asked === 'required' ? reason === null : !asked.test(reason ?? ''),
  );
  if (unfit === undefined) return null;
  return { rule: unfit.rule, pattern: unfit.reason === 'required' ? null : unfit.reason.source };
}

export function lackingReason({ rule, pattern }: UnfitReason): RefusingRule {
  const because = pattern === null ? 'It needs a reason.' : `Its reason needs ${pattern} in it.`;
  return { name: rule ?? 'otherwise', because };
}

/** The user groups that decide about a request, by the rules that it was made with and by those of now. */
export function approverGroups(options: RuleOptions, request: RequestRecord): readonly UserGroupId[] {
  const { rulesInForce = () => NO_RULES } = options;
  const { rules, otherwise, admin } = rulesInForce().setFor(null);
  const asking = [
    ...rules.flatMap(({ effect }) => (effect.do === 'ask' ? [effect.asking] : [])),
    otherwise,
    admin,
  ];
  const now = mayJudgeOtherwise(options, request) ? asking : [];
  const named = [...request.rules.demands, ...now].flatMap(({ quorums, escalate }) => [
    ...quorums.map(({ from }) => from),
    escalate?.to,
  ]);
  return [...new Set(named.flatMap((people) => people?.userGroups ?? []))];
}
