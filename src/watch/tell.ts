/** Stores alerts with the wish for their cards: each alert stands on one card of a channel, or is kept by one silence. */
import { type Instant, later } from '../clock.ts';
import { type AlertId, type ChannelId, cardKey, type PersonId } from '../ids.ts';
import type { AlertRecord, CardKey } from '../store/records.ts';
import type { Tables } from '../store/store.ts';
import { channelsOf, fixedChannel, type Rules, silencesOf, type Traits } from './routing.ts';
import { STORM_MS, stormKey } from './storm.ts';

export type Teller = {
  /** Whether anybody is told, now or when a silence ends. False also for one that was stored before. */
  readonly tell: (alert: AlertRecord) => Promise<boolean>;
  /** Wishes for every card that changed. To be called at the end. */
  readonly finish: () => Promise<void>;
};

export type TellerOptions = {
  readonly tables: Tables;
  readonly rules: Rules;
  readonly traits: Traits;
  readonly now: Instant;
};

/** A card that takes alerts. `taker`: who acknowledged all that stands on it, and so what is added, too. */
type Place = { readonly card: AlertId; readonly key: CardKey; readonly taker: PersonId | null };

/** The card of an alert: channels of the configuration file need no name in its key, since each kind has one. */
function alertCard(alert: AlertRecord, channel: ChannelId, rules: Pick<Rules, 'channels'>): CardKey {
  const isFixed = fixedChannel(alert.kind, rules.channels) === channel;
  return cardKey('alert', alert.id, isFixed ? null : channel);
}

/** For one transaction. */
export function createTeller({ tables, rules, traits, now }: TellerOptions): Teller {
  const wanted = new Map<CardKey, ChannelId>();
  /** Cards that take more in this transaction, by channel and key. */
  const open = new Map<string, Place>();

  /** `counted`: the silences that count this alert already, for another channel. */
  const keep = async (
    alert: AlertRecord,
    channel: ChannelId,
    silences: readonly number[],
    counted: Set<number>,
  ) => {
    for (const silence of silences) {
      // One that ended a moment ago has said already what it kept.
      if (!counted.has(silence) && !(await tables.silences.keep(silence))) continue;
      counted.add(silence);
      await tables.deliveries.add({ alertId: alert.id, channel, card: null, silence });
      return true;
    }
    return false;
  };

  const cardFor = async (alert: AlertRecord, channel: ChannelId): Promise<Place> => {
    const own = { card: alert.id, key: alertCard(alert, channel, rules), taker: null };
    const storm = stormKey(alert);
    if (storm === null) return own;
    const place = `${channel} ${storm}`;
    const known = open.get(place);
    if (known !== undefined) return known;
    const join = (anew: boolean) =>
      tables.deliveries.joinStorm({
        channel,
        key: storm,
        card: alert.id,
        now,
        openUntil: later(now, STORM_MS),
        anew,
      });
    const card = await join(false);
    const joined =
      card === alert.id
        ? own
        : {
            card,
            key: alertCard({ ...alert, id: card }, channel, rules),
            taker: await tables.deliveries.taker(card),
          };
    // A card that Slack did not take shows nothing that is added to it; and since the configuration file was changed, one of
    // this key may stand in another channel.
    const there = card === alert.id ? null : await tables.cards.get(joined.key);
    const isShown = card === alert.id || (there?.channel === channel && there.failure === null);
    if (!isShown) await join(true);
    const found = isShown ? joined : own;
    open.set(place, found);
    return found;
  };

  return {
    async tell(alert) {
      const channels = channelsOf(alert, rules, traits);
      if (channels.length === 0) return false;
      if (!(await tables.alerts.insert(alert))) return false;
      const silences = silencesOf(alert, rules, traits, now);
      const counted = new Set<number>();
      for (const channel of channels) {
        if (await keep(alert, channel, silences, counted)) continue;
        const { card, key, taker } = await cardFor(alert, channel);
        if (taker !== null) await tables.alerts.acknowledge(alert.id, taker, now);
        await tables.deliveries.add({ alertId: alert.id, channel, card, silence: null });
        wanted.set(key, channel);
      }
      return true;
    },
    async finish() {
      for (const [key, channel] of wanted)
        await tables.cards.want({ key, channel, fallbackPerson: null, dueAt: now });
    },
  };
}
