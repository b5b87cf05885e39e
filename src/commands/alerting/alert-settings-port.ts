/** Where alerts go, as settings commands see it. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type {
  AlertSettingChanges,
  DeliveryStore,
  SilenceRecord,
  SubscriptionRecord,
} from '../../store/port/alert-records.ts';
import type { ConfiguredRoute } from '../../views/models/problem-model.ts';

export type AlertSettings = AlertSettingChanges & {
  /** Those of the configuration file. */
  readonly fixed: readonly ConfiguredRoute[];
  /** Those that are not ended, by number. */
  readonly subscriptions: () => Promise<readonly SubscriptionRecord[]>;
  readonly silences: () => Promise<readonly SilenceRecord[]>;
  /** The newest first. */
  readonly list: DeliveryStore['list'];
  readonly shown: DeliveryStore['shown'];
  /**
   * A channel by id or by name, without `#`: only one that the bot is a member of can have alerts, and a private one
   * only by somebody who is a member, too.
   */
  readonly channel: (given: string, asker: PersonId) => Promise<ChannelFound>;
  /** The direct message with this person; null: Slack did not open it. */
  readonly direct: (person: PersonId) => Promise<ChannelId | null>;
};

export type ChannelFound =
  | { readonly kind: 'member'; readonly channel: ChannelId }
  | { readonly kind: 'stranger' }
  /** Another organization reads it; `isKnown` false: Slack did not say whether one does. */
  | { readonly kind: 'external'; readonly channel: ChannelId; readonly isKnown: boolean }
  /** Slack did not say. */
  | { readonly kind: 'unread' };
