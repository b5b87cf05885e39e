/** Stores alerts and enqueues their cards: in each channel an alert is on one card, or held by one silence. */
import { type Instant, later } from '../lib/clock.ts';
import { type AlertId, type ChannelId, cardKey, type PersonId } from '../lib/ids.ts';
import type { AlertRecord, CardKey } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';
import {
  ALERT_GROUP_MS,
  type AlertRouting,
  alertGroupKey,
  channelsFor,
  configuredChannel,
  type DeviceLabelMap,
  silencesFor,
} from './routing.ts';

export type AlertNotifier = {
  /** Whether any channel gets the alert, now or at the end of a silence. False also for an alert that is stored already. */
  readonly notify: (alert: AlertRecord) => Promise<boolean>;
  /** Enqueues every card that changed. Called once, at the end. */
  readonly enqueueCards: () => Promise<void>;
};

export type AlertNotifierOptions = {
  readonly tables: StoreTables;
  readonly routing: AlertRouting;
  readonly labels: DeviceLabelMap;
  readonly now: Instant;
};

/** A card that is open for more alerts. `acknowledger`: who acknowledged all its alerts, and thereby those added later. */
type OpenCard = { readonly card: AlertId; readonly key: CardKey; readonly acknowledger: PersonId | null };

/** The key of an alert's card. Without the channel where the configuration file sets it, since each kind has only one. */
function alertCardKey(
  alert: AlertRecord,
  channel: ChannelId,
  rules: Pick<AlertRouting, 'channels'>,
): CardKey {
  const isFixed = configuredChannel(alert.kind, rules.channels) === channel;
  return cardKey('alert', alert.id, isFixed ? null : channel);
}

/** A notifier for one transaction. Throws what the tables throw. */
export function createAlertNotifier({ tables, routing, labels, now }: AlertNotifierOptions): AlertNotifier {
  const changedCards = new Map<CardKey, ChannelId>();
  /** Cards that are open in this transaction, by channel and group key. */
  const open = new Map<string, OpenCard>();

  /** `counted`: the silences that already counted this alert for another channel. */
  const holdInSilence = async (
    alert: AlertRecord,
    channel: ChannelId,
    silences: readonly number[],
    counted: Set<number>,
  ) => {
    for (const silence of silences) {
      // A silence that has just ended has already posted its count.
      if (!counted.has(silence) && !(await tables.silences.holdAlert(silence))) continue;
      counted.add(silence);
      await tables.deliveries.add({ alertId: alert.id, channel, card: null, silence });
      return true;
    }
    return false;
  };

  const cardFor = async (alert: AlertRecord, channel: ChannelId): Promise<OpenCard> => {
    const own = { card: alert.id, key: alertCardKey(alert, channel, routing), acknowledger: null };
    const groupKey = alertGroupKey(alert);
    if (groupKey === null) return own;
    const cardSlot = `${channel} ${groupKey}`;
    const known = open.get(cardSlot);
    if (known !== undefined) return known;
    const joinGroup = (startNew: boolean) =>
      tables.deliveries.joinAlertGroup({
        channel,
        key: groupKey,
        card: alert.id,
        now,
        openUntil: later(now, ALERT_GROUP_MS),
        startNew,
      });
    const card = await joinGroup(false);
    const groupCard =
      card === alert.id
        ? own
        : {
            card,
            key: alertCardKey({ ...alert, id: card }, channel, routing),
            acknowledger: await tables.deliveries.acknowledgerOf(card),
          };
    // A new card is needed where Slack refused this one, or where it is in another channel because the configuration file
    // changed.
    const there = card === alert.id ? null : await tables.cards.get(groupCard.key);
    const isShown = card === alert.id || (there?.channel === channel && there.failure === null);
    if (!isShown) await joinGroup(true);
    const found = isShown ? groupCard : own;
    open.set(cardSlot, found);
    return found;
  };

  return {
    async notify(alert) {
      const channels = channelsFor(alert, routing, labels);
      if (channels.length === 0) return false;
      if (!(await tables.alerts.insert(alert))) return false;
      const silences = silencesFor(alert, routing, labels, now);
      const counted = new Set<number>();
      for (const channel of channels) {
        if (await holdInSilence(alert, channel, silences, counted)) continue;
        const { card, key, acknowledger } = await cardFor(alert, channel);
        if (acknowledger !== null) await tables.alerts.acknowledge(alert.id, acknowledger, now);
        await tables.deliveries.add({ alertId: alert.id, channel, card, silence: null });
        changedCards.set(key, channel);
      }
      return true;
    },
    async enqueueCards() {
      for (const [key, channel] of changedCards)
        await tables.cards.enqueue({ key, channel, fallbackPerson: null, dueAt: now });
    },
  };
}
