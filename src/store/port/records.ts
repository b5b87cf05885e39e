/**
 * Stored records, as types. Every record belongs to one organization. Instants are epoch milliseconds on the clock;
 * leases use a time of their own (`lease-time.ts`).
 */

import type { EditableFields, GroupFacts } from '../../fleet/facts/edit-facts.ts';
import type { PolicyEditFacts } from '../../fleet/facts/policy-edit-facts.ts';
import type { DeviceRemovalFacts } from '../../fleet/facts/removal-facts.ts';
import type { AnyEventKind } from '../../fleet/model/event-kinds.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
import { type Instant, SECOND } from '../../lib/clock.ts';
import type {
  AlertId,
  CardKey,
  ChannelId,
  DeviceId,
  EventId,
  GroupId,
  MessageTs,
  OrganizationId,
  PersonId,
  PolicyId,
  QueueEntryId,
  ServiceUserId,
} from '../../lib/ids.ts';

/** The facts about a device that an approver sees and that are read again before acting. */
export type DeviceFacts = {
  readonly deviceId: DeviceId;
  /** Hostname, which is part of the seal. */
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
  /** Those of them that need a restart to take effect; absent: none. */
  readonly rebootFor?: readonly string[];
  /** Excluded from reports; absent: not. */
  readonly exception?: true;
  /** Its users put off patches or a restart; absent: not. */
  readonly deferred?: true;
  /** Of the command's policy; null for commands without one. */
  readonly policy: PolicyFacts | null;
  /** The fields that an edit may change, as they are; null when nothing is edited. */
  readonly editable: EditableFields | null;
  /** What goes with it, where it is to be removed. */
  readonly removal?: DeviceRemovalFacts;
  readonly asOf: Instant;
};

export type { GroupFacts };
/** The facts about one target: a device, or a group, which has no device id. */
export type TargetFacts = DeviceFacts | GroupFacts | PolicyEditFacts;

/**
 * `ready`: stored but not claimed; nothing was sent. `issuing`: the claim, written before the one POST. `not_sent`:
 * ended before that; nothing left Patchbay, and nothing failed. `refused`: certainly not carried out. The others are
 * the product's states, each based on evidence.
 */
export const TARGET_STATES = [
  'ready',
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'verified',
  'not_verified',
  'not_sent',
] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/**
 * What a proof is compared with: the device just before the command, updated as long as the command waits in the
 * queue.
 */
export type Baseline = {
  readonly at: Instant;
  readonly connected: boolean | null;
  readonly lastRefreshTime: Instant | null;
  readonly lastDisconnectTime: Instant | null;
  readonly uptime: number | null;
  readonly needsReboot: boolean | null;
  /** Ids in the queue before the POST: a new entry of our type after it is ours. */
  readonly queueIds: readonly QueueEntryId[];
  /** Missing packages before, by machine name. */
  readonly missing: readonly string[];
  /** The device's status under the command's policy; null for commands without one. */
  readonly policy: PolicyBaseline | null;
  /**
   * Where the device was read some time before the claim: the claim's time by the clock of the service. What the service
   * dates before it is no effect. Absent: the device was read right before the claim.
   */
  readonly from?: Instant;
};

export type PolicyBaseline = {
  /** Null: the service did not say. */
  readonly status: number | null;
  /** When the service wrote that status. */
  readonly statusTime: Instant | null;
  /** Highest id among the events of this policy on the device; null: there was none. */
  readonly lastEventId: EventId | null;
};

export type AlertKind = AnyEventKind;

/** One event that a channel is notified of. Unique per organization, event and kind. */
export type AlertRecord = {
  readonly organizationId: OrganizationId;
  readonly id: AlertId;
  readonly kind: AlertKind;
  readonly eventId: EventId;
  readonly deviceId: DeviceId | null;
  readonly deviceName: string | null;
  /** Machine names, as an event named them; `version` only where it stated one. */
  readonly packages: readonly {
    readonly name: string;
    readonly displayName: string | null;
    readonly version?: string | undefined;
  }[];
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
  /** Who acknowledged it. */
  readonly acknowledgedBy: PersonId | null;
  readonly acknowledgedAt: Instant | null;
};

export type { CardKey } from '../../lib/ids.ts';

/** A message that shows a thing and is edited as the thing changes; part of the outbox. */
export type CardRecord = {
  readonly organizationId: OrganizationId;
  readonly key: CardKey;
  /** The channel for which it is meant. */
  readonly channel: ChannelId;
  /** The person whose direct messages receive it when the bot is not a member of the channel. */
  readonly fallbackPerson: PersonId | null;
  /** Where it was posted, once known. */
  readonly postedChannel: ChannelId | null;
  readonly ts: MessageTs | null;
  readonly wantedRevision: number;
  readonly shownRevision: number;
  /** Slack's error when the card was abandoned, such as `is_archived`. */
  readonly failure: string | null;
};

/** The kinds of work that this program knows; during an upgrade another replica may add newer ones. */
export const WORK_KINDS = ['card', 'click', 'form', 'run', 'follow', 'expire', 'silence'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Work due at a time. One row per kind and key; scheduling it again moves it. */
export type WorkRecord = {
  readonly organizationId: OrganizationId;
  readonly kind: WorkKind;
  readonly key: string;
  readonly dueAt: Instant;
  readonly payload: unknown;
  /** How often it was claimed before, including failures. */
  readonly attempts: number;
};

/** How long a dead holder's work stays leased: after that, another one takes it over. */
export const WORK_LEASE_MS = 30 * SECOND;

/** A claimed row; the token fences off a holder whose lease expired. */
export type ClaimedWork = WorkRecord & { readonly token: string };

export type EventCursor = {
  /** Highest event id that was processed, or the baseline of the first start. */
  readonly highestId: EventId;
  /** Ids up to this one are history: from before the first start, or so old that `seen` has forgotten them. */
  readonly floorId: EventId;
  /** Events created before this are history too. Null when the first start found events: then the ids decide. */
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
