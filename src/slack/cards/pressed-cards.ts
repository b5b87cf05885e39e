/** Whether a button was pressed on the card itself or on a duplicate: a duplicate decides nothing. */
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { type CardKey, channelId, isCardKey, messageTs } from '../../lib/ids.ts';
import type { Store } from '../../store/port/store.ts';
import type { View } from '../../views/model.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { recordSuspectedDuplicate } from './duplicate-messages.ts';

/** The card that a button names, and the message on which it was pressed, as stored with the press. */
export const pressedCardSchema = z.object({
  card: z.custom<CardKey>(isCardKey, 'not a card key'),
  channel: z.string().transform(channelId),
  ts: z.string().transform(messageTs),
});
export type PressedCard = z.output<typeof pressedCardSchema>;

export type PressedCards = {
  /** Null when the card itself was pressed. Otherwise the answer to show; the duplicate is being removed. */
  readonly answerForCopy: (pressed: PressedCard) => Promise<View | null>;
};

export type PressedCardsOptions = {
  readonly store: Store;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
};

export function createPressedCards({ store, web, clock, wakeWorker }: PressedCardsOptions): PressedCards {
  return {
    async answerForCopy({ card: key, channel, ts }) {
      const here = { channel, ts };
      const card = await store.cards.get(key);
      // No record of this card: the handler of the press answers.
      if (card === null) return null;
      if (card.ts === null || card.postedChannel === null) {
        // The press proves that the message exists, even if the answer to its post was lost.
        const isCard = await store.transaction(async (tables) => {
          const isFirst = await tables.cards.recordPosted(key, { ...here, revision: 0 });
          if (isFirst) await tables.cards.enqueueUpdate(key, clock.now());
          return isFirst;
        });
        if (isCard) wakeWorker();
        return isCard ? null : copyAnswer(here, key);
      }
      const isCard = card.postedChannel === channel && card.ts === ts;
      return isCard ? null : copyAnswer(here, key);
    },
  };

  async function copyAnswer(copy: Omit<PressedCard, 'card'>, card: CardKey): Promise<View | null> {
    await store.transaction((tables) => recordSuspectedDuplicate(tables, card, copy, clock.now()));
    wakeWorker();
    const current = await store.cards.get(card);
    const isPosted = current !== null && current.ts !== null && current.postedChannel !== null;
    const link = isPosted ? await web.permalink({ channel: current.postedChannel, ts: current.ts }) : null;
    return { kind: 'card-moved', link };
  }
}
