/** Edits a card in place, and decides what becomes of one that Slack will not edit any more. */
import { type Clock, type Instant, later } from '../../clock.ts';
import type { CardCall } from '../../store/card-calls.ts';
import type { CardRecord, ClaimedWork } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { WorkResult } from '../../store/worker.ts';
import { contentRefused, messageGone, placeRefuses } from '../faults.ts';
import { simpler } from '../understood.ts';
import type { CardMessage, Place, SlackWeb } from '../web.ts';
import type { Setbacks } from './setbacks.ts';
import { conclude, type TrackCall } from './tracked-calls.ts';

/** `next`: what the card needs now is asked again. */
export type CardResult = WorkResult | 'next';

export type EditOrder = {
  readonly card: CardRecord;
  readonly work: ClaimedWork;
  readonly at: Place;
  readonly message: CardMessage;
  /** Edits that had settled before: this one undoes whatever they did late. */
  readonly settled: readonly CardCall[];
};

export type EditCardOptions = Pick<Setbacks, 'again' | 'delayed' | 'parked' | 'giveUp'> & {
  readonly store: Store;
  readonly web: Pick<SlackWeb, 'update'>;
  readonly clock: Clock;
  readonly track: TrackCall;
};

export function createEditCard(options: EditCardOptions): (order: EditOrder) => Promise<CardResult> {
  const { store, web, clock, track, again, delayed, parked, giveUp } = options;
  /** After a 429 on edits nobody edits until this: that limit is one for all channels. */
  let pausedUntil: Instant | null = null;

  /** Whoever lost the work may have put an older state over a newer one: then the card is drawn once more. */
  const shown = ({ card, work, settled }: EditOrder, call: string): Promise<boolean> =>
    store.transaction(async (tables) => {
      await tables.cardCalls.end([call]);
      await conclude(tables.cardCalls, settled);
      const isOurs = await tables.work.holds(work);
      if (isOurs) await tables.cards.edited(card.key, card.wantedRevision);
      else await tables.cards.refresh(card.key, clock.now());
      return isOurs;
    });

  const refused = async (order: EditOrder, error: string): Promise<CardResult> => {
    const { card, work, at, message } = order;
    const less = contentRefused(error) ? simpler(message) : null;
    if (less !== null) return edit({ ...order, message: less });
    const state = message.metadata.event_payload['state'];
    // Alerts were added that nobody saw: they wait for their channel, as a first one does.
    if (state === 'storm' && placeRefuses(error)) return parked(card, work, error);
    // Somebody deleted a card that still has to be decided, or that has such alerts; theirs may also be too old to edit.
    const isLost = error === 'message_not_found' && state === 'waiting';
    if (isLost || (state === 'storm' && messageGone(error))) {
      await store.cards.unposted(card.key, at);
      return 'next';
    }
    return messageGone(error) ? giveUp(card, error) : delayed(card, work, { kind: 'refused', error });
  };

  const edit = async (order: EditOrder): Promise<CardResult> => {
    const { card, work, at, message } = order;
    if (pausedUntil !== null && clock.now() < pausedUntil) return { kind: 'again', dueAt: pausedUntil };
    const { channel } = at;
    const edited = await track({ card, work, kind: 'edit', channel, send: () => web.update(at, message) });
    switch (edited.kind) {
      case 'ok':
        return (await shown(order, edited.call)) ? 'next' : again(0);
      case 'not-made':
        return again(0);
      case 'throttled':
        pausedUntil = later(clock.now(), edited.retryAfterMs);
        return delayed(card, work, edited);
      case 'unsent':
      case 'uncertain':
        return delayed(card, work, edited);
      case 'refused':
        return refused(order, edited.error);
    }
  };
  return edit;
}
