/** What views of alerts, subscriptions and silences share, and their problems. */
import type { ChannelId } from '../../lib/ids.ts';
import type { AlertKind } from '../../store/port/records.ts';

/** A channel that the configuration file sets for a kind of alert. */
export type ConfiguredRoute = { readonly kind: AlertKind; readonly channel: ChannelId };

/** An event that Patchbay does not know, with the known name that is nearest. */
export type UnknownEvent = { readonly name: string; readonly nearest: string | null };

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
