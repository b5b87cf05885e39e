/** Taking up a proposal within its person’s limits: one transaction stores it with its card, its work and its audit line. */
import type { DeviceFacts, PackageFacts, TargetFacts } from '../../fleet/facts/facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import { severityRank, systemName } from '../../fleet/model/derived-fields.ts';
import { type Clock, DAY, HOUR, type Instant, instant, later } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import {
  type ChannelId,
  newRequestId,
  type OrganizationId,
  type PersonId,
  type RequestId,
  requestCardKey,
} from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import {
  countsTowardsLimits,
  DEFAULT_ROLLOUT_LIMITS,
  type RequestLimit,
  type RolloutLimits,
} from '../../lib/rollout-limits.ts';
import { cut } from '../../lib/text.ts';
import { isSamePlan, planRollout, type RolloutPlan } from '../../rollout/plan.ts';
import { startRollout } from '../../rollout/progress.ts';
import { type RolloutSummary, type Selection, type TopCounts, topCounts } from '../../rollout/summary.ts';
import type { Judgement, RefusingRule } from '../../rules/rules.ts';
import {
  MAX_LISTED,
  type RequestRecord,
  type RequestTarget,
  undecidedIn,
} from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { withMembers } from '../members.ts';
import { newTarget } from '../target-transitions.ts';
import { recordEventEffects } from './apply-event.ts';
import { requestAuditDetail, saidAuditDetail } from './audit-detail.ts';
import {
  createJudgeChange,
  type JudgedChange,
  type RuleOptions,
  type UnfitReason,
  unfitReason,
} from './judge-change.ts';
import { putNudge } from './nudges.ts';
import { reachOf } from './rules.ts';
import { fingerprint, seal } from './seal.ts';
import { transition } from './state-machine.ts';

export type RecordRequestResult =
  /** `already`: this delivery, or somebody, asked for the same before. */
  | { readonly kind: 'recorded'; readonly request: RequestRecord; readonly already: boolean }
  | NotRecordedResult;

/** Nothing was stored. */
type NotRecordedResult =
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | { readonly kind: 'limited'; readonly limit: RequestLimit }
  /** By these rules nobody can, for these of its devices. */
  | {
      readonly kind: 'rule-refuses';
      readonly rules: readonly RefusingRule[];
      readonly names: readonly string[];
      readonly devices: number;
    }
  /** A rule asks for another reason. `rule` null: no rule covers them. */
  | ({ readonly kind: 'reason-unfit' } & UnfitReason)
  /** The same for the same devices waits, but with another plan, or only for the rest of them. */
  | { readonly kind: 'differs'; readonly request: RequestRecord };

/** Thrown inside the transaction, so that it leaves nothing behind. */
class NotRecorded extends Error {
  readonly result: NotRecordedResult;
  constructor(result: NotRecordedResult) {
    super(`not recorded: ${result.kind}`);
    this.result = result;
  }
}

