/**
 * The port to durable state, one for SQLite and PostgreSQL. Compare-and-set lives here, not in callers.
 * A store is bound to one organization when it is opened: every key carries it.
 */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type {
  AlertId,
  ApprovalId,
  ChannelId,
  DeviceId,
  EventId,
  MessageTs,
  OperationId,
  PersonId,
} from '../../lib/ids.ts';
import type { DeliveryStore, SilenceStore, SubscriptionStore } from './alert-records.ts';
import type { CardCallStore } from './card-call-records.ts';
import type { HealthStore } from './health-records.ts';
import type {
  AlertKind,
  AlertRecord,
  ApprovalRecord,
  AuditEntry,
  AuditRecord,
  CardKey,
  CardRecord,
  ClaimedWork,
  EventCursor,
  OperationRecord,
  RecentOperation,
  TargetRecord,
  WorkKind,
} from './records.ts';
import type { ReplicaStore } from './replica-records.ts';
import type { RequestStore, TargetStore } from './request-store.ts';
import type { NamedLineStore, PauseStore, PeopleStore } from './settings-records.ts';

export type ApprovalStore = {
  /**
   * Stores a new one. `exists` when the same delivery asked before or when a waiting approval has the same
   * fingerprint; it carries that one.
   */
  readonly insert: (
    approval: ApprovalRecord,
  ) => Promise<
    { readonly kind: 'inserted' } | { readonly kind: 'exists'; readonly approval: ApprovalRecord }
  >;
  readonly get: (id: ApprovalId) => Promise<ApprovalRecord | null>;
  /** The one that this delivery asked for. */
  readonly byRequest: (requestKey: string) => Promise<ApprovalRecord | null>;
  /**
   * Writes `next` (whose version is `next.version`) if the stored version is `next.version - 1`. False: somebody
   * was first, or `next` goes back to waiting while another waiting approval has its fingerprint.
   */
  readonly replace: (next: ApprovalRecord) => Promise<boolean>;
  /** Up to `limit` of those that fit, the newest first. */
  readonly list: (
    which: { readonly state?: ApprovalRecord['state']; readonly requesterId?: PersonId },
    limit: number,
  ) => Promise<readonly ApprovalRecord[]>;
};

export type OperationStore = {
  /**
   * Stores operation and targets. `exists` when the same delivery or approval has one already. A target that was
   * sent and not seen in the queue yet is the only one of its device and command, or of the thing that it edits; a
   * second one throws.
   */
  readonly insert: (
    operation: OperationRecord,
  ) => Promise<
    { readonly kind: 'inserted' } | { readonly kind: 'exists'; readonly operation: OperationRecord }
  >;
  readonly get: (id: OperationId) => Promise<OperationRecord | null>;
  /** The one that this delivery asked for, or the approval that it asked for. */
  readonly byRequest: (requestKey: string) => Promise<OperationRecord | null>;
  /** Writes the target if it still is in state `from`. False: somebody moved it. */
  readonly replaceTarget: (from: TargetRecord['state'], next: TargetRecord) => Promise<boolean>;
  /**
   * Targets of this device that are not ended and with which this order would collide, oldest first: the same command,
   * or any edit of the same thing. Null: the order concerns no device.
   */
  readonly openTargets: (deviceId: DeviceId | null, order: FleetAction) => Promise<readonly TargetRecord[]>;
  /** Commands of these kinds whose following ended after `since`: on which device, and when. */
  readonly endedSince: (
    since: Instant,
    kinds: readonly FleetAction['kind'][],
  ) => Promise<readonly { readonly deviceId: DeviceId; readonly at: Instant }[]>;
  /** Up to `limit` (at most 500) of them, or of those of one person, the newest first. */
  readonly recent: (limit: number, requesterId?: PersonId) => Promise<readonly RecentOperation[]>;
};

