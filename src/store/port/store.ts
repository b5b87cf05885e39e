/**
 * The port to durable state, the same for SQLite and PostgreSQL. Compare-and-set happens here, not in callers. A
 * store belongs to the organization it was opened for: every key contains it.
 */
import type { FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { AlertId, ChannelId, DeviceId, EventId, MessageTs, PersonId } from '../../lib/ids.ts';
import type { DeliveryStore, SilenceStore, SubscriptionStore } from './alert-records.ts';
import type { CardCallStore } from './card-call-records.ts';
import type { DecisionWindowStore } from './decision-windows.ts';
import type { HealthStore } from './health-records.ts';
import type {
  AlertRecord,
  AuditEntry,
  AuditRecord,
  CardKey,
  CardRecord,
  ClaimedWork,
  EventCursor,
  WorkKind,
  WorkRecord,
} from './records.ts';
import type { ReplicaStore } from './replica-records.ts';
import type { RequestStore, TargetStore } from './request-records.ts';
import type { NamedLineStore, PauseStore, PeopleStore } from './settings-records.ts';

/** A service that was restored from a backup gives ids again, to events that happen later. */
export type KnownEvent = Pick<FleetEvent, 'id' | 'createTime'>;
/** When the last event of each known id happened; 0: that stated no time. */
export type SeenEvents = ReadonlyMap<EventId, Instant | 0>;

export type EventStore = {
  readonly cursor: () => Promise<EventCursor | null>;
  /** Sets the first cursor. False: there is one already, perhaps because another replica just set it. */
  readonly begin: (cursor: EventCursor) => Promise<boolean>;
  readonly setCursor: (cursor: EventCursor) => Promise<void>;
  /** Whose ids were processed before; with `until`, at that time or earlier. */
  readonly seen: (events: readonly KnownEvent[], until?: Instant) => Promise<SeenEvents>;
  readonly markSeen: (events: readonly KnownEvent[], at: Instant) => Promise<void>;
  /** The highest id below `below` that was processed at `until` or earlier; null: none. */
  readonly lastSeen: (below: EventId, until: Instant) => Promise<EventId | null>;
  /** Forgets ids up to `upTo` processed before `before`; returns the highest of them, or null when there was none. */
  readonly forgetSeen: (before: Instant, upTo: EventId) => Promise<EventId | null>;
};

export type AlertStore = {
  /** False when this event already has one of this kind. */
  readonly insert: (alert: AlertRecord) => Promise<boolean>;
  readonly get: (id: AlertId) => Promise<AlertRecord | null>;
  /** The alert of this event; null when nobody was notified of it. */
  readonly ofEvent: (event: EventId) => Promise<AlertRecord | null>;
  /** False: it was already acknowledged. */
  readonly acknowledge: (id: AlertId, by: PersonId, at: Instant) => Promise<boolean>;
};

export type CardStore = {
  /**
   * Requests that a card is posted or updated: creates it or increments its wanted revision, and schedules its `card`
   * work at `dueAt`.
   */
  readonly enqueue: (
    card: Pick<CardRecord, 'key' | 'channel' | 'fallbackPerson'> & { readonly dueAt: Instant },
  ) => Promise<void>;
  /**
   * The same for an existing card; does nothing when there is none. `keepsDue`: an update that is scheduled already keeps
   * its time, so that many updates in a row are one.
   */
  readonly enqueueUpdate: (
    key: CardKey,
    dueAt: Instant,
    options?: { readonly keepsDue?: boolean },
  ) => Promise<void>;
  readonly get: (key: CardKey) => Promise<CardRecord | null>;
  /**
   * Records that the card is posted at (channel, ts) and shows this revision. False: another message was recorded for
   * it first, which stays.
   */
  readonly recordPosted: (
    key: CardKey,
    where: { readonly channel: ChannelId; readonly ts: MessageTs; readonly revision: number },
  ) => Promise<boolean>;
  /** Records that the posted card shows this revision. */
  readonly recordEdited: (key: CardKey, revision: number) => Promise<void>;
  /** Records that the message is gone; ignored when another message is recorded for the card by now. */
  readonly recordRemoved: (key: CardKey, where: { readonly ts: MessageTs }) => Promise<void>;
  /**
   * Marks the card as abandoned. False when a newer revision is wanted or the card was posted elsewhere: then it is
   * tried again.
   */
  readonly giveUp: (
    card: Pick<CardRecord, 'key' | 'ts' | 'wantedRevision'>,
    failure: string,
  ) => Promise<boolean>;
  /**
   * The channel takes posts again: its cards without a message are due at `at` as if they were never tried, and their
   * work has the payload `channel-open`.
   */
  readonly resumeUnposted: (channel: ChannelId, at: Instant) => Promise<void>;
};

/** Payload of card work whose channel was opened since the last try. */
export type ChannelOpenPayload = 'channel-open';

export type NewWork = Pick<WorkRecord, 'kind' | 'key' | 'dueAt'> & {
  readonly payload?: unknown;
  /** A row that nobody holds keeps its time. */
  readonly keepsDue?: boolean;
  /** The same where its time is earlier. */
  readonly keepsEarlier?: boolean;
};

export type WorkStore = {
  /** Schedules work; an existing row of the same kind and key moves to the new time and payload. */
  readonly put: (work: NewWork) => Promise<void>;
  /** Adds work unless a row of the same kind and key exists, which stays: `exists`. */
  readonly insert: (work: NewWork) => Promise<'inserted' | 'exists'>;
  /** Moves work that was never claimed to an earlier time; ignores other work. */
  readonly hasten: (kind: WorkKind, key: string, dueAt: Instant) => Promise<void>;
  /**
   * Claims up to `limit` rows that are due at `now` (clock) and not leased, oldest first, in one statement. Leases
   * use the time of `leaseNow`.
   */
  readonly claim: (options: {
    readonly now: Instant;
    readonly leaseMs: number;
    readonly limit: number;
    /** Only work of these kinds; absent: all kinds. */
    readonly kinds?: readonly WorkKind[] | undefined;
  }) => Promise<readonly ClaimedWork[]>;
  /** Extends a lease. False: it was lost. */
  readonly renew: (work: ClaimedWork, leaseMs: number) => Promise<boolean>;
  /** Whether this claim still holds its row. Inside a transaction, nobody else takes it before the transaction ends. */
  readonly holds: (work: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) => Promise<boolean>;
  /**
   * Done: deletes the row, or frees it for its new time if it was scheduled again meanwhile. False: the lease was
   * lost.
   */
  readonly finish: (work: ClaimedWork) => Promise<boolean>;
  /** Not done: frees the row until `dueAt`. False: the lease was lost. */
  readonly postpone: (work: ClaimedWork, dueAt: Instant) => Promise<boolean>;
  readonly drop: (kind: WorkKind, key: string) => Promise<void>;
  readonly nextDue: (kinds?: readonly WorkKind[]) => Promise<Instant | null>;
};

/** A copy of the fleet for a warm start; only the inventory interprets the texts. */
export type InventoryStore = {
  /** What is known besides the devices; null when nothing was saved. */
  readonly facts: () => Promise<string | null>;
  readonly setFacts: (body: string) => Promise<void>;
  readonly devices: DeviceTextStore;
  readonly missingPatches: DeviceTextStore;
  /** Grows with each write of any replica: if it did not change, there is nothing new to read. */
  readonly revisions: () => Promise<InventoryRevisions>;
};
export type InventoryRevisions = {
  readonly facts: number;
  readonly devices: number;
  readonly missingPatches: number;
};
/** One text per device. */
export type DeviceTextStore = {
  /** Up to `limit` rows with ids after `after`, by id. */
  readonly list: (after: DeviceId | null, limit: number) => Promise<readonly DeviceText[]>;
  /** Each id may occur only once. */
  readonly put: (rows: readonly DeviceText[]) => Promise<void>;
  readonly drop: (ids: readonly DeviceId[]) => Promise<void>;
  /** Up to `limit` changes by other processes after this position, in order of revision. */
  readonly changesSince: (after: ChangePosition, limit: number) => Promise<readonly DeviceTextChange[]>;
};
/** The position of a reader in the changes. */
export type ChangePosition = { readonly revision: number; readonly deviceId: DeviceId };
/** Null: the device was dropped. */
export type DeviceTextChange = ChangePosition & { readonly body: string | null };
export type DeviceText = { readonly deviceId: DeviceId; readonly body: string };

export type AuditStore = {
  readonly append: (entry: AuditEntry) => Promise<AuditRecord>;
  /** The same for several, in their order. */
  readonly appendAll: (entries: readonly AuditEntry[]) => Promise<void>;
  readonly list: (after: number, limit: number) => Promise<readonly AuditRecord[]>;
  /** Up to `limit` entries from `since` or later, newest first. */
  readonly latest: (since: Instant, limit: number) => Promise<readonly AuditRecord[]>;
};

export type StoreTables = {
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
  readonly decisionWindows: DecisionWindowStore;
  readonly health: HealthStore;
  readonly replicas: ReplicaStore;
};

export type Store = StoreTables & {
  /**
   * All of `job` or nothing. Inside, use only `tables`, not the store's own tables. The job may run again when the
   * database aborted a first run, such as one of two that deadlocked, so it must do nothing that a second run would
   * duplicate.
   */
  readonly transaction: <T>(job: (tables: StoreTables) => Promise<T>) => Promise<T>;
  /** One cheap round trip; throws when the database does not answer. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
