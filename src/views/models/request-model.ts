import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, PersonId, Reference } from '../../lib/ids.ts';
import type { RolloutHold } from '../../rollout/progress.ts';
import type { UnmetDemand } from '../../rules/quorum.ts';
import type { RefusingRule } from '../../rules/rules.ts';
import type {
  DecisionWindow,
  SeveralDecisions,
  WhyAlone,
  WindowDecision,
  WindowRefusal,
} from '../../store/port/decision-windows.ts';
import type {
  DecidedState,
  RequestTarget,
  RequestWithTargets,
  TargetCounts,
} from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { ControlKind } from '../kit/buttons.ts';
import type { Problem, SettingProblem } from './problem-model.ts';

/** A device that was not requested again, and why. */
export type UnrequestedTarget = {
  readonly name: string;
  readonly problem: Problem;
  /** Absent: not known. */
  readonly hostname?: string | null;
  readonly deviceId?: DeviceId;
};

/** The outcome of a press on Approve, Deny or Withdraw, or of a window. */
export type DecisionOutcome = OneOutcome | SeveralOutcome;

/** What became of those that were marked of several. */
export type SeveralOutcome = {
  readonly kind: 'several';
  readonly decision: 'approve' | 'deny';
  readonly results: readonly {
    /** Null: it can’t be read. */
    readonly request: RequestWithTargets | null;
    readonly outcome: OneOutcome;
    /** To its card; null where it is not known. */
    readonly link: string | null;
  }[];
};

export type OneOutcome =
  | { readonly kind: 'approved' | 'denied' | 'withdrawn'; readonly request: RequestWithTargets }
  | {
      readonly kind: 'already';
      readonly request: RequestWithTargets;
      readonly state: DecidedState;
      readonly by: PersonId | null;
      readonly at: Instant | null;
    }
  /** The person had decided the same before: a second press, or a late report of the first. */
  | {
      readonly kind: 'repeated';
      readonly request: RequestWithTargets;
      readonly decision: 'approved' | 'denied' | 'withdrawn';
      readonly at: Instant | null;
    }
  /** Counted, and others still have to agree. */
  | { readonly kind: 'agreed'; readonly request: RequestWithTargets }
  | { readonly kind: 'agreed-before'; readonly at: Instant; readonly unmet: readonly UnmetDemand[] }
  /** Others decide what is still missing. */
  | { readonly kind: 'others-decide'; readonly unmet: readonly UnmetDemand[] }
  | { readonly kind: 'rule-refuses'; readonly rules: readonly RefusingRule[] }
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-requester' }
  /** A reason was given before; an approver may have read it, so it stays. */
  | { readonly kind: 'reason-given'; readonly reason: string }
  /** `role`: the person’s own role; null for none, absent where it is not known. */
  | { readonly kind: 'not-allowed'; readonly need: string; readonly role?: string | null }
  | { readonly kind: 'stale-card' }
  /** It is about so many devices that their number has to be typed. */
  | { readonly kind: 'count-not-typed' }
  | DecisionWindowFacts
  | SeveralWindowFacts
  | { readonly kind: 'none-waiting' }
  /** What was submitted is no window that was opened for this person, or not any more. */
  | { readonly kind: 'window-refused'; readonly why: WindowRefusal }
  /** Whether it was decided is not known. */
  | { readonly kind: 'failed'; readonly reference: Reference }
  | { readonly kind: 'controlled'; readonly control: ControlKind; readonly request: RequestWithTargets }
  /** Its requester let it go on, which takes another person. */
  | { readonly kind: 'own-rollout' }
  /** Somebody without a role for it would have paused, stopped or closed the rollout of another. */
  | { readonly kind: 'others-rollout'; readonly control: ControlKind }
  /** The press does not fit where the rollout stands. */
  | { readonly kind: 'rollout-is'; readonly standing: RolloutStanding }
  /** A rollout does not go on while changes are paused for everybody. */
  | { readonly kind: 'held-by-pause'; readonly pause: PauseRecord }
  /** Slack did not show the window, or it could not be stored. */
  | { readonly kind: 'window-unopened' }
  | Extract<SettingProblem, { kind: 'paused' }>
  | { readonly kind: 'absent' };

/** What is decided in a window, as it was when the window opened. Only its submission decides. */
export type DecisionWindowFacts = Pick<DecisionWindow, 'id' | 'devices' | 'endsAt'> & {
  readonly kind: 'window';
  readonly decides: WindowDecision;
  readonly request: RequestWithTargets;
};

/** A page of the window in which several are decided. */
export type SeveralWindowFacts = Pick<DecisionWindow, 'id' | 'devices' | 'endsAt'> & {
  readonly kind: 'several-window';
  readonly decides: SeveralDecisions;
  readonly rows: readonly {
    readonly request: RequestWithTargets;
    /** Null: it can be marked. */
    readonly alone: WhyAlone | null;
    /** To its card; null where it is not known. */
    readonly link: string | null;
  }[];
  readonly page: number;
  readonly more: boolean;
};

/** Where a rollout stands. `waiting`: nobody approved it. `sent`: all of it was. */
export type RolloutStanding = 'waiting' | 'running' | RolloutHold['kind'] | 'sent' | 'ended';

/** The states of a card, as in `event_payload.state` of the message's metadata. Stored: never rename them. */
export type CardState =
  | 'waiting'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'accepted'
  | 'queued'
  | 'answered'
  | 'verified'
  | 'not_verified'
  | 'refused'
  | 'not_sent'
  | 'not_needed'
  | 'unknown';

/** The states of a rollout's card beside those, in the same place. */
export type RolloutState = 'scheduled' | 'running' | 'paused' | 'braked' | 'stopped' | 'partly';

/** Beside the request: what only the card of a rollout shows. */
export type RolloutDetails = {
  /** Counts of each wave; empty where they are not known. */
  readonly waves: readonly TargetCounts[];
  /** The first devices on which it did not work, or to which nothing was sent. */
  readonly problems: readonly RequestTarget[];
  /** Offline devices that have the command and run it once they are back; empty where there are too many to be read. */
  readonly offline: readonly RequestTarget[];
  /** All that it waits for are those. */
  readonly onlyOffline: boolean;
  /** How long it takes at least, from when on; null: that is not known, or past. */
  readonly least: { readonly from: Instant; readonly ms: number } | null;
};
