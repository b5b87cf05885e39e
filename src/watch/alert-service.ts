/** Changes subscriptions, silences and acknowledgements. */
import type { Clock } from '../lib/clock.ts';
import { cardKey, type DeviceId, type EventId, type PersonId } from '../lib/ids.ts';
import type { WorkResult } from '../store/due-work/worker.ts';
import type {
  AcknowledgedCards,
  AcknowledgeResult,
  AlertKind,
  AlertRecord,
  AlertSettingChanges,
  NewSilenceRecord,
  NewSubscriptionRecord,
  SilenceRecord,
  SilenceResult,
  SilenceScope,
  SubscriptionRecord,
} from '../store/port/alert-records.ts';
import type { AuditEntry, Store, StoreTables } from '../store/port/store.ts';
import type { ClaimedWork } from '../store/port/work-records.ts';
import { type AlertChannels, fullySilencedChannels } from './routing.ts';

export type AlertService = AlertSettingChanges & Pick<SilenceChanges, 'endSilence'>;

type AlertServiceOptions = AuditedChangeOptions & {
  readonly store: Store;
  /** Channels of the configuration file: a silence of all their alerts is announced there. */
  readonly channels: AlertChannels;
};

/** All changes of alert settings. Each throws what the store throws. */
export function createAlertService({ store, channels, ...options }: AlertServiceOptions): AlertService {
  const auditedChange = createAuditedChange({ ...options, store });
  return {
    ...createSubscriptionChanges(auditedChange),
    ...createSilenceChanges({ ...auditedChange, store, channels }),
    ...createAlertAcknowledgement(auditedChange),
  };
}

/** Subscriptions of channels: each event is compared with all of them. */
const MAX_SUBSCRIPTIONS = 500;
/** Each person's own limit: their subscriptions do not count toward those of channels or of other people. */
const MAX_SUBSCRIPTIONS_PER_PERSON = 20;

