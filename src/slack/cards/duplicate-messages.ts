/** Several messages of one card: decides which one stays; the others are removed, or link to it. */
import { type Instant, instant } from '../../lib/clock.ts';
import type { CardKey } from '../../lib/ids.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { renderMovedCopy } from '../../views/requests/request-answers.ts';
import { isMessageGoneError, type SlackError } from '../web-api/slack-errors.ts';
import type { MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardMessageCopy } from './history-reader.ts';

export type DuplicatePlan = {
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

/**
 * Records that a duplicate may exist, to be searched around Slack's own timestamp. Call it in a transaction. `isLeft`: the
 * card leaves this message and is posted anew, so it is searched only once there is another.
 */
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
