/** Adds and ends the subscriptions of channels and people. */
import type { AlertSettingChanges, NewSubscriptionRecord } from '../store/port/alert-changes.ts';
import type { SubscriptionRecord } from '../store/port/alert-records.ts';
import { type AuditedChange, subscriptionDetail } from './audited-change.ts';

/** Subscriptions of channels: each event is compared with all of them. */
const MAX_SUBSCRIPTIONS = 500;
/** Each person's own limit: their subscriptions do not count toward those of channels or of other people. */
const MAX_PER_PERSON = 20;

/** Changes of subscriptions. An equal subscription is not added twice. */
export function createSubscriptionChanges({
  clock,
  inTransaction,
  audit,
}: AuditedChange): Pick<AlertSettingChanges, 'subscribe' | 'unsubscribe'> {
  return {
    subscribe: (wanted) =>
      inTransaction(async (tables) => {
        const open = await tables.subscriptions.open();
        const equal = open.find((one) => subscriptionKey(one) === subscriptionKey(wanted));
        if (equal !== undefined) return { kind: 'already', subscription: equal };
        const { person, createdBy: actor } = wanted;
        const limit = person === null ? MAX_SUBSCRIPTIONS : MAX_PER_PERSON;
        if (open.filter((one) => one.person === person).length >= limit)
          return { kind: 'full', limit, own: person !== null };
        const subscription = await tables.subscriptions.add({ ...wanted, createdAt: clock.now() });
        await audit(tables, { actor, action: 'alerts.subscribed', ...auditLineOf(subscription) });
        return { kind: 'subscribed', subscription };
      }),
    unsubscribe: (number, actor) =>
      inTransaction(async (tables) => {
        if (!(await tables.subscriptions.end(number, actor, clock.now()))) return null;
        const subscription = await tables.subscriptions.get(number);
        if (subscription !== null)
          await audit(tables, { actor, action: 'alerts.unsubscribed', ...auditLineOf(subscription) });
        return subscription;
      }),
  };
}

function auditLineOf(subscription: SubscriptionRecord) {
  return { subject: `subscription ${subscription.number}`, detail: subscriptionDetail(subscription) };
}

/** Equal for subscriptions of the same channel, kinds and filter. By ID, because names change. */
function subscriptionKey({
  channel,
  kinds,
  filter,
}: Pick<NewSubscriptionRecord, 'channel' | 'kinds' | 'filter'>): string {
  const { group, policy, tag, os } = filter;
  return JSON.stringify([channel, kinds.toSorted(), group?.id ?? null, policy?.id ?? null, tag, os]);
}
