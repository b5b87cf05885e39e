/** Views of alerts, subscriptions and silences. */
import type { ChannelId } from '../../lib/ids.ts';
import type {
  CardAcknowledgement,
  SilenceRecord,
  SubscriptionRecord,
} from '../../store/port/alert-records.ts';
import type { AlertKind, AlertRecord } from '../../store/port/records.ts';
import type { Paging } from '../model.ts';
import type { ReadOnlyReader } from './device-model.ts';

/** A channel that the configuration file sets for a kind of alert. */
export type ConfiguredRoute = { readonly kind: AlertKind; readonly channel: ChannelId };

export type AlertView =
  /** A grouped alert: the same alert of many devices, on the card of `first`. */
  | {
      readonly kind: 'storm';
      readonly first: AlertRecord;
      readonly channel: ChannelId;
      readonly alerts: number;
      /** Distinct devices. */
      readonly devices: number;
      /** The oldest alerts, as many as the card names. */
      readonly shown: readonly AlertRecord[];
      readonly taken: CardAcknowledgement | null;
    }
  /** The announcement of a silence that holds everything the channel would get. Edited when it ends. */
  | {
      readonly kind: 'silence-on';
      readonly silence: SilenceRecord;
      readonly channel: ChannelId;
    }
  /** At the end of a silence: the alerts that it held for one channel. */
  | {
      readonly kind: 'silence-over';
      readonly silence: SilenceRecord;
      readonly channel: ChannelId;
      readonly kept: readonly { readonly kind: AlertKind; readonly alerts: number }[];
    }
  | {
      readonly kind: 'alerts';
      readonly of: { readonly kind: 'card' | 'silence' } | { readonly kind: 'all'; readonly days: number };
      readonly rows: readonly AlertRecord[];
      readonly paging: Paging;
    }
  | ({
      readonly kind: 'subscriptions';
      /** Null: all channels. */
      readonly channel: ChannelId | null;
      readonly fixed: readonly ConfiguredRoute[];
      readonly rows: readonly SubscriptionRecord[];
      readonly silences: readonly SilenceRecord[];
      readonly paging: Paging;
    } & ReadOnlyReader)
  | { readonly kind: 'subscribed'; readonly already: boolean; readonly subscription: SubscriptionRecord }
  | {
      readonly kind: 'unsubscribed';
      /** What was to be ended: this channel's, the reader's own, or one by number. */
      readonly asked: 'here' | 'me' | 'one';
      /** Empty where there were none. */
      readonly ended: readonly SubscriptionRecord[];
    }
  /** `zone`: the time zone of a time that was typed; null where a duration was typed. */
  | { readonly kind: 'silenced'; readonly silence: SilenceRecord; readonly zone: string | null }
  | { readonly kind: 'sounding'; readonly silence: SilenceRecord }
  | {
      readonly kind: 'taken';
      readonly already: boolean;
      readonly alert: AlertRecord;
      /** All alerts on its cards; `taken` is how many of them were acknowledged now. */
      readonly alerts: number;
      readonly devices: number;
      readonly taken: number;
    };

export type AlertProblem =
  /** There is no active subscription or silence, or no alert, with this number. */
  | {
      readonly kind: 'no-such-number';
      readonly what: 'subscription' | 'silence' | 'alert';
      readonly number: number;
    }
  /** The bot is not a member of the channel, so it cannot post there. */
  | { readonly kind: 'no-member'; readonly channel: string }
  /** Slack did not say whether the bot is a member. */
  | { readonly kind: 'channel-unread'; readonly channel: string }
  | { readonly kind: 'too-many-subscriptions'; readonly most: number; readonly own: boolean }
  | { readonly kind: 'too-many-silences'; readonly most: number; readonly own: boolean };
