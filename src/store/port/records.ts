/**
 * What is remembered, as types. Every record belongs to one organization. Instants are epoch milliseconds
 * on the clock; leases run on a time of their own (`lease-time.ts`).
 */

import type { EditableFields, GroupFacts } from '../../fleet/facts/edit-facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { EventKind } from '../../fleet/model/event-kinds.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
import type { Instant } from '../../lib/clock.ts';
import type {
  AlertId,
  ApprovalId,
  CardKey,
  ChannelId,
  DeviceId,
  EventId,
  GroupId,
  MessageTs,
  OperationId,
  OrganizationId,
  PersonId,
  PolicyId,
  QueueEntryId,
  ServiceUserId,
} from '../../lib/ids.ts';

/** The facts about a device that an approver sees and that are read again before acting. */
export type DeviceFacts = {
  readonly deviceId: DeviceId;
  /** Hostname: part of what is sealed. */
  readonly hostname: string;
  readonly displayName: string;
  readonly groupId: GroupId | null;
  readonly groupName: string | null;
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
  readonly connected: boolean | null;
  readonly lastDisconnectTime: Instant | null;
  readonly lastLoggedInUser: string | null;
  readonly pendingPatches: number | null;
  readonly needsReboot: boolean | null;
  /** Missing packages by machine name, where the command installs some; otherwise empty. */
  readonly missing: readonly string[];
  /** Of the command's policy; null where the command is of none. */
  readonly policy: PolicyFacts | null;
  /** What an edit may change, as it is; null where nothing is edited. */
  readonly editable: EditableFields | null;
  readonly asOf: Instant;
};

export type { GroupFacts };
/** The facts about one thing that is acted on: a device, or a group, which has no device's id. */
export type TargetFacts = DeviceFacts | GroupFacts;

export type ApprovalState = 'waiting' | 'approved' | 'denied' | 'expired' | 'withdrawn';

export type ApprovalRecord = {
  readonly organizationId: OrganizationId;
  readonly id: ApprovalId;
  /** Grows by one with each change: the compare-and-set column. */
  readonly version: number;
  readonly state: ApprovalState;
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  /** Digest of command, targets and facts, as shown on the card; a click carries it back. */
  readonly seal: string;
  /** Digest of command and targets: at most one waiting approval has it. */
  readonly fingerprint: string;
  readonly requesterId: PersonId;
  /** The Slack delivery that asked, so that a repeated delivery asks once. */
  readonly requestKey: string;
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly decidedBy: PersonId | null;
  readonly decidedAt: Instant | null;
  /** Who had approved it when it last went back, and when; null: it did not, or that is not known. */
  readonly approvedBy: PersonId | null;
  readonly approvedAt: Instant | null;
  /** What changed since the card was first drawn, when drift sent it back; or why it was withdrawn. */
  readonly note: string | null;
  readonly operationId: OperationId | null;
};

/**
 * `ready` is stored but not claimed: nothing was sent. `issuing` is the claim: written before the one POST.
 * `not_sent` ended before that: nothing left Patchbay, and nothing failed.
 * `refused` is certain not to have been carried out. The others are the product's vocabulary of states,
 * each on evidence.
 */
export type TargetState =
  | 'ready'
  | 'issuing'
  | 'refused'
  | 'unknown'
  | 'accepted'
  | 'queued'
  | 'answered'
  | 'verified'
  | 'not_verified'
  | 'not_sent';

/** What a proof is compared with: the device just before the command, and as long as that waits in the queue. */
export type Baseline = {
  readonly at: Instant;
  readonly connected: boolean | null;
  readonly lastRefreshTime: Instant | null;
  readonly lastDisconnectTime: Instant | null;
  readonly uptime: number | null;
  readonly needsReboot: boolean | null;
  /** Ids in the queue before the POST: a new one of our type after it is ours. */
  readonly queueIds: readonly QueueEntryId[];
  /** Missing packages before, by machine name. */
  readonly missing: readonly string[];
  /** How the device stood with the command's policy; null where the command is of none. */
  readonly policy: PolicyBaseline | null;
};

export type PolicyBaseline = {
  /** Null: the service did not say. */
  readonly status: number | null;
  /** When the service wrote that status. */
  readonly statusTime: Instant | null;
  /** Highest id among the events of this policy on the device; null: none was there. */
  readonly lastEventId: EventId | null;
};

