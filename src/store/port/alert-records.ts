/** Alerts and where they go: the stored types, the ports to them, and the changes that people make. Part of the store's port. */
import { z } from 'zod';
import {
  type AnyEventKind,
  type EventKind,
  isEventKind,
  type OtherEventName,
} from '../../fleet/model/event-kinds.ts';
import type { Instant } from '../../lib/clock.ts';
import {
  type AlertId,
  alertId,
  type ChannelId,
  type DeviceId,
  type EventId,
  type PersonId,
  serviceUserId,
} from '../../lib/ids.ts';
import {
  channelField,
  deviceField,
  eventField,
  groupField,
  instantField,
  nullableText,
  organizationField,
  personField,
  policyField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';

export type AlertKind = AnyEventKind;

export const alertKind = z.union([
  z.custom<EventKind>((name) => typeof name === 'string' && isEventKind(name)),
  // Kinds have no dots, names of the log do.
  z.custom<OtherEventName>((name) => typeof name === 'string' && name.includes('.')),
]) satisfies z.ZodType<AlertKind>;

const packageList = z.array(
  z.object({ name: z.string(), displayName: nullableText, version: z.string().optional() }),
);

/** What an event says of its device: facts for routes, and for what a card shows. */
const eventFacts = z.object({
  kind: alertKind,
  deviceId: deviceField.nullable(),
  deviceName: nullableText,
  /** Machine names, as an event named them; `version` only where it stated one. */
  packages: packageList,
  reason: nullableText,
  operatingSystem: nullableText,
  policyId: policyField.nullable(),
  policyName: nullableText,
  /** Of a policy's run; 0 is success and a value. */
  exitCode: wholeNumber.nullable(),
  /** Of the service's own console. */
  userId: wholeNumber.transform(serviceUserId).nullable(),
});
export type EventFacts = Stored<typeof eventFacts>;

/** An event of which a channel may be notified. Its id is unique per organization, event and kind. */
export type AlertEvent = EventFacts & {
  readonly id: AlertId;
  readonly eventId: EventId;
  /** By the service's clock. */
  readonly happenedAt: Instant | null;
  /** The same; where the event states no time, that of its first reading. */
  readonly at: Instant;
};

/** `noted`: an event that reports no problem is shown once, and nothing ends it. */
export const memberState = z.enum(['open', 'fixed', 'closed', 'noted']);
export type MemberState = z.output<typeof memberState>;

/** What an alert is about: one package that fails on one device, one policy there, or one event that is no problem. */
export const alertMember = eventFacts.extend({
  organizationId: organizationField,
  /** Equal for the failures of one package or policy on one device. */
  id: z.string(),
  alert: z.string().transform(alertId),
  state: memberState,
  /** The first failure, and how many there were. */
  firstAt: instantField,
  failures: wholeNumber,
  /** Its latest failure, proof and removal by the service's clock, each with its event: the state follows from them. */
  failedAt: instantField.nullable(),
  failedEvent: eventField.nullable(),
  fixedAt: instantField.nullable(),
  fixedEvent: eventField.nullable(),
  closedAt: instantField.nullable(),
  closedEvent: eventField.nullable(),
});
export type AlertMember = Stored<typeof alertMember>;

/** What people see and act on: members with one cause, in the channel that is responsible for them. */
export const alertRecord = z.object({
  organizationId: organizationField,
  id: z.string().transform(alertId),
  /** The event of its first member. */
  number: eventField,
  /** Members with the same one join it. */
  key: z.string(),
  kind: alertKind,
  /** The channel of the configuration file; null where only subscriptions want it. */
  home: channelField.nullable(),
  state: memberState,
  openedAt: instantField,
  /** When a member was last added or changed. */
  changedAt: instantField,
  /** Null while a member is open. */
  endedAt: instantField.nullable(),
  acknowledgedBy: personField.nullable(),
  acknowledgedAt: instantField.nullable(),
  /** Since it last ended and opened again: when it had ended, and who had it. */
  lastEndedAt: instantField.nullable(),
  lastOwner: personField.nullable(),
});
export type AlertRecord = Stored<typeof alertRecord>;

const namedGroup = z.object({ id: groupField, name: z.string() });

/** What an alert must match; null matches everything. Names are those at the time of the request. */
const alertFilter = z.object({
  /** This group and those below it. */
  group: namedGroup.nullable(),
  policy: z.object({ id: policyField, name: z.string() }).nullable(),
  tag: nullableText,
  os: nullableText,
});
export type AlertFilter = Stored<typeof alertFilter>;

/** A channel's subscription to alerts, in addition to those of the configuration file. */
export const subscriptionRecord = z.object({
  organizationId: organizationField,
  /** Counts from 1; numbers are never reused. */
  number: wholeNumber,
  channel: channelField,
  /** The person whose direct messages the channel is; null otherwise. */
  person: personField.nullable(),
  kinds: z.array(alertKind),
  filter: alertFilter,
  createdBy: personField,
  createdAt: instantField,
  endedBy: personField.nullable(),
  endedAt: instantField.nullable(),
});
export type SubscriptionRecord = Stored<typeof subscriptionRecord>;

/** The alerts that a silence holds: those that match all of this. */
const silenceScope = z.object({
  /** Empty: all kinds. */
  kinds: z.array(alertKind),
  group: namedGroup.nullable(),
  device: z.object({ id: deviceField, name: z.string() }).nullable(),
  /** By machine name. */
  patch: nullableText,
});
export type SilenceScope = Stored<typeof silenceScope>;

/** Holds matching alerts until a time, so that they are posted nowhere. */
export const silenceRecord = z.object({
  organizationId: organizationField,
  /** Counts from 1; numbers are never reused. */
  number: wholeNumber,
  scope: silenceScope,
  reason: nullableText,
  createdBy: personField,
  createdAt: instantField,
  until: instantField,
  /** Null while it is active. */
  endedAt: instantField.nullable(),
  endedBy: z.union([z.literal('patchbay'), personField]).nullable(),
  /** Alerts that it held, each counted once, for however many channels. */
  kept: wholeNumber,
});
export type SilenceRecord = Stored<typeof silenceRecord>;

/** What ends a member, kept for a day: a failure that is listed after its end must not open it. */
export type AlertEnding = {
  /** The id of the member, or of all of a device's. */
  readonly of: string;
  readonly at: Instant;
  readonly event: EventId;
};

/** The card of an alert in a channel. A new generation is posted instead of an edit that nobody would notice. */
export type AlertCardRecord = DrawnCount & {
  readonly alert: AlertId;
  readonly channel: ChannelId;
  readonly generation: number;
  /** When this generation began. */
  readonly startedAt: Instant;
};

/** How many open members a card shows, and when it is drawn next: the pace of its edits follows from that. */
export type DrawnCount = {
  /** As of the last change. */
  readonly open: number;
  readonly drawnOpen: number;
  readonly drawnAt: Instant;
  /** The latest edit that was scheduled; over: it was made. */
  readonly dueAt: Instant;
};

/** One member for one channel. */
export type Delivery = {
  readonly alert: AlertId;
  readonly member: string;
  readonly channel: ChannelId;
  /** False: a silence holds it, so that the alert's card there does not show it. */
  readonly onCard: boolean;
  /** The last silence that held a failure of it; its message counts it, also after its end. */
  readonly silence: number | null;
};

/** A reason that members state, and how many of them. */
export type CountedReason = Pick<AlertMember, 'reason' | 'exitCode'> & { readonly members: number };

/** An alert as a list or the card of a channel shows it: counts, and its first members, open ones before others. */
export type ShownAlert = AlertRecord & {
  readonly members: number;
  readonly open: number;
  readonly closed: number;
  readonly devices: number;
  readonly openDevices: number;
  /** Devices on which all is fixed. */
  readonly fixedDevices: number;
  /** The most failures of one member. */
  readonly failures: number;
  readonly firstAt: Instant;
  /** The latest proof or removal. */
  readonly lastEnd: Instant | null;
  readonly packages: AlertMember['packages'];
  /** The most frequent first. */
  readonly reasons: readonly CountedReason[];
  readonly shown: readonly AlertMember[];
  /** The silence that holds all of it, so that it was posted nowhere. */
  readonly heldBy: number | null;
  /** Its card in its home channel, or else in the first of the others; null where it has none. */
  readonly card: Pick<AlertCardRecord, 'channel' | 'generation'> | null;
};

/** As cards name it in their metadata. */
export type AlertState = 'firing' | 'acknowledged' | 'resolved' | 'closed';

type ListState = 'open' | 'fixed' | 'closed';
/** Alerts that changed since a time and were opened before another. */
export type AlertQuery = {
  readonly since?: Instant;
  readonly until?: Instant;
  readonly state?: ListState;
  readonly kind?: AlertKind;
};
/** Members of an alert, or those that a silence held; with a channel, only what that channel got. */
export type MemberQuery = { readonly channel: ChannelId | null } & (
  | { readonly of: 'alert'; readonly alert: AlertId; readonly openOnly?: boolean }
  | { readonly of: 'silence'; readonly silence: number }
);
export type AlertPage = { readonly limit: number; readonly skip: number };
type Listed<T> = { readonly total: number; readonly rows: readonly T[] };

export type AlertStore = {
  /** Which of these events are stored already. */
  readonly known: (events: readonly AlertEvent[]) => Promise<ReadonlySet<AlertId>>;
  /** Stores that the events were taken in, and the alert of each. */
  readonly addEvents: (events: readonly (AlertEvent & { readonly alert: AlertId })[]) => Promise<void>;
  readonly get: (ids: readonly AlertId[]) => Promise<readonly AlertRecord[]>;
  /** The alert of this event; null when nobody was notified of it. */
  readonly ofEvent: (event: EventId) => Promise<AlertRecord | null>;
  /** The latest alert with each of these keys. */
  readonly byKeys: (keys: readonly string[]) => Promise<readonly AlertRecord[]>;
  /** Adds the alerts, or changes all but who has them. */
  readonly put: (alerts: readonly Omit<AlertRecord, 'organizationId'>[]) => Promise<void>;
  /** False: it has ended, or somebody has it already. */
  readonly acknowledge: (id: AlertId, by: PersonId, at: Instant) => Promise<boolean>;
  readonly cards: (ids: readonly AlertId[]) => Promise<readonly AlertCardRecord[]>;
  readonly putCards: (cards: readonly AlertCardRecord[]) => Promise<void>;
  /** The alert as its card in a channel shows it; without one, as a list does. Null: nothing of it is there. */
  readonly shown: (id: AlertId, channel?: ChannelId) => Promise<ShownAlert | null>;
  /** Open ones first, then those that changed last. */
  readonly list: (query: AlertQuery, page: AlertPage) => Promise<Listed<ShownAlert>>;
};

export type MemberStore = {
  /** The latest of each id: a member of an alert that ended long ago begins again in another one. */
  readonly latest: (ids: readonly string[]) => Promise<readonly AlertMember[]>;
  /** Open members of these devices. */
  readonly openOf: (devices: readonly DeviceId[]) => Promise<readonly AlertMember[]>;
  readonly put: (members: readonly Omit<AlertMember, 'organizationId'>[]) => Promise<void>;
  /** How many members of each alert are in each state; with their channels, without what a silence holds. */
  readonly counts: (alerts: readonly AlertId[]) => Promise<readonly MemberCount[]>;
  readonly list: (query: MemberQuery, page: AlertPage) => Promise<Listed<AlertMember>>;
  /** A later ending replaces an earlier one. */
  readonly putEndings: (endings: readonly AlertEnding[]) => Promise<void>;
  readonly endings: (of: readonly string[]) => Promise<readonly AlertEnding[]>;
  readonly forgetEndings: (before: Instant) => Promise<void>;
};

/** `channel` null: all members of the alert. */
export type MemberCount = {
  readonly alert: AlertId;
  readonly channel: ChannelId | null;
  readonly state: MemberState;
  readonly members: number;
};

export type DeliveryStore = {
  /** Where these members of alerts go. */
  readonly of: (members: readonly Pick<Delivery, 'alert' | 'member'>[]) => Promise<readonly Delivery[]>;
  /** Adds or replaces deliveries. */
  readonly put: (deliveries: readonly Delivery[]) => Promise<void>;
  readonly silencedChannels: (silence: number) => Promise<readonly ChannelId[]>;
  /** How many members of each kind a silence held for one channel. */
  readonly silencedCounts: (
    silence: number,
    channel: ChannelId,
  ) => Promise<readonly { readonly kind: AlertKind; readonly alerts: number }[]>;
};

export type SubscriptionStore = {
  readonly add: (
    subscription: Omit<SubscriptionRecord, 'organizationId' | 'number' | 'endedBy' | 'endedAt'>,
  ) => Promise<SubscriptionRecord>;
  readonly get: (number: number) => Promise<SubscriptionRecord | null>;
  /** Active subscriptions, by number. */
  readonly open: () => Promise<readonly SubscriptionRecord[]>;
  /** False: it has already ended, or does not exist. */
  readonly end: (number: number, by: PersonId, at: Instant) => Promise<boolean>;
  /** Deletes subscriptions that ended at `before` or earlier. Numbers are counted separately, so none is reused. */
  readonly forgetEnded: (before: Instant) => Promise<void>;
};

export type SilenceStore = {
  /** Adds the silence with the next number. */
  readonly add: (
    silence: Pick<SilenceRecord, 'scope' | 'reason' | 'createdBy' | 'createdAt' | 'until'>,
  ) => Promise<SilenceRecord>;
  readonly get: (number: number) => Promise<SilenceRecord | null>;
  /** Active silences, by number. */
  readonly open: () => Promise<readonly SilenceRecord[]>;
  /** False: it has ended, so the alert is to be posted. It can't end until this transaction does. */
  readonly holdAlert: (number: number) => Promise<boolean>;
  /** Extends it to `until`; false: it has ended. */
  readonly extend: (number: number, until: Instant) => Promise<boolean>;
  /** Patchbay itself ends only a silence whose time is over. */
  readonly end: (number: number, by: PersonId | 'patchbay', at: Instant) => Promise<boolean>;
};

export type NewSubscriptionRecord = Pick<
  SubscriptionRecord,
  'channel' | 'person' | 'kinds' | 'filter' | 'createdBy'
>;
export type NewSilenceRecord = Pick<SilenceRecord, 'scope' | 'reason' | 'createdBy' | 'until'>;

type SubscribeResult =
  | { readonly kind: 'subscribed' | 'already'; readonly subscription: SubscriptionRecord }
  /** `own`: the limit on subscriptions in the person's own direct messages. */
  | { readonly kind: 'full'; readonly limit: number; readonly own: boolean };
export type SilenceResult =
  | { readonly kind: 'silenced'; readonly silence: SilenceRecord }
  /** `own`: the limit on silences that the person created. */
  | { readonly kind: 'full'; readonly limit: number; readonly own: boolean };
/** `ended`: nothing of it is open any more. `noted`: there is nothing to take care of. */
export type AcknowledgeResult =
  | { readonly kind: 'acknowledged' | 'already' | 'ended' | 'noted'; readonly alert: ShownAlert }
  | { readonly kind: 'absent' };

export type AlertSettingChanges = {
  /** `already`: an equal one exists. */
  readonly subscribe: (wanted: NewSubscriptionRecord) => Promise<SubscribeResult>;
  /** Null: no active subscription has this number. */
  readonly unsubscribe: (number: number, by: PersonId) => Promise<SubscriptionRecord | null>;
  /** Extends an equal silence to the new time instead of adding a second one. */
  readonly silence: (wanted: NewSilenceRecord) => Promise<SilenceResult>;
  readonly unsilence: (number: number, by: PersonId) => Promise<SilenceRecord | null>;
  /** Takes the whole alert of this event. */
  readonly acknowledge: (event: EventId, by: PersonId) => Promise<AcknowledgeResult>;
};
