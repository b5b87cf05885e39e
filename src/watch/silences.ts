/** Starts, extends and ends silences, and announces them in channels that get no alerts at all meanwhile. */
import { cardKey, type PersonId } from '../lib/ids.ts';
import type { WorkResult } from '../store/due-work/worker.ts';
import type { AlertSettingChanges, NewSilenceRecord, SilenceResult } from '../store/port/alert-changes.ts';
import type { SilenceRecord } from '../store/port/alert-records.ts';
import type { ClaimedWork } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import { type AuditedChange, scopeDetail } from './audited-change.ts';
import { type AlertChannels, fullySilencedChannels } from './routing.ts';

export type SilenceChanges = Pick<AlertSettingChanges, 'silence' | 'unsilence'> & {
  /** Handler of `silence` work: ends the silence when it expires. */
  readonly endSilence: (work: Pick<ClaimedWork, 'key'>) => Promise<WorkResult>;
};

export type SilenceChangesOptions = AuditedChange & {
  readonly store: Pick<Store, 'silences'>;
  /** Channels of the configuration file: a silence of all their alerts is announced there. */
  readonly channels: AlertChannels;
};

/** Active silences of everyone: each alert is compared with all of them. The limit per person leaves room for others. */
const MAX_SILENCES = 200;
const MAX_PER_PERSON = 20;

/** Changes of silences, and the handler that ends them in time. Throws what the store throws. */
export function createSilenceChanges({
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
  return own < MAX_PER_PERSON ? null : { kind: 'full', limit: MAX_PER_PERSON, own: true };
}
