/** What views of alerts, subscriptions and silences share, and their problems. */
import type { ChannelId } from '../../lib/ids.ts';
import type { AlertKind } from '../../store/port/records.ts';
import type { CommandChoice } from './report-model.ts';

/** A channel that the configuration file sets for a kind of alert. */
export type ConfiguredRoute = { readonly kind: AlertKind; readonly channel: ChannelId };

/** An event that Patchbay does not know. `meant`: the known name that is nearest, and the command with it. */
export type UnknownEvent = {
  readonly name: string;
  readonly meant: { readonly word: string; readonly choice: CommandChoice } | null;
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
