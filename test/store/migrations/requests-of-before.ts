/** Requests of every kind and state, as they read once they were copied. */
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { type Instant, instant, MINUTE } from '../../../src/lib/clock.ts';
import { groupId, operationId, personId, policyId, requestId } from '../../../src/lib/ids.ts';
import type { GroupFacts, TargetState } from '../../../src/store/port/records.ts';
import type { RequestState, RequestTarget } from '../../../src/store/port/request-records.ts';
import { fresh, START } from '../builders.ts';
import { aRequest, aRequestTarget, type NewRequest } from '../request-builders.ts';

/** One of every kind of action, about groups of its own. */
function everyAction(): readonly FleetAction[] {
  const group = { name: `Group ${fresh()}`, parentId: groupId(1), refreshIntervalMinutes: 1440 };
  return [
    { kind: 'scan' },
    { kind: 'reboot' },
    { kind: 'patch-all' },
    { kind: 'patch', packages: ['openssl', 'curl'] },
    { kind: 'policy-test', policyId: policyId(12) },
    { kind: 'policy-remediate', policyId: policyId(12), policyName: 'Harden "SSH"' },
    { kind: 'device-edit', change: { retag: { add: ['a'], remove: [] } } },
    { kind: 'group-create', group },
    { kind: 'group-edit', groupId: groupId(Number(fresh())), change: { notes: '' } },
  ];
}

/** When the look at what is followed is due. */
export const FOLLOW_AT = instant(START + 7 * MINUTE);

export type Copied = { readonly request: NewRequest; readonly targets: readonly RequestTarget[] };

const groupFacts: GroupFacts = {
  deviceId: null,
  groupId: null,
  displayName: 'Kiosks',
  group: null,
  parentName: 'All',
  policies: [],
  twin: null,
  asOf: START,
};

const isOfGroup = ({ kind }: FleetAction) => kind === 'group-create' || kind === 'group-edit';

/** About two devices, or the one group. */
function thingsOf(request: NewRequest, given: Partial<RequestTarget>): readonly RequestTarget[] {
  if (isOfGroup(request.action)) {
    const target = aRequestTarget(request.id, { deviceId: null, ...given });
    return [{ ...target, displayName: 'Kiosks', facts: groupFacts }];
  }
  return [0, 1].map((position) => aRequestTarget(request.id, { position, ...given }));
}

/** What waits to be claimed, as it is stored first. */
function unclaimed(request: NewRequest): readonly RequestTarget[] {
  const { createdAt } = request;
  return thingsOf(request, {
    state: 'ready',
    issuedAt: createdAt,
    deadlineAt: instant(createdAt + 30 * MINUTE),
  }).map((target) => ({
    ...target,
    displayName: target.facts?.displayName ?? '',
    before: {
      at: createdAt,
      connected: null,
      lastRefreshTime: null,
      lastDisconnectTime: null,
      uptime: null,
      needsReboot: null,
      queueIds: [],
      missing: [],
      policy: null,
    },
  }));
}

/** Of every kind, not carried out; an approved one was not claimed yet. */
export function approvalsIn(state: RequestState): readonly Copied[] {
  return everyAction().map((action) => {
    const decided = state === 'waiting' ? {} : { decidedBy: personId('U2'), decidedAt: instant(START + 5) };
    const note = { kind: 'text', text: 'It "changed".' } as const;
    const returned = { approvedBy: personId('U3'), approvedAt: instant(START + 3), note };
    const request = aRequest({ state, action, version: 3, reason: 'because', ...returned, ...decided });
    return { request, targets: unclaimed(request) };
  });
}

const FINAL: readonly TargetState[] = ['refused', 'verified', 'not_verified', 'not_sent'];

/** Of every kind, approved and carried out as far as this state. */
export function approvedUpTo(state: TargetState, endedAt: Instant | null = null): readonly Copied[] {
  return everyAction().map((action) => {
    const decided = { decidedBy: personId('U2'), decidedAt: instant(START + 5) };
    const request = aRequest({ action, operationId: operationId(`o_${fresh()}`), ...decided });
    return carriedOut(request, state, endedAt);
  });
}

/** Of every kind, without an approval, carried out as far as this state. */
export function startedUpTo(state: TargetState, endedAt: Instant | null = null): readonly Copied[] {
  return everyAction().map((action) => {
    const former = operationId(`o_${fresh()}`);
    const none = { seal: null, fingerprint: null, expiresAt: null };
    const request = aRequest({ id: requestId(former), action, operationId: former, ...none });
    const { targets, ...rest } = carriedOut(request, state, endedAt);
    return { ...rest, targets: targets.map((target) => ({ ...target, facts: null })) };
  });
}

function carriedOut(request: NewRequest, state: TargetState, given: Instant | null): Copied {
  const endedAt = given ?? (FINAL.includes(state) ? instant(START + 90) : null);
  const isFollowed = endedAt === null && state !== 'ready' && state !== 'issuing';
  const nextAt = isFollowed ? FOLLOW_AT : null;
  const said = { response: 'x', evidence: [{ kind: 'text', text: 'It\'s "said"\n.' }] } as const;
  const targets = thingsOf(request, { state, endedAt, nextAt, issuedAt: instant(START + 10), ...said });
  const startedAt = state === 'ready' || state === 'not_sent' ? null : instant(START + 10);
  const open = state === 'ready' ? 'approved' : 'running';
  return { request: { ...request, state: endedAt === null ? open : 'ended', startedAt, endedAt }, targets };
}
