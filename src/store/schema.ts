/**
 * The tables as Kysely sees them; the camel-case plugin turns names into the snake case of the database.
 *
 * Portable subset of both engines: whole numbers (instants are epoch milliseconds), text, JSON as text, nulls.
 * No dates, booleans or engine types, so that a copy from one engine to the other is a plain copy.
 */
import type { Instant } from '../clock.ts';
import type { AlertId, ChannelId, DeviceId, EventId, OrganizationId, PauseId, PersonId } from '../ids.ts';
import type { SilenceRecord, SubscriptionRecord } from './alert-records.ts';
import type { CardCall } from './card-calls.ts';
import type { TroubleRecord } from './health-records.ts';
import type {
  AlertRecord,
  ApprovalRecord,
  AuditRecord,
  CardRecord,
  EventCursor,
  OperationRecord,
  TargetRecord,
  WorkRecord,
} from './records.ts';
import type { Lead, Member } from './replica-decisions.ts';
import type { Reading } from './replica-records.ts';
import type { NamedKind, NamedLine, PauseRecord } from './settings-records.ts';

/** A record as a row: the named columns hold JSON text. */
type Row<R, Json extends keyof R = never> = Omit<R, Json> & { readonly [K in Json]: string };
/** A record that does not name its organization, as a row that does. */
type Owned<R> = R & { readonly organizationId: OrganizationId };

export type Schema = {
  approvals: Row<ApprovalRecord, 'command' | 'targets'>;
  operations: Row<Omit<OperationRecord, 'targets'>, 'command'>;
  /**
   * `position` keeps the order in which the targets were given; `commandKey` is equal for what must not be under way
   * twice. `deviceId` is 0 where the target is no device.
   */
  operationTargets: Owned<Omit<Row<TargetRecord, 'before'>, 'deviceId'>> & {
    readonly deviceId: DeviceId;
    readonly position: number;
    readonly commandKey: string | null;
  };
  eventCursors: Owned<EventCursor>;
  eventsSeen: Owned<{ readonly eventId: EventId; readonly seenAt: Instant }>;
  /** Alerts: the table and the column that points at it keep their first name. */
  notices: Row<AlertRecord, 'packages'>;
  /** Exactly one of `card` and `silence` is there. */
  deliveries: Owned<{
    readonly noticeId: AlertId;
    readonly channel: ChannelId;
    readonly card: AlertId | null;
    readonly silence: number | null;
  }>;
  storms: Owned<{
    readonly channel: ChannelId;
    readonly key: string;
    readonly card: AlertId;
    readonly openUntil: Instant;
  }>;
  subscriptions: Row<SubscriptionRecord, 'kinds' | 'filter'>;
  silences: Row<SilenceRecord, 'scope'>;
  /** The last number that was given to one of them. */
  numbers: Owned<{ readonly what: NumberedThing; readonly last: number }>;
  /** `wantedAt`: since when it does not show what is wanted. */
  cards: CardRecord & { readonly wantedAt: Instant | null };
  cardCalls: Owned<Pick<CardCall, 'id' | 'card' | 'kind' | 'channel' | 'attemptedAt' | 'settledAt'>> & {
    /** How long after it was made a call may still take effect. */
    readonly settleMs: number;
    /** When that is over, on the time of `lease-time.ts`. */
    readonly settlesAt: number;
    /** 1: watched. */
    readonly watched: 0 | 1;
  };
  work: Omit<WorkRecord, 'payload'> & Lease & { readonly payload: string | null };
  inventoryDevices: Owned<{ readonly deviceId: DeviceId; readonly body: string }>;
  inventoryMisses: Owned<{ readonly deviceId: DeviceId; readonly body: string }>;
  inventoryFacts: Owned<{ readonly body: string }>;
  audit: Owned<Row<AuditRecord, 'detail'>>;
  /** `owner` is empty for what is everybody's. */
  namedLines: Owned<Pick<NamedLine, 'name' | 'line'>> & {
    readonly kind: NamedKind;
    readonly owner: string;
    readonly byPerson: PersonId;
    readonly keptAt: Instant;
  };
  peopleSettings: Owned<{ readonly personId: PersonId; readonly timeZone: string | null }>;
  pauses: Owned<Omit<PauseRecord, 'by'>> & { readonly byPerson: PersonId };
  troubles: Row<Omit<TroubleRecord, 'trouble'>> & { readonly body: string };
  /** One row: the last look at ourselves. */
  vitals: Owned<{ readonly eventsReadAt: Instant | null; readonly checkedAt: Instant }>;
  /** Which pause goes on: the row that every change holds while it is claimed. */
  pauseSwitches: Owned<{ readonly pauseId: PauseId | null }>;
  /** Who does what only one process of several does. Times of the database, but for those of `Reading`. */
  leaders: Owned<Reading & Lead & { readonly role: string }>;
  replicas: Owned<Member>;
  /** `taken` is a JSON list of the times at which requests were made. */
  requestBudgets: Owned<{ readonly name: string; readonly taken: string; readonly pausedUntil: number }>;
  /** The last write to one of the tables of the inventory. */
  inventoryRevisions: Owned<{ readonly what: string; readonly revision: number }>;
  /** The end of each audit chain: its row is what concurrent appends wait for. */
  auditHeads: Owned<Pick<AuditRecord, 'sequence' | 'hash'>>;
};

/** What people name by its number. */
export type NumberedThing = 'subscription' | 'silence';

type Lease = {
  /** Grows with each put; a claim remembers the one it took, so that a put during the lease is noticed. */
  readonly generation: number;
  readonly claimedGeneration: number | null;
  readonly leaseToken: string | null;
  /** On the time of `lease-time.ts`. */
  readonly leaseUntil: number | null;
};

export type EngineKind = 'sqlite' | 'postgres';
