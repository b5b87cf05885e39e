/** Several messages of one card: which one stays; the others are removed, or link to it, and a press on them decides nothing. */
import { z } from 'zod';
import { type Clock, type Instant, instant } from '../../lib/clock.ts';
import { type CardKey, channelId, isCardKey, messageTs } from '../../lib/ids.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { renderMovedCopy } from '../../views/requests/request-answers.ts';
import type { View } from '../../views/views.ts';
import { isMessageGoneError, type SlackError } from '../web-api/slack-errors.ts';
import type { MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardMessageCopy } from './history-reader.ts';

type DuplicatePlan = {
  /** Null: the card has no message. */
  readonly keep: MessageRef | null;
  /** Messages without replies and reactions. */
  readonly remove: readonly MessageRef[];
  /** Messages with replies or reactions: they stay and say that the card moved. */
  readonly mark: readonly MessageRef[];
};

/** Keeps the recorded message, found or not; without one, the oldest. */
export function planDuplicates(
  recorded: MessageRef | null,
  copies: readonly CardMessageCopy[],
): DuplicatePlan {
  const [oldest] = copies.toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const keep = recorded ?? oldest ?? null;
  const others = copies.filter(({ channel, ts }) => channel !== keep?.channel || ts !== keep.ts);
  return {
    keep: keep && { channel: keep.channel, ts: keep.ts },
    remove: others.filter(({ hasRepliesOrReactions }) => !hasRepliesOrReactions),
    mark: others.filter(({ hasRepliesOrReactions }) => hasRepliesOrReactions),
  };
}

/** Call it in a transaction. `isLeft`: the card leaves this message, so it is searched only once there is another. */
export async function recordSuspectedDuplicate(
  { cardCalls, cards }: Pick<StoreTables, 'cardCalls' | 'cards'>,
  card: CardKey,
  { channel, ts }: MessageRef,
  now: Instant,
  isLeft = false,
): Promise<void> {
  const attemptedAt = instant(Math.round(Number(ts) * 1_000));
  await cardCalls.recordSuspected({
    id: `copy ${channel} ${ts}`,
    card,
    channel,
    attemptedAt,
    watched: isLeft,
  });
  await cards.enqueueUpdate(card, now);
}

/** Leaves one message of the card. Stops at the first error and returns it; safe to repeat. */
export async function resolveDuplicates(
  web: Pick<SlackWeb, 'remove' | 'update' | 'permalink'>,
  { keep, remove, mark }: DuplicatePlan,
): Promise<SlackError | null> {
  for (const place of remove) {
    const fault = await removeDuplicate(web, place);
    if (fault !== null) return fault;
  }
  if (keep === null || mark.length === 0) return null;
  const moved = renderMovedCopy(await web.permalink(keep));
  for (const place of mark) {
    const marked = await web.update(place, moved);
    if (marked.kind !== 'ok' && !isMessageGone(marked)) return marked;
  }
  return null;
}

/** Removes one of our messages; one that is already gone counts as removed. */
export async function removeDuplicate(
  web: Pick<SlackWeb, 'remove'>,
  place: MessageRef,
): Promise<SlackError | null> {
  const removed = await web.remove(place);
  return removed.kind === 'ok' || isMessageGone(removed) ? null : removed;
}

function isMessageGone(fault: SlackError): boolean {
  return (
    fault.kind === 'refused' && (isMessageGoneError(fault.error) || fault.error === 'cant_delete_message')
  );
}

/** The card that a button names, and the message on which it was pressed, as stored with the press. */
export const pressedCardSchema = z.object({
  card: z.custom<CardKey>(isCardKey, 'not a card key'),
  channel: z.string().transform(channelId),
  ts: z.string().transform(messageTs),
});
export type PressedCard = z.output<typeof pressedCardSchema>;

export type PressedCards = Readonly<ReturnType<typeof createPressedCards>>;

type PressedCardsOptions = {
  readonly store: Store;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly clock: Clock;
  readonly wakeWorker: () => void;
};

export function createPressedCards({ store, web, clock, wakeWorker }: PressedCardsOptions) {
  return {
    /** Null when the card itself was pressed. Otherwise the answer to show; the duplicate is being removed. */
    async answerForCopy({ card: key, channel, ts }: PressedCard): Promise<View | null> {
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
