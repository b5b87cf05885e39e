/** What people, a pause of everything, its age and the run itself can do with a rollout that was approved: pure. */
import { checkPermission, type Role } from '../../lib/access.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PersonId, UserGroupId } from '../../lib/ids.ts';
import {
  afterContinue,
  afterResume,
  afterWave,
  holdEndsAt,
  type Rollout,
  type RolloutHold,
  type WaveCounts,
} from '../../rollout/progress.ts';
import { isAmong, type UnmetDemand, unmet } from '../../rules/quorum.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';

/**
 * `continue-without`: the next wave begins while devices of this one are offline. `close`: nothing more is sent, and
 * nobody waits for those any more.
 */
export type RolloutControl = 'pause' | 'resume' | 'stop' | 'continue' | 'continue-without' | 'close';

export type ControlPress = {
  readonly control: RolloutControl;
  readonly by: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  /** The user groups of the rules that they are in now. */
  readonly groups?: readonly UserGroupId[];
  /** What held it when the person saw it, by its time; null: nothing did. Absent: not known. */
  readonly hold?: Instant | null | undefined;
  /** The wave that the person saw; absent: not known. */
  readonly wave?: number | undefined;
};

/** Where a rollout stands, for somebody whose press does not fit. `waiting`: nobody approved it. `sent`: all of it was. */
export type RolloutStanding = 'waiting' | 'running' | RolloutHold['kind'] | 'sent' | 'ended';

/** Why a press does nothing. */
export type ControlRefusal =
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-allowed'; readonly need: Role; readonly role: Role | null }
  /** Others decide about it, by its rules. */
  | { readonly kind: 'others-decide'; readonly unmet: readonly UnmetDemand[] }
  /** Something else holds it by now than what the person saw. */
  | { readonly kind: 'stale-card' }
  | { readonly kind: 'rollout-is'; readonly standing: RolloutStanding };

type RolloutState = Pick<RequestRecord, 'state' | 'requesterId' | 'counts' | 'rules'> & {
  readonly rollout: Rollout;
};

/** `counts` are those of its wave; `onlyOffline`: all that it waits for are devices that are offline. */
export type ControlFacts = {
  readonly counts: WaveCounts;
  readonly onlyOffline: boolean;
  readonly now: Instant;
};

export function controlRollout(request: RolloutState, press: ControlPress, facts: ControlFacts) {
  const refusal = controlRefusal(request, press, facts);
  if (refusal !== null) return { kind: 'refused', refusal } as const;
  const rollout = controlled(request.rollout, press, facts);
  const resumed = letsGoOn(press.control) ? { ...rollout, resumedBy: press.by } : rollout;
  return { kind: 'next', rollout: resumed } as const;
}

/** Why a press does nothing; null where it does something. */
export function controlRefusal(
  request: RolloutState,
  press: ControlPress,
  facts: Pick<ControlFacts, 'onlyOffline'>,
): ControlRefusal | null {
  return notAllowed(request, press) ?? notFitting(request, press, facts);
}

function controlled(rollout: Rollout, { control, by }: ControlPress, { counts, now }: ControlFacts): Rollout {
  switch (control) {
    case 'pause':
      return { ...rollout, hold: { kind: 'paused', by, at: now } };
    case 'stop':
      return { ...rollout, hold: { kind: 'stopped', by, at: now } };
    case 'resume':
      return afterResume(rollout, counts, now);
    case 'continue':
      return afterContinue(rollout, counts, now);
    case 'continue-without':
      return afterWave(rollout, now);
    case 'close':
      return { ...rollout, hold: { kind: 'stopped', by, at: now, why: 'closed' } };
  }
}

/** To halt it takes the requester or an approver; to let it go on another approver, of those whom one of its rules names. */
function notAllowed(
  { requesterId, rules: { demands } }: RolloutState,
  { control, by, role, groups = [] }: ControlPress,
): ControlRefusal | null {
  const isOwn = by === requesterId;
  if (!letsGoOn(control)) {
    if (isOwn) return null;
  } else if (isOwn) return { kind: 'own-request' };
  const access = checkPermission(role, 'approve');
  if (!access.allowed) return { kind: 'not-allowed', need: access.needed, role };
  const quorums = demands.flatMap((demand) => demand.quorums);
  const isCounted = quorums.some(({ from }) => from === null || isAmong(from, { by, groups }));
  if (!letsGoOn(control) || isCounted || quorums.length === 0) return null;
  return { kind: 'others-decide', unmet: unmet({ demands, approvals: [] }) };
}

/** Whether something may be sent because of it. */
export function letsGoOn(control: RolloutControl): boolean {
  return control === 'resume' || control === 'continue' || control === 'continue-without';
}

const HELD = ['paused', 'braked', 'unanswered', 'expired', 'away', 'gate'] as const;
const FITTING: Readonly<Record<RolloutControl, ReadonlySet<RolloutStanding>>> = {
  pause: new Set(['running']),
  stop: new Set(['running', ...HELD]),
  resume: new Set(['paused', 'braked', 'unanswered']),
  continue: new Set(['expired', 'away', 'gate']),
  'continue-without': new Set(['running', 'expired', 'away']),
  close: new Set(['running', ...HELD, 'stopped', 'sent']),
};
const NEEDS_ONLY_OFFLINE: ReadonlySet<RolloutControl> = new Set(['continue-without', 'close']);

/** Halting is safe whenever it comes; what lets a rollout go on is for what its person saw. */
function notFitting(
  request: RolloutState,
  { control, hold: seen, wave: seenWave }: ControlPress,
  { onlyOffline }: Pick<ControlFacts, 'onlyOffline'>,
): ControlRefusal | null {
  const { hold, wave } = request.rollout;
  const standing = standingOf(request);
  const isFitting = FITTING[control].has(standing) && (onlyOffline || !NEEDS_ONLY_OFFLINE.has(control));
  if (!isFitting) return { kind: 'rollout-is', standing };
  const isOther =
    (seen !== undefined && seen !== (hold?.at ?? null)) || (seenWave !== undefined && seenWave !== wave);
  return letsGoOn(control) && isOther ? { kind: 'stale-card' } : null;
}

function standingOf({ state, rollout, counts }: RolloutState): RolloutStanding {
  if (state === 'ended') return 'ended';
  if (state !== 'approved' && state !== 'running') return 'waiting';
  if (rollout.hold?.kind === 'stopped') return 'stopped';
  if ((counts.ready ?? 0) === 0) return 'sent';
  return rollout.hold?.kind ?? 'running';
}

/** Whether Patchbay itself may hold it: else nothing of it would be sent anyway. */
export function goesOnByItself(request: RolloutState): boolean {
  return standingOf(request) === 'running';
}

/**
 * What holds it next by its age alone, and from when on: its approval ends, or nobody let it go on for days. Null: nothing,
 * because nothing of it is left to be sent.
 */
export function holdByAge(
  request: RolloutState,
): { readonly from: Instant; readonly hold: (at: Instant) => RolloutHold } | null {
  const { hold, endsAt } = request.rollout;
  const standing = standingOf(request);
  if (standing === 'running') return { from: endsAt, hold: (at) => ({ kind: 'expired', at }) };
  const from = hold?.kind === standing ? holdEndsAt(hold) : null;
  return from && { from, hold: (at) => ({ kind: 'stopped', by: null, at, why: 'unresumed' }) };
}
