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

/** One event that a channel is notified of. Unique per organization, event and kind. */
export const alertRecord = z.object({
  organizationId: organizationField,
  id: z.string().transform(alertId),
  kind: alertKind,
  eventId: eventField,
  deviceId: deviceField.nullable(),
  deviceName: nullableText,
  /** Machine names, as an event named them; `version` only where it stated one. */
  packages: z.array(
    z.object({ name: z.string(), displayName: nullableText, version: z.string().optional() }),
  ),
  reason: nullableText,
  operatingSystem: nullableText,
  policyId: policyField.nullable(),
  policyName: nullableText,
  /** Of a policy's run; 0 is success and a value. */
  exitCode: wholeNumber.nullable(),
  /** Of the service's own console. */
  userId: wholeNumber.transform(serviceUserId).nullable(),
  happenedAt: instantField.nullable(),
  createdAt: instantField,
  acknowledgedBy: personField.nullable(),
  acknowledgedAt: instantField.nullable(),
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

export type AlertStore = {
  /** False when this event already has one of this kind. */
  readonly insert: (alert: AlertRecord) => Promise<boolean>;
  readonly get: (id: AlertId) => Promise<AlertRecord | null>;
  /** The alert of this event; null when nobody was notified of it. */
  readonly ofEvent: (event: EventId) => Promise<AlertRecord | null>;
  /** False: it was already acknowledged. */
  readonly acknowledge: (id: AlertId, by: PersonId, at: Instant) => Promise<boolean>;
};

/** One alert for one channel: on a card, or held by a silence. */
export type Delivery = {
  readonly alertId: AlertId;
  readonly channel: ChannelId;
} & ({ readonly card: AlertId; readonly silence: null } | { readonly card: null; readonly silence: number });

/** How many alerts of a card are acknowledged, by how many people, and who did it last. */
export type CardAcknowledgement = {
  readonly alerts: number;
  readonly people: number;
  readonly by: PersonId;
  readonly at: Instant | null;
};

export type CardAlerts = {
  /** Null when none of them is acknowledged. */
  readonly acknowledgement: CardAcknowledgement | null;
  readonly alerts: number;
  /** Number of different devices among them. */
  readonly devices: number;
  /** The oldest alerts, up to the requested number. */
  readonly first: readonly AlertRecord[];
};

/**
 * An alert as channels show it; `storm`: all that were added to its card, or held with it, by numbers. Absent: it is alone.
 * `heldBy`: the silence that held it, so that it was posted nowhere.
 */
export type ShownAlert = AlertRecord & {
  readonly heldBy?: number;
  readonly storm?: { readonly alerts: number; readonly devices: number; readonly acknowledged: number };
};

export type AcknowledgedCards = {
  /** All alerts on the cards, whoever acknowledged them. */
  readonly alerts: number;
  /** Number of different devices among them. */
  readonly devices: number;
  readonly acknowledgedCount: number;
  readonly acknowledgedDevices: readonly DeviceId[];
  /** Every card that shows one of these alerts, and where. */
  readonly shownOn: readonly { readonly card: AlertId; readonly channel: ChannelId }[];
};

/** Which alerts to list: those of a card, those that a silence held, or all recent ones; none newer than `until`. */
export type AlertQuery = { readonly until?: Instant } & (
  | { readonly of: 'card'; readonly card: AlertId; readonly channel: ChannelId }
  /** With a channel, only alerts for that channel. */
  | { readonly of: 'silence'; readonly silence: number; readonly channel: ChannelId | null }
  | { readonly of: 'all'; readonly since: Instant; readonly kind?: AlertKind }
);

export type AlertPage = { readonly limit: number; readonly skip: number };

export type DeliveryStore = {
  /** Adds one alert for one channel; a second delivery of the two throws. */
  readonly add: (delivery: Delivery) => Promise<void>;
  readonly of: (alert: AlertId) => Promise<readonly Delivery[]>;
  /**
   * The card that an alert with this key joins: the one that is open in the channel, or else the one of `card`, which
   * is then open. `startNew`: `card` in any case. A card that would be open for more than twice as long does not
   * count. Other callers with the same key wait until this transaction ends.
   */
  readonly joinAlertGroup: (group: {
    readonly channel: ChannelId;
    readonly key: string;
    readonly card: AlertId;
    readonly now: Instant;
    readonly openUntil: Instant;
    readonly startNew?: boolean;
  }) => Promise<AlertId>;
  /** Forgets the cards that were open until `before` or earlier. */
  readonly forgetAlertGroups: (before: Instant) => Promise<void>;
  readonly onCard: (card: AlertId, channel: ChannelId, first: number) => Promise<CardAlerts>;
  /** No alert is added to the cards until this transaction ends: later ones find the card acknowledged. */
  readonly acknowledgeCards: (
    cards: readonly AlertId[],
    by: PersonId,
    at: Instant,
  ) => Promise<AcknowledgedCards>;
  /** Who acknowledged all alerts of a card, the last person if several did; null while one is open. */
  readonly acknowledgerOf: (card: AlertId) => Promise<PersonId | null>;
  readonly silencedChannels: (silence: number) => Promise<readonly ChannelId[]>;
  /** How many alerts of each kind a silence held for one channel. */
  readonly silencedCounts: (
    silence: number,
    channel: ChannelId,
  ) => Promise<readonly { readonly kind: AlertKind; readonly alerts: number }[]>;
  /** Newest first. */
  readonly list: (
    query: AlertQuery,
    page: AlertPage,
  ) => Promise<{ readonly total: number; readonly rows: readonly AlertRecord[] }>;
  /**
   * One for each card, the one with the newest alert first. What is on no card, or on several, counts once; what
   * a silence held counts once for each kind.
   */
  readonly shown: (
    query: Extract<AlertQuery, { readonly of: 'all' }>,
    page: AlertPage,
  ) => Promise<{ readonly total: number; readonly rows: readonly ShownAlert[] }>;
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
export type AcknowledgeResult =
  | {
      readonly kind: 'acknowledged' | 'already';
      /** The alert of the event, as it is now. */
      readonly alert: AlertRecord;
      /** All alerts on its cards, and how many of them this acknowledged. */
      readonly alerts: number;
      readonly devices: number;
      readonly acknowledgedCount: number;
    }
  | { readonly kind: 'absent' };

export type AlertSettingChanges = {
  /** `already`: an equal one exists. */
  readonly subscribe: (wanted: NewSubscriptionRecord) => Promise<SubscribeResult>;
  /** Null: no active subscription has this number. */
  readonly unsubscribe: (number: number, by: PersonId) => Promise<SubscriptionRecord | null>;
  /** Extends an equal silence to the new time instead of adding a second one. */
  readonly silence: (wanted: NewSilenceRecord) => Promise<SilenceResult>;
  readonly unsilence: (number: number, by: PersonId) => Promise<SilenceRecord | null>;
  /** Acknowledges every alert on the cards that show the alert of this event. */
  readonly acknowledge: (event: EventId, by: PersonId) => Promise<AcknowledgeResult>;
};
