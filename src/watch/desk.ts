/** Changes what people want of alerts: each in one transaction with its line in the audit. */
import type { Clock } from '../clock.ts';
import { cardKey, type EventId, type PersonId } from '../ids.ts';
import type { Acknowledged, AlertChanges, NewSubscription } from '../store/alert-changes.ts';
import type { SilenceRecord, SubscriptionRecord } from '../store/alert-records.ts';
import type { AuditEntry, ClaimedWork } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { scopeDetail, subscriptionDetail } from './audit-lines.ts';
import { type AlertChannels, channelsSilenced } from './routing.ts';

export type AlertDesk = AlertChanges & {
  /** Handler of `silence` work: ends it when its time is over. */
  readonly endSilence: (work: Pick<ClaimedWork, 'key'>) => Promise<WorkResult>;
};

export type AlertDeskOptions = {
  readonly store: Store;
  /** Those of the policy file: they are told when all of their alerts are kept. */
  readonly channels: AlertChannels;
  readonly clock: Clock;
  /** Wakes the workers. */
  readonly kick: () => void;
};

/** Of channels. Each event is held against all of them. */
const MOST_SUBSCRIPTIONS = 500;
/** What people have sent to themselves takes no place of the channels', and none of other people's. */
const MOST_OF_ONE_PERSON = 20;
/** Silences at once. Each alert is held against all of them; a person’s take no place of the others’. */
const MOST_SILENCES = 200;
const MOST_SILENCES_OF_ONE_PERSON = 20;

export function createAlertDesk({ store, channels, clock, kick }: AlertDeskOptions): AlertDesk {
  const entry = (line: Omit<AuditEntry, 'at'>): AuditEntry => ({ at: clock.now(), ...line });
  const changed = async <T>(job: (tables: Tables) => Promise<T>): Promise<T> => {
    const result = await store.transaction(job);
    kick();
    return result;
  };

  const end = (number: number, by: PersonId | 'patchbay'): Promise<SilenceRecord | null> =>
    changed(async (tables) => {
      if (!(await tables.silences.end(number, by, clock.now()))) return null;
      // The row of its own time is the worker's to finish.
      if (by !== 'patchbay') await tables.work.drop('silence', String(number));
      for (const channel of await tables.deliveries.silencedIn(number)) {
        const key = cardKey('silence', number, channel);
        await tables.cards.want({ key, channel, fallbackPerson: null, dueAt: clock.now() });
      }
      const silence = await tables.silences.get(number);
      if (silence !== null) await refreshAnnounced(tables, silence);
      const detail = { kept: silence?.kept ?? 0 };
      await tables.audit.append(
        entry({ actor: by, action: 'alerts.sound-again', subject: `silence ${number}`, detail }),
      );
      return silence;
    });

  /** Where nothing at all comes any more, that is said: silence looks as if all were well. */
  const announce = async (tables: Tables, { number, scope }: SilenceRecord): Promise<void> => {
    const subscriptions = await tables.subscriptions.open();
    for (const channel of channelsSilenced(scope, { channels, subscriptions })) {
      const key = cardKey('silent', number, channel);
      await tables.cards.want({ key, channel, fallbackPerson: null, dueAt: clock.now() });
    }
  };
  /** What was announced says how it goes on. A card that is not there is passed over. */
  const refreshAnnounced = async (tables: Tables, { number }: SilenceRecord): Promise<void> => {
    const subscribed = (await tables.subscriptions.open()).map(({ channel }) => channel);
    for (const channel of new Set([channels.patchAlerts, channels.newDevices, ...subscribed]))
      await tables.cards.refresh(cardKey('silent', number, channel), clock.now());
  };

  return {
    subscribe: (wanted) =>
      changed(async (tables) => {
        const open = await tables.subscriptions.open();
        const equal = open.find((one) => saysTheSame(one, wanted));
        if (equal !== undefined) return { kind: 'already', subscription: equal };
        const { person } = wanted;
        const most = person === null ? MOST_SUBSCRIPTIONS : MOST_OF_ONE_PERSON;
        if (open.filter((one) => one.person === person).length >= most)
          return { kind: 'full', most, own: person !== null };
        const subscription = await tables.subscriptions.add({ ...wanted, createdAt: clock.now() });
        await tables.audit.append(
          entry(subscriptionLine('alerts.subscribed', subscription, wanted.createdBy)),
        );
        return { kind: 'subscribed', subscription };
      }),
    unsubscribe: (number, by) =>
      changed(async (tables) => {
        if (!(await tables.subscriptions.end(number, by, clock.now()))) return null;
        const subscription = await tables.subscriptions.get(number);
        if (subscription !== null)
          await tables.audit.append(entry(subscriptionLine('alerts.unsubscribed', subscription, by)));
        return subscription;
      }),
    silence: (wanted) =>
      changed(async (tables) => {
        const { scope, until, createdBy } = wanted;
        const open = await tables.silences.open();
        const equal = open.find((one) => isSame(one.scope, scope));
        const goesOn = equal !== undefined && (await tables.silences.extend(equal.number, until));
        const full = goesOn ? null : fullOf(open, createdBy);
        if (full !== null) return full;
        const silence = goesOn
          ? { ...equal, until }
          : await tables.silences.add({ ...wanted, createdAt: clock.now() });
        await tables.work.put({ kind: 'silence', key: String(silence.number), dueAt: until });
        const detail = { ...scopeDetail(scope), until, reason: wanted.reason };
        const subject = `silence ${silence.number}`;
        await tables.audit.append(entry({ actor: createdBy, action: 'alerts.silenced', subject, detail }));
        if (goesOn) await refreshAnnounced(tables, silence);
        else await announce(tables, silence);
        return { kind: 'silenced', silence };
      }),
    unsilence: (number, by) => end(number, by),
    acknowledge: (event, by) => changed((tables) => acknowledge(tables, event, by, clock)),
    async endSilence({ key }) {
      const silence = await store.silences.get(Number(key));
      if (silence === null || silence.endedAt !== null) return { kind: 'done' };
      const now = clock.now();
      // It was made longer while this was under way.
      if (now < silence.until) return { kind: 'again', dueAt: silence.until };
      await end(silence.number, 'patchbay');
      return { kind: 'done' };
    },
  };
}

