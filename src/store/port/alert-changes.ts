/** Changes of what people want of alerts: who asks for them and who makes them share these types. */
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
  /** `own`: of what the person has sent to themselves. */
  | { readonly kind: 'full'; readonly limit: number; readonly own: boolean };
export type SilenceResult =
  | { readonly kind: 'silenced'; readonly silence: SilenceRecord }
  /** `own`: of those that the person began. */
  | { readonly kind: 'full'; readonly limit: number; readonly own: boolean };
export type AcknowledgeResult =
  | {
      readonly kind: 'acknowledged' | 'already';
      /** That of the event, as it is now. */
      readonly alert: AlertRecord;
      /** All on its cards, and how many of them were acknowledged by this. */
      readonly alerts: number;
      readonly devices: number;
      readonly acknowledgedCount: number;
    }
  | { readonly kind: 'absent' };

export type AlertSettingChanges = {
  /** `already`: an equal one is there. */
  readonly subscribe: (wanted: NewSubscriptionRecord) => Promise<SubscribeResult>;
  /** Null: there is none of this number that is not ended. */
  readonly unsubscribe: (number: number, by: PersonId) => Promise<SubscriptionRecord | null>;
  /** One that keeps the same lasts until the new time instead of a second one. */
  readonly silence: (wanted: NewSilenceRecord) => Promise<SilenceResult>;
  readonly unsilence: (number: number, by: PersonId) => Promise<SilenceRecord | null>;
  /** Takes every alert on the cards that the alert of this event stands on. */
  readonly acknowledge: (event: EventId, by: PersonId) => Promise<AcknowledgeResult>;
};
