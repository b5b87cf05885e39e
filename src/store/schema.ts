/**
 * The tables as Kysely sees them; the camel-case plugin converts names to the database's snake case.
 *
 * Only types that both engines share: whole numbers (instants are epoch milliseconds), text, JSON as text, nulls. No
 * dates, booleans or engine types, so that data can be copied from one engine to the other as it is.
 */
import type { Instant } from '../lib/clock.ts';
import type { AlertId, DeviceId, EventId, OrganizationId, PauseId, PersonId, RequestId } from '../lib/ids.ts';
import type {
  AlertCardRecord,
  AlertEnding,
  AlertEvent,
  AlertMember,
  AlertRecord,
  Delivery,
  SilenceRecord,
  SubscriptionRecord,
} from './port/alert-records.ts';
import type { CardCall, CardRecord } from './port/card-records.ts';
import type { DecisionWindow } from './port/decision-windows.ts';
import type { TroubleRecord } from './port/health-records.ts';
import type { EventLogStatus, Heartbeat, Leadership, ReplicaShare } from './port/replica-records.ts';
import type { CountKey, RequestRecord, RequestTarget } from './port/request-records.ts';
import type { NamedLine, PauseRecord, StoredLineKind } from './port/settings-records.ts';
import type { AuditRecord, EventCursor } from './port/store.ts';
import type { WorkRecord } from './port/work-records.ts';

/** A record as a row: the columns in `Json` hold JSON text. */
type RowOf<R, Json extends keyof R = never> = Omit<R, Json> & { readonly [K in Json]: string };
/** A record without its organization, as a row with it. */
type WithOrganization<R> = R & { readonly organizationId: OrganizationId };

export type Schema = {
  requests: Omit<
    RowOf<Omit<RequestRecord, 'counts' | 'rollout' | 'typedCount'>, 'action' | 'rules'>,
    'note'
  > & {
    readonly note: string | null;
    readonly typedCount: 0 | 1;
    readonly rollout: string | null;
  };
  /** `deviceId` is 0 where the target is no device; `commandKey` is equal for what must not be under way twice. */
  requestTargets: WithOrganization<
    Omit<RowOf<RequestTarget, 'before' | 'evidence' | 'facts'>, 'deviceId'>
  > & {
    readonly deviceId: DeviceId;
    readonly commandKey: string;
  };
  /** How many targets of a request are in a state, and how many are open; where none is any more the row stays. */
  requestCounts: WithOrganization<{
    readonly requestId: RequestId;
    readonly state: CountKey;
    readonly targets: number;
  }>;
  /** The same for each wave of a rollout. */
  waveCounts: WithOrganization<{
    readonly requestId: RequestId;
    readonly wave: number;
    readonly state: CountKey;
    readonly targets: number;
  }>;
  eventCursors: WithOrganization<Omit<EventCursor, 'gap'> & { readonly gap: string | null }>;
  eventsSeen: WithOrganization<{
    readonly eventId: EventId;
    /** 0: the event states none. */
    readonly happenedAt: Instant | 0;
    readonly seenAt: Instant;
  }>;
  alertEvents: WithOrganization<
    Pick<AlertEvent, 'id' | 'kind' | 'eventId' | 'deviceId' | 'happenedAt'> & { readonly alert: AlertId }
  >;
  alertGroups: AlertRecord;
  alertMembers: RowOf<AlertMember, 'packages'>;
  alertEndings: WithOrganization<AlertEnding>;
  alertCards: WithOrganization<AlertCardRecord>;
  deliveries: WithOrganization<Omit<Delivery, 'onCard'> & { readonly onCard: 0 | 1 }>;
  subscriptions: RowOf<SubscriptionRecord, 'kinds' | 'filter'>;
  silences: RowOf<SilenceRecord, 'scope'>;
  /** The last number that was assigned per kind. */
  numbers: WithOrganization<{ readonly what: NumberedKind; readonly last: number }>;
  /** `wantedAt`: since when it waits to show the wanted revision. */
  cards: CardRecord & { readonly wantedAt: Instant | null };
  cardCalls: WithOrganization<
    Pick<CardCall, 'id' | 'card' | 'kind' | 'channel' | 'attemptedAt' | 'settledAt'>
  > & {
    /** How long after it was made a call may still take effect, in milliseconds. */
    readonly settleMs: number;
    /** When that ends, in the time of `leaseNow`. */
    readonly settlesAt: number;
    /** 1: watched. */
    readonly watched: 0 | 1;
  };
  work: Omit<WorkRecord, 'payload'> & LeaseColumns & { readonly payload: string | null };
  inventoryDevices: WithOrganization<{ readonly deviceId: DeviceId; readonly body: string }>;
  inventoryMisses: WithOrganization<{ readonly deviceId: DeviceId; readonly body: string }>;
  inventoryFacts: WithOrganization<{ readonly body: string }>;
  audit: WithOrganization<RowOf<AuditRecord, 'detail'>>;
  /** `owner` is empty for shared lines. */
  namedLines: WithOrganization<Pick<NamedLine, 'name' | 'line'>> & {
    readonly kind: StoredLineKind;
    readonly owner: string;
    readonly byPerson: PersonId;
    readonly keptAt: Instant;
  };
  peopleSettings: WithOrganization<{ readonly personId: PersonId; readonly timeZone: string | null }>;
  decisionWindows: WithOrganization<RowOf<DecisionWindow, 'decides' | 'view'>>;
  pauses: WithOrganization<Omit<PauseRecord, 'by'>> & { readonly byPerson: PersonId };
  troubles: RowOf<Omit<TroubleRecord, 'trouble'>> & { readonly body: string };
  /** One row: our last health check. */
  vitals: WithOrganization<{ readonly eventsReadAt: Instant | null; readonly checkedAt: Instant }>;
  /** The active pause: a row that every change locks while it is claimed. */
  pauseSwitches: WithOrganization<{ readonly pauseId: PauseId | null }>;
  /**
   * The leader for work that only one replica does, and until when any process was there, by the clock. Other times are
   * the database's, except those of `EventLogStatus`.
   */
  leaders: WithOrganization<EventLogStatus & Leadership & { readonly role: string }>;
  replicas: WithOrganization<ReplicaShare & Pick<Heartbeat, 'connections' | 'configuration'>>;
  /** Signatures of Slack's requests, and until when they are remembered. */
  signatures: WithOrganization<{ readonly signature: string; readonly until: Instant }>;
  /** `taken` is a JSON list of the times at which requests were made. */
  requestBudgets: WithOrganization<{
    readonly name: string;
    readonly taken: string;
    readonly pausedUntil: number;
  }>;
  /** The revision of the last write to each table of the inventory. */
  inventoryRevisions: WithOrganization<{ readonly what: string; readonly revision: number }>;
  /** The end of each audit chain: concurrent appends wait for its row. */
  auditHeads: WithOrganization<Pick<AuditRecord, 'sequence' | 'hash'>>;
};

export type NumberedKind = 'subscription' | 'silence';

type LeaseColumns = {
  /** Grows with each put; a claim remembers its generation, so that a put during the lease is noticed. */
  readonly generation: number;
  readonly claimedGeneration: number | null;
  readonly leaseToken: string | null;
  /** In the time of `leaseNow`. */
  readonly leaseUntil: number | null;
};

export type EngineKind = 'sqlite' | 'postgres';
