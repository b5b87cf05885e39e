/**
 * The port to durable state, the same for SQLite and PostgreSQL. Compare-and-set happens here, not in callers. A
 * store belongs to the organization it was opened for: every key contains it.
 *
 * An older or newer program, a person with a database tool or a broken disk may have written what is stored, so each record
 * is a schema, by which it is checked like any other input, and its type follows from that. Instants are epoch milliseconds
 * on the clock; leases use a time of their own (`leaseNow`).
 */
import { z } from 'zod';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { type DeviceId, type EventId, personId } from '../../lib/ids.ts';
import { eventField, instantField, type Stored, wholeNumber } from '../../lib/record-fields.ts';
import type {
  AlertStore,
  DeliveryStore,
  MemberStore,
  SilenceStore,
  SubscriptionStore,
} from './alert-records.ts';
import type { CardCallStore, CardStore } from './card-records.ts';
import type { DecisionWindowStore } from './decision-windows.ts';
import type { HealthStore } from './health-records.ts';
import type { ReplicaStore } from './replica-records.ts';
import type { RequestStore, TargetStore } from './request-records.ts';
import type { NamedLineStore, PauseStore, PeopleStore } from './settings-records.ts';
import type { WorkStore } from './work-records.ts';

/** Events that a reading of the log did not reach. */
export const eventGap = z.object({
  /** The highest id below that is known for certain. */
  afterId: eventField,
  happenedFrom: instantField,
  happenedUntil: instantField,
  /** When the log was last read for it. */
  readAt: instantField,
  /** From then on it is looked for no more. */
  endsAt: instantField,
});
export type EventGap = Stored<typeof eventGap>;

export const eventCursor = z.object({
  /** Highest event id that was processed, or the baseline of the first start. */
  highestId: eventField,
  /** Ids up to this one are history: from before the first start, or so old that `seen` has forgotten them. */
  floorId: eventField,
  /** Events created before this are history too. Null when the first start found events: then the ids decide. */
  historyBefore: instantField.nullable(),
  /** The latest time of an event that was processed: a list that begins before it has to show a known event. */
  newestAt: instantField.nullable(),
  /** What readings did not reach; null: nothing. */
  gap: eventGap.nullable(),
  updatedAt: instantField,
});
export type EventCursor = Stored<typeof eventCursor>;

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

const auditEntry = z.object({
  at: instantField,
  actor: z.string().transform((text) => (text === 'patchbay' ? text : personId(text))),
  /** Such as `approval.requested`, `approval.denied`, `operation.issued`. */
  action: z.string(),
  /** Id of the thing acted on. */
  subject: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntry = Stored<typeof auditEntry>;
export const auditRecord = auditEntry.extend({
  sequence: wholeNumber,
  /** SHA-256 over the previous hash and this entry. */
  hash: z.string(),
});
export type AuditRecord = Stored<typeof auditRecord>;

export type AuditStore = {
  readonly append: (entry: AuditEntry) => Promise<AuditRecord>;
  /** The same for several, in their order. */
  readonly appendAll: (entries: readonly AuditEntry[]) => Promise<void>;
  readonly list: (after: number, limit: number) => Promise<readonly AuditRecord[]>;
  /** Up to `limit` entries from `since` or later, newest first. */
  readonly latest: (since: Instant, limit: number) => Promise<readonly AuditRecord[]>;
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

export type StoreTables = {
  readonly requests: RequestStore;
  readonly targets: TargetStore;
  readonly events: EventStore;
  readonly alerts: AlertStore;
  readonly members: MemberStore;
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
