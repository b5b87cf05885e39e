/** Begins and ends what channels and people have sent to them. */
import type { AlertChanges, NewSubscription } from '../store/alert-changes.ts';
import type { SubscriptionRecord } from '../store/alert-records.ts';
import { subscriptionDetail } from './audit-lines.ts';
import type { Changing } from './changing.ts';

/** Of channels. Each event is held against all of them. */
const MOST_SUBSCRIPTIONS = 500;
/** What people have sent to themselves takes no place of the channels', and none of other people's. */
const MOST_OF_ONE_PERSON = 20;

export function createSubscribing({
  clock,
  change,
  audit,
}: Changing): Pick<AlertChanges, 'subscribe' | 'unsubscribe'> {
  return {
    subscribe: (wanted) =>
      change(async (tables) => {
        const open = await tables.subscriptions.open();
        const equal = open.find((one) => sameKey(one) === sameKey(wanted));
        if (equal !== undefined) return { kind: 'already', subscription: equal };
        const { person, createdBy: actor } = wanted;
        const most = person === null ? MOST_SUBSCRIPTIONS : MOST_OF_ONE_PERSON;
        if (open.filter((one) => one.person === person).length >= most)
          return { kind: 'full', most, own: person !== null };
        const subscription = await tables.subscriptions.add({ ...wanted, createdAt: clock.now() });
        await audit(tables, { actor, action: 'alerts.subscribed', ...lineOf(subscription) });
        return { kind: 'subscribed', subscription };
      }),
    unsubscribe: (number, actor) =>
      change(async (tables) => {
        if (!(await tables.subscriptions.end(number, actor, clock.now()))) return null;
        const subscription = await tables.subscriptions.get(number);
        if (subscription !== null)
          await audit(tables, { actor, action: 'alerts.unsubscribed', ...lineOf(subscription) });
        return subscription;
      }),
  };
}

function lineOf(subscription: SubscriptionRecord) {
  return { subject: `subscription ${subscription.number}`, detail: subscriptionDetail(subscription) };
}

/** Equal for two that send the same to the same place. Names are left out: they change. */
function sameKey({ channel, kinds, filter }: Pick<NewSubscription, 'channel' | 'kinds' | 'filter'>): string {
  const { group, policy, tag, os } = filter;
  return JSON.stringify([channel, kinds.toSorted(), group?.id ?? null, policy?.id ?? null, tag, os]);
}