export type TargetRecord = {
  readonly operationId: OperationId;
  /** Null: the edit of a group, which concerns no device. */
  readonly deviceId: DeviceId | null;
  readonly displayName: string;
  readonly state: TargetState;
  readonly before: Baseline;
  readonly queueEntryId: QueueEntryId | null;
  readonly issuedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly queuedAt: Instant | null;
  /** When its entry was first not listed in the queue any more. Null: it is listed, or never was. */
  readonly missedAt: Instant | null;
  readonly answeredAt: Instant | null;
  /** When verified, not_verified, not_sent or refused; or when we stopped looking for an unknown one. Null: open. */
  readonly endedAt: Instant | null;
  /** What the device answered, cut. */
  readonly response: string | null;
  /** On what evidence the state stands, or why it is not known: one plain sentence. */
  readonly evidence: string | null;
  /** After this the command is not followed any more. */
  readonly deadlineAt: Instant;
};

export type OperationRecord = {
  readonly organizationId: OrganizationId;
  readonly id: OperationId;
  /** Grows by one with each change of a target. */
  readonly version: number;
  readonly approvalId: ApprovalId | null;
  readonly command: FleetAction;
  readonly requesterId: PersonId;
  readonly requestKey: string;
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly targets: readonly TargetRecord[];
};

/** `requestedAt`: what needed an approval became an operation only after that. */
export type RecentOperation = OperationRecord & { readonly requestedAt: Instant };

export type AlertKind = EventKind;

/** One thing worth telling a channel. Unique per organization, event and kind. */
export type AlertRecord = {
  readonly organizationId: OrganizationId;
  readonly id: AlertId;
  readonly kind: AlertKind;
  readonly eventId: EventId;
  readonly deviceId: DeviceId | null;
  readonly deviceName: string | null;
  /** Machine names, as an event named them. */
  readonly packages: readonly { readonly name: string; readonly displayName: string | null }[];
  readonly reason: string | null;
  readonly operatingSystem: string | null;
  readonly policyId: PolicyId | null;
  readonly policyName: string | null;
  /** Of a policy's run; 0 is success and a value. */
  readonly exitCode: number | null;
  /** Of the service's own console. */
  readonly userId: ServiceUserId | null;
  readonly happenedAt: Instant | null;
  readonly createdAt: Instant;
  /** Who took it upon themselves. */
  readonly acknowledgedBy: PersonId | null;
  readonly acknowledgedAt: Instant | null;
};

export type { CardKey } from '../../lib/ids.ts';

/** A message that shows a thing and is edited as the thing changes: the outbox. */
export type CardRecord = {
  readonly organizationId: OrganizationId;
  readonly key: CardKey;
  /** Where it should stand. */
  readonly channel: ChannelId;
  /** Whose direct message takes it where the bot is no member of the channel. */
  readonly fallbackPerson: PersonId | null;
  /** Where it stands, once known. */
  readonly postedChannel: ChannelId | null;
  readonly ts: MessageTs | null;
  readonly wantedRevision: number;
  readonly shownRevision: number;
  /** Slack's word when the card was given up, such as `is_archived`. */
  readonly failure: string | null;
};

/** Kinds of work due at a time. `run` carries out a request, as `act` did an approval or an operation. */
export type WorkKind = 'card' | 'click' | 'form' | 'act' | 'run' | 'follow' | 'expire' | 'silence';

/** Work due at a time. One row per kind and key; putting it again moves it. */
export type WorkRecord = {
  readonly organizationId: OrganizationId;
  readonly kind: WorkKind;
  readonly key: string;
  readonly dueAt: Instant;
  readonly payload: unknown;
  /** How often it was claimed before, failures included. */
  readonly attempts: number;
};

/** A claimed row; the token fences a holder whose lease ran out. */
export type ClaimedWork = WorkRecord & { readonly token: string };

export type EventCursor = {
  /** Highest event id taken in, or the baseline of the first start. */
  readonly highestId: EventId;
  /** Ids up to this one are history: long before the first start, or so old that `seen` has forgotten them. */
  readonly floorId: EventId;
  /** Events made before this are history too. Null where the first start found events in order: then the ids say it. */
  readonly historyBefore: Instant | null;
  readonly updatedAt: Instant;
};

export type AuditEntry = {
  readonly at: Instant;
  readonly actor: PersonId | 'patchbay';
  /** Such as `approval.requested`, `approval.denied`, `operation.issued`. */
  readonly action: string;
  /** Id of the thing acted on. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
};
export type AuditRecord = AuditEntry & {
  readonly sequence: number;
  /** SHA-256 over the previous hash and this entry. */
  readonly hash: string;
};
