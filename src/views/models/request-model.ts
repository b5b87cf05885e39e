/** Views of what somebody asks for: its card, the answers to who asked and who decided, and what became of it. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, OperationId, PersonId } from '../../lib/ids.ts';
import type { ApprovalRecord, OperationRecord } from '../../store/port/records.ts';
import type { Problem, View } from '../model.ts';
import type { SettingProblem } from './settings-model.ts';

export type RequestView =
  | {
      readonly kind: 'approval';
      readonly approval: ApprovalRecord;
      readonly operation: OperationRecord | null;
      /** For everybody in a channel, so without what is personal. */
      readonly shared?: boolean;
    }
  | { readonly kind: 'operation'; readonly operation: OperationRecord }
  /** Private answers to somebody who asked for something to be done. `link` is a permalink of the card. */
  | {
      readonly kind: 'asked';
      readonly approval: ApprovalRecord;
      readonly channel: ChannelId;
      readonly link: string | null;
      readonly already: boolean;
      /** Whether the reader is the one who asked for it. */
      readonly mine: boolean;
      /** A reason that was given now and that the card does not show, because it was asked for before. */
      readonly reasonUnused: boolean;
    }
  | {
      readonly kind: 'started';
      readonly operationId: OperationId;
      readonly command: FleetAction;
      /** Of the devices, or of the group. */
      readonly names: readonly string[];
      readonly link: string | null;
      /** It was taken up before. */
      readonly already?: true;
      /** Who asked for it; absent: the reader. */
      readonly by?: PersonId;
    }
  /** What was not sent was requested once more, without the devices of `leftOut`; `view` null: none could be. */
  | {
      readonly kind: 'requested-again';
      readonly view: View | null;
      readonly unrequested: readonly UnrequestedTarget[];
    }
  /** Asked for too long ago: nothing was asked or sent. */
  | {
      readonly kind: 'too-late';
      readonly command: string;
      /** The input of the command, or the operation that did not send it. */
      readonly again:
        | { readonly input: unknown }
        | {
            readonly operation: OperationId;
            readonly order: FleetAction;
            /** Of what was not sent. */
            readonly names: readonly string[];
          };
      /** What it is about, by the name that people know; null where that is not said in one word. */
      readonly subject: string | null;
      readonly askedAt: Instant;
      readonly maxAgeMs: number;
      readonly root: string;
    }
  /** Private answer to somebody who pressed a button of an approval. */
  | { readonly kind: 'decided'; readonly outcome: DecisionOutcome };

/** A device that was not requested again, and why. */
export type UnrequestedTarget = { readonly name: string; readonly problem: Problem };

/** What became of a press on Approve, Deny or Withdraw. */
export type DecisionOutcome =
  | { readonly kind: 'approved' | 'denied' | 'withdrawn'; readonly approval: ApprovalRecord }
  | {
      readonly kind: 'already';
      readonly approval: ApprovalRecord;
      readonly state: ApprovalRecord['state'];
      readonly by: PersonId | null;
      readonly at: Instant | null;
    }
  /** The person decided just that before: a second press, or the first one told of late. */
  | {
      readonly kind: 'repeated';
      readonly approval: ApprovalRecord;
      readonly decision: 'approved' | 'denied' | 'withdrawn';
      readonly at: Instant | null;
    }
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-requester' }
  /** A reason was given before; an approver may have read it, so it stays. */
  | { readonly kind: 'reason-given'; readonly reason: string }
  /** `role`: the person’s own, null: none; absent: not known. */
  | { readonly kind: 'not-allowed'; readonly need: string; readonly role?: string | null }
  | { readonly kind: 'stale-card' }
  | Extract<SettingProblem, { kind: 'paused' }>
  | { readonly kind: 'absent' };

/** Words for the state of a card, in the text and in `event_payload.state` of the message's metadata. */
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