export type RecordRequestOptions = RuleOptions & {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  /** How much one person may request; absent: the default. */
  readonly limits?: () => RolloutLimits;
  readonly channels: { readonly approvals: ChannelId };
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export function createRecordRequest(
  options: RecordRequestOptions,
): (input: RequestInput) => Promise<RecordRequestResult> {
  const { store, clock, organizationId, channels, wakeWorker, onFailpoint, readIndex } = options;
  const { limits = () => DEFAULT_ROLLOUT_LIMITS } = options;
  const judgeChange = createJudgeChange(options);

  return async (input) => {
    const { targets, plan } = input.proposal;
    if (targets.length === 0) throw new Error('a proposal about nothing');
    if (targets.length > 1 && plan === undefined) throw new Error('a proposal of several without a plan');
    const sealed = targets.map((facts) => withMembers(facts, readIndex));
    const proposal = { ...input.proposal, targets: await Promise.all(sealed) };
    const { command: action } = proposal;
    const [reach, requesterId] = [reachOf(proposal.targets), input.requester];
    const judged = await judgeChange({ action, targets: proposal.targets, reach, requesterId });
    const id = newRequestId();
    const stored = await store
      .transaction(async (tables) => {
        const now = clock.now();
        await tables.requests.lockRequester(requesterId);
        const judgement = await judgeInHour(tables, judged, now);
        const wanted = newRequest({ ...input, proposal }, { id, organizationId, judged, judgement, now });
        const channel = wanted.request.state === 'waiting' ? channels.approvals : input.channel;
        return storeRequest(tables, wanted, {
          channel,
          limits: limits(),
          now,
          refused: refusedBy(judgement, proposal),
        });
      })
      .catch((error: unknown) => {
        if (error instanceof NotRecorded) return error.result;
        throw error;
      });
    if ('kind' in stored) return stored;
    const already = stored.id !== id;
    if (!already) await onFailpoint?.('request.recorded');
    wakeWorker();
    return { kind: 'recorded', request: stored, already };
  };
}

/** The stored request: this one, or the one in its way. */
async function storeRequest(
  tables: StoreTables,
  wanted: NewRequest,
  at: {
    readonly channel: ChannelId;
    readonly limits: RolloutLimits;
    readonly now: Instant;
    readonly refused: NotRecordedResult | null;
  },
): Promise<RequestRecord> {
  const { targets } = wanted;
  const { channel, limits, now, refused } = at;
  const pause = await tables.pause.lockAndRead();
  const { lastHour, limit } = await judgeLimits(tables, wanted, limits, now);
  const request = {
    ...wanted.request,
    askedLastHour: countsTowardsLimits(wanted.request.action) ? lastHour : null,
    typedCount: lastHour >= limits.reasonFrom,
  };
  const found = await insertOverExpired(tables, { request, targets }, now);
  const key = requestCardKey(request);
  if (found !== null) {
    if (found.requestKey !== request.requestKey && !isSame(found, wanted))
      throw new NotRecorded({ kind: 'differs', request: found });
    // Its card may have been deleted: drawing it again finds that out.
    if (found.state === 'waiting') await tables.cards.enqueueUpdate(requestCardKey(found), now);
    return found;
  }
  // Only now, because a repeated delivery of what was asked before the pause is answered as it was.
  if (pause !== null) throw new NotRecorded({ kind: 'paused', pause });
  if (refused !== null) throw new NotRecorded(refused);
  if (limit !== null) throw new NotRecorded({ kind: 'limited', limit });
  const { id, requesterId, expiresAt, seal, action } = request;
  const fallbackPerson = expiresAt === null ? requesterId : null;
  await tables.cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
  if (expiresAt === null) await tables.work.put({ kind: 'run', key: id, dueAt: now });
  const endsAt = expiresAt ?? request.rollout?.endsAt;
  if (endsAt !== undefined) await tables.work.put({ kind: 'expire', key: id, dueAt: endsAt });
  if (expiresAt !== null) await putNudge(tables, request);
  const facts = targets.map((target) => target.facts);
  const detail = { ...requestAuditDetail(action, facts), ...saidAuditDetail('reason', request.reason) };
  await tables.audit.append({
    ...{ at: now, actor: requesterId, subject: id },
    action: expiresAt === null ? 'operation.requested' : 'approval.requested',
    detail: seal === null ? detail : { ...detail, seal },
  });
  return { ...request, counts: { ready: targets.length, open: targets.length } };
}

/** What runs by a rule is counted beside what ran by it in the last hour. */
export async function judgeInHour(
  { requests }: Pick<StoreTables, 'requests'>,
  { judge }: JudgedChange,
  now: Instant,
): Promise<Judgement> {
  const judgement = judge();
  if (judgement.kind !== 'runs' || judgement.by.length === 0) return judgement;
  await requests.lockRuns();
  return judge({ ran: await requests.ranByRule(later(now, -HOUR)) });
}

/** Why the rules take no such request; null: they do. */
function refusedBy(judgement: Judgement, { targets, reason }: Proposal): NotRecordedResult | null {
  if (judgement.kind === 'refused') {
    const { rules, devices } = judgement;
    const names = devices.slice(0, MAX_REFUSED_NAMES).flatMap((at) => targets[at]?.displayName ?? []);
    return { kind: 'rule-refuses', rules, names, devices: devices.length };
  }
  const unfit = unfitReason(judgement, reason);
  return unfit === null ? null : { kind: 'reason-unfit', ...unfit };
}

/** Of the devices that rules refuse. */
const MAX_REFUSED_NAMES = 5;

/**
 * Of how many devices the person asked for changes in the last hour, with these, and whether that is too much; null: it is
 * not. Nobody else changes the number of their requests before the transaction ends.
 */
async function judgeLimits(
  { requests }: Pick<StoreTables, 'requests'>,
  { request: { requesterId, action, reason, expiresAt, reach }, targets }: NewRequest,
  { maxWaiting, maxDevicesPerDay, reasonFrom }: RolloutLimits,
  now: Instant,
): Promise<{ readonly lastHour: number; readonly limit: RequestLimit | null }> {
  const devices = targets.length * reach;
  const isCounted = countsTowardsLimits(action);
  const within = async (age: number) =>
    isCounted ? requests.requestedSince(requesterId, later(now, -age)) : 0;
  const [used, lastHour] = [await within(DAY), (await within(HOUR)) + devices];
  const waiting =
    expiresAt === null ? [] : await requests.list({ states: ['waiting'], requesterId }, MAX_LISTED);
  // One whose time is over counts as expired, whether or not its work has run.
  const open = waiting.filter((one) => one.expiresAt === null || one.expiresAt > now).length;
  if (open >= maxWaiting) return { lastHour, limit: { kind: 'too-many-waiting', most: maxWaiting } };
  if (isCounted && used + devices > maxDevicesPerDay)
    return { lastHour, limit: { kind: 'daily-limit', devices, used, most: maxDevicesPerDay } };
  const lacksReason = lastHour >= reasonFrom && reason === null;
  return {
    lastHour,
    limit: lacksReason ? { kind: 'reason-required', devices, lastHour, from: reasonFrom } : null,
  };
}

/** Whether a waiting request for the same devices would do the same in the same way. */
function isSame({ rollout, counts }: RequestRecord, { request, targets }: NewRequest): boolean {
  const [waiting, asked] = [rollout, request.rollout].map((one) => one?.plan ?? planRollout(targets.length));
  if (waiting === undefined || asked === undefined || undecidedIn(counts) !== targets.length) return false;
  return isSamePlan(waiting, asked);
}

/** The request in the way, if any. One whose time is over expires here; its work may not have run yet. */
async function insertOverExpired(
  tables: StoreTables,
  { request, targets }: NewRequest,
  now: Instant,
): Promise<RequestRecord | null> {
  const first = await tables.requests.insert(request, targets);
  if (first.kind === 'inserted') return null;
  const transitioned = transition(first.request, { kind: 'expire' }, now);
  if (transitioned.kind === 'refused') return first.request;
  const { request: after } = transitioned;
  if (await tables.requests.replace(after))
    await recordEventEffects(tables, { before: first.request, after, event: { kind: 'expire' }, now });
  const second = await tables.requests.insert(request, targets);
  return second.kind === 'inserted' ? null : second.request;
}

/** A change that is asked for, with the facts that an approver will see. */
export type Proposal = {
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly reason: string | null;
  /** How it goes over many devices; absent: there is one, and no option. */
  readonly plan?: RolloutPlan;
} & Selection;

export type RequestInput = {
  readonly proposal: Proposal;
  readonly requester: PersonId;
  /** Where it was asked. */
  readonly channel: ChannelId;
  /** Names the Slack delivery, so that a repeated one asks once. */
  readonly requestKey: string;
  /** When the person asked; absent: just now. */
  readonly askedAt?: Instant | undefined;
};

type NewRequest = {
  readonly request: Omit<RequestRecord, 'counts'>;
  readonly targets: readonly RequestTarget[];
};

type NewOptions = {
  readonly id: RequestId;
  readonly organizationId: OrganizationId;
  readonly judged: JudgedChange;
  readonly judgement: Judgement;
  readonly now: Instant;
};

/**
 * Sealed to the facts of the proposal and waiting, where somebody has to agree; else ready to run, and counted from
 * when the person asked for it. What else the person asked for lately is not known yet.
 */
function newRequest(
  input: RequestInput,
  { id, organizationId, judged, judgement, now }: NewOptions,
): NewRequest {
  const { proposal, requester, requestKey, askedAt = now } = input;
  const { command: action, targets: facts, reason, plan } = proposal;
  const isDecided = judgement.kind === 'runs';
  const createdAt = isDecided && askedAt < now ? askedAt : now;
  const sealed = { action, targets: facts, ...(plan ? { plan } : {}) };
  const request = {
    organizationId,
    id,
    version: 1,
    state: isDecided ? 'approved' : 'waiting',
    action,
    seal: isDecided ? null : seal(sealed),
    fingerprint: isDecided ? null : fingerprint(sealed),
    requesterId: requester,
    requestKey,
    reason,
    createdAt,
    expiresAt: judgement.kind === 'asks' ? later(now, judgement.expiresMs) : null,
    decidedBy: null,
    decidedAt: null,
    comment: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    startedAt: null,
    endedAt: null,
    askedLastHour: null,
    typedCount: false,
    reach: reachOf(facts),
    rules: {
      digest: judged.digest,
      requester: judged.requester,
      demands: judgement.kind === 'asks' ? judgement.demands : [],
      approvals: [],
      since: now,
      told: [],
      refusedBy: [],
      runs: judgement.kind === 'runs' ? judgement.by.map(({ rule, devices }) => ({ rule, devices })) : [],
    },
    rollout:
      plan === undefined
        ? null
        : {
            ...startRollout(plan, now, summarizeTargets(facts, now, proposal)),
            endsAt: later(createdAt, plan.lastsMs),
          },
  } as const;
  return { request, targets: facts.map((one, position) => newTarget(id, one, { position, now })) };
}

/** Names that are cut here are cut on the card, too. */
const MAX_NAME = 80;
/**
 * No field tells servers from the rest (§2.2), and lists of newer services have no model ("management API in practice"
 * 3.3). Windows and some Linux editions have the word in their name; else people put it into the name of the group.
 */
const SERVER_WORD = /\bservers?\b/i;

/** What the card says of these devices; `now` where there are none. */
export function summarizeTargets(
  facts: readonly TargetFacts[],
  now: Instant,
  { packagesRead, unknownFit }: Selection = {},
): RolloutSummary {
  const devices = facts.filter((one): one is DeviceFacts => one.deviceId !== null);
  const count = (is: (device: DeviceFacts) => boolean) => devices.filter(is).length;
  return {
    frozenAt: devices.reduce((first, { asOf }) => instant(Math.min(first, asOf)), now),
    offline: count(({ connected }) => connected === false),
    loggedIn: count(({ lastLoggedInUser: user }) => user !== null && user !== ''),
    deferred: count(({ deferred }) => deferred === true),
    rebootPending: count(({ needsReboot }) => needsReboot === true),
    excluded: count(({ exception }) => exception === true),
    servers: count(({ osName, groupName }) => SERVER_WORD.test(`${osName ?? ''} ${groupName ?? ''}`)),
    groups: topCounts(
      devices.map(({ groupName, groupId: id }) => short(groupName ?? (id === null ? null : `#${id}`))),
    ),
    systems: topCounts(devices.map((device) => short(systemName(device)))),
    packages: countPackages(devices, ({ name, version }) => [version === null ? name : `${name} ${version}`]),
    rebootFor: countPackages(devices, ({ name, requiresReboot }) => (requiresReboot ? [name] : [])),
    severities: countPackages(devices, ({ severity }) => [severity], severityRank),
    cves: countPackages(devices, ({ cves }) => cves),
    ...defined({ packagesRead, unknownFit }),
  };
}

/** On how many devices each of these texts holds of a package. */
function countPackages(
  devices: readonly DeviceFacts[],
  textsOf: (item: PackageFacts) => readonly (string | null)[],
  rankOf?: (text: string | null) => number,
): TopCounts {
  const texts = devices.flatMap(({ packages }) => [...new Set(packages.flatMap(textsOf).map(short))]);
  return topCounts(texts, rankOf);
}

function short(name: string | null): string | null {
  return name === null || name === '' ? null : cut(name, MAX_NAME);
}