/** Changes of subscriptions. An equal subscription is not added twice. */
function createSubscriptionChanges({
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
        const limit = person === null ? MAX_SUBSCRIPTIONS : MAX_SUBSCRIPTIONS_PER_PERSON;
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

type SilenceChanges = Pick<AlertSettingChanges, 'silence' | 'unsilence'> & {
  /** Handler of `silence` work: ends the silence when it expires. */
  readonly endSilence: (work: Pick<ClaimedWork, 'key'>) => Promise<WorkResult>;
};

type SilenceChangesOptions = AuditedChange & {
  readonly store: Pick<Store, 'silences'>;
  /** Channels of the configuration file: a silence of all their alerts is announced there. */
  readonly channels: AlertChannels;
};

/** Active silences of everyone: each alert is compared with all of them. The limit per person leaves room for others. */
const MAX_SILENCES = 200;
const MAX_SILENCES_PER_PERSON = 20;

/** Changes of silences, and the handler that ends them in time. Throws what the store throws. */
function createSilenceChanges({
  store,
  channels,
  clock,
  inTransaction,
  audit,
}: SilenceChangesOptions): SilenceChanges {
  const begin = async (tables: StoreTables, wanted: NewSilenceRecord): Promise<SilenceResult> => {
    const { scope, until, createdBy } = wanted;
    const open = await tables.silences.open();
    const equal = open.find((one) => JSON.stringify(one.scope) === JSON.stringify(scope));
    const goesOn = equal !== undefined && (await tables.silences.extend(equal.number, until));
    const full = goesOn ? null : limitReached(open, createdBy);
    if (full !== null) return full;
    const silence = goesOn
      ? { ...equal, until }
      : await tables.silences.add({ ...wanted, createdAt: clock.now() });
    await tables.work.put({ kind: 'silence', key: String(silence.number), dueAt: until });
    await audit(tables, {
      actor: createdBy,
      action: 'alerts.silenced',
      subject: `silence ${silence.number}`,
      detail: { ...scopeDetail(scope), until, reason: wanted.reason },
    });
    if (goesOn) await refreshAnnounced(tables, silence);
    else await announce(tables, silence);
    return { kind: 'silenced', silence };
  };

  /** Null where it had ended or was extended meanwhile. */
  const end = async (
    tables: StoreTables,
    number: number,
    by: PersonId | 'patchbay',
  ): Promise<SilenceRecord | null> => {
    if (!(await tables.silences.end(number, by, clock.now()))) return null;
    // The worker finishes the row of work that it is handling.
    if (by !== 'patchbay') await tables.work.drop('silence', String(number));
    for (const channel of await tables.deliveries.silencedChannels(number)) {
      const key = cardKey('silence', number, channel);
      await tables.cards.enqueue({ key, channel, fallbackPerson: null, dueAt: clock.now() });
    }
    const silence = await tables.silences.get(number);
    if (silence !== null) await refreshAnnounced(tables, silence);
    await audit(tables, {
      actor: by,
      action: 'alerts.sound-again',
      subject: `silence ${number}`,
      detail: { kept: silence?.kept ?? 0 },
    });
    return silence;
  };

  /** Announces the silence where it holds all alerts: otherwise silence looks as if nothing failed. */
  const announce = async (tables: StoreTables, { number, scope }: SilenceRecord): Promise<void> => {
    const subscriptions = await tables.subscriptions.open();
    for (const channel of fullySilencedChannels(scope, { channels, subscriptions })) {
      const key = cardKey('silent', number, channel);
      await tables.cards.enqueue({ key, channel, fallbackPerson: null, dueAt: clock.now() });
    }
  };
  /** Updates the announcements. Channels without one are skipped. */
  const refreshAnnounced = async (tables: StoreTables, { number }: SilenceRecord): Promise<void> => {
    const subscribed = (await tables.subscriptions.open()).map(({ channel }) => channel);
    for (const channel of new Set([channels.patchAlerts, channels.newDevices, ...subscribed]))
      await tables.cards.enqueueUpdate(cardKey('silent', number, channel), clock.now());
  };

  return {
    silence: (wanted) => inTransaction((tables) => begin(tables, wanted)),
    unsilence: (number, by) => inTransaction((tables) => end(tables, number, by)),
    async endSilence({ key }) {
      const silence = await store.silences.get(Number(key));
      if (silence === null || silence.endedAt !== null) return { kind: 'done' };
      // The silence was extended meanwhile.
      if (clock.now() < silence.until) return { kind: 'again', dueAt: silence.until };
      await inTransaction((tables) => end(tables, silence.number, 'patchbay'));
      return { kind: 'done' };
    },
  };
}

function limitReached(
  open: readonly SilenceRecord[],
  createdBy: PersonId,
): Extract<SilenceResult, { readonly kind: 'full' }> | null {
  if (open.length >= MAX_SILENCES) return { kind: 'full', limit: MAX_SILENCES, own: false };
  const own = open.filter((one) => one.createdBy === createdBy).length;
  return own < MAX_SILENCES_PER_PERSON ? null : { kind: 'full', limit: MAX_SILENCES_PER_PERSON, own: true };
}

/** `acknowledge` stores who handles the alert, updates its cards and writes one audit line, in one transaction. */
function createAlertAcknowledgement({
  clock,
  inTransaction,
  audit,
}: AuditedChange): Pick<AlertSettingChanges, 'acknowledge'> {
  const acknowledgeAll = async (
    tables: StoreTables,
    alert: AlertRecord,
    by: PersonId,
  ): Promise<AcknowledgedCards> => {
    const deliveries = await tables.deliveries.of(alert.id);
    const cards = [...new Set(deliveries.flatMap(({ card }) => card ?? []))];
    if (cards.length > 0) return tables.deliveries.acknowledgeCards(cards, by, clock.now());
    // A silence holds the alert, so it is on no card.
    const isFirst = await tables.alerts.acknowledge(alert.id, by, clock.now());
    const acknowledgedDevices = alert.deviceId === null ? [] : [alert.deviceId];
    return {
      alerts: 1,
      devices: acknowledgedDevices.length,
      acknowledgedCount: isFirst ? 1 : 0,
      acknowledgedDevices,
      shownOn: [],
    };
  };

  const acknowledge = async (
    tables: StoreTables,
    event: EventId,
    by: PersonId,
  ): Promise<AcknowledgeResult> => {
    const alert = await tables.alerts.ofEvent(event);
    if (alert === null) return { kind: 'absent' };
    const { shownOn, acknowledgedDevices, ...counts } = await acknowledgeAll(tables, alert, by);
    const now = (await tables.alerts.get(alert.id)) ?? alert;
    if (counts.acknowledgedCount === 0) return { kind: 'already', alert: now, ...counts };
    const keys = shownOn.flatMap(({ card, channel }) => [
      cardKey('alert', card),
      cardKey('alert', card, channel),
    ]);
    for (const key of new Set(keys)) await tables.cards.enqueueUpdate(key, clock.now());
    await audit(tables, { actor: by, ...auditLine(alert, counts.acknowledgedCount, acknowledgedDevices) });
    return { kind: 'acknowledged', alert: now, ...counts };
  };

  return { acknowledge: (event, by) => inTransaction((tables) => acknowledge(tables, event, by)) };
}

/** One audit line for all alerts. It lists the device IDs, by which the audit of each device finds it. */
function auditLine({ eventId, kind, deviceId }: AlertRecord, taken: number, on: readonly DeviceId[]) {
  const subject = `alert ${eventId}`;
  return taken === 1
    ? { action: 'alerts.acknowledged', subject, detail: { device: on[0] ?? deviceId, kind } }
    : {
        action: 'alerts.storm-acknowledged',
        subject,
        detail: { alerts: taken, devices: on.toSorted((a, b) => a - b).join(' '), kind },
      };
}

/** Changes of alert settings, each in one transaction with its audit line. */
type AuditedChange = Readonly<ReturnType<typeof createAuditedChange>>;

type AuditedChangeOptions = {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly wakeWorker: () => void;
};

function createAuditedChange({ store, clock, wakeWorker }: AuditedChangeOptions) {
  return {
    clock,
    /** Runs one transaction, then wakes the worker. */
    async inTransaction<T>(job: (tables: StoreTables) => Promise<T>): Promise<T> {
      const result = await store.transaction(job);
      wakeWorker();
      return result;
    },
    async audit(tables: StoreTables, line: Omit<AuditEntry, 'at'>): Promise<void> {
      await tables.audit.append({ at: clock.now(), ...line });
    },
  };
}

/** Details of subscriptions and silences for the audit. Pure. */
type AuditDetail = AuditEntry['detail'];

function subscriptionDetail({ channel, kinds, filter }: SubscriptionRecord): AuditDetail {
  const { group, policy, tag, os } = filter;
  return {
    channel,
    events: kindNames(kinds),
    group: group?.id ?? null,
    policy: policy?.id ?? null,
    tag,
    os,
  };
}

function scopeDetail({ kinds, group, device, patch }: SilenceScope): AuditDetail {
  return {
    events: kinds.length === 0 ? 'all' : kindNames(kinds),
    group: group?.id ?? null,
    // The audit of one device searches for this key.
    device: device?.id ?? null,
    package: patch,
  };
}

function kindNames(kinds: readonly AlertKind[]): string {
  return kinds.join(', ');
}