function subscriptionLine(
  action: string,
  subscription: SubscriptionRecord,
  actor: PersonId,
): Omit<AuditEntry, 'at'> {
  const detail = subscriptionDetail(subscription);
  return { actor, action, subject: `subscription ${subscription.number}`, detail };
}

/** The first to take a card has it; one of them is enough to have been first. */
async function acknowledge(
  tables: Tables,
  event: EventId,
  by: PersonId,
  clock: Clock,
): Promise<Acknowledged> {
  const alert = await tables.alerts.ofEvent(event);
  if (alert === null) return { kind: 'absent' };
  const deliveries = await tables.deliveries.of(alert.id);
  const cards = new Set(deliveries.flatMap(({ card }) => card ?? []));
  if (cards.size === 0) cards.add(alert.id);
  let isFirst = false;
  for (const card of cards) {
    if (!(await tables.alerts.acknowledge(card, by, clock.now()))) continue;
    isFirst = true;
    await tables.cards.refresh(cardKey('alert', card), clock.now());
    for (const { channel } of await tables.deliveries.of(card))
      await tables.cards.refresh(cardKey('alert', card, channel), clock.now());
  }
  const [first = alert.id] = cards;
  const taken = (await tables.alerts.get(first)) ?? alert;
  if (!isFirst) return { kind: 'already', alert: taken };
  const detail = { device: alert.deviceId, kind: alert.kind };
  const line = {
    at: clock.now(),
    actor: by,
    action: 'alerts.acknowledged',
    subject: `alert ${event}`,
    detail,
  };
  await tables.audit.append(line);
  return { kind: 'acknowledged', alert: taken };
}

function fullOf(
  open: readonly SilenceRecord[],
  createdBy: PersonId,
): { readonly kind: 'full'; readonly most: number; readonly own: boolean } | null {
  if (open.length >= MOST_SILENCES) return { kind: 'full', most: MOST_SILENCES, own: false };
  const own = open.filter((one) => one.createdBy === createdBy).length;
  return own < MOST_SILENCES_OF_ONE_PERSON
    ? null
    : { kind: 'full', most: MOST_SILENCES_OF_ONE_PERSON, own: true };
}

function saysTheSame(one: SubscriptionRecord, wanted: NewSubscription): boolean {
  return (
    one.channel === wanted.channel &&
    isSame(one.kinds.toSorted(), wanted.kinds.toSorted()) &&
    isSame(ids(one), ids(wanted))
  );
}

/** Without names, which change. */
function ids({ filter: { group, policy, tag, os } }: Pick<SubscriptionRecord, 'filter'>) {
  return { group: group?.id ?? null, policy: policy?.id ?? null, tag, os };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
