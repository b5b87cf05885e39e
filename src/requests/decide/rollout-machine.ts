/** What people, a pause of everything and the run itself can do with a rollout that was approved: pure. */
import { checkPermission, type Role } from '../../lib/access.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { WaveCounts } from '../../rollout/brake.ts';
import { afterGate, afterResume, type Rollout, type RolloutHold } from '../../rollout/progress.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';

export type RolloutControl = 'pause' | 'resume' | 'stop' | 'continue';

export type ControlPress = {
  readonly control: RolloutControl;
  readonly by: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  /** What held it on the card that was pressed, by its time; absent: not known. */
  readonly hold?: Instant | undefined;
  /** Pressed so long ago that nobody expects anything to go on because of it. */
  readonly isLate?: boolean;
};

/** Where a rollout stands, for somebody whose press does not fit. `waiting`: nobody approved it. `sent`: all of it was. */
export type RolloutStanding = 'waiting' | 'running' | RolloutHold['kind'] | 'sent' | 'ended';

/** Why a press does nothing. */
export type ControlRefusal =
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-allowed'; readonly need: Role; readonly role: Role | null }
  /** Something else holds it by now than what the person saw. */
  | { readonly kind: 'stale-card' }
  | { readonly kind: 'rollout-is'; readonly standing: RolloutStanding; readonly hold: RolloutHold | null };

export type ControlTransition =
  | { readonly kind: 'next'; readonly rollout: Rollout }
  | { readonly kind: 'refused'; readonly refusal: ControlRefusal };

type RolloutState = Pick<RequestRecord, 'state' | 'requesterId' | 'counts'> & { readonly rollout: Rollout };

/** The rollout after a press; `counts` are those of its wave. */
export function controlRollout(
  request: RolloutState,
  press: ControlPress,
  { counts, now }: { readonly counts: WaveCounts; readonly now: Instant },
): ControlTransition {
  const refusal = notAllowed(request, press) ?? notFitting(request, press);
  if (refusal !== null) return { kind: 'refused', refusal };
  return { kind: 'next', rollout: controlled(request.rollout, press, { counts, now }) };
}

function controlled(
  rollout: Rollout,
  { control, by }: ControlPress,
  { counts, now }: { readonly counts: WaveCounts; readonly now: Instant },
): Rollout {
  switch (control) {
    case 'pause':
      return { ...rollout, hold: { kind: 'paused', by, at: now } };
    case 'stop':
      return { ...rollout, hold: { kind: 'stopped', by, at: now } };
    case 'resume':
      return afterResume(rollout, counts, now);
    case 'continue':
      return afterGate(rollout, now);
  }
}

/** To halt it takes the requester or an approver; to let it go on an approver other than the requester. */
function notAllowed(
  { requesterId }: RolloutState,
  { control, by, role }: ControlPress,
): ControlRefusal | null {
  const isOwn = by === requesterId;
  if (control === 'pause' || control === 'stop') {
    if (isOwn) return null;
  } else if (isOwn) return { kind: 'own-request' };
  const access = checkPermission(role, 'approve');
  return access.allowed ? null : { kind: 'not-allowed', need: access.needed, role };
}

const FITTING: Readonly<Record<RolloutControl, ReadonlySet<RolloutStanding>>> = {
  pause: new Set(['running']),
  stop: new Set(['running', 'paused', 'braked', 'unanswered', 'gate']),
  resume: new Set(['paused', 'braked', 'unanswered']),
  continue: new Set(['gate']),
};

/** Halting is safe whenever it comes; what lets a rollout go on is for what its person saw, and soon. */
function notFitting(
  request: RolloutState,
  { control, hold: seen, isLate = false }: ControlPress,
): ControlRefusal | null {
  const { hold } = request.rollout;
  const standing = standingOf(request);
  const goesOn = control === 'resume' || control === 'continue';
  if (!FITTING[control].has(standing) || (goesOn && isLate)) return { kind: 'rollout-is', standing, hold };
  return goesOn && seen !== undefined && seen !== hold?.at ? { kind: 'stale-card' } : null;
}

function standingOf({ state, rollout, counts }: RolloutState): RolloutStanding {
  if (state === 'ended') return 'ended';
  if (state !== 'approved' && state !== 'running') return 'waiting';
  if (rollout.hold?.kind === 'stopped') return 'stopped';
  if ((counts.ready ?? 0) === 0) return 'sent';
  return rollout.hold?.kind ?? 'running';
}

/** The rollout held by Patchbay itself; null where nothing of it would be sent anyway. */
export function heldRollout(request: RolloutState, hold: RolloutHold): Rollout | null {
  return standingOf(request) === 'running' ? { ...request.rollout, hold } : null;
}
