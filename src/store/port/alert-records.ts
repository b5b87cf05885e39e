/** What is remembered of where alerts go, as types, and the ports to it. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type {
  AlertId,
  ChannelId,
  DeviceId,
  GroupId,
  OrganizationId,
  PersonId,
  PolicyId,
} from '../../lib/ids.ts';
import type { AlertKind, AlertRecord } from './records.ts';

/** What an alert must be about; null asks for nothing. Names are of the time when it was asked for. */
export type AlertFilter = {
  /** The group and those below it. */
  readonly group: { readonly id: GroupId; readonly name: string } | null;
  readonly policy: { readonly id: PolicyId; readonly name: string } | null;
  readonly tag: string | null;
  readonly os: string | null;
};

/** Alerts that somebody wants in a channel, beside those of the configuration file. */
export type SubscriptionRecord = {
  readonly organizationId: OrganizationId;
  /** Counts from 1 and is never used again. */
  readonly number: number;
  readonly channel: ChannelId;
  /** Whose direct message the channel is. */
  readonly person: PersonId | null;
  readonly kinds: readonly AlertKind[];
  readonly filter: AlertFilter;
  readonly createdBy: PersonId;
  readonly createdAt: Instant;
  readonly endedBy: PersonId | null;
  readonly endedAt: Instant | null;
};

/** What a silence keeps: alerts that are all of this. */
export type SilenceScope = {
  /** Empty: of every kind. */
  readonly kinds: readonly AlertKind[];
  readonly group: { readonly id: GroupId; readonly name: string } | null;
  readonly device: { readonly id: DeviceId; readonly name: string } | null;
  /** By machine name. */
  readonly patch: string | null;
};

/** Alerts that are kept and not posted until a time, wherever they would go. */
export type SilenceRecord = {
  readonly organizationId: OrganizationId;
  /** Counts from 1 and is never used again. */
  readonly number: number;
  readonly scope: SilenceScope;
  readonly reason: string | null;
  readonly createdBy: PersonId;
  readonly createdAt: Instant;
  readonly until: Instant;
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
  readonly endedBy: PersonId | 'patchbay' | null;
  /** Alerts that it kept, each once, for however many channels. */
  readonly kept: number;
};

/** One alert for one channel: on a card, or kept by a silence. */
export type Delivery = {
  readonly alertId: AlertId;
  readonly channel: ChannelId;
} & (
  | { readonly card: AlertId; readonly silence: null }
  /** The number of the silence. */
  | { readonly card: null; readonly silence: number }
);

/** How many alerts of a card are acknowledged, by how many people, and who was the last of them. */
export type CardAcknowledgement = {
  readonly alerts: number;
  readonly people: number;
  readonly by: PersonId;
  readonly at: Instant | null;
};

/** What stands on one card. */
export type CardAlerts = {
  /** Null where nobody acknowledged any of them. */
  readonly acknowledgement: CardAcknowledgement | null;
  readonly alerts: number;
  /** Different devices among them. */
  readonly devices: number;
  /** The oldest, up to the number asked for. */
  readonly first: readonly AlertRecord[];
};

/** What became of a wish to acknowledge cards. */
export type AcknowledgedCards = {
  /** All alerts on them, whoever acknowledged them. */
  readonly alerts: number;
  /** Different devices among them. */
  readonly devices: number;
  /** Alerts that nobody had acknowledged. */
  readonly acknowledgedCount: number;
  readonly acknowledgedDevices: readonly DeviceId[];
  /** Every card that shows one of these alerts, and where. */
  readonly shownOn: readonly { readonly card: AlertId; readonly channel: ChannelId }[];
};

/** Alerts to list: those of a card, those that a silence kept, or all of late; none that came after `until`. */
export type AlertQuery = { readonly until?: Instant } & (
  | { readonly of: 'card'; readonly card: AlertId; readonly channel: ChannelId }
  /** With a channel only those that would have gone there. */
  | { readonly of: 'silence'; readonly silence: number; readonly channel: ChannelId | null }
  | { readonly of: 'all'; readonly since: Instant }
);

