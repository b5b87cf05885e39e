/** Begins, lengthens and ends silences, and has them announced where nothing at all comes any more. */
import { cardKey, type PersonId } from '../ids.ts';
import type { AlertChanges, NewSilence, Silenced } from '../store/alert-changes.ts';
import type { SilenceRecord } from '../store/alert-records.ts';
import type { ClaimedWork } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { scopeDetail } from './audit-lines.ts';
import type { Changing } from './changing.ts';
import { type AlertChannels, channelsSilenced } from './routing.ts';

export type Silencing = Pick<AlertChanges, 'silence' | 'unsilence'> & {
  /** Handler of `silence` work: ends it when its time is over. */
  readonly endSilence: (work: Pick<ClaimedWork, 'key'>) => Promise<WorkResult>;
};

export type SilencingOptions = Changing & {
  readonly store: Pick<Store, 'silences'>;
  /** Those of the configuration file: they are told when all of their alerts are kept. */
  readonly channels: AlertChannels;
};

/** Silences at once. Each alert is held against all of them; a person’s take no place of the others’. */
const MOST_SILENCES = 200;
const MOST_OF_ONE_PERSON = 20;

export function createSilencing({ store, channels, clock, change, audit }: SilencingOptions): Silencing {
  const begin = async (tables: Tables, wanted: NewSilence): Promise<Silenced> => {
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

  /** Null where it had ended before, or was made longer meanwhile. */
  const end = async (
    tables: Tables,
    number: number,
    by: PersonId | 'patchbay',
  ): Promise<SilenceRecord | null> => {
    if (!(await tables.silences.end(number, by, clock.now()))) return null;
    // The row of its own time is the worker's to finish.
    if (by !== 'patchbay') await tables.work.drop('silence', String(number));
    for (const channel of await tables.deliveries.silencedIn(number)) {
      const key = cardKey('silence', number, channel);
      await tables.cards.want({ key, channel, fallbackPerson: null, dueAt: clock.now() });
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
    silence: (wanted) => change((tables) => begin(tables, wanted)),
    unsilence: (number, by) => change((tables) => end(tables, number, by)),
    async endSilence({ key }) {
      const silence = await store.silences.get(Number(key));
      if (silence === null || silence.endedAt !== null) return { kind: 'done' };
      // It was made longer while this was under way.
      if (clock.now() < silence.until) return { kind: 'again', dueAt: silence.until };
      await change((tables) => end(tables, silence.number, 'patchbay'));
      return { kind: 'done' };
    },
  };
}

function fullOf(
  open: readonly SilenceRecord[],
  createdBy: PersonId,
): Extract<Silenced, { readonly kind: 'full' }> | null {
  if (open.length >= MOST_SILENCES) return { kind: 'full', most: MOST_SILENCES, own: false };
  const own = open.filter((one) => one.createdBy === createdBy).length;
  return own < MOST_OF_ONE_PERSON ? null : { kind: 'full', most: MOST_OF_ONE_PERSON, own: true };
}

function isSame(a: SilenceRecord['scope'], b: SilenceRecord['scope']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