export type EventStore = {
  readonly cursor: () => Promise<EventCursor | null>;
  /** Sets the first one. False: there is one, or another replica set it just now. */
  readonly begin: (cursor: EventCursor) => Promise<boolean>;
  readonly setCursor: (cursor: EventCursor) => Promise<void>;
  /** Which of these were taken in before; with `until`, at that time or earlier. */
  readonly seen: (ids: readonly EventId[], until?: Instant) => Promise<ReadonlySet<EventId>>;
  readonly markSeen: (ids: readonly EventId[], at: Instant) => Promise<void>;
  /** Forgets ids up to `upTo` taken in before `before`; returns the highest of them, or null when there was none. */
  readonly forgetSeen: (before: Instant, upTo: EventId) => Promise<EventId | null>;
};

export type AlertStore = {
  /** False when this organization, event and kind has one already. */
  readonly insert: (alert: AlertRecord) => Promise<boolean>;
  readonly get: (id: AlertId) => Promise<AlertRecord | null>;
  /** Up to `limit` of this kind that were made at that time or later, the newest first. */
  readonly recent: (kind: AlertKind, since: Instant, limit: number) => Promise<readonly AlertRecord[]>;
  /** The one of this event; null where nobody was told of it. */
  readonly ofEvent: (event: EventId) => Promise<AlertRecord | null>;
  /** False: somebody took it before. */
  readonly acknowledge: (id: AlertId, by: PersonId, at: Instant) => Promise<boolean>;
};

export type CardStore = {
  /** Asks for a card to be shown, or shown again in its newest form: creates it or adds one to its wanted revision, and puts its `card` work at `dueAt`. */
  readonly enqueue: (card: {
    readonly key: CardKey;
    readonly channel: ChannelId;
    readonly fallbackPerson: PersonId | null;
    readonly dueAt: Instant;
  }) => Promise<void>;
  /** The same for a card that exists; nothing when it does not. */
  readonly enqueueUpdate: (key: CardKey, dueAt: Instant) => Promise<void>;
  readonly get: (key: CardKey) => Promise<CardRecord | null>;
  /**
   * The card stands at (channel, ts) and shows this revision, unless another message of it was recorded first: that one
   * stays, and the answer is false.
   */
  readonly recordPosted: (
    key: CardKey,
    where: { readonly channel: ChannelId; readonly ts: MessageTs; readonly revision: number },
  ) => Promise<boolean>;
  /** The card shows this revision where it stands. */
  readonly recordEdited: (key: CardKey, revision: number) => Promise<void>;
  /** The card does not stand there any more; nothing where another message of it is recorded by now. */
  readonly recordRemoved: (key: CardKey, where: { readonly ts: MessageTs }) => Promise<void>;
  /** False where more was wanted than this revision, or the card stands elsewhere by now: then it is to be tried again. */
  readonly giveUp: (
    card: Pick<CardRecord, 'key' | 'ts' | 'wantedRevision'>,
    failure: string,
  ) => Promise<boolean>;
};

export type { CardCallStore } from './card-call-records.ts';

export type NewWork = {
  readonly kind: WorkKind;
  readonly key: string;
  readonly dueAt: Instant;
  readonly payload?: unknown;
};

export type WorkStore = {
  /** Puts work; a row of the same kind and key is moved to the new time and payload. */
  readonly put: (work: NewWork) => Promise<void>;
  /** Puts work unless there is some of the same kind and key, which stays as it is: `exists`, with what that carries. */
  readonly insert: (
    work: NewWork,
  ) => Promise<{ readonly kind: 'inserted' } | { readonly kind: 'exists'; readonly payload: unknown }>;
  /** What the work carries; null where there is none. */
  readonly payload: (kind: WorkKind, key: string) => Promise<unknown>;
  /** Moves work that was never claimed to an earlier time; other work stays as it is. */
  readonly hasten: (kind: WorkKind, key: string, dueAt: Instant) => Promise<void>;
  /**
   * Takes up to `limit` rows due at `now` (clock) whose lease is free, oldest first, in one statement. Leases run by the
   * time of `lease-time.ts`.
   */
  readonly claim: (options: {
    readonly now: Instant;
    readonly leaseMs: number;
    readonly limit: number;
    /** Only work of these kinds; absent: of all. */
    readonly kinds?: readonly WorkKind[] | undefined;
  }) => Promise<readonly ClaimedWork[]>;
  /** Renews a lease. False: it was lost. */
  readonly renew: (work: ClaimedWork, leaseMs: number) => Promise<boolean>;
  /** Whether this claim still holds its row. Inside a transaction nobody takes it before that ends. */
  readonly holds: (work: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) => Promise<boolean>;
  /** Done: the row goes, unless it was put again meanwhile, then it stays for its new time. False: the lease was lost. */
  readonly finish: (work: ClaimedWork) => Promise<boolean>;
  /** Not done: the row is free again at `dueAt`. False: the lease was lost. */
  readonly postpone: (work: ClaimedWork, dueAt: Instant) => Promise<boolean>;
  readonly drop: (kind: WorkKind, key: string) => Promise<void>;
  /** When the next free row falls due. */
  readonly nextDue: (kinds?: readonly WorkKind[]) => Promise<Instant | null>;
};

