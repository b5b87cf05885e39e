/** Views of requests: the card, answers to requester and approvers, and operations. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId, RequestId } from '../../lib/ids.ts';
import type { RequestRecord, RequestWithTargets } from '../../store/port/request-records.ts';
import type { Problem, View } from '../model.ts';
import type { SettingProblem } from './settings-model.ts';

export type RequestView =
  | {
      readonly kind: 'request';
      readonly request: RequestWithTargets;
      /** For a channel, so without personal data. */
      readonly shared?: boolean;
    }
  /** Private answers to the requester. `link`: a permalink to the card. */
  | {
      readonly kind: 'asked';
      readonly request: RequestWithTargets;
      readonly channel: ChannelId;
      readonly link: string | null;
      readonly already: boolean;
      /** Whether the reader requested it. */
      readonly mine: boolean;
      /** A reason given now that the card does not show, because the request existed already. */
      readonly reasonUnused: boolean;
    }
  | {
      readonly kind: 'started';
      readonly requestId: RequestId;
      readonly action: FleetAction;
      /** Names of the devices, or of the group. */
      readonly names: readonly string[];
      readonly link: string | null;
      /** It was requested before. */
      readonly already?: true;
      /** The requester; absent: the reader. */
      readonly by?: PersonId;
    }
  /** Commands that were not sent were requested again, without the devices in `unrequested`. `view` null: none could be. */
  | {
      readonly kind: 'requested-again';
      readonly view: View | null;
      readonly unrequested: readonly UnrequestedTarget[];
    }
  /** A press or form arrived too late, so nothing was requested or sent. */
  | {
      readonly kind: 'too-late';
      readonly command: string;
      /** The command's input, or the request that was not sent. */
      readonly again:
        | { readonly input: unknown }
        | {
            readonly request: RequestId;
            readonly action: FleetAction;
            /** Names of the devices that were not sent the command. */
            readonly names: readonly string[];
          };
      /** The name of the device, group or alert; null where there is no single one. */
      readonly subject: string | null;
      readonly askedAt: Instant;
      readonly maxAgeMs: number;
      readonly root: string;
    }
  /** Private answer to a press on Approve, Deny or Withdraw. */
  | { readonly kind: 'decided'; readonly outcome: DecisionOutcome };

/** A device that was not requested again, and why. */
export type UnrequestedTarget = { readonly name: string; readonly problem: Problem };

/** What was decided about a request, whatever became of it since. */
export type DecidedState = Exclude<RequestRecord['state'], 'running' | 'ended'>;

/** The outcome of a press on Approve, Deny or Withdraw. */
export type DecisionOutcome =
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
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-requester' }
  /** A reason was given before; an approver may have read it, so it stays. */
  | { readonly kind: 'reason-given'; readonly reason: string }
  /** `role`: the person’s own role; null for none, absent where it is not known. */
  | { readonly kind: 'not-allowed'; readonly need: string; readonly role?: string | null }
  | { readonly kind: 'stale-card' }
  | Extract<SettingProblem, { kind: 'paused' }>
  | { readonly kind: 'absent' };

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
  | 'unknown';
