/** Changes subscriptions, silences and acknowledgements. */
import type { Clock } from '../lib/clock.ts';
import { alertCardKey, cardKey, type EventId, type PersonId } from '../lib/ids.ts';
import type { WorkResult } from '../store/due-work/worker.ts';
import type {
  AcknowledgeResult,
  AlertKind,
  AlertSettingChanges,
  NewSilenceRecord,
  NewSubscriptionRecord,
  ShownAlert,
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

/** `acknowledge` stores who takes care of the alert, updates its cards and writes one audit line, in one transaction. */
function createAlertAcknowledgement({
  clock,
  inTransaction,
  audit,
}: AuditedChange): Pick<AlertSettingChanges, 'acknowledge'> {
  const acknowledge = async (
    tables: StoreTables,
    event: EventId,
    by: PersonId,
  ): Promise<AcknowledgeResult> => {
    const found = await tables.alerts.ofEvent(event);
    const taken = found !== null && (await tables.alerts.acknowledge(found.id, by, clock.now()));
    const alert = found && (await tables.alerts.shown(found.id));
    if (alert === null) return { kind: 'absent' };
    if (!taken)
      return {
        kind: alert.state === 'open' ? 'already' : alert.state === 'noted' ? 'noted' : 'ended',
        alert,
      };
    for (const card of await tables.alerts.cards([alert.id]))
      await tables.cards.enqueueUpdate(alertCardKey(card, alert.home), clock.now());
    await audit(tables, { actor: by, ...(await auditLine(tables, alert)) });
    return { kind: 'acknowledged', alert };
  };

  return { acknowledge: (event, by) => inTransaction((tables) => acknowledge(tables, event, by)) };
}

/** One audit line for the alert. It lists the device IDs, by which the audit of each device finds it. */
async function auditLine({ members }: StoreTables, { id, number, kind, open }: ShownAlert) {
  const query = { of: 'alert', alert: id, channel: null, openOnly: true } as const;
  const { rows } = await members.list(query, { limit: open, skip: 0 });
  const devices = [...new Set(rows.flatMap(({ deviceId }) => deviceId ?? []))].toSorted((a, b) => a - b);
  const subject = `alert ${number}`;
  const [only = null, ...others] = devices;
  const on = others.length === 0 ? { device: only } : { devices: devices.join(' ') };
  return { action: 'alerts.acknowledged', subject, detail: { ...on, kind } };
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