/** A copy of the fleet for a warm start; what the texts say is their owner's business. */
export type InventoryStore = {
  /** What is known beside the devices; null where nothing was kept. */
  readonly facts: () => Promise<string | null>;
  readonly setFacts: (body: string) => Promise<void>;
  readonly devices: DeviceTextStore;
  /** What the packages are that they miss. */
  readonly missingPatches: DeviceTextStore;
  /** Grows with each write of any replica: where it stands still, there is nothing new to read. */
  readonly revisions: () => Promise<InventoryRevisions>;
};
export type InventoryRevisions = {
  readonly facts: number;
  readonly devices: number;
  readonly missingPatches: number;
};
/** A text for each device. */
export type DeviceTextStore = {
  /** Up to `limit` of them by id, those after `after`. */
  readonly list: (after: DeviceId | null, limit: number) => Promise<readonly DeviceText[]>;
  /** Each id once. */
  readonly put: (rows: readonly DeviceText[]) => Promise<void>;
  readonly drop: (ids: readonly DeviceId[]) => Promise<void>;
  /** Up to `limit` changes that other processes made after this one, in the order of their revisions. */
  readonly changesSince: (after: ChangePosition, limit: number) => Promise<readonly DeviceTextChange[]>;
};
/** Where one who reads changes stands. */
export type ChangePosition = { readonly revision: number; readonly deviceId: DeviceId };
/** Null: the device was dropped. */
export type DeviceTextChange = ChangePosition & { readonly body: string | null };
export type DeviceText = { readonly deviceId: DeviceId; readonly body: string };

export type AuditStore = {
  /** Appends to the chain. */
  readonly append: (entry: AuditEntry) => Promise<AuditRecord>;
  readonly list: (after: number, limit: number) => Promise<readonly AuditRecord[]>;
  /** Up to `limit` entries of that time and later, the newest first. */
  readonly latest: (since: Instant, limit: number) => Promise<readonly AuditRecord[]>;
};

export type StoreTables = {
  readonly approvals: ApprovalStore;
  readonly operations: OperationStore;
  readonly requests: RequestStore;
  readonly targets: TargetStore;
  readonly events: EventStore;
  readonly alerts: AlertStore;
  readonly deliveries: DeliveryStore;
  readonly subscriptions: SubscriptionStore;
  readonly silences: SilenceStore;
  readonly inventory: InventoryStore;
  readonly cards: CardStore;
  readonly cardCalls: CardCallStore;
  readonly work: WorkStore;
  readonly audit: AuditStore;
  readonly namedLines: NamedLineStore;
  readonly people: PeopleStore;
  readonly pause: PauseStore;
  readonly health: HealthStore;
  readonly replicas: ReplicaStore;
};

export type Store = StoreTables & {
  /**
   * All of `job` or nothing. The store's own tables must not be used inside, only `tables`. The job may run
   * again when the database broke off a first run, such as one of two that locked each other out: it does
   * nothing that a second run would double.
   */
  readonly transaction: <T>(job: (tables: StoreTables) => Promise<T>) => Promise<T>;
  /** One cheap round trip; throws when the database does not answer. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
