/**
 * Changes to subscriptions, silences and acknowledgements: types shared by those who request them and those who make
 * them.
 */
import type { EventId, PersonId } from '../../lib/ids.ts';
import type { SilenceRecord, SubscriptionRecord } from './alert-records.ts';
import type { AlertRecord } from './records.ts';

export type NewSubscriptionRecord = Pick<
  SubscriptionRecord,
  'channel' | 'person' | 'kinds' | 'filter' | 'createdBy'
>;
export type NewSilenceRecord = Pick<SilenceRecord, 'scope' | 'reason' | 'createdBy' | 'until'>;

export type SubscribeResult =
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
