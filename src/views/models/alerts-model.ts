/** Views of alerts, and of where they go. */
import type { ChannelId } from '../../lib/ids.ts';
import type {
  CardAcknowledgement,
  SilenceRecord,
  SubscriptionRecord,
} from '../../store/port/alert-records.ts';
import type { AlertKind, AlertRecord } from '../../store/port/records.ts';
import type { Paging } from '../model.ts';
import type { ReadOnlyReader } from './device-model.ts';

/** Where the configuration file has alerts go. */
export type ConfiguredRoute = { readonly kind: AlertKind; readonly channel: ChannelId };

export type AlertView =
  /** The same of many devices, on one card: that of `first`. */
  | {
      readonly kind: 'storm';
      readonly first: AlertRecord;
      readonly channel: ChannelId;
      readonly alerts: number;
      /** Different ones. */
      readonly devices: number;
      /** The oldest of them, as many as are shown. */
      readonly shown: readonly AlertRecord[];
      readonly taken: CardAcknowledgement | null;
    }
  /** Everything that would come to the channel is kept: said when that begins, and edited when it is over. */
  | {
      readonly kind: 'silence-on';
      readonly silence: SilenceRecord;
      readonly channel: ChannelId;
    }
  /** What a silence kept of one channel's alerts. */
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
      /** Null: of every channel. */
      readonly channel: ChannelId | null;
      readonly fixed: readonly ConfiguredRoute[];
      readonly rows: readonly SubscriptionRecord[];
      readonly silences: readonly SilenceRecord[];
      readonly paging: Paging;
    } & ReadOnlyReader)
  | { readonly kind: 'subscribed'; readonly already: boolean; readonly subscription: SubscriptionRecord }
  | {
      readonly kind: 'unsubscribed';
      /** All of this channel or of the reader's own, or one by its number. */
      readonly asked: 'here' | 'me' | 'one';
      /** None where there were none to end. */
      readonly ended: readonly SubscriptionRecord[];
    }
  /** `zone`: where the clock stands whose time of day was named; null where a length was. */
  | { readonly kind: 'silenced'; readonly silence: SilenceRecord; readonly zone: string | null }
  | { readonly kind: 'sounding'; readonly silence: SilenceRecord }
  | {
      readonly kind: 'taken';
      readonly already: boolean;
      readonly alert: AlertRecord;
      /** All that stands with it on its cards, and how many of them were acknowledged now. */
      readonly alerts: number;
      readonly devices: number;
      readonly taken: number;
    };

export type AlertProblem =
  /** No subscription, silence or alert of this number. */
  | {
      readonly kind: 'no-such-number';
      readonly what: 'subscription' | 'silence' | 'alert';
      readonly number: number;
    }
  /** Alerts can be posted only where the bot is a member. */
  | { readonly kind: 'no-member'; readonly channel: string }
  /** Slack did not say whether it is one. */
  | { readonly kind: 'channel-unread'; readonly channel: string }
  | { readonly kind: 'too-many-subscriptions'; readonly most: number; readonly own: boolean }
  | { readonly kind: 'too-many-silences'; readonly most: number; readonly own: boolean };