export type DeliveryStore = {
  /** One alert for one channel; a second delivery of the two throws. */
  readonly add: (delivery: Delivery) => Promise<void>;
  /** Where an alert went. */
  readonly of: (alert: AlertId) => Promise<readonly Delivery[]>;
  /**
   * The card on which an alert with this key belongs: the one that is open in the channel, or else the one of
   * `card`, which is open from then on. `anew`: that one in any case. One that would be open for more than twice as
   * long is none. Others wait at the same key until this transaction ends.
   */
  readonly joinAlertGroup: (storm: {
    readonly channel: ChannelId;
    readonly key: string;
    readonly card: AlertId;
    readonly now: Instant;
    readonly openUntil: Instant;
    readonly startNew?: boolean;
  }) => Promise<AlertId>;
  /** Forgets which cards were open until then or earlier. */
  readonly forgetAlertGroups: (before: Instant) => Promise<void>;
  readonly onCard: (card: AlertId, channel: ChannelId, first: number) => Promise<CardAlerts>;
  /**
   * Acknowledges every alert on these cards that nobody has. Until this transaction ends, no alert is added to them: one
   * that comes later finds the card acknowledged.
   */
  readonly acknowledgeCards: (
    cards: readonly AlertId[],
    by: PersonId,
    at: Instant,
  ) => Promise<AcknowledgedCards>;
  /** Who acknowledged all that stands on a card, the last of them where they are several; null while some is open. */
  readonly acknowledgerOf: (card: AlertId) => Promise<PersonId | null>;
  /** Where a silence kept alerts. */
  readonly silencedChannels: (silence: number) => Promise<readonly ChannelId[]>;
  /** How many of each kind a silence kept of one channel's. */
  readonly silencedCounts: (
    silence: number,
    channel: ChannelId,
  ) => Promise<readonly { readonly kind: AlertKind; readonly alerts: number }[]>;
  /** The newest first. */
  readonly list: (
    query: AlertQuery,
    page: { readonly limit: number; readonly skip: number },
  ) => Promise<{ readonly total: number; readonly rows: readonly AlertRecord[] }>;
};

export type SubscriptionStore = {
  /** Gives it its number. */
  readonly add: (
    subscription: Omit<SubscriptionRecord, 'organizationId' | 'number' | 'endedBy' | 'endedAt'>,
  ) => Promise<SubscriptionRecord>;
  readonly get: (number: number) => Promise<SubscriptionRecord | null>;
  /** Those that are not ended, by number. */
  readonly open: () => Promise<readonly SubscriptionRecord[]>;
  /** False: it is ended, or there is none. */
  readonly end: (number: number, by: PersonId, at: Instant) => Promise<boolean>;
  /** Forgets those that ended until then or earlier. Numbers are counted elsewhere: none is given again. */
  readonly forgetEnded: (before: Instant) => Promise<void>;
};

export type SilenceStore = {
  /** Gives it its number. */
  readonly add: (
    silence: Pick<SilenceRecord, 'scope' | 'reason' | 'createdBy' | 'createdAt' | 'until'>,
  ) => Promise<SilenceRecord>;
  readonly get: (number: number) => Promise<SilenceRecord | null>;
  /** Those that are not ended, by number. */
  readonly open: () => Promise<readonly SilenceRecord[]>;
  /**
   * Counts an alert that it keeps; false: it is ended, so the alert is to be told. Until this transaction ends the
   * silence cannot end.
   */
  readonly holdAlert: (number: number) => Promise<boolean>;
  /** Lets it last until then; false: it is ended. */
  readonly extend: (number: number, until: Instant) => Promise<boolean>;
  /** Patchbay itself ends only one whose time is over. */
  readonly end: (number: number, by: PersonId | 'patchbay', at: Instant) => Promise<boolean>;
};
